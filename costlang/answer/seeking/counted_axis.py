"""The best along a range of whole numbers: one formula for all of them, and few points of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from costlang import solve as s
from costlang.answer.seeking.conditions import conditions_of
from costlang.answer.seeking.solved import Limit
from costlang.answer.seeking.sought import Above, Sought, domain_of, sought, values_of
from costlang.formula import graph as g
from costlang.model import declared as d
from costlang.model import exact
from costlang.model.faults import Fault

FEW = 24
"""So many numbers are quicker worked out one by one."""


@dataclass(frozen=True, eq=False)
class Row:
    """What a range is for one row of the other axes: its numbers, and what *limits* them."""

    formula: s.Wholes
    near: tuple[s.Near, ...]
    limits: tuple[Limit, ...]

    def failing(self, near: s.Near) -> tuple[Limit, ...]:
        """Return what fails at a number."""
        return tuple(dict.fromkeys(self.limits[at] for at in near.failing))


@dataclass(frozen=True, eq=False)
class Counting:
    """A search along *axis*, which counts something, over *numbers*."""

    scenario: d.ScenarioDecl
    question: d.Question
    axis: d.Axis
    numbers: range

    def row(self, above: Above) -> Row:
        """Return the range under *above*; raises `CannotTell` where no formula tells it."""
        asked = sought(
            self.scenario, self.question, above, [(self.axis.path, self.axis.type)], self.axis.span
        )
        try:
            node = asked.lowered(self.question.subjects[0])
            held = list(conditions_of(self.scenario, self.question, asked))
        except (Fault, exact.OutOfDomain) as fault:
            raise s.CannotTell("it cannot be read for all numbers at once") from fault
        if not isinstance(node, g.Node):
            raise s.CannotTell("it is no formula")
        return self._row(asked, node, held)

    def _row(self, asked: Sought, node: g.Node, held: list[tuple[Limit, object]]) -> Row:
        open_ = [(limit, truth) for limit, truth in held if isinstance(truth, g.Node)]
        nodes = [node, *(truth for _, truth in open_)]
        symbol = asked.symbol(nodes)
        if symbol is None or not self._may_be_all(symbol):
            raise s.CannotTell("it does not hang on all of these numbers")
        side = -1 if self.question.kind == "smallest" else 1
        values = values_of(nodes, symbol)
        formula = s.wholes(asked.build, node, nodes[1:], symbol, values, side)
        always = tuple(limit for limit, truth in held if truth is False)
        never = tuple(range(len(open_), len(open_) + len(always)))
        found = (
            replace(each, failing=(*each.failing, *never)) for each in formula.near(self.numbers)
        )
        return Row(formula, tuple(found), (*(limit for limit, _ in open_), *always))

    def _may_be_all(self, symbol: g.Sym) -> bool:
        """Whether all numbers of the range lie in the domain of the axis."""
        domain = domain_of(symbol, None, whole=True)
        low_in = domain.low is None or domain.low <= self.numbers[0]
        return low_in and (domain.high is None or self.numbers[-1] <= domain.high)


def compared(rows: list[Row]) -> Iterator[tuple[int, s.Near]]:
    """Yield the numbers that may be told as the answer, each with the place of its row."""
    told = {id(each) for each in s.in_question([near for row in rows for near in row.near])}
    for at, row in enumerate(rows):
        yield from ((at, near) for near in row.near if id(near) in told)


def everywhere(rows: list[Row]) -> frozenset[Limit]:
    """Return what fails at all numbers of all rows."""
    sets = [frozenset(row.failing(near)) for row in rows for near in row.near]
    return frozenset.intersection(*sets) if sets else frozenset()
