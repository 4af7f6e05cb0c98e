"""Members of records and phases, and what a phase lends of the things it was given."""

from __future__ import annotations

from collections.abc import Iterator

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.context import Context
from costlang.model.missing import broken
from costlang.model.slots import slot_type
from costlang.model.types import PhaseType, RecordType
from costlang.text import Label, Span


def slot_of(context: Context, base: c.Core, owner: d.Owner, name: str, span: Span) -> c.Core | None:
    """Return the member *name* that *owner* declares or inherits, None when there is none."""
    slot = owner.find(name)
    if slot is None:
        return None
    kind = slot_type(context, slot, span)
    if isinstance(base.type, PhaseType) and isinstance(slot, d.FormalSlot):
        kind = base.type.formal(name) or kind
    return c.Get(span, kind, base, name, slot)


def lend(context: Context, base: c.Core, name: str, span: Span) -> c.Core | None:
    """Return the member *name* that the phase *base* lends of what it was given."""
    assert isinstance(base.type, PhaseType)
    phase = base.type.phase
    level: list[c.Core] = [
        c.Get(span, kind, base, formal, slot)
        for formal, kind in base.type.formals
        if (slot := phase.find(formal)) is not None
    ]
    for _ in range(3):
        found = [hit for giver in level if (hit := _lent(context, giver, name, span)) is not None]
        kept = [hit for hit in found if not _set_by(phase, hit)] or found
        if len(kept) == 1:
            return kept[0]
        if kept:
            return _two_givers(context, name, span, kept)
        level = [inner for giver in level for inner in _records_in(context, giver, span)]
    return None


def _lent(context: Context, giver: c.Core, name: str, span: Span) -> c.Core | None:
    if not isinstance(giver.type, RecordType):
        return None
    return slot_of(context, giver, giver.type.record, name, span)


def _records_in(context: Context, giver: c.Core, span: Span) -> Iterator[c.Core]:
    if not isinstance(giver.type, RecordType):
        return
    record = giver.type.record
    for name in record.names():
        slot = record.find(name)
        if isinstance(slot, d.Param) and isinstance(slot_type(context, slot), RecordType):
            yield c.Get(span, slot_type(context, slot), giver, name, slot)


def _set_by(phase: d.PhaseDecl, found: c.Core) -> bool:
    path = path_of(found)[1:]
    return any(path in owner.settings for owner in phase.lineage())


def path_of(found: c.Core) -> c.Path:
    """Return the names by which *found* was reached, from its root on."""
    match found:
        case c.Get(base=base, name=name):
            return (*path_of(base), name)
        case c.Row(base=base, table=table, key=c.Choice(name=key)):
            return (*path_of(base), table.name, f"[{key}]")
        case c.Own(name=name):
            return (name,)
        case _:
            return ()


def _two_givers(context: Context, name: str, span: Span, found: list[c.Core]) -> c.Core:
    ways = [".".join(path_of(hit)) for hit in found]
    labels = tuple(
        Label(hit.slot.span, f"`{way}` is declared here")
        for hit, way in zip(found, ways, strict=True)
        if isinstance(hit, c.Get)
    )
    context.report(
        "lent-twice",
        f"`{name}` could be {' or '.join(f'`{way}`' for way in ways)}",
        span,
        "lent by two",
        labels=labels[:1] if len({label.span for label in labels}) == 1 else labels,
        help=f"write {' or '.join(f'`{way}`' for way in ways)}",
    )
    return broken(span)
