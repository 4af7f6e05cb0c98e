"""What a setting sets: a path from a declaration inwards, and the kind that belongs there."""

from __future__ import annotations

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.context import Context, Scope
from costlang.model.lending import path_of
from costlang.model.missing import broken
from costlang.model.names import member, only_phase, resolve
from costlang.model.slots import slot_type
from costlang.model.types import BROKEN, EnumType, RecordType, TableType, Type
from costlang.syntax import tree
from costlang.text import Label, Span
from costlang.text.near import did_you_mean, near_names

Target = tuple[c.Path, Type]


def target(context: Context, node: tree.Expr, scope: Scope) -> Target | None:
    """Return what *node* sets, None after a message."""
    found = named_thing(context, node, scope)
    if found is None or found.type is BROKEN:
        return None
    if isinstance(found.type, TableType):
        context.report(
            "table-without-key",
            f"{found.type.words} is set a row at a time",
            node.span,
            "which row?",
        )
        return None
    if not _settable(context, found, node):
        return None
    return path_of(found), _settable_type(context, found)


def _settable_type(context: Context, found: c.Core) -> Type:
    """A formal takes whatever its declaration asks for, not just the kind it was given."""
    slot = found.slot if isinstance(found, (c.Own, c.Get)) else None
    if isinstance(slot, d.FormalSlot):
        return slot_type(context, slot)
    return found.type


def named_thing(context: Context, node: tree.Expr, scope: Scope) -> c.Core | None:
    """Return the member that *node* names, None after a message."""
    match node:
        case tree.Name(text=text):
            return _first(context, text, node.span, scope)
        case tree.Attribute(base=base, name=word):
            holder = named_thing(context, base, scope)
            return member(context, holder, word, node.span) if holder is not None else None
        case tree.Index(base=base, key=key):
            return _row(context, node, base, key, scope)
        case _:
            context.report("not-settable", "this cannot be set", node.span, "a name belongs here")
            return None


def _first(context: Context, text: str, span: Span, scope: Scope) -> c.Core:
    """A setting names a member, never an enum or a record of the file."""
    slot = scope.owner.find(text) if scope.owner is not None else None
    if slot is not None:
        return c.Own(span, slot_type(context, slot, span), text, slot)
    if isinstance(scope.owner, d.ScenarioDecl):
        use = only_phase(context, scope.owner)
        if text in scope.file.broken:
            return broken(span)
        if use is not None:
            base = c.Own(span, slot_type(context, use), use.name, use)
            return member(context, base, tree.Word(span, text), span)
    if isinstance(scope.owner, (d.RecordDecl, d.PhaseDecl)):
        return _no_such_member(context, text, span, scope.owner)
    return resolve(context, text, span, scope, None)


def _no_such_member(
    context: Context, text: str, span: Span, owner: d.RecordDecl | d.PhaseDecl
) -> c.Core:
    """Report a setting of something that nothing above declares."""
    if context.lost(text) or owner.broken_name("*") or owner.broken_name(text):
        return broken(span)
    names = sorted(set(owner.names()))
    context.report(
        "unknown-member",
        f"`{owner.name}` has no parameter `{text}` to set",
        span,
        "nothing here has this name",
        help=did_you_mean(near_names(text, names)) or f"to declare it, write `let {text} = …`",
    )
    return broken(span)


def _row(
    context: Context, node: tree.Index, base: tree.Expr, key: tree.Expr, scope: Scope
) -> c.Core | None:
    holder = named_thing(context, base, scope)
    if holder is None or holder.type is BROKEN:
        return None
    if not isinstance(holder.type, TableType) or not isinstance(holder, (c.Own, c.Get)):
        context.report("not-a-table", f"{holder.type.words} has no rows", node.span, "")
        return None
    enum = holder.type.table.key
    if enum is None:
        return None
    row = resolve(context, _key_text(key), key.span, scope, EnumType(enum))
    if not isinstance(row, c.Choice):
        if row.type is not BROKEN:
            context.report(
                "wrong-kind", f"a row is named by one of `{enum.name}`", key.span, row.type.words
            )
        return None
    table = holder.type.table
    base_core = holder.base if isinstance(holder, c.Get) else c.Self(node.span, BROKEN)
    return c.Row(node.span, table.type, base_core, table, row)


def _key_text(key: tree.Expr) -> str:
    if isinstance(key, tree.Attribute):
        return key.name.text
    return key.text if isinstance(key, tree.Name) else key.span.text


def _settable(context: Context, found: c.Core, node: tree.Expr) -> bool:
    slot = found.slot if isinstance(found, (c.Own, c.Get)) else None
    if isinstance(found, c.Row) or isinstance(slot, (d.Param, d.FormalSlot)):
        return True
    if isinstance(slot, d.Let) and slot.formals is None:
        return True
    context.report(
        "not-settable",
        f"`{node.span.text}` cannot be set",
        node.span,
        f"{found.type.words}",
        labels=(Label(slot.span, "declared here"),) if slot is not None else (),
    )
    return False


def relative_path(context: Context, kind: Type, name: str, word: tree.Word) -> Target | None:
    """Return what *name* sets in a thing of *kind* (a call's argument by name)."""
    root = c.Core(word.span, kind)
    found = member(context, root, word, word.span)
    if found.type is BROKEN or not _settable(context, found, tree.Name(word.span, name)):
        return None
    return path_of(found), _settable_type(context, found)


def is_record(kind: Type) -> bool:
    """Whether *kind* is that of a record."""
    return isinstance(kind, RecordType)
