"""What a check says: the place, the old text, the new one, and just the inputs that moved it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from costlang.cli.main import cli
from costlang.docs.report import report_json
from costlang.docs.work import Outcome, work_on

Fill = Callable[..., str]


def change(project: Path, *pairs: tuple[str, str]) -> Outcome:
    """Put something else into the spec, and return what a check then finds."""
    path = project / "plan.cost"
    text = path.read_text()
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    path.write_text(text)
    return work_on(["page.md"])


def told(outcome: Outcome) -> list[tuple[str, list[tuple[str, str | None, str | None]]]]:
    """Return the state of each embed, with the inputs that moved it."""
    return [
        (found.state, [(c.name, c.before, c.now) for c in found.changes])
        for work in outcome.works
        for found in work.findings
    ]


def checked(*words: str) -> Result:
    return CliRunner().invoke(cli, ["doc", "--check", *words, "."])


STEP = "A step: <!-- cost: step --><!-- /cost -->"
BANDWIDTH = ("bandwidth", "3.35 TB/s", "3 TB/s")


def test_a_check_right_after_filling_finds_nothing(fill: Fill) -> None:
    fill(f"{STEP} <!-- cost: busy view=numeric --><!-- /cost -->")
    result = checked("--exact")
    assert (0, "2 embeds in 1 page, 0 wrong\n", "") == (
        result.exit_code,
        result.stdout,
        result.stderr,
    )


def test_a_stale_figure_is_told_with_the_input_that_moved_it(fill: Fill, project: Path) -> None:
    fill("It takes <!-- cost: step --><!-- /cost -->.\n")
    change(project, ("3.35 TB/s", "3 TB/s"))
    result = checked()
    assert 1 == result.exit_code
    assert (
        "error[stale-embed]: `step` is another one now\n"
        "  --> page.md:4:29\n"
        "   |\n"
        " 4 | It takes <!-- cost: step -->41.79 ms<!-- /cost -->.\n"
        "   |                             ^^^^^^^^ no longer so\n"
        "   |\n"
        "   = was: 41.79 ms\n"
        "     now: 46.67 ms\n"
        "     bandwidth: 3.35 TB/s -> 3 TB/s (plan.cost:5:9)\n"
    ) == result.stderr


def test_an_input_that_moves_nothing_is_not_named(fill: Fill, project: Path) -> None:
    fill(STEP)
    outcome = change(project, ("3.35 TB/s", "3 TB/s"), ("989 TFLOP/s", "800 TFLOP/s"))
    assert [("stale", [BANDWIDTH])] == told(outcome)


def test_an_idle_side_that_becomes_active_is_named(fill: Fill, project: Path) -> None:
    fill(STEP)
    outcome = change(project, ("989 TFLOP/s", "1 TFLOP/s"))
    assert [("stale", [("peak", "989 TFLOP/s", "1 TFLOP/s")])] == told(outcome)


def test_both_are_named_where_the_one_left_and_the_other_took_over(
    fill: Fill, project: Path
) -> None:
    fill(STEP)
    outcome = change(project, ("989 TFLOP/s", "1 TFLOP/s"), ("3.35 TB/s", "33.5 TB/s"))
    names = [
        ("bandwidth", "3.35 TB/s", "33.5 TB/s"),
        ("peak", "989 TFLOP/s", "1 TFLOP/s"),
    ]
    assert [("stale", names)] == told(outcome)


def test_a_constant_of_the_spec_is_an_input(fill: Fill, project: Path) -> None:
    fill(STEP)
    outcome = change(project, ("140 GB", "70 GB"))
    assert [("stale", [("weights", "140 GB", "70 GB")])] == told(outcome)


def test_a_formula_that_changed_is_told_where_no_input_did(fill: Fill, project: Path) -> None:
    fill(STEP)
    change(project, ("= max(t_compute, t_memory)", "= t_compute + t_memory"))
    assert "no input has changed, but the formula has" in checked().stderr


def test_a_text_that_somebody_edited_is_told(fill: Fill, project: Path) -> None:
    text = fill(STEP)
    (project / "page.md").write_text(f"---\ncost: plan.cost\n---\n{text.replace('41', '14')}")
    assert "the text between the marks was edited" in checked().stderr


def test_what_moves_below_the_rounding_fails_only_when_asked(fill: Fill, project: Path) -> None:
    fill(STEP)
    outcome = change(project, ("3.35 TB/s", "3.35001 TB/s"))
    assert [("moved", [("bandwidth", "3.35 TB/s", "3.35001 TB/s")])] == told(outcome)
    assert 0 == checked().exit_code
    assert 1 == checked("--exact").exit_code
    assert 0 == CliRunner().invoke(cli, ["doc", "."]).exit_code
    assert 0 == checked("--exact").exit_code


def test_a_value_that_moves_to_the_scenario_is_the_same_input(fill: Fill, project: Path) -> None:
    chip = (
        "interface chip {\n  param bandwidth : [B/s] = 3.35 TB/s\n}\nhardware mine is chip {\n}\n"
    )
    spec = project / "plan.cost"
    spec.write_text(
        f"cost 1\n{chip}scenario plan {{\n  use c = mine\n  query step: 1 GB / c.bandwidth\n}}\n"
    )
    fill(STEP)
    outcome = change(project, ("use c = mine", "use c = mine\n  c.bandwidth = 3 TB/s"))
    ((state, changes),) = told(outcome)
    assert ("stale", [("3.35 TB/s", "3 TB/s")]) == (state, [(b, n) for _, b, n in changes])


@pytest.mark.parametrize(
    ("words", "sentence", "state"),
    [
        ("about", "about 42 ms", "right"),
        ("about", "about 41 ms", "false"),
        ("about", "some 41.8 ms", "right"),
        ("about", "0.042 s", "right"),
        ("about", "42", "right"),
        ("about unit=s", "0.04", "right"),
        ("about unit=s", "42", "false"),
        ("within=5%", "40 ms", "right"),
        ("within=1%", "40 ms", "false"),
        ('within="2 ms"', "40 ms", "right"),
        ("within=1", "40 ms", "false"),
        ("over", "over 40 ms", "right"),
        ("over", "over 41.8 ms", "false"),
        ("under", "less than 42 ms", "right"),
        ("under", "less than 41.7 ms", "false"),
    ],
)
def test_a_sentence_is_held_against_the_value(
    fill: Fill, project: Path, words: str, sentence: str, state: str
) -> None:
    text = f"<!-- cost: step {words} -->{sentence}<!-- /cost -->"
    assert text == fill(text)
    assert [state] == [found[0] for found in told(work_on(["page.md"]))]


def test_a_sentence_in_another_language_has_its_numbers(fill: Fill, project: Path) -> None:
    pytest.importorskip("babel")
    fill("<!-- cost: step about locale=pt_BR -->cerca de 41,8 ms<!-- /cost -->")
    assert [("right", [])] == told(work_on(["page.md"]))


def test_a_sentence_that_became_false_says_so_at_every_run(fill: Fill, project: Path) -> None:
    fill(f"{STEP} <!-- cost: step about -->about 42 ms<!-- /cost -->")
    change(project, ("3.35 TB/s", "3 TB/s"))
    first = CliRunner().invoke(cli, ["doc", "."])
    assert 1 == first.exit_code
    assert "bandwidth: 3.35 TB/s -> 3 TB/s" in first.stderr
    assert "46.67 ms" in (project / "page.md").read_text()
    assert [("right", []), ("false", [BANDWIDTH])] == told(work_on(["page.md"]))


def test_a_formula_without_numbers_does_not_move_with_them(fill: Fill, project: Path) -> None:
    fill("<!-- cost: step view=symbolic --><!-- /cost -->")
    assert [("right", [])] == told(change(project, ("3.35 TB/s", "3 TB/s")))


def test_an_embed_that_was_never_filled_is_told(project: Path) -> None:
    (project / "page.md").write_text(f"---\ncost: plan.cost\n---\n{STEP}\n")
    result = checked()
    assert 1 == result.exit_code
    assert "`step` was never filled in" in result.stderr


def test_the_json_says_the_same(fill: Fill, project: Path) -> None:
    fill(STEP)
    change(project, ("3.35 TB/s", "3 TB/s"))
    result = checked("--json")
    assert 1 == result.exit_code
    (page,) = json.loads(result.stdout)["pages"]
    assert "page.md" == page["page"]
    (embed,) = page["embeds"]
    assert {
        "line": 4,
        "column": 9,
        "asks": "step",
        "state": "stale",
        "old": "41.79 ms",
        "new": "46.67 ms",
        "value": "140/3 ms",
        "feasible": True,
        "inputs": [
            {
                "name": "bandwidth",
                "before": "3.35 TB/s",
                "now": "3 TB/s",
                "file": "plan.cost",
                "line": 5,
                "shipped": False,
            }
        ],
    } == embed


def test_the_json_of_a_fault_has_its_messages(project: Path) -> None:
    (project / "page.md").write_text("y <!-- cost: x --><!-- /cost -->")
    report = report_json(work_on(["page.md"]), "1")
    assert ["no-spec"] == [item["code"] for item in report["diagnostics"]]  # type: ignore[attr-defined]
