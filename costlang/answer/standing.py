"""The answer to a question in which something is sought, as a number that others stand on."""

from __future__ import annotations

from costlang.model import declared as d
from costlang.model.algebra import Value
from costlang.model.evaluate import Evaluator
from costlang.model.faults import fault
from costlang.model.instances import Instance


def found_number(evaluator: Evaluator, world: Instance, slot: d.QuerySlot) -> Value:
    """Return the one number that the question *slot* comes to, in the world where it is read."""
    from costlang.answer.finding import single
    from costlang.answer.solving import Solving

    assert slot.question is not None and isinstance(world.decl, d.ScenarioDecl)
    above = tuple(
        d.Setting(path, entry.span, entry.value, entry.high, entry.value.type, entry.source)
        for layer in reversed(world.outer_layers())
        if layer.kind == "at"
        for path, entry in layer.entries.items()
    )
    found = Solving(world.decl, slot.question, above).solved()
    value = single(found)
    if value is None:
        words = f"`{slot.name}` has no one value here: {found.reason or found.outcome}"
        raise fault("not-a-value", words, slot.span)
    return evaluator.certain(value, found.dimension)
