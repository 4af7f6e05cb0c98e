"""
Solving: the certain numbers, the closed form behind them, and the reason where there is none.

Every function takes the `Builder` that made the formulas and *values*, what symbols are worth;
nothing is read from a symbol's own default. Work is bounded in steps, and what is not decided
within them is said to be undecided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from costlang.formula import graph as g
from costlang.model.exact import Infinity
from costlang.solve.asked import answering
from costlang.solve.asked.answering import asked_about
from costlang.solve.asked.extremes import Extreme, Found, extreme
from costlang.solve.asked.free_systems import FreePoint, FreeSystem
from costlang.solve.asked.free_systems import free_system as _free_system
from costlang.solve.asked.optimizing import Asked, Optimum, Tried
from costlang.solve.asked.optimizing import optimum as _optimum
from costlang.solve.asked.sensitivity import Elasticity, elasticities
from costlang.solve.asked.systems import Equation, Point, System
from costlang.solve.asked.systems import system as _system
from costlang.solve.asked.thresholds import Threshold
from costlang.solve.asked.thresholds import threshold as _threshold
from costlang.solve.asked.wholes import Near, Wholes, in_question, wholes
from costlang.solve.free.combining import Combined
from costlang.solve.free.combining import combined as _combined
from costlang.solve.free.halves import on_the_line
from costlang.solve.free.limits import limit as _limit
from costlang.solve.free.positive import Reach, Reaches
from costlang.solve.free.symbolic import Branch, Symbolic
from costlang.solve.ground.budget import DEFAULT_STEPS, Budget, CannotTell, Unsupported
from costlang.solve.ground.domain import POSITIVE, Domain, integers, members, reals
from costlang.solve.ground.places import Place
from costlang.solve.ground.program import Number
from costlang.solve.ground.solution import Case, Kind, Side, Solution, Why
from costlang.solve.ground.spans import Span, Spans

__all__ = [
    "DEFAULT_STEPS",
    "POSITIVE",
    "Branch",
    "CannotTell",
    "Case",
    "Combined",
    "Domain",
    "Elasticity",
    "Equation",
    "Extreme",
    "Found",
    "FreePoint",
    "FreeSystem",
    "Infinity",
    "Kind",
    "Near",
    "Number",
    "Optimum",
    "Place",
    "Point",
    "Reach",
    "Side",
    "Solution",
    "Span",
    "Spans",
    "Symbolic",
    "System",
    "Threshold",
    "Tried",
    "Unsupported",
    "Wholes",
    "Why",
    "combined",
    "elasticities",
    "in_question",
    "integers",
    "largest",
    "limit",
    "members",
    "optimum",
    "reals",
    "smallest",
    "solve",
    "solve_free_system",
    "solve_symbolic",
    "solve_system",
    "threshold",
    "wholes",
]

Values = Mapping[g.Sym, Number]
NOTHING: Values = {}


def solve(
    build: g.Builder,
    left: g.Node,
    relation: str,
    right: g.Node,
    unknown: g.Sym,
    domain: Domain = POSITIVE,
    values: Values = NOTHING,
    *,
    steps: int = DEFAULT_STEPS,
) -> Solution:
    """
    Return all *unknown* in *domain* for which `left relation right`, certified.

    *relation* is one of `== != < <= > >=`. All other symbols of both sides have a value. A
    formula stands for its real extension: a sum up to the unknown is a polynomial in it. An
    equation over whole numbers has whole solutions alone; for "the first whole number beyond the
    break-even" ask over the real numbers and read `first_integer`.
    """
    question = asked_about(build, left, relation, right, unknown, domain, values)
    return answering.solution(question, Budget(steps))


def solve_symbolic(
    build: g.Builder,
    left: g.Node,
    right: g.Node,
    unknown: g.Sym,
    domain: Domain = POSITIVE,
    values: Values = NOTHING,
    bounds: Reaches | None = None,
) -> Symbolic:
    """
    Return all *unknown* in *domain* with `left == right` where other symbols have no numbers.

    Each branch is one regime: a closed form, and conditions that do not hold the unknown.
    *bounds* are those of the free symbols; without, their declared ones count.
    """
    return on_the_line(build, left, right, unknown, domain, values, bounds or {})


def combined(
    build: g.Builder,
    left: g.Node,
    right: g.Node,
    unknown: g.Sym,
    values: Values = NOTHING,
    bounds: Reaches | None = None,
) -> Combined | None:
    """
    Return one formula for `max(…) == right` or `min(…) == right` whose sides all rise or fall.

    With `rising` 1, `max(…) <= right` holds for every unknown up to it.
    """
    return _combined(build, left, right, unknown, values, bounds or {})


def threshold(
    build: g.Builder,
    left: g.Node,
    right: g.Node,
    unknown: g.Sym,
    domain: Domain,
    other: g.Sym,
    other_domain: Domain,
    values: Values,
    *,
    steps: int = DEFAULT_STEPS,
) -> Threshold:
    """Return for which *other* there is any *unknown* with `left == right`, and where that ends."""
    budget = Budget(steps)
    return _threshold(build, left, right, unknown, domain, other, other_domain, values, {}, budget)


def largest(
    build: g.Builder,
    unknown: g.Sym,
    conditions: Sequence[g.Node | bool],
    domain: Domain = POSITIVE,
    values: Values = NOTHING,
    *,
    steps: int = DEFAULT_STEPS,
) -> Extreme:
    """Return the largest *unknown* in *domain* that keeps all *conditions*, and which one binds."""
    question = asked_about(build, unknown, "==", unknown, unknown, domain, values)
    return extreme(question, conditions, 1, Budget(steps))


def smallest(
    build: g.Builder,
    unknown: g.Sym,
    conditions: Sequence[g.Node | bool],
    domain: Domain = POSITIVE,
    values: Values = NOTHING,
    *,
    steps: int = DEFAULT_STEPS,
) -> Extreme:
    """Return the smallest *unknown* in *domain* that keeps all *conditions*."""
    question = asked_about(build, unknown, "==", unknown, unknown, domain, values)
    return extreme(question, conditions, -1, Budget(steps))


def optimum(
    build: g.Builder,
    node: g.Node,
    axes: Mapping[g.Sym, Sequence[Number]],
    open_axis: tuple[g.Sym, Domain] | None,
    conditions: Sequence[g.Node],
    values: Values = NOTHING,
    *,
    least: bool = False,
    steps: int = DEFAULT_STEPS,
) -> Optimum:
    """Return the greatest (or *least*) value over finite axes and at most one open one."""
    asked = Asked(build, node, axes, open_axis, conditions, values, -1 if least else 1)
    return _optimum(asked, Budget(steps))


def limit(
    build: g.Builder,
    node: g.Node,
    unknown: g.Sym,
    towards: Number,
    values: Values = NOTHING,
    bounds: Reaches | None = None,
    side: int = 1,
) -> g.Node:
    """
    Return the limit of *node*, as a formula in the other symbols or an `Inf`.

    *towards* is a number, reached from above or from below by *side*, or an `Infinity`. Raises
    `CannotTell` where there is none or where it hangs on the values of other symbols.
    """
    return _limit(build, node, unknown, towards, values, bounds or {}, side)


def solve_system(
    build: g.Builder,
    equations: Sequence[Equation],
    unknowns: Mapping[g.Sym, Domain],
    values: Values = NOTHING,
    *,
    steps: int = DEFAULT_STEPS,
) -> System:
    """Return all *unknowns*, above zero, for which all *equations* hold."""
    return _system(build, tuple(equations), unknowns, values, Budget(steps))


def solve_free_system(
    build: g.Builder,
    equations: Sequence[Equation],
    unknowns: Mapping[g.Sym, Domain],
    values: Values = NOTHING,
    *,
    steps: int = DEFAULT_STEPS,
) -> FreeSystem:
    """Return formulas of all *unknowns* for which all *equations* hold, with their conditions."""
    return _free_system(build, tuple(equations), unknowns, values, Budget(steps))
