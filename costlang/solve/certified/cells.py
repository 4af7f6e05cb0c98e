"""A stretch of the unknown with what is decided all over it, and the formula that is left there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from costlang.model import exact
from costlang.solve.certified import boxes
from costlang.solve.certified.points import (
    Decisions,
    Point,
    Unsure,
    Void,
    Worth,
    defined,
    needed,
    sign_of,
)
from costlang.solve.ground import ratios as r
from costlang.solve.ground.budget import Budget, CannotTell
from costlang.solve.ground.places import Place, between
from costlang.solve.ground.program import CHOICES, CRITICAL, STEPPED, Program, Step
from costlang.solve.ground.ratios import Ratio


@dataclass(frozen=True, eq=False)
class Cell:
    """All numbers strictly between *left* and *right*; None is endless."""

    left: Place | None
    right: Place | None
    decisions: Decisions

    @property
    def sample(self) -> Fraction:
        """A rational number inside, of few digits."""
        return between(self.left, self.right)


@dataclass(frozen=True)
class Gap:
    """The difference `left - right - level` of steps; *right* may be none."""

    left: int
    right: int | None = None
    level: Fraction = Fraction(0)

    @property
    def steps(self) -> list[int]:
        """The steps on which it hangs."""
        return [self.left] if self.right is None else [self.left, self.right]


# ---- what is decided


def decided(
    program: Program, cell: Cell, targets: Iterable[int], unsettled: Iterable[int], budget: Budget
) -> Cell:
    """Return *cell* with what a point inside tells of all that is settled there."""
    hidden = frozenset(unsettled)
    order = needed(program, cell.decisions, targets)
    fresh = [at for at in order if program.moves[at] and _decides(program.steps[at])]
    open_ = [at for at in fresh if at not in hidden and at not in cell.decisions]
    if not open_:
        return cell
    point = Point(program, cell.sample, budget, cell.decisions)
    near = boxes.at_point(program, cell.sample, cell.decisions, order, budget)
    found = dict(cell.decisions)
    for at in open_:
        # Numbers of the machine are quicker where there are curves; they decide all but ties.
        quick = boxes.decision(program.steps[at], near) if program.curved else None
        found[at] = quick if quick is not None else decision(program, point, at)
    return Cell(cell.left, cell.right, found)


def _decides(step: Step) -> bool:
    return step.kind in CHOICES or step.kind in STEPPED or step.kind in CRITICAL


def decision(program: Program, point: Point, at: int) -> int | None:
    """Return what a step decides at a point; None where it has no value."""
    step = program.steps[at]
    values = [point.worth(arg) for arg in step.args]
    if step.kind == "if":
        return _branch(step, values[0])
    if any(isinstance(value, Void) for value in values):
        return None
    if any(isinstance(value, Unsure) for value in values):
        raise CannotTell("a choice at a point is not certain")
    if step.kind in ("max", "min"):
        return _winner(step, values)
    if step.kind in STEPPED:
        value = point.worth(at)
        if not isinstance(value, Fraction):
            raise CannotTell("the rounding of a number is not certain")
        return int(value)
    return _sign(step, values[CRITICAL.get(step.kind, 0)])


def _branch(step: Step, truth: object) -> int | None:
    if isinstance(truth, bool):
        return step.args[1] if truth else step.args[2]
    if isinstance(truth, Void):
        return None
    raise CannotTell("a condition at a point is not certain")


def _winner(step: Step, values: list[Worth]) -> int:
    real = [exact.ends(value) for value in values if isinstance(value, (Fraction, exact.Interval))]
    if step.kind == "min":
        real = [(-high, -low) for low, high in real]
    best = max(range(len(real)), key=lambda at: (real[at], -at))
    if any(high > real[best][0] for at, (_, high) in enumerate(real) if at != best):
        raise CannotTell("two sides lie too near to each other")
    return step.args[best]


def _sign(step: Step, value: Worth) -> int | None:
    if step.kind == "abs" and isinstance(value, exact.Interval) and value.low >= 0:
        return 1
    sign = sign_of(value)
    if sign is None:
        raise CannotTell("a sign at a point is not certain")
    if step.kind == "abs":
        return sign or 1
    return sign if defined(step, sign) else None


# ---- what is left


Forms = Mapping[int, Ratio | None]


def forms(
    program: Program,
    decisions: Decisions,
    targets: Iterable[int],
    budget: Budget,
    seeds: Mapping[int, Ratio | None] | None = None,
) -> Forms:
    """
    Return steps as rational functions of the unknown; None for those that are none.

    *seeds* puts others in the place of some steps, so that `x` may be what is no unknown.
    """
    found: dict[int, Ratio | None] = dict(seeds or {})
    for at in needed(program, decisions, targets):
        if at not in found:
            found[at] = _form(program.steps[at], at, decisions, found)
            form = found[at]
            budget.spend(1 + (form.degree // 4 if form is not None else 0))
    return found


def _form(
    step: Step, at: int, decisions: Decisions, found: Mapping[int, Ratio | None]
) -> Ratio | None:
    if at in decisions and (decisions[at] is None or step.kind not in CRITICAL):
        return _decided_form(step, decisions[at], found)
    match step.kind:
        case "number":
            return r.constant(step.value)
        case "x":
            return r.unknown()
        case "add":
            return _folded(r.plus, step, found)
        case "mul":
            return _folded(r.times, step, found)
        case "div":
            return _folded(r.over, step, found)
        case "neg":
            inner = found[step.args[0]]
            return r.negative(inner) if inner is not None else None
        case "power":
            inner = found[step.args[0]]
            return r.raised(inner, int(step.value)) if inner is not None else None
        case _:
            return None


def _decided_form(
    step: Step, decision: int | None, found: Mapping[int, Ratio | None]
) -> Ratio | None:
    if decision is None:
        return None
    if step.kind in STEPPED:
        return r.constant(Fraction(decision))
    if step.kind in ("max", "min", "if"):
        return found[decision]
    inner = found[step.args[0]]
    return inner if inner is None or decision > 0 else r.negative(inner)


def _folded(
    combine: Callable[[Ratio, Ratio], Ratio | None], step: Step, found: Mapping[int, Ratio | None]
) -> Ratio | None:
    total = found[step.args[0]]
    for arg in step.args[1:]:
        other = found[arg]
        if total is None or other is None:
            return None
        total = combine(total, other)
    return total


def gap_form(gap: Gap, known: Forms) -> Ratio | None:
    """Return a gap as a rational function, from those of its steps."""
    total = known[gap.left]
    if gap.right is not None:
        right = known[gap.right]
        total = r.minus(total, right) if total is not None and right is not None else None
    if gap.level and total is not None:
        total = r.minus(total, r.constant(gap.level))
    return total


def gap_sign(gap: Gap, point: Point) -> int | None:
    """Return the sign of a gap at a point; None where it has no value, or raise `CannotTell`."""
    value = point.worth(gap.left)
    other = point.worth(gap.right) if gap.right is not None else Fraction(0)
    if isinstance(value, Void) or isinstance(other, Void):
        return None
    if isinstance(value, (Unsure, bool)) or isinstance(other, (Unsure, bool)):
        raise CannotTell("a number at a point is not certain")
    sign = sign_of(exact.subtract(exact.subtract(value, other), gap.level))  # type: ignore[arg-type]
    if sign is None:
        raise CannotTell("the sign at a point is not certain")
    return sign
