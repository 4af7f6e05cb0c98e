"""The signs of the difference of two formulas over a stretch of the unknown, ends included."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from costlang.solve.certified import tails
from costlang.solve.certified.cells import Cell
from costlang.solve.certified.points import NONE_DECIDED
from costlang.solve.certified.signs import Search, Signs, Stretch
from costlang.solve.certified.tails import Tail
from costlang.solve.ground import places
from costlang.solve.ground.budget import Budget, CannotTell
from costlang.solve.ground.places import Place
from costlang.solve.ground.program import STEPPED, Program
from costlang.solve.ground.spans import Span

FAR = Fraction(1 << 64)
"""How far is looked where the way to infinity cannot be told."""


def signs_over(program: Program, target: int, around: Span, budget: Budget) -> Signs:
    """
    Return the sign of the step *target* all over *around*, in order and without a gap.

    Where it cannot be told, a stretch is not `known`; nothing is ever guessed.
    """
    line = _Line(program, target, around, budget)
    return tuple(line.stretches())


class _Line:
    def __init__(self, program: Program, target: int, around: Span, budget: Budget) -> None:
        self.program, self.target, self.budget = program, target, budget
        self.around = around
        self.search = Search(program, target, budget)

    def stretches(self) -> Iterator[Stretch]:
        low, high = self.around.low, self.around.high
        if low is not None and low is high:
            yield self.search.at(low, NONE_DECIDED)
            return
        if low is not None and self.around.low_in:
            yield self.search.at(low, NONE_DECIDED)
        try:
            yield from list(self._inside(low, high))
        except CannotTell as fault:
            yield Stretch(low, high, None, NONE_DECIDED, False, str(fault))
        if high is not None and self.around.high_in:
            yield self.search.at(high, NONE_DECIDED)

    def _inside(self, low: Place | None, high: Place | None) -> Iterator[Stretch]:
        if not self._hard():
            yield from self.search.along(Cell(low, high, NONE_DECIDED))
            return
        first = self._tail(low, -1)
        last = self._tail(high, 1)
        left, right = self._edge(low, first, -1), self._edge(high, last, 1)
        if left is not None and right is not None and places.compare(left, right) >= 0:
            yield from self._met(low, high, first, last)
            return
        if left is not low:
            assert left is not None
            yield self._end(low, left, first)
            yield self._turn(left, first)
        yield from self.search.along(Cell(left, right, NONE_DECIDED))
        if right is not high:
            assert right is not None
            yield self._turn(right, last)
            yield self._end(right, high, last)

    def _hard(self) -> bool:
        """Whether there may be changes without end towards an end."""
        pairs = zip(self.program.steps, self.program.moves, strict=True)
        return self.program.curved or any(s.kind in STEPPED and moves for s, moves in pairs)

    def _tail(self, end: Place | None, side: int) -> Tail | None:
        """Return the sign towards an end, None where it cannot be told or need not be asked."""
        if end is None:
            return tails.to_infinity(self.program, self.target, side, self.budget)
        if end.exact is None:
            return None
        return tails.to_number(self.program, self.target, end.exact, -side, self.budget)

    def _edge(self, end: Place | None, tail: Tail | None, side: int) -> Place | None:
        if tail is not None:
            return places.at(tail.start)
        return places.at(side * FAR) if end is None else end

    def _end(self, low: Place | None, high: Place | None, tail: Tail | None) -> Stretch:
        if tail is not None:
            return Stretch(low, high, tail.sign, NONE_DECIDED)
        reason = "how it goes on without end cannot be told"
        return Stretch(low, high, None, NONE_DECIDED, False, reason)

    def _turn(self, place: Place, tail: Tail | None) -> Stretch:
        """Return the point from which an end is known, itself included."""
        if tail is None:
            return self.search.at(place, NONE_DECIDED)
        return Stretch(place, place, tail.sign, NONE_DECIDED)

    def _met(
        self, low: Place | None, high: Place | None, first: Tail | None, last: Tail | None
    ) -> Iterator[Stretch]:
        """Both ends reach over all that lies between."""
        tail = first or last
        if tail is None or (first is not None and last is not None and first.sign != last.sign):
            raise CannotTell("the ends do not agree")
        yield Stretch(low, high, tail.sign, NONE_DECIDED)
