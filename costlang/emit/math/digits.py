"""A literal as a box: its value to the last digit, in the unit in which it reads best."""

from __future__ import annotations

from fractions import Fraction

from costlang.emit.math import boxes as b
from costlang.emit.math.compose import Composer
from costlang.units import NONE, Dimension, Unit, base_unit, choose_unit, digits_of

_SHORT = 6
_LONGEST = 12


def literal(compose: Composer, value: Fraction, dimension: Dimension, exact: bool = True) -> b.Box:
    """Return *value*, in base units of *dimension*; rounded to four digits if not *exact*."""
    if value < 0:
        return b.Minus(literal(compose, -value, dimension, exact))
    if dimension == NONE:
        return _number(value) if not exact else _bare(compose, value)
    if all(power < 0 for _, power in dimension.exponents):
        below = literal(compose, Fraction(1), dimension**-1)
        return compose.over(literal(compose, value, NONE, exact), below)
    unit = choose_unit(value, dimension)
    if not exact:
        return b.Quantity(_number(value / unit.scale), unit.text)
    return _measured(compose, value, (unit, base_unit(dimension)))


def _measured(compose: Composer, value: Fraction, units: tuple[Unit, ...]) -> b.Box:
    for unit in units:
        number = value / unit.scale
        if _places(number) is not None and _significant(number) <= _LONGEST:
            return b.Quantity(_exactly(number), unit.text)
    base = units[-1].text
    whole = b.Quantity(_exactly(Fraction(value.numerator)), base)
    return whole if value.denominator == 1 else compose.over(whole, _exactly_whole(value))


def _exactly_whole(value: Fraction) -> b.Number:
    return _exactly(Fraction(value.denominator))


def _bare(compose: Composer, value: Fraction) -> b.Box:
    if _places(value) is not None:
        decimal = _exactly(value)
        ratio = f"{value.numerator:_}/{value.denominator:_}"
        short = value.denominator == 1 or _significant(value) <= _SHORT
        if short or len(decimal.digits) <= len(ratio):
            return decimal
    return compose.over(_exactly(Fraction(value.numerator)), _exactly_whole(value))


def _places(value: Fraction) -> int | None:
    """Return how many digits *value* has after the point, None where they do not end."""
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 else None


def _significant(value: Fraction) -> int:
    """Return how many digits a decimal *value* has between its zeros."""
    whole = value * 10 ** (_places(value) or 0)
    return len(str(int(whole)).rstrip("0"))


def _exactly(value: Fraction) -> b.Number:
    return _read(digits_of(value, max(_significant(value), 1)))


def _number(value: Fraction) -> b.Number:
    return _read(digits_of(value))


def _read(text: str) -> b.Number:
    digits, _, power = text.partition("e")
    return b.Number(digits, int(power)) if power else b.Number(digits)
