"""Sums made ready for solving: closed, split where their summand changes sides, or written out."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation
from costlang.formula.sums import Closing, faulhaber, never_empty, rebuild
from costlang.solve.ground.program import Values

MOST_TERMS = 400
FEW_TERMS = 64
SignOf = Callable[[g.Node], int | None]
"""Returns the sign of a formula when it is certain."""


def without_sums(
    build: g.Builder, node: g.Node, values: Values, sign: SignOf | None = None
) -> g.Node:
    """
    Return a formula of equal value without sums, as far as that goes.

    A summand with a `max`, `min` or `if` is split at the index where its sides cross, which gives
    a `floor`; else a sum of few terms is written out, when its bounds are numbers. What is left
    over stays a sum.
    """
    return _Preparing(build, values, sign).made(node)


class _Preparing:
    def __init__(self, build: g.Builder, values: Values, sign: SignOf | None) -> None:
        self.build, self.values = build, values
        self.closing = Closing(build)
        self.evaluation = Evaluation(dict(values))
        self._sign = sign
        self._memo: dict[g.Node, g.Node] = {}

    def made(self, node: g.Node) -> g.Node:
        for at in g.walk(node):
            if at not in self._memo:
                fresh = rebuild(self.build, at, lambda child: self._memo[child])
                self._memo[at] = self.sum(fresh) if isinstance(fresh, g.SumOver) else fresh
        return self._memo[node]

    def sum(self, node: g.SumOver) -> g.Node:
        """Return one sum, whose bounds and summand are ready."""
        total = self.span(node.index, node.low, node.high, node.body)
        if total is None:
            return self._written_out(node)
        if never_empty(node):
            return total
        return self.build.cond(self.build.cmp("<", node.high, node.low), self.build.num(0), total)

    # ---- in closed form

    def span(self, index: g.Idx, low: g.Node, high: g.Node, body: g.Node) -> g.Node | None:
        """Return the sum from *low* to *high*, which is not below `low - 1`; or None."""
        coefficients = self.closing.polynomial(body, index)
        if coefficients is not None:
            return self._powers(coefficients, low, high)
        bare = g.bare(body)
        if isinstance(bare, g.Add):
            parts = [self.span(index, low, high, term) for term in bare.terms]
            known = [part for part in parts if part is not None]
            return self.build.add(*known) if len(known) == len(parts) else None
        return self._split(index, low, high, body)

    def _powers(self, coefficients: list[g.Node], low: g.Node, high: g.Node) -> g.Node:
        build = self.build
        before = build.sub(low, build.num(1))
        parts = [
            build.mul(c, build.sub(self._first(power, high), self._first(power, before)))
            for power, c in enumerate(coefficients)
            if not g.is_zero(c)
        ]
        return build.add(*parts) if parts else build.num(0)

    def _first(self, power: int, last: g.Node) -> g.Node:
        """Return the sum of the first powers, as a polynomial in *last*."""
        build = self.build
        return build.add(
            *(
                build.mul(build.num(value), build.pow(last, build.num(degree)))
                for degree, value in reversed(list(enumerate(faulhaber(power))))
                if value
            )
        )

    # ---- split where sides cross

    def _split(self, index: g.Idx, low: g.Node, high: g.Node, body: g.Node) -> g.Node | None:
        choice = self._choice(body, index)
        if choice is None:
            return None
        found = self._crossing(choice, index)
        if found is None:
            return None
        before, after, edge = found
        first = self._replaced(body, choice, before)
        second = self._replaced(body, choice, after)
        if edge is None:
            return self._either(index, low, high, choice, (first, second))
        if self.number(edge) is None and self._is_short(low, high):
            return None  # written out it has corners; split, it would have jumps as well
        build = self.build
        last = build.max(build.sub(low, build.num(1)), build.min(high, edge))
        head = self.span(index, low, last, first)
        rest = self.span(index, build.add(last, build.num(1)), high, second)
        return None if head is None or rest is None else build.add(head, rest)

    def _is_short(self, low: g.Node, high: g.Node) -> bool:
        first, last = self.number(low), self.number(high)
        return first is not None and last is not None and last - first < FEW_TERMS

    def _either(
        self, index: g.Idx, low: g.Node, high: g.Node, choice: g.Node, bodies: tuple[g.Node, g.Node]
    ) -> g.Node | None:
        """Return the sum for a choice that does not hang on the index."""
        yes, no = (self.span(index, low, high, body) for body in bodies)
        if yes is None or no is None:
            return None
        return self.build.cond(self._condition(choice), yes, no)

    def _condition(self, choice: g.Node) -> g.Node | bool:
        """Return whether the first side of a choice of two is the active one."""
        match choice:
            case g.Max(sides=(a, b)):
                return self.build.cmp(">=", a, b)
            case g.Min(sides=(a, b)):
                return self.build.cmp("<=", a, b)
            case g.Cond(condition=condition):
                return condition
            case _:
                raise AssertionError("no choice of two")

    def _choice(self, body: g.Node, index: g.Idx) -> g.Node | None:
        """Return an innermost choice that hangs on the index, of two sides."""
        for node in g.walk(body):
            if isinstance(node, (g.Max, g.Min, g.Cond)) and self.closing.holds(node, index):
                return node
        return None

    def _crossing(
        self, choice: g.Node, index: g.Idx
    ) -> tuple[g.Node, g.Node, g.Node | None] | None:
        """
        Return what a choice is up to an index, what it is after it, and that index.

        The index is None when the choice is the same for all.
        """
        sides = self._sides(choice)
        if sides is None:
            return None
        first, second, gap, strict = sides
        line = self.closing.polynomial(gap, index)
        if line is None or len(line) > 2 or any(self.closing.holds(c, index) for c in line):
            return None
        if len(line) == 1:
            return (first, second, None)
        return self._ordered(first, second, line, strict)

    def _ordered(
        self, first: g.Node, second: g.Node, line: list[g.Node], strict: bool
    ) -> tuple[g.Node, g.Node, g.Node | None] | None:
        """Return the sides in the order in which the index meets them: *first* where line >= 0."""
        build, (start, slope) = self.build, line
        sign = self.sign(slope)
        if not sign:
            return None
        crossing = build.div(build.neg(start), slope)
        if sign > 0:
            above = build.fn("floor" if strict else "ceil", crossing)
            edge = above if strict else build.sub(above, build.num(1))
            return second, first, edge
        below = build.fn("ceil" if strict else "floor", crossing)
        return first, second, build.sub(below, build.num(1)) if strict else below

    def _sides(self, choice: g.Node) -> tuple[g.Node, g.Node, g.Node, bool] | None:
        """Return two sides, and a gap: the first is active where it is >= 0, or > 0 if strict."""
        build = self.build
        match choice:
            case g.Max(sides=(a, b)):
                return a, b, build.sub(a, b), False
            case g.Min(sides=(a, b)):
                return a, b, build.sub(b, a), False
            case g.Cond(condition=g.Cmp(operator=operator, left=left, right=right), yes=a, no=b):
                gaps = {">=": (left, right, False), ">": (left, right, True)}
                gaps |= {"<=": (right, left, False), "<": (right, left, True)}
                if operator not in gaps:
                    return None
                more, less, strict = gaps[operator]
                return a, b, build.sub(more, less), strict
            case _:
                return None

    def sign(self, node: g.Node) -> int | None:
        """Return the sign of what does not hang on the index, when it is certain."""
        value = self.number(node)
        if value is not None:
            return (value > 0) - (value < 0)
        return self._sign(node) if self._sign is not None else None

    def number(self, node: g.Node) -> Fraction | None:
        """Return the number that a formula is, None while it is open."""
        if any(isinstance(at, (g.Sym, g.Idx)) and at not in self.values for at in g.walk(node)):
            return None
        try:
            value = self.evaluation.number(node)
        except ArithmeticError:
            return None
        return value if isinstance(value, Fraction) else None

    def _replaced(self, body: g.Node, old: g.Node, new: g.Node) -> g.Node:
        return substituted(self.build, body, {old: new})

    # ---- written out

    def _written_out(self, node: g.SumOver) -> g.Node:
        low, high = self.number(node.low), self.number(node.high)
        if low is None or high is None or high - low >= MOST_TERMS:
            return node
        if low.denominator != 1 or high.denominator != 1:
            return node
        terms = [
            substituted(self.build, node.body, {node.index: self.build.num(at)})
            for at in range(int(low), int(high) + 1)
        ]
        return self.build.add(*terms) if terms else self.build.num(0)


def substituted(build: g.Builder, node: g.Node, new: dict[g.Node, g.Node]) -> g.Node:
    """Return *node* with some nodes replaced."""
    memo = dict(new)
    for at in g.walk(node):
        if at not in memo:
            memo[at] = rebuild(build, at, lambda child: memo[child])
    return memo[node]
