"""Choices that make no difference, taken away: `if n == 1 then 1 else n` is `n`."""

from __future__ import annotations

from costlang.formula import graph as g
from costlang.prove import laurent as l
from costlang.prove.atoms import Atoms
from costlang.prove.putting import Truth, put


def folded(build: g.Builder, atoms: Atoms, node: Truth) -> Truth:
    """Return *node* without the choices whose two sides agree where one of them is not taken."""
    if isinstance(node, bool):
        return node
    instead: dict[g.Node, g.Node] = {}
    for at in g.walk(node):
        if isinstance(at, g.Cond) and (kept := _kept(build, atoms, at)) is not None:
            instead[at] = kept
    while instead:
        node = put(build, node, _resolved(instead))
        if isinstance(node, bool):
            return node
        instead = {
            at: kept
            for at in g.walk(node)
            if isinstance(at, g.Cond) and (kept := _kept(build, atoms, at)) is not None
        }
    return node


def _resolved(instead: dict[g.Node, g.Node]) -> dict[g.Node, g.Node]:
    """Return *instead* without what stands inside another; its turn comes again."""
    inside = {n for at in instead for n in g.walk(at) if n is not at}
    outer = {at: kept for at, kept in instead.items() if at not in inside}
    return outer or instead


def _kept(build: g.Builder, atoms: Atoms, node: g.Cond) -> g.Node | None:
    match node.condition:
        case g.Cmp(operator="==", left=g.Sym() as symbol, right=g.Num() as number):
            return node.no if _agree(build, atoms, node.yes, node.no, symbol, number) else None
        case g.Cmp(operator="!=", left=g.Sym() as symbol, right=g.Num() as number):
            return node.yes if _agree(build, atoms, node.no, node.yes, symbol, number) else None
        case _:
            return None


def _agree(
    build: g.Builder, atoms: Atoms, special: g.Node, plain: g.Node, symbol: g.Sym, number: g.Num
) -> bool:
    """Whether *plain* is *special* where *symbol* is *number*."""
    try:
        there = put(build, plain, {symbol: number})
        here = put(build, special, {symbol: number})
        assert isinstance(there, g.Node) and isinstance(here, g.Node)
        return there is here or atoms.form(there) == atoms.form(here)
    except (ZeroDivisionError, l.TooLarge):
        return False
