"""
A curved formula as a sum of curved pieces, each times a rational function of the unknown.

Where the rational parts of both sides cancel, as in `x + log2 x - x`, bounds of the sum as it was
written are wide and never close; here what cancels is gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq_poly

from costlang.solve.certified.boxes import Bounds, above_of, add, below_of, divide, multiply
from costlang.solve.certified.cells import Gap
from costlang.solve.certified.points import Decisions, needed
from costlang.solve.ground import ratios as r
from costlang.solve.ground.budget import Budget
from costlang.solve.ground.program import CRITICAL, STEPPED, Program, Step
from costlang.solve.ground.ratios import Ratio, fraction

PLAIN = -1
"""Stands for the piece that is 1."""
MOST_PIECES = 24
Mixture = Mapping[int, Ratio]
"""For each curved step what it is multiplied by."""
ONE = r.constant(Fraction(1))


def mixture(program: Program, decisions: Decisions, gap: Gap, budget: Budget) -> Mixture | None:
    """Return *gap* as a mixture; None when it gets too long."""
    order = needed(program, decisions, gap.steps)
    budget.spend(4 * len(order))
    found: dict[int, Mixture | None] = {}
    for at in order:
        found[at] = _step(program.steps[at], at, decisions, found)
    total = found[gap.left]
    if gap.right is not None:
        total = _sum(total, _scaled(found[gap.right], r.constant(Fraction(-1))))
    return _sum(total, {PLAIN: r.constant(-gap.level)})


def _step(
    step: Step, at: int, decisions: Decisions, found: Mapping[int, Mixture | None]
) -> Mixture | None:
    if at in decisions and step.kind not in CRITICAL:
        return _decided(step, at, decisions[at], found)
    match step.kind:
        case "number":
            return {PLAIN: r.constant(step.value)}
        case "x":
            return {PLAIN: r.unknown()}
        case "neg":
            return _scaled(found[step.args[0]], r.constant(Fraction(-1)))
        case "add":
            total = found[step.args[0]]
            for arg in step.args[1:]:
                total = _sum(total, found[arg])
            return total
        case "mul":
            total = found[step.args[0]]
            for arg in step.args[1:]:
                total = _product(total, found[arg])
            return total if total is not None else {at: ONE}
        case "div":
            below = _plain(found[step.args[1]])
            inverse = r.over(ONE, below) if below is not None else None
            return _scaled(found[step.args[0]], inverse) if inverse is not None else {at: ONE}
        case "power":
            inner = _plain(found[step.args[0]])
            raised = r.raised(inner, int(step.value)) if inner is not None else None
            return {PLAIN: raised} if raised is not None else {at: ONE}
        case _:
            return {at: ONE}


def _decided(
    step: Step, at: int, decision: int | None, found: Mapping[int, Mixture | None]
) -> Mixture | None:
    if decision is None:
        return {at: ONE}
    if step.kind in STEPPED:
        return {PLAIN: r.constant(Fraction(decision))}
    if step.kind == "abs":
        return _scaled(found[step.args[0]], r.constant(Fraction(decision)))
    return found[decision]


def _plain(a: Mixture | None) -> Ratio | None:
    """Return a mixture that is a rational function as one."""
    return a[PLAIN] if a is not None and set(a) == {PLAIN} else None


def _sum(a: Mixture | None, b: Mixture | None) -> Mixture | None:
    if a is None or b is None:
        return None
    total = dict(a)
    for piece, form in b.items():
        made = r.plus(total[piece], form) if piece in total else form
        if made is None:
            return None
        total[piece] = made
    kept = {piece: form for piece, form in total.items() if piece == PLAIN or not form.is_zero}
    return kept if len(kept) <= MOST_PIECES else None


def _scaled(a: Mixture | None, by: Ratio) -> Mixture | None:
    if a is None:
        return None
    made = {piece: r.times(form, by) for piece, form in a.items()}
    return None if None in made.values() else {p: form for p, form in made.items() if form}


def _product(a: Mixture | None, b: Mixture | None) -> Mixture | None:
    """Return a product of which one factor is a rational function, else None."""
    for one, other in ((a, b), (b, a)):
        plain = _plain(one)
        if plain is not None:
            return _scaled(other, plain)
    return None


# ---- bounds


@dataclass(frozen=True, eq=False)
class Weight:
    """A rational function with its derivative, ready to be bounded."""

    form: Ratio
    slope: Ratio


def weights(pieces: Mixture) -> dict[int, Weight]:
    """Return the factors of the pieces with their derivatives."""
    return {piece: Weight(form, derivative(form)) for piece, form in pieces.items()}


def derivative(form: Ratio) -> Ratio:
    """Return the derivative of a rational function."""
    above, below = form.above, form.below
    return Ratio(above.derivative() * below - above * below.derivative(), below * below)


def form_bounds(form: Ratio, x: Bounds) -> Bounds:
    """Return the bounds of a rational function for an unknown within *x*."""
    above = _polynomial(form.above, x)
    return above if form.below.is_one() else divide(above, _polynomial(form.below, x))


def _polynomial(polynomial: fmpq_poly, x: Bounds) -> Bounds:
    total: Bounds = (0.0, 0.0)
    for at in range(int(polynomial.degree()), -1, -1):
        value = fraction(polynomial[at])
        coefficient = (below_of(value), above_of(value))
        total = add(multiply(total, x), coefficient) if total != (0.0, 0.0) else coefficient
    return total


def bounds(
    pieces: Mapping[int, Weight],
    x: Bounds,
    values: Mapping[int, Bounds],
    slopes: Mapping[int, Bounds],
) -> tuple[Bounds, Bounds]:
    """Return the bounds of a mixture and of its slope, from those of its curved pieces."""
    value: Bounds = (0.0, 0.0)
    slope: Bounds = (0.0, 0.0)
    for piece, weight in pieces.items():
        factor, change = form_bounds(weight.form, x), form_bounds(weight.slope, x)
        if piece == PLAIN:
            value, slope = add(value, factor), add(slope, change)
            continue
        value = add(value, multiply(factor, values[piece]))
        inner = add(multiply(change, values[piece]), multiply(factor, slopes[piece]))
        slope = add(slope, inner)
    return value, slope
