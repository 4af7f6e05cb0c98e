"""What stands in a declaration beside its members: settings, checks, requirements, laws."""

from __future__ import annotations

from costlang.model import declared as d
from costlang.model.context import Context, Scope
from costlang.model.definitions import scope_of
from costlang.model.fitting import bare, numeric, truth
from costlang.model.infer import expression
from costlang.model.parameters import report_set_twice
from costlang.model.questions import known_units
from costlang.model.settings import bindings, read_setting
from costlang.model.slots import slot_type
from costlang.model.types import BROKEN
from costlang.syntax import tree
from costlang.text import Label, Span


def check_members(context: Context, owner: d.Owner) -> None:
    """Check the definitions and statements of *owner*."""
    node = owner.node
    scope = scope_of(owner)
    for slot in list(owner.slots.values()):
        slot_type(context, slot)
    members: tuple[tree.Member, ...] = getattr(node, "members", ())
    _names_once(context, members)
    for member in members:
        _member(context, owner, member, scope)


FACTS = {tree.Check: "check", tree.Require: "requirement", tree.Law: "law"}
"""Statements with names of their own, by which an answer tells of them."""


def _names_once(context: Context, members: tuple[tree.Member, ...]) -> None:
    """Report a check, a requirement or a law whose name another one of its kind has here."""
    first: dict[tuple[str, str], Span] = {}
    for node in members:
        if isinstance(node, (tree.Check, tree.Require, tree.Law)):
            kind, name = FACTS[type(node)], node.name
            earlier = first.setdefault((kind, name.text), name.span)
            if earlier is not name.span:
                context.report(
                    "declared-twice",
                    f"another {kind} here is called `{name.text}`",
                    name.span,
                    "named again here",
                    labels=(Label(earlier, "first named here"),),
                )


def _member(context: Context, owner: d.Owner, node: tree.Member, scope: Scope) -> None:
    match node:
        case tree.Setting():
            setting = read_setting(context, node, scope)
            if setting is None:
                return
            if setting.path in owner.settings:
                report_set_twice(
                    context, node.target.span.text, node.target, owner.settings[setting.path]
                )
                return
            owner.settings[setting.path] = setting
        case tree.Check():
            _check(context, owner, node, scope)
        case tree.Require():
            condition = truth(context, expression(context, node.condition, scope))
            owner.requires.append(d.Requirement(node.name.text, node.name.span, owner, condition))
        case tree.Law():
            _law(context, owner, node, scope)
        case tree.Show() if isinstance(owner, d.ScenarioDecl):
            owner.show = (*owner.show, *known_units(context, owner.file, node.units))


def _check(context: Context, owner: d.Owner, node: tree.Check, scope: Scope) -> None:
    fact = truth(context, expression(context, node.fact, scope))
    at = bindings(context, node.at, scope)
    source = node.source.text if node.source else None
    if fact.type is not BROKEN:
        owner.checks.append(d.Fact(node.name.text, node.name.span, owner, fact, at, source))


def _law(context: Context, owner: d.Owner, node: tree.Law, scope: Scope) -> None:
    subject = expression(context, node.subject, scope)
    subject = truth(context, subject) if node.kind == "holds" else numeric(context, subject)
    variables = tuple(numeric(context, expression(context, v, scope)) for v in node.variables)
    degree = (
        bare(context, expression(context, node.degree, scope), "a degree") if node.degree else None
    )
    where = truth(context, expression(context, node.where, scope)) if node.where else None
    name, span = node.name.text, node.name.span
    owner.laws.append(d.LawDecl(name, span, owner, node.kind, subject, variables, degree, where))
