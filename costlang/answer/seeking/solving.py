"""`solve`, `largest`, `smallest`, `limit` and `sensitivity`: the question put to the solver."""

from __future__ import annotations

from dataclasses import dataclass, field

from costlang.answer.answers import Stood
from costlang.answer.seeking.boundaries import Boundary
from costlang.answer.seeking.choosing import Choosing
from costlang.answer.seeking.equations import Equation
from costlang.answer.seeking.several import Several, not_yet
from costlang.answer.seeking.solved import Solved
from costlang.answer.seeking.sought import Above
from costlang.answer.seeking.tending import Tending
from costlang.model import declared as d
from costlang.model.work import current

STEPS = 15_000
"""What a question in which something is sought takes of the work of a run, beside its steps."""


@dataclass(frozen=True, eq=False)
class _Known:
    """A question that was solved; what its key points to is kept with it."""

    solving: Solving
    solved: Solved


@dataclass(frozen=True, eq=False)
class Solving:
    """One question in which something is sought, under bindings from outside."""

    scenario: d.ScenarioDecl
    question: d.Question
    above: Above
    stood: dict[str, tuple[Stood, ...]] = field(default_factory=dict)

    def solved(self) -> Solved:
        """
        Return the answer; raises `Fault` where the question cannot be read.

        In one run a question is solved once under the same bindings, however many others read it.
        """
        found, key = current().found, self._key()
        known = found.get(key)
        if not isinstance(known, _Known):
            known = _Known(self, self._solved())
            found[key] = known
        self.stood.update(known.solving.stood)
        return known.solved

    def _key(self) -> object:
        """Return what tells this question from others, as long as all of it is kept."""
        above = ((each.path, id(each.value), id(each.high)) for each in self.above)
        return id(self.scenario), id(self.question), *above

    def _solved(self) -> Solved:
        current().spend(STEPS)
        asked = (self.scenario, self.question, self.above, self.stood)
        match self.question.kind:
            case "solve" if len(self.question.unknowns) > 1:
                return Several(*asked).solved()
            case "solve":
                return Equation(*asked).solved()
            case "largest" | "smallest" if not self.question.axes:
                return Boundary(*asked).solved()
            case "largest" | "smallest":
                choosing = Choosing(self.scenario, self.question, self.above)
                best = choosing.chosen()
                self.stood.update(choosing.stood())
                return best
            case "limit":
                return Tending(*asked).limit()
            case "sensitivity":
                return Tending(*asked).sensitivity()
            case _:
                raise not_yet(self.question)
