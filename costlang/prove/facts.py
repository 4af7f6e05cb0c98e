"""What is known of an atom beside its range: forms that are never negative."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf

from costlang.formula import graph as g
from costlang.prove import laurent as l
from costlang.prove.atoms import Atoms


def facts_of(atoms: Atoms, number: int) -> Iterator[l.Form]:
    """Yield the forms that are never negative and speak of the atom *number*."""
    node, atom = atoms[number].node, l.atom(number)
    match node:
        case g.Max():
            yield from (l.minus(atom, side) for side in atoms[number].sides)
        case g.Min():
            yield from (l.minus(side, atom) for side in atoms[number].sides)
        case g.Fn(function="ceil"):
            argument = atoms[number].argument or {}
            yield l.minus(atom, argument)
            yield l.minus(l.plus(argument, l.constant(1)), atom)
        case g.Fn(function="floor"):
            argument = atoms[number].argument or {}
            yield l.minus(argument, atom)
            yield l.minus(l.plus(atom, l.constant(1)), argument)
        case g.Fn(function="abs", argument=inner):
            yield l.minus(atom, atoms.form(inner))
            yield l.plus(atom, atoms.form(inner))
        case g.Pow(base=base, exponent=exponent):
            yield from _of_power(atoms, atom, base, exponent)
        case g.SumOver():
            yield from _of_sum(atoms, atom, node)
        case _:
            return


def _of_power(atoms: Atoms, atom: l.Form, base: g.Node, exponent: g.Node) -> Iterator[l.Form]:
    """Yield `b^x <= b`, and Bernoulli's inequality, for an exponent of at least 1."""
    low, high = atoms.range(base), atoms.range(exponent)
    if not low.never_negative or high.low < 1:
        return
    inner, times = atoms.form(base), atoms.form(exponent)
    if low.high <= 1:
        yield l.minus(inner, atom)
    if low.low >= 1:
        yield l.minus(atom, inner)
    # (1 + y)^x >= 1 + x y, for y >= -1 and x >= 1
    line = l.plus(l.constant(1), l.times(times, l.minus(inner, l.constant(1))))
    yield l.minus(atom, line)


def _of_sum(atoms: Atoms, atom: l.Form, node: g.SumOver) -> Iterator[l.Form]:
    """Yield that a sum lies between so many times its least and its greatest term."""
    body = atoms.range(node.body)
    count = l.plus(l.minus(atoms.form(node.high), atoms.form(node.low)), l.constant(1))
    if not atoms.range(node.high).low - atoms.range(node.low).high >= -1:
        return
    if _is_geometric(atoms, node) and atoms.range(node.high).never_negative:
        yield l.minus(atom, l.constant(1))
    if isinstance(body.high, Fraction) and body.high < inf:
        yield l.minus(l.scaled(count, body.high), atom)
    if isinstance(body.low, Fraction) and body.low > -inf:
        yield l.minus(atom, l.scaled(count, body.low))


def _is_geometric(atoms: Atoms, node: g.SumOver) -> bool:
    """Whether a sum is of the powers of one number that is never negative, from its power 0 on."""
    body = g.bare(node.body)
    return (
        isinstance(body, g.Pow)
        and body.exponent is node.index
        and g.is_zero(node.low)
        and atoms.range(body.base).never_negative
    )
