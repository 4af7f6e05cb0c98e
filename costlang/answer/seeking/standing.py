"""The answer to a question in which something is sought, as a value that others stand on."""

from __future__ import annotations

from costlang.answer.seeking.solved import Number, Solved, Spot
from costlang.answer.stood import read_behind
from costlang.model import declared as d
from costlang.model import exact
from costlang.model.algebra import Value
from costlang.model.evaluate import Evaluator
from costlang.model.faults import Fault, fault
from costlang.model.instances import Env, Instance
from costlang.model.seeking import sought_by


def found_value(
    evaluator: Evaluator, world: Instance, slot: d.QuerySlot, name: str | None = None
) -> Value:
    """
    Return what the question *slot* comes to, in the world where it is read.

    Without a *name* that is its one number; with one it is what it found for this of several
    unknowns, or for this axis of a best value.
    """
    found = _solved(evaluator, world, slot)
    if name is None or _is_of_one(slot, found):
        return _number(evaluator, slot, found)
    if found.chosen is not None:
        return _axis(evaluator, world, slot, found, name)
    if len(found.points) == 1 and found.outcome == "one":
        for known, dimension, value in found.points[0]:
            if known == name:
                return evaluator.certain(_certain(value), dimension)
    raise _no_one_value(slot, found, name)


def _is_of_one(slot: d.QuerySlot, found: Solved) -> bool:
    assert slot.question is not None
    return found.chosen is None and len(list(sought_by(slot.question))) == 1


def _solved(evaluator: Evaluator, world: Instance, slot: d.QuerySlot) -> Solved:
    """Return the answer to *slot*; it is found once in each world."""
    from costlang.answer.seeking.solving import Solving

    kept = evaluator.found.get((id(world), slot.name))
    if kept is not None and isinstance(kept[1], Solved):
        return kept[1]
    assert slot.question is not None and isinstance(world.decl, d.ScenarioDecl)
    solving = Solving(world.decl, slot.question, _above(world))
    found = solving.solved()
    read_behind(evaluator.trace, solving.stood.get("reads", ()))
    evaluator.found[id(world), slot.name] = (world, found)
    return found


def _above(world: Instance) -> tuple[d.Setting, ...]:
    """Return the bindings under which a question of *world* is asked, those that win first."""
    return tuple(
        d.Setting(path, entry.span, entry.value, entry.high, entry.value.type, entry.source)
        for layer in reversed(world.outer_layers())
        if layer.kind == "at"
        for path, entry in layer.entries.items()
    )


def _number(evaluator: Evaluator, slot: d.QuerySlot, found: Solved) -> Value:
    from costlang.answer.seeking.finding import single

    value = single(found)
    if value is None:
        raise _no_one_value(slot, found)
    return evaluator.certain(value, found.dimension)


def _axis(
    evaluator: Evaluator, world: Instance, slot: d.QuerySlot, found: Solved, name: str
) -> Value:
    from costlang.answer.seeking.sought import dimension_of

    assert slot.question is not None and found.chosen is not None
    axes = zip(sought_by(slot.question), found.chosen.values, strict=True)
    for (path, kind), value in axes:
        if path[-1] == name:
            if not isinstance(value, Spot):
                return evaluator.value(value, Env(world))
            if value.number is not None:
                return evaluator.certain(_certain(value.number), dimension_of(kind))
    raise _no_one_value(slot, found, name)


def _certain(value: Number) -> exact.Real:
    from costlang.answer.seeking.finding import certain

    return certain(value)


def _no_one_value(slot: d.QuerySlot, found: Solved, name: str | None = None) -> Fault:
    if found.points and name is None:
        names = " and ".join(f"`{slot.name}.{known}`" for known, _, _ in found.points[0])
        return fault("not-a-value", f"`{slot.name}` is several numbers; read {names}", slot.span)
    seen = f"{slot.name}.{name}" if name is not None else slot.name
    words = {"none": "there is none", "many": "there are several"}
    why = found.reason or words.get(found.outcome, found.outcome)
    return fault("not-a-value", f"`{seen}` has no one value here: {why}", slot.span)
