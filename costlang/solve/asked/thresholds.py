"""For which values of another name an equation has a solution at all, and where that ends."""

from __future__ import annotations

from dataclasses import dataclass

from costlang.formula import graph as g
from costlang.solve.certified.question import Question
from costlang.solve.closed.explaining import explained, where
from costlang.solve.free.halves import on_the_line
from costlang.solve.free.positive import Reach, Reaches
from costlang.solve.free.symbolic import Branch
from costlang.solve.ground import spans
from costlang.solve.ground.budget import Budget, CannotTell
from costlang.solve.ground.domain import Domain
from costlang.solve.ground.places import Place, ceil, compare
from costlang.solve.ground.program import Values
from costlang.solve.ground.solution import Case, Ranges
from costlang.solve.ground.spans import Spans


@dataclass(frozen=True, eq=False)
class Threshold:
    """
    Where *other* must lie for a solution to exist.

    *spans* are the stretches, *integers* the whole numbers in them when its domain is of whole
    numbers. *edges* are the ends that are no ends of its domain, with their closed forms.
    *branches* say what the solution is there. When it is not *decided*, *reason* says why.
    """

    spans: Spans = ()
    integers: Ranges = ()
    edges: tuple[Case, ...] = ()
    branches: tuple[Branch, ...] = ()
    decided: bool = True
    reason: str = ""


def threshold(
    build: g.Builder,
    left: g.Node,
    right: g.Node,
    unknown: g.Sym,
    domain: Domain,
    other: g.Sym,
    other_domain: Domain,
    values: Values,
    reaches: Reaches,
    budget: Budget,
) -> Threshold:
    """Return for which *other* there is an *unknown* above zero with `left == right`."""
    low, high = other_domain.low, other_domain.high
    bounds = {**reaches, other: Reach(low, high, other_domain.open_low)}
    known = {s: v for s, v in values.items() if s not in (unknown, other)}
    found = on_the_line(build, left, right, unknown, domain, known, bounds)
    if not found.complete:
        return Threshold(decided=False, reason=found.reason)
    question = Question(build, left, "==", right, other, other_domain, known)
    try:
        held = _held(question, found.branches, budget)
    except CannotTell as fault:
        return Threshold(branches=found.branches, decided=False, reason=str(fault))
    ranges = spans.whole_ranges(held) if other_domain.whole else ()
    edges = tuple(_edges(question, found.branches, held, budget))
    return Threshold(held, ranges, edges, found.branches)


def _held(question: Question, branches: tuple[Branch, ...], budget: Budget) -> Spans:
    """Return where the conditions of any branch hold."""
    total: Spans = ()
    for branch in branches:
        own = question.domain.spans
        for condition in branch.conditions:
            own = spans.meet(own, where(question, condition, budget))
        if own and not (branch.count == "one" or (branch.sure and not branch.within)):
            raise CannotTell("whether there is a solution in a regime is not certain")
        total = spans.join(total, own)
    return total


def _edges(
    question: Question, branches: tuple[Branch, ...], held: Spans, budget: Budget
) -> list[Case]:
    ends = [end for each in held for end in (each.low, each.high) if end is not None]
    around = question.domain.around
    limits = [end for end in (around.low, around.high) if end is not None]
    inner = [end for end in ends if all(compare(end, limit) != 0 for limit in limits)]
    return [_edge(question, branches, end, budget) for end in inner]


def _edge(question: Question, branches: tuple[Branch, ...], end: Place, budget: Budget) -> Case:
    """Return an end in closed form: one side of a condition is equal to the other there."""
    from dataclasses import replace

    plain = Case(end, ceil(end))
    for branch in branches:
        for condition in branch.conditions:
            if not isinstance(condition, g.Cmp):
                continue
            asked = replace(question, left=condition.left, relation="==", right=condition.right)
            case = explained(asked, plain, budget)
            if case.formula is not None:
                return case
    return plain
