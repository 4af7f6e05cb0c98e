"""Where the unknown may lie: a stretch of the real numbers, whole numbers, or a finite set."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from costlang.solve.ground.spans import Span, Spans, span


@dataclass(frozen=True)
class Domain:
    """
    *low* and *high* are None where it is endless; *open_low* and *open_high* leave the end out.

    *whole* leaves the whole numbers of it alone; *members* are all there is, when there are any.
    """

    low: Fraction | None = Fraction(0)
    high: Fraction | None = None
    open_low: bool = True
    open_high: bool = False
    whole: bool = False
    members: tuple[Fraction, ...] = ()

    @property
    def spans(self) -> Spans:
        """The stretch of real numbers around it."""
        if self.members:
            return (span(min(self.members), max(self.members)),)
        ends = "(["[not self.open_low] + ")]"[not self.open_high]
        return (span(self.low, self.high, ends),)

    @property
    def around(self) -> Span:
        """The stretch of real numbers around it, as one."""
        return self.spans[0]

    def holds(self, x: Fraction) -> bool:
        """Whether *x* belongs to it."""
        if self.members:
            return x in self.members
        if self.low is not None and (x < self.low or (self.open_low and x == self.low)):
            return False
        if self.high is not None and (x > self.high or (self.open_high and x == self.high)):
            return False
        return not self.whole or x.denominator == 1


POSITIVE = Domain()


def reals(
    low: Fraction | int | None = None, high: Fraction | int | None = None, ends: str = "[]"
) -> Domain:
    """Return the real numbers from *low* to *high*, with brackets as in mathematics."""
    first = None if low is None else Fraction(low)
    last = None if high is None else Fraction(high)
    return Domain(first, last, ends[0] == "(", ends[1] == ")")


def integers(low: int | None = 1, high: int | None = None) -> Domain:
    """Return the whole numbers from *low* to *high*, both included."""
    first = None if low is None else Fraction(low)
    return Domain(first, None if high is None else Fraction(high), False, False, whole=True)


def members(*values: Fraction | int) -> Domain:
    """Return a finite set of numbers."""
    return Domain(members=tuple(sorted({Fraction(value) for value in values})))
