"""Conditions that the others of a case already ask for, left out."""

from __future__ import annotations

from costlang.formula import graph as g
from costlang.solve.free.conditions import above_zero
from costlang.solve.free.positive import Signing
from costlang.solve.ground.prepare import substituted

MOST = 6
"""Of so many conditions each is held against each other one."""


def without_implied(
    build: g.Builder, signing: Signing, conditions: tuple[g.Node, ...]
) -> tuple[g.Node, ...]:
    """Return *conditions* without those that follow from another one and the bounds of names."""
    kept = list(dict.fromkeys(conditions))
    if len(kept) > MOST:
        return tuple(kept)
    for condition in tuple(kept):
        others = [other for other in kept if other is not condition]
        if any(follows(build, signing, condition, other) for other in others):
            kept.remove(condition)
    return tuple(kept)


def follows(build: g.Builder, signing: Signing, condition: g.Node, other: g.Node) -> bool:
    """Whether *condition* certainly holds wherever *other* does."""
    if not isinstance(condition, g.Cmp) or not isinstance(other, g.Cmp):
        return False
    if condition.operator not in (">", ">="):
        return False
    if other.operator == "==":
        return any(
            isinstance(name, g.Sym)
            and name not in g.symbols(worth)
            and holds(build, signing, substituted(build, condition, {name: worth}))
            for name, worth in ((other.left, other.right), (other.right, other.left))
        )
    if other.operator not in (">", ">="):
        return False
    strict = condition.operator == ">" and other.operator == ">="
    more = build.sub(_gap(build, condition), _gap(build, other))
    return signing.signs(more) <= ({1} if strict else {0, 1})


def holds(build: g.Builder, signing: Signing, condition: g.Node) -> bool:
    """Whether a comparison certainly holds, by the bounds of its names."""
    if not isinstance(condition, g.Cmp) or condition.operator not in (">", ">=", "=="):
        return False
    return above_zero(build, signing, _gap(build, condition), condition.operator) is True


def _gap(build: g.Builder, condition: g.Cmp) -> g.Node:
    return build.sub(condition.left, condition.right)
