"""The best value: of finitely many, which chip and which format, and along one open axis."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import Any

from costlang.answer.answers import Stood
from costlang.answer.requirements import broken_requirements
from costlang.answer.seeking.conditions import parts_of
from costlang.answer.seeking.counted_axis import FEW, Counting, compared, everywhere
from costlang.answer.seeking.open_axis import Along, Point
from costlang.answer.seeking.solved import Chosen, Limit, Number, Solved, Spot
from costlang.answer.seeking.sought import joined
from costlang.answer.stood import Gathered, of_rows
from costlang.answer.worlds import open_world
from costlang.formula import graph as g
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model import exact
from costlang.model.faults import Fault, fault
from costlang.model.instances import Env, Instance
from costlang.model.types import NumberType
from costlang.solve import CannotTell

Above = tuple[d.Setting, ...]
MOST_POINTS = 20_000
NO_VALUE = "the formula has no value at any of these"
NEVER = "it comes as close to this as one likes, and never is so good"


@dataclass(frozen=True, eq=False)
class Tried:
    """One point: what each axis is there, what it is worth, and the conditions that fail."""

    where: tuple[str, ...]
    places: tuple[c.Core | Spot, ...]
    value: exact.Real
    failing: tuple[Limit, ...] = ()
    ties: int = 1


@dataclass(frozen=True, eq=False)
class Choosing:
    """`largest e over x in {…} with c`, under bindings from outside."""

    scenario: d.ScenarioDecl
    question: d.Question
    above: Above
    gathered: Gathered = field(default_factory=Gathered)
    along: list[dict[str, tuple[Stood, ...]]] = field(default_factory=list)

    def stood(self) -> dict[str, Any]:
        """Return what the answer stood on, at all points together."""
        return of_rows(self.along) if self.along else self.gathered.stood()

    def chosen(self) -> Solved:
        """Return the best point that keeps all conditions; every point is worked out."""
        axes = [axis for axis in self.question.axes if self._is_open(axis)]
        if len(axes) > 1:
            raise fault(
                "open-axis",
                "the best is looked for along one open axis",
                axes[1].span,
                "a second one",
                help="write its values in braces: `{1, 2, 4, 8}`",
            )
        if axes:
            return self._along(axes[0])
        return self._counted() or self._one_by_one()

    def _one_by_one(self) -> Solved:
        points = map(self._try, self._rows(self.question.axes))
        tried = [point for point in points if point is not None]
        return self._of(tried, NO_VALUE)

    def _of(
        self, tried: list[Tried], nothing: str, everywhere: frozenset[Limit] | None = None
    ) -> Solved:
        kept = [point for point in tried if not point.failing]
        if not tried:
            return self._blank("none", nothing)
        if not kept:
            return self._none(tried, everywhere)
        best = self._best(kept)
        if best is None:
            return self._blank("undecided", "two of them are too close to tell apart")
        return self._of_best(best, kept, tried)

    # ---- points

    def _rows(self, of: Sequence[d.Axis]) -> Iterator[tuple[c.Core, ...]]:
        axes = [self._points(axis) for axis in of]
        count = 1
        for points in axes:
            count *= len(points)
        if count > MOST_POINTS:
            words = f"there are {count:,} points to compare, of at most {MOST_POINTS:,}"
            raise fault("too-many-rows", words, self.question.node.span)
        return product(*axes)

    def _points(self, axis: d.Axis) -> list[c.Core]:
        if axis.values:
            return list(axis.values)
        low, high = self._ends(axis)
        assert low is not None and high is not None
        first, last = math.ceil(low), math.floor(high)
        return [c.Literal(axis.span, axis.type, Fraction(n)) for n in range(first, last + 1)]

    def _is_open(self, axis: d.Axis) -> bool:
        """Whether there are too many points on an axis for each to be worked out."""
        if axis.values:
            return False
        if not isinstance(axis.type, NumberType):
            raise fault("open-axis", "this axis has no values", axis.span, "write them in braces")
        low, high = self._ends(axis)
        few = low is not None and high is not None and high - low <= MOST_POINTS
        return not few or axis.type.kind != "count"

    def _ends(self, axis: d.Axis) -> tuple[Fraction | None, Fraction | None]:
        return self._end(axis, axis.low), self._end(axis, axis.high)

    def _end(self, axis: d.Axis, core: c.Core | None) -> Fraction | None:
        if core is None:
            return None
        world = open_world(self.scenario, self.above)
        value = world.value(core, world.under(self.question.at))
        if isinstance(value, exact.Infinity):
            return None
        if not isinstance(value, Fraction):
            raise fault("open-axis", "this end of the axis is not certain", axis.span)
        return value

    def _settings(self, axes: Iterable[d.Axis], row: tuple[c.Core, ...]) -> Above:
        return tuple(
            d.Setting(axis.path, core.span, core, None, axis.type, None)
            for axis, core in zip(axes, row, strict=True)
        )

    # ---- a range of whole numbers

    def _counted(self) -> Solved | None:
        """Return the best by one formula along the longest range; None where that is not sure."""
        axis = max(self.question.axes, key=self._length)
        if self._length(axis) <= FEW:
            return None
        others = [each for each in self.question.axes if each is not axis]
        points = self._points(axis)
        numbers = range(_whole(points[0]), _whole(points[-1]) + 1)
        search = Counting(self.scenario, self.question, axis, numbers)
        settings = list(self._rows(others))
        try:
            rows = [search.row((*self._settings(others, row), *self.above)) for row in settings]
            tried = []
            for at, near in compared(rows):
                value = rows[at].formula.value(near.at)
                places = list(settings[at])
                places.insert(self.question.axes.index(axis), points[near.at - numbers[0]])
                if value is not None:
                    words = tuple(map(_words, places))
                    tried.append(Tried(words, tuple(places), value, rows[at].failing(near)))
        except CannotTell:
            return None
        solved = self._of(tried, NO_VALUE, everywhere(rows))
        return solved if self._agrees(solved, tried) else None

    def _length(self, axis: d.Axis) -> int:
        return 0 if axis.values else len(self._points(axis))

    def _agrees(self, solved: Solved, tried: list[Tried]) -> bool:
        """Whether the points that are told are the same, worked out one by one."""
        told = [each.values for each in (solved.chosen, solved.excluded) if each is not None]
        again = (
            (self._try(tuple(core for core in point.places if not isinstance(core, Spot))), point)
            for point in tried
            if point.places in told
        )
        return solved.outcome != "undecided" and all(
            alone is not None and _same(alone, point) for alone, point in again
        )

    # ---- one open axis

    def _along(self, axis: d.Axis) -> Solved:
        """Return the best point along *axis*, for each row of the others."""
        others = [each for each in self.question.axes if each is not axis]
        search = Along(self.scenario, self.question, axis, *self._ends(axis), self.along)
        tried: list[Tried] = []
        near: list[Tried] = []
        for row in self._rows(others):
            found = search.best((*self._settings(others, row), *self.above))
            if not found.best.decided:
                return self._blank("undecided", found.best.reason)
            at = self.question.axes.index(axis)
            tried += (_spotted(each, row, at) for each in found.tried())
            near += (_spotted(each, row, at) for each in found.approached())
        return self._unless_approached(self._of(tried, "no point lies on this axis"), tried, near)

    def _unless_approached(self, solved: Solved, tried: list[Tried], near: list[Tried]) -> Solved:
        """Return *solved*, or that it gets better than that without ever being so good."""
        nearest = self._best(near) if near else None
        best = self._best([point for point in tried if not point.failing])
        if nearest is None or (best is not None and not self._better(nearest, best)):
            return solved
        if isinstance(nearest.value, exact.Infinity):
            return self._blank("unbounded", "it gets better without end")
        ends = Number(*exact.ends(nearest.value))
        return replace(self._blank("none", NEVER), approached=ends)

    def _try(self, row: tuple[c.Core, ...]) -> Tried | None:
        """Return the point *row*, None where the formula has no value there."""
        settings = self._settings(self.question.axes, row)
        world = open_world(self.scenario, (*settings, *self.above))
        at = world.under(self.question.at)
        (subject,) = self.question.subjects
        try:
            value = world.value(subject, at)
            failing = [Limit(b.name, b.text) for b in broken_requirements(world.evaluator, at)]
            failing += self._condition(world.evaluator.value, at)
            self.gathered.add(world.evaluator.trace, value)
        except Fault as wrong:
            if wrong.diagnostic.code == "too-much-work":
                raise
            return None
        if not isinstance(value, (Fraction, exact.Interval)):
            raise fault("not-a-number", "the best is that of a number", subject.span)
        return Tried(tuple(map(_words, row)), row, value, tuple(dict.fromkeys(failing)))

    def _condition(self, value: Callable[[c.Core, Env], object], at: Instance) -> Iterator[Limit]:
        """Yield what fails of the conditions that the author joined."""
        failing = False
        for core in parts_of(self.question.condition) if self.question.condition else ():
            try:
                truth = value(core, Env(at))
            except Fault:
                if failing:  # what comes after one that fails need not have a value
                    return
                raise
            if truth is not True:
                failing = True
                text = " ".join(core.span.text.split())
                yield Limit(text, text)

    # ---- the best

    def _better(self, one: Tried, other: Tried) -> bool | None:
        sign = ">" if self.question.kind == "largest" else "<"
        truth = exact.compare(sign, one.value, other.value)
        return truth if isinstance(truth, bool) else None

    def _best(self, points: list[Tried]) -> Tried | None:
        best = points[0] if points else None
        for point in points[1:]:
            assert best is not None
            truth = self._better(point, best)
            if truth is None:
                return None
            best = point if truth else best
        return best

    def _of_best(self, best: Tried, kept: list[Tried], tried: list[Tried]) -> Solved:
        same = (point for point in kept if exact.compare("==", point.value, best.value) is True)
        ties = sum(point.ties for point in same)
        above = [point for point in tried if point.failing and self._better(point, best)]
        better = None
        for point in above:
            if better is None or self._better(better, point):
                better = point
        chosen = self._point(best, ties)
        excluded = self._point(better, 1) if better is not None else None
        return self._blank("one", "", chosen=chosen, excluded=excluded)

    def _none(self, tried: list[Tried], everywhere: frozenset[Limit] | None = None) -> Solved:
        if everywhere is None:
            failing = (point.failing for point in tried)
            everywhere = frozenset(tried[0].failing).intersection(*failing)
        best = self._best(tried)
        return self._blank(
            "none",
            "no point keeps all conditions",
            failing=tuple(sorted(everywhere, key=lambda limit: limit.name)),
            excluded=self._point(best, 1) if best is not None else None,
        )

    def _point(self, point: Tried, ties: int) -> Chosen:
        names = tuple(joined(axis.path)[-1] for axis in self.question.axes)
        where = tuple(zip(names, point.where, strict=True))
        value = Number(*exact.ends(point.value))
        return Chosen(where, value, ties, point.failing, point.places)

    def _blank(
        self,
        outcome: str,
        reason: str,
        *,
        chosen: Chosen | None = None,
        excluded: Chosen | None = None,
        failing: tuple[Limit, ...] = (),
    ) -> Solved:
        (subject,) = self.question.subjects
        kind = subject.type
        dimension = kind.dimension if isinstance(kind, NumberType) else None
        return Solved(
            self.question.kind,
            outcome,
            " ".join(subject.span.text.split()),
            dimension,
            g.Builder(),
            reason=reason,
            failing=failing,
            chosen=chosen,
            excluded=excluded,
        )


def _spotted(point: Point, row: tuple[c.Core, ...], at: int) -> Tried:
    """Return a point of an open axis, the axis *at* that place among the others."""
    words = [_words(core) for core in row]
    places: list[c.Core | Spot] = list(row)
    words.insert(at, "")
    places.insert(at, point.spot)
    return Tried(tuple(words), tuple(places), point.value, point.failing, point.ties)


def _whole(core: c.Core) -> int:
    assert isinstance(core, c.Literal)
    return int(core.value)


def _same(one: Tried, other: Tried) -> bool:
    """Whether two readings of a point have one value, and fail the same."""
    return one.value == other.value and set(one.failing) == set(other.failing)


def _words(core: c.Core) -> str:
    """Return a value of an axis as it is shown."""
    if isinstance(core, c.Literal) and core.value.denominator == 1:
        text = core.span.text.strip()
        return text if text[:1].isdigit() and ".." not in text else f"{core.value.numerator}"
    return " ".join(core.span.text.split())
