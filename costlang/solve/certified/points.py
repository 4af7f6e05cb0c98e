"""What the steps of a formula are worth at one rational point, exactly or certified."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from costlang.model import exact
from costlang.solve.ground.budget import Budget, CannotTell
from costlang.solve.ground.program import CRITICAL, STEPPED, Program, Step


@dataclass(frozen=True)
class Void:
    """No value: the formula divides by zero there, say."""


@dataclass(frozen=True)
class Unsure:
    """A value that cannot be told with the bits at hand."""


VOID, UNSURE = Void(), Unsure()
Worth = Fraction | exact.Interval | bool | Void | Unsure
Decisions = Mapping[int, int | None]
"""Which side a choice takes all over a cell, by its step; None where it has no value there.

For `max`, `min` and `if` the step of the side; for `abs` and what is critical the sign of the
argument; for `ceil` and `floor` the whole number.
"""
NONE_DECIDED: Decisions = {}
FINDING = 3
"""What it takes to find the steps that a value needs, beside one for each of them."""
Meeting = tuple[int, int | None, Fraction]
"""Two steps that are equal at a point, or one that is equal to a number there."""


def needed(program: Program, decisions: Decisions, targets: Iterable[int]) -> list[int]:
    """Return the steps on which *targets* hang, in order, without the sides that are not taken."""
    wanted = set(targets)
    order: list[int] = []
    for at in range(max(wanted, default=-1), -1, -1):
        if at in wanted:
            order.append(at)
            wanted.update(taken(program.steps[at], at, decisions))
    order.reverse()
    return order


def taken(step: Step, at: int, decisions: Decisions) -> tuple[int, ...]:
    """Return the steps from which one is made, after what was decided."""
    if at not in decisions:
        return step.args
    decision = decisions[at]
    if decision is None or step.kind in STEPPED:
        return ()
    return (decision,) if step.kind in ("max", "min", "if") else step.args


class Point:
    """The values of the steps at *x*, each worked out once, when it is asked for."""

    def __init__(
        self,
        program: Program,
        x: Fraction | exact.Interval,
        budget: Budget,
        decisions: Decisions = NONE_DECIDED,
        meets: frozenset[Meeting] = frozenset(),
    ) -> None:
        self.program, self.x, self.decisions, self.budget = program, x, decisions, budget
        self.meets = meets
        self._worth: dict[int, Worth] = {}

    def worth(self, target: int) -> Worth:
        """Return the value of the step *target*."""
        if target not in self._worth:
            order = needed(self.program, self.decisions, [target])
            fresh = [at for at in order if at not in self._worth]
            self.budget.spend(FINDING + len(order) + len(fresh))
            for at in fresh:
                self._worth[at] = self._made(at)
        return self._worth[target]

    def sign(self, target: int) -> int | None:
        """Return the sign of a step, None where it has no value; or raise `CannotTell`."""
        value = self.worth(target)
        if isinstance(value, Void):
            return None
        sign = sign_of(value)
        if sign is None:
            raise CannotTell("the sign at a point is not certain")
        return sign

    def _made(self, at: int) -> Worth:
        step = self.program.steps[at]
        if at in self.decisions:
            return self._decided(step, self.decisions[at])
        if step.kind == "x":
            return self.x
        below = [self._worth[arg] for arg in step.args]
        if step.kind in ("if", "all", "any"):
            return _LAZY[step.kind](below)
        for value in below:
            if isinstance(value, Void):
                return VOID
        if self.meets:
            met = self._met(step)
            if met is not None:
                return met
        if any(isinstance(value, Unsure) for value in below):
            return UNSURE
        return worked_out(step, below)

    def _met(self, step: Step) -> Worth | None:
        """Return what is known of a step because something under it is zero just here."""
        zero = Fraction(0)
        if step.kind == "cmp":
            a, b = step.args
            same = {(a, b, zero), (b, a, zero)} & self.meets
            return step.word in ("<=", "==", ">=") if same else None
        if step.kind in STEPPED:
            (arg,) = step.args
            return next((m[2] for m in self.meets if m[:2] == (arg, None)), None)
        if step.kind != "abs" and step.kind not in CRITICAL:
            return None
        if (step.args[CRITICAL.get(step.kind, 0)], None, zero) not in self.meets:
            return None
        return zero if step.kind in ("abs", "root") else VOID

    def _decided(self, step: Step, decision: int | None) -> Worth:
        if decision is None:
            return VOID
        if step.kind in STEPPED:
            return Fraction(decision)
        if step.kind in ("max", "min", "if"):
            return self._worth[decision]
        below = [self._worth[arg] for arg in step.args]
        if any(isinstance(value, Void) for value in below):
            return VOID
        if any(isinstance(value, Unsure) for value in below):
            return UNSURE
        if step.kind == "abs":
            (value,) = below
            assert isinstance(value, (Fraction, exact.Interval))
            return value if decision > 0 else exact.negate(value)  # type: ignore[return-value]
        return worked_out(step, below)


def sign_of(value: Worth) -> int | None:
    """Return -1, 0 or 1, None when it is not certain."""
    if isinstance(value, (Unsure, Void, bool)):
        return None
    low, high = exact.ends(value)
    if low > 0:
        return 1
    if high < 0:
        return -1
    return 0 if low == high == 0 else None


def worked_out(step: Step, below: list[Worth]) -> Worth:
    """Return a step from what it is made of, all of which has a value."""
    critical = CRITICAL.get(step.kind)
    if critical is not None:
        sign = sign_of(below[critical])
        if sign is None:
            return UNSURE
        if not defined(step, sign):
            return VOID
    try:
        made: Worth = _RULES[step.kind](step, below)
    except ArithmeticError:
        return UNSURE
    return made


def defined(step: Step, sign: int) -> bool:
    """Whether a critical step has a value where its argument has that *sign*."""
    if step.kind == "div":
        return sign != 0
    return sign >= 0 if step.kind == "root" else sign > 0


def _folded(combine: Callable[..., exact.Real]) -> Callable[[Step, list[exact.Real]], exact.Real]:
    def rule(step: Step, below: list[exact.Real]) -> exact.Real:
        total = below[0]
        for value in below[1:]:
            total = combine(total, value)
        return total

    return rule


def _stepped(step: Step, below: list[exact.Real]) -> Worth:
    """Round a number; a certified one only where all that it may be rounds alike."""
    rounded = _ROUND[step.kind](below[0])
    return rounded if isinstance(rounded, Fraction) else UNSURE


_ROUND = {"ceil": exact.ceil, "floor": exact.floor}


def _compared(step: Step, below: list[exact.Real]) -> Worth:
    found = exact.compare(step.word, *below)
    return found if isinstance(found, bool) else UNSURE


_RULES: dict[str, Callable[..., Any]] = {
    "number": lambda s, b: s.value,
    "truth": lambda s, b: bool(s.value),
    "void": lambda s, b: VOID,
    "add": _folded(exact.add),
    "mul": _folded(exact.multiply),
    "neg": lambda s, b: exact.negate(b[0]),
    "div": lambda s, b: exact.divide(b[0], b[1]),
    "power": lambda s, b: exact.power(b[0], s.value),
    "root": lambda s, b: exact.power(b[0], s.value),
    "raise": lambda s, b: exact.power(b[0], b[1]),
    "max": lambda s, b: exact.largest(b),
    "min": lambda s, b: exact.smallest(b),
    "abs": lambda s, b: exact.absolute(b[0]),
    "log2": lambda s, b: exact.log2(b[0]),
    "exp": lambda s, b: exact.exp(b[0]),
    "ceil": _stepped,
    "floor": _stepped,
    "cmp": _compared,
    "not": lambda s, b: not b[0],
    "inf": lambda s, b: UNSURE,
}


def _chosen(below: list[Worth]) -> Worth:
    condition, yes, no = below
    if condition is True:
        return yes
    if condition is False:
        return no
    return condition


def _joined(decisive: bool) -> Callable[[list[Worth]], Worth]:
    """Join truths as they are read: from the left, until one decides."""

    def rule(below: list[Worth]) -> Worth:
        unsure = False
        for value in below:
            if value is decisive:
                return decisive if not unsure else UNSURE
            if isinstance(value, Void):
                return UNSURE if unsure else VOID
            unsure = unsure or isinstance(value, Unsure)
        return UNSURE if unsure else not decisive

    return rule


_LAZY: dict[str, Callable[[list[Worth]], Worth]] = {
    "if": _chosen,
    "all": _joined(False),
    "any": _joined(True),
}
