"""Sets of real numbers: stretches with ends that belong to them or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from costlang.solve.ground import places
from costlang.solve.ground.places import Place, compare


@dataclass(frozen=True, eq=False)
class Span:
    """The numbers from *low* to *high*, None for endless; *low_in* when the end belongs to it."""

    low: Place | None
    high: Place | None
    low_in: bool = True
    high_in: bool = True

    @property
    def single(self) -> bool:
        """Whether it is one number."""
        return self.low is not None and self.low is self.high

    def holds(self, x: Place) -> bool:
        """Whether *x* belongs to it."""
        if self.low is not None and compare(x, self.low) < (0 if self.low_in else 1):
            return False
        return self.high is None or compare(self.high, x) >= (0 if self.high_in else 1)

    def whole(self) -> tuple[int | None, int | None] | None:
        """Return the first and the last whole number in it, None when there is none."""
        low = high = None
        if self.low is not None:
            low = places.ceil(self.low)
            if not self.low_in and compare(places.at(low), self.low) == 0:
                low += 1
        if self.high is not None:
            high = places.floor(self.high)
            if not self.high_in and compare(places.at(high), self.high) == 0:
                high -= 1
        return None if low is not None and high is not None and low > high else (low, high)


Spans = tuple[Span, ...]
"""Disjoint, in order, and no two of them touch."""


def span(low: Fraction | int | None, high: Fraction | int | None, ends: str = "[]") -> Span:
    """Return the numbers between two rationals, with brackets as in mathematics."""
    first = places.at(low) if low is not None else None
    last = first if low == high and first else (places.at(high) if high is not None else None)
    closed = ends[0] == "[" and low is not None, ends[1] == "]" and high is not None
    return Span(first, last, *closed)


def point(x: Place) -> Span:
    """Return one number."""
    return Span(x, x)


def meet(a: Spans, b: Spans) -> Spans:
    """Return what belongs to both."""
    found = (_meet(first, second) for first in a for second in b)
    return tuple(each for each in found if each is not None)


def _meet(a: Span, b: Span) -> Span | None:
    low, low_in = _later(a, b)
    high, high_in = _earlier(a, b)
    if low is not None and high is not None:
        order = compare(low, high)
        if order > 0 or (order == 0 and not (low_in and high_in)):
            return None
        if order == 0:
            high = low
    return Span(low, high, low_in, high_in)


def _later(a: Span, b: Span) -> tuple[Place | None, bool]:
    if a.low is None or b.low is None:
        end = a if a.low is not None else b
        return end.low, end.low_in
    order = compare(a.low, b.low)
    if order == 0:
        return a.low, a.low_in and b.low_in
    return (a.low, a.low_in) if order > 0 else (b.low, b.low_in)


def _earlier(a: Span, b: Span) -> tuple[Place | None, bool]:
    if a.high is None or b.high is None:
        end = a if a.high is not None else b
        return end.high, end.high_in
    order = compare(a.high, b.high)
    if order == 0:
        return a.high, a.high_in and b.high_in
    return (a.high, a.high_in) if order < 0 else (b.high, b.high_in)


def without(a: Spans, b: Spans) -> Spans:
    """Return what belongs to *a* and not to *b*."""
    return meet(a, complement(b))


def complement(a: Spans) -> Spans:
    """Return all numbers that do not belong to *a*."""
    found: list[Span] = []
    low: Place | None = None
    low_in = False
    for each in a:
        if each.low is not None:
            found.append(Span(low, each.low, low_in, not each.low_in))
        if each.high is None:
            return tuple(_solid(found))
        low, low_in = each.high, not each.high_in
    found.append(Span(low, None, low_in, False))
    return tuple(_solid(found))


def _solid(found: Iterable[Span]) -> Iterator[Span]:
    """Leave out what is empty, and give a single number one end."""
    for each in found:
        if each.low is None or each.high is None or compare(each.low, each.high) < 0:
            yield each
        elif each.low_in and each.high_in:
            yield Span(each.low, each.low)


def join(a: Spans, b: Spans) -> Spans:
    """Return what belongs to either."""
    return complement(meet(complement(a), complement(b)))


def joined(pieces: Iterable[Span]) -> Spans:
    """Return pieces that are in order and disjoint, with those that touch made one."""
    found: list[Span] = []
    for piece in pieces:
        if found and _touch(found[-1], piece):
            last = found.pop()
            found.append(Span(last.low, piece.high, last.low_in, piece.high_in))
        else:
            found.append(piece)
    return tuple(found)


def _touch(a: Span, b: Span) -> bool:
    if a.high is None or b.low is None:
        return False
    return (a.high_in or b.low_in) and compare(a.high, b.low) == 0


def whole_ranges(spans: Spans) -> tuple[tuple[int | None, int | None], ...]:
    """Return the whole numbers in *spans* as ranges, those that follow each other made one."""
    found: list[tuple[int | None, int | None]] = []
    for each in spans:
        pair = each.whole()
        if pair is None:
            continue
        last = found[-1][1] if found else None
        if last is not None and pair[0] is not None and pair[0] <= last + 1:
            found[-1] = (found[-1][0], pair[1])
        else:
            found.append(pair)
    return tuple(found)
