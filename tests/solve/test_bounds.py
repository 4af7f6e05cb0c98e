"""Bounds hold: over random formulas, what is worked out at a point lies within them."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costlang.model import exact
from costlang.solve.certified.boxes import above_of, below_of, enclose
from costlang.solve.certified.points import NONE_DECIDED, Point
from costlang.solve.certified.slopes import slope
from costlang.solve.certified.tails import to_infinity, to_number
from costlang.solve.ground import places
from costlang.solve.ground import ratios as r
from costlang.solve.ground.budget import Budget, CannotTell
from costlang.solve.ground.places import Place, at, between, compare, simplest
from costlang.solve.ground.prepare import without_sums
from costlang.solve.ground.program import Program, Writer
from tests.solve.problems import problem


def program_of(seed: int) -> tuple[Program, int]:
    asked = problem(seed)
    writer = Writer(asked.unknown, {})
    sides = (without_sums(asked.build, side, {}) for side in (asked.left, asked.right))
    return writer.program(), writer.difference(*sides)


def inside(dice: Random, low: Fraction, high: Fraction) -> Fraction:
    return low + (high - low) * Fraction(dice.randint(0, 64), 64)


@pytest.mark.parametrize("first", range(0, 400, 100))
def test_a_box_holds_every_value_and_every_slope(first: int) -> None:
    budget = Budget(10**9)
    for seed in range(first, first + 100):
        dice = Random(seed)
        asked = problem(seed)
        writer = Writer(asked.unknown, {})
        sides = (without_sums(asked.build, side, {}) for side in (asked.left, asked.right))
        target = writer.difference(*sides)
        program = writer.program()
        low = Fraction(dice.randint(1, 400), 8)
        high = low + Fraction(dice.randint(1, 200), 8)
        box = enclose(program, (below_of(low), above_of(high)), NONE_DECIDED, [target], budget)
        if target in box.partial:
            continue
        values = [
            (x, value)
            for x in sorted(inside(dice, low, high) for _ in range(6))
            if isinstance(value := Point(program, x, budget).worth(target), Fraction)
        ]
        least, most = box.bounds[target]
        assert all(least <= value <= most for _, value in values), seed
        flattest, steepest = slope(program, box, NONE_DECIDED, target)
        for (x, a), (y, b) in pairwise(values):
            if y > x:
                quotient = (b - a) / (y - x)
                assert flattest <= quotient <= steepest, seed


@pytest.mark.parametrize("first", range(0, 300, 100))
def test_a_tail_has_the_sign_that_it_claims(first: int) -> None:
    budget = Budget(10**9)
    for seed in range(first, first + 100):
        asked = problem(seed)
        writer = Writer(asked.unknown, {})
        sides = (without_sums(asked.build, side, {}) for side in (asked.left, asked.right))
        target = writer.difference(*sides)
        program = writer.program()
        for tail, step in (
            (to_infinity(program, target, 1, budget), 3),
            (to_number(program, target, Fraction(0), 1, budget), Fraction(1, 3)),
        ):
            if tail is None:
                continue
            for power in (0, 1, 5):
                x = tail.start * Fraction(step) ** power
                try:
                    assert tail.sign == Point(program, x, budget).sign(target), (seed, x)
                except CannotTell:
                    continue


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=7))
def test_real_roots_are_all_there_and_apart(coefficients: list[int]) -> None:
    from flint import fmpq_poly

    polynomial = fmpq_poly(coefficients)
    if polynomial.degree() < 1:
        return
    found = [places.of_root(root) for root in r.real_roots(polynomial)]
    assert all(compare(a, b) < 0 for a, b in pairwise(found))
    marks = [None, *found, None]
    for left, right in pairwise(marks):
        # Between neighbours the sign does not change: two points tell.
        x = between(left, right)
        y = between(left, at(x))
        sign = [r.sign_of(polynomial(r.rational(z))) for z in (x, y)]
        assert sign[0] == sign[1] != 0
    for root in found:
        exact_root = root.exact
        assert exact_root is None or polynomial(r.rational(exact_root)) == 0


@given(st.fractions(-50, 50), st.fractions(Fraction(1, 1000), 20))
def test_the_simplest_number_lies_between_and_is_simplest(low: Fraction, width: Fraction) -> None:
    found = simplest(low, low + width)
    assert low <= found <= low + width
    assert not any((low * n).__ceil__() <= (low + width) * n for n in range(1, found.denominator))


@given(st.integers(2, 60), st.integers(1, 5))
def test_places_round_and_compare_exactly(square: int, scale: int) -> None:
    from flint import fmpq_poly

    (root,) = (
        places.of_root(each)
        for each in r.real_roots(fmpq_poly([-square * scale * scale, 0, 1]))
        if each.high > 0
    )
    value = square**0.5 * scale
    assert places.floor(root) <= value <= places.ceil(root)
    assert places.ceil(root) - places.floor(root) == (0 if root.exact is not None else 1)
    assert 0 == compare(root, Place(root.low, root.high, root.curve))


def test_two_roots_of_different_polynomials_may_be_one() -> None:
    from flint import fmpq_poly

    first = places.of_root(r.real_roots(fmpq_poly([-2, 0, 1]))[1])
    second = places.of_root(r.real_roots(fmpq_poly([6, 0, -5, 0, 1]))[2])
    assert 0 == compare(first, second)
    third = places.of_root(r.real_roots(fmpq_poly([6, 0, -5, 0, 1]))[3])
    assert -1 == compare(first, third)


def test_a_place_is_narrowed_as_far_as_is_asked() -> None:
    from flint import fmpq_poly

    root = places.of_root(r.real_roots(fmpq_poly([-2, 0, 1]))[1])
    near = places.narrowed(root, 200)
    assert near.low**2 < 2 < near.high**2
    assert near.high - near.low < Fraction(1, 2**198)
    low, high = exact.ends(exact.sqrt(Fraction(2)))
    assert near.low <= high and low <= near.high
