"""
Where conditions begin and cease to hold, as formulas: for names that are left free.

A condition is followed by its regimes. In each it has one edge: a formula up to which it holds, or
from which on it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from costlang import solve as s
from costlang.answer.seeking.finding import side_words
from costlang.formula import graph as g
from costlang.solve.free.positive import POSITIVE, Signing
from costlang.solve.ground.program import Values

MOST_WAYS = 32
TURNED = {">": "<", ">=": "<="}


class NotFollowed(ArithmeticError):
    """A condition has no edge of this kind; the text says why."""


@dataclass(frozen=True, eq=False)
class Way:
    """
    The unknowns that keep a condition, when all of *when* hold.

    They lie below each of *above* and above each of *below*; *strict* where an edge itself does
    not belong to them. *regime* says in words which sides are active.
    """

    above: tuple[g.Node, ...] = ()
    below: tuple[g.Node, ...] = ()
    when: tuple[g.Node, ...] = ()
    regime: tuple[str, ...] = ()
    strict: bool = False


@dataclass(frozen=True, eq=False)
class Edges:
    """What follows conditions on *unknown*; the names in *values* are worth a number."""

    build: g.Builder
    unknown: g.Sym
    values: Values

    def ways(self, conditions: Iterable[object]) -> list[Way]:
        """Return all ways to keep every one of *conditions*; raises `NotFollowed`."""
        found = [Way()]
        for condition in conditions:
            each = list(self._of(condition))
            if len(found) * len(each) > MOST_WAYS:
                raise NotFollowed(f"there are more than {MOST_WAYS} regimes")
            found = [_both(one, other) for one, other in product(found, each)]
        return found

    def _of(self, condition: object) -> Iterator[Way]:
        if condition is False:
            return
        if condition is True:
            yield Way()
        elif not isinstance(condition, g.Node) or not self._holds(condition):
            yield Way(when=(condition,) if isinstance(condition, g.Node) else ())
        elif isinstance(condition, g.All):
            yield from self.ways(condition.parts)
        elif isinstance(condition, g.Cmp) and condition.operator in ("<", "<=", ">", ">="):
            yield from self._compared(condition)
        else:
            raise NotFollowed("a condition is no single comparison")

    def _holds(self, node: g.Node) -> bool:
        return self.unknown in g.symbols(node)

    def _compared(self, condition: g.Cmp) -> Iterator[Way]:
        """Yield the ways of one comparison, read as `less <= more`."""
        less, more = condition.left, condition.right
        if condition.operator in TURNED:
            less, more = more, less
        strict = condition.operator in ("<", ">")
        for way in self._joined(less, more) or self._by_regime(less, more, strict=strict):
            yield replace(way, strict=strict)

    def _joined(self, less: g.Node, more: g.Node) -> list[Way]:
        """Return the one way of a maximum or minimum all of whose sides rise, or all fall."""
        for choice, level, direction in ((less, more, 1), (more, less, -1)):
            found = s.combined(self.build, choice, level, self.unknown, self.values)
            if found is not None:
                edge = (found.formula,)
                if found.rising * direction > 0:
                    return [Way(above=edge, when=found.conditions)]
                return [Way(below=edge, when=found.conditions)]
        return []

    def _by_regime(self, less: g.Node, more: g.Node, *, strict: bool) -> Iterator[Way]:
        answer = s.solve_symbolic(self.build, less, more, self.unknown, values=self.values)
        if not answer.complete:
            raise NotFollowed(answer.reason)
        if not answer.branches:
            yield from self._throughout(less, more, strict=strict)
        for branch in answer.branches:
            if branch.count == "all" and branch.conditions:
                continue  # both sides vanish: the edge of the other regimes ends there
            if branch.count != "one" or branch.formula is None or not branch.rising:
                raise NotFollowed("a condition has several edges, or none in closed form")
            edge, words = (branch.formula,), tuple(side_words(branch.regime, self.build))
            if branch.rising > 0:
                yield Way(above=edge, when=branch.conditions, regime=words)
            else:
                yield Way(below=edge, when=branch.conditions, regime=words)

    def _throughout(self, less: g.Node, more: g.Node, *, strict: bool) -> Iterator[Way]:
        """Yield the way of a comparison that never turns, where it holds."""
        signing = Signing(self.build, {self.unknown: POSITIVE}, self.values)
        sign = signing.sign(self.build.sub(more, less))
        if sign is None:
            raise NotFollowed("a sign hangs on the values of other names")
        if sign > 0 or (sign == 0 and not strict):
            yield Way()


def _both(one: Way, other: Way) -> Way:
    return Way(
        (*one.above, *other.above),
        (*one.below, *other.below),
        tuple(dict.fromkeys((*one.when, *other.when))),
        tuple(dict.fromkeys((*one.regime, *other.regime))),
        one.strict or other.strict,
    )
