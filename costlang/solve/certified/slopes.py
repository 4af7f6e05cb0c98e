"""
How fast the steps of a formula can rise or fall over a stretch: certain bounds of quotients.

What is bounded is `(f(b) - f(a)) / (b - a)` for any two points of the stretch, so that jumps and
corners count as well: where the lower bound is above zero, the formula rises all the way.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf

from costlang.solve.certified import curves
from costlang.solve.certified.boxes import (
    ALL,
    TRUE,
    Bounds,
    Box,
    _clipped,
    add,
    divide,
    hull,
    multiply,
    negative,
    power,
)
from costlang.solve.certified.points import Decisions, needed
from costlang.solve.ground.program import CRITICAL, STEPPED, TRUTHS, Program, Step

FLAT: Bounds = (0.0, 0.0)
LN2: Bounds = (0.6931471805599452, 0.6931471805599454)


def slope(program: Program, box: Box, decisions: Decisions, target: int) -> Bounds:
    """Return the bounds of the slope of *target*, which has a value all over the box."""
    work = _Slopes(program, box, decisions)
    for at in needed(program, decisions, [target]):
        work.slopes[at] = work.of(at)
    return work.slopes[target]


class _Slopes:
    def __init__(self, program: Program, box: Box, decisions: Decisions) -> None:
        self.program, self.box, self.decisions = program, box, decisions
        self.slopes: dict[int, Bounds] = {}

    def of(self, at: int) -> Bounds:
        step = self.program.steps[at]
        if step.kind == "x":
            return (1.0, 1.0)
        if not self.program.moves[at]:
            return FLAT
        if step.kind in TRUTHS:
            return ALL
        if at in self.decisions:
            return self._decided(at, step, self.decisions[at])
        if step.kind in ("max", "min", "if"):
            return self._choice(step)
        if step.kind in STEPPED:
            return self._stepped(at, step)
        return self._smooth(step, [self.box.bounds[arg] for arg in step.args])

    def _decided(self, at: int, step: Step, decision: int | None) -> Bounds:
        if decision is None:
            return ALL
        if step.kind in STEPPED:
            return FLAT
        if step.kind in ("max", "min", "if"):
            return self.slopes[decision]
        if step.kind == "abs":
            inner = self.slopes[step.args[0]]
            return inner if decision > 0 else negative(inner)
        below = [self.box.bounds[arg] for arg in step.args]
        below[CRITICAL[step.kind]] = _clipped(below[CRITICAL[step.kind]], decision)
        return self._smooth(step, below)

    def _choice(self, step: Step) -> Bounds:
        if step.kind == "if":
            condition, yes, no = step.args
            truth = self.box.bounds[condition]
            if truth[0] != truth[1]:
                return ALL
            return self.slopes[yes if truth == TRUE else no]
        sides = {arg: self.box.bounds[arg] for arg in step.args}
        if step.kind == "min":
            sides = {arg: negative(bounds) for arg, bounds in sides.items()}
        bar = max(low for low, _ in sides.values())
        return hull([self.slopes[arg] for arg, (_, high) in sides.items() if high >= bar])

    def _stepped(self, at: int, step: Step) -> Bounds:
        low, high = self.box.bounds[at]
        inner = self.slopes[step.args[0]]
        if high - low < 1:
            return FLAT
        return (-inf if inner[0] < 0 else 0.0, inf if inner[1] > 0 else 0.0)

    def _smooth(self, step: Step, values: list[Bounds]) -> Bounds:
        inner = [self.slopes[arg] for arg in step.args]
        return _RULES[step.kind](step, values, inner)


Rule = Callable[[Step, list[Bounds], list[Bounds]], Bounds]


def _sum(step: Step, values: list[Bounds], inner: list[Bounds]) -> Bounds:
    total = inner[0]
    for each in inner[1:]:
        total = add(total, each)
    return total


def _product(step: Step, values: list[Bounds], inner: list[Bounds]) -> Bounds:
    value, total = values[0], inner[0]
    for other, slope_of_other in zip(values[1:], inner[1:], strict=True):
        total = add(_times(total, other), _times(value, slope_of_other))
        value = multiply(value, other)
    return total


def _times(slope_: Bounds, value: Bounds) -> Bounds:
    return FLAT if FLAT in (slope_, value) else multiply(slope_, value)


def _quotient(step: Step, values: list[Bounds], inner: list[Bounds]) -> Bounds:
    above, below = values
    first = FLAT if inner[0] == FLAT else divide(inner[0], below)
    if inner[1] == FLAT:
        return first
    square = power(below, 2)
    return add(first, negative(divide(multiply(above, inner[1]), square)))


def _power(step: Step, values: list[Bounds], inner: list[Bounds]) -> Bounds:
    n = int(step.value)
    raised = power(values[0], n - 1) if n > 2 else values[0]
    return multiply(inner[0], multiply((float(n), float(n)), raised))


def _root(step: Step, values: list[Bounds], inner: list[Bounds]) -> Bounds:
    exponent = step.value - 1
    (base,) = values
    if exponent > 0:
        factor = curves.root(base, exponent) if exponent.denominator > 1 else _whole(base, exponent)
    else:
        factor = divide((1.0, 1.0), curves.root(base, -exponent))
    return multiply(inner[0], multiply(_of(step.value), factor))


def _whole(base: Bounds, exponent: Fraction) -> Bounds:
    return base if exponent == 1 else power(base, int(exponent))


def _of(value: Fraction) -> Bounds:
    return down_up(value.numerator / value.denominator)


def down_up(value: float) -> Bounds:
    """Return bounds around a rounded number."""
    return add((value, value), FLAT)


def _log2(step: Step, values: list[Bounds], inner: list[Bounds]) -> Bounds:
    return divide(inner[0], multiply(values[0], LN2))


def _exp(step: Step, values: list[Bounds], inner: list[Bounds]) -> Bounds:
    return multiply(inner[0], curves.exp(values[0]))


def _raise(step: Step, values: list[Bounds], inner: list[Bounds]) -> Bounds:
    base, exponent = values
    by_exponent = _times(inner[1], multiply(curves.log2(base), LN2))
    by_base = FLAT if inner[0] == FLAT else divide(multiply(exponent, inner[0]), base)
    return multiply(curves.raised(base, exponent), add(by_exponent, by_base))


def _absolute(step: Step, values: list[Bounds], inner: list[Bounds]) -> Bounds:
    low, high = values[0]
    if low >= 0:
        return inner[0]
    return negative(inner[0]) if high <= 0 else hull([inner[0], negative(inner[0])])


_RULES: dict[str, Rule] = {
    "add": _sum,
    "neg": lambda step, values, inner: negative(inner[0]),
    "mul": _product,
    "div": _quotient,
    "power": _power,
    "root": _root,
    "raise": _raise,
    "log2": _log2,
    "exp": _exp,
    "abs": _absolute,
}
