"""`largest x with …` and `smallest x with …`: the boundary, and what binds there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from costlang import solve as s
from costlang.answer.seeking.conditions import conditions_of
from costlang.answer.seeking.finding import case_of, number
from costlang.answer.seeking.seeker import Seeker
from costlang.answer.seeking.settled import settled, stood_on, with_numbers
from costlang.answer.seeking.solved import Limit, Solved, SolvedCase
from costlang.answer.seeking.sought import (
    Sought,
    dimension_of,
    domain_of,
    free_of,
    is_counted,
    values_of,
)
from costlang.answer.seeking.unbound import BOUND_IT, boundary, may_be_negative
from costlang.formula import graph as g


@dataclass(frozen=True, eq=False)
class Boundary(Seeker):
    """The largest or smallest number that keeps all conditions."""

    def solved(self) -> Solved:
        """Return the boundary, or that there is none or no bound; raises `Fault`."""
        found = self._sought()
        conditions = list(conditions_of(self.scenario, self.question, found))
        nodes = [node for _, node in conditions if isinstance(node, g.Node)]
        symbol = found.symbol([*nodes, *self._itself(found)])
        if symbol is None:
            raise self._not_yet(f"`{self._name()}` is no number that can be sought")
        values = values_of(nodes, symbol)
        self.stood.update(stood_on(nodes, symbol, found.lowering.trace))
        conditions = [
            (limit, settled(found.build, node, values) if isinstance(node, g.Node) else node)
            for limit, node in conditions
        ]
        nodes = [node for _, node in conditions if isinstance(node, g.Node)]
        if free_of(nodes, symbol, values):
            if may_be_negative(symbol):
                why = f"`{symbol.name}` may be negative: {BOUND_IT}"
                return self._blank(found, "undecided", why)
            return self._boundary(found, conditions, symbol, values)
        domain = domain_of(symbol, self._slot(found, symbol), whole=True)
        never = tuple(limit for limit, node in conditions if node is False)
        if never:
            return replace(self._blank(found, "none"), failing=never)
        kept = [(limit, node) for limit, node in conditions if node is not True]
        seek = s.largest if self.question.kind == "largest" else s.smallest
        truths = [node for _, node in kept if isinstance(node, (g.Node, bool))]
        answer = seek(found.build, symbol, truths, domain, values)
        return self._of_extreme(found, symbol, kept, answer)

    def _boundary(
        self,
        found: Sought,
        conditions: list[tuple[Limit, object]],
        symbol: g.Sym,
        values: dict[g.Sym, Fraction],
    ) -> Solved:
        """Return the boundary as a formula, with the numbers put in where it would be long."""
        largest = self.question.kind == "largest"
        whole = is_counted(symbol.info.kind, symbol.info.dimension)
        asked = [(limit.name, node) for limit, node in conditions]
        answer = boundary(found.build, asked, symbol, values, largest=largest, whole=whole)
        if values and not answer.short:
            asked = [
                (name, with_numbers(found.build, n, values) if isinstance(n, g.Node) else n)
                for name, n in asked
            ]
            answer = boundary(found.build, asked, symbol, {}, largest=largest, whole=whole)
        failing = tuple(limit for limit, _ in conditions if limit.name in answer.failing)
        return replace(self._unbound(found, symbol, answer), failing=failing)

    def _itself(self, found: Sought) -> Iterator[g.Node]:
        """Yield the unknown as a formula, for where no condition holds it."""
        node = found.lowered(self.question.subjects[0])
        if isinstance(node, g.Node):
            yield node

    def _of_extreme(
        self,
        found: Sought,
        symbol: g.Sym,
        kept: list[tuple[Limit, object]],
        answer: s.Extreme,
    ) -> Solved:
        names = [limit for limit, _ in kept]
        outcome = {"found": "one", "unbounded": "unbounded", "none": "none"}.get(
            answer.found.value, "undecided"
        )
        counted = is_counted(symbol.info.kind, symbol.info.dimension)
        case = case_of(answer.case, found.build, counted=False) if answer.case is not None else None
        value = number(answer.value) if answer.value is not None else None
        cases = (case,) if case is not None else ((SolvedCase(value),) if value else ())
        return Solved(
            self.question.kind,
            outcome,
            self._name(),
            dimension_of(found.kind),
            found.build,
            symbol,
            cases,
            binding=tuple(names[at] for at in answer.binding),
            next_value=number(answer.next_value) if answer.next_value is not None else None,
            next_binding=tuple(names[at] for at in answer.next_binding),
            whole=answer.whole if counted else None,
            attained=answer.attained,
            failing=tuple(names[at] for at in answer.failing),
            reason=answer.reason,
        )
