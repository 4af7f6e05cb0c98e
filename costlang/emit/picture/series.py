"""What a picture is made of: curves over an axis, marks on it; and these of a sweep's answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from costlang.answer.answers import Answer, Bounds, Result
from costlang.answer.sweep import Bend, Column, Line, Sweep
from costlang.emit.table import bend_text, column_unit
from costlang.emit.values import value_text
from costlang.units import NONE, Dimension, Unit

MOST_CURVES = 8
"""Curves of one panel that an eye can tell apart."""


class NotDrawn(ValueError):
    """The answer makes no picture; the text says why."""


@dataclass(frozen=True)
class Axis:
    """What an axis measures, and in which unit it is written."""

    title: str
    dimension: Dimension = NONE
    unit: Unit | None = None

    @property
    def words(self) -> str:
        """The title with the unit."""
        named = self.unit is not None and self.unit.text not in ("", "1")
        return f"{self.title} [{self.unit.text}]" if named and self.unit is not None else self.title

    def value(self, number: Fraction, digits: int = 4) -> str:
        """Return a number of the axis as text."""
        return value_text(number, self.dimension, self.unit, digits)


@dataclass(frozen=True)
class Point:
    """A place on a curve: from *low* to *high* where it is a range; *fails* are requirements."""

    x: Fraction
    low: Fraction
    high: Fraction
    fails: tuple[str, ...] = ()


@dataclass(frozen=True)
class Curve:
    """Points in order; None where there is no value."""

    name: str
    points: tuple[Point | None, ...]

    @property
    def known(self) -> tuple[Point, ...]:
        """The points that have a value."""
        return tuple(point for point in self.points if point is not None)


@dataclass(frozen=True)
class Mark:
    """A number that is marked on an axis: a bend, a break-even, a limit."""

    at: Fraction
    words: str


@dataclass(frozen=True)
class Panel:
    """One quantity, its curves, and the marks on its own axis."""

    axis: Axis
    curves: tuple[Curve, ...]
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True)
class Chart:
    """Quantities over one axis, with the *marks* on that axis and what is said below."""

    x: Axis
    panels: tuple[Panel, ...]
    marks: tuple[Mark, ...] = ()
    notes: tuple[str, ...] = ()


def chart_of(sweep: Sweep) -> Chart:
    """
    Return the curves of a table over its first axis of numbers, other axes as further curves.

    Raises `NotDrawn` where no axis is one of numbers, or no column holds numbers.
    """
    at = numeric_axis(sweep)
    if at is None:
        raise NotDrawn("no axis of this table is one of numbers")
    panels = tuple(_panels(sweep, at))
    if not panels:
        raise NotDrawn("no column of this table holds numbers")
    bends = tuple(bend for bend in sweep.bends if bend.title == sweep.columns[at].title)
    notes = (*(bend_text(bend, sweep) for bend in bends), *sweep.sampling)
    return Chart(_axis(sweep, at), panels, _marks(bends, _axis(sweep, at)), notes)


def numeric_axis(sweep: Sweep) -> int | None:
    """Return which column is the first axis of numbers, None where there is none."""
    for at, column in enumerate(sweep.columns):
        numbers = all(isinstance(line.cells[at], Fraction) for line in sweep.lines)
        if column.is_axis and sweep.lines and numbers:
            return at
    return None


def _panels(sweep: Sweep, along: int) -> Iterator[Panel]:
    for at, column in enumerate(sweep.columns):
        if not column.is_axis and column.dimension is not None:
            curves = tuple(_curves(sweep, along, at))
            if any(curve.known for curve in curves):
                if len(curves) > MOST_CURVES:
                    words = f"{len(curves)} curves are more than an eye tells apart"
                    raise NotDrawn(f"{words}: ask for at most {MOST_CURVES}")
                yield Panel(_axis(sweep, at), curves)


def _curves(sweep: Sweep, along: int, at: int) -> Iterator[Curve]:
    groups: dict[str, list[Point | None]] = {}
    for line in sweep.lines:
        groups.setdefault(row_name(sweep, line, along), []).append(_point(line, along, at))
    for name, points in groups.items():
        yield Curve(name, tuple(points))


def row_name(sweep: Sweep, line: Line, along: int | None = None) -> str:
    """Return what tells a row from others, besides its place along an axis."""
    parts = [
        _axis_text(column, cell)
        for at, (column, cell) in enumerate(zip(sweep.columns, line.cells, strict=True))
        if column.is_axis and at != along
    ]
    return ", ".join(parts)


def _axis_text(column: Column, cell: Result) -> str:
    if isinstance(cell, str):
        return cell
    return f"{column.title} = {value_text(cell, column.dimension, column.unit)}"


def _point(line: Line, along: int, at: int) -> Point | None:
    x, ends = line.cells[along], ends_of(line.cells[at])
    if ends is None or not isinstance(x, Fraction):
        return None
    return Point(x, *ends, tuple(item.name for item in line.infeasible))


def ends_of(value: Result) -> tuple[Fraction, Fraction] | None:
    """Return from where to where a value is; None where it is no number, or has no end."""
    match value:
        case bool():
            return None
        case Fraction():
            return value, value
        case Bounds(low=Fraction() as low, high=Fraction() as high):
            return low, high
        case _:
            return None


def _axis(sweep: Sweep, at: int) -> Axis:
    column = sweep.columns[at]
    return Axis(column.title, column.dimension or NONE, column_unit(sweep, at))


def _marks(bends: tuple[Bend, ...], axis: Axis) -> tuple[Mark, ...]:
    """Return a mark for each place; what happens at one place is said together."""
    found: dict[Fraction, list[str]] = {}
    for bend in bends:
        others = f" ({', '.join(bend.others)})" if bend.others else ""
        found.setdefault(bend.at.middle, []).append(f"{bend.words}{others}")
    return tuple(
        Mark(at, f"{axis.title} = {axis.value(at)}: {'; '.join(dict.fromkeys(words))}")
        for at, words in sorted(found.items())
    )


def with_marks(chart: Chart, marks: tuple[Answer, ...]) -> Chart:
    """
    Return *chart* with the number of each answer marked: on its level axis, or on that of a panel.

    Raises `NotDrawn` for an answer that is no number, and for one of another dimension.
    """
    for answer in marks:
        for at in _numbers(answer):
            chart = _marked(chart, answer, at)
    return chart


def _numbers(answer: Answer) -> list[Fraction]:
    """Return the number that *answer* is, or those from and up to which something holds."""
    ends = ends_of(answer.value)
    if ends is not None:
        return [(ends[0] + ends[1]) / 2]
    found = []
    for stretch in answer.solved.spans if answer.solved is not None else ():
        for end in (stretch.low, stretch.high):
            ends = ends_of(Bounds(end.low, end.high, "certified")) if end is not None else None
            found += [(ends[0] + ends[1]) / 2] if ends is not None else []
    if not found:
        why = answer.note.message if answer.note is not None else "no number that could be marked"
        raise NotDrawn(f"`{answer.expression}`: {why}")
    return found


def _marked(chart: Chart, answer: Answer, at: Fraction) -> Chart:
    name = answer.name if answer.question != answer.expression else answer.expression
    unknown = answer.solved.unknown.rsplit(".", 1)[-1] if answer.solved is not None else None
    level = unknown == chart.x.title.rsplit(".", 1)[-1] if unknown is not None else None
    if level is not False and answer.dimension == chart.x.dimension:
        head = f"{chart.x.title} = {chart.x.value(at)}"
        same = next((m for m in chart.marks if m.words.startswith(f"{head}:")), None)
        mark = Mark(at, f"{head}: {name}" if same is None else f"{same.words}; {name}")
        kept = tuple(m for m in chart.marks if m is not same)
        return replace(chart, marks=tuple(sorted((*kept, mark), key=lambda m: m.at)))
    for panel in chart.panels:
        if panel.axis.dimension == answer.dimension:
            value = panel.axis.value(at)
            mark = Mark(at, value if name == value else f"{name} = {value}")
            new = replace(panel, marks=(*panel.marks, mark))
            return replace(chart, panels=tuple(new if p is panel else p for p in chart.panels))
    measured = answer.dimension if answer.dimension is not None else "nothing"
    raise NotDrawn(f"`{name}` measures {measured}, and no axis of the picture does")
