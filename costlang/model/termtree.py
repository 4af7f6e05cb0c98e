"""The terms of a declaration as a tree of labels, inherited ones and overrides in place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.types import OpType


def path_below(owner: d.Owner, path: c.Path, name: str) -> c.Path | None:
    """Return the path of the term *name* below *path*, None when there is none."""
    return (*path, name) if name in labels_below(owner, path) else None


def labels_below(owner: d.Owner, path: c.Path) -> set[str]:
    """Return the labels of terms and repeats directly below *path*."""
    nodes: list[d.Term | d.Repeat] = all_terms(owner)
    for step in path:
        nodes = [inner for node in _flat(nodes) for inner in _step(node, step)]
    return {label for node in _flat(nodes) if (label := _label(node)) is not None}


def _flat(nodes: Iterable[d.Term | d.Repeat]) -> Iterator[d.Term | d.Repeat]:
    for node in nodes:
        if isinstance(node, d.Repeat) and node.segment is None:
            yield from _flat(node.body)
        else:
            yield node


def _label(node: d.Term | d.Repeat) -> str | None:
    return node.label if isinstance(node, d.Term) else node.segment


def _step(node: d.Term | d.Repeat, step: str) -> list[d.Term | d.Repeat]:
    if _label(node) != step:
        return []
    if isinstance(node, d.Repeat):
        return node.body
    return all_terms(node.type.op) if isinstance(node.type, OpType) else []


def all_terms(owner: d.Owner) -> list[d.Term | d.Repeat]:
    """Return the terms of *owner*, inherited ones first, each override in its place."""
    inherited = all_terms(owner.parent) if owner.parent is not None else []
    if owner.overrides:
        inherited = [_overridden(node, owner.overrides) for node in inherited]
    return [*inherited, *owner.terms]


def _overridden(node: d.Term | d.Repeat, mends: dict[str, d.Term]) -> d.Term | d.Repeat:
    if isinstance(node, d.Term):
        return mends.get(node.label, node)
    body = [_overridden(inner, mends) for inner in node.body]
    return d.Repeat(node.span, node.count, node.index, node.segment, body)
