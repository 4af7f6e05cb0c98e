"""What the steps of a formula can be over a whole stretch of the unknown: certain bounds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import inf, nextafter

from costlang.solve.certified import curves
from costlang.solve.certified.points import Decisions, needed
from costlang.solve.ground.budget import Budget
from costlang.solve.ground.places import Place
from costlang.solve.ground.program import CRITICAL, STEPPED, Program, Step

Bounds = tuple[float, float]
ALL: Bounds = (-inf, inf)
TRUE: Bounds = (1.0, 1.0)
FALSE: Bounds = (0.0, 0.0)
OPEN: Bounds = (0.0, 1.0)


@dataclass(frozen=True, eq=False)
class Box:
    """
    Bounds of the steps over a stretch.

    *partial* are steps that may have no value somewhere in it. *open* are those whose side is not
    decided there, though those of all their arguments are.
    """

    bounds: dict[int, Bounds]
    partial: frozenset[int]
    open: tuple[int, ...]
    unsettled: frozenset[int]

    def sign(self, target: int) -> int | None:
        """Return the sign that *target* has all over, None when there is no such."""
        if target in self.partial:
            return None
        low, high = self.bounds[target]
        if low > 0:
            return 1
        if high < 0:
            return -1
        return 0 if low == high == 0 else None


def below_of(value: Fraction) -> float:
    """Return a number of the machine that is not above *value*."""
    try:
        near = value.numerator / value.denominator
    except OverflowError:
        return -inf if value < 0 else math.ldexp(1, 1023)
    return near if Fraction(near) <= value else nextafter(near, -inf)


def above_of(value: Fraction) -> float:
    """Return a number of the machine that is not below *value*."""
    return -below_of(-value)


def reach(left: Place | None, right: Place | None) -> Bounds:
    """Return the ends of a stretch, outwards."""
    return (
        -inf if left is None else below_of(left.low),
        inf if right is None else above_of(right.high),
    )


def enclose(
    program: Program, ends: Bounds, decisions: Decisions, targets: list[int], budget: Budget
) -> Box:
    """Return certain bounds of all that *targets* need, for the unknown between *ends*."""
    order = needed(program, decisions, targets)
    budget.spend(len(order))
    work = _Enclosing(program, ends, decisions)
    for at in order:
        work.step(at)
    return work.box()


def at_point(
    program: Program, x: Fraction, decisions: Decisions, targets: list[int], budget: Budget
) -> Box:
    """Return certain bounds at one point, which are quicker than the exact values there."""
    return enclose(program, (below_of(x), above_of(x)), decisions, targets, budget)


def at_points(
    program: Program, places: Iterable[Fraction], targets: list[int], budget: Budget
) -> Iterator[Box]:
    """Yield certain bounds at one point after the other; what does not move is found once."""
    order = needed(program, {}, targets)
    still = [at for at in order if not program.moves[at]]
    moving = [at for at in order if program.moves[at]]
    budget.spend(len(order))
    fixed = _Enclosing(program, ALL, {})
    for at in still:
        fixed.step(at)
    for x in places:
        budget.spend(len(moving))
        work = _Enclosing(program, (below_of(x), above_of(x)), {}, fixed)
        for at in moving:
            work.step(at)
        yield work.box()


class _Enclosing:
    def __init__(
        self,
        program: Program,
        ends: Bounds,
        decisions: Decisions,
        before: _Enclosing | None = None,
    ) -> None:
        self.program, self.ends, self.decisions = program, ends, decisions
        self.bounds: dict[int, Bounds] = dict(before.bounds) if before else {}
        self.partial: set[int] = set(before.partial) if before else set()
        self.open: list[int] = list(before.open) if before else []
        self.unsettled: set[int] = set(before.unsettled) if before else set()

    def box(self) -> Box:
        """Return what was found."""
        return Box(
            self.bounds, frozenset(self.partial), tuple(self.open), frozenset(self.unsettled)
        )

    def step(self, at: int) -> None:
        step = self.program.steps[at]
        if at in self.decisions:
            self._decided(at, step, self.decisions[at])
            return
        args = step.args
        if step.kind == "if":
            self._conditional(at, step)
            return
        if step.kind == "x":
            self.bounds[at] = self.ends
            return
        self._inherit(at, args)
        if step.kind == "void":
            self.partial.add(at)
        critical = CRITICAL.get(step.kind)
        if critical is not None and self._zero_within(step, args[critical]):
            self.partial.add(at)
            self._settle(at)
        self.bounds[at] = bounds_of(step, [self.bounds[arg] for arg in args])
        if step.kind in _UNDECIDED and _UNDECIDED[step.kind]([self.bounds[a] for a in args]):
            self._settle(at)

    def _inherit(self, at: int, args: tuple[int, ...]) -> None:
        if any(arg in self.partial for arg in args):
            self.partial.add(at)
        if any(arg in self.unsettled for arg in args):
            self.unsettled.add(at)

    def _settle(self, at: int) -> None:
        """Note that a step is undecided, and is the first of its line to be so."""
        if at not in self.unsettled:
            self.open.append(at)
            self.unsettled.add(at)

    def _zero_within(self, step: Step, critical: int) -> bool:
        low, high = self.bounds[critical]
        if step.kind == "div":
            return low <= 0 <= high
        return low < 0 if step.kind == "root" else low <= 0

    def _conditional(self, at: int, step: Step) -> None:
        condition, yes, no = step.args
        truth = self.bounds[condition]
        sides = {TRUE: (yes,), FALSE: (no,)}.get(truth, (yes, no))
        self._inherit(at, (condition, *sides))
        self.bounds[at] = hull([self.bounds[side] for side in sides])
        if len(sides) > 1 and condition not in self.unsettled:
            self.unsettled.discard(at)
            self._settle(at)

    def _decided(self, at: int, step: Step, decision: int | None) -> None:
        if decision is None:
            self.partial.add(at)
            self.bounds[at] = ALL
            return
        if step.kind in STEPPED:
            exact = Fraction(decision)
            self.bounds[at] = (below_of(exact), above_of(exact))
            return
        if step.kind in ("max", "min", "if"):
            self._inherit(at, (decision,))
            self.bounds[at] = self.bounds[decision]
            return
        self._inherit(at, step.args)
        below = [self.bounds[arg] for arg in step.args]
        critical = CRITICAL.get(step.kind, 0)
        below[critical] = _clipped(below[critical], decision)
        self.bounds[at] = bounds_of(step, below)


def _clipped(bounds: Bounds, sign: int) -> Bounds:
    low, high = bounds
    if sign > 0:
        return max(low, 0.0), max(high, 0.0)
    return (min(low, 0.0), min(high, 0.0)) if sign < 0 else (0.0, 0.0)


def hull(all_: list[Bounds]) -> Bounds:
    """Return the least bounds around all."""
    return min(low for low, _ in all_), max(high for _, high in all_)


# ---- the rules, each rounded outwards


def down(value: float) -> float:
    """Return the next number below; what is no number is no bound."""
    return nextafter(value, -inf) if value == value else -inf


def up(value: float) -> float:
    """Return the next number above."""
    return nextafter(value, inf) if value == value else inf


def add(a: Bounds, b: Bounds) -> Bounds:
    """Return the bounds of a sum."""
    return down(a[0] + b[0]), up(a[1] + b[1])


def negative(a: Bounds) -> Bounds:
    """Return the bounds of `-a`."""
    return -a[1], -a[0]


NOTHING: Bounds = (0.0, 0.0)


def multiply(a: Bounds, b: Bounds) -> Bounds:
    """Return the bounds of a product; nothing times a number is just nothing."""
    if NOTHING in (a, b):
        return NOTHING
    if a[0] >= 0 and b[0] >= 0:
        return max(0.0, down(_times(a[0], b[0]))), up(_times(a[1], b[1]))
    ends = [_times(x, y) for x in a for y in b]
    return down(min(ends)), up(max(ends))


def _times(x: float, y: float) -> float:
    return 0.0 if x == 0 or y == 0 else x * y


def divide(a: Bounds, b: Bounds) -> Bounds:
    """Return the bounds of a quotient."""
    low, high = b
    if low < 0 < high or low == high == 0:
        return ALL
    inverse = (
        down(1 / high) if high not in (0.0, inf) else (0.0 if high == inf else -inf),
        up(1 / low) if low not in (0.0, -inf) else (0.0 if low == -inf else inf),
    )
    if low >= 0:
        inverse = (max(0.0, inverse[0]), inverse[1])
    return multiply(a, inverse)


def power(a: Bounds, n: int) -> Bounds:
    """Return the bounds of a whole power of at least 2."""
    low, high = a
    if n % 2 == 0 and low < 0 and high <= 0:
        return power((-high, -low), n)
    if n % 2 == 0 and low < 0:
        return 0.0, curves.whole_power((0.0, max(-low, high)), n)[1]
    found = curves.whole_power(a, n)
    return (max(found[0], 0.0), found[1]) if low >= 0 else found


def _choice(pick: Callable[..., float]) -> Callable[[Step, list[Bounds]], Bounds]:
    def rule(step: Step, below: list[Bounds]) -> Bounds:
        return pick(low for low, _ in below), pick(high for _, high in below)

    return rule


def _folded(combine: Callable[[Bounds, Bounds], Bounds]) -> Callable[[Step, list[Bounds]], Bounds]:
    def rule(step: Step, below: list[Bounds]) -> Bounds:
        total = below[0]
        for each in below[1:]:
            total = combine(total, each)
        return total

    return rule


def _absolute(step: Step, below: list[Bounds]) -> Bounds:
    ((low, high),) = below
    if low >= 0:
        return low, high
    return (-high, -low) if high <= 0 else (0.0, max(-low, high))


def _rounded(rounding: Callable[[float], int]) -> Callable[[Step, list[Bounds]], Bounds]:
    def rule(step: Step, below: list[Bounds]) -> Bounds:
        low, high = below[0]
        return (
            low if math.isinf(low) else below_of(Fraction(rounding(low))),
            high if math.isinf(high) else above_of(Fraction(rounding(high))),
        )

    return rule


def _number(step: Step, below: list[Bounds]) -> Bounds:
    return below_of(step.value), above_of(step.value)


def _compared(step: Step, below: list[Bounds]) -> Bounds:
    (a_low, a_high), (b_low, b_high) = below
    less = TRUE if a_high < b_low else FALSE if a_low >= b_high else OPEN
    more = TRUE if a_low > b_high else FALSE if a_high <= b_low else OPEN
    apart = a_high < b_low or a_low > b_high
    same = a_low == a_high == b_low == b_high and not math.isinf(a_low)
    equal = FALSE if apart else TRUE if same else OPEN
    rules = {"<": less, ">": more, "==": equal}
    negated = {">=": "<", "<=": ">", "!=": "=="}
    return rules[step.word] if step.word in rules else _no(rules[negated[step.word]])


def _no(truth: Bounds) -> Bounds:
    return 1.0 - truth[1], 1.0 - truth[0]


_RULES: dict[str, Callable[[Step, list[Bounds]], Bounds]] = {
    "number": _number,
    "inf": lambda s, b: (float(s.value) * inf, float(s.value) * inf),
    "truth": lambda s, b: TRUE if s.value else FALSE,
    "void": lambda s, b: ALL,
    "add": _folded(add),
    "mul": _folded(multiply),
    "neg": lambda s, b: negative(b[0]),
    "div": lambda s, b: divide(b[0], b[1]),
    "power": lambda s, b: power(b[0], int(s.value)),
    "root": lambda s, b: curves.root(b[0], s.value),
    "raise": lambda s, b: curves.raised(b[0], b[1]),
    "log2": lambda s, b: curves.log2(b[0]),
    "exp": lambda s, b: curves.exp(b[0]),
    "max": _choice(max),
    "min": _choice(min),
    "abs": _absolute,
    "ceil": _rounded(math.ceil),
    "floor": _rounded(math.floor),
    "cmp": _compared,
    "not": lambda s, b: _no(b[0]),
    "all": _choice(min),
    "any": _choice(max),
}


def bounds_of(step: Step, below: list[Bounds]) -> Bounds:
    """Return the bounds of a step from those of its arguments."""
    return _RULES[step.kind](step, below)


def decision(step: Step, box: Box) -> int | None:
    """Return what a step decides all over a box, as in `Decisions`; None when that is open."""
    if any(arg in box.partial for arg in step.args):
        return None
    below = [box.bounds[arg] for arg in step.args]
    if step.kind == "if":
        return {TRUE: step.args[1], FALSE: step.args[2]}.get(below[0])
    if step.kind in ("max", "min"):
        sides = below if step.kind == "max" else [negative(each) for each in below]
        return None if _rivals(sides) else step.args[sides.index(max(sides))]
    low, high = below[CRITICAL.get(step.kind, 0)]
    if step.kind in STEPPED:
        rounded = bounds_of(step, below)
        return int(rounded[0]) if rounded[0] == rounded[1] and not math.isinf(low) else None
    if low > 0:
        return 1
    return -1 if high < 0 and step.kind in ("abs", "div") else None


def _rivals(below: list[Bounds]) -> bool:
    """Whether no side is certainly the greatest."""
    best = below.index(max(below))
    bar = below[best][0]
    return any(high > bar for at, (_, high) in enumerate(below) if at != best)


def _steps(rounding: Callable[[float], int]) -> Callable[[list[Bounds]], bool]:
    def rule(below: list[Bounds]) -> bool:
        low, high = below[0]
        return math.isinf(low) or math.isinf(high) or rounding(low) != rounding(high)

    return rule


_UNDECIDED: dict[str, Callable[[list[Bounds]], bool]] = {
    "max": _rivals,
    "min": lambda below: _rivals([negative(each) for each in below]),
    "abs": lambda below: below[0][0] < 0 < below[0][1],
    "ceil": _steps(math.ceil),
    "floor": _steps(math.floor),
}
