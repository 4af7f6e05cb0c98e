"""Coefficients and results in their simplest form: reduced, with or without definitions opened."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from flint import fmpq_mpoly

from costlang.formula import graph as g
from costlang.solve.closed.forms import Tidy
from costlang.solve.ground.algebra import Reduced, Ring, TooLong

Stop = Callable[[g.Node], bool]


def named(node: g.Node) -> bool:
    """Stop at every definition, so that the author's names stay."""
    return isinstance(node, g.Def)


def opened(node: g.Node) -> bool:
    """Stop nowhere."""
    return False


def tidier(build: g.Builder, stop: Stop) -> Tidy:
    """Return what simplifies coefficients: one common factor taken out, nothing left below."""

    def tidy(coefficients: tuple[g.Node, ...]) -> tuple[g.Node, ...]:
        try:
            return _tidied(build, stop, coefficients)
        except (TooLong, ZeroDivisionError):
            return coefficients

    return tidy


def _tidied(build: g.Builder, stop: Stop, coefficients: tuple[g.Node, ...]) -> tuple[g.Node, ...]:
    ring = Ring(coefficients, stop)
    read = [ring.read(each) for each in coefficients]
    below = reduce(_multiple, (each.below for each in read), ring.one)
    above = [each.above * (below / each.below) for each in read]
    common = reduce(lambda a, b: a.gcd(b), above)
    if common.is_zero():
        return (build.num(0),)
    kept = [each / common for each in above]
    while len(kept) > 1 and kept[-1].is_zero():
        kept.pop()
    return tuple(ring.write(build, Reduced(each, ring.one)) for each in kept)


def _multiple(a: fmpq_mpoly, b: fmpq_mpoly) -> fmpq_mpoly:
    return a * (b / a.gcd(b))


def untouched(coefficients: tuple[g.Node, ...]) -> tuple[g.Node, ...]:
    """Return coefficients as they were collected."""
    return coefficients


def length(node: g.Node) -> int:
    """Return how many names, numbers and signs are written for *node*, definitions by name."""
    sizes: dict[g.Node, int] = {}
    for at in g.walk(node):
        inner = () if named(at) else at.children
        sizes[at] = 1 + sum(sizes[child] for child in inner)
    return sizes[node]


def simplest(build: g.Builder, node: g.Node, stop: Stop) -> g.Node:
    """Return *node* as one reduced quotient; as it is where that gets too long."""
    try:
        ring = Ring([node], stop)
        return ring.write(build, ring.read(node))
    except (TooLong, ZeroDivisionError):
        return node
