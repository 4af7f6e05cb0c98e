"""Which way a formula goes when one of its names grows: by the rules of sums, products, choices."""

from __future__ import annotations

from dataclasses import dataclass, field

from costlang.formula import graph as g
from costlang.prove.atoms import Atoms
from costlang.prove.lemmas import is_distinct_in


@dataclass(frozen=True)
class Way:
    """Whether a formula never *falls*, and whether it never *rises*; neither: it is the same."""

    rises: bool
    falls: bool

    @property
    def steady(self) -> bool:
        """Whether it does not change."""
        return not self.rises and not self.falls

    def turned(self) -> Way:
        """Return the way of the negative."""
        return Way(self.falls, self.rises)

    def __or__(self, other: Way) -> Way:
        return Way(self.rises or other.rises, self.falls or other.falls)


STEADY, UP, DOWN, EITHER = Way(False, False), Way(True, False), Way(False, True), Way(True, True)
"""*rises* says that it may rise, *falls* that it may fall."""
MONOTONE = ("ceil", "floor", "sqrt", "log2", "exp")


@dataclass(eq=False)
class Directions:
    """Which way the formulas over *atoms* may go when *symbol* grows."""

    atoms: Atoms
    symbol: g.Sym
    _ways: dict[g.Node, Way] = field(default_factory=dict)

    def way(self, node: g.Node) -> Way:
        """Return which way *node* may go; what cannot be told may go either way."""
        for at in g.walk(node) if node not in self._ways else ():
            if isinstance(at, g.SumOver):
                self.atoms.range(at)  # which tells where its index may lie
        for at in g.walk(node):
            if at not in self._ways:
                self._ways[at] = self._way(at)
        return self._ways[node]

    def _of(self, *nodes: g.Node) -> Way:
        found = STEADY
        for node in nodes:
            found = found | self._ways[node]
        return found

    def _way(self, node: g.Node) -> Way:
        if node is self.symbol:
            return UP
        if self._of(*node.children).steady:
            return STEADY
        match node:
            case g.Add() | g.Max() | g.Min() | g.Def() | g.Part():
                return self._of(*node.children)
            case g.Neg(operand=operand):
                return self._of(operand).turned()
            case g.Mul(factors=factors):
                return self._product(factors)
            case g.Div(above=above, below=below):
                return self._quotient(above, below)
            case g.Pow():
                return self._power(node)
            case g.Fn():
                return self._function(node)
            case g.Cond(condition=condition, yes=yes, no=no) if self._ways[condition].steady:
                return self._of(yes, no)
            case g.SumOver():
                return self._sum(node)
            case _:
                return EITHER

    def _scaled(self, way: Way, by: g.Node) -> Way:
        range_ = self.atoms.range(by)
        if way.steady or range_.never_negative:
            return way
        return way.turned() if range_.never_positive else EITHER

    def _product(self, factors: tuple[g.Node, ...]) -> Way:
        """Each factor's way counts with the sign of the others together."""
        if is_distinct_in(self.atoms, factors, self.symbol):
            return UP
        found = STEADY
        for at, factor in enumerate(factors):
            way = self._ways[factor]
            for other in (*factors[:at], *factors[at + 1 :]):
                way = self._scaled(way, other)
            found = found | way
        return found

    def _quotient(self, above: g.Node, below: g.Node) -> Way:
        range_ = self.atoms.range(below)
        if not (range_.never_negative or range_.never_positive):
            return EITHER
        way = self._scaled(self._ways[above], below)
        return way | self._scaled(self._ways[below].turned(), above)

    def _power(self, node: g.Pow) -> Way:
        base = self.atoms.range(node.base)
        if not base.never_negative:
            return EITHER
        exponent = self.atoms.range(node.exponent)
        if exponent.never_negative:
            found = self._ways[node.base]
        elif exponent.never_positive:
            found = self._ways[node.base].turned()
        else:
            found = STEADY if self._ways[node.base].steady else EITHER
        if self._ways[node.exponent].steady:
            return found
        if base.low >= 1:
            return found | self._ways[node.exponent]
        return found | self._ways[node.exponent].turned() if base.high <= 1 else EITHER

    def _function(self, node: g.Fn) -> Way:
        way = self._ways[node.argument]
        if node.function in MONOTONE:
            return way
        return self._scaled(way, node.argument) if node.function == "abs" else EITHER

    def _sum(self, node: g.SumOver) -> Way:
        """More terms that are never negative are more, and so are greater terms."""
        found = self._ways[node.body]
        if self._ways[node.low].steady and self._ways[node.high].steady:
            return found
        count = self._ways[node.high] | self._ways[node.low].turned()
        return found | self._scaled(count, node.body)
