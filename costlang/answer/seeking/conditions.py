"""The conditions of a question: what its author wrote, and the requirements of what is read."""

from __future__ import annotations

from collections.abc import Iterator

from costlang.answer.seeking.solved import Limit
from costlang.answer.seeking.sought import Sought
from costlang.formula import graph as g
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.instances import Instance

Condition = tuple[Limit, object]
"""A condition by its name, with its formula or its truth."""


def conditions_of(
    scenario: d.ScenarioDecl, question: d.Question, found: Sought
) -> Iterator[Condition]:
    """Yield what must hold: the author's conditions one by one, then the requirements."""
    if question.condition is not None:
        for core in parts_of(question.condition):
            text = " ".join(core.span.text.split())
            yield from _flat(Limit(text, text), found.lowered(core))
    else:
        _read_uses(scenario, found)
    for need, value in found.needs():
        text = " ".join(need.requirement.condition.span.text.split())
        yield from _flat(Limit(need.requirement.name, text), value)


def parts_of(core: c.Core) -> Iterator[c.Core]:
    """Yield the conditions that `and` joins."""
    if isinstance(core, c.Both) and core.operator == "and":
        yield from parts_of(core.left)
        yield from parts_of(core.right)
    else:
        yield core


def _read_uses(scenario: d.ScenarioDecl, found: Sought) -> None:
    """Read what is in use, so that its requirements are those of the question."""
    for use in scenario.uses():
        self_ = c.Self(use.span, use.type) if use.type is not None else None
        held = found.lowering.read(found.at, use.name, self_)  # type: ignore[arg-type]
        if isinstance(held, Instance):
            found.lowering.trace.instances.setdefault(id(held), held)


def _flat(limit: Limit, value: object) -> Iterator[Condition]:
    """Yield the single conditions of a lowered one, all under its name."""
    if isinstance(value, g.All):
        for part in value.parts:
            yield from _flat(limit, part)
    else:
        yield limit, value
