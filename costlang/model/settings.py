"""Statements that set: in a block, and after `at`."""

from __future__ import annotations

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.context import Context, Scope
from costlang.model.domains import checked_value, literal, report_outside
from costlang.model.fitting import shared_unit
from costlang.model.infer import expression
from costlang.model.parameters import report_set_twice
from costlang.model.targets import named_thing, target
from costlang.model.types import BROKEN
from costlang.syntax import tree


def read_setting(
    context: Context, node: tree.Setting | tree.Binding, scope: Scope
) -> d.Setting | None:
    """Return the setting that *node* makes, None after a message."""
    found = target(context, node.target, scope)
    if found is None or node.value is None:
        read_values(context, (node.value, node.high), scope)
        return None
    path, wanted = found
    nodes = shared_unit((node.value, node.high) if node.high is not None else (node.value,))
    slot = _slot_at(context, node.target, scope)
    stated = slot.span if slot is not None else None
    values = [checked_value(context, item, wanted, scope, stated) for item in nodes]
    if any(value.type is BROKEN for value in values):
        return None
    source = node.source.text if isinstance(node, tree.Setting) and node.source else None
    high = values[1] if len(values) > 1 else None
    if high is not None and _upside_down(context, node, values):
        return None
    if isinstance(slot, d.Param):
        report_outside(context, slot, values)
    return d.Setting(path, node.span, values[0], high, wanted, source)


def read_values(context: Context, nodes: tuple[tree.Expr | None, ...], scope: Scope) -> None:
    """Report the mistakes in values of something unknown; a bare name could be anything there."""
    for node in nodes:
        if node is not None and not isinstance(node, tree.Name):
            expression(context, node, scope)


def _upside_down(context: Context, node: tree.Node, values: list[c.Core]) -> bool:
    low, high = literal(values[0]), literal(values[1])
    if low is None or high is None or low <= high:
        return False
    context.report(
        "upside-down-range",
        "this range ends below its beginning",
        values[0].span.to(values[1].span),
        "no value lies in it",
    )
    return True


def _slot_at(context: Context, node: tree.Expr, scope: Scope) -> d.Slot | None:
    found = named_thing(context, node, scope)
    return found.slot if isinstance(found, (c.Own, c.Get)) else None


def bindings(
    context: Context, nodes: tuple[tree.Binding, ...], scope: Scope
) -> tuple[tuple[d.Setting, ...], tuple[str, ...]]:
    """Return the settings after `at`, and the questions whose optimum is taken over."""
    settings: list[d.Setting] = []
    asked: list[str] = []
    for node in nodes:
        if node.value is None:
            name = _asked_name(context, node, scope)
            if name is not None:
                asked.append(name)
            continue
        setting = read_setting(context, node, scope)
        if setting is None:
            continue
        if any(setting.path == other.path for other in settings):
            earlier = next(other for other in settings if other.path == setting.path)
            report_set_twice(context, node.target.span.text, node.target, earlier)
            continue
        settings.append(setting)
    return tuple(settings), tuple(asked)


def _asked_name(context: Context, node: tree.Binding, scope: Scope) -> str | None:
    name = node.target.text if isinstance(node.target, tree.Name) else node.target.span.text
    slot = scope.owner.find(name) if scope.owner is not None else None
    if isinstance(slot, d.QuerySlot):
        return name
    context.report(
        "not-a-question",
        f"`at {name}` needs a value, or the name of a question",
        node.span,
        "neither",
        help=f"write `{name} = …`",
    )
    return None
