"""Which side of every choice is the active one at a point, and what is left of a formula there."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from costlang.formula import graph as g
from costlang.formula.sums import rebuild
from costlang.model import exact
from costlang.solve.certified.points import NONE_DECIDED, Point, Worth
from costlang.solve.ground.budget import Budget, CannotTell
from costlang.solve.ground.places import MOST_BITS, Place, narrowed
from costlang.solve.ground.program import Program
from costlang.solve.ground.solution import Side


@dataclass(frozen=True, eq=False)
class Regime:
    """
    Formulas without choices in the unknown, equal to the whole ones near a point.

    *sides* says what was chosen, and *conditions* when that is so, both in the order in which the
    formulas are read; the conditions hold no choices in the unknown either.
    """

    formulas: tuple[g.Node, ...]
    sides: tuple[Side, ...]
    conditions: tuple[g.Node, ...]


def regime_at(
    build: g.Builder, formulas: tuple[g.Node, ...], program: Program, place: Place, budget: Budget
) -> Regime:
    """Return the regime of *formulas* at *place*; raises `CannotTell` where it is not certain."""
    work = _Resolving(build, program, place, budget)
    resolved = tuple(work.resolved(formula) for formula in formulas)
    return Regime(resolved, tuple(work.sides), tuple(dict.fromkeys(work.conditions)))


def holds_unknown(node: g.Node, unknown: g.Sym) -> set[g.Node]:
    """Return the nodes from *node* down that hang on *unknown*."""
    found: set[g.Node] = set()
    for at in g.walk(node):
        if at is unknown or any(child in found for child in at.children):
            found.add(at)
    return found


class _Resolving:
    def __init__(self, build: g.Builder, program: Program, place: Place, budget: Budget) -> None:
        self.build, self.program = build, program
        near = narrowed(place, MOST_BITS)
        x = near.low if near.exact is not None else exact.Interval(near.low, near.high)
        self.point = Point(program, x, budget, NONE_DECIDED)
        self.sides: list[Side] = []
        self.conditions: list[g.Node] = []
        self._memo: dict[g.Node, g.Node] = {}

    def resolved(self, formula: g.Node) -> g.Node:
        """Return *formula* with its choices made; what the unknown is not in stays as it is."""
        moving = holds_unknown(formula, self.program.unknown)
        for at in self._taken(formula, moving):
            if at not in self._memo:
                self._memo[at] = self._made(at, moving)
        return self._memo[formula]

    def _taken(self, node: g.Node, moving: set[g.Node]) -> list[g.Node]:
        """Return what is needed of a formula, those below before those above."""
        order: list[g.Node] = []
        seen: set[g.Node] = set()
        stack = [(node, False)]
        while stack:
            at, done = stack.pop()
            if done:
                order.append(at)
            elif at not in seen:
                seen.add(at)
                stack.append((at, True))
                stack.extend((child, False) for child in reversed(self._below(at, moving)))
        return order

    def _below(self, node: g.Node, moving: set[g.Node]) -> tuple[g.Node, ...]:
        if node not in moving:
            return ()
        match node:
            case g.Cond(condition=condition, yes=yes, no=no):
                return (*self._numbers(condition), yes if self._truth(condition) else no)
            case _:
                return node.children

    def _numbers(self, truth: g.Node) -> tuple[g.Node, ...]:
        """Return the numbers that a truth compares."""
        if isinstance(truth, g.Cmp):
            return truth.children
        return tuple(n for part in truth.children for n in self._numbers(part))

    # ---- one node

    def _made(self, node: g.Node, moving: set[g.Node]) -> g.Node:
        if node not in moving:
            return node
        match node:
            case g.Max() | g.Min():
                return self._side(node)
            case g.Cond():
                return self._branch(node)
            case g.Fn(function="ceil" | "floor"):
                return self._whole(node)
            case g.Fn(function="abs"):
                return self._absolute(node)
            case _:
                return rebuild(self.build, node, lambda child: self._memo[child])

    def _worth(self, node: g.Node) -> Fraction | exact.Interval:
        value = self._any(node)
        if isinstance(value, (Fraction, exact.Interval)):
            return value
        raise CannotTell("which side of a choice is active is not certain")

    def _any(self, node: g.Node) -> Worth:
        step = self.program.steps[self.program.at[node]]
        if step.kind == "inf":
            raise CannotTell("a choice has an infinite side")
        return self.point.worth(self.program.at[node])

    def _truth(self, condition: g.Node) -> bool:
        value = self._any(condition)
        if isinstance(value, bool):
            return value
        raise CannotTell("whether a condition holds is not certain")

    def _side(self, node: g.Max | g.Min) -> g.Node:
        """Take the greatest side; of several that are equal there, the first."""
        sides = [side for side in node.sides if not self._idle(side)]
        ends = [exact.ends(self._worth(side)) for side in sides]
        if isinstance(node, g.Min):
            ends = [(-high, -low) for low, high in ends]
        bar = max(low for low, _ in ends)
        active = next(side for side, (_, high) in zip(sides, ends, strict=True) if high >= bar)
        self.sides.append(Side(node, active))
        word = ">=" if isinstance(node, g.Max) else "<="
        for side in sides:
            if side is not active:
                self._require(self.build.cmp(word, self._memo[active], self._memo[side]))
        return self._memo[active]

    def _idle(self, side: g.Node) -> bool:
        return self.program.steps[self.program.at[side]].kind == "inf"

    def _require(self, condition: g.Node | bool) -> None:
        if isinstance(condition, g.Node):
            self.conditions.append(condition)

    def _branch(self, node: g.Cond) -> g.Node:
        chosen = node.yes if self._truth(node.condition) else node.no
        self.sides.append(Side(node, chosen))
        condition = self._condition(node.condition)
        self._require(condition if chosen is node.yes else self.build.no(condition))
        return self._memo[chosen]

    def _condition(self, truth: g.Node) -> g.Node | bool:
        """Return a condition with the choices in its numbers made."""
        build = self.build
        match truth:
            case g.Cmp(operator=word, left=left, right=right):
                return build.cmp(word, self._memo[left], self._memo[right])
            case g.All(parts=parts):
                return build.every(*map(self._condition, parts))
            case g.Any(parts=parts):
                return build.some(*map(self._condition, parts))
            case g.Not(part=part):
                return build.no(self._condition(part))
            case _:
                raise AssertionError(f"{type(truth).__name__} is no condition")

    def _whole(self, node: g.Fn) -> g.Node:
        value = self._any(node)
        if not isinstance(value, Fraction):
            raise CannotTell("how a number is rounded is not certain")
        build, inner = self.build, self._memo[node.argument]
        whole = build.num(value)
        self.sides.append(Side(node, whole))
        below, above = (value - 1, value) if node.function == "ceil" else (value, value + 1)
        words = ("<", "<=") if node.function == "ceil" else ("<=", "<")
        self._require(build.cmp(words[0], build.num(below), inner))
        self._require(build.cmp(words[1], inner, build.num(above)))
        return whole

    def _absolute(self, node: g.Fn) -> g.Node:
        inner = self._memo[node.argument]
        low, _ = exact.ends(self._worth(node.argument))
        positive = low >= 0
        made = inner if positive else self.build.neg(inner)
        self.sides.append(Side(node, made))
        self._require(self.build.cmp(">=" if positive else "<", inner, self.build.num(0)))
        return made
