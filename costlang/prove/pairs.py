"""Formulas before and after a step of which the later is known to be no less, or no greater."""

from __future__ import annotations

from itertools import pairwise

from costlang.formula import graph as g
from costlang.prove.cases import atoms_of
from costlang.prove.claims import Claim, Reading
from costlang.prove.directions import Directions
from costlang.prove.putting import put

Pair = tuple[g.Node, g.Node]
"""Two formulas, of which the first is never greater."""
KINDS = (g.Max, g.Min, g.Fn, g.Pow, g.SumOver, g.Cond, g.Def)


def pairs_of(reading: Reading, claim: Claim) -> tuple[Pair, ...]:
    """Return what is known of the parts of a subject that goes some way in one name."""
    if reading.kind not in ("increasing", "decreasing", "convex"):
        return ()
    (x,) = reading.variables
    subject = reading.subject
    if not isinstance(subject, g.Node) or x not in claim.domains:
        return ()
    directions = Directions(atoms_of(claim), x)
    directions.way(subject)
    stages: list[dict[g.Node, g.Node]] = [{s: end[s] for s in end} for end in claim.ends]
    found: list[Pair] = []
    for node in g.walk(subject):
        way = directions.way(node)
        if not isinstance(node, KINDS) or way.steady or (way.rises and way.falls):
            continue
        images = [put(claim.build, node, stage) for stage in stages]
        for early, late in pairwise(images):
            if isinstance(early, g.Node) and isinstance(late, g.Node):
                found.append((early, late) if way.rises else (late, early))
    return tuple(found)
