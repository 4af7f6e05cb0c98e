"""Points of a claim's domains in a fixed order: corners, plain numbers, spread over magnitudes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from costlang.formula import graph as g
from costlang.prove.atoms import Domain
from costlang.prove.claims import STEP, Claim

Point = dict[g.Sym, Fraction]
MASK = (1 << 64) - 1
PLAIN = tuple(Fraction(n) for n in (1, 2, 3, 4, 5, 8, 10, 16, 32, 64, 100, 128, 1000, 4096))
FEW = 24
"""The most that something is which a sum counts up to, or which is an exponent."""
DECADES = range(-6, 16)


@dataclass(eq=False)
class Sequence:
    """Numbers that look thrown and are always the same for a *seed* (splitmix64)."""

    seed: int

    def next(self, below: int) -> int:
        """Return the next whole number from 0 to less than *below*."""
        self.seed = (self.seed + 0x9E3779B97F4A7C15) & MASK
        z = self.seed
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return (z ^ (z >> 31)) % below

    def one_of(self, values: tuple[Fraction, ...]) -> Fraction:
        """Return one of *values*."""
        return values[self.next(len(values))]


def points(claim: Claim, seed: int) -> Iterator[Point]:
    """Yield points of the domains of *claim* without end, the simplest first."""
    sequence = Sequence(seed)
    small = counted(claim)
    names = list(claim.domains)
    yield {name: simplest(claim.domains[name], name) for name in names}
    while True:
        spread = sequence.next(4)
        point = {
            name: drawn(claim.domains[name], sequence, spread, few=name in small) for name in names
        }
        yield _stepped(claim, point, sequence)


def _stepped(claim: Claim, point: Point, sequence: Sequence) -> Point:
    """Return *point* with a step that does not lead out of the domain of what is moved."""
    if len(claim.steps) != 1 or len(claim.ends[0]) != 1 or claim.steps[0].name != STEP:
        return point
    (x,), (step,) = claim.ends[0], claim.steps
    domain, times = claim.domains[x], len(claim.ends) - 1
    if domain.members:
        later = tuple(each - point[x] for each in domain.members if each >= point[x])
        return {**point, step: sequence.one_of(later or (Fraction(0),)) / times}
    if (
        isinstance(domain.range.high, Fraction)
        and point[x] + times * point[step] > domain.range.high
    ):
        room = (domain.range.high - point[x]) / times * Fraction(1 + sequence.next(20), 20)
        return {**point, step: Fraction(int(room)) if domain.whole else room}
    return point


def simplest(domain: Domain, name: g.Sym | None = None) -> Fraction:
    """Return the plainest number of a domain, the default where a name has one."""
    default = name.info.default if name is not None else None
    wanted = ((default,) if default is not None else ()) + (Fraction(1), Fraction(0), Fraction(2))
    found = next((value for value in wanted if holds(domain, value)), None)
    if found is not None:
        return found
    if domain.members:
        return domain.members[0]
    low, high = domain.range.low, domain.range.high
    candidates: tuple[Fraction, ...] = (Fraction(0),)
    if isinstance(low, Fraction):
        candidates = (low, low + 1, _middle(low, high))
    elif isinstance(high, Fraction):
        candidates = (high, high - 1)
    return next((value for value in candidates if holds(domain, value)), candidates[-1])


def _middle(low: Fraction, high: Fraction | float) -> Fraction:
    return (low + high) / 2 if isinstance(high, Fraction) else low + Fraction(1, 2)


def holds(domain: Domain, value: Fraction) -> bool:
    """Whether *value* lies in *domain*."""
    range_ = domain.range
    if domain.members and value not in domain.members:
        return False
    if domain.whole and value.denominator != 1:
        return False
    if value < range_.low or (value == range_.low and range_.open_low):
        return False
    return not (value > range_.high or (value == range_.high and range_.open_high))


def drawn(domain: Domain, sequence: Sequence, spread: int, *, few: bool) -> Fraction:
    """Return a number of a domain: an end of it, a plain one, or one of any magnitude."""
    if domain.members:
        return sequence.one_of(domain.members)
    for _ in range(8):
        value = _tried(domain, sequence, spread, few=few)
        if holds(domain, value):
            return value
    return simplest(domain)


def _tried(domain: Domain, sequence: Sequence, spread: int, *, few: bool) -> Fraction:
    low, high = domain.range.low, domain.range.high
    if isinstance(low, Fraction) and isinstance(high, Fraction):
        parts = sequence.one_of(tuple(Fraction(n, 20) for n in range(21)))
        value = low + (high - low) * parts
        return Fraction(round(value)) if domain.whole else value
    start = low if isinstance(low, Fraction) else Fraction(0)
    kind = sequence.next(6)
    if kind == 0:
        return start + sequence.next(2)
    if few:
        return start + sequence.next(FEW)
    if kind <= 2 or spread == 0:
        return sequence.one_of(PLAIN)
    digits = Fraction(1 + sequence.next(99), 10)
    decade = (
        sequence.next(6) if domain.whole or spread < 3 else DECADES[sequence.next(len(DECADES))]
    )
    value = digits * Fraction(10) ** decade
    return Fraction(max(1, round(value))) if domain.whole else value


def counted(claim: Claim) -> set[g.Sym]:
    """Return the names that a sum counts up to or that stand in an exponent, which stay small."""
    found: set[g.Sym] = set()
    for node in (claim.goal, *claim.given):
        for at in g.walk(node) if isinstance(node, g.Node) else ():
            if isinstance(at, g.SumOver):
                found.update(g.symbols(at.low), g.symbols(at.high))
            elif isinstance(at, g.Pow):
                found.update(g.symbols(at.exponent))
    return found
