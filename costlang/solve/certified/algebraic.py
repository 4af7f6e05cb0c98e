"""The exact sign of a rational formula at an irrational root of a polynomial."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import cast

from flint import arb, arb_poly, ctx, fmpq_poly, fmpz_poly

from costlang.solve.certified.points import NONE_DECIDED, Void, needed
from costlang.solve.ground import ratios as r
from costlang.solve.ground.budget import Budget, CannotTell
from costlang.solve.ground.places import Place, narrowed
from costlang.solve.ground.program import Program, Step
from costlang.solve.ground.ratios import Ratio, rational, sign_of

VOID = Void()
BITS = (64, 256, 1024, 4096)
Worth = Ratio | bool | Void


def sign_at(program: Program, target: int, place: Place, budget: Budget) -> int | None:
    """Return the sign of *target* at *place*, None where it has no value; or raise `CannotTell`."""
    work = _AtRoot(program, place)
    order = needed(program, NONE_DECIDED, [target])
    budget.spend(8 * len(order))
    for at in order:
        work.worth[at] = work.made(program.steps[at])
    value = work.worth[target]
    return work.sign(value) if isinstance(value, Ratio) else None


class _AtRoot:
    """Steps as rational functions of which only the value at one root counts."""

    def __init__(self, program: Program, place: Place) -> None:
        assert place.curve is not None and place.curve.polynomial is not None
        self.program, self.place = program, place
        self.minimal: fmpz_poly = place.curve.polynomial
        self.worth: dict[int, Worth] = {}

    def sign(self, form: Ratio) -> int:
        """Return the sign of a rational function at the root."""
        return self.polynomial_sign(form.above) * self.polynomial_sign(form.below)

    def polynomial_sign(self, polynomial: fmpq_poly) -> int:
        """Return the sign of a polynomial at the root."""
        if polynomial.is_zero() or self._vanishes(polynomial):
            return 0
        for bits in BITS:
            with ctx.workprec(bits + 32):
                value = arb_poly(polynomial)(self._ball(bits))
                if value > 0 or value < 0:
                    return 1 if value > 0 else -1
        raise CannotTell("the sign at a root is not certain")

    def _ball(self, bits: int) -> arb:
        near = narrowed(self.place, bits)
        middle, radius = (near.low + near.high) / 2, (near.high - near.low) / 2
        ball = arb(rational(middle))
        return arb(ball.mid(), ball.rad() + arb(rational(radius)).upper())

    def _vanishes(self, polynomial: fmpq_poly) -> bool:
        common = polynomial.numer().gcd(self.minimal)
        if common.degree() < 1:
            return False
        low, high = (sign_of(common(rational(end))) for end in (self.place.low, self.place.high))
        return low * high < 0

    # ---- steps

    def made(self, step: Step) -> Worth:
        """Return a step from what it is made of."""
        below = [self.worth[arg] for arg in step.args]
        if step.kind in ("if", "all", "any"):
            return self._lazy(step, below)
        if any(isinstance(value, Void) for value in below) or step.kind == "void":
            return VOID
        if step.kind == "truth":
            return bool(step.value)
        if step.kind == "not":
            return not below[0]
        return self._number(step, cast(list[Ratio], below))

    def _lazy(self, step: Step, below: list[Worth]) -> Worth:
        if step.kind == "if":
            condition, yes, no = below
            return condition if isinstance(condition, Void) else (yes if condition else no)
        decisive = step.kind == "any"
        for value in below:
            if isinstance(value, Void) or value is decisive:
                return value
        return not decisive

    def _number(self, step: Step, below: list[Ratio]) -> Worth:
        match step.kind:
            case "number":
                return r.constant(step.value)
            case "x":
                return r.unknown()
            case "neg":
                return r.negative(below[0])
            case "add" | "mul":
                return self._folded(step.kind, below)
            case "div":
                return self._quotient(below[0], below[1])
            case "power":
                return _known(r.raised(below[0], int(step.value)))
            case "max" | "min":
                return self._choice(below, 1 if step.kind == "max" else -1)
            case "abs":
                return below[0] if self.sign(below[0]) >= 0 else r.negative(below[0])
            case "ceil" | "floor":
                return self._rounded(step.kind, below[0])
            case "cmp":
                return self._compared(step.word, below[0], below[1])
            case _:
                raise CannotTell("the value at an irrational point is not certain")

    def _folded(self, kind: str, below: list[Ratio]) -> Ratio:
        total = below[0]
        for each in below[1:]:
            total = _known(r.plus(total, each) if kind == "add" else r.times(total, each))
        return total

    def _quotient(self, above: Ratio, below: Ratio) -> Worth:
        return VOID if self.sign(below) == 0 else _known(r.over(above, below))

    def _choice(self, sides: list[Ratio], direction: int) -> Ratio:
        best = sides[0]
        for side in sides[1:]:
            if self.sign(_known(r.minus(side, best))) * direction > 0:
                best = side
        return best

    def _compared(self, word: str, left: Ratio, right: Ratio) -> bool:
        sign = self.sign(_known(r.minus(left, right)))
        return {
            "<": sign < 0,
            "<=": sign <= 0,
            "==": sign == 0,
            "!=": sign != 0,
            ">=": sign >= 0,
            ">": sign > 0,
        }[word]

    def _rounded(self, kind: str, form: Ratio) -> Ratio:
        near = narrowed(self.place, BITS[1])
        low, high = form.value(near.low), form.value(near.high)
        if low is None or high is None or abs(high - low) >= 1:
            raise CannotTell("the rounding at an irrational point is not certain")
        whole = math.floor(min(low, high)) - 1
        while self._level(form, whole + 1) >= 0:
            whole += 1
        up = kind == "ceil" and self._level(form, whole) != 0
        return r.constant(Fraction(whole + up))

    def _level(self, form: Ratio, whole: int) -> int:
        return self.sign(_known(r.minus(form, r.constant(Fraction(whole)))))


def _known(form: Ratio | None) -> Ratio:
    if form is None:
        raise CannotTell("a formula is of too high a degree")
    return form
