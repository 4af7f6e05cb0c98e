"""What a name means where it is written: locals, members, lent names, declarations."""

from __future__ import annotations

from collections.abc import Iterator

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.builtins import BUILTINS
from costlang.model.context import Context, Scope
from costlang.model.lending import lend, slot_of
from costlang.model.missing import NOT_FOUND, broken, unknown_name
from costlang.model.slots import slot_type
from costlang.model.termtree import labels_below, path_below
from costlang.model.types import BROKEN, EnumType, OpType, PhaseType, RecordType, TermsType, Type
from costlang.syntax import tree
from costlang.text import Label, Span
from costlang.text.near import did_you_mean, near_names


def resolve(context: Context, name: str, span: Span, scope: Scope, wanted: Type | None) -> c.Core:
    """Return what *name* means in *scope*; an enum's members come first where one is *wanted*."""
    found = lookup(context, name, span, scope, wanted)
    if isinstance(found, c.Get) and name in scope.file.broken:
        return broken(span)  # what could not be read may have been the nearer one
    if found is not None and isinstance(found.type, TermsType) and _unknown_parent(scope):
        return broken(span)  # a parameter of the same name may have been inherited
    if found is not None:
        _refuse_table(context, found)
        return found
    owner = scope.owner
    if wanted is BROKEN or context.lost(name) or (owner is not None and _excused(owner, name)):
        return broken(span)
    if isinstance(owner, d.ScenarioDecl) and any(use.type is BROKEN for use in owner.uses()):
        return broken(span)
    if name in context.resources:
        return _resource_outside(context, name, span)
    declared = scope.file.find(name)
    if declared is not None:
        return _without_value(context, name, span, declared)
    if not _still_helps(context):
        context.report("unknown-name", f"nothing is called `{name}`", span, NOT_FOUND)
        return broken(span)
    unknown_name(context, name, span, names_in(context, scope), _hint(context, scope, name))
    return broken(span)


KINDS: tuple[tuple[type[d.Decl], str, str | None], ...] = (
    (d.OpDecl, "an operator", "call it: `{}(…)`"),
    (d.PhaseDecl, "a phase", "call it: `{}(…)`, and read one of its names behind a dot"),
    (d.ScenarioDecl, "a scenario", None),
    (d.EnumDecl, "an enum", "write one of its members: `{}.…`"),
    (d.UnitDecl, "a unit", "it stands behind a number: `1 {}`"),
)
"""Declarations that have no value, how they are called, and what was probably meant."""


def _without_value(context: Context, name: str, span: Span, declared: d.Decl) -> c.Core:
    found = ((words, mend) for kind, words, mend in KINDS if isinstance(declared, kind))
    words, mend = next(found, ("a declaration", None))
    context.report(
        "not-a-value",
        f"`{name}` is {words}, and has no value",
        span,
        "a value belongs here",
        labels=(Label(declared.span, "declared here"),),
        help=mend.format(name) if mend is not None else None,
    )
    return broken(span)


def called(context: Context, found: c.Core) -> c.Core:
    """Return *found*, unless it is a function that stands without its arguments."""
    slot = found.slot if isinstance(found, (c.Own, c.Get)) else None
    let = found.decl.let if isinstance(found, c.TopRef) else slot
    if not isinstance(let, d.Let) or let.formals is None:
        return found
    names = ", ".join(formal.name for formal in let.formals)
    context.report(
        "missing-argument",
        f"`{let.name}` is a function of {names or 'nothing'}",
        found.span,
        "it stands without its arguments",
        labels=(Label(let.span, "declared here"),),
        help=f"write `{let.name}({names})`",
    )
    return broken(found.span)


def _resource_outside(context: Context, name: str, span: Span) -> c.Core:
    resource = context.resources[name][0]
    context.report(
        "no-operator",
        f"`{name}` is what each operator states, and here is none",
        span,
        "a resource",
        labels=(Label(resource.span, "declared here"),),
        help=f"write `total({name})` for the sum over all operators",
    )
    return broken(span)


TABLES = {"sweep": "a table", "breakdown": "a breakdown", "sensitivity": "a table"}


def _refuse_table(context: Context, found: c.Core) -> None:
    """Refuse to read a question whose answer is no one value."""
    slot = found.slot if isinstance(found, c.Own) else None
    if not isinstance(slot, d.QuerySlot) or slot.question is None or found.type is not BROKEN:
        return
    question = slot.question
    kind = TABLES.get(question.kind)
    if kind is None and len(question.unknowns) < 2 and len(question.subjects) < 2:
        return
    parts = (f"`{slot.name}.{path[-1]}`" for path in question.unknowns)
    context.report(
        "not-a-value",
        f"`{slot.name}` is {kind or 'several numbers'}, and no one value",
        found.span,
        "a value belongs here",
        labels=(Label(slot.span, "asked here"),),
        help=f"read {' or '.join(parts)}" if len(question.unknowns) > 1 else None,
    )


HELPED = 50
"""Mistakes after which no more near names are looked for: a file with so many is none to mend."""


def _still_helps(context: Context) -> bool:
    return len(context.diagnostics) < HELPED


def _hint(context: Context, scope: Scope, name: str) -> str | None:
    """Say whose name it could be where several phases are in use, or which enum has it."""
    for decl in (*scope.file.own.values(), *scope.file.imported.values()):
        if isinstance(decl, d.EnumDecl) and name in decl.members:
            return f"the enum has it: write `{decl.name}.{name}`"
    scenario = scope.owner
    opening = any(isinstance(slot, d.UseSlot) for slot in context.open_slots)
    if not isinstance(scenario, d.ScenarioDecl) or opening:
        return None
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


def _unknown_parent(scope: Scope) -> bool:
    return scope.owner is not None and scope.owner.broken_name("*")


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


def member(context: Context, base: c.Core, word: tree.Word, span: Span) -> c.Core:
    """Return the member *word* of *base*; a missing one is reported with the near ones."""
    if base.type is BROKEN:
        return broken(span)
    found = find_member(context, base, word.text, span)
    if found is not None:
        return found
    if context.lost(word.text) or _member_excused(base.type, word.text):
        return broken(span)
    names = sorted(set(member_names(context, base.type))) if _still_helps(context) else []
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
            return kind is BROKEN


def find_member(context: Context, base: c.Core, name: str, span: Span) -> c.Core | None:
    """Return the member *name* of *base*, lent ones included, None when there is none."""
    match base.type:
        case RecordType(record):
            return slot_of(context, base, record, name, span) or _terms_of(
                base, record, (name,), span
            )
        case PhaseType(phase, _):
            return (
                slot_of(context, base, phase, name, span)
                or lend(context, base, name, span)
                or _terms_of(base, phase, (name,), span)
            )
        case OpType(op):
            return _used(context, base, (), name, span) or slot_of(context, base, op, name, span)
        case TermsType(owner, path):
            below = path_below(owner, path, name)
            inner = base.base if isinstance(base, c.Used) else base
            if below is not None:
                return c.Used(span, TermsType(owner, (*path, name)), inner, (*path, name), None)
            return _used(context, inner, path, name, span)
        case _:
            return None


def _used(context: Context, base: c.Core, path: c.Path, name: str, span: Span) -> c.Core | None:
    known = context.resources.get(name)
    if not known:
        return None
    return c.Used(span, known[0].type, base, path, known[0])


def _terms_of(base: c.Core, owner: d.Owner, path: c.Path, span: Span) -> c.Core | None:
    if path[-1] not in labels_below(owner, path[:-1]):
        return None
    return c.Used(span, TermsType(owner, path), base, path, None)  # type: ignore[arg-type]


def names_in(context: Context, scope: Scope) -> set[str]:
    """Return the names that an expression in *scope* could use."""
    usable = {n for n, x in scope.file.own.items() if not isinstance(x, d.ScenarioDecl)}
    names = {*usable, *scope.file.imported, *BUILTINS}
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
