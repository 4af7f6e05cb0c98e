"""Where the active side of a choice changes along one symbol, placed exactly."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from costlang.formula import graph as g
from costlang.formula import polynomial as p
from costlang.formula.evaluate import Evaluation, Values
from costlang.model.exact import Real
from costlang.model.work import TooMuchWork

Ratio = tuple[p.Polynomial, p.Polynomial]
"""A rational function: above, below."""

MOST_DEGREE = 24


@dataclass(frozen=True)
class Break:
    """A place at which *choice* changes its active side."""

    at: p.Root
    choice: g.Node


@dataclass(frozen=True)
class Breaks:
    """All places, in order; *unplaced* are choices in which the symbol stands in no polynomial."""

    places: tuple[Break, ...]
    unplaced: tuple[g.Node, ...]


def breakpoints(
    node: g.Node, symbol: g.Sym, low: Fraction, high: Fraction, values: Values | None = None
) -> Breaks:
    """
    Return where a `max`, a `min` or an `if` in *node* changes sides, for *symbol* in *low..high*.

    Choices inside others come first, so that between two places every inner side is decided.
    """
    return _Search(symbol, low, high, dict(values or {})).search(node)


class _Search:
    def __init__(
        self, symbol: g.Sym, low: Fraction, high: Fraction, values: dict[g.Sym, Real]
    ) -> None:
        self.symbol, self.low, self.high, self.values = symbol, low, high, values
        self._holds: dict[g.Node, bool] = {}

    def search(self, node: g.Node) -> Breaks:
        found: list[Break] = []
        unplaced: list[g.Node] = []
        for at in g.walk(node):
            if isinstance(at, (g.Max, g.Min, g.Cond)) and self._moves(at):
                places = self._places(at, found)
                if places is None:
                    unplaced.append(at)
                else:
                    found.extend(places)
        found.sort(key=lambda item: item.at.middle)
        return Breaks(tuple(found), tuple(unplaced))

    def _moves(self, node: g.Node) -> bool:
        return self.holds(node) and not node.free_indices

    def holds(self, node: g.Node) -> bool:
        """Whether the symbol stands in *node*."""
        if node not in self._holds:
            inside = any(self.holds(child) for child in node.children)
            self._holds[node] = node is self.symbol or inside
        return self._holds[node]

    def _places(self, node: g.Node, inner: list[Break]) -> list[Break] | None:
        edges = sorted({self.low, self.high, *(item.at.middle for item in inner)})
        found: list[Break] = []
        for left, right in itertools.pairwise(edges):
            middle = (left + right) / 2
            evaluation = Evaluation({**self.values, self.symbol: middle})
            for a, b in self._pairs(node, evaluation):
                roots = self._roots(a, b, evaluation, left, right)
                if roots is None:
                    return None
                found.extend(Break(root, node) for root in roots if self._changes(node, root))
        return _distinct(found)

    def _pairs(self, node: g.Node, evaluation: Evaluation) -> Iterator[tuple[g.Node, g.Node]]:
        if isinstance(node, (g.Max, g.Min)):
            sides = node.sides
            yield from ((a, b) for at, a in enumerate(sides) for b in sides[at + 1 :])
            return
        condition = node.children[0]
        for at in g.walk(condition):
            if isinstance(at, g.Cmp):
                yield at.left, at.right

    def _roots(
        self, a: g.Node, b: g.Node, evaluation: Evaluation, left: Fraction, right: Fraction
    ) -> tuple[p.Root, ...] | None:
        """Return where two sides meet, None where that cannot be told: one has no value, say."""
        try:
            return self._meetings(a, b, evaluation, left, right)
        except TooMuchWork:
            raise
        except ArithmeticError:
            return None

    def _meetings(
        self, a: g.Node, b: g.Node, evaluation: Evaluation, left: Fraction, right: Fraction
    ) -> tuple[p.Root, ...] | None:
        first, second = self.ratio(a, evaluation), self.ratio(b, evaluation)
        if first is None or second is None:
            return None
        difference = p.minus(p.times(first[0], second[1]), p.times(second[0], first[1]))
        if len(difference) > MOST_DEGREE:
            return None
        return p.roots(difference, left, right)

    def _changes(self, node: g.Node, root: p.Root) -> bool:
        """Whether the active side before the place is another than that after it."""
        gap = max(root.high - root.low, (self.high - self.low) / 10**12)
        before, after = root.low - gap, root.high + gap
        return self._active(node, before) != self._active(node, after)

    def _active(self, node: g.Node, x: Fraction) -> tuple[int, ...]:
        evaluation = Evaluation({**self.values, self.symbol: x})
        try:
            if isinstance(node, g.Cond):
                return (int(evaluation.truth(node.condition) is True),)
            numbers = [evaluation.number(side) for side in node.children]
        except ArithmeticError:
            return ()
        plain = [number for number in numbers if isinstance(number, Fraction)]
        if len(plain) < len(numbers):
            return ()
        best = max(plain) if isinstance(node, g.Max) else min(plain)
        return tuple(at for at, number in enumerate(plain) if number == best)

    # ---- rational functions

    def ratio(self, node: g.Node, evaluation: Evaluation) -> Ratio | None:
        """Return *node* as a rational function of the symbol, its choices decided as at a point."""
        one = (Fraction(1),)
        if not self.holds(node):
            value = evaluation.number(node)
            return (p.trim([value]), one) if isinstance(value, Fraction) else None
        match node:
            case g.Sym():
                return (Fraction(0), Fraction(1)), one
            case g.Def(body=body) | g.Part(body=body):
                return self.ratio(body, evaluation)
            case g.Neg(operand=operand):
                inner = self.ratio(operand, evaluation)
                return _negative(inner) if inner is not None else None
            case g.Add() | g.Mul() | g.Div():
                return self._folded(node, evaluation)
            case g.Pow(base=base, exponent=g.Num(value=n)) if n.denominator == 1 and 0 < n <= 8:
                return self._power(base, int(n), evaluation)
            case g.Max() | g.Min():
                best = self._best(node, evaluation)
                return self.ratio(best, evaluation) if best is not None else None
            case g.Cond(condition=condition, yes=yes, no=no):
                holds = evaluation.truth(condition)
                chosen = yes if holds is True else no
                return self.ratio(chosen, evaluation) if isinstance(holds, bool) else None
            case _:
                return None

    def _best(self, node: g.Max | g.Min, evaluation: Evaluation) -> g.Node | None:
        numbers = [evaluation.number(side) for side in node.sides]
        plain = [number for number in numbers if isinstance(number, Fraction)]
        if len(plain) < len(numbers):
            return None
        best = max(plain) if isinstance(node, g.Max) else min(plain)
        return node.sides[plain.index(best)]

    def _folded(self, node: g.Node, evaluation: Evaluation) -> Ratio | None:
        parts = [self.ratio(child, evaluation) for child in node.children]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        combine = {g.Add: _plus, g.Mul: _times, g.Div: _over}[type(node)]
        total = known[0]
        for part in known[1:]:
            total = combine(total, part)
        return total if max(map(len, total)) <= MOST_DEGREE else None

    def _power(self, base: g.Node, n: int, evaluation: Evaluation) -> Ratio | None:
        inner = self.ratio(base, evaluation)
        total: Ratio | None = inner
        for _ in range(n - 1):
            total = _times(total, inner) if total is not None and inner is not None else None
        return total


def _negative(a: Ratio) -> Ratio:
    return tuple(-x for x in a[0]), a[1]


def _plus(a: Ratio, b: Ratio) -> Ratio:
    if a[1] == b[1]:
        return p.plus(a[0], b[0]), a[1]
    return p.plus(p.times(a[0], b[1]), p.times(b[0], a[1])), p.times(a[1], b[1])


def _times(a: Ratio, b: Ratio) -> Ratio:
    return p.times(a[0], b[0]), p.times(a[1], b[1])


def _over(a: Ratio, b: Ratio) -> Ratio:
    return p.times(a[0], b[1]), p.times(a[1], b[0])


def _distinct(found: list[Break]) -> list[Break]:
    found.sort(key=lambda item: item.at.middle)
    kept: list[Break] = []
    for item in found:
        if not kept or item.at.low > kept[-1].at.high or item.choice is not kept[-1].choice:
            kept.append(item)
    return kept
