"""What all terms of a sum have in common, taken out in front where that is shorter."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from costlang.formula import graph as g
from costlang.units import NONE, Dimension


@dataclass(frozen=True)
class _Term:
    value: Fraction
    dimension: Dimension
    factors: tuple[g.Node, ...]


def factored(node: g.Add) -> g.Node:
    """
    Return *node* as a product of what its terms share and the sum that is left, or as it is.

    Only the very same factors are taken out, and of the literals, where all are of one dimension,
    the greatest common divisor; the value is the same whatever the symbols are worth.
    """
    terms = [_term(term) for term in node.terms]
    common = _common(terms)
    divisor, dimension = _divisor(terms)
    literal = divisor != 1 or dimension != NONE
    if len(terms) < 2 or not (common or literal):
        return node
    build = g.Builder()
    rest = [_without(build, term, common, divisor, dimension) for term in terms]
    front = [build.num(divisor, dimension)] if literal else []
    left = build.add(*rest)
    if g.is_zero(left):
        return node
    found = build.mul(*front, *common, left)
    return found if _length(found) < _length(node) else node


def _term(node: g.Node) -> _Term:
    node = _open(node)
    sign = 1
    while isinstance(node, g.Neg):
        sign, node = -sign, _open(node.operand)
    value, dimension, factors = Fraction(sign), NONE, list[g.Node]()
    for factor in node.children if isinstance(node, g.Mul) else (node,):
        if isinstance(factor, g.Num):
            value, dimension = value * factor.value, dimension * factor.dimension
        else:
            factors.append(factor)
    return _Term(value, dimension, tuple(factors))


def _open(node: g.Node) -> g.Node:
    while isinstance(node, g.Part):
        node = node.body
    return node


def _common(terms: list[_Term]) -> tuple[g.Node, ...]:
    """Return the factors that every term has, as often as all have them, in the first's order."""
    left = Counter(terms[0].factors)
    for term in terms[1:]:
        left &= Counter(term.factors)
    common: list[g.Node] = []
    for factor in terms[0].factors:
        if left[factor] > 0:
            left[factor] -= 1
            common.append(factor)
    return tuple(common)


def _divisor(terms: list[_Term]) -> tuple[Fraction, Dimension]:
    dimension = terms[0].dimension
    if any(term.dimension != dimension for term in terms) or not all(t.value for t in terms):
        return Fraction(1), NONE
    above = gcd(*(term.value.numerator for term in terms))
    below = lcm(*(term.value.denominator for term in terms))
    return Fraction(above, below), dimension


def _without(
    build: g.Builder,
    term: _Term,
    common: tuple[g.Node, ...],
    divisor: Fraction,
    dimension: Dimension,
) -> g.Node:
    left = Counter(common)
    kept: list[g.Node] = []
    for factor in term.factors:
        if left[factor] > 0:
            left[factor] -= 1
        else:
            kept.append(factor)
    value = term.value / divisor
    number = build.num(abs(value), term.dimension / dimension)
    product = build.mul(number, *kept)
    return build.neg(product) if value < 0 else product


def _length(node: g.Node) -> int:
    """Return how many names and numbers stand in *node*, definitions counted once."""
    known: dict[g.Node, int] = {}
    for at in g.walk(node):
        below = () if isinstance(at, g.Def) else at.children
        known[at] = sum(known[child] for child in below) or 1
    return known[node]
