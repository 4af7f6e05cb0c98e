"""That twice as much of a name gives at most twice the value: seen by the powers of scaling."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf

from costlang.formula import graph as g
from costlang.prove.atoms import Atoms
from costlang.prove.directions import Directions
from costlang.prove.putting import Truth, put, without_names
from costlang.prove.scaling import Scaling


def by_multiples(
    build: g.Builder, atoms: Atoms, goal: g.Cmp, given: tuple[Truth, ...]
) -> str | None:
    """
    Return the name in which *goal* says `f(c x) <= c f(x)` for a number `c`, where that is so.

    What is *given* and what a domain ends is said of `x` alone, so that nothing of it may be.
    """
    left, right = (goal.left, goal.right) if goal.operator == "<=" else (goal.right, goal.left)
    if goal.operator not in ("<=", ">="):
        return None
    times, once = _multiple(build, right)
    if times <= 1:
        return None
    plain, more = without_names(build, once), without_names(build, left)
    for symbol in _candidates(atoms, once, given):
        grown = put(build, plain, {symbol: build.mul(build.num(times), symbol)})
        if grown is more and _holds(atoms, symbol, once):
            return symbol.name
    return None


def _multiple(build: g.Builder, node: g.Node) -> tuple[Fraction, g.Node]:
    node = g.bare(node)
    match node:
        case g.Mul(factors=(g.Num(value=value), *rest)):
            return value, build.mul(*rest)
        case _:
            return Fraction(0), node


def _candidates(atoms: Atoms, node: g.Node, given: tuple[Truth, ...]) -> Iterator[g.Sym]:
    bound = {s for each in given if isinstance(each, g.Node) for s in g.symbols(each)}
    for symbol in g.symbols(node):
        domain = atoms.domains.get(symbol)
        if domain is None or domain.members or symbol in bound:
            continue
        if domain.range.positive and domain.range.high == inf:
            yield symbol


def _holds(atoms: Atoms, symbol: g.Sym, node: g.Node) -> bool:
    if not atoms.range(node).never_negative:
        return False
    return Scaling(Directions(atoms, symbol)).powers(node).high <= 1
