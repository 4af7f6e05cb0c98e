"""A formula at each whole number of a stretch: only what may be the best is worked out exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from costlang.formula import graph as g
from costlang.model.exact import Real
from costlang.solve.certified.boxes import FALSE, TRUE, Box, at_points
from costlang.solve.certified.points import Point, Unsure, Void, Worth
from costlang.solve.ground.budget import Budget, CannotTell
from costlang.solve.ground.prepare import without_sums
from costlang.solve.ground.program import Program, Values, Writer


@dataclass(frozen=True, eq=False)
class Near:
    """
    A whole number, and the conditions that it fails.

    Between *low* and *high* lies what the formula is worth there, turned so that more is better.
    """

    at: int
    low: float
    high: float
    failing: tuple[int, ...]


def wholes(
    build: g.Builder,
    node: g.Node,
    conditions: Sequence[g.Node],
    unknown: g.Sym,
    values: Values,
    side: int,
    budget: Budget | None = None,
) -> Wholes:
    """
    Return *node* as it is at whole numbers; *side* 1 looks for the largest, -1 for the smallest.

    Raises `CannotTell` where the formula holds something with which this does not deal.
    """
    writer = Writer(unknown, values)
    targets = [
        writer.wanted(writer.write(without_sums(build, each, values)))
        for each in (node, *conditions)
    ]
    return Wholes(writer.program(), targets, side, budget or Budget())


@dataclass(frozen=True, eq=False)
class Wholes:
    """A formula with its conditions; all of it raises `CannotTell` where it is not certain."""

    program: Program
    targets: list[int]
    side: int
    budget: Budget

    def near(self, numbers: Sequence[int]) -> Iterator[Near]:
        """Yield each number at which the formula has a value, with its conditions decided."""
        places = [Fraction(number) for number in numbers]
        boxes = at_points(self.program, places, self.targets, self.budget)
        for number, box in zip(numbers, boxes, strict=True):
            point = Point(self.program, Fraction(number), self.budget)
            value, *truths = self.targets
            if value in box.partial and isinstance(_sure(point.worth(value)), Void):
                continue
            held = [_holds(truth, box, point) for truth in truths]
            low, high = box.bounds[value]
            ends = (low, high) if self.side > 0 else (-high, -low)
            yield Near(number, *ends, tuple(at for at, holds in enumerate(held) if not holds))

    def value(self, number: int) -> Real | None:
        """Return what the formula is worth at *number*, None where it has no value."""
        point = Point(self.program, Fraction(number), self.budget)
        value = _sure(point.worth(self.targets[0]))
        return None if isinstance(value, (Void, bool)) else value


def in_question(points: Sequence[Near]) -> list[Near]:
    """
    Return those of *points* that may be told.

    These are the best and what is as good, and what is next better and fails some condition; where
    everything fails, the best of all.
    """
    kept = [each for each in points if not each.failing]
    if not kept:
        least = max((each.low for each in points), default=-inf)
        return [each for each in points if each.high >= least]
    least, most = max(each.low for each in kept), max(each.high for each in kept)
    next_ = min((each.high for each in points if each.low > most), default=inf)
    return [
        each for each in points if each.high >= least and (not each.failing or each.low <= next_)
    ]


def _holds(truth: int, box: Box, point: Point) -> bool:
    bounds = box.bounds[truth]
    if truth not in box.partial and bounds in (TRUE, FALSE):
        return bounds == TRUE
    return _sure(point.worth(truth)) is True


def _sure(worth: Worth) -> Real | bool | Void:
    if isinstance(worth, Unsure):
        raise CannotTell("the value at a point is not certain")
    return worth
