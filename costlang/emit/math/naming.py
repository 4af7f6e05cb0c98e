"""Which name each node has on the page: the author's symbol, unless two would read alike."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Literal

from costlang.emit.math.boxes import Symbol
from costlang.emit.math.letters import name_of, symbol_of
from costlang.emit.math.plain import spelled
from costlang.emit.math.plan import Met, Plan
from costlang.formula import graph as g

Names = Literal["symbols", "names"]


@dataclass(frozen=True)
class Naming:
    """The symbols of what one answer shows."""

    symbols: dict[g.Node, Symbol]

    def of(self, node: g.Node) -> Symbol:
        """Return the symbol of *node*."""
        return self.symbols[node]


def naming(plan: Plan, names: Names) -> Naming:
    """Return a naming under which no two things in the formula and its where list read alike."""
    met = _met(plan)
    found = _told_apart([(item.node, _candidates(item, names)) for item in met])
    indices = _indices(plan, {spelled(symbol) for symbol in found.values()})
    for node, symbol in found.items():
        row = tuple(indices[index] for index in plan.indices.get(node, ()) if index in indices)
        found[node] = replace(symbol, row=(*symbol.row, *row))
    return Naming({**found, **indices})


def _met(plan: Plan) -> list[Met]:
    """Return what the formula and its where list show, without the indices."""
    found: dict[g.Node, Met] = {}
    if isinstance(plan.root, g.Def):
        found[plan.root] = Met(plan.root, ())
    for subject in (Met(plan.root, ()), *plan.explained()):
        for met in plan.shown(subject.node, subject.labels):
            if not isinstance(met.node, g.Idx):
                found.setdefault(met.node, met)
    return list(found.values())


def _candidates(met: Met, names: Names) -> list[Symbol]:
    """Return the symbols that *met* may have, the one that is liked best first."""
    node = met.node
    if isinstance(node, g.Sym):
        alias, name, path = node.info.alias, node.name, node.path
    elif isinstance(node, g.Def):
        alias, name, path = node.alias, node.name, node.path
    else:
        return [Symbol("u")]
    found = [symbol_of(alias)] if alias and names == "symbols" else []
    found.append(name_of(name))
    for owner in (_owner(path, name), met.labels):
        words = ".".join(owner).split(".") if owner else []
        found.extend(name_of(".".join((*words[at:], name))) for at in range(len(words) - 1, -1, -1))
    return found


def _owner(path: g.Path, name: str) -> g.Path:
    for length in (1, 2):
        if "".join(path[-length:]) == name:
            return path[:-length]
    return path[:-1]


def _told_apart(items: list[tuple[g.Node, list[Symbol]]]) -> dict[g.Node, Symbol]:
    """Return the first symbols by which *items* differ: those that meet all take their next."""
    stage = dict.fromkeys((node for node, _ in items), 0)
    while True:
        groups: dict[str, list[tuple[g.Node, list[Symbol]]]] = defaultdict(list)
        for node, symbols in items:
            groups[spelled(symbols[stage[node]])].append((node, symbols))
        moved = False
        for group in groups.values():
            for node, symbols in group if len(group) > 1 else ():
                if stage[node] + 1 < len(symbols):
                    stage[node], moved = stage[node] + 1, True
        if not moved:
            return _numbered({node: symbols[stage[node]] for node, symbols in items})


def _numbered(symbols: dict[g.Node, Symbol]) -> dict[g.Node, Symbol]:
    """Return *symbols*, with a number below those that still read alike."""
    counts: dict[str, int] = defaultdict(int)
    for symbol in symbols.values():
        counts[spelled(symbol)] += 1
    taken = {text for text, count in counts.items() if count == 1}
    found: dict[g.Node, Symbol] = {}
    for node, symbol in symbols.items():
        alike = counts[spelled(symbol)] > 1
        found[node] = _free_of(symbol, taken) if alike else symbol
        taken.add(spelled(found[node]))
    return found


def _free_of(symbol: Symbol, taken: set[str]) -> Symbol:
    number = 1
    while spelled(_with(symbol, number)) in taken:
        number += 1
    return _with(symbol, number)


def _with(symbol: Symbol, number: int) -> Symbol:
    return replace(symbol, below=(*symbol.below, str(number)))


def _indices(plan: Plan, taken: set[str]) -> dict[g.Node, Symbol]:
    """Return the symbols of indices: those of one name share it unless one is inside the other."""
    found: dict[g.Node, Symbol] = {}
    inside: dict[g.Node, frozenset[g.Idx]] = {}
    for node in g.walk(plan.root):
        below = frozenset().union(*(inside[child] for child in node.children))
        own = {node} if isinstance(node, g.Idx) else set()
        inside[node] = below | own
    around = [node for node in inside if isinstance(node, g.SumOver)]
    for index in dict.fromkeys([s.index for s in reversed(around)] + _loose(inside)):
        near = [s for s in around if index in inside[s]]
        alike = frozenset().union(*(inside[s] for s in near)) | {
            other for s in around if s.index is index for other in inside[s]
        }
        mine = {spelled(found[other]) for other in alike if other in found}
        symbol = name_of(index.name)
        clear = spelled(symbol) not in mine | taken
        found[index] = symbol if clear else _free_of(symbol, mine | taken)
    return found


def _loose(inside: dict[g.Node, frozenset[g.Idx]]) -> list[g.Idx]:
    return [node for node in inside if isinstance(node, g.Idx)]
