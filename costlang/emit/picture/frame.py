"""The frame of a plot: its axes with ticks and units, and the grid behind what is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from costlang.emit.picture.letters import Box, Words, shortened, width_of, wrapped
from costlang.emit.picture.scale import Scale, Tick
from costlang.emit.picture.sheet import Sheet

WIDTH = 720.0
EDGE = 16.0
SMALL = 12.0
APART = 10.0
"""Pixels between two texts of an axis."""


@dataclass(frozen=True)
class Frame:
    """Where a plot is, and its two scales with their ticks."""

    box: Box
    x: Scale
    y: Scale
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]


def draw_heading(sheet: Sheet, title: str, under: str = "") -> float:
    """Write the title and the line below it; return where the room below them begins."""
    y = EDGE + 10
    for line in wrapped(title, sheet.width - 2 * EDGE, 16 * 1.08)[:3]:
        sheet.write(Words(EDGE, y, line, "start", "head", 16.0))
        y += 20
    for line in wrapped(under, sheet.width - 2 * EDGE, SMALL)[:2] if under else []:
        sheet.write(Words(EDGE, y - 2, line, "start", "small faint", SMALL))
        y += 16
    return y


def draw_notes(sheet: Sheet, notes: Sequence[str], top: float) -> float:
    """Write lines below the picture; return where they end."""
    y = top
    for note in notes:
        for line in wrapped(note, sheet.width - 2 * EDGE, SMALL):
            sheet.write(Words(EDGE, y, line, "start", "small faint", SMALL))
            y += 16
    return y


def draw_frame(sheet: Sheet, frame: Frame, title: str, below: str | None) -> None:
    """
    Draw the grid, the axes and their words: *title* above the upright axis.

    *below* is the title of the other one; with None it has neither title nor numbers here.
    """
    box = frame.box
    for tick in frame.x_ticks:
        at = frame.x.at(tick.value)
        sheet.line([(at, box.top), (at, box.bottom)], "grid")
    for tick in frame.y_ticks:
        at = frame.y.at(tick.value)
        sheet.line([(box.left, at), (box.right, at)], "grid")
        sheet.write(Words(box.left - 7, at + 4, tick.text, "end", "small", SMALL))
    sheet.line([(box.left, box.top), (box.left, box.bottom), (box.right, box.bottom)], "axis")
    room = sheet.width - 2 * EDGE
    sheet.write(Words(EDGE, box.top - 12, shortened(title, room), "start"))
    if below is not None:
        for tick in apart(frame.x, frame.x_ticks):
            at = frame.x.at(tick.value)
            half = width_of(tick.text, SMALL) / 2
            at = min(at, sheet.width - half - 2)
            sheet.write(Words(at, box.bottom + 17, tick.text, "middle", "small", SMALL))
        middle = (box.left + box.right) / 2
        sheet.write(Words(middle, box.bottom + 37, shortened(below, room), "middle"))


def apart(scale: Scale, ticks: Sequence[Tick]) -> list[Tick]:
    """Return *ticks* of a level axis, every second or third of them where all have no room."""
    for step in range(1, len(ticks) + 1):
        kept = list(ticks[::step])
        spans = [(scale.at(t.value), width_of(t.text, SMALL) / 2) for t in kept]
        pairs = pairwise(spans)
        if all(b - a >= wide + other + APART for (a, wide), (b, other) in pairs):
            return kept
    return []


def room_of_ticks(ticks: Sequence[Tick]) -> float:
    """Return how much room the numbers of an upright axis need beside it."""
    return max((width_of(tick.text, SMALL) for tick in ticks), default=0.0) + 10
