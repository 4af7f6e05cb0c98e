"""What stands before `(`: a built-in, a function, a total, a phase or an operator."""

from __future__ import annotations

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.arguments import bind
from costlang.model.builtins import BUILTINS
from costlang.model.context import Context, Scope
from costlang.model.fitting import bare, dimension_of, dimension_words, numeric, same_dimension
from costlang.model.infer import expression, infer_kind
from costlang.model.missing import broken
from costlang.model.names import lookup, member, resolve
from costlang.model.operators import operator_call, phase_call, read_arguments
from costlang.model.slots import slot_type
from costlang.model.totals import total_call
from costlang.model.types import BROKEN, NumberType, Type
from costlang.syntax import tree


@infer_kind.register
def _(node: tree.Call, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    return call(context, node, scope)


def call(context: Context, node: tree.Call, scope: Scope) -> c.Core:
    """Return the call *node* with its kind."""
    function = node.function
    if isinstance(function, tree.Attribute):
        return _member_call(context, node, function, scope)
    if not isinstance(function, tree.Name):
        return _not_callable(context, node, "this")
    own = scope.owner.find(function.text) if scope.owner is not None else None
    if isinstance(own, d.Let) and own.formals is not None:
        base = c.Self(function.span, BROKEN)
        return _apply(context, node, base, own, scope)
    if own is None and function.text in BUILTINS:
        return _builtin(context, node, function.text, scope)
    return _declared_call(context, node, function, scope)


def _member_call(
    context: Context, node: tree.Call, function: tree.Attribute, scope: Scope
) -> c.Core:
    base = expression(context, function.base, scope)
    if base.type is BROKEN:
        inside = scope.inside_total() if function.name.text == "total" else scope
        read_arguments(context, node, inside)
        return base
    if function.name.text == "total":
        return total_call(context, node, base, scope)
    found = member(context, base, function.name, function.span)
    if found.type is BROKEN and not isinstance(found, c.Get):
        read_arguments(context, node, scope)
        return found
    let = found.slot if isinstance(found, c.Get) else None
    if isinstance(found, c.Get) and isinstance(let, d.Let) and let.formals is not None:
        return _apply(context, node, found.base, let, scope)
    return _not_callable(context, node, f"`{function.name.text}`")


def _not_callable(context: Context, node: tree.Call, what: str) -> c.Core:
    context.report(
        "not-a-function",
        f"{what} takes no arguments",
        node.function.span,
        "only a function, a phase or an operator is called",
    )
    return broken(node.span)


def _declared_call(context: Context, node: tree.Call, function: tree.Name, scope: Scope) -> c.Core:
    found = scope.file.find(function.text)
    match found:
        case d.FunctionDecl(let=let) if let is not None:
            slot_type(context, let, function.span)
            if let.formals is not None:
                return _apply(context, node, None, let, scope)
        case d.PhaseDecl():
            return phase_call(context, node, found, scope)
        case d.OpDecl():
            return operator_call(context, node, found, scope)
        case None:
            lent = lookup(context, function.text, function.span, scope)
            if lent is None:
                read_arguments(context, node, scope)
                return resolve(context, function.text, function.span, scope, None)
            slot = lent.slot if isinstance(lent, c.Get) else None
            if isinstance(lent, c.Get) and isinstance(slot, d.Let) and slot.formals is not None:
                return _apply(context, node, lent.base, slot, scope)
    return _not_callable(context, node, f"`{function.text}`")


def _apply(
    context: Context, node: tree.Call, base: c.Core | None, let: d.Let, scope: Scope
) -> c.Core:
    kind = slot_type(context, let, node.function.span)
    bound = bind(context, node, let.formals or (), let.name, let.span, scope)
    if bound is None or kind is BROKEN:
        return broken(node.span)
    arguments, _ = bound
    return c.Apply(node.span, kind, base, let, tuple(arguments.items()))


def _builtin(context: Context, node: tree.Call, name: str, scope: Scope) -> c.Core:
    if name == "total":
        return total_call(context, node, c.Self(node.function.span, BROKEN), scope)
    fewest, most = BUILTINS[name]
    count = len(node.arguments)
    named = next((a for a in node.arguments if a.name is not None), None)
    if name == "sum" or count < fewest or (most is not None and count > most) or named:
        form = "sum(over i in 1..n: …)" if name == "sum" else f"{name}(…)"
        context.report(
            "wrong-arguments",
            f"`{name}` is not called so",
            node.span,
            f"{count} arguments" if named is None else "an argument by name",
            help=f"write `{form}`",
        )
        return broken(node.span)
    values = [numeric(context, expression(context, a.value, scope)) for a in node.arguments]
    if any(value.type is BROKEN for value in values):
        return broken(node.span)
    kind = _builtin_kind(context, node, name, values)
    if kind is BROKEN:
        return broken(node.span)
    return c.Builtin(node.span, kind, name, tuple(values))


def _builtin_kind(context: Context, node: tree.Call, name: str, values: list[c.Core]) -> Type:
    first = values[0]
    if name in ("max", "min"):
        return _shared(context, node, name, values)
    if name == "abs":
        return NumberType(dimension_of(first))
    if name == "sqrt":
        root = dimension_of(first).root(2)
        if root is not None:
            return NumberType(root)
        context.report(
            "odd-exponent",
            f"half a dimension is left by the square root of {dimension_of(first)}",
            first.span,
            dimension_words(first),
        )
        return BROKEN
    return bare(context, first, f"the argument of `{name}`").type


def _shared(context: Context, node: tree.Call, name: str, values: list[c.Core]) -> Type:
    kind: Type = NumberType(None)
    reference = values[0]
    for value in values:
        if isinstance(reference.type, NumberType) and reference.type.dimension is None:
            reference = value
        kind = same_dimension(context, node.span, reference, value, "compared")
        if kind is BROKEN:
            return BROKEN
    return kind
