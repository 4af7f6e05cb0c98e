"""Circles among operators and among units, which no order of reading could resolve."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.context import Context
from costlang.model.totals import walk
from costlang.syntax import tree
from costlang.text import Label

WORD = re.compile(r"[A-Za-z_]\w*")


def check_operators(context: Context, operators: list[d.OpDecl]) -> None:
    """Report operators that are made of themselves, each circle once."""
    search = _Search(context)
    for op in operators:
        search.visit(op)


@dataclass(eq=False)
class _Search:
    """A walk through what calls what; *way* are the operators from the first to the present one."""

    context: Context
    done: set[d.OpDecl] = field(default_factory=set)
    way: dict[d.OpDecl, int] = field(default_factory=dict)

    def visit(self, op: d.OpDecl) -> None:
        """Look at what *op* calls, each operator of the program once."""
        if op in self.done:
            return
        if op in self.way:
            _report(self.context, list(self.way)[self.way[op] :])
            return
        self.way[op] = len(self.way)
        for called in dict.fromkeys(_called(op)):
            self.visit(called)
        del self.way[op]
        self.done.add(op)


def _called(op: d.OpDecl) -> Iterator[d.OpDecl]:
    cores = [slot.value for slot in op.slots.values() if isinstance(slot, d.Let) and slot.value]
    for value in [*cores, *_calls(op.terms)]:
        yield from (inner.op for inner in walk(value) if isinstance(inner, c.NewOp))


def _calls(nodes: list[d.Term | d.Repeat]) -> Iterator[c.Core]:
    for node in nodes:
        if isinstance(node, d.Repeat):
            yield from _calls(node.body)
        elif node.call is not None:
            yield node.call


def _report(context: Context, ring: list[d.OpDecl]) -> None:
    first, *others = ring
    way = " → ".join(f"`{op.name}`" for op in [*ring, first])
    words = f"`{first.name}` is made of itself" if not others else f"made of each other: {way}"
    context.report(
        "circular-definition",
        words,
        first.span,
        "this operator calls itself" if not others else "this calls the next",
        labels=tuple(Label(op.span, "and this") for op in others),
    )
    for op in ring:
        op.broken.add("*")


def in_order_of_need(context: Context, scope: d.FileScope) -> list[tree.UnitDecl]:
    """Return the units of a file, each behind those that it is defined by."""
    nodes = {n.name.text: n for n in scope.tree.declarations if isinstance(n, tree.UnitDecl)}
    ordered: dict[str, tree.UnitDecl] = {}
    open_units: dict[str, None] = {}
    for name in nodes:
        _place(context, name, nodes, ordered, open_units)
    return list(ordered.values())


def _place(
    context: Context,
    name: str,
    nodes: dict[str, tree.UnitDecl],
    ordered: dict[str, tree.UnitDecl],
    open_units: dict[str, None],
) -> None:
    if name in ordered or name in open_units:
        return
    open_units[name] = None
    for word in words_of(nodes[name]):
        if word in nodes and word in open_units:
            _circular_unit(context, nodes[word])
        elif word in nodes:
            _place(context, word, nodes, ordered, open_units)
    del open_units[name]
    ordered[name] = nodes[name]


def words_of(node: tree.UnitDecl) -> list[str]:
    """Return the words by which a unit is defined, some of which may be units of the file."""
    return WORD.findall(node.value.span.text) if node.value is not None else []


def _circular_unit(context: Context, node: tree.UnitDecl) -> None:
    context.report(
        "circular-definition",
        f"the unit `{node.name.text}` is defined by itself",
        node.name.span,
        "defined here",
    )
