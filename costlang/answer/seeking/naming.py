"""A record, an enum or a truth as the unknown: each that there is, put in and tried."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from costlang.answer.worlds import open_world
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.faults import Fault
from costlang.model.types import EnumType, RecordType, Type
from costlang.text import Span


@dataclass(frozen=True)
class Named:
    """The names for which a condition *holds*, and those for which it cannot be *told*."""

    holds: tuple[str, ...]
    fails: tuple[str, ...]
    untold: tuple[str, ...]


def candidates(scenario: d.ScenarioDecl, kind: Type, span: Span) -> Iterator[tuple[str, c.Core]]:
    """Yield what an unknown of *kind* may be: members, or the records that the file knows."""
    match kind:
        case EnumType(enum=enum):
            for name in enum.members:
                yield name, c.Choice(span, kind, enum, name)
        case RecordType(record=wanted):
            for decl in {**scenario.file.own, **scenario.file.imported}.values():
                if not isinstance(decl, d.RecordDecl) or decl.kind == "interface":
                    continue
                if decl.is_a(wanted):
                    yield decl.name, c.RecordRef(span, RecordType(decl), decl)
        case _:
            for name, truth in (("true", True), ("false", False)):
                yield name, c.Truth(span, kind, truth)


def named(
    scenario: d.ScenarioDecl,
    question: d.Question,
    above: tuple[d.Setting, ...],
    path: c.Path,
    kind: Type,
) -> Named:
    """Return for which candidates the condition of *question* holds."""
    (core,) = question.subjects
    sorted_: dict[object, list[str]] = {True: [], False: [], None: []}
    for name, value in candidates(scenario, kind, question.node.span):
        setting = d.Setting(path, value.span, value, None, kind, None)
        sorted_[_truth(scenario, question, (setting, *above), core)].append(name)
    return Named(tuple(sorted_[True]), tuple(sorted_[False]), tuple(sorted_[None]))


def _truth(
    scenario: d.ScenarioDecl, question: d.Question, above: tuple[d.Setting, ...], core: c.Core
) -> bool | None:
    world = open_world(scenario, above)
    try:
        found = world.value(core, world.under(question.at))
    except Fault as wrong:
        if wrong.diagnostic.code == "too-much-work":
            raise
        return None
    return found if isinstance(found, bool) else None
