"""The sign of a formula all along the unknown, certified: where it is below, at and above zero."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from math import inf, isinf

from costlang.solve.certified import roots, slopes
from costlang.solve.certified.boxes import Bounds, Box, at_point, enclose, reach
from costlang.solve.certified.cells import Cell, Gap, decided
from costlang.solve.certified.points import Decisions, Meeting, Point
from costlang.solve.ground import places
from costlang.solve.ground.budget import Budget, CannotTell
from costlang.solve.ground.places import Place
from costlang.solve.ground.program import STEPPED, Program
from costlang.solve.ground.spans import Span, Spans, joined

FEW_JUMPS = 48
"""So many jumps of a rounding are placed one by one; with more, the stretch is halved first."""
NARROW_BITS = 60


@dataclass(frozen=True, eq=False)
class Stretch:
    """
    A point, or all numbers strictly between two, over which a formula has one *sign*.

    *sign* is None where it has no value. What is not *known* could not be told, for *reason*.
    """

    left: Place | None
    right: Place | None
    sign: int | None
    decisions: Decisions
    known: bool = True
    reason: str = ""

    @property
    def single(self) -> bool:
        """Whether it is one point."""
        return self.left is not None and self.left is self.right

    @property
    def span(self) -> Span:
        """The numbers of it."""
        return Span(self.left, self.right, self.single, self.single)


Signs = tuple[Stretch, ...]


class Search:
    """Looks for the sign of the step *target* over the cells of a program."""

    def __init__(self, program: Program, target: int, budget: Budget) -> None:
        self.program, self.target, self.budget = program, target, budget
        self._meets: dict[Place, frozenset[Meeting]] = {}

    # ---- a cell

    def along(self, cell: Cell) -> Iterator[Stretch]:
        """Yield the stretches of *cell*, in order; what cannot be told is said to be so."""
        work: list[Stretch | Cell] = [cell]
        while work:
            item = work.pop()
            if isinstance(item, Stretch):
                yield item
                continue
            try:
                work.extend(reversed(list(self._along(item))))
            except CannotTell as fault:
                yield self._stretch(item, None, known=False, reason=str(fault))

    def _along(self, cell: Cell) -> Iterator[Stretch | Cell]:
        box = self.box(cell)
        sign = box.sign(self.target)
        if sign is not None:
            yield self._stretch(cell, sign)
        elif box.open:
            yield from self._divided(cell, box)
        else:
            yield from self._smooth(cell, box)

    def box(self, cell: Cell) -> Box:
        """Return the bounds over a cell."""
        ends = reach(cell.left, cell.right)
        return enclose(self.program, ends, cell.decisions, [self.target], self.budget)

    def _stretch(
        self, cell: Cell, sign: int | None, known: bool = True, reason: str = ""
    ) -> Stretch:
        return Stretch(cell.left, cell.right, sign, cell.decisions, known, reason)

    # ---- points

    def at(self, place: Place, decisions: Decisions) -> Stretch:
        """Return the sign at one point; *decisions* hold next to it."""
        try:
            meets = self._meets.get(place, frozenset())
            sign = roots.sign_at(self.program, self.target, place, self.budget, meets)
        except CannotTell as fault:
            return Stretch(place, place, None, decisions, False, str(fault))
        return Stretch(place, place, sign, decisions)

    # ---- a cell in which nothing is left to choose

    def _smooth(self, cell: Cell, box: Box) -> Iterator[Stretch]:
        cell = self.settled(cell, box)
        if self._sign_inside(cell) is None:
            yield self._stretch(cell, None)
            return
        crossings = roots.crossings(self.program, cell, Gap(self.target), self.budget)
        if crossings is None:
            yield self._stretch(cell, self._sign_inside(cell))
            return
        left = cell.left
        for root in crossings:
            yield self._between(Cell(left, root, cell.decisions))
            yield Stretch(root, root, 0, cell.decisions)
            left = root
        yield self._between(Cell(left, cell.right, cell.decisions))

    def _between(self, cell: Cell) -> Stretch:
        return self._stretch(cell, self._sign_inside(cell))

    def _sign_inside(self, cell: Cell) -> int | None:
        x = cell.sample
        if self.program.curved:
            near = at_point(self.program, x, cell.decisions, [self.target], self.budget)
            sign = near.sign(self.target)
            if sign is not None:
                return sign
        return Point(self.program, x, self.budget, cell.decisions).sign(self.target)

    # ---- a cell with choices

    def _divided(self, cell: Cell, box: Box) -> Iterator[Stretch | Cell]:
        rising = self._direction(cell, box)
        if self.jumps(box) > FEW_JUMPS:
            yield from self._halved(cell, rising)
            return
        found = self.ridges(cell, box)
        if found is None:
            yield from self._halved(cell, rising)
            return
        cells = _parts(cell, found)
        later = self._later(box)
        yield from (self._known_ends(cells, rising, later) if rising else self._each(cells, later))

    def settled(self, cell: Cell, box: Box) -> Cell:
        """Return *cell* with all decided that its bounds leave no doubt of."""
        return decided(self.program, cell, [self.target], box.unsettled, self.budget)

    def divided(self, cell: Cell, box: Box, ridges: list[Place]) -> Iterator[Cell]:
        """Yield the cells between *ridges*, with what was open decided."""
        for each in _parts(cell, ridges):
            yield decided(self.program, each, [self.target], self._later(box), self.budget)

    def _later(self, box: Box) -> frozenset[int]:
        """Return what stays undecided when all that is open now is decided."""
        return box.unsettled - frozenset(box.open)

    def _each(self, cells: list[Cell], later: frozenset[int]) -> Iterator[Stretch | Cell]:
        for at, raw in enumerate(cells):
            cell = decided(self.program, raw, [self.target], later, self.budget)
            if at:
                assert cell.left is not None
                yield self.at(cell.left, cell.decisions)
            yield cell

    def _direction(self, cell: Cell, box: Box) -> int:
        """Return 1 or -1 where the formula never falls or never rises over *cell*, else 0."""
        if self.target in box.partial:
            return 0
        self.budget.spend(len(box.bounds))
        low, high = slopes.slope(self.program, box, cell.decisions, self.target)
        return 1 if low >= 0 else -1 if high <= 0 else 0

    def _known_ends(
        self, cells: list[Cell], rising: int, later: frozenset[int]
    ) -> Iterator[Stretch | Cell]:
        """Yield a monotone formula's stretches: only where its sign changes is looked at."""
        first = self._first(cells, lambda sign: sign > -1, rising)
        last = self._first(cells, lambda sign: sign > 0, rising)
        start, end = max(first - 1, 0), min(last, len(cells) - 1)
        if start > 0:
            yield self._run(cells[0], cells[start - 1], -rising)
            yield self._settled(cells[start], -rising)
        yield from self._each(cells[start : end + 1], later)
        if end + 1 < len(cells):
            yield self._settled(cells[end + 1], rising)
            yield self._run(cells[end + 1], cells[-1], rising)

    def _run(self, first: Cell, last: Cell, sign: int) -> Stretch:
        return Stretch(first.left, last.right, sign, first.decisions)

    def _settled(self, cell: Cell, sign: int) -> Stretch:
        """Return the left end of a cell, whose sign is known of its neighbours."""
        return Stretch(_left(cell), _left(cell), sign, cell.decisions)

    def _first(self, cells: list[Cell], reached: Callable[[int], bool], rising: int) -> int:
        """Return the first cell whose sample has *reached* a sign, by halving."""
        low, high = 0, len(cells)
        while low < high:
            middle = (low + high) // 2
            sign = self._sign_inside(cells[middle])
            if sign is None:
                raise CannotTell("a monotone formula has a gap")
            if reached(sign * rising):
                high = middle
            else:
                low = middle + 1
        return low

    # ---- where choices change

    def jumps(self, box: Box) -> float:
        """Return about how many jumps the open roundings have."""
        total = 0.0
        for at in box.open:
            step = self.program.steps[at]
            if step.kind in STEPPED:
                low, high = box.bounds[step.args[0]]
                total += high - low if not (isinf(low) or isinf(high)) else inf
        return total

    def ridges(self, cell: Cell, box: Box) -> list[Place] | None:
        """Return where an open choice may change, in order; None when that cannot be placed."""
        found: list[Place] = []
        for gap in dict.fromkeys(gap for at in box.open for gap in self._gaps(at, box)):
            inner = decided(self.program, cell, gap.steps, box.unsettled, self.budget)
            try:
                crossings = roots.crossings(self.program, inner, gap, self.budget)
            except CannotTell:
                return None
            for place in crossings or ():
                self._meets[place] = frozenset({(gap.left, gap.right, gap.level)})
                found.append(place)
        return self._in_order(found)

    def _in_order(self, found: list[Place]) -> list[Place]:
        """Return places in order, those that are one number once."""
        ordered: list[Place] = []
        for place in sorted(found, key=lambda each: each.low):
            at = len(ordered)
            while at and places.compare(place, ordered[at - 1]) < 0:
                at -= 1
            if at == 0 or places.compare(place, ordered[at - 1]) != 0:
                ordered.insert(at, place)
            else:
                self._meets[ordered[at - 1]] |= self._meets[place]
        return ordered

    def _gaps(self, at: int, box: Box) -> Iterator[Gap]:
        step = self.program.steps[at]
        if step.kind in ("max", "min"):
            rivals = _rivals([(arg, box.bounds[arg]) for arg in step.args], step.kind)
            yield from (Gap(a, b) for a, b in combinations(rivals, 2))
        elif step.kind in STEPPED:
            low, high = box.bounds[step.args[0]]
            for level in range(int(low) - 1, int(high) + 2):
                if low <= level <= high:
                    yield Gap(step.args[0], None, Fraction(level))
        elif step.kind == "if":
            yield from self._comparisons(step.args[0], box)
        else:
            yield Gap(step.args[1 if step.kind == "div" else 0])

    def _comparisons(self, truth: int, box: Box) -> Iterator[Gap]:
        step = self.program.steps[truth]
        low, high = box.bounds[truth]
        if step.kind == "cmp" and low != high:
            yield Gap(step.args[0], step.args[1])
        elif step.kind in ("all", "any", "not"):
            for arg in step.args:
                yield from self._comparisons(arg, box)

    # ---- halves

    def _halved(self, cell: Cell, rising: int) -> Iterator[Stretch | Cell]:
        if cell.left is None or cell.right is None:
            raise CannotTell("choices change without end")
        if not places.apart(cell.left, cell.right, NARROW_BITS):
            raise CannotTell("where a choice changes cannot be placed")
        middle = places.at(cell.sample)
        point = self.at(middle, cell.decisions)
        sign = point.sign if point.known else None
        low = Cell(cell.left, middle, cell.decisions)
        high = Cell(middle, cell.right, cell.decisions)
        if rising and sign is not None and sign * rising < 0:
            yield self._stretch(low, sign)
        else:
            yield low
        yield point
        if rising and sign is not None and sign * rising > 0:
            yield self._stretch(high, sign)
        else:
            yield high


def _left(cell: Cell) -> Place:
    assert cell.left is not None
    return cell.left


def _rivals(sides: list[tuple[int, Bounds]], kind: str) -> list[int]:
    """Return the sides that may be the active one somewhere."""
    if kind == "min":
        sides = [(at, (-high, -low)) for at, (low, high) in sides]
    bar = max(low for _, (low, _) in sides)
    return [at for at, (_, high) in sides if high >= bar]


def _parts(cell: Cell, found: list[Place]) -> list[Cell]:
    edges = [cell.left, *found, cell.right]
    return [Cell(left, right, cell.decisions) for left, right in pairwise(edges)]


# ---- what a reader wants of them


def where(signs: Signs, wanted: frozenset[int]) -> Spans:
    """Return the numbers at which the sign is one of *wanted*."""
    return joined(s.span for s in signs if s.known and s.sign in wanted)


def doubtful(signs: Signs) -> Signs:
    """Return what could not be told."""
    return tuple(s for s in signs if not s.known)
