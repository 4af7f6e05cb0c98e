"""Rounding is from the exact value, half to even, and agrees with the decimal module."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costlang.units.digits import digits_of, significant

DIGITS = st.integers(1, 12)
DECIMALS = st.builds(
    lambda number, places: Fraction(number) / Fraction(10) ** places,
    st.integers(1, 10**20),
    st.integers(-40, 60),
)


@pytest.mark.parametrize(
    ("text", "value", "digits"),
    [
        ("0", "0", 4),
        ("68_976_648_192", "68976648192", 4),
        ("2_000", "2000", 1),
        ("3.333", "10/3", 4),
        ("3.35", "3.35", 4),
        ("-0.125", "-1/8", 4),
        ("0.12", "0.125", 2),
        ("0.38", "0.375", 2),
        ("100", "99.99999", 4),
        ("12_346", "12345.678", 4),
        ("0.0003387", "0.00033871", 4),
        ("3.387e-5", "0.000033871", 4),
        ("1.234e-9", "1.2341e-9", 4),
        ("1e-9", "0.99999e-9", 4),
        ("123_456_789_012_346", "123456789012345.6", 4),
        ("1.235e17", "123456789012345678.9", 4),
        ("340_282_366_920_938_463_463_374_607_431_768_211_456", str(2**128), 4),
        ("1e40", str(10**40), 4),
    ],
)
def test_a_number_is_written_to_its_digits(text: str, value: str, digits: int) -> None:
    assert text == digits_of(Fraction(value), digits)


def test_a_number_beyond_any_float_is_written_at_once() -> None:
    assert "9.99e30102" == digits_of(Fraction(2**100_000), 4)
    assert "1.001e-30103" == digits_of(Fraction(1, 2**100_000), 4)


@given(DECIMALS, DIGITS)
def test_significant_digits_are_those_of_the_decimal_module(value: Fraction, digits: int) -> None:
    leading, exponent = significant(value, digits)
    exact = Context(prec=400).divide(Decimal(value.numerator), Decimal(value.denominator))
    rounded = Context(prec=digits, rounding=ROUND_HALF_EVEN).plus(exact)
    assert rounded == Context(prec=400).scaleb(Decimal(leading), exponent - digits + 1)
    assert digits == len(str(leading))


@given(st.fractions(), DIGITS)
def test_a_written_number_reads_back_within_half_of_its_last_digit(
    value: Fraction, digits: int
) -> None:
    read = Fraction(digits_of(value, digits).replace("_", ""))
    assert abs(read - value) <= abs(value) * Fraction(1, 2 * 10 ** (digits - 1))


@given(st.integers(-(10**39), 10**39), DIGITS)
def test_a_whole_number_is_written_exactly(number: int, digits: int) -> None:
    assert number == int(digits_of(Fraction(number), digits))


@given(st.fractions(), DIGITS)
def test_a_number_and_its_negative_are_written_alike(value: Fraction, digits: int) -> None:
    assert digits_of(abs(value), digits) == digits_of(-abs(value), digits).removeprefix("-")
