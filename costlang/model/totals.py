"""A total over the operators of a thing: what it may hold, and what it may not."""

from __future__ import annotations

from collections.abc import Iterator

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.context import Context, Scope
from costlang.model.fitting import dimension_of, numeric
from costlang.model.infer import expression
from costlang.model.missing import broken
from costlang.model.names import only_phase
from costlang.model.slots import slot_type
from costlang.model.types import BROKEN, NumberType, OpType, PhaseType, RecordType, TermsType, Type
from costlang.syntax import tree
from costlang.text import Label


def total_call(context: Context, node: tree.Call, base: c.Core, scope: Scope) -> c.Core:
    """Return the total of *base* over its operators."""
    kind: Type = base.type
    if isinstance(base, c.Self):
        owner = scope.owner
        if isinstance(owner, d.ScenarioDecl):
            return total_of_use(context, node, owner, scope)
        if owner is None:
            return _nothing_to_total(context, node, "this place")
    elif not isinstance(kind, (RecordType, PhaseType, OpType, TermsType)):
        return _nothing_to_total(context, node, kind.words)
    if len(node.arguments) != 1 or node.arguments[0].name is not None:
        context.report(
            "wrong-arguments", "`total` takes one expression", node.span, "not called so"
        )
        return broken(node.span)
    inside = scope.inside_total()
    body = numeric(context, expression(context, node.arguments[0].value, inside))
    if body.type is BROKEN:
        return broken(node.span)
    _no_total_inside(context, body)
    _stated(context, node, base, body, scope)
    return c.Total(node.span, NumberType(dimension_of(body)), base, body)


def total_of_use(
    context: Context, node: tree.Call, scenario: d.ScenarioDecl, scope: Scope
) -> c.Core:
    """Total what the one use of a scenario is, as its names stand bare there."""
    use = only_phase(context, scenario)
    if use is None or not isinstance(slot_type(context, use), RecordType):
        return _nothing_to_total(context, node, "this place")
    return total_call(
        context, node, c.Own(node.span, slot_type(context, use), use.name, use), scope
    )


def _nothing_to_total(context: Context, node: tree.Call, what: str) -> c.Core:
    context.report(
        "nothing-to-total",
        f"{what} has no terms to total",
        node.function.span,
        "only a record, a phase or an operator has terms",
    )
    return broken(node.span)


def _no_total_inside(context: Context, body: c.Core) -> None:
    for inner in walk(body):
        value = _definition_of(inner)
        totals = isinstance(inner, c.Total) or (
            value is not None and any(isinstance(core, c.Total) for core in walk(value))
        )
        if totals:
            context.report(
                "total-in-total",
                "a total stands inside a total",
                inner.span,
                "this would be counted once for each operator",
            )
            return


def _definition_of(core: c.Core) -> c.Core | None:
    slot = core.slot if isinstance(core, (c.Own, c.Get)) else None
    return slot.value if isinstance(slot, d.Let) else None


def walk(core: c.Core) -> Iterator[c.Core]:
    """Yield *core* and every expression inside it, without opening definitions."""
    yield core
    for value in vars(core).values():
        if isinstance(value, c.Core):
            yield from walk(value)
        elif isinstance(value, tuple):
            for item in value:
                inner = item[1] if isinstance(item, tuple) and len(item) == 2 else item
                if isinstance(inner, c.Core):
                    yield from walk(inner)


def _stated(context: Context, node: tree.Call, base: c.Core, body: c.Core, scope: Scope) -> None:
    """Refuse to total a resource that no operator of the program can state."""
    for inner in walk(body):
        if isinstance(inner, c.Resource) and not (
            context.damaged() or _anyone_states(context, inner.resource)
        ):
            context.report(
                "resource-never-stated",
                f"no operator states `{inner.resource.name}`",
                inner.span,
                "its total would be 0 for want of a statement",
                labels=(Label(inner.resource.span, "declared here"),),
            )
            return


def _anyone_states(context: Context, resource: d.ResourceDecl) -> bool:
    if resource.default is not None:
        return True
    return any(
        isinstance(decl, d.OpDecl) and resource.name in decl.slots
        for file in context.files.values()
        for decl in file.own.values()
    )
