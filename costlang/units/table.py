"""The units of edition 1: what each measures, how large it is, and which prefixes it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from types import MappingProxyType

from costlang.units.dimension import NONE, Dimension

MICRO = "µ"
"""The micro sign, U+00B5; `u` and the Greek letter are read alike."""

SI: Mapping[str, Fraction] = MappingProxyType(
    {
        "p": Fraction(1, 10**12),
        "n": Fraction(1, 10**9),
        MICRO: Fraction(1, 10**6),
        "u": Fraction(1, 10**6),
        "\N{GREEK SMALL LETTER MU}": Fraction(1, 10**6),
        "m": Fraction(1, 10**3),
        "k": Fraction(10**3),
        "M": Fraction(10**6),
        "G": Fraction(10**9),
        "T": Fraction(10**12),
        "P": Fraction(10**15),
        "E": Fraction(10**18),
    }
)
"""The decimal prefixes."""

IEC: Mapping[str, Fraction] = MappingProxyType(
    {
        "Ki": Fraction(2**10),
        "Mi": Fraction(2**20),
        "Gi": Fraction(2**30),
        "Ti": Fraction(2**40),
        "Pi": Fraction(2**50),
        "Ei": Fraction(2**60),
    }
)
"""The binary prefixes."""

NUMBERS: Mapping[str, Fraction] = MappingProxyType(
    {prefix: SI[prefix] for prefix in "kMGTP"}
    | {prefix: IEC[prefix] for prefix in ("Ki", "Mi", "Gi", "Ti")}
)
"""The prefixes that are numbers when they stand alone: `70 G`, `128 Ki`."""


@dataclass(frozen=True)
class Reading:
    """What a spelling stands for: a number so written, times *scale*, is in base units."""

    dimension: Dimension
    scale: Fraction = Fraction(1)


@dataclass(frozen=True)
class Symbol:
    """A unit with a name of its own, and the families of prefixes that it takes."""

    name: str
    reading: Reading
    meaning: str
    si: bool = True
    iec: bool = False


_B, _FLOP, _S, _J, _TOK, _REQ, _USD = map(Dimension.of, ("B", "FLOP", "s", "J", "tok", "req", "$"))
_DAY = 24 * 3600

SYMBOLS: tuple[Symbol, ...] = (
    Symbol("B", Reading(_B), "byte", iec=True),
    Symbol("bit", Reading(_B, Fraction(1, 8)), "an eighth of a byte", iec=True),
    Symbol("FLOP", Reading(_FLOP), "floating-point operation"),
    Symbol("MAC", Reading(_FLOP, Fraction(2)), "multiply and add, 2 FLOP"),
    Symbol("s", Reading(_S), "second"),
    Symbol("min", Reading(_S, Fraction(60)), "minute", si=False),
    Symbol("h", Reading(_S, Fraction(3600)), "hour", si=False),
    Symbol("day", Reading(_S, Fraction(_DAY)), "24 hours", si=False),
    Symbol("month", Reading(_S, Fraction(365 * _DAY, 12)), "a twelfth of a year", si=False),
    Symbol("year", Reading(_S, Fraction(365 * _DAY)), "365 days", si=False),
    Symbol("J", Reading(_J), "joule"),
    Symbol("W", Reading(_J / _S), "watt, J/s"),
    Symbol("Wh", Reading(_J, Fraction(3600)), "watt for an hour"),
    Symbol("tok", Reading(_TOK), "token", iec=True),
    Symbol("req", Reading(_REQ), "request", iec=True),
    Symbol("$", Reading(_USD), "dollar"),
    Symbol("%", Reading(NONE, Fraction(1, 100)), "a hundredth", si=False),
    Symbol("1", Reading(NONE), "a bare number", si=False),
)
"""Every unit that is not made of others by a prefix, `*`, `/` or `^`."""


@cache
def symbols() -> Mapping[str, Symbol]:
    """Return the symbols by their names."""
    return MappingProxyType({symbol.name: symbol for symbol in SYMBOLS})


@cache
def readings() -> Mapping[str, Reading]:
    """Return what each single word stands for, prefixed ones included, bare prefixes not."""
    found: dict[str, Reading] = {}
    for symbol in SYMBOLS:
        found[symbol.name] = symbol.reading
        for prefix, factor in prefixes_of(symbol).items():
            found[prefix + symbol.name] = scaled(symbol.reading, factor)
    return MappingProxyType(found)


def prefixes_of(symbol: Symbol) -> Mapping[str, Fraction]:
    """Return the prefixes that *symbol* takes."""
    return (dict(SI) if symbol.si else {}) | (dict(IEC) if symbol.iec else {})


def scaled(reading: Reading, factor: Fraction) -> Reading:
    """Return a reading that is *factor* times as large."""
    return Reading(reading.dimension, reading.scale * factor)
