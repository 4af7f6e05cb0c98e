"""Points under a roof: how much work there is for each byte, and how fast it is done."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from costlang.emit.picture import frame as f
from costlang.emit.picture.curves import INSET, PLAIN, Style
from costlang.emit.picture.ink import COLOURS
from costlang.emit.picture.letters import Box, Words
from costlang.emit.picture.placing import Around, along, beside, placed, traced
from costlang.emit.picture.scale import Scale, around, magnitude, ticks
from costlang.emit.picture.series import Axis, NotDrawn
from costlang.emit.picture.sheet import Sheet
from costlang.units import present

HIGH = 320.0
MOST_SPOTS = 40
Place = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Spot:
    """A point: what it is called, where it is, and the requirements that fail there."""

    label: str
    x: Fraction
    y: Fraction
    fails: tuple[str, ...] = ()


@dataclass(frozen=True)
class Track:
    """The points of one phase, in order."""

    name: str
    spots: tuple[Spot, ...]


@dataclass(frozen=True)
class Roof:
    """The most that is possible at each place: its *corners* from left to right, and its bends."""

    name: str
    corners: tuple[Place, ...]
    bends: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Roofline:
    """Tracks of points under roofs; both axes are logarithmic."""

    x: Axis
    y: Axis
    roofs: tuple[Roof, ...]
    tracks: tuple[Track, ...]
    notes: tuple[str, ...] = ()


def draw_roofline(item: Roofline, style: Style = PLAIN) -> str:
    """Return the roofline as SVG; raises `NotDrawn` where a number is not above zero."""
    spots = [spot for track in item.tracks for spot in track.spots]
    if not spots:
        raise NotDrawn("there is no point to draw")
    if len(spots) > MOST_SPOTS:
        raise NotDrawn(f"{len(spots)} points are more than one picture holds: {MOST_SPOTS}")
    if any(min(spot.x, spot.y) <= 0 for spot in spots):
        raise NotDrawn("a point has a value that is not above zero, and the axes are logarithmic")
    return _Drawing(item, style).svg()


class _Drawing:
    def __init__(self, item: Roofline, style: Style) -> None:
        self.item = item
        self.style = style
        self.sheet = Sheet(f.WIDTH, 0)
        self.title = style.title or "Roofline"
        self.spots = [spot for track in item.tracks for spot in track.spots]
        self.lines: list[Box] = []
        self.beside: list[str] = []

    def svg(self) -> str:
        """Draw all, and return the document."""
        sheet = self.sheet
        top = f.draw_heading(sheet, self.title, self.style.under) + 26
        place = self._frame(top)
        f.draw_frame(sheet, place, self.item.y.words, self.item.x.words)
        for roof in self.item.roofs:
            self._roof(roof, place)
        for n, track in enumerate(self.item.tracks):
            self._track(track, n, place)
        self._labels(place)
        notes = [*self.item.notes, *self.beside, *map(self._said, self.spots)]
        if any(spot.fails for spot in self.spots):
            notes.append("hollow: infeasible")
        sheet.height = f.draw_notes(sheet, notes, place.box.bottom + 58) - 4
        return sheet.svg(self.title, self._described())

    def _frame(self, top: float) -> f.Frame:
        roofs = self.item.roofs
        xs = [spot.x for spot in self.spots] + [x for roof in roofs for x, _ in roof.corners]
        ys = [spot.y for spot in self.spots] + [y for roof in roofs for _, y in roof.corners]
        upright = Scale(*around(ys), 1.0, 0.0, log=True)
        y_ticks = tuple(ticks(upright, self.item.y.unit, 8))
        left = f.EDGE + f.room_of_ticks(y_ticks)
        box = Box(left, top, f.WIDTH - f.EDGE, top + HIGH)
        low, high = (min(xs), max(xs)) if roofs else around(xs)
        x = Scale(low, high, box.left + INSET, box.right - INSET, log=True)
        y = Scale(upright.low, upright.high, box.bottom - INSET, box.top + INSET, log=True)
        return f.Frame(box, x, y, tuple(ticks(x, self.item.x.unit, 9)), y_ticks)

    def _roof(self, roof: Roof, place: f.Frame) -> None:
        line = [(place.x.at(x), place.y.at(y)) for x, y in roof.corners]
        self.sheet.line(line, "roof")
        self.lines += traced(line)
        for x, y in roof.bends:
            drop = [(place.x.at(x), place.y.at(y)), (place.x.at(x), place.box.bottom)]
            self.sheet.line(drop, "mark")
            self.lines += traced(drop)

    def _track(self, track: Track, n: int, place: f.Frame) -> None:
        line = [(place.x.at(spot.x), place.y.at(spot.y)) for spot in track.spots]
        if len(line) > 1:
            self.sheet.line(line, f"thin s{n % COLOURS}")
            self.lines += traced(line)
        for spot, (x, y) in zip(track.spots, line, strict=True):
            style = f"s{n % COLOURS} hollow" if spot.fails else f"f{n % COLOURS}"
            self.sheet.dot(x, y, n, style, self._said(spot))

    # ---- words

    def _labels(self, place: f.Frame) -> None:
        signs = [
            Box(x - 6, y - 6, x + 6, y + 6)
            for spot in self.spots
            for x, y in [(place.x.at(spot.x), place.y.at(spot.y))]
        ]
        for n, track in enumerate(self.item.tracks):
            for spot in track.spots:
                x, y = place.x.at(spot.x), place.y.at(spot.y)
                found = beside(x, y, spot.label, f"small f{n % COLOURS}")
                self._write(found, place.box, signs, None)
        for roof in self.item.roofs:
            self._roof_words(roof, place, signs)

    def _roof_words(self, roof: Roof, place: f.Frame, signs: list[Box]) -> None:
        called = f"{roof.name}: " if roof.name and len(self.item.roofs) > 1 else ""
        for x, y in roof.bends:
            words = f"{called}ridge at {self.item.x.value(x)}"
            low = place.y.at(y) + 20
            room = Box(place.box.left, low, place.box.right, place.box.bottom)
            self._write(along(place.x.at(x), room, words)[::-1], place.box, signs, words)
        for (x0, y0), (x1, y1) in pairwise(roof.corners):
            start, end = place.x.at(x0), place.x.at(x1)
            if y0 == y1:
                texts = self._over(start, end, place.y.at(y0), f"{called}{self.item.y.value(y0)}")
                self._write_once(texts, place.box, signs)
            elif y0 * x1 == y1 * x0:
                rate = present(y0 / x0, self.item.y.dimension / self.item.x.dimension)
                texts = self._on_slope(start, end, place, (x0, y0), f"{called}{rate}")
                self._write_once(texts, place.box, signs)

    def _over(self, start: float, end: float, y: float, text: str) -> list[Words]:
        parts = (0.5, 0.6, 0.4, 0.75, 0.25)
        return [
            Words(start + (end - start) * part, y + dy, text, "middle", "small roofed", f.SMALL)
            for dy in (-7, 17)
            for part in parts
        ]

    def _on_slope(
        self, start: float, end: float, place: f.Frame, first: Place, text: str
    ) -> list[Words]:
        x0, y0 = place.x.at(first[0]), place.y.at(first[1])
        rise = (place.y.end - place.y.start) / (magnitude(place.y.high) - magnitude(place.y.low))
        run = (place.x.end - place.x.start) / (magnitude(place.x.high) - magnitude(place.x.low))
        found = []
        for part in (0.5, 0.6, 0.4, 0.7, 0.3, 0.8, 0.2):
            x = start + (end - start) * part
            y = y0 + (x - x0) * rise / run
            found.append(Words(x - 8, y - 6, text, "end", "small roofed", f.SMALL))
            found.append(Words(x + 8, y + 18, text, "start", "small roofed", f.SMALL))
        return found

    def _write_once(self, texts: list[Words], room: Box, signs: list[Box]) -> None:
        written = {words.text for words in self.sheet.words if words.style == "small roofed"}
        if texts[0].text not in written:
            self._write(texts, room, signs, f"roof: {texts[0].text}")

    def _write(
        self, texts: list[Words], room: Box, signs: list[Box], otherwise: str | None
    ) -> None:
        taken = (*(other.box for other in self.sheet.words), *signs)
        found = placed(texts, Around(room, taken, tuple(self.lines)))
        if found is not None:
            self.sheet.write(found)
        elif otherwise is not None:
            self.beside.append(otherwise)

    def _said(self, spot: Spot) -> str:
        fails = f" (infeasible: {', '.join(spot.fails)})" if spot.fails else ""
        x, y = self.item.x.value(spot.x), self.item.y.value(spot.y)
        return f"{spot.label}: {x}, {y}{fails}"

    def _described(self) -> str:
        parts = [self.style.under] if self.style.under else []
        for roof in self.item.roofs:
            peak = max(y for _, y in roof.corners)
            at = "".join(f", from {self.item.x.value(x)} on" for x, _ in roof.bends)
            parts.append(f"roof {roof.name}: at most {self.item.y.value(peak)}{at}")
        return ". ".join([*parts, *map(self._said, self.spots), *self.item.notes]) + "."
