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
class Solving:
    """One question in which something is sought, under bindings from outside."""

    scenario: d.ScenarioDecl
    question: d.Question
    above: Above
    stood: dict[str, tuple[Stood, ...]] = field(default_factory=dict)

    def solved(self) -> Solved:
        """Return the answer; raises `Fault` where the question cannot be read."""
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
