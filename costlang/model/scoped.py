"""Which names that can be read at a place have a dimension that is asked for."""

from __future__ import annotations

from collections.abc import Iterator

from costlang.model import declared as d
from costlang.model.context import Context, Scope
from costlang.model.types import NumberType, PhaseType, RecordType, Type
from costlang.units import Dimension

MOST = 6


def names_of_dimension(context: Context, scope: Scope | None, wanted: Dimension) -> list[str]:
    """
    Return the names that an expression in *scope* could write for something of *wanted*.

    Only kinds that are known already are looked at, so that nothing is opened or reported.
    """
    if scope is None:
        return []
    found = (name for name, kind in _kinds(scope) if _has(kind, wanted))
    return list(dict.fromkeys(found))[:MOST]


def _has(kind: Type | None, wanted: Dimension) -> bool:
    return isinstance(kind, NumberType) and kind.dimension == wanted


def _kinds(scope: Scope) -> Iterator[tuple[str, Type | None]]:
    yield from scope.locals.items()
    owner = scope.owner
    if owner is None:
        return
    for name in owner.names():
        yield name, _known(owner.find(name))
    if isinstance(owner, d.ScenarioDecl):
        yield from _bare(owner)
    elif isinstance(owner, d.PhaseDecl):
        yield from _of_givers(owner)


def _known(slot: d.Slot | None) -> Type | None:
    match slot:
        case d.FormalSlot(formal=formal) if formal is not None:
            return formal.type
        case d.Param() | d.Let():
            return slot.type if not (isinstance(slot, d.Let) and slot.formals) else None
        case _:
            return None


def _of_givers(phase: d.PhaseDecl) -> Iterator[tuple[str, Type | None]]:
    """Yield what a phase reads through what it is given: `model.batch`."""
    for owner in phase.lineage():
        for formal in owner.formals if isinstance(owner, d.PhaseDecl) else ():
            if isinstance(formal.type, RecordType):
                record = formal.type.record
                yield from ((f"{formal.name}.{n}", _known(record.find(n))) for n in record.names())


def _bare(scenario: d.ScenarioDecl) -> Iterator[tuple[str, Type | None]]:
    """Yield what stands bare in a scenario with one phase in use, lent names last."""
    uses = [use.type for use in scenario.uses() if isinstance(use.type, PhaseType)]
    if len(uses) != 1:
        return
    phase = uses[0].phase
    yield from ((name, _known(phase.find(name))) for name in phase.names())
    for _, given in uses[0].formals:
        if isinstance(given, RecordType):
            yield from ((name, _known(given.record.find(name))) for name in given.record.names())
