"""Statements that set: in a block, and after `at`."""

from __future__ import annotations

from collections.abc import Iterator

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.context import Context, Scope
from costlang.model.domains import checked_value, literal, report_outside
from costlang.model.fitting import shared_unit
from costlang.model.infer import expression
from costlang.model.parameters import report_set_twice
from costlang.model.seeking import sought_by
from costlang.model.slots import slot_type
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
) -> tuple[d.Setting, ...]:
    """Return the settings after `at`; a question there sets all that it found."""
    settings: dict[c.Path, d.Setting] = {}
    for node in nodes:
        for setting in _bound(context, node, scope):
            earlier = settings.setdefault(setting.path, setting)
            if earlier is not setting:
                report_set_twice(context, node.target.span.text, node.target, earlier)
    return tuple(settings.values())


def _bound(context: Context, node: tree.Binding, scope: Scope) -> Iterator[d.Setting]:
    if node.value is None:
        slot = _asked_slot(context, node, scope)
        yield from _found(context, slot, node) if slot is not None else ()
        return
    setting = read_setting(context, node, scope)
    if setting is not None:
        yield setting


def _found(context: Context, slot: d.QuerySlot, node: tree.Binding) -> Iterator[d.Setting]:
    """Yield a setting for each name that the question *slot* seeks: its unknowns, its axes."""
    slot_type(context, slot, node.span)
    question = slot.question
    if question is None:
        return
    names = list(sought_by(question))
    if not names and question.kind not in SEEKING:
        context.report(
            "not-a-question",
            f"`{slot.name}` seeks nothing that `at` could set",
            node.span,
            f"a `{question.kind}`",
            help="the question must be a `solve`, a `largest` or a `smallest`",
        )
    for path, wanted in names:
        value = c.Asked(node.span, wanted, slot.name, path[-1])
        yield d.Setting(path, node.span, value, None, wanted, None)


SEEKING = ("solve", "largest", "smallest")


def _asked_slot(context: Context, node: tree.Binding, scope: Scope) -> d.QuerySlot | None:
    name = node.target.text if isinstance(node.target, tree.Name) else node.target.span.text
    slot = scope.owner.find(name) if scope.owner is not None else None
    if isinstance(slot, d.QuerySlot):
        return slot
    context.report(
        "not-a-question",
        f"`at {name}` needs a value, or the name of a question",
        node.span,
        "neither",
        help=f"write `{name} = …`",
    )
    return None
