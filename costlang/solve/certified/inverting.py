"""Zeros of a formula in which the unknown stands in one logarithm, exponential or root alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final

from flint import fmpz_poly

from costlang.model import exact
from costlang.solve.certified.cells import Cell, Gap, forms, gap_form, gap_sign
from costlang.solve.certified.points import Point, needed, sign_of
from costlang.solve.ground import places
from costlang.solve.ground import ratios as r
from costlang.solve.ground.budget import Budget, CannotTell
from costlang.solve.ground.places import Curve, Place, compare, simplest
from costlang.solve.ground.program import CURVED, Program, Step
from costlang.solve.ground.ratios import Isolated, Ratio

NOT_SO: Final[list[Place]] = []
"""What is returned for a formula of another shape; compare by identity."""
BITS = 120


@dataclass(frozen=True)
class _Line:
    """The argument of the curved step, `slope * x + start`."""

    slope: Fraction
    start: Fraction

    def at(self, x: exact.Real) -> exact.Real:
        return exact.add(exact.multiply(self.slope, x), self.start)

    def back(self, u: exact.Real) -> exact.Real:
        return exact.divide(exact.subtract(u, self.start), self.slope)


@dataclass(frozen=True)
class _Curved:
    """
    A rising or falling function of one line, which stands for the unknown.

    *there* gives what it is at a value of the line, *back* the other way round.
    """

    line: _Line
    there: Callable[[exact.Real], exact.Real]
    back: Callable[[exact.Real], exact.Real]
    least: Fraction | None


def crossings(program: Program, cell: Cell, gap: Gap, budget: Budget) -> list[Place] | None:
    """Return the zeros in order, None when it is zero all over, `NOT_SO` for another shape."""
    found = _only_curve(program, cell, gap, budget)
    if found is None:
        return NOT_SO
    curve, seeds = found
    form = gap_form(gap, forms(program, cell.decisions, gap.steps, budget, seeds))
    if form is None:
        return NOT_SO
    if form.is_zero:
        return None
    roots = [root for root in map(_tight, r.real_roots(form.above)) if _possible(root, curve)]
    zeros = [_place(program, cell, gap, budget, curve, root) for root in roots]
    inside = [zero for zero in zeros if _within(zero, cell)]
    return sorted(inside, key=lambda zero: zero.low)


def _possible(root: Isolated, curve: _Curved) -> bool:
    """Whether the curved step can be that number."""
    return curve.least is None or (root.high > curve.least and root.low >= curve.least)


def _within(zero: Place, cell: Cell) -> bool:
    if cell.left is not None and compare(zero, cell.left) <= 0:
        return False
    return cell.right is None or compare(zero, cell.right) < 0


# ---- the shape


def _only_curve(
    program: Program, cell: Cell, gap: Gap, budget: Budget
) -> tuple[_Curved, dict[int, Ratio | None]] | None:
    order = needed(program, cell.decisions, gap.steps)
    curved = [at for at in order if program.steps[at].kind in CURVED and program.moves[at]]
    steps = [program.steps[at] for at in curved]
    if not curved or any(at in cell.decisions and cell.decisions[at] is None for at in curved):
        return None
    if all(step.kind == "root" for step in steps):
        return _roots_of_a_line(program, cell, curved, budget)
    if len(curved) > 1:
        return None
    return _one_step(program, cell, curved[0], budget)


def _one_step(
    program: Program, cell: Cell, at: int, budget: Budget
) -> tuple[_Curved, dict[int, Ratio | None]] | None:
    step = program.steps[at]
    base = program.steps[step.args[0]]
    if step.kind == "raise" and base.kind != "number":
        return None
    line = _line(program, cell, step.args[-1], budget)
    if line is None:
        return None
    x = next(i for i, each in enumerate(program.steps) if each.kind == "x")
    seeds: dict[int, Ratio | None] = {at: r.unknown(), x: None}
    return _curved(step, base.value, line), seeds


def _curved(step: Step, base: Fraction, line: _Line) -> _Curved:
    two, zero = Fraction(2), Fraction(0)
    if step.kind == "log2":
        return _Curved(line, exact.log2, lambda t: exact.power(two, t), None)
    if step.kind == "exp":
        return _Curved(line, exact.exp, exact.log, zero)
    scale = exact.log2(base)
    return _Curved(
        line,
        lambda u: exact.power(base, u),
        lambda t: exact.divide(exact.log2(t), scale),
        zero,
    )


def _roots_of_a_line(
    program: Program, cell: Cell, curved: list[int], budget: Budget
) -> tuple[_Curved, dict[int, Ratio | None]] | None:
    """Put `t` for a root of one line, of which the others and the unknown are powers."""
    steps = [program.steps[at] for at in curved]
    if len({step.args[0] for step in steps}) > 1:
        return None
    line = _line(program, cell, steps[0].args[0], budget)
    if line is None:
        return None
    degree = lcm(*(step.value.denominator for step in steps))
    x = next(i for i, each in enumerate(program.steps) if each.kind == "x")
    power = r.raised(r.unknown(), degree)
    shifted = r.minus(power, r.constant(line.start)) if power is not None else None
    if shifted is None:
        return None
    seeds: dict[int, Ratio | None] = {x: r.times(shifted, r.constant(1 / line.slope))}
    for at, step in zip(curved, steps, strict=True):
        seeds[at] = r.raised(r.unknown(), int(step.value * degree))
    part = Fraction(1, degree)
    curve = _Curved(
        line,
        lambda u: exact.power(u, part),
        lambda t: exact.power(t, Fraction(degree)),
        Fraction(0),
    )
    return curve, seeds


def _line(program: Program, cell: Cell, at: int, budget: Budget) -> _Line | None:
    form = forms(program, cell.decisions, [at], budget)[at]
    if form is None or form.below.degree() > 0 or form.above.degree() != 1:
        return None
    below = r.fraction(form.below[0])
    return _Line(r.fraction(form.above[1]) / below, r.fraction(form.above[0]) / below)


# ---- from a root of the polynomial back to the unknown


def _place(
    program: Program, cell: Cell, gap: Gap, budget: Budget, curve: _Curved, root: Isolated
) -> Place:
    ends = [_back(curve, end) for end in (root.low, root.high)]
    low = min(Fraction(end) for pair in ends for end in pair)
    high = max(Fraction(end) for pair in ends for end in pair)
    guess = simplest(low - (high - low), high + (high - low))
    if _is_zero(program, cell, gap, budget, guess):
        return places.at(guess)
    if root.low == root.high:
        slack = max(abs(low), abs(high), Fraction(1, 1 << 64)) / (1 << 200)
        low, high = low - slack, high + slack
    return Place(low, high, Curve(_crossing(curve, root.polynomial)))


def _back(curve: _Curved, end: Fraction) -> tuple[exact.Bound, exact.Bound]:
    """Return between which numbers the unknown lies where the curved step is *end*."""
    try:
        return exact.ends(curve.line.back(curve.back(end)))
    except ArithmeticError as fault:
        raise CannotTell(str(fault)) from fault


def _tight(root: Isolated) -> Isolated:
    size = max(abs(root.low), abs(root.high), Fraction(1, 1 << 64))
    return r.narrowed(root, size / (1 << BITS))


def _is_zero(program: Program, cell: Cell, gap: Gap, budget: Budget, x: Fraction) -> bool:
    try:
        return gap_sign(gap, Point(program, x, budget, cell.decisions)) == 0
    except CannotTell:
        return False


def _crossing(curve: _Curved, polynomial: fmpz_poly) -> Callable[[Fraction], int]:
    """Return the sign of the polynomial at what the curved step is at a point."""
    coefficients = [Fraction(int(c)) for c in polynomial.coeffs()]

    def sign(x: Fraction) -> int:
        try:
            t = curve.there(curve.line.at(x))
        except ArithmeticError as fault:
            raise CannotTell(str(fault)) from fault
        total: exact.Real = Fraction(0)
        for coefficient in reversed(coefficients):
            total = exact.add(exact.multiply(total, t), coefficient)
        found = sign_of(total)  # type: ignore[arg-type]
        if found is None:
            raise CannotTell("two points lie too near to each other")
        return found

    return sign
