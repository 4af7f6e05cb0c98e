"""What stands before `(`: a built-in, a function, a total, a phase or an operator."""

from __future__ import annotations

from collections.abc import Iterator

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model import names
from costlang.model.builtins import BUILTINS
from costlang.model.context import Context, Scope
from costlang.model.infer import bare, counted, expression, fit, numeric, same_dimension
from costlang.model.slots import slot_type
from costlang.model.targets import relative_path
from costlang.model.types import (
    BROKEN,
    COUNT,
    NumberType,
    OpType,
    PhaseType,
    RecordType,
    TermsType,
    Type,
)
from costlang.syntax import tree
from costlang.text import Label
from costlang.units import NONE, Dimension


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
        return base
    if function.name.text == "total":
        return _total(context, node, base, scope)
    found = names.member(context, base, function.name, function.span)
    if found.type is BROKEN and not isinstance(found, c.Get):
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
    return names.broken(node.span)


def _declared_call(context: Context, node: tree.Call, function: tree.Name, scope: Scope) -> c.Core:
    found = scope.file.find(function.text)
    match found:
        case d.FunctionDecl(let=let) if let is not None:
            slot_type(context, let, function.span)
            if let.formals is not None:
                return _apply(context, node, None, let, scope)
        case d.PhaseDecl():
            return _phase(context, node, found, scope)
        case d.OpDecl():
            return operator_call(context, node, found, scope)
        case None:
            if names.lookup(context, function.text, function.span, scope) is None:
                return names.resolve(context, function.text, function.span, scope, None)
    return _not_callable(context, node, f"`{function.text}`")


# ---- functions


def _apply(
    context: Context, node: tree.Call, base: c.Core | None, let: d.Let, scope: Scope
) -> c.Core:
    kind = slot_type(context, let, node.function.span)
    bound = _bind(context, node, let.formals or (), let.name, let.span, scope)
    if bound is None or kind is BROKEN:
        return names.broken(node.span)
    arguments, _ = bound
    return c.Apply(node.span, kind, base, let, tuple(arguments.items()))


Bound = tuple[dict[str, c.Core], dict[str, tree.Argument]]


def _bind(
    context: Context,
    node: tree.Call,
    formals: tuple[d.Formal, ...],
    name: str,
    place: object,
    scope: Scope,
    *,
    open_names: bool = False,
) -> Bound | None:
    """Return the arguments by name, and those that are no formal when *open_names*."""
    slots = [formal for formal in formals if not formal.given]
    known = {formal.name: formal for formal in formals}
    bound: dict[str, c.Core] = {}
    others: dict[str, tree.Argument] = {}
    good = True
    at = 0
    for argument in node.arguments:
        if argument.name is None:
            if at >= len(slots):
                good = _too_many(context, argument, name, len(slots))
                break
            formal = slots[at]
            at += 1
        elif argument.name.text in known:
            formal = known[argument.name.text]
        elif open_names:
            others[argument.name.text] = argument
            continue
        else:
            good = _no_such_argument(context, argument, name, known)
            continue
        if formal.name in bound:
            good = _twice(context, argument, formal)
            continue
        value = expression(context, argument.value, scope, formal.type)
        bound[formal.name] = fit(context, value, formal.type, argument.value)
    missing = [f for f in slots if f.name not in bound and not f.optional]
    if good and missing and not open_names:
        good = _missing(context, node, name, missing)
    return (bound, others) if good else None


def _too_many(context: Context, argument: tree.Argument, name: str, most: int) -> bool:
    context.report(
        "too-many-arguments",
        f"`{name}` takes {most} by place",
        argument.span,
        "one too many",
    )
    return False


def _no_such_argument(
    context: Context, argument: tree.Argument, name: str, known: dict[str, d.Formal]
) -> bool:
    assert argument.name is not None
    near = names.near_names(argument.name.text, known)
    context.report(
        "unknown-argument",
        f"`{name}` has no argument `{argument.name.text}`",
        argument.name.span,
        "no such argument",
        help=names.did_you_mean(near) or f"it takes: {', '.join(known)}",
    )
    return False


def _twice(context: Context, argument: tree.Argument, formal: d.Formal) -> bool:
    context.report(
        "argument-twice", f"`{formal.name}` is given twice", argument.span, "given again here"
    )
    return False


def _missing(context: Context, node: tree.Call, name: str, missing: list[d.Formal]) -> bool:
    words = ", ".join(f"`{formal.name}`" for formal in missing)
    context.report(
        "missing-argument",
        f"`{name}` is not given {words}",
        node.span,
        "given too little",
        labels=tuple(Label(formal.span, "asked for here") for formal in missing[:1]),
    )
    return False


# ---- built-ins


def _builtin(context: Context, node: tree.Call, name: str, scope: Scope) -> c.Core:
    if name == "total":
        return _total(context, node, c.Self(node.function.span, BROKEN), scope)
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
        return names.broken(node.span)
    values = [numeric(context, expression(context, a.value, scope)) for a in node.arguments]
    if any(value.type is BROKEN for value in values):
        return names.broken(node.span)
    kind = _builtin_kind(context, node, name, values)
    if kind is BROKEN:
        return names.broken(node.span)
    return c.Builtin(node.span, kind, name, tuple(values))


def _builtin_kind(context: Context, node: tree.Call, name: str, values: list[c.Core]) -> Type:
    first = values[0]
    if name in ("max", "min"):
        return _shared(context, node, name, values)
    if name == "abs":
        return NumberType(_dimension(first))
    if name == "sqrt":
        root = _dimension(first).root(2)
        if root is not None:
            return NumberType(root)
        context.report(
            "odd-exponent",
            f"the square root of {_dimension(first)} has no whole exponents",
            first.span,
            names.dimension_words(first),
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


def _dimension(core: c.Core) -> Dimension:
    assert isinstance(core.type, NumberType)
    return core.type.dimension if core.type.dimension is not None else NONE


# ---- totals


def _total(context: Context, node: tree.Call, base: c.Core, scope: Scope) -> c.Core:
    kind: Type = base.type
    if isinstance(base, c.Self):
        owner = scope.owner
        if isinstance(owner, d.ScenarioDecl):
            return _total_of_use(context, node, owner, scope)
        if owner is None:
            return _nothing_to_total(context, node, "this place")
    elif not isinstance(kind, (RecordType, PhaseType, OpType, TermsType)):
        return _nothing_to_total(context, node, kind.words)
    if len(node.arguments) != 1 or node.arguments[0].name is not None:
        context.report(
            "wrong-arguments", "`total` takes one expression", node.span, "not called so"
        )
        return names.broken(node.span)
    inside = scope.inside_total()
    body = numeric(context, expression(context, node.arguments[0].value, inside))
    if body.type is BROKEN:
        return names.broken(node.span)
    _no_total_inside(context, body)
    _stated(context, node, base, body, scope)
    return c.Total(node.span, NumberType(_dimension(body)), base, body)


def _total_of_use(
    context: Context, node: tree.Call, scenario: d.ScenarioDecl, scope: Scope
) -> c.Core:
    """Total what the one use of a scenario is, as its names stand bare there."""
    use = names.only_phase(context, scenario)
    if use is None or not isinstance(slot_type(context, use), RecordType):
        return _nothing_to_total(context, node, "this place")
    return _total(context, node, c.Own(node.span, slot_type(context, use), use.name, use), scope)


def _nothing_to_total(context: Context, node: tree.Call, what: str) -> c.Core:
    context.report(
        "nothing-to-total",
        f"{what} has no terms to total",
        node.function.span,
        "only a record, a phase or an operator has terms",
    )
    return names.broken(node.span)


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
        if isinstance(inner, c.Resource) and not _anyone_states(context, inner.resource):
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


# ---- phases and operators


def _phase(context: Context, node: tree.Call, phase: d.PhaseDecl, scope: Scope) -> c.Core:
    bound = _bind(context, node, formals_of(phase), phase.name, phase.span, scope, open_names=True)
    if bound is None:
        return names.broken(node.span)
    given, others = bound
    kinds = tuple(
        (formal.name, given[formal.name].type if formal.name in given else formal.type)
        for formal in formals_of(phase)
    )
    kind = PhaseType(phase, kinds)
    settings = []
    for name, argument in others.items():
        setting = _phase_setting(context, kind, name, argument, scope)
        if setting is not None:
            settings.append(setting)
    if any(value.type is BROKEN for value in given.values()):
        return names.broken(node.span)
    return c.NewPhase(node.span, kind, phase, tuple(given.items()), tuple(settings))


def formals_of(phase: d.PhaseDecl) -> tuple[d.Formal, ...]:
    """Return the formals of *phase*, which it has from the phase that it amends first."""
    for owner in phase.lineage():
        if isinstance(owner, d.PhaseDecl) and owner.formals:
            return owner.formals
    return ()


def _phase_setting(
    context: Context, kind: PhaseType, name: str, argument: tree.Argument, scope: Scope
) -> tuple[c.Path, c.Core] | None:
    assert argument.name is not None
    target = relative_path(context, kind, name, argument.name)
    if target is None:
        return None
    path, wanted = target
    value = counted(expression(context, argument.value, scope, wanted), wanted, argument.value)
    value = fit(context, value, wanted, argument.value)
    return (path, value) if value.type is not BROKEN else None


def operator_call(context: Context, node: tree.Call, op: d.OpDecl, scope: Scope) -> c.Core:
    """Return the call of *op*; names that are no formal are givens for the operators inside."""
    opened = op.composite or _has_terms(op)
    bound = _bind(context, node, op.formals, op.name, op.span, scope, open_names=opened)
    if bound is None:
        return names.broken(node.span)
    arguments, others = bound
    missing = [f for f in op.formals if not (f.given or f.optional) and f.name not in arguments]
    if missing and not _missing(context, node, op.name, missing):
        return names.broken(node.span)
    givens = {}
    for name, argument in others.items():
        wanted = _inner_given(op, name, set())
        if wanted is None:
            _no_such_argument(context, argument, op.name, {f.name: f for f in op.formals})
            return names.broken(node.span)
        value = counted(expression(context, argument.value, scope, wanted), wanted, argument.value)
        givens[name] = fit(context, value, wanted, argument.value)
    values = [*arguments.values(), *givens.values()]
    if any(value.type is BROKEN for value in values):
        return names.broken(node.span)
    return c.NewOp(node.span, OpType(op), op, tuple(arguments.items()), tuple(givens.items()))


def _has_terms(op: d.OpDecl) -> bool:
    return isinstance(op.node, tree.Op) and any(
        isinstance(member, (tree.Term, tree.Repeat)) for member in op.node.members
    )


def _inner_given(op: d.OpDecl, name: str, seen: set[d.OpDecl]) -> Type | None:
    """Return the kind of the given *name* of an operator inside *op*, None when there is none."""
    if op in seen or not isinstance(op.node, tree.Op):
        return None
    seen.add(op)
    for called in _called(op.node.members, op):
        for formal in called.formals:
            if formal.given and formal.name == name:
                return formal.type
        found = _inner_given(called, name, seen)
        if found is not None:
            return found
    return None


def _called(members: tuple[tree.Member, ...], op: d.OpDecl) -> Iterator[d.OpDecl]:
    for member in members:
        if isinstance(member, tree.Repeat):
            yield from _called(member.body, op)
        elif isinstance(member, tree.Term) and isinstance(member.call, tree.Call):
            function = member.call.function
            found = op.file.find(function.text) if isinstance(function, tree.Name) else None
            if isinstance(found, d.OpDecl):
                yield found


COUNTED = COUNT
