"""The parts of a number as bars, and rows without an axis of numbers as bars side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from costlang.answer.parts import Breakdown
from costlang.answer.sweep import Sweep
from costlang.emit.breakdown_text import breakdown_rows
from costlang.emit.picture import frame as f
from costlang.emit.picture.curves import PLAIN, Style
from costlang.emit.picture.ink import COLOURS
from costlang.emit.picture.letters import Box, Words, shortened, width_of
from costlang.emit.picture.series import Axis, NotDrawn, ends_of, row_name
from costlang.emit.picture.sheet import Sheet
from costlang.emit.table import column_unit
from costlang.emit.values import value_text
from costlang.units import NONE, Unit, choose_unit, digits_of

ROW = 22.0
STEP_IN = 14.0
MOST_BARS = 60
DEPTH = 3


@dataclass(frozen=True)
class Bar:
    """One bar: what it is, how long, how that is written, and how deep it stands in a tree."""

    label: str
    low: Fraction
    high: Fraction
    text: str
    level: int = 0
    note: str = ""
    share: str = ""
    fails: tuple[str, ...] = ()


@dataclass(frozen=True)
class Group:
    """Bars that share one measure, and its title."""

    title: str
    bars: tuple[Bar, ...]
    measure: str = ""


def bars_of_parts(item: Breakdown, unit: Unit | None, title: str, depth: int = DEPTH) -> Group:
    """Return a bar for each part of a number, with its value and its share."""
    chosen = unit or choose_unit(item.whole.value, item.dimension)
    named = "" if chosen.text == "1" else f" {chosen.text}"
    bars = tuple(
        Bar(
            label,
            min(piece.value, Fraction(0)),
            max(piece.value, Fraction(0)),
            f"{digits_of(piece.value / chosen.scale)}{named}",
            level,
            piece.note or "",
            f"{digits_of(piece.share * 100, 3)} %",
        )
        for level, label, piece in breakdown_rows(item, depth)
    )
    return Group(title, bars)


def bars_of_rows(sweep: Sweep) -> tuple[Group, ...]:
    """Return a group for each column of numbers, with a bar for each row."""
    groups = []
    for at, column in enumerate(sweep.columns):
        if column.is_axis or column.dimension is None:
            continue
        axis = Axis(column.title, column.dimension or NONE, column_unit(sweep, at))
        bars = []
        for line in sweep.lines:
            ends = ends_of(line.cells[at])
            fails = tuple(item.name for item in line.infeasible)
            low, high = ends if ends is not None else (Fraction(0), Fraction(0))
            text = value_text(line.cells[at], column.dimension, axis.unit) if ends else "no value"
            low = min(low, Fraction(0)) if low == high else low
            bars.append(
                Bar(row_name(sweep, line), low, max(high, Fraction(0)), text, 0, fails=fails)
            )
        groups.append(Group(axis.title, tuple(bars), axis.words))
    if not groups:
        raise NotDrawn("no column of this table holds numbers")
    return tuple(groups)


def draw_bars(groups: Sequence[Group], style: Style = PLAIN) -> str:
    """Return bars as SVG; raises `NotDrawn` where there are more than a page has room for."""
    count = sum(len(group.bars) for group in groups)
    if count > MOST_BARS:
        raise NotDrawn(f"{count} bars are more than one picture holds, which is {MOST_BARS}")
    sheet = Sheet(f.WIDTH, 0)
    title = style.title or ", ".join(group.title for group in groups)
    top = f.draw_heading(sheet, title, style.under)
    for group in groups:
        if group.measure:
            sheet.write(Words(f.EDGE, top + 14, shortened(group.measure, f.WIDTH - 2 * f.EDGE)))
            top += 22
        top = _draw_group(sheet, group, top) + 6
    fails = dict.fromkeys(name for group in groups for bar in group.bars for name in bar.fails)
    notes = [f"hollow: infeasible ({', '.join(fails)})"] if fails else []
    notes += [f"{b.label}: {b.note}" for group in groups for b in group.bars if b.note]
    sheet.height = f.draw_notes(sheet, list(dict.fromkeys(notes)), top + 16) if notes else top + 8
    return sheet.svg(title, described(groups, style.under))


def _draw_group(sheet: Sheet, group: Group, top: float) -> float:
    names = max(width_of(b.label, f.SMALL) + b.level * STEP_IN for b in group.bars)
    left = f.EDGE + min(names, 230.0) + 10
    shares = f.WIDTH - f.EDGE
    texts = shares - max(width_of(b.share, f.SMALL) for b in group.bars)
    texts -= 12 if texts < shares else 0
    right = texts - max(width_of(b.text, f.SMALL) for b in group.bars) - 10
    low = min(bar.low for bar in group.bars)
    high = max(bar.high for bar in group.bars)
    span = (high - min(low, Fraction(0))) or Fraction(1)
    base = min(low, Fraction(0))

    def at(value: Fraction) -> float:
        return left + (right - left) * float((value - base) / span)

    for n, bar in enumerate(group.bars):
        y = top + n * ROW
        room = left - 10 - f.EDGE - bar.level * STEP_IN
        name = shortened(bar.label, room, f.SMALL)
        sheet.write(Words(f.EDGE + bar.level * STEP_IN, y + 15, name, "start", "small", f.SMALL))
        colour = bar.level % COLOURS
        kind = f"hollow s{colour}" if bar.fails else f"f{colour}"
        box = Box(at(bar.low), y + 4, max(at(bar.high), at(bar.low) + 1), y + 18)
        sheet.bar(box, kind, f"{bar.label}: {bar.text}")
        sheet.write(Words(texts, y + 15, bar.text, "end", "small", f.SMALL))
        if bar.share:
            sheet.write(Words(shares, y + 15, bar.share, "end", "small faint", f.SMALL))
    zero = at(Fraction(0))
    bottom = top + len(group.bars) * ROW
    sheet.line([(zero, top), (zero, bottom)], "axis")
    return bottom


def described(groups: Sequence[Group], under: str = "") -> str:
    """Return the bars in words."""
    parts = [under] if under else []
    for group in groups:
        texts = []
        for bar in group.bars:
            fails = f" (infeasible: {', '.join(bar.fails)})" if bar.fails else ""
            share = f", {bar.share}" if bar.share else ""
            texts.append(f"{bar.label}: {bar.text}{share}{fails}")
        parts.append(f"{group.title}: {'; '.join(texts)}")
    return ". ".join(parts) + "."
