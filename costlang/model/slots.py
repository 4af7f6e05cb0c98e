"""The kind of each member, found when it is first asked for; circles are found on the way."""

from __future__ import annotations

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.context import Context, Scope, formal_types
from costlang.model.types import (
    BOOL,
    BROKEN,
    COUNT,
    RATIO,
    EnumType,
    RecordType,
    TableType,
    Type,
    number,
)
from costlang.syntax import tree
from costlang.text import Label, Span
from costlang.units import UnitFault


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
        _open(context, slot)
        context.open_slots.remove(slot)
        if slot.type is None:
            slot.type = BROKEN
    return slot.type


def _open(context: Context, slot: d.Let | d.UseSlot | d.QuerySlot) -> None:
    from costlang.model import bodies

    match slot:
        case d.Let():
            bodies.open_let(context, slot)
        case d.UseSlot():
            bodies.open_use(context, slot)
        case d.QuerySlot():
            bodies.open_query(context, slot)


def _circle(context: Context, slot: d.Slot, asker: Span | None) -> None:
    ring = context.open_slots[context.open_slots.index(slot) :]
    for member in ring:
        if isinstance(member, (d.Let, d.UseSlot, d.QuerySlot)):
            member.type = BROKEN
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
    )


# ---- kinds as they are written


def written_type(context: Context, node: tree.Type, file: d.FileScope) -> Type:
    """Return the kind that *node* names; an unknown one is reported."""
    if node.unit is not None:
        unit = file.units.parse(node.unit.text)
        if isinstance(unit, UnitFault):
            context.report(unit.code, unit.message, node.unit.span, "in this type", help=unit.help)
            return BROKEN
        return number(unit.dimension)
    return _named_type(context, node, file)


def _named_type(context: Context, node: tree.Type, file: d.FileScope) -> Type:
    from costlang.model.names import unknown_name

    name = node.path[-1].text
    plain = {"count": COUNT, "ratio": RATIO, "bool": BOOL}.get(name)
    if plain is not None and file.find(name) is None:
        return plain
    found = file.find(name)
    if isinstance(found, d.EnumDecl):
        return EnumType(found)
    if isinstance(found, d.RecordDecl):
        return RecordType(found)
    if found is not None:
        context.report(
            "not-a-type",
            f"`{name}` is no type",
            node.span,
            "a type is `count`, `ratio`, `bool`, a unit in brackets, an enum or a record",
            labels=(Label(found.span, "declared here"),),
        )
    elif name not in file.broken:
        unknown_name(context, name, node.span, file, None)
    return BROKEN


def make_formals(
    context: Context, nodes: tuple[tree.Formal, ...], file: d.FileScope
) -> tuple[d.Formal, ...]:
    """Return the formals that *nodes* declare; their defaults are checked later."""
    made: dict[str, d.Formal] = {}
    for node in nodes:
        name = node.name.text
        if name in made:
            context.report(
                "declared-twice",
                f"`{name}` is an argument twice",
                node.name.span,
                "again here",
                labels=(Label(made[name].span, "first here"),),
            )
            continue
        kind = written_type(context, node.type, file)
        made[name] = d.Formal(name, node.name.span, kind, node.given, node.default is not None)
    return tuple(made.values())


def fill_defaults(
    context: Context,
    nodes: tuple[tree.Formal, ...],
    formals: tuple[d.Formal, ...],
    scope: Scope,
) -> None:
    """Check the defaults of *formals*, each of which may use the other arguments."""
    from costlang.model.infer import expression, fit

    inside = scope.with_locals(formal_types(formals)) if scope.owner is None else scope
    by_name = {node.name.span: node for node in nodes}
    for formal in formals:
        node = by_name[formal.span]
        if node.default is not None and formal.type is not BROKEN:
            value = expression(context, node.default, inside, formal.type)
            formal.default = fit(context, value, formal.type, node.default)


def core_broken(core: c.Core | None) -> bool:
    """Whether a mistake stands in place of *core*."""
    return core is None or core.type is BROKEN
