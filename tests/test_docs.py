"""Every block of every page runs, and what stands below a command is what it prints."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from costlang.cli.main import cli
from costlang.pipeline import facts, run
from costlang.text import Source
from docs.tools import refresh

ROOT = Path(__file__).resolve().parent.parent
MANUAL = {ROOT / "docs" / name for name in refresh.PAGES}
"""Pages with tests of their own, in `tests/docs`."""

PAGES = [ROOT / "README.md", *sorted({*(ROOT / "docs").rglob("*.md")} - MANUAL)]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


def blocks(language: str) -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for at, found in enumerate(BLOCK.finditer(page.read_text(encoding="utf-8"))):
            if found.group(1) == language:
                yield f"{page.name} {at}", found.group(2)


SPECS = dict(blocks("cost"))
SESSIONS = dict(blocks("console"))


@pytest.mark.parametrize("name", SPECS)
def test_a_spec_of_a_page_is_sound_and_its_checks_hold(name: str) -> None:
    report = run(Source("page.cost", SPECS[name]))
    assert () == report.diagnostics
    assert [] == [check.name for check in report.checks if check.holds is not True]


@pytest.mark.parametrize("name", SESSIONS)
def test_a_command_of_a_page_prints_what_stands_below_it(name: str) -> None:
    first, _, expected = SESSIONS[name].partition("\n")
    program, *words = shlex.split(first.removeprefix("$ "))
    assert "costlang" == program
    result = CliRunner().invoke(cli, words, env={"COLUMNS": "100"})
    assert expected == result.output


def test_the_readme_says_how_python_uses_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plan.cost").write_text(next(iter(SPECS.values())), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for _, text in blocks("python"):
        _run_lines(text)


def _run_lines(text: str) -> None:
    """Run a block as it stands; the package itself runs no text, its tests may."""
    exec(compile(text, "page", "exec"), {})  # noqa: S102


def test_the_keys_of_the_contract_are_those_of_a_report() -> None:
    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    words = ["ask", "sweep latency over batch in {1, 2}", "--json", "--of"]
    of = "decode(llama_2_7b, H100_SXM, context = 0)"
    report = json.loads(CliRunner().invoke(cli, [*words, of]).stdout)
    (answer,) = report["answers"]
    for key in answer:
        assert f"`{key}`" in page, key


def test_the_commands_of_the_readme_are_there() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert 2 == len(re.findall(r"^python3 -m venv \.venv && ", text, re.M))
    assert facts(ROOT / "specs" / "guide" / "01_token_generation.cost").true
