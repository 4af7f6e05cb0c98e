"""A value in words that say all of it, for the record: `3.35 TB/s`, `70/3 ms`, `bf16`."""

from __future__ import annotations

import math
from fractions import Fraction
from hashlib import sha256

from costlang.answer import Bounds
from costlang.emit.values import decimal_beyond
from costlang.units import NONE, Dimension, choose_unit

LONGEST = 80
"""Signs of a number that are written out; of a longer one its first digits and a digest are."""
_CERTAIN = 17


def exactly(value: object, dimension: Dimension | None) -> str:
    """Return *value*, in base units of *dimension*, such that two differ where the values do."""
    match value:
        case bool():
            return "true" if value else "false"
        case Fraction():
            return _number(value, dimension or NONE)
        case Bounds(low=Fraction() as low, high=Fraction() as high, kind="exact"):
            return f"{_number(low, dimension or NONE)} .. {_number(high, dimension or NONE)}"
        case Bounds(low, high, kind):
            return f"{kind} {_end(low, -1)} .. {_end(high, 1)} {dimension or NONE}"
        case None:
            return "unknown"
        case _:
            return str(value)


def digest(text: str) -> str:
    """Return a short name for *text* that another text does not have."""
    return sha256(text.encode()).hexdigest()[:12]


def _number(value: Fraction, dimension: Dimension) -> str:
    unit = choose_unit(value, dimension)
    text = _plain(value / unit.scale)
    if len(text) > LONGEST:
        text = f"{decimal_beyond(value / unit.scale, 1, 6)} ({digest(str(value))})"
    return text if unit.text in ("", "1") else f"{text} {unit.text}"


def _plain(number: Fraction) -> str:
    """Return *number* as a decimal where it has an end, else as a fraction."""
    below, twos, fives = number.denominator, 0, 0
    while below % 2 == 0:
        below, twos = below // 2, twos + 1
    while below % 5 == 0:
        below, fives = below // 5, fives + 1
    places = max(twos, fives)
    if below != 1 or places > LONGEST:
        return f"{number.numerator}/{number.denominator}"
    return _digits(number, places)


def _digits(number: Fraction, places: int) -> str:
    whole, part = divmod(abs(number.numerator) * 10**places // number.denominator, 10**places)
    sign = "-" if number < 0 else ""
    return f"{sign}{whole}.{part:0{places}d}" if places else f"{sign}{whole}"


def _end(end: Fraction | float, side: int) -> str:
    if isinstance(end, float) and math.isinf(end):
        return "inf" if end > 0 else "-inf"
    return decimal_beyond(Fraction(end), side, _CERTAIN)
