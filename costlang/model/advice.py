"""What is sound and yet probably not meant: warnings on numbers of chips and on bytes."""

from __future__ import annotations

from collections.abc import Iterator

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.context import Context
from costlang.model.domains import literal
from costlang.model.totals import walk
from costlang.model.types import NumberType
from costlang.text import Label, Severity
from costlang.units import Dimension

TIME = Dimension.of("s")
BYTES = Dimension.of("B")
HELD, MOVED = "_held", "_moved"
DEEP = 8
"""How many definitions are followed, one through the other, to see which bytes are meant."""


def advise(context: Context, owner: d.Owner) -> None:
    """Warn of what stands in *owner*, which is no part of the library."""
    if isinstance(owner, d.RecordDecl) and owner.kind == "hardware":
        _sources(context, owner)
    for value in _values(owner):
        for inner in walk(value):
            _held_for_moved(context, inner)


def _sources(context: Context, record: d.RecordDecl) -> None:
    """Warn once of the numbers of a chip that nobody can look up."""
    bare = [setting for setting in _numbers(record) if setting.source is None]
    if not bare:
        return
    first, *others = bare
    count = "a number" if not others else f"{len(bare)} numbers"
    context.report(
        "missing-source",
        f"`{record.name}` has {count} without a source",
        first.span,
        "where can this be looked up?",
        labels=tuple(Label(other.span, "and this?") for other in others),
        help='write `source "…"` behind the number',
        severity=Severity.WARNING,
    )


def _numbers(record: d.RecordDecl) -> Iterator[d.Setting]:
    for setting in figures(record):
        if isinstance(setting.value, c.Literal) and literal(setting.value) != 0:
            yield setting


def figures(record: d.RecordDecl) -> Iterator[d.Setting]:
    """Yield what *record* sets itself, the rows of its tables among it."""
    yield from record.settings.values()


def _values(owner: d.Owner) -> Iterator[c.Core]:
    for slot in owner.slots.values():
        if isinstance(slot, d.Let) and slot.value is not None:
            yield slot.value
        elif isinstance(slot, d.QuerySlot) and slot.question is not None:
            yield from slot.question.subjects
    yield from (fact.fact for fact in owner.checks)
    yield from (need.condition for need in owner.requires)


def _held_for_moved(context: Context, core: c.Core) -> None:
    """Warn where bytes that lie in a memory are divided by what moves them a second."""
    if not isinstance(core, c.Arithmetic) or core.operator != "/":
        return
    if not _is(core.left, BYTES) or not _is(core.right, BYTES / TIME):
        return
    names = {name for name in _resources(core.left, DEEP) if name.endswith((HELD, MOVED))}
    held = sorted(name for name in names if name.endswith(HELD))
    if not held or any(name.endswith(MOVED) for name in names):
        return
    moved = ", ".join(f"`{name.removesuffix(HELD)}{MOVED}`" for name in held)
    context.report(
        "held-for-moved",
        "bytes that are held take no time; those that are moved do",
        core.left.span,
        f"this totals {', '.join(f'`{name}`' for name in held)}",
        labels=(Label(core.right.span, "bytes a second"),),
        help=f"total {moved}",
        severity=Severity.WARNING,
    )


def _is(core: c.Core, dimension: Dimension) -> bool:
    return isinstance(core.type, NumberType) and core.type.dimension == dimension


def _resources(core: c.Core, deep: int) -> Iterator[str]:
    """Yield the names of the resources that *core* totals, through definitions."""
    for inner in walk(core):
        if isinstance(inner, c.Resource):
            yield inner.resource.name
        slot = inner.slot if isinstance(inner, (c.Own, c.Get)) else None
        if isinstance(slot, d.Let) and slot.value is not None and deep > 0:
            yield from _resources(slot.value, deep - 1)
