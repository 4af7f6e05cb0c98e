"""One formula over all regimes: what a maximum or a minimum of lines reaches, it reaches first."""

from __future__ import annotations

from dataclasses import dataclass

from costlang.formula import graph as g
from costlang.solve.closed.regimes import holds_unknown
from costlang.solve.free.conditions import above_zero
from costlang.solve.free.positive import Reaches, Signing
from costlang.solve.free.symbolic import symbolic
from costlang.solve.ground.domain import POSITIVE
from costlang.solve.ground.program import Values


@dataclass(frozen=True, eq=False)
class Combined:
    """
    The one unknown above zero with `choice == level`, when all *conditions* hold.

    *rising* is 1 where the choice is below the level for less and above it for more, else -1.
    """

    formula: g.Node
    conditions: tuple[g.Node, ...]
    rising: int


def combined(
    build: g.Builder,
    left: g.Node,
    right: g.Node,
    unknown: g.Sym,
    values: Values,
    reaches: Reaches,
) -> Combined | None:
    """
    Return one formula for a `max` or a `min` whose sides all rise, or all fall; else None.

    A maximum that rises has reached a level as soon as one side has: the least of their roots.
    """
    choice = g.bare(left)
    if not isinstance(choice, (g.Max, g.Min)) or unknown in holds_unknown(right, unknown):
        return None
    signing = Signing(build, reaches, values)
    roots: list[g.Node] = []
    conditions: list[g.Node] = []
    directions: set[int] = set()
    for side in choice.sides:
        if unknown not in holds_unknown(side, unknown):
            gap = build.sub(right, side) if isinstance(choice, g.Max) else build.sub(side, right)
            made = above_zero(build, signing, gap, ">")
            if made is False:
                return None
            conditions.extend([made] if isinstance(made, g.Node) else [])
            continue
        found = symbolic(build, side, right, unknown, POSITIVE, values, reaches)
        if not found.complete or len(found.branches) != 1:
            return None
        (branch,) = found.branches
        if branch.count != "one" or branch.formula is None:
            return None
        roots.append(branch.formula)
        conditions.extend(branch.conditions)
        directions.add(branch.rising)
    if len(directions) != 1:
        return None
    return _joined(build, choice, roots, conditions, directions.pop())


def _joined(
    build: g.Builder,
    choice: g.Max | g.Min,
    roots: list[g.Node],
    conditions: list[g.Node],
    rising: int,
) -> Combined:
    first = isinstance(choice, g.Max) is (rising > 0)
    formula = build.min(*roots) if first else build.max(*roots)
    return Combined(formula, tuple(dict.fromkeys(conditions)), rising)
