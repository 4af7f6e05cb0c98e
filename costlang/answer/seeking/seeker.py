"""What all questions share in which one thing is sought: the thing, its name, its declaration."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from costlang.answer.answers import Stood
from costlang.answer.seeking.several import not_yet
from costlang.answer.seeking.solved import Solved
from costlang.answer.seeking.sought import Above, Sought, dimension_of, joined, sought
from costlang.answer.seeking.unbound import Unbound
from costlang.formula import graph as g
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.lending import path_of
from costlang.model.types import NumberType, Type


@dataclass(frozen=True, eq=False)
class Seeker:
    """One question in which one thing is sought, under bindings from outside."""

    scenario: d.ScenarioDecl
    question: d.Question
    above: Above
    stood: dict[str, tuple[Stood, ...]] = field(default_factory=dict)

    def _not_yet(self, why: str = "") -> Exception:
        return not_yet(self.question, why)

    def _sought(self) -> Sought:
        question = self.question
        path, kind = self._unknown()
        if not isinstance(kind, NumberType):
            raise self._not_yet("the boundary of a record or an enum is not sought; `solve` tells")
        return sought(self.scenario, question, self.above, [(path, kind)], question.node.span)

    def _unknown(self) -> tuple[c.Path, Type]:
        """Return what is sought, by the names that lead to it, and its kind."""
        question = self.question
        if question.kind in ("largest", "smallest"):
            (core,) = question.subjects
            path = path_of(core)
            if not path:
                words = "a boundary is that of a parameter; for the best value say `over` what"
                raise self._not_yet(words)
            return path, core.type
        if len(question.unknowns) != 1:
            raise self._not_yet("several unknowns are understood, and not answered yet")
        return question.unknowns[0], question.unknown_types[0]

    def _name(self) -> str:
        return joined(self._unknown()[0])[-1]

    def _blank(self, found: Sought, outcome: str, reason: str = "") -> Solved:
        dimension = dimension_of(found.kind)
        return Solved(
            self.question.kind, outcome, self._name(), dimension, found.build, reason=reason
        )

    def _slot(self, found: Sought, symbol: g.Sym) -> d.Slot | None:
        """Return the declaration of the unknown; a namesake of another thing is none."""
        for holder in found.lowering.trace.instances.values():
            slot = holder.decl.find(found.path[-1])
            if isinstance(slot, d.Param) and slot.span == symbol.info.span:
                return slot
        return None

    def _unbound(self, found: Sought, symbol: g.Sym, answer: Unbound) -> Solved:
        blank = self._blank(found, answer.outcome, answer.reason)
        return replace(blank, symbol=symbol, cases=answer.cases)
