"""The best value along an axis that is a stretch of numbers: by its corners, turns and ends."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from costlang import solve as s
from costlang.answer.answers import Stood
from costlang.answer.seeking.conditions import conditions_of
from costlang.answer.seeking.settled import settled, stood_on
from costlang.answer.seeking.solved import Limit, Number, Spot
from costlang.answer.seeking.sought import Above, Sought, domain_of, free_of, sought, values_of
from costlang.formula import graph as g
from costlang.model import declared as d
from costlang.model import exact
from costlang.model.faults import fault
from costlang.model.work import current

STEPS = 5_000
"""What the search along an axis takes of the work of a run, beside its steps."""


@dataclass(frozen=True, eq=False)
class Point:
    """A point of the axis: where it lies, what the formula is worth there, what fails."""

    spot: Spot
    value: exact.Real
    failing: tuple[Limit, ...] = ()
    ties: int = 1


@dataclass(frozen=True, eq=False)
class Stretched:
    """What was found along one open axis; the numbers of conditions point to *limits*."""

    best: s.Optimum
    limits: tuple[Limit, ...] = ()
    symbol: g.Sym | None = None

    def tried(self) -> Iterator[Point]:
        """Yield the best point, and the nearest better one that conditions exclude."""
        found = self.best
        if found.best is not None:
            yield self._point(found.best, (), found.ties)
        if found.better is not None:
            yield self._point(found.better, found.better.failing)
        if found.aside is not None:
            yield self._point(found.aside, found.everywhere)

    def approached(self) -> Iterator[Point]:
        """Yield what the formula comes close to and never is, where that is better."""
        if self.best.approached is not None:
            yield Point(Spot(None), self.best.approached)

    def _point(self, point: s.Tried, failing: tuple[int, ...], ties: int = 1) -> Point:
        place = point.where.get(self.symbol) if self.symbol is not None else None
        number = Number(*exact.ends(place)) if place is not None else None
        dimension = self.symbol.info.dimension if self.symbol is not None else None
        limits = tuple(self.limits[at] for at in failing)
        return Point(Spot(number, dimension), point.value, limits, ties)


@dataclass(frozen=True, eq=False)
class Along:
    """A search along *axis* from *low* to *high*, None where it has no such end."""

    scenario: d.ScenarioDecl
    question: d.Question
    axis: d.Axis
    low: Fraction | None
    high: Fraction | None
    stood: list[dict[str, tuple[Stood, ...]]] = field(default_factory=list)

    def best(self, above: Above) -> Stretched:
        """Return the best point along the axis, the other axes set in *above*."""
        current().spend(STEPS)
        asked = sought(
            self.scenario, self.question, above, [(self.axis.path, self.axis.type)], self.axis.span
        )
        node = asked.lowered(self.question.subjects[0])
        held = list(conditions_of(self.scenario, self.question, asked))
        if isinstance(node, g.Inf):
            raise fault("not-a-number", "the best is that of a number", self.axis.span)
        if not isinstance(node, g.Node):
            return Stretched(s.Optimum(reason="the formula has no value"))
        if any(truth is False for _, truth in held):
            return _never(held)
        kept = [(limit, truth) for limit, truth in held if isinstance(truth, g.Node)]
        return self._searched(asked, node, kept)

    def _searched(self, asked: Sought, node: g.Node, kept: list[tuple[Limit, g.Node]]) -> Stretched:
        nodes = [node, *(truth for _, truth in kept)]
        symbol = asked.symbol(nodes)
        self.stood.append(stood_on(nodes, symbol, asked.lowering.trace))
        values = values_of(nodes, symbol)
        nodes = [settled(asked.build, each, values) for each in nodes]
        self._check_bound(nodes, symbol, values)
        axis = (symbol, self._domain(symbol)) if symbol is not None else None
        if axis is not None and _is_empty(axis[1]):
            return Stretched(s.Optimum())
        least = self.question.kind == "smallest"
        node, *truths = nodes
        found = s.optimum(asked.build, node, {}, axis, truths, values, least=least)
        reached = (found.best, found.better, found.aside)
        if any(isinstance(each.value, exact.Infinity) for each in reached if each is not None):
            raise fault("not-a-number", "it is infinite at some of these", self.axis.span)
        return Stretched(found, tuple(limit for limit, _ in kept), symbol)

    def _check_bound(
        self, nodes: list[g.Node], symbol: g.Sym | None, values: dict[g.Sym, Fraction]
    ) -> None:
        if free_of(nodes, symbol, values):
            names = {x.name for n in nodes for x in g.symbols(n)}
            known = {x.name for x in values} | ({symbol.name} if symbol is not None else set())
            words = " and ".join(f"`{name}`" for name in sorted(names - known))
            raise fault("not-a-value", f"{words} has no value here", self.question.node.span)

    def _domain(self, symbol: g.Sym) -> s.Domain:
        """Return the part of the axis that its declaration allows."""
        whole = domain_of(symbol, None, whole=True)
        low, open_low = _inner(whole.low, whole.open_low, self.low, upper=False)
        high, open_high = _inner(whole.high, whole.open_high, self.high, upper=True)
        if whole.whole:
            low = Fraction(math.ceil(low)) if low is not None else None
            high = Fraction(math.floor(high)) if high is not None else None
        return replace(whole, low=low, high=high, open_low=open_low, open_high=open_high)


def _is_empty(domain: s.Domain) -> bool:
    low, high = domain.low, domain.high
    if low is None or high is None or low < high:
        return False
    return low > high or domain.open_low or domain.open_high


def _inner(
    declared: Fraction | None, is_open: bool, asked: Fraction | None, *, upper: bool
) -> tuple[Fraction | None, bool]:
    """Return the end of two that lies further inside, and whether it is left out."""
    if asked is None:
        return declared, is_open and declared is not None
    if declared is None:
        return asked, False
    further = declared < asked if upper else declared > asked
    return (declared, is_open) if further or declared == asked else (asked, False)


def _never(held: list[tuple[Limit, object]]) -> Stretched:
    limits = tuple(limit for limit, _ in held)
    failing = tuple(at for at, (_, truth) in enumerate(held) if truth is False)
    return Stretched(s.Optimum(everywhere=failing, reason="no point"), limits, None)
