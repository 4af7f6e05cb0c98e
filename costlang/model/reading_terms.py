"""Terms and repeats as they are written, checked."""

from __future__ import annotations

from costlang.model import declared as d
from costlang.model.context import Context, Scope
from costlang.model.definitions import scope_of
from costlang.model.fitting import bare
from costlang.model.infer import expression
from costlang.model.missing import broken
from costlang.model.termtree import all_terms
from costlang.model.types import BROKEN, NumberType, OpType
from costlang.syntax import tree
from costlang.text import Label
from costlang.text.near import did_you_mean, near_names
from costlang.units import NONE


def read_terms(context: Context, owner: d.Owner) -> None:
    """Check the terms that stand in *owner*."""
    members: tuple[tree.Member, ...] = getattr(owner.node, "members", ())
    owner.terms = _terms(context, owner, members, scope_of(owner), top=True)
    if isinstance(owner, d.OpDecl) and owner.terms:
        _never_both(context, owner)


def _never_both(context: Context, op: d.OpDecl) -> None:
    stated = next(
        (s for s in op.slots.values() if isinstance(s, d.Let) and s.name in context.resources), None
    )
    if stated is not None:
        context.report(
            "both-simple-and-composite",
            f"`{op.name}` states `{stated.name}` and has terms as well",
            stated.span,
            "an operator is simple or made of terms, never both",
            labels=(Label(op.terms[0].span, "a term"),),
        )


def _terms(
    context: Context,
    owner: d.Owner,
    members: tuple[tree.Member, ...],
    scope: Scope,
    *,
    top: bool,
) -> list[d.Term | d.Repeat]:
    found: list[d.Term | d.Repeat] = []
    labels: dict[str, d.Term] = {}
    for node in members:
        if isinstance(node, tree.Term):
            term = _term(context, node, scope)
            if node.override:
                _override_term(context, owner, node, term)
            elif node.name.text in labels:
                context.report(
                    "declared-twice",
                    f"two terms here are called `{node.name.text}`",
                    node.name.span,
                    "again here",
                    labels=(Label(labels[node.name.text].span, "first here"),),
                )
            else:
                labels[node.name.text] = term
                found.append(term)
        elif isinstance(node, tree.Repeat):
            found.append(_repeat(context, owner, node, scope))
    return found


def _term(context: Context, node: tree.Term, scope: Scope) -> d.Term:
    call = expression(context, node.call, scope)
    if call.type is not BROKEN and not isinstance(call.type, OpType):
        context.report(
            "not-an-operator",
            "a term is a call of an operator",
            node.call.span,
            call.type.thing,
        )
        call = broken(call.span)
    return d.Term(node.name.text, node.name.span, call, call.type)


def _override_term(context: Context, owner: d.Owner, node: tree.Term, term: d.Term) -> None:
    inherited = all_terms(owner.parent) if owner.parent is not None else []
    if term.label in _all_labels(inherited):
        owner.overrides[term.label] = term
        return
    if owner.broken_name("*") or context.lost(term.label):
        return
    context.report(
        "nothing-to-override",
        f"no inherited term is called `{term.label}`",
        node.name.span,
        "nothing here is replaced",
        help=did_you_mean(near_names(term.label, sorted(_all_labels(inherited)))),
    )


def _all_labels(nodes: list[d.Term | d.Repeat]) -> set[str]:
    labels: set[str] = set()
    for node in nodes:
        if isinstance(node, d.Term):
            labels.add(node.label)
        else:
            labels |= _all_labels(node.body)
    return labels


def _repeat(context: Context, owner: d.Owner, node: tree.Repeat, scope: Scope) -> d.Repeat:
    count = bare(context, expression(context, node.count, scope), "the number of copies")
    inside = scope
    if node.index is not None:
        inside = scope.with_locals({node.index.text: NumberType(NONE, "index")})
    body = _terms(context, owner, node.body, inside, top=False)
    segment = node.count.text if isinstance(node.count, tree.Name) else None
    index = node.index.text if node.index else None
    return d.Repeat(node.span, count, index, segment, body)
