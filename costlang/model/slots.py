"""The kind of each member, found when it is first asked for; circles are found on the way."""

from __future__ import annotations

from costlang.model import declared as d
from costlang.model.context import Context
from costlang.model.types import BROKEN, TableType, Type
from costlang.text import Label, Span


def slot_type(context: Context, slot: d.Slot, asker: Span | None = None) -> Type:
    """Return the kind of *slot*; *asker* is where it was named, for the message of a circle."""
    match slot:
        case d.Param():
            return slot.type
        case d.Table():
            return TableType(slot)
        case d.FormalSlot():
            return slot.formal.type if slot.formal is not None else BROKEN
        case d.Let() | d.UseSlot() | d.QuerySlot():
            return _opened(context, slot, asker)
        case _:
            return BROKEN


def _opened(context: Context, slot: d.Let | d.UseSlot | d.QuerySlot, asker: Span | None) -> Type:
    if slot.type is None:
        if slot in context.open_slots:
            _circle(context, slot, asker)
            return BROKEN
        context.open_slots.append(slot)
        context.open_slot(context, slot)
        context.open_slots.remove(slot)
        if slot.type is None:
            slot.type = BROKEN
    return slot.type


def _circle(context: Context, slot: d.Slot, asker: Span | None) -> None:
    ring = context.open_slots[context.open_slots.index(slot) :]
    for member in ring:
        if isinstance(member, (d.Let, d.UseSlot, d.QuerySlot)):
            member.type = BROKEN
    if slot.owner.broken_name("*"):
        return
    if len(ring) == 1:
        message = f"`{slot.name}` is defined by itself"
    else:
        names = [member.name for member in ring]
        message = (
            f"these are defined by each other: {' → '.join(f'`{n}`' for n in [*names, slot.name])}"
        )
    labels = tuple(Label(member.span, f"`{member.name}` needs the next") for member in ring[1:])
    place = Label(asker, "and this closes the circle") if asker is not None else None
    context.report(
        "circular-definition",
        message,
        slot.span,
        "defined here",
        labels=(*labels, place) if place is not None else labels,
        help=_asked_help(slot) if len(ring) == 1 else None,
    )


def _asked_help(slot: d.Slot) -> str | None:
    """A question that is called like a member of what is in use reads itself."""
    uses = slot.owner.uses() if isinstance(slot.owner, d.ScenarioDecl) else []
    if not isinstance(slot, d.QuerySlot) or not uses:
        return None
    return f"inside a question its own name wins; write `{uses[0].name}.{slot.name}`"
