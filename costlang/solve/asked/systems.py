"""Several equations for several unknowns, where one after the other can be isolated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation
from costlang.model import exact
from costlang.model.exact import Real
from costlang.solve.certified.question import Question, solved
from costlang.solve.closed.regimes import holds_unknown
from costlang.solve.free.halves import on_the_line
from costlang.solve.free.positive import Reach, Reaches
from costlang.solve.free.symbolic import Branch
from costlang.solve.ground.budget import Budget, CannotTell
from costlang.solve.ground.domain import Domain
from costlang.solve.ground.places import MOST_BITS, narrowed
from costlang.solve.ground.prepare import substituted
from costlang.solve.ground.program import Values
from costlang.solve.ground.solution import Kind

Equation = tuple[g.Node, g.Node]
MOST_WAYS = 64


@dataclass(frozen=True, eq=False)
class Point:
    """One solution: what each unknown is worth, exactly or enclosed, and as a formula if known."""

    values: Mapping[g.Sym, Real]
    formulas: Mapping[g.Sym, g.Node]


@dataclass(frozen=True, eq=False)
class System:
    """All solutions, or why it is not known whether these are all."""

    kind: Kind
    points: tuple[Point, ...] = ()
    reason: str = ""


@dataclass(frozen=True, eq=False)
class Rest:
    """Equations still to be solved, with what was isolated before, last first."""

    equations: tuple[Equation, ...]
    unknowns: tuple[g.Sym, ...]
    isolated: tuple[tuple[g.Sym, g.Node], ...]
    conditions: tuple[g.Node, ...]


def system(
    build: g.Builder,
    equations: tuple[Equation, ...],
    unknowns: Mapping[g.Sym, Domain],
    values: Values,
    budget: Budget,
) -> System:
    """
    Return all *unknowns* in their domains for which all *equations* hold.

    An unknown is isolated in an equation where it has one closed form in each regime, and put
    into the others; the last one is solved with numbers. All names but the unknowns have
    *values*, and the unknowns are above zero.
    """
    work = _System(build, unknowns, values, budget)
    try:
        points = tuple(work.points(Rest(equations, tuple(unknowns), (), ())))
    except CannotTell as fault:
        return System(Kind.UNDECIDED, reason=str(fault))
    kinds = {0: Kind.NONE, 1: Kind.ONE}
    return System(kinds.get(len(points), Kind.MANY), points)


Found = TypeVar("Found")


class Isolating(Generic[Found]):
    """
    Isolates one unknown after the other, each where it has one closed form in each regime.

    What becomes of the `last` one is for those that derive from this.
    """

    def __init__(
        self,
        build: g.Builder,
        unknowns: Mapping[g.Sym, Domain],
        values: Values,
        budget: Budget,
    ) -> None:
        self.build, self.unknowns, self.values, self.budget = build, unknowns, values, budget
        self.ways = 0

    def last(self, rest: Rest) -> Iterator[Found]:
        """Yield all solutions once a single unknown is left."""
        raise NotImplementedError

    def points(self, rest: Rest) -> Iterator[Found]:
        """Yield all solutions of *rest*."""
        self.ways += 1
        if self.ways > MOST_WAYS:
            raise CannotTell("there are too many regimes")
        if len(rest.unknowns) == 1:
            yield from self.last(rest)
            return
        at, unknown, branches = self._isolated(rest)
        left = tuple(u for u in rest.unknowns if u is not unknown)
        for branch in branches:
            assert branch.formula is not None
            new: dict[g.Node, g.Node] = {unknown: branch.formula}
            others = tuple(
                (substituted(self.build, a, new), substituted(self.build, b, new))
                for n, (a, b) in enumerate(rest.equations)
                if n != at
            )
            isolated = ((unknown, branch.formula), *rest.isolated)
            conditions = (*rest.conditions, *branch.conditions)
            yield from self.points(Rest(others, left, isolated, conditions))

    def _isolated(self, rest: Rest) -> tuple[int, g.Sym, tuple[Branch, ...]]:
        """Return an equation and an unknown that it gives in closed form, the simplest first."""
        found: list[tuple[int, int, g.Sym, tuple[Branch, ...]]] = []
        for at, (left, right) in enumerate(rest.equations):
            for unknown in rest.unknowns:
                if not self._holds(unknown, left, right):
                    continue
                made = on_the_line(
                    self.build, left, right, unknown, self.unknowns[unknown], self.values,
                    self.reaches(),
                )  # fmt: skip
                if made.complete and all(is_single(branch) for branch in made.branches):
                    found.append((len(made.branches), at, unknown, made.branches))
        if not found:
            raise CannotTell("no unknown can be isolated")
        _, at, unknown, branches = min(found, key=lambda each: (each[0] == 0, each[0], each[1]))
        return at, unknown, branches

    def _holds(self, unknown: g.Sym, left: g.Node, right: g.Node) -> bool:
        return unknown in holds_unknown(left, unknown) | holds_unknown(right, unknown)

    def reaches(self) -> Reaches:
        """Return the bounds of the unknowns."""
        return {
            symbol: Reach(domain.low, domain.high, domain.open_low)
            for symbol, domain in self.unknowns.items()
        }


class _System(Isolating[Point]):
    def last(self, rest: Rest) -> Iterator[Point]:
        """Yield the points at which the last equation holds, certified."""
        (unknown,) = rest.unknowns
        (left, right), *others = rest.equations
        question = Question(
            self.build, left, "==", right, unknown, self.unknowns[unknown], self.values
        )
        found = solved(question, self.budget)
        if found.kind in (Kind.UNDECIDED, Kind.INTERVALS, Kind.EVERYWHERE):
            raise CannotTell(found.reason or "the equations leave an unknown open")
        if others:
            raise CannotTell("there are more equations than unknowns")
        for case in found.cases:
            near = narrowed(case.value, MOST_BITS)
            worth: Real = (
                near.low if near.exact is not None else exact.Interval(near.low, near.high)
            )
            point = self._back(rest, unknown, worth)
            if point is not None:
                yield point

    def _back(self, rest: Rest, unknown: g.Sym, worth: Real) -> Point | None:
        """Return the whole point, None when a condition or a domain leaves it out."""
        known: dict[g.Sym, Real] = {**self.values, unknown: worth}
        for symbol, formula in rest.isolated:
            try:
                known[symbol] = Evaluation(known).number(formula)
            except exact.OutOfDomain:
                return None
        if not all(self._within(symbol, known[symbol]) for symbol in self.unknowns):
            return None
        for condition in rest.conditions:
            truth = Evaluation(known).truth(condition)
            if truth is False:
                return None
            if truth is not True:
                raise CannotTell("whether a regime is the active one is not certain")
        point = {symbol: known[symbol] for symbol in self.unknowns}
        return Point(point, dict(rest.isolated))

    def _within(self, symbol: g.Sym, worth: Real) -> bool:
        domain = self.unknowns[symbol]
        if isinstance(worth, Fraction):
            return domain.holds(worth)
        low, high = (domain.holds(Fraction(end)) for end in exact.ends(worth))
        if low != high:
            raise CannotTell("whether a number is in its domain is not certain")
        return low


def is_single(branch: Branch) -> bool:
    """Whether a branch is one closed form."""
    return branch.count == "one" and branch.formula is not None
