"""A number as it is read: rounded to significant digits, half to even, from its exact value."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import floor, log10

LONGEST_WHOLE = 40
"""A whole number of up to so many digits is written in full."""

_LARGEST_PLAIN = 15
_SMALLEST_PLAIN = -4


def digits_of(value: Fraction, digits: int = 4) -> str:
    """
    Return *value* with at least *digits* significant digits, without the zeros at the end.

    A whole number is exact; of another one the whole part is never cut, so that no digit left of
    the point is made up. What is very large or very small has a power of ten.

    >>> digits_of(Fraction(68_976_648_192), 4), digits_of(Fraction(10, 3), 4)
    ('68_976_648_192', '3.333')
    """
    if value < 0:
        return "-" + digits_of(-value, digits)
    if value.denominator == 1 and value < 10**LONGEST_WHOLE:
        return f"{value.numerator:_}"
    leading, exponent = significant(value, digits)
    if _SMALLEST_PLAIN <= exponent < _LARGEST_PLAIN:
        return _plain(value, max(0, digits - 1 - exponent))
    return f"{_pointed(leading, digits - 1)}e{exponent}"


def significant(value: Fraction, digits: int) -> tuple[int, int]:
    """
    Return the first *digits* digits of a positive *value*, rounded, and the power of the first.

    >>> significant(Fraction("999.96"), 4)
    (1000, 3)
    """
    exponent = _exponent(value)
    leading = _rounded(value, digits - 1 - exponent)
    return (leading // 10, exponent + 1) if leading == 10**digits else (leading, exponent)


def _exponent(value: Fraction) -> int:
    """Return the power of ten of the first digit; exact, however large the value."""
    bits = value.numerator.bit_length() - value.denominator.bit_length()
    guess = floor((bits - 1) * log10(2))
    while _reaches(value, guess + 1):
        guess += 1
    while not _reaches(value, guess):
        guess -= 1
    return guess


def _reaches(value: Fraction, power: int) -> bool:
    above, below = _scaled(value, -power)
    return above >= below


def _rounded(value: Fraction, places: int) -> int:
    """Return `value * 10^places`, rounded half to even; a long value is not divided out first."""
    above, below = _scaled(value, places)
    whole, rest = divmod(above, below)
    return whole + (2 * rest > below or (2 * rest == below and whole % 2 == 1))


def _scaled(value: Fraction, places: int) -> tuple[int, int]:
    """Return two whole numbers whose quotient is `value * 10^places`."""
    if places < 0:
        return value.numerator, value.denominator * _ten(-places)
    return value.numerator * _ten(places), value.denominator


@lru_cache(maxsize=64)
def _ten(power: int) -> int:
    ten: int = 10**power
    return ten


def _plain(value: Fraction, places: int) -> str:
    return _pointed(round(value * 10**places), places)


def _pointed(number: int, places: int) -> str:
    whole, part = divmod(number, 10**places)
    after = f"{part:0{places}d}".rstrip("0") if places else ""
    return f"{whole:_}.{after}" if after else f"{whole:_}"
