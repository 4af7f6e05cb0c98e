"""Curves over an axis, with what bends or is marked on it: a sweep as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from costlang.emit.picture import frame as f
from costlang.emit.picture.ink import COLOURS
from costlang.emit.picture.letters import Box, Words, shortened, width_of
from costlang.emit.picture.placing import Around, along, placed, traced
from costlang.emit.picture.scale import Scale, Tick, around, padded, rounded_ends, ticks
from costlang.emit.picture.series import Axis, Chart, Curve, Mark, Panel, Point
from costlang.emit.picture.sheet import Sheet

MOST_MARKS = 12
INSET = 10.0
WIDE_APART, FAR_APART = 50, 32
"""From how many times the smallest the greatest number asks for a logarithmic axis: y, x."""
MOST_SIGNS = 24
"""Points of a curve up to which each has a sign."""


@dataclass(frozen=True)
class Style:
    """What a reader chose: a title, and whether an axis is logarithmic; None where he did not."""

    title: str = ""
    under: str = ""
    x_log: bool | None = None
    y_log: bool | None = None


PLAIN = Style()


def draw_chart(chart: Chart, style: Style = PLAIN) -> str:
    """Return the picture of *chart* as SVG."""
    return _Drawing(chart, style).svg()


class _Drawing:
    def __init__(self, chart: Chart, style: Style) -> None:
        self.chart = chart
        self.style = style
        self.sheet = Sheet(f.WIDTH, 0)
        self.notes: list[str] = []
        self.title = style.title or f"{_titles(chart.panels)} over {chart.x.title}"

    def svg(self) -> str:
        """Draw all, from the top down, and return the document."""
        chart = self.chart
        scales = [self._upright(panel) for panel in chart.panels]
        y_ticks = [
            tuple(ticks(scale, panel.axis.unit, 7))
            for scale, panel in zip(scales, chart.panels, strict=True)
        ]
        left = f.EDGE + max(f.room_of_ticks(each) for each in y_ticks)
        right = f.WIDTH - f.EDGE - self._room_of_names()
        top = f.draw_heading(self.sheet, self.title, self.style.under)
        high = 270.0 if len(chart.panels) == 1 else 190.0
        across = self._level(left + INSET, right - INSET)
        bottom = top
        for at, (panel, scale) in enumerate(zip(chart.panels, scales, strict=True)):
            box = Box(left, top + 26, right, top + 26 + high)
            y = Scale(scale.low, scale.high, box.bottom, box.top, scale.log)
            place = f.Frame(box, across, y, self._x_ticks(across), y_ticks[at])
            self._panel(panel, place, at == 0, at == len(chart.panels) - 1)
            bottom = box.bottom
            top = box.bottom + 8
        end = f.draw_notes(self.sheet, self.notes, bottom + 58)
        self.sheet.height = end - 4
        return self.sheet.svg(self.title, described(chart, self.style.under))

    # ---- scales

    def _level(self, start: float, end: float) -> Scale:
        values = [p.x for panel in self.chart.panels for c in panel.curves for p in c.known]
        values += [mark.at for mark in self.chart.marks]
        log = self.style.x_log
        if log is None:
            log = min(values) > 0 and max(values) >= FAR_APART * min(values) and _uneven(values)
        low, high = padded(min(values), max(values), log=log and min(values) > 0)
        return Scale(low, high, start, end, log and low > 0)

    def _x_ticks(self, scale: Scale) -> tuple[Tick, ...]:
        curves = [curve for panel in self.chart.panels for curve in panel.curves]
        bends = {mark.at for mark in self.chart.marks}
        near = {x for at in bends for x in (at, Fraction(at // 1), Fraction(at // 1 + 1))}
        values = sorted({p.x for curve in curves for p in curve.known} - near)
        found = ticks(scale, self.chart.x.unit, 10, values)
        return tuple(f.apart(scale, found))

    def _upright(self, panel: Panel) -> Scale:
        ends = [x for c in panel.curves for p in c.known for x in (p.low, p.high)]
        ends += [mark.at for mark in panel.marks]
        low, high = min(ends), max(ends)
        log = self.style.y_log
        if log is None:
            log = low > 0 and high >= WIDE_APART * low
        if log and low > 0:
            return Scale(*around([low, high]), 1.0, 0.0, log=True)
        return Scale(*rounded_ends(low, high, panel.axis.unit, 6), 1.0, 0.0)

    def _room_of_names(self) -> float:
        names = [c.name for panel in self.chart.panels for c in panel.curves if c.name]
        return min(max((width_of(name, f.SMALL) for name in names), default=-14.0) + 14, 210.0)

    # ---- one panel

    def _panel(self, panel: Panel, place: f.Frame, first: bool, last: bool) -> None:
        sheet = self.sheet
        f.draw_frame(sheet, place, panel.axis.words, self.chart.x.words if last else None)
        marks = self.chart.marks[:MOST_MARKS]
        for mark in marks:
            at = place.x.at(mark.at)
            sheet.line([(at, place.box.top), (at, place.box.bottom)], "mark")
        for mark in panel.marks:
            at = place.y.at(mark.at)
            sheet.line([(place.box.left, at), (place.box.right, at)], "mark")
        crossed = [box for n, c in enumerate(panel.curves) for box in self._curve(c, n, place)]
        self._names(panel.curves, place)
        self._labels(panel, place, crossed, marks if first else ())
        if first and len(self.chart.marks) > MOST_MARKS:
            self.notes.append(f"{len(self.chart.marks) - MOST_MARKS} further places are not marked")
        for name in dict.fromkeys(n for c in panel.curves for p in c.known for n in p.fails):
            note = f"hollow, and pale lines: infeasible ({name})"
            if note not in self.notes:
                self.notes.append(note)

    def _curve(self, curve: Curve, n: int, place: f.Frame) -> Iterator[Box]:
        style = f"s{n % COLOURS} d{n % COLOURS}"
        for run in _runs(curve.points):
            low = [(place.x.at(p.x), place.y.at(p.low)) for p in run]
            high = [(place.x.at(p.x), place.y.at(p.high)) for p in run]
            if low != high:
                self.sheet.area([*low, *reversed(high)], f"band f{n % COLOURS}")
                self.sheet.line(low, style)
            pale = " pale" if run[-1].fails else ""
            self.sheet.line(high, f"{style}{pale}")
            yield from traced(high)
            yield from traced(low)
        for p in self._signed(curve):
            kind = f"s{n % COLOURS} hollow" if p.fails else f"f{n % COLOURS}"
            spot = place.x.at(p.x), place.y.at(p.high)
            self.sheet.dot(*spot, n, kind, self._said(curve, p, place))

    def _signed(self, curve: Curve) -> list[Point]:
        """Return the points that get a sign: all, or where they are many those that stand out."""
        points = [p for p in curve.known if p.low == p.high]
        if len(points) <= MOST_SIGNS:
            return points
        near = {x for mark in self.chart.marks for x in (mark.at, Fraction(mark.at // 1))}
        ends = (points[0], points[-1])
        return [p for p in points if p in ends or p.x in near]

    def _said(self, curve: Curve, point: Point, place: f.Frame) -> str:
        panel = next(p for p in self.chart.panels if curve in p.curves)
        return said(self.chart.x, panel.axis, curve, point)

    def _names(self, curves: Sequence[Curve], place: f.Frame) -> None:
        """Write the names of curves where they end, moved apart where they end together."""
        ends = [(place.y.at(c.known[-1].high), n) for n, c in enumerate(curves) if c.known]
        rows = spread([y for y, _ in sorted(ends)], 16, place.box.top + 8, place.box.bottom)
        room = f.WIDTH - f.EDGE - place.box.right - 8
        for y, (_, n) in zip(rows, sorted(ends), strict=True):
            if curves[n].name:
                text = shortened(curves[n].name, room, f.SMALL)
                style = f"small f{n % COLOURS}"
                self.sheet.write(Words(place.box.right + 8, y + 4, text, "start", style, f.SMALL))

    def _labels(
        self, panel: Panel, place: f.Frame, crossed: list[Box], marks: Sequence[Mark]
    ) -> None:
        """Write what is marked beside its line, or below the picture where there is no room."""
        lines = [*crossed]
        for mark in marks:
            x = place.x.at(mark.at)
            lines += traced([(x, place.box.top), (x, place.box.bottom)])
        for mark in panel.marks:
            y = place.y.at(mark.at)
            texts = [
                Words(x, y - 5, mark.words, anchor, "small", f.SMALL)
                for x, anchor in ((place.box.left + 8, "start"), (place.box.right - 8, "end"))
            ]
            self._write(texts, mark.words, place.box, lines)
        for mark in marks:
            x = place.x.at(mark.at)
            room = max(place.box.right - x, x - place.box.left) - 14
            text = shortened(mark.words, room, f.SMALL)
            if text != mark.words:
                self.notes.append(mark.words)
            self._write(along(x, place.box, text), mark.words, place.box, lines)

    def _write(self, texts: list[Words], words: str, room: Box, lines: list[Box]) -> None:
        taken = tuple(other.box for other in self.sheet.words)
        found = placed(texts, Around(room, taken, tuple(lines)))
        if found is not None:
            self.sheet.write(found)
        elif words not in self.notes:
            self.notes.append(words)


def _uneven(values: list[Fraction]) -> bool:
    """Whether *values* are not at equal steps, as those of a list of an author may be."""
    inner = sorted(set(values))
    return len({b - a for a, b in pairwise(inner)}) > 1


def _runs(points: Sequence[Point | None]) -> Iterator[list[Point]]:
    """
    Yield stretches without a gap, each with what is feasible alone or with what is not.

    A piece between two points of which one fails belongs to what is not.
    """
    run: list[Point] = []
    for point in (*points, None):
        if run and (point is None or bool(point.fails) != bool(run[-1].fails)):
            if point is not None and run[-1].fails:
                run.append(point)  # feasible again: the piece up to here is not
                yield [*run[:-1], replace(point, fails=run[0].fails)]
                run = []
            else:
                yield run
                run = run[-1:] if point is not None else []
                run = [replace(run[0], fails=point.fails)] if run and point is not None else []
        if point is not None:
            run.append(point)


def spread(wanted: Sequence[float], step: float, top: float, bottom: float) -> list[float]:
    """Return heights in order, *step* apart at least, as near to the *wanted* ones as may be."""
    found: list[float] = []
    for y in wanted:
        found.append(max(y, found[-1] + step if found else top))
    limit = bottom
    for at in range(len(found) - 1, -1, -1):
        found[at] = min(found[at], limit)
        limit = found[at] - step
    return found


# ---- in words


def _titles(panels: Sequence[Panel]) -> str:
    return ", ".join(dict.fromkeys(panel.axis.title for panel in panels))


def said(x: Axis, y: Axis, curve: Curve, point: Point) -> str:
    """Return one point in words."""
    ends = (point.low,) if point.low == point.high else (point.low, point.high)
    values = " .. ".join(y.value(end) for end in ends)
    name = f"{curve.name}, " if curve.name else ""
    fails = f" (infeasible: {', '.join(point.fails)})" if point.fails else ""
    return f"{name}{x.title} = {x.value(point.x)}: {y.title} = {values}{fails}"


def described(chart: Chart, under: str = "") -> str:
    """Return the picture in words: every point, and every mark."""
    parts = [under] if under else []
    for panel in chart.panels:
        for curve in panel.curves:
            texts = [said(chart.x, panel.axis, curve, point) for point in curve.known]
            parts.append("; ".join(texts))
        parts += [f"{panel.axis.title}: {mark.words}" for mark in panel.marks]
    parts += chart.notes
    return ". ".join(parts) + "."


__all__ = ["Style", "described", "draw_chart", "said", "spread"]
