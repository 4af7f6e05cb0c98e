"""All points at which a formula may be largest or smallest over a stretch: ends, corners, turns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from costlang.solve.certified.boxes import Box
from costlang.solve.certified.cells import Cell, forms
from costlang.solve.certified.mixing import derivative
from costlang.solve.certified.points import NONE_DECIDED
from costlang.solve.certified.signs import Search
from costlang.solve.certified.slopes import slope
from costlang.solve.ground.budget import CannotTell
from costlang.solve.ground.places import Place, roots_between
from costlang.solve.ground.ratios import Ratio
from costlang.solve.ground.spans import Span

MOST_JUMPS = 2_000


@dataclass(frozen=True, eq=False)
class Turns:
    """Places where a formula may turn or jump, in order, and the cells between them."""

    places: tuple[Place, ...]
    cells: tuple[Cell, ...]


def turns(search: Search, around: Span) -> Turns:
    """Return where the target of *search* may turn in *around*; or raise `CannotTell`."""
    found: list[Place] = []
    cells: list[Cell] = []
    work: list[Cell | Place] = [Cell(around.low, around.high, NONE_DECIDED)]
    while work:
        item = work.pop()
        if isinstance(item, Place):
            found.append(item)
            continue
        box = search.box(item)
        if box.open:
            work.extend(reversed(list(_parts(search, item, box))))
            continue
        parts = list(_turning(search, item, box))
        found.extend(part for part in parts if isinstance(part, Place))
        cells.extend(part for part in parts if isinstance(part, Cell))
    return Turns(tuple(found), tuple(cells))


def _parts(search: Search, cell: Cell, box: Box) -> Iterator[Cell | Place]:
    """Yield a cell with choices in pieces, with the places between them."""
    if search.jumps(box) > MOST_JUMPS:
        raise CannotTell("a rounding jumps too often")
    ridges = search.ridges(cell, box)
    if ridges is None:
        raise CannotTell("where a choice changes cannot be placed")
    for at, each in enumerate(search.divided(cell, box, ridges)):
        if at:
            assert each.left is not None
            yield each.left
        yield each


def _turning(search: Search, cell: Cell, box: Box) -> Iterator[Cell | Place]:
    """Yield a cell without choices, cut where its slope is zero."""
    settled = search.settled(cell, box)
    form = forms(search.program, settled.decisions, [search.target], search.budget)[search.target]
    if form is None:
        if search.target not in box.partial:
            low, high = slope(search.program, box, settled.decisions, search.target)
            if low >= 0 or high <= 0:
                yield settled
                return
        raise CannotTell("where a curved formula turns is not certain")
    left = cell.left
    for place in _zeros(derivative(form), cell):
        yield Cell(left, place, settled.decisions)
        yield place
        left = place
    yield Cell(left, cell.right, settled.decisions)


def _zeros(form: Ratio, cell: Cell) -> list[Place]:
    return [] if form.is_zero else roots_between(form.above, cell.left, cell.right)
