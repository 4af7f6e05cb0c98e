"""A claim tried at points, exactly, until enough of them agree; which sides of choices were met."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation
from costlang.prove.claims import Claim
from costlang.prove.effort import CASES
from costlang.prove.outcome import Coverage
from costlang.prove.points import Point, Sequence, counted, drawn, holds, points, simplest
from costlang.prove.putting import Truth

ATTEMPTS = 12
"""So many points are looked at for each that counts."""
AT_LEAST = 40
REPAIRS = 10
SEARCHED = 40
"""So many points are looked at for a side of a choice that was not met."""


class Looking(Evaluation):
    """Values at one point, with what was reached to find them."""

    def worked_out(self, node: g.Node) -> object:
        """Return the value of a node where it was reached, else None."""
        return self._memo.get(node)


def truth_at(claim: Claim, point: Mapping[g.Sym, Fraction]) -> tuple[bool | None, Looking | None]:
    """Return whether the goal holds at a point; None where what is given does not, or is untold."""
    looking = Looking(dict(point))
    try:
        for each in claim.given:
            if _truth(looking, each) is not True:
                return None, None
        found = _truth(looking, claim.goal)
    except (ArithmeticError, AssertionError):
        return None, None
    return found, looking


def repaired(claim: Claim, point: Point, sequence: Sequence) -> Point:
    """Return *point*, moved along single names towards where all that is given holds."""
    unmet = _unmet(claim, point)
    for _ in range(REPAIRS):
        if not unmet:
            return point
        names = [s for s in g.symbols(unmet[0]) if s in claim.domains]
        if not names:
            return point
        name = names[sequence.next(len(names))]
        domain = claim.domains[name]
        factor = Fraction(10) ** (sequence.next(13) - 6)
        moved = point[name] * factor
        moved = Fraction(round(moved)) if domain.whole else moved
        if not holds(domain, moved):
            moved = simplest(domain, name)
        other = {**point, name: moved}
        still = _unmet(claim, other)
        if len(still) < len(unmet):
            point, unmet = other, still
    return point


def _unmet(claim: Claim, point: Point) -> list[g.Node]:
    """Return what of the given does not hold at a point."""
    looking = Looking(dict(point))
    found = []
    for each in claim.given:
        try:
            if _truth(looking, each) is not True and isinstance(each, g.Node):
                found.append(each)
        except (ArithmeticError, AssertionError):
            if isinstance(each, g.Node):
                found.append(each)
    return found


def _truth(looking: Looking, node: Truth) -> bool | None:
    found = looking.truth(node)
    return found if isinstance(found, bool) else None


@dataclass(frozen=True, eq=False)
class Tried:
    """
    What came of the points of a claim.

    *met* counts those at which it held, *against* is one at which it did not. *given* counts those
    at which what is given held.
    """

    met: int
    coverage: Coverage
    against: Point | None = None
    first: Point | None = None


@dataclass(eq=False)
class Trying:
    """Looks at points of one claim."""

    claim: Claim
    cases: int = CASES
    seed: int = 0
    sides: dict[tuple[g.Node, int], bool] = field(default_factory=dict)
    _met: int = 0
    _some: list[Point] = field(default_factory=list)

    def tried(self, first: Point | None = None) -> Tried:
        """
        Return what came of *cases* points, and of the search for sides that were not met.

        *first* is a point of which somebody says that it speaks against the claim.
        """
        self._note_sides()
        if first is not None and self._fails(first):
            return self._told(first)
        sequence = Sequence(self.seed + 2)
        for at, drawn_ in enumerate(points(self.claim, self.seed)):
            if self._met >= self.cases or at >= ATTEMPTS * max(self.cases, AT_LEAST):
                break
            if not self._some and at >= ATTEMPTS * AT_LEAST:
                break
            rare = self._met * 4 < at
            point = repaired(self.claim, drawn_, sequence) if rare else drawn_
            if self._fails(point):
                return self._told(point)
        against = self._searched()
        return self._told(against)

    def _told(self, against: Point | None) -> Tried:
        missed = tuple(key for key, met in self.sides.items() if not met)
        words = tuple(dict.fromkeys(side_words(self.claim.build, *key) for key in missed))
        coverage = Coverage(len(self.sides), len(self.sides) - len(missed), words)
        first = self._some[0] if self._some else None
        return Tried(self._met, coverage, against, first)

    def _fails(self, point: Point) -> bool:
        held, looking = truth_at(self.claim, point)
        if held is None or looking is None:
            return False
        self._met += 1
        if len(self._some) < SEARCHED:
            self._some.append(point)
        for node, side in _active(looking, self.sides):
            self.sides[node, side] = True
        return not held

    def _note_sides(self) -> None:
        inner: dict[g.Node, bool] = {}
        goal = self.claim.goal
        for at in g.walk(goal) if isinstance(goal, g.Node) else ():
            inner[at] = isinstance(at, g.Idx) or any(inner[child] for child in at.children)
            if inner[at]:
                continue
            if isinstance(at, (g.Max, g.Min)):
                self.sides.update({(at, side): False for side in range(len(at.sides))})
            elif isinstance(at, g.Cond):
                self.sides.update({(at, 0): False, (at, 1): False})

    # ---- the search for what was not met

    def _searched(self) -> Point | None:
        """Go from points that were met along single names, to where a missing side is taken."""
        sequence, few = Sequence(self.seed + 1), counted(self.claim)
        names = list(self.claim.domains)
        for key in [key for key, met in self.sides.items() if not met]:
            for at in range(SEARCHED):
                if self.sides[key] or not self._some or not names:
                    break
                point = dict(self._some[sequence.next(len(self._some))])
                for _ in range(1 + at // 8):
                    name = names[sequence.next(len(names))]
                    point[name] = self._moved(name, point[name], sequence, few=name in few)
                if self._fails(point):
                    return point
        return None

    def _moved(self, name: g.Sym, value: Fraction, sequence: Sequence, *, few: bool) -> Fraction:
        domain = self.claim.domains[name]
        factor = Fraction(10) ** (sequence.next(9) - 4)
        moved = Fraction(round(value * factor)) if domain.whole else value * factor
        if holds(domain, moved) and not (few and moved > 24):
            return moved
        return drawn(domain, sequence, 3, few=few)


def _active(
    looking: Looking, sides: Mapping[tuple[g.Node, int], bool]
) -> Iterator[tuple[g.Node, int]]:
    for node, side in sides:
        whole = looking.worked_out(node)
        if whole is None:
            continue
        if isinstance(node, g.Cond):
            condition = looking.worked_out(node.condition)
            if isinstance(condition, bool) and condition is (side == 0):
                yield node, side
        elif looking.worked_out(node.children[side]) == whole:
            yield node, side


def side_words(build: g.Builder, node: g.Node, side: int) -> str:
    """Return how a side of a choice is called: the author's words, or the name of a definition."""
    if isinstance(node, g.Cond):
        words = _words(build, node.condition)
        return f"if {words}" if side == 0 else f"if not {words}"
    kind = "max" if isinstance(node, g.Max) else "min"
    return f"{_words(build, node.children[side])} in {kind}"


def _words(build: g.Builder, node: g.Node) -> str:
    inner = node.body if isinstance(node, g.Part) else node
    if isinstance(inner, (g.Def, g.Sym)):
        return inner.name
    span = build.places.get(node) or build.places.get(inner)
    if span is not None:
        return " ".join(span.text.split())
    if isinstance(inner, g.Cmp):
        return f"{_words(build, inner.left)} {inner.operator} {_words(build, inner.right)}"
    return str(inner.value) if isinstance(inner, g.Num) else "…"
