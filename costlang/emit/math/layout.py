"""From the graph to boxes: what is named by its symbol, the rest written out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from costlang.emit.math import boxes as b
from costlang.emit.math.compose import Composer, minus
from costlang.emit.math.digits import literal
from costlang.emit.math.factor import factored
from costlang.emit.math.naming import Naming
from costlang.emit.math.plan import Plan
from costlang.formula import graph as g
from costlang.units import NONE, Dimension

Numbers = Mapping[g.Node, Fraction]


@dataclass(frozen=True)
class Layout:
    """Lays out the formulas of one answer, with *numbers* in the place of what they stand for."""

    plan: Plan
    naming: Naming
    compose: Composer
    numbers: Numbers = field(default_factory=dict)

    def formula(self, subject: g.Node) -> b.Box:
        """Return the formula of *subject*, a definition by its body."""
        body = self.plan.body(subject)
        return self._box(body) if isinstance(body, (g.Def, g.Sym, g.Idx)) else self._written(body)

    def _box(self, node: g.Node) -> b.Box:
        if node in self.numbers:
            whole = isinstance(node, (g.Sym, g.Idx))
            return literal(self.compose, self.numbers[node], _dimension(node), exact=whole)
        return self.naming.of(node) if self.plan.named(node) else self._written(node)

    def _written(self, node: g.Node) -> b.Box:
        match node:
            case g.Num(value, dimension):
                return literal(self.compose, value, dimension)
            case g.Inf(sign):
                return b.Infinite() if sign > 0 else minus(b.Infinite())
            case g.Def(body=body) | g.Part(body=body):
                return self._box(body)
            case g.Add() | g.Mul() | g.Neg() | g.Div() | g.Pow():
                return self._arithmetic(node)
            case g.Cmp() | g.All() | g.Any() | g.Not():
                return self._truth(node)
            case _:
                return self._other(node)

    def _arithmetic(self, node: g.Node) -> b.Box:
        match node:
            case g.Add():
                return self._sum(node)
            case g.Mul(factors):
                return self._product(factors)
            case g.Neg(operand):
                return self.compose.negative(self._box(operand))
            case g.Div(above, below):
                return self.compose.over(self._box(above), self._box(below))
            case g.Pow(base, exponent):
                return self.compose.power(self._box(base), self._box(exponent))
        raise TypeError(f"{type(node).__name__} is no arithmetic")

    def _sum(self, node: g.Add) -> b.Box:
        shorter = self._shorter(node)
        if isinstance(shorter, g.Mul):
            return self._product(shorter.factors)
        if shorter is not node:
            return self._box(shorter)
        return self.compose.total(self._box(term) for term in node.terms)

    def _shorter(self, node: g.Add) -> g.Node:
        """Return *node* with what is common taken out, where it is written out to its factors."""
        aside = any(at in self.plan.aside for term in node.terms for at in _down(term))
        return node if aside or self.numbers else factored(node)

    def _product(self, factors: tuple[g.Node, ...]) -> b.Box:
        """Return the product, with all its literals as one in front."""
        value, dimension, rest = Fraction(1), NONE, list[g.Node]()
        for factor in self._flat(factors):
            if isinstance(factor, g.Num) and factor.value:
                value, dimension = value * factor.value, dimension * factor.dimension
            else:
                rest.append(factor)
        front = [] if value == 1 and dimension == NONE else [self._literal(value, dimension)]
        return self.compose.product([*front, *map(self._box, rest)])

    def _literal(self, value: Fraction, dimension: Dimension) -> b.Box:
        return literal(self.compose, value, dimension)

    def _flat(self, factors: tuple[g.Node, ...]) -> Iterator[g.Node]:
        """Yield the factors of a product, with those of the products among them."""
        for factor in factors:
            node = self._open(factor)
            if not self._whole(node) and isinstance(node, g.Add):
                node = self._shorter(node)
            if isinstance(node, g.Mul) and not self._whole(node):
                yield from self._flat(node.factors)
            else:
                yield from self._literal_first(node)

    def _whole(self, node: g.Node) -> bool:
        return node in self.numbers or self.plan.named(node)

    def _open(self, node: g.Node) -> g.Node:
        while isinstance(node, (g.Part, g.Def)) and not self._whole(node):
            node = node.body
        return node

    def _literal_first(self, node: g.Node) -> Iterator[g.Node]:
        """Yield the literal with which the numerator of *node* begins, if any, and the rest."""
        literals: list[g.Node] = []
        rest = self._without_literal(node, literals)
        yield from (*literals, rest)

    def _without_literal(self, node: g.Node, literals: list[g.Node]) -> g.Node:
        node = self._open(node)
        if self._whole(node):
            return node
        if isinstance(node, g.Div) and not isinstance(node.above, g.Num):
            above = self._without_literal(node.above, literals)
            return g.Builder().div(above, node.below) if literals else node
        if isinstance(node, g.Mul):
            first, *others = node.factors
            if isinstance(first, g.Num):
                literals.append(first)
                return g.Builder().mul(*others)
            first = self._without_literal(first, literals)
            return g.Builder().mul(first, *others) if literals else node
        return node

    def _other(self, node: g.Node) -> b.Box:
        match node:
            case g.Max(sides):
                return b.Call("max", tuple(map(self._box, sides)))
            case g.Min(sides):
                return b.Call("min", tuple(map(self._box, sides)))
            case g.Fn(function, argument) if function in ("log2", "exp"):
                return b.Call(function, (self._box(argument),))
            case g.Fn(function, argument):
                return b.Fence(function, self._box(argument))
            case g.Cond(condition, yes, no):
                return self.compose.choice(*map(self._box, (condition, yes, no)))
            case g.SumOver(index, low, high, body):
                parts = map(self._box, (low, high, body))
                return self.compose.summed(self.naming.of(index), *parts)
        raise TypeError(f"{type(node).__name__} has no layout")

    def _truth(self, node: g.Node) -> b.Box:
        match node:
            case g.Cmp(operator, left, right):
                return self.compose.relation(operator, self._box(left), self._box(right))
            case g.All(parts):
                return self.compose.joined("and", map(self._box, parts))
            case g.Any(parts):
                return self.compose.joined("or", map(self._box, parts))
            case g.Not(part):
                return self.compose.denied(self._box(part))
        raise TypeError(f"{type(node).__name__} is no truth")


def _down(term: g.Node) -> Iterator[g.Node]:
    """Yield *term* and what its labels and signs stand before."""
    yield term
    while isinstance(term, (g.Part, g.Neg)):
        term = term.body if isinstance(term, g.Part) else term.operand
        yield term


def _dimension(node: g.Node) -> Dimension:
    match node:
        case g.Sym(info=info):
            return info.dimension
        case g.Def(dimension=dimension):
            return dimension
        case _:
            return NONE
