"""The arguments of a call, each to its formal."""

from __future__ import annotations

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.context import Context, Scope
from costlang.model.fitting import fit
from costlang.model.infer import expression
from costlang.syntax import tree
from costlang.text import Label
from costlang.text.near import did_you_mean, near_names

Bound = tuple[dict[str, c.Core], dict[str, tree.Argument]]


def bind(
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
            good = no_such_argument(context, argument, name, known)
            continue
        if formal.name in bound:
            good = _twice(context, argument, formal, bound[formal.name])
            continue
        value = expression(context, argument.value, scope, formal.type)
        bound[formal.name] = fit(context, value, formal.type, argument.value, formal.span)
    missing = [f for f in slots if f.name not in bound and not f.optional]
    if good and missing and not open_names:
        good = missing_arguments(context, node, name, missing)
    return (bound, others) if good else None


def _too_many(context: Context, argument: tree.Argument, name: str, most: int) -> bool:
    context.report(
        "too-many-arguments",
        f"`{name}` takes {most} by place",
        argument.span,
        "one too many",
    )
    return False


def no_such_argument(
    context: Context, argument: tree.Argument, name: str, known: dict[str, d.Formal]
) -> bool:
    """Report an argument that *name* does not take; always false."""
    assert argument.name is not None
    near = near_names(argument.name.text, known)
    context.report(
        "unknown-argument",
        f"`{name}` has no argument `{argument.name.text}`",
        argument.name.span,
        "no such argument",
        help=did_you_mean(near) or f"it takes: {', '.join(known)}",
    )
    return False


def _twice(context: Context, argument: tree.Argument, formal: d.Formal, first: c.Core) -> bool:
    context.report(
        "argument-twice",
        f"`{formal.name}` is given twice",
        argument.span,
        "given again here",
        labels=(Label(first.span, "given first here"),),
    )
    return False


def missing_arguments(
    context: Context, node: tree.Call, name: str, missing: list[d.Formal]
) -> bool:
    """Report arguments that were not given; always false."""
    words = ", ".join(f"`{formal.name}`" for formal in missing)
    context.report(
        "missing-argument",
        f"`{name}` is not given {words}",
        node.span,
        "given too little",
        labels=tuple(Label(formal.span, "asked for here") for formal in missing[:1]),
    )
    return False
