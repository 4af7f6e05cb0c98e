"""`costlang draw`: where a picture goes, and what is said where there is none."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from costlang.cli.main import cli

DECODE = "decode(llama_3_8b, H100_SXM, context = 4096)"


def costlang(*args: str) -> Result:
    return CliRunner().invoke(cli, ["draw", *args], catch_exceptions=False)


def test_a_picture_goes_to_standard_output_or_whole_into_a_file(tmp_path: Path) -> None:
    asked = ("sweep latency over batch in {1, 8}", "--of", DECODE)
    path = tmp_path / "latency.svg"
    result = costlang(*asked, "-o", str(path))
    assert (0, "") == (result.exit_code, result.output)
    assert costlang(*asked).stdout == path.read_text(encoding="utf-8")


def test_a_mistake_is_a_message_and_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "x.svg"
    for question, message in (
        ("sweep latncy over batch in {1, 8}", "did you mean `latency`?"),
        ("latency", "nothing is drawn: a picture is made of a `sweep` or of a `breakdown`"),
        ("sweep regime over batch in {1, 8}", "no column of this table holds numbers"),
        ("sweep latency over batch in {1, 8", "error["),
    ):
        result = costlang(question, "--of", DECODE, "-o", str(path))
        assert 2 == result.exit_code
        assert message in result.stderr
    assert not path.exists()


def test_what_is_left_out_of_a_roofline_is_said(tmp_path: Path) -> None:
    spec = tmp_path / "two.cost"
    spec.write_text(
        "cost 1\n"
        "import hardware.nvidia (H100_SXM)\n"
        "import models.llama (llama_3_8b)\n"
        "import std.phases (decode, prefill)\n"
        "scenario s {\n"
        "  use one  = decode(llama_3_8b, H100_SXM, context = 4096)\n"
        "  use read = prefill(llama_3_8b, H100_SXM)\n"
        "}\n",
        encoding="utf-8",
    )
    result = costlang("roofline", str(spec))
    assert 0 == result.exit_code
    assert "left out: read: `intensity` needs prefill.prompt\n" == result.stderr


def test_options_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    assert "name it `x.png.svg`" in costlang("roofline", "-o", "x.png").stderr
    assert "are of `costlang draw roofline`" in costlang("latency", "--x", "intensity").stderr
    assert "are of curves" in costlang("roofline", "--mark", "1 s").stderr
    missing = costlang("curve", str(tmp_path / "none.cost"))
    assert 2 == missing.exit_code and "error[missing-file]" in missing.stderr


def test_help_teaches_with_examples() -> None:
    assert "costlang draw roofline plan.cost" in costlang("--help").output
