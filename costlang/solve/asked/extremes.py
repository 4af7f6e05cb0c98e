"""The largest or smallest unknown that keeps its conditions, and which of them binds there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction

from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation
from costlang.model import exact
from costlang.solve.certified.question import Question
from costlang.solve.closed.explaining import explained, where
from costlang.solve.ground import places, spans
from costlang.solve.ground.budget import Budget, CannotTell
from costlang.solve.ground.places import Place, compare, narrowed
from costlang.solve.ground.solution import Case
from costlang.solve.ground.spans import Span, Spans


class Found(Enum):
    """Whether there is a largest or smallest one."""

    FOUND = "found"
    UNBOUNDED = "unbounded"
    NONE = "none"
    UNDECIDED = "undecided"


@dataclass(frozen=True, eq=False)
class Extreme:
    """
    The boundary, and what makes it one.

    *value* is the boundary as a real number, *attained* whether it keeps the conditions itself;
    *whole* the outermost whole number that does, when the domain is of whole numbers. *binding*
    are the conditions, by their place among *conditions*, that fail just outside; none of them
    when the domain ends there. *case* is the boundary in closed form. *slack* is for each
    condition how far its sides are apart at the answer, above zero where it holds, None where
    that cannot be told. *next_value* is where the boundary would be without those that bind, and
    *next_binding* what would bind then. Where there is none, *failing* are conditions that cannot
    be kept together.
    """

    found: Found
    conditions: tuple[g.Node, ...]
    value: Place | None = None
    attained: bool = False
    whole: int | None = None
    binding: tuple[int, ...] = ()
    case: Case | None = None
    slack: tuple[exact.Real | None, ...] = ()
    next_value: Place | None = None
    next_binding: tuple[int, ...] = ()
    failing: tuple[int, ...] = ()
    reason: str = ""


@dataclass(frozen=True, eq=False)
class _Asked:
    """The question, its single conditions, and where each of them holds."""

    question: Question
    conditions: tuple[g.Node, ...]
    kept: tuple[Spans, ...]
    side: int


def extreme(
    question: Question, conditions: Sequence[g.Node | bool], side: int, budget: Budget
) -> Extreme:
    """Return the largest (*side* 1) or smallest (-1) unknown of the domain."""
    single = tuple(_single(conditions))
    if False in conditions:
        return Extreme(Found.NONE, single, reason="a condition never holds")
    try:
        kept = tuple(_where(question, each, budget) for each in single)
        asked = _Asked(question, single, kept, side)
        return _answered(asked, budget)
    except CannotTell as fault:
        return Extreme(Found.UNDECIDED, single, reason=str(fault))


def _single(conditions: Sequence[g.Node | bool]) -> Iterator[g.Node]:
    for condition in conditions:
        if isinstance(condition, g.All):
            yield from _single(condition.parts)
        elif isinstance(condition, g.Node):
            yield condition


def _where(question: Question, condition: g.Node, budget: Budget) -> Spans:
    """Return where a condition holds in the domain."""
    if question.domain.members:
        return tuple(
            spans.point(places.at(x))
            for x in question.domain.members
            if _holds(question, condition, x)
        )
    return where(question, condition, budget)


def _holds(question: Question, condition: g.Node, x: Fraction) -> bool:
    try:
        truth = Evaluation({**question.values, question.unknown: x}).truth(condition)
    except exact.OutOfDomain:
        return False
    if isinstance(truth, bool):
        return truth
    raise CannotTell("whether a condition holds is not certain")


# ---- the boundary


def _answered(asked: _Asked, budget: Budget) -> Extreme:
    held = _meet(asked, frozenset())
    outermost = _outermost(asked, held)
    if outermost is None:
        return _none(asked)
    if _end(outermost, asked.side) is None:
        return Extreme(Found.UNBOUNDED, asked.conditions, reason=_unbounded(asked))
    value = _boundary(outermost, asked.side)
    whole = _whole(asked, outermost)
    binding = _binding(asked, outermost)
    found = Extreme(
        Found.FOUND, asked.conditions, value, _closed(outermost, asked.side), whole, binding
    )
    answer = Fraction(whole) if whole is not None else value.exact
    found = replace(found, slack=_slack(asked, answer, value), case=_case(asked, found, budget))
    return _with_next(asked, found)


def _meet(asked: _Asked, without: frozenset[int]) -> Spans:
    held: Spans = asked.question.domain.spans
    for at, kept in enumerate(asked.kept):
        if at not in without:
            held = spans.meet(held, kept)
    return held


def _outermost(asked: _Asked, held: Spans) -> Span | None:
    """Return the last stretch that counts: for whole numbers one that holds any."""
    if asked.question.domain.whole:
        held = tuple(each for each in held if each.whole() is not None)
    if not held:
        return None
    return held[-1] if asked.side > 0 else held[0]


def _end(each: Span, side: int) -> Place | None:
    return each.high if side > 0 else each.low


def _closed(each: Span, side: int) -> bool:
    return each.high_in if side > 0 else each.low_in


def _boundary(each: Span, side: int) -> Place:
    end = _end(each, side)
    assert end is not None
    return end


def _whole(asked: _Asked, each: Span) -> int | None:
    if not asked.question.domain.whole:
        return None
    pair = each.whole()
    assert pair is not None
    return pair[1] if asked.side > 0 else pair[0]


def _binding(asked: _Asked, outermost: Span) -> tuple[int, ...]:
    """Return the conditions that fail just outside the boundary."""
    end = _boundary(outermost, asked.side)
    if _closed(outermost, asked.side) and _is_end_of_domain(asked, end):
        return ()
    whole = _whole(asked, outermost)
    failing = [at for at, kept in enumerate(asked.kept) if _ends_at(kept, end, asked.side)]
    if whole is not None:
        beyond = places.at(whole + asked.side)
        at_next = [at for at, kept in enumerate(asked.kept) if not _inside(kept, beyond)]
        return tuple(at for at in at_next if at in failing) or tuple(at_next)
    return tuple(failing)


def _is_end_of_domain(asked: _Asked, end: Place) -> bool:
    limit = _end(asked.question.domain.around, asked.side)
    return limit is not None and compare(limit, end) == 0


def _ends_at(kept: Spans, end: Place, side: int) -> bool:
    return any((own := _end(each, side)) is not None and compare(own, end) == 0 for each in kept)


def _inside(kept: Spans, x: Place) -> bool:
    return any(each.holds(x) for each in kept)


def _slack(asked: _Asked, answer: Fraction | None, value: Place) -> tuple[exact.Real | None, ...]:
    near = narrowed(value, places.MOST_BITS)
    x: exact.Real = answer if answer is not None else exact.Interval(near.low, near.high)
    evaluation = Evaluation({**asked.question.values, asked.question.unknown: x})
    return tuple(_room(evaluation, condition) for condition in asked.conditions)


def _room(evaluation: Evaluation, condition: g.Node) -> exact.Real | None:
    if not isinstance(condition, g.Cmp):
        return None
    small, large = condition.left, condition.right
    if condition.operator in (">", ">="):
        small, large = large, small
    try:
        return exact.subtract(evaluation.number(large), evaluation.number(small))
    except ArithmeticError:
        return None


# ---- in closed form, and what would come next


def _case(asked: _Asked, found: Extreme, budget: Budget) -> Case | None:
    """Return the boundary in closed form, from the comparison that binds."""
    if found.value is None or asked.question.domain.members:
        return None
    plain = Case(found.value, None)
    for at in found.binding:
        for comparison in _comparisons(asked.conditions[at]):
            equation = replace(
                asked.question, left=comparison.left, relation="==", right=comparison.right
            )
            case = explained(equation, plain, budget)
            if case.formula is not None:
                return case
    return plain


def _comparisons(condition: g.Node) -> Iterator[g.Cmp]:
    if isinstance(condition, g.Cmp):
        yield condition
    elif isinstance(condition, (g.All, g.Any, g.Not)):
        for part in condition.children:
            yield from _comparisons(part)


def _with_next(asked: _Asked, found: Extreme) -> Extreme:
    if not found.binding or len(found.binding) == len(asked.conditions):
        return found
    outermost = _outermost(asked, _meet(asked, frozenset(found.binding)))
    if outermost is None or _end(outermost, asked.side) is None:
        return found
    others = _binding(_without(asked, frozenset(found.binding)), outermost)
    return replace(found, next_value=_boundary(outermost, asked.side), next_binding=others)


def _without(asked: _Asked, binding: frozenset[int]) -> _Asked:
    """Return what is asked, with conditions that always hold in the place of some."""
    everywhere = asked.question.domain.spans
    kept = tuple(everywhere if at in binding else own for at, own in enumerate(asked.kept))
    return replace(asked, kept=kept)


# ---- where there is none


def _none(asked: _Asked) -> Extreme:
    alone = tuple(
        at
        for at, kept in enumerate(asked.kept)
        if _outermost(asked, spans.meet(kept, asked.question.domain.spans)) is None
    )
    if alone:
        reason = "a condition holds nowhere in the domain"
        return Extreme(Found.NONE, asked.conditions, failing=alone, reason=reason)
    for first in range(len(asked.kept)):
        for second in range(first):
            both = spans.meet(asked.kept[first], asked.kept[second])
            if _outermost(asked, spans.meet(both, asked.question.domain.spans)) is None:
                reason = "two conditions hold nowhere together"
                pair = (second, first)
                return Extreme(Found.NONE, asked.conditions, failing=pair, reason=reason)
    every = tuple(range(len(asked.kept)))
    reason = "the conditions hold nowhere together"
    return Extreme(Found.NONE, asked.conditions, failing=every, reason=reason)


def _unbounded(asked: _Asked) -> str:
    word = "large" if asked.side > 0 else "small"
    return f"the conditions hold however {word} it is"
