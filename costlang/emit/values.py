"""A value for a person: a number in its unit, a range, a truth, a member of an enum."""

from __future__ import annotations

import math
from fractions import Fraction

from costlang.answer import Bounds, Side, Stood
from costlang.emit.display import shown
from costlang.model import exact
from costlang.units import NONE, Dimension, Unit, base_unit, choose_unit, digits_of, present
from costlang.units.digits import significant

DIGITS = 4


def value_text(
    value: object, dimension: Dimension | None, unit: Unit | None = None, digits: int = DIGITS
) -> str:
    """Return *value* as a person reads it."""
    match value:
        case bool():
            return "true" if value else "false"
        case Fraction():
            return present(value, dimension or NONE, unit, digits)
        case Bounds():
            return _bounds(value, dimension or NONE, unit, digits)
        case str():
            return value.replace("_", "-") if dimension is None else value
        case exact.Interval(low, high, slopes):
            kind = "outer" if slopes else "certified"
            return _bounds(Bounds(low, high, kind), dimension or NONE, unit, digits)
        case exact.Infinity(sign):
            return "inf" if sign > 0 else "-inf"
        case exact.Undecided():
            return "undecided"
        case None | exact.Unknown():
            return "unknown"
        case _:
            return str(value)


def _bounds(value: Bounds, dimension: Dimension, unit: Unit | None, digits: int) -> str:
    if value.kind == "certified":
        return _certified(value, dimension, unit, digits)
    finite = [e for e in (value.low, value.high) if isinstance(e, Fraction)]
    shared = unit or (choose_unit(max(finite, key=abs), dimension) if finite else None)
    low = _end(value.low, dimension, shared, digits)
    high = _end(value.high, dimension, shared, digits)
    name = f" {shared.text}" if shared is not None and shared.text not in ("", "1") else ""
    words = f"{low} .. {high}{name}"
    return words if value.kind == "exact" else f"within {words}"


def _end(end: Fraction | float, dimension: Dimension, unit: Unit | None, digits: int) -> str:
    if isinstance(end, float) and math.isinf(end):
        return "inf" if end > 0 else "-inf"
    scale = unit.scale if unit is not None else Fraction(1)
    return digits_of(Fraction(end) / scale, digits)


def _certified(value: Bounds, dimension: Dimension, unit: Unit | None, digits: int) -> str:
    low, high = Fraction(value.low), Fraction(value.high)
    chosen = unit or choose_unit((low + high) / 2, dimension)
    for count in range(digits, 0, -1):
        first = present(low, dimension, chosen, count)
        if first == present(high, dimension, chosen, count):
            return first
    return f"within {present(low, dimension, chosen)} .. {present(high, dimension, chosen)}"


def short_names(names: tuple[str, ...]) -> list[str]:
    """Return *names* by their last word where that is enough to tell them apart."""
    lasts = [name.rsplit(".", 1)[-1] for name in names]
    return [
        last if lasts.count(last) == 1 else name for name, last in zip(names, lasts, strict=True)
    ]


def side_text(side: Side) -> str:
    """Return `resident = 140 GB`."""
    value, text = value_text(side.value, side.dimension), shown(side.text)
    return value if _same_words(text, value) else f"{text} = {value}"


def _same_words(text: str, value: str) -> bool:
    return text.replace("_", "").replace(" ", "") == value.replace("_", "").replace(" ", "")


def stood_text(item: Stood) -> str:
    """Return the value of a name on which an answer stood."""
    if isinstance(item.value, str):
        return item.value
    return value_text(item.value, item.dimension if item.dimension is not None else NONE)


def number_in(value: Fraction | float, unit: Unit | None, dimension: Dimension | None) -> float:
    """Return *value* as the float nearest to it in *unit*, the base unit when it is None."""
    if isinstance(value, float):
        return value
    scale = unit.scale if unit is not None else base_unit(dimension or NONE).scale
    return float(value / scale)


def decimal_beyond(value: Fraction, side: int, digits: int) -> str:
    """
    Return a decimal of so many *digits* that is *value* or lies on the given *side* of it.

    >>> decimal_beyond(Fraction(2 * 10**9, 3), 1, 3), decimal_beyond(Fraction(-1, 3), 1, 2)
    ('6.67e8', '-3.3e-1')
    """
    if value == 0:
        return "0"
    sign, size = ("-", -value) if value < 0 else ("", value)
    _, exponent = significant(size, digits)
    places = digits - 1 - exponent
    above = size.numerator * 10 ** max(places, 0)
    below = size.denominator * 10 ** max(-places, 0)
    up = (side > 0) == (value > 0)
    text = str(-(-above // below) if up else above // below)
    return f"{sign}{text[0]}.{text[1:]}e{len(text) - 1 - places}"
