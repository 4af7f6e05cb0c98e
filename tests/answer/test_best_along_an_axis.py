"""The best along an axis that is a stretch of numbers, and answers that other questions read."""

from __future__ import annotations

from fractions import Fraction

import pytest

from costlang.emit.values import stood_text
from costlang.pipeline import run
from costlang.text import Source
from tests.answer.asked import all_asked, as_json, asked, line

NAMES = """
  param x : ratio in 0..
  param y : ratio in 0..
  param n : count
  param a : ratio = 3
  param S : [tok]
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("largest x * (a - x) over x in 0..10", "2.25 at x = 1.5"),
        ("largest x * (a - x) over x in 0..10, a in {1, 2, 5}", "6.25 at x = 2.5, a = 5"),
        ("smallest 100 / x + x over x", "20 at x = 10"),
        ("smallest 100 / x + x over x in 0..inf", "20 at x = 10"),
        ("smallest x + 2 / x over x in 0.1..10", "2.828 at x = 1.414"),
        ("smallest n + 1e13 / n over n in 1..1e12", "6_324_555 at n = 3_162_278"),
        (
            "largest S / (S * S + 1e6 tok^2) over S in 1 tok..1 Mtok",
            "0.0005 1/tok at S = 1_000 tok",
        ),
        ("largest x * (a - x) over x in 0..10 with x >= 2", "2 at x = 2"),
        ("largest a over x in 0..4", "3 at x = any"),
        ("largest (if x < 5 then 1 else 7) over x in 0..9", "7 at x = 5, and others as good"),
        (
            "largest x / (x + 1) over x",
            "none that is the largest: it comes as close to 1 as one likes",
        ),
        (
            "largest x over x in 0..5 with x < 5",
            "none that is the largest: it comes as close to 5 as one likes",
        ),
        ("largest 1 / (x - 3) over x in 0..10", "no bound: it gets better without end"),
        ("largest 100 / x + x over x", "no bound: it gets better without end"),
        ("largest x * (a - x) over x in 0..10 with x >= 20", "none: `x >= 20` cannot hold"),
        ("largest x over x in 5..4", "none: no point lies on this axis"),
        (
            "largest sqrt(x) - x over x in 0..1",
            "undecided: where a curved formula turns is not certain",
        ),
    ],
)
def test_a_best_value_stands_at_an_end_a_corner_or_a_turn(question: str, expected: str) -> None:
    assert expected == line(asked(question, NAMES))


def test_programs_read_where_it_stands_and_what_it_comes_close_to() -> None:
    found = as_json("largest x * (a - x) over x in 0..10", NAMES)
    assert {"x": "1.5"} == found["at"]
    assert found["approached"] is None
    assert 1 == as_json("largest x / (x + 1) over x", NAMES)["approached"]


def test_a_second_open_axis_is_refused_with_a_way_out() -> None:
    note = asked("largest x * y over x in 0..5, y in 0..5", NAMES).note
    assert note is not None
    assert "the best is looked for along one open axis" == note.message
    assert note.help == "write its values in braces: `{1, 2, 4, 8}`"


def test_a_name_without_a_value_is_told() -> None:
    note = asked("largest x * y over x in 0..5", NAMES).note
    assert note is not None
    assert "`y` has no value here" == note.message


# ---- answers that are read


FOUND = """
  query pair:  solve x + y == 3 and x - y == 1 for x, y
  query best:  largest x * (a - x) over x in 0..10, a in {1, 2, 5}
  query fit:   solve 2 * x == a for x
  query least: smallest n with n * 3 >= 40
"""


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("pair.x", Fraction(2)),
        ("pair.x * 10 + pair.y", Fraction(21)),
        ("x * y at pair", Fraction(2)),
        ("best", Fraction(25, 4)),
        ("best.a", Fraction(5)),
        ("x + a at best", Fraction(15, 2)),
        ("x at fit", Fraction(3, 2)),
        ("x at fit, a = 8", Fraction(3, 2)),
        ("n * 3 at least", Fraction(42)),
        ("pair.x + fit at a = 8", Fraction(6)),
    ],
)
def test_an_answer_is_a_value_of_other_questions(question: str, value: Fraction) -> None:
    (*_, found) = all_asked(question, body=NAMES + FOUND)
    assert found.note is None
    assert value == found.value


@pytest.mark.parametrize(
    ("equations", "question", "message"),
    [
        ("x + y == 3 and x + y == 4", "pair.x", "`pair.x` has no one value here: there is none"),
        (
            "x + y == 3 and x * y == 2",
            "pair.x",
            "`pair.x` has no one value here: there are several",
        ),
    ],
)
def test_what_is_not_there_is_said_by_its_reader(
    equations: str, question: str, message: str
) -> None:
    (_, found) = all_asked(question, body=f"{NAMES}  query pair: solve {equations} for x, y\n")
    assert found.note is not None
    assert message == found.note.message


def test_a_table_over_one_of_two_unknowns_seeks_both_in_each_row() -> None:
    body = NAMES + "  query pair: solve x + y == a and x - y == 1 for x, y\n"
    (_, found) = all_asked("sweep pair.x over y in {1, 2}, a in {3, 5}", body=body)
    assert found.sweep is not None
    assert [2, 3, 2, 3] == [row.cells[-1] for row in found.sweep.lines]


def test_a_definition_that_is_given_a_value_is_told_with_its_unit() -> None:
    body = "  param w : [B]\n  let t = w / (3 GB/s)\n"
    found = asked("t * 2 at t = 3 ms", body)
    (given,) = found.given
    assert ("t", "3 ms") == (given.name, stood_text(given))


def test_a_name_that_is_missed_twice_in_a_line_is_told_once() -> None:
    report = run(Source("s.cost", "cost 1\nscenario s {\n  query q: z + 2 * z\n}\n"))
    (found,) = report.diagnostics
    assert "nothing is called `z`" == found.message
    assert ["and here"] == [label.text for label in found.labels]


REFUSED = """cost 1
scenario s {
  param x : ratio in 0..
  query pair: solve x == 1 and x == 2 for x, x
  query two:  x, x + 1
  query tab:  sweep x over x in {1, 2}
  query lim:  limit 1 / x as x -> inf
  query a: two + 1
  query b: pair.z
  query c: x at lim
  query d: x at tab
  query e: x at e
}
"""


def test_an_answer_that_is_no_value_is_refused_where_it_is_read() -> None:
    report = run(Source("s.cost", REFUSED))
    assert [
        "`two` is several numbers, and no one value",
        "`pair` is several numbers, and no one value",
        "`lim` seeks nothing that `at` could set",
        "`tab` seeks nothing that `at` could set",
        "`e` is defined by itself",
    ] == [item.message for item in report.diagnostics if item.is_error]


def test_the_best_of_what_is_infinite_is_refused() -> None:
    note = asked("smallest n over x in 0..9 at n = inf", NAMES).note
    assert note is not None
    assert ("not-a-number", "the best is that of a number") == (note.code, note.message)
