"""Where a formula without choices crosses zero inside a cell, and its sign at one place."""

from __future__ import annotations

from fractions import Fraction

from costlang.model.exact import Interval
from costlang.solve.certified import algebraic, hunting, inverting
from costlang.solve.certified.boxes import at_point
from costlang.solve.certified.cells import Cell, Gap, forms, gap_form
from costlang.solve.certified.points import NONE_DECIDED, Meeting, Point, Void, sign_of
from costlang.solve.ground.budget import Budget, CannotTell
from costlang.solve.ground.places import MOST_BITS, Place, narrowed, roots_between
from costlang.solve.ground.program import Program


def crossings(program: Program, cell: Cell, gap: Gap, budget: Budget) -> list[Place] | None:
    """
    Return where *gap* is zero inside *cell*, in order; None when it is zero all over.

    Every choice below the gap is decided in the cell. Raises `CannotTell` when the zeros of a
    curved formula cannot be told apart.
    """
    form = gap_form(gap, forms(program, cell.decisions, gap.steps, budget))
    if form is not None:
        if form.is_zero:
            return None
        budget.spend(form.degree**3 // 2)
        return roots_between(form.above, cell.left, cell.right)
    found = inverting.crossings(program, cell, gap, budget)
    if found is not inverting.NOT_SO:
        return found
    return hunting.crossings(program, cell, gap, budget)


def sign_at(
    program: Program,
    target: int,
    place: Place,
    budget: Budget,
    meets: frozenset[Meeting] = frozenset(),
) -> int | None:
    """
    Return the sign of *target* at *place*, None where it has no value; or raise `CannotTell`.

    *meets* are steps that are known to be equal there, since that is how the place was found.
    """
    if place.exact is not None:
        return _at_exact(program, target, place.exact, budget)
    near = narrowed(place, MOST_BITS)
    if near.exact is not None:
        return _at_exact(program, target, near.exact, budget)
    worth = Point(program, Interval(near.low, near.high), budget, NONE_DECIDED, meets).worth(target)
    sign = sign_of(worth)
    if sign is not None:
        return sign
    if isinstance(worth, Void):
        return None
    if near.curve is None or near.curve.polynomial is None:
        raise CannotTell("the sign at a point is not certain")
    return algebraic.sign_at(program, target, near, budget)


def _at_exact(program: Program, target: int, x: Fraction, budget: Budget) -> int | None:
    if program.curved:
        sign = at_point(program, x, NONE_DECIDED, [target], budget).sign(target)
        if sign is not None:
            return sign
    return Point(program, x, budget).sign(target)
