"""Whether the checks of a file hold: those of its records, its phases and its scenarios."""

from __future__ import annotations

from collections.abc import Iterator

from costlang.answer.answers import Verdict
from costlang.answer.asking import Above, free_names
from costlang.answer.requirements import sides_of
from costlang.answer.slips import slip_of
from costlang.answer.worlds import open_world
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model import exact
from costlang.model.check import Model
from costlang.model.evaluate import Evaluator
from costlang.model.faults import Fault
from costlang.model.instances import Env, Instance
from costlang.model.types import PhaseType


def verdicts(model: Model, above: dict[str, Above] | None = None) -> Iterator[Verdict]:
    """Yield how each check of the main file ends, inherited ones included, in source order."""
    above = above or {}
    for decl in model.main.own.values():
        if isinstance(decl, d.RecordDecl) and decl.kind != "interface":
            yield from _of_record(decl)
        elif isinstance(decl, d.ScenarioDecl):
            yield from _of_scenario(decl, above.get(decl.name, ()))


def _of_record(decl: d.RecordDecl) -> Iterator[Verdict]:
    for owner in reversed(list(decl.lineage())):
        for fact in owner.checks:
            evaluator = Evaluator()
            yield _judge(evaluator, fact, evaluator.record(decl), decl.name)


def _of_scenario(decl: d.ScenarioDecl, above: Above) -> Iterator[Verdict]:
    for use in decl.uses():
        if isinstance(use.type, PhaseType):
            for owner in reversed(list(use.type.phase.lineage())):
                for fact in owner.checks:
                    yield _of_use(decl, use, fact, above)
    for fact in decl.checks:
        world = open_world(decl, above)
        yield _judge(world.evaluator, fact, world.root, decl.name)


def _of_use(decl: d.ScenarioDecl, use: d.UseSlot, fact: d.Fact, above: Above) -> Verdict:
    """Judge a fact of the phase that *use* is."""
    world = open_world(decl, above)
    assert use.type is not None
    try:
        held = world.evaluator.read(world.root, use.name, c.Self(use.span, use.type))
    except Fault as found:
        return _undecided(fact, f"{decl.name}.{use.name}", found)
    assert isinstance(held, Instance)
    return _judge(world.evaluator, fact, held, f"{decl.name}.{use.name}")


def _undecided(fact: d.Fact, owner: str, found: Fault) -> Verdict:
    text = " ".join(fact.fact.span.text.split())
    return Verdict(
        fact.name, owner, text, fact.span, None, note=found.diagnostic, source=fact.source
    )


def _judge(evaluator: Evaluator, fact: d.Fact, holder: Instance, owner: str) -> Verdict:
    common = (fact.name, owner, " ".join(fact.fact.span.text.split()), fact.span)
    try:
        at = evaluator.under(holder, fact.at, Env(holder))
        value = evaluator.value(fact.fact, Env(at))
        sides = sides_of(evaluator, fact.fact, Env(at))
    except Fault as found:
        return _undecided(fact, owner, found)
    holds = value if isinstance(value, bool) else None
    named = slip_of(sides) if holds is False else None
    barely = holds is True and _only_by_tolerance(fact.fact, sides)
    return Verdict(*common, holds, sides, named, fact.source, free_names(value), None, barely)


def _only_by_tolerance(core: c.Core, sides: object) -> bool:
    if not isinstance(core, c.Comparison) or core.within is None or not isinstance(sides, tuple):
        return False
    if core.operator == "==":
        return False
    left, right = sides[0].value, sides[1].value
    return exact.compare(core.operator, left, right) is False
