"""The command line on strange input: an exit status of its own, messages, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.safety.asked import spec
from tests.safety.hostile import LARGE, SLOW
from tests.safety.test_terminal import SIGNS, active, everywhere

ROOT = Path(__file__).parents[2]


def costlang(folder: Path, *words: str, given: bytes = b"") -> tuple[int, str, str]:
    """Run the command line as a program, as a shell does; return its status and both outputs."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "costlang", *words]
    done = subprocess.run(
        command, input=given, cwd=folder, env=environment, capture_output=True, check=False
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("name", ["a tower", "squares of squares"])
def test_numbers_beyond_all_measure_are_messages(tmp_path: Path, name: str) -> None:
    (tmp_path / "x.cost").write_text(LARGE[name])
    status, out, err = costlang(tmp_path, "run", "x.cost")
    assert 2 == status
    assert "this has no value here" in out
    assert err.startswith("error[outside-domain]: ")


def test_work_that_is_too_much_is_a_message(tmp_path: Path) -> None:
    (tmp_path / "x.cost").write_text(SLOW["functions that double"])
    status, _, err = costlang(tmp_path, "run", "x.cost")
    assert 2 == status
    assert err.startswith("error[too-much-work]: ")


@pytest.mark.parametrize("style", ["text", "json", "csv", "jsonl"])
def test_long_numbers_are_written_in_each_style(tmp_path: Path, style: str) -> None:
    things = "interface t {\n  param x : ratio in 0..\n}\nmodel m is t {}\n"
    lines = ("use u = m", "query q: 3^(60_000)", "query r: sweep 7^x over x in 0..30_000")
    (tmp_path / "x.cost").write_text(spec(*lines, before=things))
    status, out, err = costlang(tmp_path, "run", "x.cost", "--format", style)
    assert (0, "") == (status, err)
    assert "" != out
    if style == "json":
        assert ["q", "r"] == [item["name"] for item in json.loads(out)["answers"]]


@pytest.mark.parametrize("data", [b"\0", b"\xff", b"cost 1\n\xed\xa0\x80", b"{" * 5000, b'"'])
def test_standard_input_of_any_bytes_is_a_message(tmp_path: Path, data: bytes) -> None:
    status, out, err = costlang(tmp_path, "run", "-", given=data)
    assert (2, "") == (status, out)
    assert err.startswith("error[") and "Traceback" not in err


@pytest.mark.parametrize("words", [b"batch = \xff", b"\xff", b"a = \x1b[31m", b"\x9b = 1"])
@pytest.mark.parametrize("option", ["--at", "ask", "query"])
def test_words_of_any_bytes_are_a_message(tmp_path: Path, words: bytes, option: str) -> None:
    (tmp_path / "x.cost").write_text(spec("query q: 1"))
    text = os.fsdecode(words)
    given = {"--at": ("run", "x.cost", "--at", text), "ask": ("ask", text, "x.cost")}
    status, out, err = costlang(tmp_path, *given.get(option, ("run", "x.cost", text)))
    assert 2 == status and "Traceback" not in err
    assert set() == active(out + err)


@pytest.mark.parametrize("name", ["a colour", "an eight-bit control", "the other direction"])
@pytest.mark.parametrize("form", [(), ("--json",), ("--color", "never")])
def test_what_is_printed_does_not_act(tmp_path: Path, name: str, form: tuple[str, ...]) -> None:
    (tmp_path / "x.cost").write_text(everywhere(SIGNS[name]), encoding="utf-8")
    _, out, err = costlang(tmp_path, "run", "x.cost", *form)
    assert "" != out
    assert set() == active(out + err)


@pytest.mark.parametrize("name", ["a colour", "an eight-bit control", "the other direction"])
def test_an_explanation_does_not_act(tmp_path: Path, name: str) -> None:
    (tmp_path / "x.cost").write_text(everywhere(SIGNS[name]), encoding="utf-8")
    status, out, err = costlang(tmp_path, "why", f"max(u.x, # {SIGNS[name]}\n 3)", "x.cost")
    assert 0 == status and "" != out
    assert set() == active(out + err)
