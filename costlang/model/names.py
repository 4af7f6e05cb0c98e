"""What a name means where it is written: members, lent names, declarations, and near misses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.builtins import BUILTINS
from costlang.model.context import Context, Scope
from costlang.model.slots import slot_type
from costlang.model.types import (
    BROKEN,
    EnumType,
    NumberType,
    OpType,
    PhaseType,
    RecordType,
    TermsType,
    Type,
)
from costlang.syntax import tree
from costlang.text import Label, Span


def broken(span: Span) -> c.Core:
    """Return the expression that a mistake leaves behind."""
    return c.Core(span, BROKEN)


# ---- a bare name


def resolve(context: Context, name: str, span: Span, scope: Scope, wanted: Type | None) -> c.Core:
    """Return what *name* means in *scope*; an enum's members come first where one is *wanted*."""
    found = lookup(context, name, span, scope, wanted)
    if found is not None:
        return found
    if name in scope.file.broken or (scope.owner is not None and _excused(scope.owner, name)):
        return broken(span)
    unknown_name(context, name, span, scope.file, scope)
    return broken(span)


def _excused(owner: d.Owner, name: str) -> bool:
    return owner.broken_name(name) or owner.broken_name("*")


def lookup(
    context: Context, name: str, span: Span, scope: Scope, wanted: Type | None = None
) -> c.Core | None:
    """Return what *name* means, None when nothing has that name; only circles are reported."""
    if isinstance(wanted, EnumType) and name in wanted.enum.members:
        return c.Choice(span, wanted, wanted.enum, name)
    if scope.totalled:
        resource = context.resource(name, scope.file)
        if resource is not None:
            return c.Resource(span, resource.type, resource)
    if name in scope.locals:
        return c.Local(span, scope.locals[name], name)
    found = _member(context, name, span, scope)
    return found if found is not None else _top(context, name, span, scope)


def _member(context: Context, name: str, span: Span, scope: Scope) -> c.Core | None:
    owner = scope.owner
    if owner is None:
        return None
    replacing = scope.replacing
    if replacing is not None and replacing.name == name and replacing.replaced is not None:
        return c.Replaced(span, slot_type(context, replacing.replaced), replacing.replaced)
    slot = owner.find(name)
    if slot is not None:
        return c.Own(span, slot_type(context, slot, span), name, slot)
    if isinstance(owner, d.OpDecl):
        resource = context.resource(name, scope.file)
        return c.Resource(span, resource.type, resource) if resource is not None else None
    if isinstance(owner, d.ScenarioDecl):
        return _bare(context, name, span, owner)
    return _own_terms(context, owner, name, span)


def _own_terms(context: Context, owner: d.Owner, name: str, span: Span) -> c.Core | None:
    if isinstance(owner, (d.RecordDecl, d.PhaseDecl)) and name in labels_below(owner, ()):
        return c.Used(span, TermsType(owner, (name,)), c.Self(span, BROKEN), (name,), None)
    return None


def only_phase(context: Context, scenario: d.ScenarioDecl) -> d.UseSlot | None:
    """Return the one phase in use in *scenario*, or the one thing; None when there are several."""
    if any(isinstance(slot, d.UseSlot) for slot in context.open_slots):
        return None
    uses = scenario.uses()
    phases = [use for use in uses if isinstance(slot_type(context, use), PhaseType)]
    if not phases and len(uses) == 1:
        return uses[0]
    return phases[0] if len(phases) == 1 else None


def _bare(context: Context, name: str, span: Span, scenario: d.ScenarioDecl) -> c.Core | None:
    use = only_phase(context, scenario)
    if use is None:
        return None
    base = c.Own(span, slot_type(context, use), use.name, use)
    return find_member(context, base, name, span)


def _top(context: Context, name: str, span: Span, scope: Scope) -> c.Core | None:
    found = scope.file.find(name)
    if isinstance(found, d.RecordDecl):
        return c.RecordRef(span, RecordType(found), found)
    if isinstance(found, d.FunctionDecl) and found.let is not None:
        return c.TopRef(span, slot_type(context, found.let, span), found)
    return None


# ---- a name after a dot


def member(context: Context, base: c.Core, word: tree.Word, span: Span) -> c.Core:
    """Return the member *word* of *base*; a missing one is reported with the near ones."""
    if base.type is BROKEN:
        return broken(span)
    found = find_member(context, base, word.text, span)
    if found is not None:
        return found
    if _member_excused(base.type, word.text):
        return broken(span)
    names = sorted(set(member_names(context, base.type)))
    near = near_names(word.text, names)
    context.report(
        "unknown-member",
        f"{base.type.words} has no member `{word.text}`",
        word.span,
        "nothing here has this name",
        help=did_you_mean(near) or (f"it has: {', '.join(names[:12])}" if names else None),
    )
    return broken(span)


def _member_excused(kind: Type, name: str) -> bool:
    match kind:
        case RecordType(record):
            return _excused(record, name)
        case PhaseType(phase, formals):
            return _excused(phase, name) or any(_member_excused(t, name) for _, t in formals)
        case _:
            return False


def find_member(context: Context, base: c.Core, name: str, span: Span) -> c.Core | None:
    """Return the member *name* of *base*, lent ones included, None when there is none."""
    match base.type:
        case RecordType(record):
            return _slot_of(context, base, record, name, span) or _terms_of(
                base, record, (name,), span
            )
        case PhaseType(phase, _):
            return (
                _slot_of(context, base, phase, name, span)
                or lend(context, base, name, span)
                or _terms_of(base, phase, (name,), span)
            )
        case OpType(op):
            return _used(context, base, (), name, span) or _slot_of(context, base, op, name, span)
        case TermsType(owner, path):
            below = path_below(owner, path, name)
            inner = base.base if isinstance(base, c.Used) else base
            if below is not None:
                return c.Used(span, TermsType(owner, (*path, name)), inner, (*path, name), None)
            return _used(context, inner, path, name, span)
        case _:
            return None


def _slot_of(
    context: Context, base: c.Core, owner: d.Owner, name: str, span: Span
) -> c.Core | None:
    slot = owner.find(name)
    if slot is None:
        return None
    kind = slot_type(context, slot, span)
    if isinstance(base.type, PhaseType) and isinstance(slot, d.FormalSlot):
        kind = base.type.formal(name) or kind
    return c.Get(span, kind, base, name, slot)


def _used(context: Context, base: c.Core, path: c.Path, name: str, span: Span) -> c.Core | None:
    known = context.resources.get(name)
    if not known:
        return None
    return c.Used(span, known[0].type, base, path, known[0])


def _terms_of(base: c.Core, owner: d.Owner, path: c.Path, span: Span) -> c.Core | None:
    if path[-1] not in labels_below(owner, path[:-1]):
        return None
    return c.Used(span, TermsType(owner, path), base, path, None)  # type: ignore[arg-type]


def path_below(owner: d.Owner, path: c.Path, name: str) -> c.Path | None:
    """Return the path of the term *name* below *path*, None when there is none."""
    return (*path, name) if name in labels_below(owner, path) else None


def labels_below(owner: d.Owner, path: c.Path) -> set[str]:
    """Return the labels of terms and repeats directly below *path*."""
    nodes: list[d.Term | d.Repeat] = all_terms(owner)
    for step in path:
        nodes = [inner for node in _flat(nodes) for inner in _step(node, step)]
    return {label for node in _flat(nodes) if (label := _label(node)) is not None}


def _flat(nodes: Iterable[d.Term | d.Repeat]) -> Iterator[d.Term | d.Repeat]:
    for node in nodes:
        if isinstance(node, d.Repeat) and node.segment is None:
            yield from _flat(node.body)
        else:
            yield node


def _label(node: d.Term | d.Repeat) -> str | None:
    return node.label if isinstance(node, d.Term) else node.segment


def _step(node: d.Term | d.Repeat, step: str) -> list[d.Term | d.Repeat]:
    if _label(node) != step:
        return []
    if isinstance(node, d.Repeat):
        return node.body
    return all_terms(node.type.op) if isinstance(node.type, OpType) else []


def all_terms(owner: d.Owner) -> list[d.Term | d.Repeat]:
    """Return the terms of *owner*, inherited ones first, each override in its place."""
    inherited = all_terms(owner.parent) if owner.parent is not None else []
    if owner.overrides:
        inherited = [_overridden(node, owner.overrides) for node in inherited]
    return [*inherited, *owner.terms]


def _overridden(node: d.Term | d.Repeat, mends: dict[str, d.Term]) -> d.Term | d.Repeat:
    if isinstance(node, d.Term):
        return mends.get(node.label, node)
    body = [_overridden(inner, mends) for inner in node.body]
    return d.Repeat(node.span, node.count, node.index, node.segment, body)


# ---- lending


def lend(context: Context, base: c.Core, name: str, span: Span) -> c.Core | None:
    """Return the member *name* that the phase *base* lends of what it was given."""
    assert isinstance(base.type, PhaseType)
    phase = base.type.phase
    level: list[c.Core] = [
        c.Get(span, kind, base, formal, slot)
        for formal, kind in base.type.formals
        if (slot := phase.find(formal)) is not None
    ]
    for _ in range(3):
        found = [hit for giver in level if (hit := _lent(context, giver, name, span)) is not None]
        kept = [hit for hit in found if not _set_by(phase, hit)] or found
        if len(kept) == 1:
            return kept[0]
        if kept:
            return _two_givers(context, name, span, kept)
        level = [inner for giver in level for inner in _records_in(context, giver, span)]
    return None


def _lent(context: Context, giver: c.Core, name: str, span: Span) -> c.Core | None:
    if not isinstance(giver.type, RecordType):
        return None
    return _slot_of(context, giver, giver.type.record, name, span)


def _records_in(context: Context, giver: c.Core, span: Span) -> Iterator[c.Core]:
    if not isinstance(giver.type, RecordType):
        return
    record = giver.type.record
    for name in record.names():
        slot = record.find(name)
        if isinstance(slot, d.Param) and isinstance(slot_type(context, slot), RecordType):
            yield c.Get(span, slot_type(context, slot), giver, name, slot)


def _set_by(phase: d.PhaseDecl, found: c.Core) -> bool:
    path = path_of(found)[1:]
    return any(path in owner.settings for owner in phase.lineage())


def path_of(found: c.Core) -> c.Path:
    """Return the names by which *found* was reached, from its root on."""
    match found:
        case c.Get(base=base, name=name):
            return (*path_of(base), name)
        case c.Row(base=base, table=table, key=c.Choice(name=key)):
            return (*path_of(base), table.name, f"[{key}]")
        case c.Own(name=name):
            return (name,)
        case _:
            return ()


def _two_givers(context: Context, name: str, span: Span, found: list[c.Core]) -> c.Core:
    ways = [".".join(path_of(hit)) for hit in found]
    labels = tuple(
        Label(hit.slot.span, f"`{way}` is declared here")
        for hit, way in zip(found, ways, strict=True)
        if isinstance(hit, c.Get)
    )
    context.report(
        "lent-twice",
        f"`{name}` could be {' or '.join(f'`{way}`' for way in ways)}",
        span,
        "lent by two",
        labels=labels[:1] if len({label.span for label in labels}) == 1 else labels,
        help="write the one that is meant in full",
    )
    return broken(span)


# ---- messages


def unknown_name(
    context: Context, name: str, span: Span, file: d.FileScope, scope: Scope | None
) -> None:
    """Report that nothing is called *name*, with near names or the import that would bring it."""
    home = context.library().get(name)
    near = near_names(name, sorted(names_in(context, scope, file)))
    if home is not None:
        mend: str | None = f"the library has it: `import {home} ({name})`"
    else:
        mend = did_you_mean(near)
    if scope is not None and isinstance(scope.owner, d.ScenarioDecl) and mend is None:
        mend = _several_uses(context, scope.owner, name)
    context.report(
        "unknown-name", f"nothing is called `{name}`", span, "not found in this scope", help=mend
    )


def _several_uses(context: Context, scenario: d.ScenarioDecl, name: str) -> str | None:
    uses = [use for use in scenario.uses() if isinstance(slot_type(context, use), PhaseType)]
    having = [
        use.name
        for use in uses
        if find_member(
            context, c.Own(use.span, slot_type(context, use), use.name, use), name, use.span
        )
    ]
    if len(uses) < 2 or not having:
        return None
    return "say whose: " + " or ".join(f"`{use}.{name}`" for use in having)


def names_in(context: Context, scope: Scope | None, file: d.FileScope) -> set[str]:
    """Return the names that an expression in *scope* could use."""
    names = {*file.own, *file.imported, *BUILTINS}
    if scope is None:
        return names
    names.update(scope.locals)
    if scope.totalled or isinstance(scope.owner, d.OpDecl):
        names.update(context.resources)
    if scope.owner is not None:
        names.update(scope.owner.names())
    if isinstance(scope.owner, d.ScenarioDecl):
        use = only_phase(context, scope.owner)
        if use is not None:
            names.update(member_names(context, slot_type(context, use)))
    return names


def member_names(context: Context, kind: Type) -> Iterator[str]:
    """Yield the names of the members of *kind*, lent ones after its own."""
    match kind:
        case RecordType(record):
            yield from record.names()
        case PhaseType(phase, formals):
            yield from phase.names()
            for _, given in formals:
                yield from member_names(context, given)
        case OpType() | TermsType():
            yield from context.resources
        case _:
            return


def near_names(name: str, names: Iterable[str]) -> list[str]:
    """Return the names that look like *name*, the nearest first."""
    pool = list(names)
    same = [other for other in pool if other.lower() == name.lower()]
    return same or get_close_matches(name, pool, n=3, cutoff=0.72)


def did_you_mean(near: list[str]) -> str | None:
    """Return the sentence that offers *near*, None when there are none."""
    return f"did you mean {' or '.join(f'`{name}`' for name in near)}?" if near else None


def origin(found: c.Core) -> str:
    """Return `, from file:line:column` where a named thing was declared, else nothing."""
    slot = found.slot if isinstance(found, (c.Own, c.Get)) else None
    if isinstance(found, c.TopRef):
        return f", from {found.decl.span.place}"
    return f", from {slot.span.place}" if slot is not None else ""


def dimension_words(found: c.Core) -> str:
    """Return what *found* is, and where it was declared."""
    kind = found.type
    words = str(kind.dimension) if isinstance(kind, NumberType) and kind.dimension else kind.words
    return words + origin(found)
