"""Parameters, tables and formals: their kinds, domains, defaults and rows."""

from __future__ import annotations

from costlang.model import declared as d
from costlang.model.context import Context, Scope
from costlang.model.definitions import scope_of
from costlang.model.domains import checked_value, report_outside
from costlang.model.fitting import shared_unit
from costlang.model.infer import fill_defaults
from costlang.model.missing import unknown_name
from costlang.model.types import BROKEN
from costlang.model.written import make_formals, written_type
from costlang.syntax import tree
from costlang.text import Label
from costlang.text.near import did_you_mean, near_names


def declare_kinds(context: Context, owner: d.Owner) -> None:
    """Find the written kinds of the parameters, tables and formals of *owner*."""
    _formals(context, owner)
    for slot in list(owner.slots.values()):
        if isinstance(slot, d.Param) and slot.node is not None:
            slot.type = written_type(context, slot.node.type, owner.file)
        elif isinstance(slot, d.Table) and slot.node is not None:
            _table_kind(context, slot)


def _formals(context: Context, owner: d.Owner) -> None:
    node = owner.node
    if not isinstance(node, (tree.Phase, tree.Op)) or node.formals is None:
        return
    assert isinstance(owner, (d.PhaseDecl, d.OpDecl))
    owner.formals = make_formals(context, node.formals, owner.file)
    for formal in owner.formals:
        earlier = owner.slots.get(formal.name)
        if earlier is not None:
            context.report(
                "declared-twice",
                f"`{formal.name}` is already an argument here",
                earlier.span,
                "declared again here",
                labels=(Label(formal.span, "first declared here"),),
            )
        owner.slots[formal.name] = d.FormalSlot(formal.name, formal.span, owner, formal=formal)


PLAIN_TYPES = ("count", "ratio", "bool")


def _table_kind(context: Context, table: d.Table) -> None:
    node = table.node
    assert node is not None
    word = node.key[-1]
    enum = table.owner.file.find(word.text)
    table.type = written_type(context, node.type, table.owner.file)
    if isinstance(enum, d.EnumDecl):
        table.key = enum
    elif enum is None and word.text not in (*table.owner.file.broken, *PLAIN_TYPES):
        unknown_name(context, word.text, word.span, table.owner.file.own)
    elif enum is not None or word.text in PLAIN_TYPES:
        context.report(
            "not-an-enum",
            f"a table is a map over an enum, and `{word.text}` is none",
            word.span,
            "not a closed set of names",
            labels=(Label(enum.span, "declared here"),) if enum is not None else (),
        )


def check_values(context: Context, owner: d.Owner) -> None:
    """Check the domains, defaults and rows of *owner*."""
    node = owner.node
    scope = scope_of(owner)
    if isinstance(node, (tree.Phase, tree.Op)) and node.formals is not None:
        assert isinstance(owner, (d.PhaseDecl, d.OpDecl))
        fill_defaults(context, node.formals, owner.formals, scope)
    for slot in list(owner.slots.values()):
        if isinstance(slot, d.Param):
            _param(context, slot, scope)
        elif isinstance(slot, d.Table):
            _rows(context, slot, scope)


def _param(context: Context, slot: d.Param, scope: Scope) -> None:
    node = slot.node
    assert node is not None
    if slot.type is BROKEN:
        return
    _domain(context, slot, node.domain, scope)
    if node.default is None:
        return
    nodes = shared_unit((node.default, node.high) if node.high is not None else (node.default,))
    values = [checked_value(context, item, slot.type, scope) for item in nodes]
    slot.default = values[0]
    slot.default_high = values[1] if len(values) > 1 else None
    report_outside(context, slot, values)


def _domain(context: Context, slot: d.Param, node: tree.Domain | None, scope: Scope) -> None:
    if isinstance(node, tree.RangeDomain):
        ends = shared_unit((node.low, node.high) if node.high is not None else (node.low,))
        values = [checked_value(context, item, slot.type, scope) for item in ends]
        slot.low = values[0]
        slot.high = values[1] if len(values) > 1 else None
    elif isinstance(node, tree.SetDomain):
        items = shared_unit(node.items)
        slot.choices = tuple(checked_value(context, item, slot.type, scope) for item in items)


def _rows(context: Context, table: d.Table, scope: Scope) -> None:
    assert table.node is not None
    for row in table.node.rows:
        key = row.key.text
        if table.key is None or table.type is BROKEN:
            return
        if key not in table.key.members:
            near = near_names(key, table.key.members)
            context.report(
                "unknown-member",
                f"`{table.key.name}` has no member `{key}`",
                row.key.span,
                "no such row",
                help=did_you_mean(near),
            )
            continue
        if key in table.rows:
            report_set_twice(context, f"{table.name}[{key}]", row.key, table.rows[key])
            continue
        value = checked_value(context, row.value, table.type, scope, table.span)
        source = row.source.text if row.source else None
        path = (table.name, f"[{key}]")
        table.rows[key] = d.Setting(path, row.span, value, None, table.type, source)


def report_set_twice(context: Context, name: str, node: tree.Node, earlier: d.Setting) -> None:
    """Report that *name* has a value already."""
    context.report(
        "set-twice",
        f"`{name}` is set twice in one block",
        node.span,
        "set again here",
        labels=(Label(earlier.span, "first set here"),),
    )
