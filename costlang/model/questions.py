"""Scenarios: what is used, and what is asked, with its names resolved."""

from __future__ import annotations

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.context import Context, Scope
from costlang.model.definitions import open_let, scope_of
from costlang.model.domains import checked_value
from costlang.model.fitting import numeric, shared_unit, truth
from costlang.model.infer import expression
from costlang.model.settings import bindings
from costlang.model.slots import slot_type
from costlang.model.targets import target
from costlang.model.types import BROKEN, BoolType, EnumType, PhaseType, RecordType, Type
from costlang.syntax import tree
from costlang.text import Edit
from costlang.units import UnitFault


def open_slot(context: Context, slot: d.Slot) -> None:
    """Find the kind of a member that has to be read for it."""
    match slot:
        case d.Let():
            open_let(context, slot)
        case d.UseSlot():
            open_use(context, slot)
        case d.QuerySlot():
            open_query(context, slot)


def open_use(context: Context, slot: d.UseSlot) -> None:
    """Find what `use name = …` binds."""
    node = slot.node
    assert node is not None
    scope = scope_of(slot.owner)
    value = _used_value(context, slot, node, scope)
    slot.value = value
    slot.type = value.type
    if value.type is not BROKEN and not isinstance(value.type, (PhaseType, RecordType)):
        context.report(
            "not-usable",
            f"{value.type.thing} cannot be used so",
            node.value.span,
            "a phase with what it is given, a record, or another use",
        )
        slot.type = BROKEN


def _used_value(context: Context, slot: d.UseSlot, node: tree.Use, scope: Scope) -> c.Core:
    if isinstance(node.value, tree.Name):
        own = slot.owner.find(node.value.text)
        if isinstance(own, d.UseSlot):
            slot.base = own.name
            kind = slot_type(context, own, node.value.span)
            return c.Own(node.value.span, kind, own.name, own)
    return expression(context, node.value, scope)


def open_query(context: Context, slot: d.QuerySlot) -> None:
    """Find the kind of the answer to a question, and check the question."""
    node = slot.node
    assert node is not None
    slot.question = read_question(context, node.question, scope_of(slot.owner))
    slot.type = answer_type(slot.question)


def answer_type(question: d.Question) -> Type:
    """Return the kind of the value by which others can use the answer."""
    if question.kind in ("solve", "largest", "smallest") and question.unknown_types:
        if question.kind != "solve" and question.axes:
            return question.subjects[0].type
        return question.unknown_types[0] if len(question.unknown_types) == 1 else BROKEN
    if question.kind in ("eval", "limit") and len(question.subjects) == 1:
        return question.subjects[0].type
    if question.kind in ("largest", "smallest") and question.subjects:
        return question.subjects[0].type
    return BROKEN


def read_question(context: Context, node: tree.Question, scope: Scope) -> d.Question:
    """Return *node* with its names resolved."""
    subjects = tuple(_subject(context, node, item, scope) for item in node.subjects)
    unknown = [target(context, item, scope) for item in node.unknowns]
    found = [item for item in unknown if item is not None]
    at = bindings(context, node.at, scope)
    axes = tuple(a for item in node.axes if (a := _axis(context, item, scope)) is not None)
    condition = (
        truth(context, expression(context, node.condition, scope)) if node.condition else None
    )
    point = expression(context, node.point, scope) if node.point is not None else None
    return d.Question(
        node.kind,
        node,
        subjects,
        tuple(path for path, _ in found),
        tuple(kind for _, kind in found),
        axes,
        condition,
        point,
        at,
        known_units(context, scope.file, node.show),
    )


def _subject(context: Context, node: tree.Question, item: tree.Expr, scope: Scope) -> c.Core:
    value = expression(context, item, scope)
    if node.kind == "solve":
        return truth(context, value)
    if node.kind in ("eval", "sweep") and isinstance(value.type, (BoolType, EnumType)):
        return value
    return numeric(context, value)


def _axis(context: Context, node: tree.Axis, scope: Scope) -> d.Axis | None:
    found = target(context, node.name, scope)
    if found is None:
        return None
    path, wanted = found
    if isinstance(node.domain, tree.SetDomain):
        items = shared_unit(node.domain.items)
        values = tuple(checked_value(context, item, wanted, scope) for item in items)
        return d.Axis(path, node.span, wanted, values, None, None)
    if isinstance(node.domain, tree.RangeDomain):
        low, high = node.domain.low, node.domain.high
        ends = shared_unit((low, high) if high is not None else (low,))
        cores = [checked_value(context, item, wanted, scope) for item in ends]
        return d.Axis(path, node.span, wanted, (), cores[0], cores[1] if len(cores) > 1 else None)
    return d.Axis(path, node.span, wanted, (), None, None)


def known_units(
    context: Context, file: d.FileScope, nodes: tuple[tree.UnitText, ...]
) -> tuple[tree.UnitText, ...]:
    """Return those of *nodes* that are units; the others are reported."""
    good = []
    for node in nodes:
        unit = file.units.parse(node.text)
        if isinstance(unit, UnitFault):
            edit = Edit(node.span, unit.edit) if unit.edit is not None else None
            words = "after `show`"
            context.report(unit.code, unit.message, node.span, words, help=unit.help, edit=edit)
        else:
            good.append(node)
    return tuple(good)
