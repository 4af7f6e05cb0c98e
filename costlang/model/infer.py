"""The kind of every expression, in one pass: literals, names, members, rows of tables."""

from __future__ import annotations

from functools import singledispatch

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.context import Context, Scope, formal_types
from costlang.model.fitting import fit
from costlang.model.missing import broken
from costlang.model.names import called, find_member, lookup, member, resolve
from costlang.model.seeking import sought_by
from costlang.model.slots import slot_type
from costlang.model.termtree import labels_below
from costlang.model.types import (
    ANY,
    BOOL,
    BROKEN,
    EnumType,
    NumberType,
    PhaseType,
    RecordType,
    TableType,
    TermsType,
    Type,
)
from costlang.syntax import tree
from costlang.text import Edit, Span
from costlang.units import NONE, UnitFault


def expression(
    context: Context, node: tree.Expr, scope: Scope, wanted: Type | None = None
) -> c.Core:
    """Return *node* with its kind; *wanted* only says where an enum or a record is expected."""
    opened, outer = len(context.open_slots), context.scope
    context.scope = scope
    try:
        return infer_kind(node, context, scope, wanted)
    except RecursionError:
        return _too_deep(context, node, opened)
    finally:
        context.scope = outer


def _too_deep(context: Context, node: tree.Expr, opened: int) -> c.Core:
    """Leave all that was opened on the way to *node*, and report it once."""
    for slot in context.open_slots[opened:]:
        if isinstance(slot, (d.Let, d.UseSlot, d.QuerySlot)):
            slot.type = BROKEN
    del context.open_slots[opened:]
    context.report("nesting-too-deep", "this nests too deep", node.span, "too deep here")
    return broken(node.span)


@singledispatch
def infer_kind(node: tree.Expr, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    raise AssertionError(f"no rule for {type(node).__name__}")


@infer_kind.register
def _(node: tree.Number, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    if node.unit is None:
        kind = ANY if node.value == 0 else NumberType(NONE)
        return c.Literal(node.span, kind, node.value)
    unit = scope.file.units.parse(node.unit.text)
    if isinstance(unit, UnitFault):
        edit = Edit(node.unit.span, unit.edit) if unit.edit is not None else None
        context.report(
            unit.code,
            unit.message,
            node.unit.span,
            "",
            help=_by_name(context, node, scope) or unit.help,
            edit=edit,
        )
        return broken(node.span)
    return c.Literal(node.span, NumberType(unit.dimension), node.value * unit.scale)


def _by_name(context: Context, node: tree.Number, scope: Scope) -> str | None:
    """Where what stands as a unit is a name in scope, a product was meant: `2 b`."""
    word = node.unit.text if node.unit is not None else ""
    if not word.isidentifier() or lookup(context, word, node.span, scope) is None:
        return None
    number = node.span.text.removesuffix(word).strip()
    return f"`{word}` is a name here; for a product write `{number} * {word}`"


@infer_kind.register
def _(node: tree.Boolean, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    return c.Truth(node.span, BOOL, node.value)


@infer_kind.register
def _(node: tree.Infinity, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    return c.Infinite(node.span, ANY)


@infer_kind.register
def _(node: tree.Name, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    return called(context, resolve(context, node.text, node.span, scope, wanted))


@infer_kind.register
def _(node: tree.Attribute, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    choice = _full_choice(context, node, scope)
    if choice is not None:
        return choice
    through = _through_count(context, node, scope)
    if through is not None:
        return through
    asked = _asked_field(context, node, scope)
    if asked is not None:
        return asked
    base = expression(context, node.base, scope)
    return called(context, member(context, base, node.name, node.span))


def _full_choice(context: Context, node: tree.Attribute, scope: Scope) -> c.Core | None:
    if not isinstance(node.base, tree.Name) or node.base.text in scope.locals:
        return None
    enum = scope.file.find(node.base.text)
    if isinstance(enum, d.EnumDecl) and node.name.text in enum.members:
        return c.Choice(node.span, EnumType(enum), enum, node.name.text)
    return None


def _through_count(context: Context, node: tree.Attribute, scope: Scope) -> c.Core | None:
    """Read `model.layers.attention`: `layers` is a count, and a segment of a path as well."""
    base = node.base
    if not isinstance(base, tree.Attribute):
        return None
    holder = _quiet(context, base.base, scope)
    if holder is None or not isinstance(holder.type, (RecordType, PhaseType)):
        return None
    owner = holder.type.record if isinstance(holder.type, RecordType) else holder.type.phase
    segment = base.name.text
    if segment not in labels_below(owner, ()) or owner.find(segment) is None:
        return None
    group = c.Used(base.span, TermsType(owner, (segment,)), holder, (segment,), None)
    return find_member(context, group, node.name.text, node.span)


def _quiet(context: Context, node: tree.Expr, scope: Scope) -> c.Core | None:
    if isinstance(node, tree.Name):
        return lookup(context, node.text, node.span, scope)
    if isinstance(node, tree.Attribute):
        base = _quiet(context, node.base, scope)
        return find_member(context, base, node.name.text, node.span) if base is not None else None
    return None


def _asked_field(context: Context, node: tree.Attribute, scope: Scope) -> c.Core | None:
    if not isinstance(node.base, tree.Name) or scope.owner is None:
        return None
    slot = None if node.base.text in scope.locals else scope.owner.find(node.base.text)
    if not isinstance(slot, d.QuerySlot):
        return None
    return answer_field(context, slot, node.name.text, node.span)


def answer_field(context: Context, slot: d.QuerySlot, name: str, span: object) -> c.Core | None:
    """Return `fit.alpha`: one of several unknowns, or an axis of a best value."""
    assert isinstance(span, Span)
    slot_type(context, slot, span)
    question = slot.question
    if question is None:
        return None
    for path, kind in sought_by(question):
        if path and path[-1] == name:
            return c.Asked(span, kind, slot.name, name)
    return None


@infer_kind.register
def _(node: tree.Index, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    base = expression(context, node.base, scope)
    if base.type is BROKEN:
        return base
    if not isinstance(base.type, TableType) or not isinstance(base, (c.Own, c.Get)):
        context.report(
            "not-a-table",
            f"{base.type.thing} has no rows",
            node.span,
            "only a table is read with a key",
        )
        return broken(node.span)
    table = base.type.table
    if table.key is None:
        return broken(node.span)
    key_type = EnumType(table.key)
    key = fit(context, expression(context, node.key, scope, key_type), key_type, node.key)
    holder = base.base if isinstance(base, c.Get) else c.Self(node.span, BROKEN)
    return c.Row(node.span, table.type, holder, table, key)


def fill_defaults(
    context: Context,
    nodes: tuple[tree.Formal, ...],
    formals: tuple[d.Formal, ...],
    scope: Scope,
) -> None:
    """Check the defaults of *formals*, each of which may use the other arguments."""
    inside = scope.with_locals(formal_types(formals)) if scope.owner is None else scope
    by_name = {node.name.span: node for node in nodes}
    for formal in formals:
        node = by_name[formal.span]
        if node.default is not None and formal.type is not BROKEN:
            value = expression(context, node.default, inside, formal.type)
            formal.default = fit(context, value, formal.type, node.default)
