"""What a law comes to: one truth about all points of some domains, where other truths hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf

from costlang.formula import graph as g
from costlang.prove.atoms import Domain
from costlang.prove.putting import Truth, put
from costlang.prove.ranges import ZERO, Range
from costlang.units import NONE

STEP, FACTOR = "step", "factor"


@dataclass(frozen=True, eq=False)
class Reading:
    """
    A law with its names as formulas.

    *kind* is that of the law; *subject* a truth, or the number that goes some way in *variables*;
    *given* are truths that are taken for granted: the `where`, requirements, bounds of domains.
    """

    build: g.Builder
    kind: str
    subject: Truth
    variables: tuple[g.Sym, ...]
    degree: Fraction | None
    given: tuple[Truth, ...]
    domains: Mapping[g.Sym, Domain]


@dataclass(frozen=True, eq=False)
class Claim:
    """
    That *goal* holds wherever *given* hold, for all of *domains*.

    *ends* are the points between which something goes some way: for each, what stands for the
    variables. *moved* are pairs of a formula before and after the step.
    """

    build: g.Builder
    goal: Truth
    given: tuple[Truth, ...]
    domains: Mapping[g.Sym, Domain]
    ends: tuple[Mapping[g.Sym, g.Node], ...] = ({},)
    values: tuple[g.Node, ...] = ()
    steps: tuple[g.Sym, ...] = ()


def claim_of(reading: Reading) -> Claim:
    """Return the claim that a law makes."""
    if reading.kind == "holds":
        return Claim(reading.build, reading.subject, reading.given, reading.domains)
    if reading.kind == "homogeneous":
        return _homogeneous(reading)
    if reading.kind == "convex":
        return _convex(reading)
    return _monotone(reading)


def _monotone(reading: Reading) -> Claim:
    """Return that of two values of the variable the greater gives at least, or at most, as much."""
    build, (x,) = reading.build, reading.variables
    step = _step_of(x, reading.domains[x])
    later: dict[g.Node, g.Node] = {x: build.add(x, step)}
    low, high = _subject(reading), put(build, reading.subject, later)
    assert isinstance(high, g.Node)
    operator = "<=" if reading.kind == "increasing" else ">="
    return _between(reading, build.cmp(operator, low, high), step, (low, high), (later,))


def _convex(reading: Reading) -> Claim:
    """Return that the middle of three values, as far from each other, is at most their mean."""
    build, (x,) = reading.build, reading.variables
    step = _step_of(x, reading.domains[x])
    middle: dict[g.Node, g.Node] = {x: build.add(x, step)}
    last: dict[g.Node, g.Node] = {x: build.add(x, build.mul(build.num(2), step))}
    low = _subject(reading)
    mid, high = (put(build, reading.subject, at) for at in (middle, last))
    assert isinstance(mid, g.Node) and isinstance(high, g.Node)
    goal = build.cmp("<=", build.mul(build.num(2), mid), build.add(low, high))
    return _between(reading, goal, step, (low, mid, high), (middle, last))


def _homogeneous(reading: Reading) -> Claim:
    """Return that with all variables some times as large, the value is a power of it as large."""
    build = reading.build
    whole = any(reading.domains[x].whole for x in reading.variables)
    factor = _symbol(build, FACTOR, "count" if whole else "real", NONE)
    times: dict[g.Node, g.Node] = {x: build.mul(factor, x) for x in reading.variables}
    low, high = _subject(reading), put(build, reading.subject, times)
    assert isinstance(high, g.Node) and reading.degree is not None
    grown = build.mul(build.pow(factor, build.num(reading.degree)), low)
    claim = _between(reading, build.cmp("==", high, grown), factor, (low, high), (times,))
    domains = {**claim.domains, factor: Domain(Range(ZERO, inf, True), whole)}
    return replace(claim, domains=domains)


def _subject(reading: Reading) -> g.Node:
    assert isinstance(reading.subject, g.Node)
    return reading.subject


def _between(
    reading: Reading,
    goal: Truth,
    step: g.Sym,
    values: tuple[g.Node, ...],
    moves: tuple[Mapping[g.Node, g.Node], ...],
) -> Claim:
    """Return *goal* at points of which each is in the domain and meets what is given."""
    build = reading.build
    given = list(reading.given)
    for move in moves:
        given.extend(put(build, each, move) for each in reading.given)
        for x in reading.variables:
            given.extend(_inside(build, move[x], reading.domains[x]))
    start: Mapping[g.Node, g.Node] = {x: x for x in reading.variables}
    ends = tuple({x: move[x] for x in reading.variables} for move in (start, *moves))
    whole = any(reading.domains[x].whole for x in reading.variables)
    domains = {**reading.domains, step: Domain(Range(ZERO, inf), whole)}
    kept = tuple(dict.fromkeys(each for each in given if each is not True))
    return Claim(build, goal, kept, domains, ends, values, (step,))


def _inside(build: g.Builder, node: g.Node, domain: Domain) -> list[Truth]:
    """Return that a moved variable still lies in its domain."""
    found: list[Truth] = []
    if domain.members:
        found.append(build.some(*(build.cmp("==", node, build.num(m)) for m in domain.members)))
    if isinstance(domain.range.low, Fraction):
        found.append(
            build.cmp(">" if domain.range.open_low else ">=", node, build.num(domain.range.low))
        )
    if isinstance(domain.range.high, Fraction):
        found.append(
            build.cmp("<" if domain.range.open_high else "<=", node, build.num(domain.range.high))
        )
    return found


def _step_of(x: g.Sym, domain: Domain) -> g.Sym:
    from costlang.formula.nodes import SymbolInfo

    kind = "count" if domain.whole else "real"
    return g.Sym((STEP,), SymbolInfo(STEP, None, x.info.dimension, kind))


def _symbol(build: g.Builder, name: str, kind: str, dimension: object) -> g.Sym:
    from costlang.formula.nodes import SymbolInfo

    return g.Sym((name,), SymbolInfo(name, None, NONE, kind))
