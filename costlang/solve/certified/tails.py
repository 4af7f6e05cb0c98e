"""The sign of a formula all the way to an end: towards infinity, or towards a number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from costlang.solve.certified import germs
from costlang.solve.certified.germs import FREE, Germ, NoGerm, Order
from costlang.solve.certified.points import NONE_DECIDED, needed
from costlang.solve.ground.budget import Budget
from costlang.solve.ground.program import Program, Step
from costlang.solve.ground.ratios import Ratio, rational
from costlang.solve.ground.ratios import unknown as z_itself

SCALES = (64, 1024)
"""A logarithm that grows is at least this in the end."""


@dataclass(frozen=True)
class Tail:
    """The *sign* of a formula from *start* on to the end, *start* included."""

    sign: int
    start: Fraction


def to_infinity(program: Program, target: int, side: int, budget: Budget) -> Tail | None:
    """Return the sign for all numbers that are large, or largely negative where *side* is -1."""
    x = z_itself() if side > 0 else Ratio(-z_itself().above, z_itself().below)
    found = _tail(program, target, x, budget)
    return Tail(found.sign, side * found.start) if found is not None else None


def to_number(
    program: Program, target: int, end: Fraction, side: int, budget: Budget
) -> Tail | None:
    """Return the sign close to *end*, above it where *side* is 1, without *end* itself."""
    z = z_itself()
    x = Ratio(z.above * rational(end) + side, z.above)
    found = _tail(program, target, x, budget)
    return Tail(found.sign, end + side / found.start) if found is not None else None


def _tail(program: Program, target: int, x: Ratio, budget: Budget) -> Tail | None:
    for scale in SCALES:
        try:
            sign, start = _Ending(program, x, scale, budget).sign(target)
        except NoGerm:
            continue
        return Tail(sign, start)
    return None


class _Ending:
    """Works the steps out as germs: bounds that hold once `z` is large enough."""

    def __init__(self, program: Program, x: Ratio, scale: int, budget: Budget) -> None:
        self.program, self.x, self.budget = program, x, budget
        self.order = Order(scale)
        self.germs: dict[int, Germ] = {}
        self.truths: dict[int, bool | None] = {}

    def sign(self, target: int) -> tuple[int, Fraction]:
        for at in needed(self.program, NONE_DECIDED, [target]):
            self.budget.spend(4)
            self._step(at, self.program.steps[at])
        sign = self.order.sign(self.germs[target])
        if sign is None:
            raise NoGerm
        return sign, self.order.start

    def _step(self, at: int, step: Step) -> None:
        if step.kind in _TRUTHS:
            self.truths[at] = _TRUTHS[step.kind](self, step)
        elif step.kind == "if":
            self.germs[at] = self._conditional(step)
        elif step.kind == "x":
            self.germs[at] = Germ(self.x, self.x)
        elif step.kind == "number":
            self.germs[at] = germs.number(step.value)
        elif step.kind in _RULES:
            below = [self.germs[arg] for arg in step.args]
            self.germs[at] = _RULES[step.kind](self.order, step, below)
        else:
            raise NoGerm

    def _conditional(self, step: Step) -> Germ:
        condition, yes, no = step.args
        truth = self.truths[condition]
        if truth is None:
            return self.order.hull(self.germs[yes], self.germs[no])
        return self.germs[yes if truth else no]

    def compared(self, step: Step) -> bool | None:
        left, right = (self.germs[arg] for arg in step.args)
        sign = self.order.sign(self.order.add(left, germs.negative(right)))
        if sign is None:
            return None
        return {
            "<": sign < 0,
            "<=": sign <= 0,
            "==": sign == 0,
            "!=": sign != 0,
            ">=": sign >= 0,
            ">": sign > 0,
        }[step.word]

    def joined(self, step: Step) -> bool | None:
        parts = [self.truths[arg] for arg in step.args]
        decisive = step.kind == "any"
        if decisive in parts:
            return decisive
        return None if None in parts else not decisive

    def negated(self, step: Step) -> bool | None:
        truth = self.truths[step.args[0]]
        return None if truth is None else not truth


_TRUTHS: dict[str, Callable[[_Ending, Step], bool | None]] = {
    "truth": lambda at, step: bool(step.value),
    "cmp": _Ending.compared,
    "all": _Ending.joined,
    "any": _Ending.joined,
    "not": _Ending.negated,
}


def _folded(name: str) -> Callable[[Order, Step, list[Germ]], Germ]:
    def rule(order: Order, step: Step, below: list[Germ]) -> Germ:
        total = below[0]
        for each in below[1:]:
            total = getattr(order, name)(total, each)
        return total

    return rule


def _raised(order: Order, step: Step, below: list[Germ]) -> Germ:
    """`a ^ b` is `2 ^ (b log2 a)`, for a base that is a number above zero."""
    base, exponent = below
    if base.low is None or base.low is not base.high or base.low.degree > 0:
        raise NoGerm
    scale = order.log2(base)
    return order.two_to(order.multiply(exponent, scale))


_RULES: dict[str, Callable[[Order, Step, list[Germ]], Germ]] = {
    "add": _folded("add"),
    "mul": _folded("multiply"),
    "max": _folded("greatest"),
    "min": lambda o, s, b: germs.negative(
        _folded("greatest")(o, s, [germs.negative(each) for each in b])
    ),
    "neg": lambda o, s, b: germs.negative(b[0]),
    "div": lambda o, s, b: o.multiply(b[0], o.inverse(b[1])),
    "power": lambda o, s, b: o.power(b[0], int(s.value)),
    "abs": lambda o, s, b: o.greatest(b[0], germs.negative(b[0])),
    "ceil": lambda o, s, b: o.ceil(b[0]),
    "floor": lambda o, s, b: germs.negative(o.ceil(germs.negative(b[0]))),
    "log2": lambda o, s, b: o.log2(b[0]),
    "exp": lambda o, s, b: o.two_to(o.multiply(b[0], germs.LOG2_E)),
    "root": lambda o, s, b: o.root(b[0], s.value),
    "raise": _raised,
    "inf": lambda o, s, b: FREE,
}
