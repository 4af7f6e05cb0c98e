"""The best value of a formula over finite axes and at most one open one, and where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation
from costlang.model import exact
from costlang.model.exact import Real
from costlang.solve.certified.pieces import Turns, turns
from costlang.solve.certified.points import Point
from costlang.solve.certified.question import Question
from costlang.solve.certified.signs import Search
from costlang.solve.closed.explaining import where
from costlang.solve.free.limits import limit
from costlang.solve.ground import places, spans
from costlang.solve.ground.budget import Budget, CannotTell
from costlang.solve.ground.domain import Domain
from costlang.solve.ground.places import MOST_BITS, Place, narrowed
from costlang.solve.ground.prepare import without_sums
from costlang.solve.ground.program import Number, Values, Writer
from costlang.solve.ground.spans import Span, Spans

MOST_POINTS = 50_000
MOST_WHOLE = 2_000
"""So many whole numbers of the open axis are tried one by one."""

JUMPING = ("ceil", "floor", "if")

Where = Mapping[g.Sym, Real]


@dataclass(frozen=True, eq=False)
class Tried:
    """One point: *where* it is, its *value*, and the conditions that it does not keep."""

    where: Where
    value: Real
    failing: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Unreached:
    """What the formula comes close to, and is perhaps never; None when that is not known."""

    value: Real | None


@dataclass(frozen=True, eq=False)
class Optimum:
    """
    The *best* point that keeps all conditions, and how many are as good (*ties*, itself counted).

    *better* is the nearest better point, which conditions exclude. Where no point keeps them
    all, *best* is None, *everywhere* are the conditions that fail at every point, and *aside* is
    the best point when these are put aside. *tried* is how many points were compared; *decided*
    is False, with a *reason*, when the best is not certain. *approached* is what the formula
    comes close to at an end that does not belong to it, when that is better than *best*.
    """

    best: Tried | None = None
    ties: int = 0
    better: Tried | None = None
    everywhere: tuple[int, ...] = ()
    aside: Tried | None = None
    tried: int = 0
    decided: bool = True
    reason: str = ""
    approached: Real | None = None


@dataclass(frozen=True, eq=False)
class Asked:
    """What is asked: the best *node* for *side* 1 the largest, for -1 the smallest."""

    build: g.Builder
    node: g.Node
    axes: Mapping[g.Sym, Sequence[Number]]
    open_axis: tuple[g.Sym, Domain] | None
    conditions: Sequence[g.Node]
    values: Values
    side: int


def optimum(asked: Asked, budget: Budget) -> Optimum:
    """
    Return the best point.

    On the open axis the ends of what the conditions allow, all corners and all turns are
    compared; for whole numbers those on both sides of each.
    """
    try:
        found = list(_points(asked, budget))
        points = [each for each in found if isinstance(each, Tried)]
        chosen = _chosen(asked, points)
        ends = [each for each in found if isinstance(each, Unreached)]
        return replace(chosen, approached=_approached(asked, chosen, ends))
    except CannotTell as fault:
        return Optimum(decided=False, reason=str(fault))


def _points(asked: Asked, budget: Budget) -> Iterator[Tried | Unreached]:
    symbols = list(asked.axes)
    count = 1
    for symbol in symbols:
        count *= len(asked.axes[symbol])
    if count > MOST_POINTS:
        raise CannotTell(f"there are more than {MOST_POINTS} points")
    for row in product(*(asked.axes[symbol] for symbol in symbols)):
        fixed: dict[g.Sym, Number] = dict(zip(symbols, row, strict=True))
        if asked.open_axis is None:
            yield from _tried(asked, fixed, {})
        else:
            yield from _along(asked, fixed, budget)


def _tried(asked: Asked, fixed: Mapping[g.Sym, Number], more: Where) -> Iterator[Tried]:
    """Yield a point with its value, nothing where the formula has none."""
    evaluation = Evaluation({**asked.values, **fixed, **more})
    try:
        value = evaluation.number(asked.node)
    except exact.OutOfDomain:
        return
    failing = []
    for at, condition in enumerate(asked.conditions):
        try:
            truth = evaluation.truth(condition)
        except exact.OutOfDomain:
            truth = False
        if not isinstance(truth, bool):
            raise CannotTell("whether a condition holds is not certain")
        if not truth:
            failing.append(at)
    yield Tried({**fixed, **more}, value, tuple(failing))


# ---- the open axis


def _along(
    asked: Asked, fixed: Mapping[g.Sym, Number], budget: Budget
) -> Iterator[Tried | Unreached]:
    assert asked.open_axis is not None
    symbol, domain = asked.open_axis
    if domain.members:
        for member in domain.members:
            yield from _tried(asked, fixed, {symbol: member})
        return
    low, high = domain.low, domain.high
    if domain.whole and low is not None and high is not None and high - low <= MOST_WHOLE:
        for whole in range(int(low), int(high) + 1):
            yield from _tried(asked, fixed, {symbol: Fraction(whole)})
        return
    yield from _candidates(asked, fixed, budget)


def _candidates(
    asked: Asked, fixed: Mapping[g.Sym, Number], budget: Budget
) -> Iterator[Tried | Unreached]:
    assert asked.open_axis is not None
    symbol, domain = asked.open_axis
    values = {**asked.values, **fixed}
    values.pop(symbol, None)
    question = Question(asked.build, asked.node, "==", asked.node, symbol, domain, values)
    held: Spans = domain.spans
    for condition in asked.conditions:
        held = spans.meet(held, where(question, condition, budget))
    for each in held:
        yield from _in_span(asked, fixed, question, each, budget)
    if not held:
        yield from _excluded(asked, fixed, question, budget)


def _excluded(
    asked: Asked, fixed: Mapping[g.Sym, Number], question: Question, budget: Budget
) -> Iterator[Tried]:
    """Yield a point of an axis on which nothing is allowed, with what it fails."""
    around = question.domain.around
    end = around.low if around.low is not None and around.low_in else around.high
    if end is not None and end.exact is not None:
        yield from _tried(asked, fixed, {question.unknown: end.exact})


def _in_span(
    asked: Asked,
    fixed: Mapping[g.Sym, Number],
    question: Question,
    each: Span,
    budget: Budget,
) -> Iterator[Tried | Unreached]:
    if question.domain.whole:
        for whole in _wholes(_turns(asked, question, each, budget)[0].places, each):
            yield from _tried(asked, fixed, {question.unknown: Fraction(whole)})
    elif each.single:
        assert each.low is not None
        yield from _at(asked, fixed, question.unknown, each.low)
        return
    else:
        found, search = _turns(asked, question, each, budget)
        for place in (each.low, *found.places, each.high):
            if place is not None and each.holds(place):
                yield from _at(asked, fixed, question.unknown, place)
        yield from _limits(asked, question, found, search, each)
    for end, side in ((each.low, -1), (each.high, 1)):
        if end is None:
            yield _far(asked, question, side)


def _turns(asked: Asked, question: Question, each: Span, budget: Budget) -> tuple[Turns, Search]:
    node = without_sums(asked.build, asked.node, question.values)
    writer = Writer(question.unknown, question.values)
    target = writer.wanted(writer.write(node))
    search = Search(writer.program(), target, budget)
    return turns(search, each) if not each.single else Turns((), ()), search


def _wholes(found: Sequence[Place], each: Span) -> list[int]:
    """Return the whole numbers at the ends and on both sides of every place."""
    pair = each.whole()
    if pair is None:
        return []
    near = {n for place in found for n in (places.floor(place), places.ceil(place))}
    wide = {n + step for n in near for step in (-1, 0, 1)} | {n for n in pair if n is not None}
    low, high = pair
    return sorted(n for n in wide if (low is None or low <= n) and (high is None or n <= high))


def _at(
    asked: Asked, fixed: Mapping[g.Sym, Number], symbol: g.Sym, place: Place
) -> Iterator[Tried]:
    """Yield a point at which the conditions are known to hold."""
    yield from _tried(replace(asked, conditions=()), fixed, {symbol: _real(place)})


def _real(place: Place) -> Fraction | exact.Interval:
    near = narrowed(place, MOST_BITS)
    return near.low if near.exact is not None else exact.Interval(near.low, near.high)


def _limits(
    asked: Asked, question: Question, found: Turns, search: Search, each: Span
) -> Iterator[Unreached]:
    """
    Yield what the formula tends to at the ends of every cell, from inside.

    A formula without jumps tends to its own value where it has one, and that is tried already.
    """
    jumps = any(step.kind in JUMPING for step in search.program.steps)
    for cell in found.cells:
        for end, side in ((cell.left, 1), (cell.right, -1)):
            if end is not None:
                point = Point(search.program, _real(end), search.budget, cell.decisions)
                worth = point.worth(search.target)
                if isinstance(worth, (Fraction, exact.Interval)):
                    if jumps or not each.holds(end):
                        yield Unreached(worth)
                else:
                    yield _tending(asked, question, end.exact, side)


def _far(asked: Asked, question: Question, side: int) -> Unreached:
    return _tending(asked, question, exact.Infinity(side), side)


def _tending(asked: Asked, question: Question, end: Number | None, side: int) -> Unreached:
    """Return what the formula tends to at *end*, from above (*side* 1) or from below."""
    if end is None:
        return Unreached(None)
    try:
        found = limit(asked.build, asked.node, question.unknown, end, question.values, {}, side)
    except CannotTell:
        return Unreached(None)
    if isinstance(found, g.Inf):
        return Unreached(exact.Infinity(found.sign))
    return Unreached(Evaluation(dict(question.values)).number(found))


# ---- the best of them


def _approached(asked: Asked, chosen: Optimum, unreached: list[Unreached]) -> Real | None:
    """Return the best of what the formula comes close to, where that is better than its best."""
    nearest: Real | None = None
    for each in unreached:
        if each.value is None:
            raise CannotTell("how good it gets near an end is not certain")
        if nearest is None or _ahead(asked, each.value, nearest) > 0:
            nearest = each.value
    if nearest is None or chosen.best is None:
        return nearest
    return nearest if _ahead(asked, nearest, chosen.best.value) > 0 else None


def _ahead(asked: Asked, a: Real, b: Real) -> int:
    """Return 1, 0 or -1 as *a* is better than, as good as or worse than *b*."""
    if isinstance(a, exact.Infinity) or isinstance(b, exact.Infinity):
        first, second = (x.sign if isinstance(x, exact.Infinity) else 0 for x in (a, b))
        return asked.side * ((first > second) - (first < second))
    gap = exact.subtract(a, b) if asked.side > 0 else exact.subtract(b, a)
    low, high = exact.ends(gap)
    if low > 0 or high < 0:
        return 1 if low > 0 else -1
    if low == high == 0:
        return 0
    raise CannotTell("which of two points is better is not certain")


def _best(asked: Asked, points: list[Tried]) -> Tried | None:
    best: Tried | None = None
    for point in points:
        if best is None or _ahead(asked, point.value, best.value) > 0:
            best = point
    return best


def _chosen(asked: Asked, points: list[Tried]) -> Optimum:
    if not points:
        return Optimum(reason="the formula has a value at no point")
    allowed = [point for point in points if not point.failing]
    best = _best(asked, allowed)
    if best is None:
        return _none(asked, points)
    rest = (point for point in allowed if point is not best)
    ties = 1 + sum(_ahead(asked, point.value, best.value) == 0 for point in rest)
    excluded = [p for p in points if p.failing and _ahead(asked, p.value, best.value) > 0]
    nearest = _best(replace(asked, side=-asked.side), excluded)
    return Optimum(best, ties, nearest, tried=len(points))


def _none(asked: Asked, points: list[Tried]) -> Optimum:
    everywhere = set(range(len(asked.conditions)))
    for point in points:
        everywhere &= set(point.failing)
    rest = [point for point in points if not set(point.failing) - everywhere]
    reason = "no point keeps all conditions"
    return Optimum(
        everywhere=tuple(sorted(everywhere)),
        aside=_best(asked, rest) if everywhere else None,
        tried=len(points),
        reason=reason,
    )
