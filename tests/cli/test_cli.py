"""The command line: what it prints, how it ends, and that no mistake of a user is a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from costlang.cli.main import cli

GUIDE = Path(__file__).parents[2] / "specs" / "guide" / "01_token_generation.cost"
SMALL = (
    "cost 1\nscenario s {\n  param n : count = 3\n  query double: 2 * n\n  check three: n == 3\n}\n"
)


def costlang(*words: str, text: str | None = None) -> Result:
    return CliRunner().invoke(cli, list(words), input=text)


@pytest.fixture
def small(tmp_path: Path) -> str:
    path = tmp_path / "small.cost"
    path.write_text(SMALL, encoding="utf-8")
    return str(path)


def test_chapter_one_prints_what_the_chapter_says() -> None:
    result = costlang("run", str(GUIDE))
    assert 0 == result.exit_code
    for words in (
        "41.79 ms",
        "23.93 tok/s",
        "0.339 %",
        "283.1 ms",
        "46.43 .. 92.87 $/Mtok",
        "memory-bound",
        "compute-bound",
        "resident = 140 GB, hardware.hbm_capacity = 80 GB",
        "20 of 20 checks hold",
    ):
        assert words in result.output


def test_a_file_from_standard_input_is_answered() -> None:
    result = costlang("run", "-", text=SMALL)
    assert (0, "s\n  double  6\n  assumed: n = 3\n\n1 of 1 checks hold\n") == (
        result.exit_code,
        result.output,
    )


def test_a_failing_check_ends_with_one(small: str) -> None:
    result = costlang("run", small, "--at", "n = 4")
    assert 1 == result.exit_code
    assert "fails s.three: n == 3" in result.output


def test_what_cannot_be_used_ends_with_two() -> None:
    result = costlang("check", "-", text="cost 1\nlet a = b\n")
    assert (2, "") == (result.exit_code, result.stdout)
    assert result.stderr.startswith("error[unknown-name]: nothing is called `b`")


def test_a_requirement_that_fails_is_an_answer_unless_it_is_made_strict() -> None:
    of = ("--of", "decode(round_70b, H100_SXM, context = 0)")
    assert 0 == costlang("ask", "latency", *of).exit_code
    assert 1 == costlang("ask", "latency", *of, "--strict").exit_code


def test_an_unknown_question_is_a_message(small: str) -> None:
    result = costlang("run", small, "dubble")
    assert 2 == result.exit_code
    assert "did you mean `double`" in result.stderr


def test_json_has_the_keys_of_the_contract(small: str) -> None:
    report = json.loads(costlang("run", small, "--json").stdout)
    assert {"schema", "version", "answers", "checks", "diagnostics"} == set(report)
    (answer,) = report["answers"]
    assert ("double", 6, "6", {"n": "3"}) == (
        answer["name"],
        answer["value"],
        answer["exact"],
        answer["assumed"],
    )
    assert "holds" == report["checks"][0]["status"]


def test_json_is_whole_when_the_input_cannot_be_used() -> None:
    report = json.loads(costlang("ask", "latency at", "--of", "decode(x)", "--json").stdout)
    assert [] == report["answers"]
    assert report["diagnostics"]


def test_a_table_comes_as_csv_and_as_json_lines() -> None:
    words = ("ask", "sweep 2 * n over n in {1, 2}", "-", "--format")
    csv = costlang(*words, "csv", text=SMALL).stdout
    lines = costlang(*words, "jsonl", text=SMALL).stdout
    assert "n,2 * n,regime,infeasible\n1,2,,\n2,4,,\n" == csv
    assert [2, 4] == [json.loads(line)["2 * n"] for line in lines.splitlines()]


def test_why_shows_the_formula_and_what_it_hangs_on() -> None:
    result = costlang("why", "latency", "--of", "decode(round_70b, H100_SXM, context = 0)")
    assert 0 == result.exit_code
    assert "latency = step_overhead + max(t_compute, t_memory) + t_link" in result.output
    assert "idle here: batch, new, peak[bf16], compute_efficiency" in result.output


BAD = [
    ("dimension-mismatch", "let f(S: [tok], d_head: count) = S * S + S * d_head"),
    ("dimension-mismatch", "hardware h is accelerator { hbm_bandwidth = 80 GB }"),
    ("refused-unit", "let a = 5 KB"),
    ("refused-unit", "let a = 5 TFLOPS"),
    ("dimension-mismatch", "model m is dense { layers = 70 B }"),
    ("unknown-name", "let a = nothing_here"),
    ("circular-definition", "interface i { let a = b\n let b = a }"),
    ("missing-import", 'import "./nowhere.cost" (x)'),
    ("nul-byte", "let a = 1\0"),
]


@pytest.mark.parametrize(("code", "line"), BAD)
def test_a_mistake_is_one_message_with_its_place(code: str, line: str) -> None:
    head = "cost 1\nimport std.accelerator (accelerator)\nimport std.decoder (dense)\n"
    result = costlang("check", "--json", "-", text=f"{head}{line}\n")
    found = json.loads(result.stdout)["diagnostics"]
    assert [(code, 4)] == [(item["code"], item["line"]) for item in found]
    assert 2 == result.exit_code


def test_an_empty_file_and_a_huge_one_are_messages(tmp_path: Path) -> None:
    empty, huge = tmp_path / "empty.cost", tmp_path / "huge.cost"
    empty.write_text("", encoding="utf-8")
    huge.write_text("a" * 10_000_000, encoding="utf-8")
    codes = [
        json.loads(costlang("check", "--json", str(path)).stdout)["diagnostics"][0]["code"]
        for path in (empty, huge)
    ]
    assert ["missing-edition", "file-too-large"] == codes


def test_help_teaches_with_examples() -> None:
    for command in ("run", "check", "ask", "why"):
        assert "Examples:" in costlang(command, "--help").output


def run_fresh(script: str, cache: Path) -> str:
    env = {**os.environ, "COSTLANG_CACHE_DIR": str(cache), "PYTHONPATH": str(GUIDE.parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", script], env=env, capture_output=True, text=True, check=False
    )
    assert "" == done.stderr
    return done.stdout


def test_numbers_come_without_sympy_and_numpy_and_warm_without_lark(tmp_path: Path) -> None:
    script = (
        "import sys\nfrom costlang import pipeline\n"
        f"report = pipeline.run({str(GUIDE)!r})\n"
        "assert report.usable and report.true\n"
        "print([m for m in ('lark', 'sympy', 'numpy', 'rich') if m in sys.modules])\n"
    )
    assert "['lark']\n" == run_fresh(script, tmp_path)
    assert "[]\n" == run_fresh(script, tmp_path)


def test_importing_the_package_imports_nothing_heavy(tmp_path: Path) -> None:
    script = (
        "import sys, costlang\n"
        "print([m for m in sys.modules if m.startswith('costlang.')]"
        " + [m for m in ('lark', 'sympy', 'numpy') if m in sys.modules])\n"
    )
    assert "[]\n" == run_fresh(script, tmp_path)
