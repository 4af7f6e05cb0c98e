"""Dimensions are whole powers of base names, and form a group."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costlang.units import BASES, NONE, Dimension, UnitTable, base_unit

NAMES = st.sampled_from((*BASES, "image", "block"))
DIMENSIONS = st.builds(
    lambda powers: Dimension(tuple(powers)), st.lists(st.tuples(NAMES, st.integers(-4, 4)))
)
B, FLOP, S, TOK, USD = map(Dimension.of, ("B", "FLOP", "s", "tok", "$"))


def test_a_ratio_of_equal_dimensions_is_a_number() -> None:
    assert NONE == B / TOK / (B / TOK)


def test_the_order_in_which_a_dimension_is_made_does_not_matter() -> None:
    made = Dimension((("tok", -1), ("s", 0), ("B", 1), ("B", 1)))
    assert (("B", 2), ("tok", -1)) == made.exponents
    assert hash(B * B / TOK) == hash(made)


@pytest.mark.parametrize(
    ("common", "factors", "dimension"),
    [
        ("1", "1", NONE),
        ("B/tok", "B · tok^-1", B / TOK),
        ("FLOP/tok^2", "FLOP · tok^-2", FLOP / TOK**2),
        ("1/s", "s^-1", NONE / S),
        ("tok/s/$", "s^-1 · tok · $^-1", TOK / USD / S),
        ("B*tok", "B · tok", TOK * B),
        (
            "B/apple/pear",
            "B · apple^-1 · pear^-1",
            B / Dimension.of("pear") / Dimension.of("apple"),
        ),
    ],
)
def test_a_dimension_has_a_common_name_and_its_factors(
    common: str, factors: str, dimension: Dimension
) -> None:
    assert (common, factors) == (str(dimension), dimension.factors())


def test_a_root_is_whole_or_nothing() -> None:
    assert B / TOK == ((B / TOK) ** 2).root(2)
    assert (B**2 / TOK).root(2) is None
    assert NONE.root(7) == NONE
    assert B.root(0) is None


def test_the_power_of_a_base_that_is_not_there_is_zero() -> None:
    assert (1, -2, 0) == tuple((B / S**2).power_of(name) for name in ("B", "s", "tok"))


@given(DIMENSIONS, DIMENSIONS, DIMENSIONS)
def test_dimensions_are_a_commutative_group(a: Dimension, b: Dimension, c: Dimension) -> None:
    assert (a * b) * c == a * (b * c)
    assert a * b == b * a
    assert a * NONE == a
    assert a / a == NONE
    assert (a / b) * b == a


@given(DIMENSIONS, DIMENSIONS, st.integers(-5, 5), st.integers(-5, 5))
def test_powers_follow_their_laws(a: Dimension, b: Dimension, n: int, m: int) -> None:
    assert a**n * a**m == a ** (n + m)
    assert (a**n) ** m == a ** (n * m)
    assert (a * b) ** n == a**n * b**n
    assert n == 0 or (a**n).root(n) == a


@given(DIMENSIONS)
def test_a_common_name_reads_back_as_its_dimension(dimension: Dimension) -> None:
    own = {name: base_unit(Dimension.of(name)) for name in ("image", "block")}
    assert base_unit(dimension) == UnitTable(own).parse(str(dimension))
