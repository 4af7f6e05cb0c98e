"""By which powers a formula grows with one of its names: a rate that falls behind is seen so."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import inf

from costlang.formula import graph as g
from costlang.prove.directions import Directions
from costlang.prove.ranges import ZERO, Range, added, negated, point

STEADY = point(ZERO)
ONE = point(Fraction(1))
UNIT = Range(ZERO, Fraction(1))
UNKNOWN = Range()


@dataclass(eq=False)
class Scaling:
    """
    Between which powers of `s` formulas grow when their name is `s` times as large, for `s >= 1`.

    A formula `f` that is never negative, with powers from `a` to `b`, keeps
    `s^a f(x) <= f(s x) <= s^b f(x)`. Sums and choices reach over the powers of their parts,
    products add them, quotients take them away.
    """

    directions: Directions
    _powers: dict[g.Node, Range] = field(default_factory=dict)

    def powers(self, node: g.Node) -> Range:
        """Return between which powers *node* grows; all powers where that is not known."""
        self.directions.way(node)
        for at in g.walk(node):
            if at not in self._powers:
                self._powers[at] = self._told(at)
        return self._powers[node]

    def _told(self, node: g.Node) -> Range:
        way = self.directions.way(node)
        if way.steady:
            return STEADY
        if isinstance(node, (g.Cmp, g.All, g.Any, g.Not)) or not self._is_sized(node):
            return UNKNOWN
        found = self._of(node)
        if not way.falls:
            found = found.meet(Range(ZERO, inf))
        if not way.rises:
            found = found.meet(Range(-inf, ZERO))
        return found

    def _is_sized(self, node: g.Node) -> bool:
        return self.directions.atoms.range(node).never_negative

    def _of(self, node: g.Node) -> Range:
        if node is self.directions.symbol:
            return ONE
        match node:
            case g.Def(body=body) | g.Part(body=body):
                return self._powers[body]
            case g.Add() | g.Max() | g.Min():
                return self._sum(node)
            case g.Mul(factors=factors) if all(self._is_sized(each) for each in factors):
                found = STEADY
                for factor in factors:
                    found = added(found, self._powers[factor])
                return found
            case g.Div(above=above, below=below) if self._is_sized(above) and self._is_sized(below):
                return added(self._powers[above], negated(self._powers[below]))
            case g.Cond(condition=condition, yes=yes, no=no):
                steady = self.directions.way(condition).steady
                both = self._is_sized(yes) and self._is_sized(no)
                return self._powers[yes].hull(self._powers[no]) if steady and both else UNKNOWN
            case g.SumOver(low=low, high=high, body=body):
                steady = self.directions.way(low).steady and self.directions.way(high).steady
                return self._powers[body] if steady and self._is_sized(body) else UNKNOWN
            case _:
                return UNKNOWN

    def _sum(self, node: g.Node) -> Range:
        distinct = self._one_less(node)
        if distinct is not None:
            return distinct
        if not all(self._is_sized(each) for each in node.children):
            return UNKNOWN
        first, *others = (self._powers[each] for each in node.children)
        for other in others:
            first = first.hull(other)
        return first

    def _one_less(self, node: g.Node) -> Range | None:
        """
        Return the powers of `1 - b^x` with a steady `b` from 0 to 1: those from 0 to 1 times `x`'s.

        It is concave in `x` and 0 where `x` is 0.
        """
        match node:
            case g.Add(terms=(g.Num(value=value), g.Neg(operand=operand))) if value == 1:
                power = g.bare(operand)
            case _:
                return None
        if not isinstance(power, g.Pow) or not self.directions.way(power.base).steady:
            return None
        base = self.directions.atoms.range(power.base)
        inner = self._powers[power.exponent]
        unit = base.never_negative and base.high <= 1 and self._is_sized(power.exponent)
        return UNIT if unit and inner.low >= 0 and inner.high <= 1 else None
