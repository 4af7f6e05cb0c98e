"""Several equations for several unknowns, with names left free: formulas and their conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from costlang.formula import graph as g
from costlang.solve.asked.systems import Equation, Isolating, Rest
from costlang.solve.closed.tidying import length, named, opened, simplest
from costlang.solve.free.conditions import above_zero
from costlang.solve.free.halves import on_the_line
from costlang.solve.free.implied import without_implied
from costlang.solve.free.positive import Signing
from costlang.solve.free.symbolic import Branch
from costlang.solve.ground.budget import Budget, CannotTell
from costlang.solve.ground.domain import Domain
from costlang.solve.ground.prepare import substituted
from costlang.solve.ground.program import Values


@dataclass(frozen=True, eq=False)
class FreePoint:
    """
    One solution: the formula of each unknown, and the *conditions* under which it is one.

    An unknown that is its own formula may be anything that keeps the conditions.
    """

    formulas: Mapping[g.Sym, g.Node]
    conditions: tuple[g.Node, ...]


@dataclass(frozen=True, eq=False)
class FreeSystem:
    """All solutions; none where no conditions hold. Not *decided* where some may be missing."""

    points: tuple[FreePoint, ...] = ()
    decided: bool = True
    reason: str = ""


def free_system(
    build: g.Builder,
    equations: tuple[Equation, ...],
    unknowns: Mapping[g.Sym, Domain],
    values: Values,
    budget: Budget,
) -> FreeSystem:
    """Return all *unknowns* in their domains for which all *equations* hold, as formulas."""
    work = _FreeSystem(build, unknowns, values, budget)
    try:
        points = tuple(work.points(Rest(equations, tuple(unknowns), (), ())))
    except CannotTell as fault:
        return FreeSystem(decided=False, reason=str(fault))
    return FreeSystem(points)


class _FreeSystem(Isolating[FreePoint]):
    def last(self, rest: Rest) -> Iterator[FreePoint]:
        """Yield the formulas for the last unknown, put back into all others."""
        (unknown,) = rest.unknowns
        (left, right), *others = rest.equations
        if others:
            raise CannotTell("there are more equations than unknowns")
        domain = self.unknowns[unknown]
        made = on_the_line(
            self.build, left, right, unknown, domain, self.values, self.reaches(), self.budget
        )
        if not made.complete:
            raise CannotTell(made.reason)
        for branch in made.branches:
            point = self._point(rest, unknown, branch)
            if point is not None:
                yield point

    def _point(self, rest: Rest, unknown: g.Sym, branch: Branch) -> FreePoint | None:
        """Return the whole point, None where its conditions never hold."""
        formula = unknown if branch.count == "all" else branch.formula
        if formula is None or branch.count not in ("one", "all"):
            raise CannotTell("the last unknown has no one closed form")
        known: dict[g.Node, g.Node] = {unknown: self._short(formula)}
        for symbol, formula in rest.isolated:
            known[symbol] = self._short(substituted(self.build, formula, known))
        conditions: list[g.Node] = [*branch.conditions, *branch.within]
        signing = Signing(self.build, {}, self.values, self.budget)
        for condition in rest.conditions:
            truth = self._condition(signing, substituted(self.build, condition, known))
            if truth is False:
                return None
            if isinstance(truth, g.Node):
                conditions.append(truth)
        kept = without_implied(self.build, signing, tuple(conditions))
        return FreePoint({symbol: known[symbol] for symbol in self.unknowns}, kept)

    def _condition(self, signing: Signing, condition: g.Node | bool) -> g.Node | bool:
        """Return a condition in short."""
        if isinstance(condition, g.Cmp) and condition.operator in (">", ">=", "=="):
            gap = self.build.sub(condition.left, condition.right)
            return above_zero(self.build, signing, gap, condition.operator)
        return condition

    def _short(self, formula: g.Node) -> g.Node:
        """Return *formula* as one quotient where that is shorter."""
        made = (simplest(self.build, formula, stop) for stop in (named, opened))
        return min((formula, *made), key=length)
