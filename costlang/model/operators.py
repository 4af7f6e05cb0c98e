"""Calls of phases and operators, with what is set or passed by name below them."""

from __future__ import annotations

from collections.abc import Iterator

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.arguments import bind, missing_arguments, no_such_argument
from costlang.model.context import Context, Scope
from costlang.model.fitting import counted, fit
from costlang.model.infer import expression
from costlang.model.missing import broken
from costlang.model.names import lookup, resolve
from costlang.model.targets import relative_path
from costlang.model.types import BROKEN, OpType, PhaseType, Type
from costlang.syntax import tree


def phase_call(context: Context, node: tree.Call, phase: d.PhaseDecl, scope: Scope) -> c.Core:
    """Return the call of *phase*: what it is given, and what is set below it."""
    if phase.broken_name("*") or phase.broken_name("()"):
        return _of_damaged(context, node, scope)
    bound = bind(context, node, formals_of(phase), phase.name, phase.span, scope, open_names=True)
    if bound is None:
        return broken(node.span)
    given, others = bound
    kinds = tuple(
        (formal.name, _kind_of(given.get(formal.name), formal)) for formal in formals_of(phase)
    )
    kind = PhaseType(phase, kinds)
    settings = []
    for name, argument in others.items():
        setting = _phase_setting(context, kind, name, argument, scope)
        if setting is not None:
            settings.append(setting)
    if any(value.type is BROKEN for value in given.values()):
        return broken(node.span)
    return c.NewPhase(node.span, kind, phase, tuple(given.items()), tuple(settings))


def _kind_of(given: c.Core | None, formal: d.Formal) -> Type:
    """Return the kind of what is given; after a mistake there, the kind that was asked for."""
    return given.type if given is not None and given.type is not BROKEN else formal.type


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
    if op.broken_name("*") or op.broken_name("()"):
        return _of_damaged(context, node, scope)
    opened = op.composite or _has_terms(op)
    bound = bind(context, node, op.formals, op.name, op.span, scope, open_names=opened)
    if bound is None:
        return broken(node.span)
    arguments, others = bound
    missing = [f for f in op.formals if not (f.given or f.optional) and f.name not in arguments]
    if missing and not missing_arguments(context, node, op.name, missing):
        return broken(node.span)
    givens = {}
    for name, argument in others.items():
        wanted = _inner_given(op, name, set())
        if wanted is None:
            no_such_argument(context, argument, op.name, {f.name: f for f in op.formals})
            return broken(node.span)
        value = counted(expression(context, argument.value, scope, wanted), wanted, argument.value)
        givens[name] = fit(context, value, wanted, argument.value)
    values = [*arguments.values(), *givens.values()]
    if any(value.type is BROKEN for value in values):
        return broken(node.span)
    return c.NewOp(node.span, OpType(op), op, tuple(arguments.items()), tuple(givens.items()))


def _of_damaged(context: Context, node: tree.Call, scope: Scope) -> c.Core:
    read_arguments(context, node, scope)
    return broken(node.span)


def read_arguments(context: Context, node: tree.Call, scope: Scope) -> None:
    """
    Report the mistakes in the arguments of a call of something that is not known.

    A bare name could be a member of an enum that nobody knows; it is reported only where the
    library has it, so that all the imports that are missing are told at once.
    """
    for argument in node.arguments:
        value = argument.value
        if not isinstance(value, tree.Name):
            expression(context, value, scope)
        elif value.text in context.library() and not lookup(context, value.text, value.span, scope):
            resolve(context, value.text, value.span, scope, None)


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
