"""The best of finitely many: which chip, which format, which degree, which whole number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

from costlang.answer.requirements import broken_requirements
from costlang.answer.solved import Chosen, Limit, Number, Solved
from costlang.answer.sought import joined
from costlang.answer.stood import Gathered
from costlang.answer.worlds import open_world
from costlang.formula import graph as g
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model import exact
from costlang.model.faults import Fault, fault
from costlang.model.instances import Env
from costlang.model.types import NumberType

Above = tuple[d.Setting, ...]
MOST_POINTS = 20_000


@dataclass(frozen=True, eq=False)
class Tried:
    """One point: what each axis is there, what it is worth, and the conditions that fail."""

    where: tuple[str, ...]
    value: exact.Real
    failing: tuple[Limit, ...]


@dataclass(frozen=True, eq=False)
class Choosing:
    """`largest e over x in {…} with c`, under bindings from outside."""

    scenario: d.ScenarioDecl
    question: d.Question
    above: Above
    gathered: Gathered = field(default_factory=Gathered)

    def chosen(self) -> Solved:
        """Return the best point that keeps all conditions; every point is worked out."""
        tried = [point for row in self._rows() if (point := self._try(row)) is not None]
        kept = [point for point in tried if not point.failing]
        if not tried:
            return self._blank("none", "the formula has no value at any of these")
        if not kept:
            return self._none(tried)
        best = self._best(kept)
        if best is None:
            return self._blank("undecided", "two of them are too close to tell apart")
        return self._of_best(best, kept, tried)

    # ---- points

    def _rows(self) -> Iterator[tuple[c.Core, ...]]:
        axes = [self._points(axis) for axis in self.question.axes]
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
        low, high = self._end(axis, axis.low), self._end(axis, axis.high)
        kind = axis.type
        if not isinstance(kind, NumberType) or kind.kind != "count":
            raise fault(
                "open-axis",
                "the best of an open axis is not looked for yet; write the values in braces",
                axis.span,
            )
        first, last = -(-low.numerator // low.denominator), high.numerator // high.denominator
        if last - first > MOST_POINTS:
            raise fault("open-axis", "this axis has too many whole numbers", axis.span)
        return [c.Literal(axis.span, kind, Fraction(n)) for n in range(first, last + 1)]

    def _end(self, axis: d.Axis, core: c.Core | None) -> Fraction:
        world = open_world(self.scenario, self.above)
        value = world.value(core, world.under(self.question.at)) if core is not None else None
        if not isinstance(value, Fraction):
            raise fault("open-axis", "this axis has no end", axis.span, "give it both ends")
        return value

    def _try(self, row: tuple[c.Core, ...]) -> Tried | None:
        """Return the point *row*, None where the formula has no value there."""
        settings = tuple(
            d.Setting(axis.path, core.span, core, None, axis.type, None)
            for axis, core in zip(self.question.axes, row, strict=True)
        )
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
        return Tried(tuple(map(_words, row)), value, tuple(dict.fromkeys(failing)))

    def _condition(self, value: object, at: object) -> list[Limit]:
        condition = self.question.condition
        if condition is None:
            return []
        truth = value(condition, Env(at))  # type: ignore[operator, arg-type]
        text = " ".join(condition.span.text.split())
        return [] if truth is True else [Limit(text, text)]

    # ---- the best

    def _better(self, one: Tried, other: Tried) -> bool | None:
        sign = ">" if self.question.kind == "largest" else "<"
        truth = exact.compare(sign, one.value, other.value)
        return truth if isinstance(truth, bool) else None

    def _best(self, points: list[Tried]) -> Tried | None:
        best = points[0]
        for point in points[1:]:
            truth = self._better(point, best)
            if truth is None:
                return None
            best = point if truth else best
        return best

    def _of_best(self, best: Tried, kept: list[Tried], tried: list[Tried]) -> Solved:
        ties = sum(exact.compare("==", point.value, best.value) is True for point in kept)
        above = [point for point in tried if point.failing and self._better(point, best)]
        better = None
        for point in above:
            if better is None or self._better(better, point):
                better = point
        chosen = self._point(best, ties)
        excluded = self._point(better, 1) if better is not None else None
        return self._blank("one", "", chosen=chosen, excluded=excluded)

    def _none(self, tried: list[Tried]) -> Solved:
        everywhere = set(tried[0].failing).intersection(*(point.failing for point in tried))
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
        return Chosen(where, Number(*exact.ends(point.value)), ties, point.failing)

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


def _words(core: c.Core) -> str:
    """Return a value of an axis as it is shown."""
    if isinstance(core, c.Literal) and core.value.denominator == 1:
        text = core.span.text.strip()
        return text if text[:1].isdigit() and ".." not in text else f"{core.value.numerator}"
    return " ".join(core.span.text.split())
