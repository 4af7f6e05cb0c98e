"""Settings of a scenario that none of its questions and facts can read."""

from __future__ import annotations

from collections.abc import Iterator

from costlang.answer.worlds import open_world
from costlang.formula.lower import Lowering
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.faults import Fault
from costlang.model.instances import Env
from costlang.model.types import PhaseType
from costlang.text import Diagnostic, Label, Severity, Span


def unread_settings(scenario: d.ScenarioDecl) -> Iterator[Diagnostic]:
    """
    Yield a warning for each setting that nothing in *scenario* can read.

    What is read is found by lowering, which goes into both branches of a choice that numbers
    decide. Where something cannot be lowered nothing is said.
    """
    if not scenario.settings or not (scenario.queries() or scenario.checks):
        return
    try:
        touched = set().union(*(_touched(scenario, *asked) for asked in _asked(scenario)))
    except Fault:
        return
    aimed = {path for query in scenario.queries() for path in _aimed(query)}
    for path, setting in scenario.settings.items():
        if setting.span not in touched and path not in aimed:
            yield Diagnostic(
                "unread-setting",
                f"nothing here reads `{_target(setting)}`",
                Label(setting.span, "this changes no answer"),
                severity=Severity.WARNING,
            )


def _target(setting: d.Setting) -> str:
    return setting.span.text.split("=", 1)[0].strip()


def _aimed(query: d.QuerySlot) -> Iterator[c.Path]:
    """Yield what a question varies or seeks: it is put aside there, and not unread."""
    question = query.question
    if question is not None:
        yield from question.unknowns
        yield from (axis.path for axis in question.axes)
        yield from (setting.path for setting in question.at)


Asked = tuple[c.Core, tuple[d.Setting, ...]]


def _asked(scenario: d.ScenarioDecl) -> Iterator[Asked]:
    for query in scenario.queries():
        question = query.question
        if question is not None:
            for core in (*question.subjects, question.condition):
                if core is not None:
                    yield core, question.at
    for fact in scenario.checks:
        yield fact.fact, fact.at
    for requirement in scenario.requires:
        yield requirement.condition, ()
    for law in scenario.laws:
        yield law.subject, ()


def _touched(scenario: d.ScenarioDecl, core: c.Core, at: tuple[d.Setting, ...]) -> set[Span]:
    lowering = Lowering()
    world = open_world(scenario, evaluator=lowering)
    inside = world.under(at)
    world.value(core, inside)
    for holder in list(lowering.trace.instances.values()):
        for owner in holder.decl.lineage():
            for requirement in owner.requires:
                lowering.value(requirement.condition, Env(holder))
    for use in scenario.uses():
        if isinstance(use.type, PhaseType):
            _facts_of(lowering, use, inside)
    return lowering.trace.touched


def _facts_of(lowering: Lowering, use: d.UseSlot, world: object) -> None:
    """Read the facts that a phase in use has of its own."""
    assert isinstance(use.type, PhaseType)
    for owner in use.type.phase.lineage():
        for fact in owner.checks:
            held = lowering.read(world, use.name, c.Self(use.span, use.type))  # type: ignore[arg-type]
            lowering.value(fact.fact, Env(held))
