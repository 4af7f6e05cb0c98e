"""The body of a definition, and of one that replaces another."""

from __future__ import annotations

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.context import Context, Scope, formal_types
from costlang.model.fitting import dimension_words, fit
from costlang.model.infer import expression, fill_defaults
from costlang.model.missing import broken
from costlang.model.slots import slot_type
from costlang.model.types import BROKEN, NumberType, Type
from costlang.model.written import make_formals
from costlang.text import Label


def scope_of(owner: d.Owner) -> Scope:
    """Return the scope of an expression that stands directly in *owner*."""
    return Scope(owner.file, owner)


def open_let(context: Context, slot: d.Let) -> None:
    """Find the kind of the definition *slot*, and its checked body."""
    node = slot.node
    assert node is not None
    owner = slot.owner if slot.owner.node is not None else None
    scope = Scope(slot.owner.file, owner, replacing=slot if slot.replaced else None)
    if node.formals is not None:
        slot.formals = make_formals(context, node.formals, slot.owner.file)
        outer = Scope(scope.file, owner)
        fill_defaults(context, node.formals, slot.formals, outer)
        scope = scope.with_locals(formal_types(slot.formals))
    wanted = slot_type(context, slot.replaced) if slot.replaced else None
    stated = context.resource(slot.name, scope.file) if isinstance(owner, d.OpDecl) else None
    if stated is not None:
        wanted = stated.type
    elif isinstance(owner, d.OpDecl) and context.lost(slot.name):
        wanted = BROKEN  # a resource that could not be imported, of a kind that nobody knows
    value = expression(context, node.value, scope, wanted)
    if stated is not None:
        value = fit(context, value, stated.type, node.value, stated.span)
    if wanted is not None and slot.replaced is not None:
        value = _replacing(context, slot, value, wanted)
    value = _finite(context, value)
    slot.value = value
    slot.type = value.type


def _replacing(context: Context, slot: d.Let, value: c.Core, wanted: Type) -> c.Core:
    assert slot.node is not None and slot.replaced is not None
    if isinstance(wanted, NumberType) and isinstance(value.type, NumberType):
        if wanted.dimension is not None and value.type.dimension not in (None, wanted.dimension):
            context.report(
                "dimension-mismatch",
                "an override keeps the dimension of what it replaces",
                value.span,
                dimension_words(value),
                labels=(Label(slot.replaced.span, f"{wanted.words}, declared here"),),
            )
            return broken(value.span)
        return value
    return fit(context, value, wanted, slot.node.value)


def _finite(context: Context, value: c.Core) -> c.Core:
    if isinstance(value, c.Infinite):
        context.report(
            "infinite",
            "`inf` is a bound, an argument of `min` or `max`, or the value of a parameter",
            value.span,
            "not the value of a definition",
        )
        return broken(value.span)
    return value
