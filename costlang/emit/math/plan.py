"""What is shown by its name, and what is written out: no formula grows beyond a page."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from costlang.formula import graph as g

_WIDEST = 300
_DEEPEST = 40


@dataclass(frozen=True)
class Met:
    """A node that is shown by its name, and the labels of the terms in which it was met first."""

    node: g.Node
    labels: g.Path


@dataclass(frozen=True)
class Plan:
    """
    How the formula of *root* is shown.

    *opened* are the definitions written out beside the root's own. *aside* are nodes without a
    name that are so large, shared parts counted as often as they stand there, that they get one;
    *indices* the free indices of each node.
    """

    root: g.Node
    opened: frozenset[g.Node]
    aside: frozenset[g.Node] = frozenset()
    indices: dict[g.Node, tuple[g.Idx, ...]] = field(default_factory=dict)

    def named(self, node: g.Node) -> bool:
        """Whether *node* is shown by a name."""
        if isinstance(node, g.Def):
            return node not in self.opened
        return isinstance(node, (g.Sym, g.Idx)) or node in self.aside

    def body(self, node: g.Node) -> g.Node:
        """Return what is written where *node* itself is the subject."""
        return node.body if isinstance(node, g.Def) else node

    def shown(self, subject: g.Node, labels: g.Path = ()) -> Iterator[Met]:
        """Yield the named nodes in the formula of *subject*, in the author's order, each once."""
        body = self.body(subject)
        seen: set[g.Node] = set()
        stack = [(body, labels)]
        while stack:
            node, around = stack.pop()
            if node in seen:
                continue
            seen.add(node)
            if self.named(node) and not (node is body and node in self.aside):
                yield Met(node, around)
                continue
            below = (*around, node.label) if isinstance(node, g.Part) else around
            stack.extend((child, below) for child in reversed(node.children))

    def explained(self) -> Iterator[Met]:
        """Yield what the formula of the root leaves to be explained, one level deep."""
        seen: set[g.Node] = set()
        stack = [Met(self.root, ())]
        while stack:
            subject = stack.pop()
            for met in self.shown(subject.node, subject.labels):
                if met.node in seen or isinstance(met.node, (g.Sym, g.Idx)):
                    continue
                seen.add(met.node)
                yield met
                if met.node in self.aside:
                    stack.append(met)


def plan_for(root: g.Node, opened: Collection[g.Node] | int = 0) -> Plan:
    """Return the plan of *root*; *opened* may say how many levels of definitions to open."""
    within = _levels(root, opened) if isinstance(opened, int) else frozenset(opened)
    within |= {root} if isinstance(root, g.Def) else set()
    order = list(g.walk(root))
    bodies = {_past_labels(node.body) for node in order if isinstance(node, g.Def)}
    bodies.add(_past_labels(root))
    return Plan(root, within, _too_large(order, within, bodies), _free(order))


def _past_labels(node: g.Node) -> g.Node:
    while isinstance(node, g.Part):
        node = node.body
    return node


def _levels(root: g.Node, depth: int) -> frozenset[g.Node]:
    """Return the definitions that at most *depth* others stand around."""
    found: set[g.Node] = set()
    level = [root.body if isinstance(root, g.Def) else root]
    for _ in range(depth):
        inside = [met for node in level for met in _definitions(node) if met not in found]
        found.update(inside)
        level = [node.body for node in inside]
    return frozenset(found)


def _definitions(node: g.Node) -> list[g.Def]:
    found: list[g.Def] = []
    seen: set[g.Node] = set()
    stack = [node]
    while stack:
        at = stack.pop()
        if at in seen:
            continue
        seen.add(at)
        if isinstance(at, g.Def):
            found.append(at)
        else:
            stack.extend(at.children)
    return found


def _too_large(
    order: list[g.Node], opened: frozenset[g.Node], bodies: set[g.Node]
) -> frozenset[g.Node]:
    width: dict[g.Node, int] = {}
    height: dict[g.Node, int] = {}
    aside: set[g.Node] = set()
    for node in order:
        closed = isinstance(node, g.Def) and node not in opened
        below = () if closed else node.children
        width[node] = sum(width[child] for child in below) or 1
        height[node] = max((height[child] + 1 for child in below), default=0)
        large = width[node] > _WIDEST or height[node] > _DEEPEST
        if large and node not in bodies and not isinstance(node, (g.Def, g.Part, *_TRUTHS)):
            aside.add(node)
            width[node], height[node] = 1, 0
    return frozenset(aside)


_TRUTHS = (g.Cmp, g.All, g.Any, g.Not)


def _free(order: list[g.Node]) -> dict[g.Node, tuple[g.Idx, ...]]:
    found: dict[g.Node, tuple[g.Idx, ...]] = {}
    for node in order:
        if isinstance(node, g.Idx):
            found[node] = (node,)
            continue
        free: dict[g.Idx, None] = {}
        for child in node.children:
            free.update(dict.fromkeys(found[child]))
        if isinstance(node, g.SumOver):
            inner = set(found[node.body]) - {node.index}
            outer = {*found[node.low], *found[node.high]}
            free = {index: None for index in free if index in inner | outer}
        found[node] = tuple(free)
    return found
