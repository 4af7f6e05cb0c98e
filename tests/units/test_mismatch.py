"""Two dimensions are lined up, and the factor that one lacks is named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costlang.units import NONE, Dimension, compare_lines, missing_factor

B, FLOP, S, TOK = map(Dimension.of, ("B", "FLOP", "s", "tok"))
POWERS = st.lists(st.tuples(st.sampled_from(("B", "FLOP", "s", "tok")), st.integers(-3, 3)))
DIMENSIONS = st.builds(lambda powers: Dimension(tuple(powers)), POWERS)


def test_the_missing_factor_is_a_power_of_one_base() -> None:
    assert TOK == missing_factor(B, B / TOK)
    assert S**-2 == missing_factor(FLOP / S**2, FLOP)


def test_no_factor_is_missing_between_equals() -> None:
    assert missing_factor(B, B) is None


def test_two_missing_factors_are_too_many_to_guess() -> None:
    assert missing_factor(B / S, FLOP / S) is None


@given(DIMENSIONS, DIMENSIONS)
def test_the_missing_factor_mends(expected: Dimension, actual: Dimension) -> None:
    factor = missing_factor(expected, actual)
    assert factor is None or expected == actual * factor


@pytest.mark.parametrize(
    ("left", "right", "lines"),
    [
        (B, B / TOK, ("left side:  B", "right side: B · tok^-1")),
        (TOK, NONE, ("left side:  tok", "right side: 1")),
        (FLOP / S, B / S, ("left side:      FLOP · s^-1", "right side: B        · s^-1")),
        (
            B / TOK**2,
            B / S / TOK,
            ("left side:  B        · tok^-2", "right side: B · s^-1 · tok^-1"),
        ),
    ],
)
def test_each_base_has_a_column_of_its_own(
    left: Dimension, right: Dimension, lines: tuple[str, str]
) -> None:
    assert lines == compare_lines(left, right)
