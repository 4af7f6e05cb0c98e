"""A scenario under its bindings, ready to be asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from costlang.model import declared as d
from costlang.model.algebra import Value
from costlang.model.evaluate import Evaluator
from costlang.model.faults import fault
from costlang.model.instances import Env, Instance, Layer, entry_of

Seek = Callable[[Evaluator, Instance, d.QuerySlot, str | None], Value]
_SEEKERS: list[Seek] = []


def seek_with(seek: Seek) -> None:
    """Let *seek* find what a question comes to in which something is sought."""
    _SEEKERS[:] = [seek]


@dataclass(eq=False)
class World:
    """
    One scenario and a fresh evaluator.

    *above* are bindings from outside (the command line, the reader of a question), which win over
    all others.
    """

    evaluator: Evaluator
    root: Instance

    def under(self, settings: tuple[d.Setting, ...]) -> Instance:
        """Return the scenario with *settings* below the bindings from outside."""
        return self.evaluator.under(self.root, settings, Env(self.root))

    def value(self, core: object, at: Instance) -> Value:
        """Return what an expression of the scenario is."""
        return self.evaluator.value(core, Env(at))  # type: ignore[arg-type]


def open_world(
    scenario: d.ScenarioDecl,
    above: tuple[d.Setting, ...] = (),
    ranges: Mapping[str, str] | None = None,
    evaluator: Evaluator | None = None,
) -> World:
    """Return *scenario* under *above*; *ranges* fixes open ranges at one of their ends."""
    evaluator = evaluator if evaluator is not None else Evaluator()
    evaluator.trace.ranges.update(ranges or {})
    bare = evaluator.scenario(scenario)
    layers: tuple[Layer, ...] = ()
    if above:
        layers = (Layer("at", {s.path: entry_of(s, Env(bare)) for s in above}),)
    root = evaluator.scenario(scenario, layers)
    evaluator.questions = lambda world, slot, field: _asked(evaluator, world, slot, field)
    return World(evaluator, root)


def _asked(evaluator: Evaluator, world: Instance, slot: d.QuerySlot, field: str | None) -> Value:
    question = slot.question
    if question is not None and question.kind in ("solve", "largest", "smallest", "limit"):
        return _SEEKERS[0](evaluator, world, slot, field)
    if question is None or question.kind != "eval" or len(question.subjects) != 1:
        raise fault(
            "not-a-value",
            f"the answer to `{slot.name}` is not one value that can stand here",
            slot.span,
        )
    inside = evaluator.under(world, question.at, Env(world))
    return evaluator.value(question.subjects[0], Env(inside))
