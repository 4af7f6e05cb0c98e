"""A number of base units as a person reads it: `41.79 ms`, `23.93 tok/s`, `137.4 GB`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from costlang.units.digits import digits_of, significant
from costlang.units.dimension import NONE, Dimension
from costlang.units.table import MICRO, SI
from costlang.units.unit import Unit, UnitTable, base_unit

_UP = ("", "k", "M", "G", "T", "P", "E")
_DOWN = ("p", "n", MICRO, "m", "")
_COUNTED = ("", "M", "G", "T", "P", "E")
_PREFIXES = {
    "B": _UP,
    "FLOP": _UP,
    "s": _DOWN,
    "J": (*_DOWN[:-1], *_UP),
    "tok": _COUNTED,
    "req": _COUNTED,
}
"""The prefixes that the first factor of a dimension may get; other bases stay as they are."""

_CUSTOMARY: dict[str, tuple[str, ...]] = {
    "s": ("ps", "ns", f"{MICRO}s", "ms", "s", "h", "day", "year"),
    "J/s": ("pW", "nW", f"{MICRO}W", "mW", "W", "kW", "MW", "GW", "TW"),
    "FLOP/B": ("FLOP/B",),
    "$/s": ("$/h",),
    "$/tok": ("$/Mtok",),
    "$/req": ("$/Mreq", "$/req"),
    "$/J": ("$/kWh",),
    "$/B": ("$/GB",),
    "$/FLOP": ("$/EFLOP",),
}
_FROM = {"h": Fraction(2), "day": Fraction(2), "year": Fraction(2), "$/req": Fraction(1, 1000)}
"""How much of a unit there must be before it is chosen, where that is not one."""

_IN_FULL = 10**6
_MEASURED = frozenset(("s", "J", "$"))


@dataclass(frozen=True)
class _Rung:
    unit: Unit
    start: Fraction


def present(
    value: Fraction, dimension: Dimension, unit: Unit | None = None, digits: int = 4
) -> str:
    """
    Return *value*, a number of base units of *dimension*, as text with its unit.

    In *unit* if one is given, whatever the size, else in the one that `choose_unit` picks. Whole
    numbers are exact; others are rounded once, half to even, to *digits* significant digits.
    Raises `ValueError` for a *unit* of another dimension, or *digits* below one.

    >>> present(Fraction(140, 3350), Dimension.of("s"))
    '41.79 ms'
    """
    if digits < 1:
        raise ValueError(f"a number has at least one digit, and {digits} were asked for")
    unit = unit if unit is not None else choose_unit(value, dimension, digits)
    if unit.dimension != dimension:
        raise ValueError(f"{unit.text} is a unit of {unit.dimension}, and not of {dimension}")
    number = value / unit.scale
    if unit.text == "%" and abs(number) < 1:
        digits = max(1, digits - 1)
    text = digits_of(number, digits)
    return text if unit.text == "1" else f"{text} {unit.text}"


def choose_unit(value: Fraction, dimension: Dimension, digits: int = 4) -> Unit:
    """
    Return the unit in which *value*, a number of base units, reads best to *digits* digits.

    The prefix is decimal, and such that rounding does not reach the next one. Whole counts below
    a million are left in base units: `327_680 B/tok`.

    >>> choose_unit(Fraction(3_350_000_000_000), Dimension((("B", 1), ("s", -1)))).text
    'TB/s'
    """
    if _reads_in_full(value, dimension):
        return base_unit(dimension)
    rungs = _ladder(dimension)
    if value == 0:
        return next((rung.unit for rung in rungs if rung.unit.scale == 1), rungs[0].unit)
    reached = [rung.unit for rung in rungs if _reaches(abs(value) / rung.start, digits)]
    return reached[-1] if reached else rungs[0].unit


def _reads_in_full(value: Fraction, dimension: Dimension) -> bool:
    counted = all(name not in _MEASURED for name, _ in dimension.exponents)
    return dimension == NONE or (counted and value.denominator == 1 and abs(value) < _IN_FULL)


def _reaches(ratio: Fraction, digits: int) -> bool:
    return significant(ratio, digits)[1] >= 0


@lru_cache(maxsize=1024)
def _ladder(dimension: Dimension) -> tuple[_Rung, ...]:
    """Return the units that a dimension is shown in, from the smallest up."""
    customary = _CUSTOMARY.get(str(dimension))
    units = _read(customary) if customary else _prefixed(dimension)
    return tuple(_Rung(unit, unit.scale * _FROM.get(unit.text, Fraction(1))) for unit in units)


def _read(texts: tuple[str, ...]) -> Iterator[Unit]:
    table = UnitTable()
    for text in texts:
        unit = table.parse(text)
        assert isinstance(unit, Unit), text
        yield unit


def _prefixed(dimension: Dimension) -> Iterator[Unit]:
    lead = next((name for name, power in dimension.exponents if power == 1), "")
    for prefix in _PREFIXES.get(lead, ("",)):
        text = dimension.spell({lead: prefix + lead})
        yield Unit(text, dimension, SI.get(prefix, Fraction(1)))
