"""Whether every operator finds what it is given, where its term stands."""

from __future__ import annotations

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.context import Context
from costlang.model.slots import slot_type
from costlang.model.types import BROKEN, NumberType, OpType, RecordType, Type
from costlang.text import Label, Span


def check_givens(context: Context, owner: d.Owner) -> None:
    """Report each `given` that nothing around the terms of *owner* offers."""
    if isinstance(owner, d.OpDecl) or owner.broken_name("*"):
        return
    for term in _flat([*owner.terms, *owner.overrides.values()]):
        _term(context, owner, term.call, [], term.span, _Looked())


class _Looked:
    """Operators looked into for one term, each with the names that those around it offer."""

    def __init__(self) -> None:
        self._seen: set[tuple[d.OpDecl, frozenset[str], frozenset[str]]] = set()

    def again(self, call: c.NewOp, offered: frozenset[str]) -> bool:
        """Whether an operator was looked into with the same arguments, among the same names."""
        key = (call.op, frozenset(name for name, _ in call.arguments), offered)
        if key in self._seen:
            return True
        self._seen.add(key)
        return False


def _flat(nodes: list[d.Term | d.Repeat]) -> list[d.Term]:
    found: list[d.Term] = []
    for node in nodes:
        found.extend([node] if isinstance(node, d.Term) else _flat(node.body))
    return found


def _term(
    context: Context,
    owner: d.Owner,
    call: c.Core | None,
    around: list[c.NewOp],
    place: Span,
    looked: _Looked,
) -> None:
    if not isinstance(call, c.NewOp) or looked.again(call, _offered(around)):
        return
    passed = {name for name, _ in call.arguments}
    for formal in call.op.formals:
        if formal.given and not formal.optional and formal.name not in passed:
            _given(context, owner, call, formal, around, place)
    for inner in _flat(call.op.terms):
        _term(context, owner, inner.call, [*around, call], place, looked)


def _offered(around: list[c.NewOp]) -> frozenset[str]:
    given = (name for outer in around for name, _ in outer.givens)
    return frozenset(given) | {name for outer in around for name in outer.op.names()}


def _given(
    context: Context,
    owner: d.Owner,
    call: c.NewOp,
    formal: d.Formal,
    around: list[c.NewOp],
    place: Span,
) -> None:
    for outer in reversed(around):
        if formal.name in dict(outer.givens) or outer.op.find(formal.name) is not None:
            return
    slot = owner.find(formal.name)
    if slot is not None:
        _kind(context, slot, formal, place)
        return
    if owner.broken_name(formal.name) or context.lost(formal.name):
        return
    context.report(
        "missing-given",
        f"the operator `{call.op.name}` is given `{formal.name}`, and `{owner.name}` has none",
        place,
        "this term stands where nothing has that name",
        labels=(Label(formal.span, "asked for here"),),
    )


def _kind(context: Context, slot: d.Slot, formal: d.Formal, place: Span) -> None:
    kind = slot_type(context, slot)
    if BROKEN in (kind, formal.type) or _agree(kind, formal.type):
        return
    context.report(
        "wrong-given",
        f"`{formal.name}` is {kind.thing} here, and {formal.type.thing} in the operator",
        place,
        "this term stands where the name means something else",
        labels=(Label(slot.span, kind.words), Label(formal.span, formal.type.words)),
    )


def _agree(kind: Type, wanted: Type) -> bool:
    if isinstance(kind, NumberType) and isinstance(wanted, NumberType):
        return None in (kind.dimension, wanted.dimension) or kind.dimension == wanted.dimension
    if isinstance(kind, RecordType) and isinstance(wanted, RecordType):
        return kind.record.is_a(wanted.record)
    return kind == wanted


def is_operator(kind: Type) -> bool:
    """Whether *kind* is that of an operator."""
    return isinstance(kind, OpType)
