"""Sure mends, explanations, annotations and completion, as somebody at a shell meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from costlang.cli.main import cli
from costlang.text.catalogue import CODES

FAULTY = """\
cost 1
scenario s {
  let width  = 28,672 * 3 tokens
  let double = 2 × 3**2
  check same: width = 86_016 tok
  query step: decode(llama_2_70b, H100_SXM).latency
  let page   = 4 KB
}
"""

MENDED = """\
cost 1
import std.phases (decode)
import models.llama (llama_2_70b)
import hardware.nvidia (H100_SXM)
scenario s {
  let width  = 28_672 * 3 tok
  let double = 2 * 3^2
  check same: width == 86_016 tok
  query step: decode(llama_2_70b, H100_SXM).latency
  let page   = 4 KB
}
"""


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "plan.cost"
    path.write_text(FAULTY, encoding="utf-8")
    return path


def costlang(*words: str) -> Result:
    return CliRunner().invoke(cli, words)


def test_fix_mends_what_is_sure_and_leaves_what_is_not(plan: Path) -> None:
    found = costlang("check", "--fix", "plan.cost")
    assert MENDED == plan.read_text(encoding="utf-8")
    assert "mended 8 mistakes in plan.cost" in found.output
    assert "error[refused-unit]: `KB` can be read as 1000 or as 1024" in found.output
    assert 2 == found.exit_code


def test_fixing_twice_changes_nothing_more(plan: Path) -> None:
    costlang("check", "--fix", "plan.cost")
    assert "mended" not in costlang("check", "--fix", "plan.cost").output
    assert MENDED == plan.read_text(encoding="utf-8")


def test_diff_shows_the_mends_and_writes_nothing(plan: Path) -> None:
    shown = costlang("check", "--diff", "plan.cost").output
    assert FAULTY == plan.read_text(encoding="utf-8")
    changed = [line for line in shown.splitlines() if line[:1] in "+-" and line[1:2] == " "]
    assert [
        "-  let width  = 28,672 * 3 tokens",
        "-  let double = 2 × 3**2",
        "-  check same: width = 86_016 tok",
        "+  let width  = 28_672 * 3 tok",
        "+  let double = 2 * 3^2",
        "+  check same: width == 86_016 tok",
    ] == changed


def test_line_ends_and_what_is_not_mended_stay_as_they_are(plan: Path) -> None:
    plan.write_bytes(b"cost 1\r\nlet a = 1,000\r\n\r\n# end")
    costlang("check", "--fix", "plan.cost")
    assert b"cost 1\r\nlet a = 1_000\r\n\r\n# end" == plan.read_bytes()


def test_a_sound_file_is_not_written(plan: Path) -> None:
    plan.write_text("cost 1\nlet a = 3\n", encoding="utf-8")
    before = plan.stat().st_mtime_ns
    assert 0 == costlang("check", "--fix", "plan.cost").exit_code
    assert before == plan.stat().st_mtime_ns


def test_a_mend_is_in_the_json_where_it_is_sure(plan: Path) -> None:
    plan.write_text("cost 1\nlet a = 1,000\nlet b = 4 KB\n", encoding="utf-8")
    found = json.loads(costlang("check", "--json", "plan.cost").output)["diagnostics"]
    place = {"file": "plan.cost", "line": 2, "column": 9, "end_line": 2, "end_column": 14}
    assert [{**place, "text": "1_000"}, None] == [item["edit"] for item in found]


def test_a_workflow_is_told_each_mistake_on_a_line(plan: Path) -> None:
    plan.write_text("cost 1\nlet a = 1 GB + 1 s\n", encoding="utf-8")
    assert (
        "::error file=plan.cost,line=2,endLine=2,col=16,endColumn=19,title=dimension-mismatch"
        "::these two cannot be added%0As%0AB%0Aleft side:  B%0Aright side:     s\n"
    ) == costlang("check", "--format", "github", "plan.cost").output


def test_a_workflow_is_told_a_check_that_fails(plan: Path) -> None:
    plan.write_text("cost 1\nscenario s {\n  check two: 1 == 2\n}\n", encoding="utf-8")
    found = costlang("check", "--format", "github", "plan.cost")
    assert (
        "::error file=plan.cost,line=3,endLine=3,col=9,endColumn=12,title=check two"
        "::the check fails: 1 == 2\n"
    ) == found.output
    assert 1 == found.exit_code


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_is_explained(code: str) -> None:
    found = costlang("explain", code)
    assert 0 == found.exit_code
    assert found.output.startswith(f"{code}\n")
    assert "mended:" in found.output
    assert "```" not in found.output


def test_an_unknown_code_is_answered_by_the_near_ones() -> None:
    found = costlang("explain", "dimension-mismach")
    assert 2 == found.exit_code
    assert (
        "no message has the code `dimension-mismach`; did you mean `dimension-mismatch`?\n"
    ) == found.output


def test_all_codes_are_listed_by_what_is_wrong() -> None:
    lines = costlang("explain").output.splitlines()
    assert "Files and imports" == lines[0]
    assert len(CODES) == sum(line.startswith("  ") for line in lines)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_told_how_to_complete(shell: str) -> None:
    assert "_COSTLANG_COMPLETE" in costlang("completion", shell).output
