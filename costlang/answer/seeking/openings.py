"""For which values of another name there is a solution at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from costlang import solve as s
from costlang.answer.seeking.finding import stretches, whole_of
from costlang.answer.seeking.seeker import Seeker
from costlang.answer.seeking.solved import Opening
from costlang.answer.seeking.sought import Sought, domain_of, joined
from costlang.formula import graph as g
from costlang.model.work import current
from costlang.solve.ground.spans import without

MOST_THRESHOLDS = 3
A_THRESHOLD = 15_000
"""What a threshold takes of the work of a run, beside its steps."""


@dataclass(frozen=True, eq=False)
class Opened(Seeker):
    """The thresholds of an equation."""

    def _thresholds(
        self,
        found: Sought,
        left: g.Node,
        right: g.Node,
        symbol: g.Sym,
        domain: s.Domain,
        values: dict[g.Sym, Fraction],
    ) -> Iterator[Opening]:
        """Yield for which values of the names after `at` there is a solution at all."""
        for other in self._set_for_this(values):
            current().spend(A_THRESHOLD)
            rest = {name: value for name, value in values.items() if name is not other}
            about = domain_of(other, None, whole=False)
            try:
                told = s.threshold(found.build, left, right, symbol, domain, other, about, rest)
            except (ArithmeticError, KeyError):
                continue
            yield opening_of(other, told)

    def _set_for_this(self, values: dict[g.Sym, Fraction]) -> tuple[g.Sym, ...]:
        """Return the names after `at` that are one symbol, a few of them."""
        found: dict[g.Sym, None] = {}
        asked = (*self.question.at, *self.above) or tuple(self.scenario.settings.values())
        for setting in asked:
            path = joined(setting.path)
            spelt = [symbol for symbol in values if symbol.path[-1] == path[-1]]
            exact = [symbol for symbol in spelt if symbol.path[-len(path) :] == path]
            single = exact if len(exact) == 1 else spelt
            if len(single) == 1:
                found[single[0]] = None
        return tuple(found)[:MOST_THRESHOLDS]

    def _where_any(
        self, found: Sought, left: g.Node, right: g.Node, symbol: g.Sym
    ) -> Iterator[Opening]:
        """Yield for which values of the one name that is left free there is a solution."""
        others = {x for side in (left, right) for x in g.symbols(side)} - {symbol}
        if len(others) == 1:
            (other,) = others
            domain, about = (domain_of(x, None, whole=False) for x in (symbol, other))
            try:
                told = s.threshold(found.build, left, right, symbol, domain, other, about, {})
            except (ArithmeticError, KeyError):
                return
            if without(about.spans, told.spans):
                yield opening_of(other, told)


def opening_of(other: g.Sym, told: s.Threshold) -> Opening:
    """Return for which values of *other* there is a solution."""
    whole = whole_of(other, told)
    return Opening(other.name, other.info.dimension, stretches(told.spans), whole, told.decided)
