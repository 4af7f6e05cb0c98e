"""Where a number stands on an axis, and at which numbers the axis has its ticks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, log10

from costlang.units import Unit, digits_of

TEN = Fraction(10)
NEARLY = Fraction(1001, 1000)
"""Up to this factor a logarithmic axis looks like an even one, and is worked out as one."""


def magnitude(value: Fraction) -> float:
    """Return the decimal logarithm of a positive number, however large or small it is."""
    return log10(value.numerator) - log10(value.denominator)


@dataclass(frozen=True)
class Scale:
    """Numbers from *low* to *high* on the pixels from *start* to *end*."""

    low: Fraction
    high: Fraction
    start: float
    end: float
    log: bool = False

    def at(self, value: Fraction) -> float:
        """Return the pixel of *value*."""
        return self.start + (self.end - self.start) * self._part(value)

    def _part(self, value: Fraction) -> float:
        if self.log and self.high > self.low * NEARLY:
            first = magnitude(self.low)
            return (magnitude(value) - first) / (magnitude(self.high) - first)
        return float((value - self.low) / (self.high - self.low))

    def holds(self, value: Fraction) -> bool:
        """Whether *value* is on the axis."""
        return self.low <= value <= self.high


@dataclass(frozen=True)
class Tick:
    """A number on an axis, and how it is written there, without its unit."""

    value: Fraction
    text: str


def ticks(
    scale: Scale, unit: Unit | None, most: int, values: Sequence[Fraction] = ()
) -> list[Tick]:
    """
    Return at most *most* ticks at round numbers of *unit*.

    Where all *values* of a logarithmic axis are powers of two, so are its ticks.
    """
    size = unit.scale if unit is not None else Fraction(1)
    low, high = scale.low / size, scale.high / size
    if not scale.log:
        found = list(_even(low, high, most))
    elif values and all(_is_power_of_two(v / size) for v in values):
        found = thinned([v / size for v in dict.fromkeys(values)], most)
    else:
        found = _decades(low, high, most)
    return [Tick(x * size, digits_of(x, 6)) for x in found]


def thinned(numbers: list[Fraction], most: int) -> list[Fraction]:
    """Return every second of *numbers*, every third, and so on, until at most *most* are left."""
    step = max(1, ceil(len(numbers) / max(most, 1)))
    return numbers[::step]


def _even(low: Fraction, high: Fraction, most: int) -> Iterator[Fraction]:
    step = round_step((high - low) / max(most - 1, 1))
    first = ceil(low / step)
    yield from (step * n for n in range(first, floor(high / step) + 1))


def round_step(least: Fraction) -> Fraction:
    """Return the first of 1, 2, 5, 10, … times a power of ten that is not below *least*."""
    power = floor(magnitude(least))
    for times in (1, 2, 5, 10, 20):
        step = times * TEN**power
        if step >= least:
            return step
    return 100 * TEN**power  # a logarithm that was rounded down


def _decades(low: Fraction, high: Fraction, most: int) -> list[Fraction]:
    first, last = floor(magnitude(low)) - 1, ceil(magnitude(high)) + 1
    found: list[Fraction] = []
    for mantissas in ((1, 2, 3, 4, 5, 6, 7, 8, 9), (1, 2, 5), (1, 3), (1,)):
        every = [m * TEN**p for p in range(first, last + 1) for m in mantissas]
        found = [x for x in every if low <= x <= high]
        if len(found) <= most:
            break
    return thinned(found, most)


def _is_power_of_two(value: Fraction) -> bool:
    whole = value.numerator
    return value.denominator == 1 and whole > 0 and whole & (whole - 1) == 0


def padded(low: Fraction, high: Fraction, *, log: bool) -> tuple[Fraction, Fraction]:
    """Return the ends of an axis for the numbers from *low* to *high*, never one number alone."""
    if low != high:
        return low, high
    if log:
        return low / 2, high * 2
    return low - (abs(low) / 2 or 1), high + (abs(high) / 2 or 1)


def rounded_ends(
    low: Fraction, high: Fraction, unit: Unit | None, most: int
) -> tuple[Fraction, Fraction]:
    """
    Return ends at ticks around the numbers from *low* to *high*.

    Zero is one of them, unless that would leave more than half of the axis empty.
    """
    size = unit.scale if unit is not None else Fraction(1)
    low, high = padded(low / size, high / size, log=False)
    if low > 0 and 2 * low <= high:
        low = Fraction(0)
    if high < 0 and 2 * high >= low:
        high = Fraction(0)
    step = round_step((high - low) / max(most - 1, 1))
    return floor(low / step) * step * size, ceil(high / step) * step * size


def around(values: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """Return 1, 2 or 5 times powers of ten around positive *values*, with some room."""
    low, high = min(values) * Fraction(10, 13), max(values) * Fraction(13, 10)
    return max(_round_numbers(low, low / 10, low)), min(_round_numbers(high, high, high * 10))


def _round_numbers(near: Fraction, low: Fraction, high: Fraction) -> Iterator[Fraction]:
    power = floor(magnitude(near))
    every = (m * TEN**p for p in range(power - 2, power + 3) for m in (1, 2, 5))
    yield from (x for x in every if low <= x <= high)
