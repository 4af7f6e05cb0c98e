"""Solving: the certain numbers, the closed form behind them, and the reason where there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from costlang.formula import graph as g
from costlang.solve.budget import DEFAULT_STEPS, Budget, CannotTell, Unsupported
from costlang.solve.domain import POSITIVE, Domain, integers, members, reals
from costlang.solve.explaining import explained
from costlang.solve.places import Place
from costlang.solve.program import Number
from costlang.solve.solution import Case, Kind, Side, Solution, Why
from costlang.solve.solving import Question, solved
from costlang.solve.spans import Span, Spans

__all__ = [
    "DEFAULT_STEPS",
    "POSITIVE",
    "Budget",
    "CannotTell",
    "Case",
    "Domain",
    "Kind",
    "Number",
    "Place",
    "Side",
    "Solution",
    "Span",
    "Spans",
    "Unsupported",
    "Why",
    "integers",
    "members",
    "reals",
    "solve",
]

MOST_EXPLAINED = 12
"""So many solutions are brought into closed form; more are numbers alone."""


def solve(
    build: g.Builder,
    left: g.Node,
    relation: str,
    right: g.Node,
    unknown: g.Sym,
    domain: Domain = POSITIVE,
    values: Mapping[g.Sym, Number] | None = None,
    *,
    steps: int = DEFAULT_STEPS,
) -> Solution:
    """
    Return all *unknown* in *domain* for which `left relation right`, certified.

    *relation* is one of `== != < <= > >=`. *values* are what the other symbols are worth; those
    that stand in the formulas must all have one. A formula stands for its real extension: a sum
    up to the unknown is a polynomial in it. *steps* bounds the work; what is not decided within
    it is said to be undecided, never guessed.
    """
    question = Question(build, left, relation, right, unknown, domain, dict(values or {}))
    budget = Budget(steps)
    found = solved(question, budget)
    if relation == "==" and len(found.cases) <= MOST_EXPLAINED:
        cases = tuple(explained(question, case, budget) for case in found.cases)
        found = replace(found, cases=cases)
    return replace(found, steps=budget.spent)
