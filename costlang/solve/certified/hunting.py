"""Zeros of curved formulas: the cell is halved until each piece has none, or certainly one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from costlang.solve.certified import boxes, mixing, slopes
from costlang.solve.certified.boxes import Bounds, above_of, below_of, enclose
from costlang.solve.certified.cells import Cell, Gap, gap_sign
from costlang.solve.certified.points import Point
from costlang.solve.ground import places
from costlang.solve.ground.budget import Budget, CannotTell
from costlang.solve.ground.places import Curve, Place, narrowed, simplest
from costlang.solve.ground.program import Program

SPLIT_BITS = 44
"""A piece whose ends agree in so many bits is not halved any more."""


PIECE = 16
"""What a piece costs beside the formula over it: to choose its middle, and to round that."""


def crossings(program: Program, cell: Cell, gap: Gap, budget: Budget) -> list[Place]:
    """Return the zeros of *gap* inside *cell*, in order; raises `CannotTell` when not certain."""
    if cell.left is None or cell.right is None:
        raise CannotTell("a curved formula is not followed without end")
    hunt = _Hunt(program, cell, gap, budget)
    left, right = narrowed(cell.left, 128), narrowed(cell.right, 128)
    for sliver in ((left.low, left.high), (right.low, right.high)):
        if sliver[0] < sliver[1] and not hunt.empty(*sliver):
            raise CannotTell("a zero lies too near to where a choice changes")
    found = list(hunt.between(left.high, right.low))
    ends = {end.exact for end in (left, right)} - {None}
    return [each for each in found if each.exact not in ends]


def _within(a: Bounds, b: Bounds) -> Bounds:
    return max(a[0], b[0]), min(a[1], b[1])


class _Hunt:
    def __init__(self, program: Program, cell: Cell, gap: Gap, budget: Budget) -> None:
        self.program, self.cell, self.gap, self.budget = program, cell, gap, budget
        self._signs: dict[Fraction, int | None] = {}
        mixed = mixing.mixture(program, cell.decisions, gap, budget)
        self._pieces_of = mixing.weights(mixed) if mixed is not None else None

    def empty(self, low: Fraction, high: Fraction) -> bool:
        """Whether certainly no zero lies from *low* to *high*."""
        value, _ = self._bounds(low, high)
        return value is not None and not value[0] <= 0 <= value[1]

    def _bounds(self, low: Fraction, high: Fraction) -> tuple[Bounds | None, Bounds | None]:
        """Return the bounds of the gap and of its slope, None where they do not exist."""
        ends = (below_of(low), above_of(high))
        gap, decisions = self.gap, self.cell.decisions
        box = enclose(self.program, ends, decisions, gap.steps, self.budget)
        if any(at in box.partial for at in gap.steps):
            return None, None
        value, slope = box.bounds[gap.left], self._slope(box, gap.left)
        if gap.right is not None:
            value = boxes.add(value, boxes.negative(box.bounds[gap.right]))
            slope = boxes.add(slope, boxes.negative(self._slope(box, gap.right)))
        level = (below_of(-gap.level), above_of(-gap.level))
        return self._both(ends, box, boxes.add(value, level), slope)

    def _slope(self, box: boxes.Box, at: int) -> Bounds:
        self.budget.spend(len(box.bounds))
        return slopes.slope(self.program, box, self.cell.decisions, at)

    def _both(
        self, ends: Bounds, box: boxes.Box, value: Bounds, slope: Bounds
    ) -> tuple[Bounds, Bounds]:
        """Return the tighter of the bounds as it was written and of those as a mixture."""
        if self._pieces_of is None:
            return value, slope
        curved = [piece for piece in self._pieces_of if piece != mixing.PLAIN]
        if any(piece not in box.bounds for piece in curved):
            return value, slope
        tilts = {piece: self._slope(box, piece) for piece in curved}
        other, tilt = mixing.bounds(self._pieces_of, ends, box.bounds, tilts)
        return _within(value, other), _within(slope, tilt)

    def sign(self, x: Fraction) -> int | None:
        """Return the sign at *x*, None where the formula has no value."""
        if x not in self._signs:
            self._signs[x] = self._sign(x)
        return self._signs[x]

    def _sign(self, x: Fraction) -> int | None:
        value, _ = self._bounds(x, x)
        if value is not None and not value[0] <= 0 <= value[1]:
            return 1 if value[0] > 0 else -1
        return gap_sign(self.gap, Point(self.program, x, self.budget, self.cell.decisions))

    def between(self, low: Fraction, high: Fraction) -> Iterator[Place]:
        """Yield the zeros from *low* to *high*, both included, in order."""
        last: Fraction | None = None
        for left, right in self._pieces(low, high):
            for root in self._one(left, right):
                if root.exact is None or root.exact != last:
                    yield root
                last = root.exact

    def _pieces(self, low: Fraction, high: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
        """Yield the pieces over which the formula is monotone and may be zero."""
        stack = [(low, high)]
        while stack:
            left, right = stack.pop()
            self.budget.spend(PIECE)
            value, slope = self._bounds(left, right)
            if value is not None and not value[0] <= 0 <= value[1]:
                continue
            if (
                slope is not None
                and (slope[0] > 0 or slope[1] < 0)
                and self._ends_known(left, right)
            ):
                yield left, right
                continue
            if not places.apart(places.at(left), places.at(right), SPLIT_BITS):
                raise CannotTell("a formula touches zero, or nearly so")
            middle = places.between(places.at(left), places.at(right))
            stack += [(middle, right), (left, middle)]

    def _ends_known(self, left: Fraction, right: Fraction) -> bool:
        return self.sign(left) is not None and self.sign(right) is not None

    def _one(self, left: Fraction, right: Fraction) -> list[Place]:
        """Return the zero of a monotone piece, if it has one."""
        first, last = self.sign(left), self.sign(right)
        exact = [places.at(x) for x, sign in ((left, first), (right, last)) if sign == 0]
        if exact or first == last:
            return exact
        curve = Curve(lambda x: self.sign(x) or 0)
        return [self.simple(narrowed(Place(left, right, curve), 56))]

    def simple(self, place: Place) -> Place:
        """Return *place*, exactly where the simplest number in it is the zero."""
        guess = simplest(place.low, place.high)
        try:
            return places.at(guess) if self.sign(guess) == 0 else place
        except CannotTell:
            return place
