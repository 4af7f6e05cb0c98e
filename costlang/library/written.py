"""A declaration in the words of its author, a line each: arguments, parameters, definitions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from costlang.model import declared as d
from costlang.syntax import tree as t
from costlang.text import Span

PARAMETERS, SETS, DEFINES, TERMS = "parameters", "sets", "defines", "terms"
REQUIRES, LAWS, CHECKS, USES, ASKS = "requires", "laws", "checks", "uses", "asks"
TITLES = (USES, PARAMETERS, SETS, DEFINES, TERMS, ASKS, REQUIRES, LAWS, CHECKS)
"""The sections of what is written, in the order in which a reader wants them."""


@dataclass(frozen=True)
class Written:
    """One statement: its section, its name, what is said of it, its notes and its source."""

    title: str
    name: str
    text: str
    docs: tuple[str, ...] = ()
    source: str | None = None


def one_line(span: Span) -> str:
    """Return what stands at *span* with its lines joined."""
    return " ".join(span.text.split())


def first_sentence(docs: Iterable[str]) -> str:
    """Return the first sentence of a note, without its point."""
    text = " ".join(" ".join(docs).split())
    first, point, _ = text.partition(". ")
    return first if point else text.removesuffix(".")


def node_of(decl: d.Decl) -> t.Declaration | None:
    """Return the statement by which *decl* was declared."""
    found = decl.file.tree.declarations
    return next((node for node in found if node.name.text == decl.name), None)


def arguments_of(decl: d.Decl) -> str:
    """
    Return what a declaration is given, as it is written; for a record, of which kind it is.

    What an operator is given by what stands around it is left out.
    """
    if isinstance(decl, d.RecordDecl):
        return decl.parent.name if decl.parent is not None else ""
    owners = decl.lineage() if isinstance(decl, d.Owner) else iter((decl,))
    nodes = (node_of(owner) for owner in owners)
    lists = [n.formals for n in nodes if isinstance(n, (t.Op, t.Phase, t.Let)) and n.formals]
    formals = lists[0] if lists else ()
    return ", ".join(one_line(formal.span) for formal in formals if not formal.given)


def statements_of(decl: d.Decl) -> tuple[Written, ...]:
    """
    Return what is written of *decl*, what it has from its parents first.

    An amended definition stands in the place of the one that it amends.
    """
    owners = list(decl.lineage())[::-1] if isinstance(decl, d.Owner) else [decl]
    found: dict[tuple[str, str], Written] = {}
    for owner in owners:
        node = node_of(owner)
        for each in _statements(node) if node is not None else ():
            found[each.title, each.name] = each
    return tuple(sorted(found.values(), key=lambda each: TITLES.index(each.title)))


def _statements(node: t.Declaration) -> Iterator[Written]:
    match node:
        case t.Record() | t.Phase() | t.Op() | t.Scenario():
            for member in node.members:
                yield from _statement(member)
        case t.EnumDecl(members=members):
            yield Written(DEFINES, "members", ", ".join(word.text for word in members))
        case t.Resource(type=kind, default=default):
            yield Written(DEFINES, "kind", one_line(kind.span))
            if default is not None:
                yield Written(DEFINES, "default", one_line(default.span))
        case t.Let(value=value) | t.UnitDecl(value=value) if value is not None:
            yield Written(DEFINES, "value", one_line(value.span))


def _factor(count: t.Node) -> str:
    """Return *count* as it stands before a sign of multiplication."""
    text = one_line(count.span)
    return text if isinstance(count, (t.Number, t.Name)) else f"({text})"


def _statement(member: t.Member) -> Iterator[Written]:
    match member:
        case t.Param(name=name) | t.Table(name=name):
            yield _noted(member, PARAMETERS, name.text, _type_text(member))
        case t.Setting(target=target, value=value, high=high):
            text = one_line(value.span if high is None else value.span.to(high.span))
            yield _noted(member, SETS, one_line(target.span), text)
        case t.Let(name=name, formals=formals, value=value):
            inside = ", ".join(one_line(formal.span) for formal in formals or ())
            called = name.text if formals is None else f"{name.text}({inside})"
            yield _noted(member, DEFINES, called, one_line(value.span))
        case t.Term(name=name, call=call):
            yield _noted(member, TERMS, name.text, one_line(call.span))
        case t.Repeat(count=count, body=body):
            for each in (one for inner in body for one in _statement(inner)):
                yield replace(each, text=f"{_factor(count)} × {each.text}")
        case t.Check(name=name, fact=fact):
            yield _noted(member, CHECKS, name.text, one_line(fact.span))
        case t.Require(name=name, condition=condition):
            yield _noted(member, REQUIRES, name.text, one_line(condition.span))
        case t.Law(name=name):
            yield _noted(member, LAWS, name.text, _behind_colon(member.span))
        case t.Use(name=name, value=value):
            yield _noted(member, USES, name.text, one_line(value.span))
        case t.Query(name=name, question=question):
            yield _noted(member, ASKS, name.text, one_line(question.span))


def _noted(member: t.Member, title: str, name: str, text: str) -> Written:
    source = getattr(member, "source", None)
    return Written(title, name, text, member.docs, source.text if source is not None else None)


def _type_text(member: t.Param | t.Table) -> str:
    """Return the type, the domain and the default of a parameter, or the kind of a table."""
    if isinstance(member, t.Table):
        key = ".".join(word.text for word in member.key)
        return f"{key} -> {one_line(member.type.span)}"
    end = member.high or member.default or member.domain or member.type
    return one_line(member.type.span.to(end.span))


def _behind_colon(span: Span) -> str:
    return one_line(span).partition(": ")[2]
