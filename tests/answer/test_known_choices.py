"""Maxima, sums of maxima and roundings: known answers, beside what SymPy says to them."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
import sympy

from tests.answer.asked import (
    ABOVE_ZERO,
    all_asked,
    asked,
    cases,
    conditions,
    form,
    holds,
    line,
    one,
    solved,
    worth,
)
from tests.answer.other_solver import says

COUNTED = "  param n : count\n"
LINES = """
  param x : [tok] in 0..
  param a : [s/tok]
  param b : [s]
  param c : [s/tok]
  param d : [s]
  param t0 : [s]
"""

# ---- a maximum


def test_a_maximum_of_two_lines_reaches_a_time_in_one_of_two_regimes() -> None:
    found = asked("solve max(a * x, b + c * x) == t0 for x", LINES)
    assert [
        ("t0 / a", ("a * x is the max",), ["a * t0 >= b * a + c * t0"]),
        ("(t0 - b) / c", ("b + c * x is the max",), ["t0 >= b", "b * a + c * t0 > a * t0"]),
    ] == [(form(case), case.regime, conditions(case)) for case in cases(found)]
    a, b, c, t0, x = sympy.symbols("a b c t0 x", positive=True)
    longest = sympy.Max(a * x, b + c * x)
    assert says("NotImplementedError", lambda: sympy.solve(longest - t0, x))
    assert says("NotImplementedError", lambda: sympy.solve(longest <= t0, x))


def test_of_all_cases_just_the_one_holds_that_is_the_least_over_the_sides() -> None:
    found = asked("solve max(a * x, b + c * x) == t0 for x", LINES)
    dice = Random(7)
    for _ in range(200):
        values = {name: Fraction(dice.randint(1, 40), 4) for name in ("a", "b", "c", "t0")}
        told = [worth(case.formula, values) for case in cases(found)
                if case.formula is not None and holds(case, values)]  # fmt: skip
        first, second = values["t0"] / values["a"], (values["t0"] - values["b"]) / values["c"]
        assert ([min(first, second)] if second >= 0 else []) == told


@pytest.mark.parametrize(
    ("t0", "root", "active"),
    [(4, Fraction(35, 39), "b + c * x"), (1, Fraction(5, 39), "b + c * x")],
)
def test_with_numbers_the_active_side_is_named(t0: int, root: Fraction, active: str) -> None:
    at = f"a = 2 s/tok, b = 0.5 s, c = 3.9 s/tok, t0 = {t0} s"
    found = asked(f"solve max(a * x, b + c * x) == t0 for x at {at}", LINES)
    (case,) = cases(found)
    assert min(Fraction(t0, 2), (t0 - Fraction(1, 2)) / Fraction(39, 10)) == root == one(found)
    assert ("(t0 - b) / c", (f"{active} is the max",)) == (form(case), case.regime)


def test_below_the_lowest_value_of_a_maximum_there_is_none() -> None:
    at = "a = 2 s/tok, b = 5 s, c = 3.9 s/tok, t0 = 3 s"
    found = asked(f"solve max(a * x, b + c * x) == t0 for x at {at}", LINES)
    assert ("none: the left side is always larger", ()) == (line(found), solved(found).outside)


def test_every_side_of_a_maximum_stays_below_up_to_the_least_of_their_roots() -> None:
    at = "a = 2 s/tok, b = 3 s, c = 1 s/tok, d = 1 s, t0 = 11 s"
    found = asked(f"solve max(a * x, b + c * x, d) <= t0 for x at {at}", LINES)
    (span,) = solved(found).spans
    assert span.high is not None
    assert ("x in 0..5", Fraction(11, 2)) == (line(found), span.high.exact)
    largest = asked(f"largest x with max(a * x, b + c * x, d) <= t0 at {at}", LINES)
    assert min(Fraction(11, 2), Fraction(11 - 3, 1)) == cases(largest)[0].value.exact  # type: ignore[union-attr]
    assert 5 == solved(largest).whole


# ---- sums of maxima


def coefficients(count: int) -> list[tuple[Fraction, Fraction, Fraction]]:
    dice = Random(count)
    return [tuple(Fraction(dice.randint(1, 60), 4) for _ in range(3)) for _ in range(count)]  # type: ignore[misc]


def written(count: int) -> tuple[str, str]:
    """Return parameters and the sum `max(a_i + b_i x, c_i x)` of them in the language."""
    names = [(f"a{i}", f"b{i}", f"c{i}") for i in range(count)]
    rows = zip(names, coefficients(count), strict=True)
    body = "  param x : ratio in 0..\n  param t : ratio\n"
    for each, numbers in rows:
        for name, number in zip(each, numbers, strict=True):
            body += f"  param {name} : ratio in 0..\n  {name} = {number}\n"
    return body, " + ".join(f"max({a} + {b} * x, {c} * x)" for a, b, c in names)


def root_of(rows: list[tuple[Fraction, Fraction, Fraction]], level: Fraction) -> Fraction:
    """Return where the sum reaches *level*: between two corners it is a line."""
    corners = sorted({a / (c - b) for a, b, c in rows if c > b} | {Fraction(0), Fraction(10**9)})
    for low, high in pairwise(corners):
        left, right = (sum(max(a + b * x, c * x) for a, b, c in rows) for x in (low, high))
        if left <= level <= right:
            return low + (level - left) * (high - low) / (right - left)
    raise AssertionError("the level is not reached")


@pytest.mark.parametrize("count", [3, 6, 10])
def test_a_sum_of_maxima_is_one_formula_of_its_regime(count: int) -> None:
    body, total = written(count)
    rows = coefficients(count)
    level = sum((a for a, _, _ in rows), Fraction(0)) * 2
    found = asked(f"solve {total} == t for x at t = {level}", body)
    (case,) = cases(found)
    assert root_of(rows, level) == one(found)
    assert count == len(case.regime)
    assert case.formula is not None
    values = {
        name: number
        for i, row in enumerate(rows)
        for name, number in zip((f"a{i}", f"b{i}", f"c{i}"), row, strict=True)
    }
    assert one(found) == worth(case.formula, {**values, "t": level})
    assert holds(case, {**values, "x": one(found)})
    (reach,) = case.ranges
    assert reach.low is not None
    assert reach.low.low <= one(found)
    x = sympy.Symbol("x", positive=True)
    maxima = [sympy.Max(a + b * x, c * x) for a, b, c in rows]
    assert says("NotImplementedError", lambda: sympy.solve(sympy.Add(*maxima) - level, x))


# ---- roundings


@pytest.mark.parametrize(
    ("question", "expected", "first", "last"),
    [
        ("solve ceil(n / 128) * 128 == 4096 for n", "n in 3_969..4_096", 3969, 4096),
        ("solve max(3 * ceil(n / 128), 10) == 12 for n", "n in 385..512", 385, 512),
    ],
)
def test_what_is_rounded_up_is_a_range(question: str, expected: str, first: int, last: int) -> None:
    found = asked(question, COUNTED)
    assert (expected, ((first, last),)) == (line(found), solved(found).integers)
    left = question.removeprefix("solve ").removesuffix(" for n")
    inside = [
        answer.value
        for answer in all_asked(
            *(f"{left} at n = {n}" for n in (first - 1, first, last, last + 1)), body=COUNTED
        )
    ]
    assert [False, True, True, False] == inside
    x = sympy.Symbol("x", positive=True)
    padded = sympy.ceiling(x / 128)
    assert says("NotImplementedError", lambda: sympy.solve(padded * 128 - 4096, x))
    assert says("NotImplementedError", lambda: sympy.solve(sympy.Max(3 * padded, 10) - 12, x))


def test_a_product_with_a_maximum_keeps_the_root_of_its_own_side() -> None:
    found = asked("solve x * max(x, 15 s) == 10 s^2 for x", ABOVE_ZERO)
    assert Fraction(2, 3) == one(found)
    assert "x = 666.7 ms" == line(found)
    x = sympy.Symbol("x")
    assert says("NotImplementedError", lambda: sympy.solve(x * sympy.Max(x, 15) - 10, x))


def test_relax_solve_and_then_round_is_what_happens_to_a_floor() -> None:
    body = "  param y : ratio in 0..\n  param x : ratio in 0..\n"
    assert "5 <= x < 6" == line(asked("solve floor(x) == 5 for x", body))
    x, y = sympy.symbols("x y")
    for rounding in (sympy.floor, sympy.ceiling):
        equations = [rounding(x) - 5, y - x - 1]
        assert says("{(y - 1, y)}", lambda e=equations: sympy.nonlinsolve(e, [x, y]))


def test_the_ends_of_a_narrow_range_are_told_apart() -> None:
    found = asked("solve floor(1000 * x) == 10_553 for x", "  param x : ratio in 0..\n")
    assert "10.553 <= x < 10.554" == line(found).splitlines()[0]
