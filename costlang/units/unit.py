"""Units as they are written, `TB/s` or `FLOP/tok^2`, read into a dimension and an exact scale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType

from costlang.units.dimension import NONE, Dimension
from costlang.units.fault import UnitFault, faulty_words, formless, refused
from costlang.units.table import NUMBERS, SI, SYMBOLS, Reading, readings, scaled
from costlang.units.written import Factor, factors

LONGEST_TEXT = 120
"""The most characters that a unit may have."""

LARGEST_POWER = 64
"""The largest power, up or down, that a word in a unit may be raised to."""

_MOST_BITS = 10_000
_LARGEST_TOTAL_POWER = 10_000


@dataclass(frozen=True)
class Unit:
    """
    A unit as it is written: a number in it, times *scale*, is in base units.

    Raises `ValueError` when *scale* is not above zero.
    """

    text: str
    dimension: Dimension
    scale: Fraction

    def __post_init__(self) -> None:
        """Hold the promise on which every division by a scale rests."""
        if self.scale <= 0:
            raise ValueError(f"the scale of a unit is above zero, and that of {self.text} is not")


@dataclass(frozen=True, eq=False)
class UnitTable:
    """
    The units of edition 1, and those that a file adds.

    The names of *extra* stand for what they are given, and take SI prefixes. They come before all
    else that a word can be; with a prefix they come after the units of the edition.
    """

    extra: Mapping[str, Unit] = field(default_factory=dict)
    _read: dict[str, Unit | UnitFault] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        """Keep the units as they are now, whatever becomes of the mapping that was given."""
        object.__setattr__(self, "extra", MappingProxyType(dict(self.extra)))

    def parse(self, text: str) -> Unit | UnitFault:
        """
        Return the unit that *text* says, or why it says none.

        >>> UnitTable().parse("TB/s").scale
        Fraction(1000000000000, 1)
        >>> UnitTable().parse("KB").help
        'write `kB` for 1000 or `KiB` for 1024'
        """
        if text not in self._read:
            self._read[text] = self._parse(text)
        return self._read[text]

    def names(self) -> tuple[str, ...]:
        """Return the names without prefixes: those of the edition in order, then those added."""
        return (*(symbol.name for symbol in SYMBOLS), *NUMBERS, *sorted(self.extra))

    def _parse(self, text: str) -> Unit | UnitFault:
        if text in NUMBERS and text not in self.extra:
            return Unit(text, NONE, NUMBERS[text])
        if len(text) > LONGEST_TEXT:
            return refused(f"a unit has at most {LONGEST_TEXT} characters")
        parts = factors(text)
        if parts is None:
            return self._spaced(text) or formless(text)
        faulty = tuple(part for part in parts if self._reading(part.word) is None)
        if faulty:
            return faulty_words(parts, faulty, (*self.names(), *readings()))
        return self._product(text, parts)

    def _reading(self, word: str) -> Reading | None:
        if word in self.extra:
            return Reading(self.extra[word].dimension, self.extra[word].scale)
        if word in readings():
            return readings()[word]
        base = self.extra.get(word[1:]) if word[:1] in SI else None
        return scaled(Reading(base.dimension, base.scale), SI[word[0]]) if base else None

    def _product(self, text: str, parts: tuple[Factor, ...]) -> Unit | UnitFault:
        if any(abs(part.power) > LARGEST_POWER for part in parts):
            return refused(f"the power of a unit is at most {LARGEST_POWER}")
        whole = Reading(NONE)
        for part in parts:
            reading = self._reading(part.word)
            assert reading is not None, "words that are not known were sorted out before"
            if _bits(whole.scale) + _bits(reading.scale) * abs(part.power) > _MOST_BITS:
                return refused(f"`{text}` is too large or too small for a unit")
            whole = _times(whole, reading, part.effect)
        if any(abs(power) > _LARGEST_TOTAL_POWER for _, power in whole.dimension.exponents):
            return refused(f"`{text}` is too large or too small for a unit")
        return Unit(text, whole.dimension, whole.scale)

    def _spaced(self, text: str) -> UnitFault | None:
        joined = "".join(text.split())
        if joined == text or not isinstance(self.parse(joined), Unit):
            return None
        return refused("a unit has no spaces inside", f"write `{joined}`")


def base_unit(dimension: Dimension) -> Unit:
    """Return the unit of *dimension* in which a number is in base units as it stands."""
    return Unit(str(dimension), dimension, Fraction(1))


def _times(whole: Reading, part: Reading, power: int) -> Reading:
    return Reading(whole.dimension * part.dimension**power, whole.scale * part.scale**power)


def _bits(scale: Fraction) -> int:
    return max(scale.numerator.bit_length(), scale.denominator.bit_length()) - 1
