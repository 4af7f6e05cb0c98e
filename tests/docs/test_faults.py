"""What is wrong with pages: everything in one run, at its place, before anything is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from costlang.cli.main import cli

Faults = Callable[..., list[tuple[str, str]]]


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("<!-- cost: plan.stepp -->x<!-- /cost -->", "unknown-question", "plan.stepp"),
        ("<!-- cost: plam.step -->x<!-- /cost -->", "unknown-scenario", "plam.step"),
        ("<!-- cost: step in=plam -->x<!-- /cost -->", "unknown-scenario", "in=plam"),
        ("<!-- cost= latency at bach = 3 -->x<!-- /cost -->", "unknown-name", "bach"),
        ("<!-- cost= latency + -->x<!-- /cost -->", "missing-expression", " "),
        ("<!-- cost= latency\n at bach = 1 -->x<!-- /cost -->", "unknown-name", "bach"),
        ("<!-- cost: -->x<!-- /cost -->", "empty-embed", ": "),
        ("<!-- cost= | digits=2 -->x<!-- /cost -->", "empty-embed", "= | digits=2"),
        ("<!-- cost: step digits=many -->x<!-- /cost -->", "wrong-option", "digits=many"),
        ("<!-- cost: step digits=1 digits=2 -->x<!-- /cost -->", "wrong-option", "digits=2"),
        ("<!-- cost: step bare as=x -->x<!-- /cost -->", "wrong-option", "as=x"),
        ("<!-- cost: step about under -->x<!-- /cost -->", "wrong-option", "under"),
        ("<!-- cost: step unit=tok -->x<!-- /cost -->", "wrong-option", "unit=tok"),
        ("<!-- cost: step unit=KB -->x<!-- /cost -->", "unknown-unit", "unit=KB"),
        ("<!-- cost: step view=table -->x<!-- /cost -->", "wrong-option", "view=table"),
        ("<!-- cost: step spec=no.cost -->x<!-- /cost -->", "missing-file", "spec=no.cost"),
        (
            "<!-- cost: step spec=/etc/passwd -->x<!-- /cost -->",
            "outside-project",
            "spec=/etc/passwd",
        ),
        ("<!-- cost: step about -->some<!-- /cost -->", "unclear-sentence", "some"),
        ("<!-- cost: step within=x -->40 ms<!-- /cost -->", "unclear-sentence", "40 ms"),
        ("<!-- cost: step -->", "unclosed-embed", "<!-- cost: step -->"),
        ("<!-- cost: step", "unclosed-embed", "<!-- cost:"),
        ("<!-- /cost -->", "unopened-embed", "<!-- /cost -->"),
    ],
)
def test_a_mistake_is_told_at_its_place(faults: Faults, text: str, code: str, place: str) -> None:
    assert [(code, place.strip())] == [(c, p.strip()) for c, p in faults(f"x {text} y\n")]


def test_a_page_that_names_no_spec_is_told_so_at_its_embed(faults: Faults) -> None:
    assert [("no-spec", "step")] == faults("x <!-- cost: step --><!-- /cost -->", top="")


def test_an_unknown_locale_is_no_locale(faults: Faults) -> None:
    pytest.importorskip("babel")
    assert [("wrong-option", "locale=xx_YY")] == faults(
        "x <!-- cost: step locale=xx_YY --><!-- /cost -->"
    )


def test_names_that_look_alike_are_offered(project: Path) -> None:
    (project / "page.md").write_text("<!-- cost: plan.stap spec=plan.cost --><!-- /cost -->\n")
    result = CliRunner().invoke(cli, ["doc", "page.md"])
    assert "did you mean `plan.step`?" in result.stderr
    assert 2 == result.exit_code


def test_all_mistakes_of_all_pages_are_told_and_nothing_is_written(project: Path) -> None:
    top = "---\ncost: plan.cost\n---\n"
    good = f"{top}<!-- cost: step --><!-- /cost -->\n"
    (project / "a.md").write_text(good)
    (project / "b.md").write_text(
        f"{top}<!-- cost: x --><!-- /cost --><!-- cost: y --><!-- /cost -->\n"
    )
    (project / "c.md").write_text(f"{top}<!-- cost: step bold --><!-- /cost -->\n")
    result = CliRunner().invoke(cli, ["doc", "."])
    assert 2 == result.exit_code
    assert 3 == result.stderr.count("error[")
    assert good == (project / "a.md").read_text()
    assert not (project / "costlang.lock").exists()


def test_the_mistakes_of_a_spec_are_told_once(project: Path) -> None:
    (project / "plan.cost").write_text("cost 1\nscenario plan {\n  query step: 1 GB + 1 s\n}\n")
    embeds = "<!-- cost: step --><!-- /cost -->\n" * 3
    (project / "a.md").write_text(f"---\ncost: plan.cost\n---\n{embeds}")
    result = CliRunner().invoke(cli, ["doc", "."])
    assert 2 == result.exit_code
    assert 1 == result.stderr.count("error[")
    assert "plan.cost:3:" in result.stderr


@pytest.mark.parametrize("before", ["", "- ", "> 1. ", "  "])
def test_a_line_that_begins_with_an_embed_is_warned_of(
    project: Path, faults: Faults, before: str
) -> None:
    embed = "<!-- cost: step -->41.79 ms<!-- /cost -->"
    assert [("embed-begins-line", "<!-- cost: step -->")] == faults(f"{before}{embed} *x*\n")
    assert [] == faults(f"{before}x {embed}\n")
    result = CliRunner().invoke(cli, ["doc", "--check", "page.md"])
    assert (0, "") == (result.exit_code, result.stderr)
