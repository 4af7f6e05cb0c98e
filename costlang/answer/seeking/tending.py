"""`limit` and `sensitivity`: where a formula tends, and what it hangs on."""

from __future__ import annotations

from dataclasses import dataclass

from costlang import solve as s
from costlang.answer.seeking.finding import elastic, plain_case
from costlang.answer.seeking.seeker import Seeker
from costlang.answer.seeking.settled import decided, settled, stood_on
from costlang.answer.seeking.solved import Solved
from costlang.answer.seeking.sought import Sought, dimension_of, free_of, values_of
from costlang.formula import graph as g
from costlang.model import core as c
from costlang.model import exact
from costlang.model.faults import fault


@dataclass(frozen=True, eq=False)
class Tending(Seeker):
    """A `limit`, or a `sensitivity`."""

    def limit(self) -> Solved:
        """Return where the formula tends; raises `Fault` where it cannot be read."""
        found = self._sought()
        (core,) = self.question.subjects
        node = found.lowered(core)
        if not isinstance(node, g.Node):
            raise fault("not-a-value", "this has no value", core.span)
        dimension = dimension_of(core.type)
        symbol = found.symbol([node])
        if symbol is None:
            return Solved(
                "limit", "one", self._name(), dimension, found.build, None, (plain_case(node),)
            )
        values = values_of([node], symbol)
        self.stood.update(stood_on([node], symbol, found.lowering.trace))
        node = settled(found.build, node, values)
        try:
            tends = s.limit(found.build, node, symbol, self._point(found), values)
        except s.CannotTell as wrong:
            return Solved(
                "limit",
                "undecided",
                self._name(),
                dimension,
                found.build,
                symbol,
                reason=str(wrong),
            )
        if isinstance(tends, g.Inf):
            return Solved(
                "limit", "one", self._name(), dimension, found.build, symbol, infinite=tends.sign
            )
        return Solved(
            "limit", "one", self._name(), dimension, found.build, symbol, (plain_case(tends),)
        )

    def _point(self, found: Sought) -> s.Number:
        point = self.question.point
        if isinstance(point, c.Infinite):
            return exact.Infinity()
        value = found.lowered(point) if point is not None else None
        if isinstance(value, g.Num):
            return value.value
        if isinstance(value, g.Inf):
            return exact.Infinity(value.sign)
        raise fault(
            "not-a-value", "a limit is taken at a number or at `inf`", self.question.node.span
        )

    def sensitivity(self) -> Solved:
        """Return by how many percent the formula moves with each name."""
        from costlang.answer.lowered import formula_of

        (core, *_) = self.question.subjects
        formula = formula_of(self.scenario, core, self.question.at, self.above)
        if formula is None:
            raise fault("not-a-number", "a sensitivity is that of a number", core.span)
        values = values_of([formula.node], None)
        self.stood.update(stood_on([formula.node], None))
        node = formula.node
        if free_of([node], None, values):  # perhaps on sides that are not taken
            node = decided(formula.build, node, values)
        if free_of([node], None, values):
            raise self._not_yet("a sensitivity needs a value for every name")
        symbols = list(values)
        try:
            told = s.elasticities(formula.build, node, symbols, values)
        except s.CannotTell as wrong:
            return Solved("sensitivity", "undecided", "", None, formula.build, reason=str(wrong))
        return Solved("sensitivity", "one", "", None, formula.build, elastic=elastic(told))
