"""A formula with names replaced, or with conditions that are known and choices that follow."""

from __future__ import annotations

from collections.abc import Mapping

from costlang.formula import graph as g
from costlang.formula.sums import rebuild

Truth = g.Node | bool


def put(
    build: g.Builder,
    node: Truth,
    instead: Mapping[g.Node, g.Node],
    known: Mapping[g.Node, bool] | None = None,
) -> Truth:
    """
    Return *node* with nodes replaced by others, and with truths that are *known*.

    Raises `ZeroDivisionError` where something would be divided by 0.
    """
    if isinstance(node, bool):
        return node
    memo: dict[g.Node, Truth] = {**instead, **(known or {})}
    for at in g.walk(node):
        if at not in memo:
            memo[at] = _made(build, at, memo)
    return memo[node]


def put_number(build: g.Builder, node: g.Node, instead: Mapping[g.Node, g.Node]) -> g.Node:
    """Return the number *node* with nodes replaced by others."""
    found = put(build, node, instead)
    assert isinstance(found, g.Node)
    return found


def _made(build: g.Builder, node: g.Node, memo: Mapping[g.Node, Truth]) -> Truth:
    match node:
        case g.Cond(condition=condition, yes=yes, no=no):
            known = memo[condition]
            if isinstance(known, bool):
                return memo[yes] if known else memo[no]
            return build.cond(known, _number(memo[yes]), _number(memo[no]))
        case g.All(parts=parts):
            return build.every(*(memo[part] for part in parts))
        case g.Any(parts=parts):
            return build.some(*(memo[part] for part in parts))
        case g.Not(part=part):
            return build.no(memo[part])
        case g.Cmp(operator=operator, left=left, right=right):
            return build.cmp(operator, _number(memo[left]), _number(memo[right]))
        case _:
            return rebuild(build, node, lambda child: _number(memo[child]))


def _number(node: Truth) -> g.Node:
    assert isinstance(node, g.Node)
    return node


def without_names(build: g.Builder, node: Truth) -> Truth:
    """Return *node* without the names of definitions and the labels of terms."""
    if isinstance(node, bool):
        return node
    memo: dict[g.Node, Truth] = {}
    for at in g.walk(node):
        memo[at] = memo[at.body] if isinstance(at, (g.Def, g.Part)) else _made(build, at, memo)
    return memo[node]
