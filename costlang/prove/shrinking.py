"""A point at which a claim fails, made as plain as it gets."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from costlang.formula import graph as g
from costlang.prove.claims import Claim
from costlang.prove.points import Point, holds, simplest
from costlang.prove.trying import truth_at

ROUNDS = 4
TRIES = 1200
PLAINEST = tuple(
    Fraction(n) for n in (1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 32, 50, 64, 100)
)


def shrunk(claim: Claim, point: Point) -> Point:
    """Return a point at which *claim* fails as well, of fewer and plainer numbers."""
    found, left = dict(point), TRIES
    for _ in range(ROUNDS):
        before = dict(found)
        for name in sorted(found, key=lambda name: name in claim.steps):
            for value in _plainer(claim, name, found[name]):
                left -= 1
                if left < 0:
                    return found
                if _fails(claim, {**found, name: value}):
                    found[name] = value
                    break
        if found == before:
            break
    return found


def _fails(claim: Claim, point: Point) -> bool:
    return truth_at(claim, point)[0] is False


def _plainer(claim: Claim, name: g.Sym, value: Fraction) -> Iterator[Fraction]:
    """Yield numbers of the domain that are plainer than *value*, the plainest first."""
    domain = claim.domains[name]
    seen = {value}
    low = domain.range.low
    start = (low,) if isinstance(low, Fraction) else ()
    candidates = (simplest(domain, name), *start, *PLAINEST, *_rounded(value))
    for candidate in candidates:
        if candidate in seen:
            if candidate == value:
                return
            continue
        seen.add(candidate)
        if holds(domain, candidate):
            yield candidate


def _rounded(value: Fraction) -> Iterator[Fraction]:
    """Yield *value* rounded to powers of ten, from the coarsest."""
    if value == 0:
        return
    size = abs(value)
    power = 0
    while size >= 10:
        size, power = size / 10, power + 1
    while size < 1:
        size, power = size * 10, power - 1
    scale = Fraction(10) ** power
    sign = 1 if value > 0 else -1
    yield from (sign * Fraction(10) ** lower for lower in range(3, power))
    yield sign * scale
    yield from (sign * scale * n for n in (2, 5))
    yield sign * round(size) * scale
    yield sign * Fraction(round(size * 10), 10) * scale
