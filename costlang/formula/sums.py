"""Sums in closed form, where what is summed is a polynomial in the index."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from costlang.formula import graph as g

MOST_DEGREE = 6
Coefficients = list[g.Node]
"""Of a polynomial in an index, from the constant on; none of them holds the index."""


class Closing:
    """Rewrites a graph so that each sum which can be closed is closed; the value stays the same."""

    def __init__(self, builder: g.Builder) -> None:
        self.build = builder
        self._memo: dict[g.Node, g.Node] = {}
        self._holds: dict[tuple[g.Node, g.Idx], bool] = {}

    def close(self, node: g.Node) -> g.Node:
        """Return *node* with its sums closed."""
        for at in g.walk(node):
            if at not in self._memo:
                self._memo[at] = self._rebuilt(at)
        return self._memo[node]

    def _rebuilt(self, node: g.Node) -> g.Node:
        fresh = rebuild(self.build, node, lambda child: self._memo[child])
        return self._sum(fresh) if isinstance(fresh, g.SumOver) else fresh

    def _sum(self, node: g.SumOver) -> g.Node:
        """Take a sum apart at its `+`: what can be closed is closed, the rest stays a sum."""
        build = self.build
        body = g.bare(node.body)
        terms = body.terms if isinstance(body, g.Add) else (body,)
        closed: list[g.Node] = []
        rest: list[g.Node] = []
        for term in terms:
            coefficients = self.polynomial(term, node.index)
            if coefficients is None:
                rest.append(term)
            else:
                closed.append(self._closed(coefficients, node))
        if not closed:
            return node
        if rest:
            closed.append(build.sum(node.index, node.low, node.high, build.add(*rest)))
        return build.add(*closed)

    def _closed(self, coefficients: Coefficients, node: g.SumOver) -> g.Node:
        build = self.build
        before = build.sub(node.low, build.num(1))
        parts = [
            build.mul(
                coefficient,
                build.sub(self._powers(power, node.high), self._powers(power, before)),
            )
            for power, coefficient in enumerate(coefficients)
            if not g.is_zero(coefficient)
        ]
        total = build.add(*parts) if parts else build.num(0)
        if never_empty(node):
            return total
        empty = build.cmp("<", node.high, node.low)
        return build.cond(empty, build.num(0), total)

    def _powers(self, power: int, last: g.Node) -> g.Node:
        """Return `0^power + 1^power + … + last^power`, without the first for power 0."""
        build = self.build
        terms = [
            build.mul(build.num(value), build.pow(last, build.num(degree)))
            for degree, value in enumerate(faulhaber(power))
            if value
        ]
        return build.add(*reversed(terms))

    # ---- polynomials

    def polynomial(self, node: g.Node, index: g.Idx) -> Coefficients | None:
        """Return *node* as a polynomial in *index*, None when it is none of small degree."""
        if not self.holds(node, index):
            return [node]
        match node:
            case g.Idx():
                return [self.build.num(0), self.build.num(1)]
            case g.Def(body=body) | g.Part(body=body):
                return self.polynomial(body, index)
            case g.Neg(operand=operand):
                inner = self.polynomial(operand, index)
                return [self.build.neg(x) for x in inner] if inner is not None else None
            case g.Add(terms=terms):
                return self._added([self.polynomial(term, index) for term in terms])
            case g.Mul(factors=factors):
                return self._multiplied([self.polynomial(factor, index) for factor in factors])
            case g.Div(above=above, below=below) if not self.holds(below, index):
                inner = self.polynomial(above, index)
                return [self.build.div(x, below) for x in inner] if inner is not None else None
            case g.Pow(base=base, exponent=g.Num(value=value)) if _small(value):
                return self._multiplied([self.polynomial(base, index)] * int(value))
            case _:
                return None

    def _added(self, parts: list[Coefficients | None]) -> Coefficients | None:
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        degree = max(len(part) for part in known)
        return [
            self.build.add(*(part[at] for part in known if at < len(part))) for at in range(degree)
        ]

    def _multiplied(self, parts: list[Coefficients | None]) -> Coefficients | None:
        total: Coefficients = [self.build.num(1)]
        for part in parts:
            if part is None or len(total) + len(part) - 2 > MOST_DEGREE:
                return None
            fresh: list[list[g.Node]] = [[] for _ in range(len(total) + len(part) - 1)]
            for i, left in enumerate(total):
                for j, right in enumerate(part):
                    fresh[i + j].append(self.build.mul(left, right))
            total = [self.build.add(*terms) for terms in fresh]
        return total

    def holds(self, node: g.Node, index: g.Idx) -> bool:
        """Whether *index* stands in *node*."""
        key = (node, index)
        if key not in self._holds:
            self._holds[key] = node is index or any(
                self.holds(child, index) for child in node.children
            )
        return self._holds[key]


def _small(value: Fraction) -> bool:
    return value.denominator == 1 and 0 < value <= MOST_DEGREE


def never_empty(node: g.SumOver) -> bool:
    """Whether the sum cannot run backwards: from 1 or 0 up to a count."""
    if not isinstance(node.low, g.Num) or node.low.value > 1:
        return False
    high = node.high
    if isinstance(high, g.Num):
        return high.value >= node.low.value - 1
    if node.low.value == 0:
        return _floor_of(high) >= -1
    return _floor_of(high) >= 0


def _floor_of(node: g.Node) -> Fraction:
    """Return a number that *node* certainly reaches; far below zero when nothing is known."""
    nothing = Fraction(-(10**9))
    match node:
        case g.Num(value=value):
            return value
        case g.Sym(info=info):
            return info.floor if info.floor is not None else nothing
        case g.Def(body=body) | g.Part(body=body):
            return _floor_of(body)
        case g.Div(above=above, below=g.Num(value=value)) if value > 0:
            return _floor_of(above) / value
        case g.Add(terms=terms):
            return sum((_floor_of(term) for term in terms), Fraction(0))
        case g.Neg(operand=g.Num(value=value)):
            return -value
        case _:
            return nothing


def faulhaber(power: int) -> list[Fraction]:
    """Return the coefficients of `sum of i^power for i in 1..n` in n, from the constant on."""
    numbers = _bernoulli(power)
    coefficients = [Fraction(0)] * (power + 2)
    for at, value in enumerate(numbers):
        coefficients[power + 1 - at] += Fraction(comb(power + 1, at), power + 1) * value
    return coefficients


def _bernoulli(most: int) -> list[Fraction]:
    found: list[Fraction] = []
    for n in range(most + 1):
        if n == 0:
            found.append(Fraction(1))
            continue
        total = sum((comb(n + 1, k) * found[k] for k in range(n)), Fraction(0))
        found.append(-total / (n + 1))
    if most >= 1:
        found[1] = Fraction(1, 2)
    return found


def rebuild(build: g.Builder, node: g.Node, of: g.Replace) -> g.Node:
    """Return *node* made anew from what *of* gives for the nodes below."""
    below = [of(child) for child in node.children]
    if all(old is new for old, new in zip(node.children, below, strict=True)):
        return node
    match node:
        case g.Add():
            return build.add(*below)
        case g.Mul():
            return build.mul(*below)
        case g.Neg():
            return build.neg(below[0])
        case g.Div():
            return build.div(below[0], below[1])
        case g.Pow():
            return build.pow(below[0], below[1])
        case g.Max():
            return build.max(*below)
        case g.Min():
            return build.min(*below)
        case g.Fn(function=function):
            return build.fn(function, below[0])
        case g.SumOver(index=index):
            return build.sum(index, below[1], below[2], below[3])
        case g.Def():
            return build.definition(
                node.path, node.name, node.alias, node.dimension, below[0], node.span
            )
        case g.Part(label=label):
            return build.part(label, below[0])
        case _:
            return _rebuilt_truth(build, node, below)


def _rebuilt_truth(build: g.Builder, node: g.Node, below: list[g.Node]) -> g.Node:
    match node:
        case g.Cond():
            return build.cond(below[0], below[1], below[2])
        case g.Cmp(operator=operator):
            made: g.Node | bool = build.cmp(operator, below[0], below[1])
        case g.All():
            made = build.every(*below)
        case g.Any():
            made = build.some(*below)
        case g.Not():
            made = build.no(below[0])
        case _:
            raise AssertionError(f"no way to make a {type(node).__name__} anew")
    return made if isinstance(made, g.Node) else build.truth(made)
