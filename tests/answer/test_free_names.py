"""Cases with names left free say what numbers say: at zero, below it, where a divisor is zero."""

from __future__ import annotations

from fractions import Fraction

import pytest

from costlang.emit.math import body_text
from tests.answer.asked import asked, cases, conditions, form, holds, line, near, solved, worth
from tests.answer.free_names import Grown, disagreement

CHUNK = 10


@pytest.mark.parametrize("first", range(0, 50, CHUNK))
def test_cases_agree_with_the_numbers_that_are_put_in(first: int) -> None:
    told = 0
    for seed in range(first, first + CHUNK):
        wrong, count = disagreement(Grown(seed).problem())
        assert wrong is None, f"seed {seed}\n{wrong}"
        told += count
    assert told >= 2 * CHUNK


NAMES = """
  param x : ratio{domain}
  param a : ratio in 0..
  param b : ratio in 1..
  param c : ratio
"""


def told(question: str, domain: str = "") -> list[tuple[str | None, list[str], str]]:
    """Return form, conditions and count of each case."""
    found = cases(asked(question, NAMES.format(domain=domain)))
    return [(form(case), conditions(case), case.count) for case in found]


# ---- zero


def test_zero_is_a_solution_where_the_domain_has_it() -> None:
    assert [("a / b", [], "one")] == told("solve b * x == a for x", " in 0..")
    assert [("a / b", ["a >= b"], "one")] == told("solve b * x == a for x", " in 1..")
    times = "  param t : [s]\n  param r : [s]\n  param n : [s] in 0..\n"
    (open_,) = cases(asked("solve t * r == n * t for r", times))
    assert ("n", ["n > 0"]) == (form(open_), conditions(open_))


def test_zero_alone_may_be_the_solution() -> None:
    assert [("0", [], "one"), ("a / b", ["a > 0"], "one")] == told(
        "solve b * x * x == a * x for x", " in 0.."
    )


def test_a_plateau_that_begins_at_zero_is_one_case() -> None:
    body = "  param x : ratio in 0..\n  param b : [s]\n  param a : [s]\n  param t : [s]\n"
    found = asked("solve max(b * x, a) == t for x", body)
    assert [("t / b", ["t >= a"], "one"), (None, ["a == t"], "all")] == [
        (form(case), conditions(case), case.count) for case in cases(found)
    ]
    assert ["a > b * x"] == [body_text(node, "text") for node in cases(found)[1].within]


# ---- below zero


def test_an_unknown_without_bounds_is_found_below_zero_too() -> None:
    assert [("(c - a) / b", [], "one")] == told("solve b * x + a == c for x")
    found = told("solve b * x + a == c for x", " in -5..5")
    assert {"(c - a) / b", "-(a - c) / b"} == {text for text, _, _ in found}
    assert all(len(when) == 2 for _, when, _ in found)


def test_both_roots_of_a_square_are_told() -> None:
    found = told("solve x * x == b for x")
    assert ["sqrt(b)", "-sqrt(b)"] == [text for text, _, _ in found]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("x + y == 1 and x - y == 5", "x = 3, y = -2"),
        ("x + y == 5 and x - y == 5", "x = 5, y = 0"),
        ("x * y == -6 and x + y == 1", "x = 3, y = -2 or x = -2, y = 3"),
        ("x * x + y * y == 25 and x + y == 7", "x = 4, y = 3 or x = 3, y = 4"),
        ("max(x, y) == 3 and x + y == 2", "x = 3, y = -1 or x = -1, y = 3"),
        ("x * y == 0 and x + y == 2", "x = 2, y = 0 or x = 0, y = 2"),
    ],
)
def test_several_unknowns_may_be_zero_or_below(question: str, expected: str) -> None:
    body = "  param x : ratio\n  param y : ratio\n"
    assert expected == line(asked(f"solve {question} for x, y", body))


# ---- where a formula has no value


def test_what_is_divided_by_is_a_condition_of_the_answer() -> None:
    assert [("b", ["a > 0"], "one")] == told("solve x / a == b / a for x", " in 0..")
    for _, when, _ in told("solve b * x / c == a / c for x", " in 0.."):
        assert {"c != 0", "0 > c", "c > 0"} & set(when)


def test_sides_that_are_equal_are_so_only_where_they_have_a_value() -> None:
    body = "  param x : ratio in 0..6\n  param a : ratio in 0..\n"
    assert "0 <= x < 2 or 2 < x <= 6" == line(asked("solve 1/(x - 2) == 1/(x - 2) for x", body))
    assert "none: it has no value there" == line(asked("solve x/a == x/a for x at a = 0", body))
    assert "3 <= x <= 6" == line(asked("solve sqrt(x - 3) == sqrt(x - 3) for x", body))
    assert "every x" == line(asked("solve x * x + 1 == x * x + 1 for x", body))


# ---- roots of a square whose lead may be zero


def test_the_root_above_zero_is_taken_whatever_the_sign_of_the_lead() -> None:
    body = "  param x : ratio in 0..\n  param b : ratio in 1..\n  param d : ratio in 0..\n"
    found = asked("solve 3 / (1 + d * x) == b * x - b for x", body)
    known = asked("solve 3 / (1 + d * x) == b * x - b for x at b = 3.5, d = 2", body)
    values = {"b": Fraction(7, 2), "d": Fraction(2)}
    (active,) = [case for case in cases(found) if holds(case, values)]
    assert active.formula is not None
    value = worth(active.formula, values)
    assert not isinstance(value, Fraction)
    assert near(known) == pytest.approx(float(Fraction(value.low)), rel=1e-12)


# ---- a solution beside a stretch


def test_a_single_solution_and_a_stretch_are_both_told() -> None:
    body = "  param n : count in 1..40\n  param x : ratio in 0..\n"
    found = asked("solve (if n < 9 then 1 / n else n) == n for n", body)
    assert ("n in 1 or 9..40", "intervals") == (line(found), solved(found).outcome)
    assert ((1, 1), (9, 40)) == solved(found).integers
    mixed = asked("solve (if x < 9 then 5/2 else x) == x for x", body)
    assert "x = 2.5 or 9 <= x" == line(mixed)
