"""Where a number may lie: from one end to the other, either of which may be left out."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf

End = Fraction | float
"""A rational, or an infinity; a float is nothing else here."""
ZERO = Fraction(0)


@dataclass(frozen=True)
class Range:
    """All numbers from *low* to *high*; *open_low* and *open_high* leave the end out."""

    low: End = -inf
    high: End = inf
    open_low: bool = False
    open_high: bool = False

    @property
    def never_negative(self) -> bool:
        """Whether all of it is at or above 0."""
        return self.low >= 0

    @property
    def never_positive(self) -> bool:
        """Whether all of it is at or below 0."""
        return self.high <= 0

    @property
    def positive(self) -> bool:
        """Whether all of it is above 0."""
        return self.low > 0 or (self.low == 0 and self.open_low)

    @property
    def negative(self) -> bool:
        """Whether all of it is below 0."""
        return self.high < 0 or (self.high == 0 and self.open_high)

    def meet(self, other: Range) -> Range:
        """Return what lies in both."""
        low = max((self._low(), other._low()))
        high = min((self._high(), other._high()))
        return Range(low[0], high[0], bool(low[1]), not high[1])

    def hull(self, other: Range) -> Range:
        """Return what reaches over both."""
        low = min((self._low(), other._low()))
        high = max((self._high(), other._high()))
        return Range(low[0], high[0], bool(low[1]), not high[1])

    def _low(self) -> tuple[End, int]:
        return self.low, int(self.open_low)

    def _high(self) -> tuple[End, int]:
        return self.high, int(not self.open_high)


ANY = Range()


def point(value: Fraction) -> Range:
    """Return one number alone."""
    return Range(value, value)


def negated(range_: Range) -> Range:
    """Return the range of `-x`."""
    return Range(-range_.high, -range_.low, range_.open_high, range_.open_low)


def added(left: Range, right: Range) -> Range:
    """Return the range of `x + y`."""
    low, high = left.low + right.low, left.high + right.high
    return Range(low, high, left.open_low or right.open_low, left.open_high or right.open_high)


def multiplied(left: Range, right: Range) -> Range:
    """Return the range of `x * y`."""
    ends = [
        _product((a, oa), (b, ob))
        for a, oa in ((left.low, left.open_low), (left.high, left.open_high))
        for b, ob in ((right.low, right.open_low), (right.high, right.open_high))
    ]
    low = min(ends, key=lambda end: (end[0], end[1]))
    high = max(ends, key=lambda end: (end[0], not end[1]))
    return Range(low[0], high[0], low[1], high[1])


def _product(left: tuple[End, bool], right: tuple[End, bool]) -> tuple[End, bool]:
    (a, open_a), (b, open_b) = left, right
    if a == 0 or b == 0:
        # 0 is reached by a closed 0, whatever the other factor is.
        closed = (a == 0 and not open_a) or (b == 0 and not open_b)
        return ZERO, not closed
    return a * b, open_a or open_b


def inverted(range_: Range) -> Range:
    """Return the range of `1 / x`, where x is not 0."""
    if range_.low >= 0:
        return Range(_inverse(range_.high), _inverse(range_.low), range_.open_high, range_.open_low)
    if range_.high <= 0:
        return negated(inverted(negated(range_)))
    return ANY


def _inverse(end: End) -> End:
    if end == 0:
        return inf
    return ZERO if abs(end) == inf else 1 / end


def whole_power(range_: Range, power: int) -> Range:
    """Return the range of `x ^ power`, for a whole power of at least 1."""
    if power % 2 == 1 or range_.low >= 0:
        return Range(
            _raised(range_.low, power),
            _raised(range_.high, power),
            range_.open_low,
            range_.open_high,
        )
    if range_.high <= 0:
        return whole_power(negated(range_), power)
    high = max(_raised(range_.low, power), _raised(range_.high, power))
    return Range(ZERO, high)


def _raised(end: End, power: int) -> End:
    return (
        end
        if abs(end) == inf and (end > 0 or power % 2)
        else (inf if abs(end) == inf else end**power)
    )
