"""The whole answer to an equation or inequality: numbers, closed forms, and why there is none."""

from __future__ import annotations

from dataclasses import replace

from costlang.formula import graph as g
from costlang.model.exact import INFINITY
from costlang.solve.certified.question import Question, solved
from costlang.solve.closed.explaining import explained
from costlang.solve.free.limits import limit
from costlang.solve.ground.budget import Budget, CannotTell
from costlang.solve.ground.domain import POSITIVE, Domain
from costlang.solve.ground.places import Place
from costlang.solve.ground.program import Values
from costlang.solve.ground.solution import Kind, Solution

MOST_EXPLAINED = 12
"""So many solutions are brought into closed form; more are numbers alone."""


def asked_about(
    build: g.Builder,
    left: g.Node,
    relation: str,
    right: g.Node,
    unknown: g.Sym,
    domain: Domain,
    values: Values,
) -> Question:
    """Return the question; a value of the unknown itself is put aside."""
    known = {symbol: value for symbol, value in values.items() if symbol is not unknown}
    return Question(build, left, relation, right, unknown, domain, known)


def solution(question: Question, budget: Budget) -> Solution:
    """Return the numbers with their closed forms; for none, what would be needed elsewhere."""
    found = solved(question, budget)
    if question.relation == "==" and len(found.cases) <= MOST_EXPLAINED:
        found = replace(
            found, cases=tuple(explained(question, case, budget) for case in found.cases)
        )
    if found.kind is Kind.NONE:
        found = replace(found, towards=_towards(question))
        if question.relation == "==":
            found = replace(found, outside=_outside(question, found, budget))
    return replace(found, steps=budget.spent)


def _outside(question: Question, found: Solution, budget: Budget) -> tuple[Place, ...]:
    """Return the solutions above zero that the domain leaves out."""
    if found.outside:
        return found.outside
    wider = solved(replace(question, domain=POSITIVE), budget)
    return tuple(case.value for case in wider.cases)


def _towards(question: Question) -> g.Node | None:
    """Return what `left / right` tends to where the domain has no end, None when not known."""
    if question.domain.high is not None or question.domain.members or g.is_zero(question.right):
        return None
    build = question.build
    try:
        quotient = build.div(question.left, question.right)
        return limit(build, quotient, question.unknown, INFINITY, question.values, {})
    except (CannotTell, ZeroDivisionError):
        return None
