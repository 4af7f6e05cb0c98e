"""
Long sums by their formula, so that the interpreter works out few terms of them.

The terms that the interpreter still works out are those in which something changes: a side of a
choice, a comparison, a requirement. So what it notes on its way is noted of the whole sum.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from costlang.answer.requirements import needs_of
from costlang.answer.worlds import open_world
from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation, NotWhole, TooLong
from costlang.formula.lower import Lowering
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.evaluate import Summed
from costlang.model.exact import Real
from costlang.model.faults import Fault
from costlang.model.instances import Env, Instance

MOST_CHANGES = 64
WATCHED = (g.Max, g.Min, g.Cmp)


@dataclass(eq=False)
class LongSums:
    """The sums of one question, lowered when the first of them turns out to be long."""

    scenario: d.ScenarioDecl
    core: c.Core
    at: tuple[d.Setting, ...]
    above: tuple[d.Setting, ...]
    _nodes: dict[object, g.SumOver] | None = None
    _needs: list[g.Node] = field(default_factory=list)

    def __call__(self, core: c.SumOver, env: Env) -> Summed | None:
        """Return the sum *core* where *env* is, None where only its terms one by one give it."""
        if self._nodes is None:
            self._nodes = self._lowered()
        node = self._nodes.get(key_of(core, env))
        if node is None:
            return None
        adding = _Adding(node, self._needs)
        if adding.is_nested:
            return None
        try:
            total = adding.number(node)
        except (ArithmeticError, NotWhole, TooLong):
            return None
        if not isinstance(total, Fraction) or len(adding.changes) > MOST_CHANGES:
            return None
        return Summed(total, tuple(sorted(adding.changes.values())))

    def _lowered(self) -> dict[object, g.SumOver]:
        lowering = _Noting()
        world = open_world(self.scenario, self.above, evaluator=lowering)
        at = world.under(self.at)
        try:
            world.value(self.core, at)
            self._needs = list(_conditions(lowering, at))
        except (Fault, ArithmeticError):
            return {}
        return lowering.sums


def key_of(core: c.SumOver, env: Env) -> object:
    """Return what tells a sum from all others of a question, None where arguments are around."""
    path = getattr(env.holder, "path", None)
    return (id(core), path) if path is not None and not env.locals else None


def _conditions(lowering: Lowering, at: Instance) -> list[g.Node]:
    found = []
    for need in list(needs_of(lowering.trace, at)):
        node = lowering.value(need.requirement.condition, need.env)
        if isinstance(node, g.Node):
            found.append(node)
    return found


class _Noting(Lowering):
    """A lowering that keeps which formula each sum has."""

    def __init__(self) -> None:
        super().__init__()
        self.sums: dict[object, g.SumOver] = {}

    def _sum(self, core: c.SumOver, env: Env) -> object:
        found = super()._sum(core, env)
        key = key_of(core, env)
        if key is not None and isinstance(found, g.SumOver):
            self.sums[key] = found
        return found


class _Adding(Evaluation):
    """An evaluation of one sum that keeps the first term of each pattern of choices."""

    def __init__(self, node: g.SumOver, needs: list[g.Node]) -> None:
        super().__init__()
        below = dict.fromkeys(n for top in (node.body, *needs) for n in g.walk(top))
        self.watched = [n for n in below if self._hangs(n, node)]
        self.whole = node
        self.changes: dict[tuple[object, ...], int] = {}

    @property
    def is_nested(self) -> bool:
        """Whether a choice hangs on the index of another sum as well."""
        return any(len(each.free_indices) > 1 for each in self.watched)

    def _hangs(self, node: g.Node, whole: g.SumOver) -> bool:
        return isinstance(node, WATCHED) and whole.index in node.free_indices

    def term(self, node: g.SumOver, at: int) -> Real:
        """Return a term, and note how its choices fall."""
        value = super().term(node, at)
        if node is self.whole and len(self.changes) <= MOST_CHANGES:
            self.changes.setdefault(tuple(map(self._falls, self.watched)), at)
        return value

    def _falls(self, node: g.Node) -> object:
        try:
            if isinstance(node, g.Cmp):
                return self.truth(node)
            worth = [self.inner(side) for side in node.children]
        except ArithmeticError:
            return None
        if not all(isinstance(each, Fraction) for each in worth):
            return None
        best = max(worth) if isinstance(node, g.Max) else min(worth)  # type: ignore[type-var]
        return tuple(each == best for each in worth)
