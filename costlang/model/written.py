"""Kinds as an author writes them, and the formals of a declaration."""

from __future__ import annotations

from costlang.model import declared as d
from costlang.model.context import Context
from costlang.model.missing import unknown_name
from costlang.model.types import BOOL, BROKEN, COUNT, RATIO, EnumType, RecordType, Type, number
from costlang.syntax import tree
from costlang.text import Edit, Label
from costlang.units import UnitFault


def written_type(context: Context, node: tree.Type, file: d.FileScope) -> Type:
    """Return the kind that *node* names; an unknown one is reported."""
    if node.unit is not None:
        unit = file.units.parse(node.unit.text)
        if isinstance(unit, UnitFault):
            edit = Edit(node.unit.span, unit.edit) if unit.edit is not None else None
            words = "in this type"
            context.report(
                unit.code, unit.message, node.unit.span, words, help=unit.help, edit=edit
            )
            return BROKEN
        return number(unit.dimension)
    return _named_type(context, node, file)


def _named_type(context: Context, node: tree.Type, file: d.FileScope) -> Type:
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
        _unknown_type(context, name, node, file)
    return BROKEN


ELSEWHERE = {
    **dict.fromkeys(
        ("int", "integer", "uint", "Int", "whole", "number"), "a whole number is a `count`"
    ),
    **dict.fromkeys(
        ("float", "double", "real", "Float"), "a real number is a `ratio`, or `[unit]`"
    ),
    **dict.fromkeys(("boolean", "Bool", "flag"), "a truth is a `bool`"),
    **dict.fromkeys(("str", "string", "text"), "there are no texts; a choice is an `enum`"),
    **dict.fromkeys(("bytes", "byte"), "bytes are `[B]`"),
    **dict.fromkeys(("seconds", "time"), "a time is `[s]`"),
    **dict.fromkeys(("tokens", "tok"), "tokens are `[tok]`"),
}
"""Types of other languages, and what is written here."""


def _unknown_type(context: Context, name: str, node: tree.Type, file: d.FileScope) -> None:
    """Report a type that there is not, with the kinds that look like it; a chip is not offered."""
    if name in ELSEWHERE:
        words, help = f"there is no type `{name}`", ELSEWHERE[name]
        context.report("unknown-name", words, node.span, "not a type here", help=help)
        return
    kinds = [n for n, found in {**file.own, **file.imported}.items() if _is_kind(found)]
    unknown_name(context, name, node.span, [*kinds, "count", "ratio", "bool"])


def _is_kind(found: d.Decl) -> bool:
    return isinstance(found, (d.EnumDecl, d.RecordDecl))


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
