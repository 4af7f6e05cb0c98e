"""Answers as pictures: SVG of which each byte is given by the answer, in light and in dark."""

from __future__ import annotations

from costlang.answer import Answer
from costlang.answer.sweep import Sweep
from costlang.emit.picture.bars import bars_of_parts, bars_of_rows, draw_bars
from costlang.emit.picture.curves import PLAIN, Style, draw_chart
from costlang.emit.picture.roofline import Roof, Roofline, Spot, Track, draw_roofline
from costlang.emit.picture.series import (
    Axis,
    Chart,
    Curve,
    Mark,
    NotDrawn,
    Panel,
    Point,
    chart_of,
    numeric_axis,
    with_marks,
)

__all__ = [
    "Axis",
    "Chart",
    "Curve",
    "Mark",
    "NotDrawn",
    "Panel",
    "Point",
    "Roof",
    "Roofline",
    "Spot",
    "Style",
    "Track",
    "draw_bars",
    "draw_chart",
    "draw_roofline",
    "draw_table",
    "picture",
]


def picture(
    answer: Answer,
    style: Style = PLAIN,
    marks: tuple[Answer, ...] = (),
    depth: int = 3,
) -> str:
    """
    Return *answer* as SVG: the table of a sweep as curves or bars, a breakdown as bars.

    *marks* are answers whose numbers are marked on the axis that measures the same. Raises
    `NotDrawn` for an answer of another kind, and for a mark that is no number of an axis.
    """
    if answer.note is not None:
        raise NotDrawn(answer.note.message)
    if answer.breakdown is not None:
        _ensure_no(marks)
        group = bars_of_parts(answer.breakdown, answer.unit, answer.expression, depth)
        return draw_bars((group,), style)
    if answer.sweep is None:
        raise NotDrawn("a picture is made of a `sweep` or of a `breakdown`")
    return draw_table(answer.sweep, style, marks)


def draw_table(sweep: Sweep, style: Style = PLAIN, marks: tuple[Answer, ...] = ()) -> str:
    """Return the table of a sweep as curves over its axis of numbers, or as bars."""
    if numeric_axis(sweep) is None:
        _ensure_no(marks)
        return draw_bars(bars_of_rows(sweep), style)
    return draw_chart(with_marks(chart_of(sweep), marks), style)


def _ensure_no(marks: tuple[Answer, ...]) -> None:
    if marks:
        raise NotDrawn("bars have no axis on which something could be marked")
