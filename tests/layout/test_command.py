"""`costlang fmt`: what it writes, what it prints, how it ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from costlang.cli.fmt import fmt
from costlang.layout import layout as making

UGLY = "cost 1\r\nmodel m is p{\r\n\ta=1 # é\r\n}"
FAIR = "cost 1\nmodel m is p {\n  a = 1  # é\n}\n"
FAULTY = "cost 1\nlet x =\n"


def run(*words: str, text: str | bytes | None = None) -> Result:
    return CliRunner().invoke(fmt, list(words), input=text)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a spec to change, one that is fair, and no spec."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ugly.cost").write_bytes(UGLY.encode())
    (tmp_path / "fair.cost").write_bytes(FAIR.encode())
    (tmp_path / "no.txt").write_bytes(b"a  b")
    return tmp_path


def test_files_are_laid_out_in_place(folder: Path) -> None:
    found = run(".")
    assert (0, f"changed: {Path('in/ugly.cost')}\n1 of 2 files changed\n") == (
        found.exit_code,
        found.output,
    )
    assert FAIR.encode() == (folder / "in" / "ugly.cost").read_bytes()
    found = run(".")
    assert (0, "0 of 2 files changed\n") == (found.exit_code, found.output)


def test_a_file_that_is_fair_is_not_written(folder: Path) -> None:
    os.utime(folder / "fair.cost", (1, 1))
    run("fair.cost")
    assert 1 == (folder / "fair.cost").stat().st_mtime


def test_check_says_what_would_change_and_writes_nothing(folder: Path) -> None:
    found = run("--check", "in", "fair.cost")
    expected = f"would change: {Path('in/ugly.cost')}\n1 of 2 files would change\n"
    assert (1, expected) == (found.exit_code, found.output)
    assert UGLY.encode() == (folder / "in" / "ugly.cost").read_bytes()
    assert 0 == run("--check", "fair.cost").exit_code


def test_a_difference_is_shown_and_nothing_written(folder: Path) -> None:
    (folder / "one.cost").write_text("cost 1\nunit  u = 1 B", encoding="utf-8")
    expected = (
        "--- one.cost\n+++ one.cost\n@@ -1,2 +1,2 @@\n cost 1\n"
        "-unit  u = 1 B\n\\ No newline at end of file\n+unit u = 1 B\n"
    )
    found = run("--diff", "one.cost", "fair.cost")
    assert (0, expected) == (found.exit_code, found.stdout)
    assert "1 of 2 files would change\n" == found.stderr
    assert 1 == run("--diff", "--check", "one.cost").exit_code
    assert "cost 1\nunit  u = 1 B" == (folder / "one.cost").read_text(encoding="utf-8")


def test_a_difference_is_painted_where_colour_is_asked_for(folder: Path) -> None:
    (folder / "one.cost").write_text("cost 1 #\x1b\nunit  u = 1 B\n", encoding="utf-8")
    found = run("--diff", "--color", "always", "one.cost").stdout.splitlines()
    assert "\x1b[1m--- one.cost\x1b[0m" == found[0]
    assert "\x1b[1;31m-cost 1 #␛\x1b[0m" == found[3]
    assert "\x1b[32m+unit u = 1 B\x1b[0m" == found[6]


def test_standard_input_goes_to_standard_output() -> None:
    found = run("-", text=b"\xef\xbb\xbf" + UGLY.encode())
    assert (0, FAIR.encode(), "") == (found.exit_code, found.stdout_bytes, found.stderr)


def test_standard_input_can_be_checked_and_compared() -> None:
    found = run("--check", "-", text=UGLY)
    expected = "would change: <stdin>\n1 of 1 files would change\n"
    assert (1, expected) == (found.exit_code, found.output)
    assert run("--diff", "-", text=UGLY).stdout.startswith("--- <stdin>\n+++ <stdin>\n@@ ")


def test_standard_input_stands_alone() -> None:
    found = run("-", "fair.cost", text=UGLY)
    assert 2 == found.exit_code
    assert "`-` stands alone: standard input goes to standard output" in found.stderr


def test_a_file_with_mistakes_is_left_and_the_others_are_laid_out(folder: Path) -> None:
    (folder / "faulty.cost").write_text(FAULTY, encoding="utf-8")
    found = run("faulty.cost", "in")
    expected = f"changed: {Path('in/ugly.cost')}\n1 of 2 files changed, 1 cannot be laid out\n"
    assert (2, expected) == (found.exit_code, found.stdout)
    assert found.stderr.startswith("error[missing-expression]: ")
    assert FAULTY == (folder / "faulty.cost").read_text(encoding="utf-8")
    assert 2 == run("--check", "faulty.cost").exit_code


def test_mistakes_in_standard_input_leave_standard_output_empty() -> None:
    found = run("-", text=FAULTY)
    assert (2, "") == (found.exit_code, found.stdout)
    assert found.stderr.startswith("error[missing-expression]: ")


@pytest.mark.parametrize(
    ("content", "code"), [(None, "missing-file"), (b"cost 1 #\xff", "not-utf8")]
)
def test_a_file_that_cannot_be_read_is_told(folder: Path, content: bytes | None, code: str) -> None:
    if content is not None:
        (folder / "bad.cost").write_bytes(content)
    found = run("bad.cost")
    assert (2, "0 of 1 files changed, 1 cannot be laid out\n") == (found.exit_code, found.stdout)
    assert found.stderr.startswith(f"error[{code}]: ")


def test_a_mark_of_byte_order_is_taken_away(folder: Path) -> None:
    (folder / "fair.cost").write_bytes(b"\xef\xbb\xbf" + FAIR.encode())
    assert 1 == run("--check", "fair.cost").exit_code
    assert "changed: fair.cost\n1 of 1 files changed\n" == run("fair.cost").output
    assert FAIR.encode() == (folder / "fair.cost").read_bytes()


def test_a_file_that_is_named_twice_is_laid_out_once() -> None:
    assert "0 of 2 files changed\n" == run("fair.cost", "fair.cost", "in/../fair.cost").output


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="here every folder can be written"
)
def test_a_file_that_cannot_be_written_is_told(folder: Path) -> None:
    (folder / "in").chmod(0o500)
    found = run("in")
    (folder / "in").chmod(0o700)
    assert 2 == found.exit_code
    assert "costlang: `in/ugly.cost` cannot be written: permission denied\n" == found.stderr


def test_a_write_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: object, text: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("costlang.cli.fmt.write_text", full)
    found = run("in")
    assert 2 == found.exit_code
    assert (
        f"costlang: `{Path('in/ugly.cost')}` cannot be written: no space left on device\n"
        == found.stderr
    )
    assert "0 of 1 files changed, 1 cannot be laid out\n" == found.stdout


def test_a_fault_of_ours_says_so_and_leaves_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "_text", lambda *_: "cost 1\n")
    found = run("in")
    assert 2 == found.exit_code
    assert found.stderr.startswith("costlang: this is a fault of ours: ")
    assert UGLY.encode() == (folder / "in" / "ugly.cost").read_bytes()


def test_help_teaches_by_examples() -> None:
    found = run("--help")
    assert 0 == found.exit_code
    for words in ("costlang fmt --check specs/", "costlang fmt - < plan.cost", "Exit status: 0"):
        assert words in found.output
