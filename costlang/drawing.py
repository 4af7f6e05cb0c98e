"""A question to a picture: what is asked of the spec for it, and how what comes back is drawn."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction

from costlang import pipeline
from costlang.answer import Answer, Report
from costlang.emit.picture import (
    Axis,
    NotDrawn,
    Roof,
    Roofline,
    Spot,
    Style,
    Track,
    draw_roofline,
    picture,
)
from costlang.emit.picture.scale import around
from costlang.emit.picture.series import row_name
from costlang.model.work import sentence
from costlang.posing import NOTHING, Posed, pose
from costlang.text import Diagnostic
from costlang.units import NONE, base_unit, choose_unit

ROOFLINE = "roofline"
UNKNOWN = ("unknown-name", "unknown-member")

FAR = 10**6
"""How far from its points a roof is searched for bends, as a factor."""


@dataclass(frozen=True)
class Names:
    """
    What a roofline is of, in the words of the phase: its two axes, and the roof over the first.

    The words of `std.phases` stand here; a phase of one's own has others, or the same.
    """

    x: str = "intensity"
    y: str = "achieved"
    roof: str = "roof"


@dataclass(frozen=True)
class Wanted:
    """A picture: the question, of what, under which bindings, and how it is to look."""

    question: str
    entry: pipeline.Entry | None = None
    of: str | None = None
    at: tuple[str, ...] = ()
    over: str = ""
    marks: tuple[str, ...] = ()
    names: Names = field(default_factory=Names)
    style: Style = field(default_factory=Style)


@dataclass(frozen=True)
class Drawn:
    """The picture as SVG, None where there is none; why, and what was left out of it."""

    svg: str | None
    diagnostics: tuple[Diagnostic, ...] = ()
    why: str = ""
    left_out: tuple[str, ...] = ()


@sentence()
def draw(wanted: Wanted) -> Drawn:
    """Return the picture that is *wanted*; a mistake of its author is told in what comes back."""
    also = (*wanted.marks, *((f"sweep 0 over {wanted.over}",) if wanted.over else ()))
    question = NOTHING if wanted.question == ROOFLINE else wanted.question
    posed = pose(question, wanted.entry, wanted.of, wanted.at, also)
    if isinstance(posed, tuple):
        return Drawn(None, posed)
    try:
        if wanted.question == ROOFLINE:
            return _Rooflining(wanted, posed).drawn()
        return _of_answers(wanted, posed)
    except NotDrawn as wrong:
        return Drawn(None, why=str(wrong))


def _of_answers(wanted: Wanted, posed: Posed) -> Drawn:
    report = posed.ask(posed.question, fine=True)
    if not report.usable:
        return Drawn(None, report.diagnostics)
    marks: list[Answer] = []
    for text in wanted.marks:
        found = posed.ask(text)
        if not found.usable:
            return Drawn(None, found.diagnostics)
        marks.extend(found.answers)
    first, *others = report.answers
    if others:
        raise NotDrawn("one picture is of one question, and this asks for several: draw one")
    style = wanted.style
    under = _under(posed, first)
    return Drawn(picture(first, replace(style, under=style.under or under), tuple(marks)))


def _under(posed: Posed, answer: Answer) -> str:
    """Return the line below the title: which question of which scenario it is."""
    parts = [posed.about] if posed.about else []
    if answer.question:
        parts.append(answer.question)
    return ": ".join(parts)


# ---- a roofline


@dataclass(frozen=True)
class _Rooflining:
    wanted: Wanted
    posed: Posed

    def drawn(self) -> Drawn:
        """Return the roofline of the phases in use that have its three names."""
        tracks: list[Track] = []
        left_out: list[str] = []
        axes: tuple[Axis, Axis] | None = None
        for use in self.posed.scenario.uses():
            found = self._track(use.name)
            if isinstance(found, str):
                left_out.append(found)
            elif found is not None:
                track, axes = found
                tracks.append(track)
        if axes is None:
            names = self.wanted.names
            words = "; ".join(left_out)
            why = words or f"nothing in use here has both `{names.x}` and `{names.y}`"
            raise NotDrawn(why)
        spots = [spot for track in tracks for spot in track.spots]
        x, y = _in_units(axes, spots)
        roofs = self._roofs(tracks, x)
        roofline = Roofline(x, y, roofs, _told_apart(tracks))
        style = self.wanted.style
        title = style.title or f"Roofline of {self.posed.about}"
        return Drawn(draw_roofline(roofline, replace(style, title=title)), left_out=tuple(left_out))

    def _track(self, use: str) -> tuple[Track, tuple[Axis, Axis]] | str | None:
        """Return the points of a use, why it has none, or None where it has no such names."""
        names = self.wanted.names
        pair = f"{use}.{names.x}, {use}.{names.y}"
        if self.wanted.over:
            return self._swept(use, f"sweep {pair} over {self.wanted.over}")
        report = self.posed.ask(pair)
        if not report.usable:
            _ensure_only_unknown(report)
            return None
        x, y = report.answers
        called = self.posed.called(use)
        why = _no_number(names.x, x) or _no_number(names.y, y)
        if why is not None:
            return f"{called}: {why}"
        assert isinstance(x.value, Fraction) and isinstance(y.value, Fraction)
        fails = tuple(dict.fromkeys(item.name for a in (x, y) for item in a.infeasible))
        axes = (Axis(names.x, x.dimension or NONE), Axis(names.y, y.dimension or NONE))
        return Track(use, (Spot(called, x.value, y.value, fails),)), axes

    def _swept(self, use: str, question: str) -> tuple[Track, tuple[Axis, Axis]] | str | None:
        report = self.posed.ask(question)
        if not report.usable:
            _ensure_only_unknown(report)
            return None
        (answer,) = report.answers
        if answer.sweep is None:
            raise NotDrawn(answer.note.message if answer.note is not None else "no table")
        spots = []
        for line in answer.sweep.lines:
            x, y = line.cells[-2:]
            if isinstance(x, Fraction) and isinstance(y, Fraction):
                fails = tuple(item.name for item in line.infeasible)
                spots.append(Spot(row_name(answer.sweep, line), x, y, fails))
        if not spots:
            return f"{self.posed.called(use)}: no point of the table has both numbers"
        first, second = answer.sweep.columns[-2:]
        names = self.wanted.names
        axes = (Axis(names.x, first.dimension or NONE), Axis(names.y, second.dimension or NONE))
        return Track(use, tuple(spots)), axes

    # ---- roofs

    def _roofs(self, tracks: list[Track], x: Axis) -> tuple[Roof, ...]:
        """Return the roof over each track; equal ones are one."""
        unit = base_unit(x.dimension).text
        posed = self.posed.with_param(unit)
        spots = [spot.x for track in tracks for spot in track.spots]
        low, high = min(spots), max(spots)
        uses = [track.name for track in tracks]
        wide = [self._roof(posed, use, unit, low / FAR, high * FAR) for use in uses]
        bends = [place[0] for roof in wide if roof is not None for place in roof.bends]
        low, high = around([low / 2, high * 2, *(bend * 4 for bend in bends)])
        found: dict[tuple[tuple[Fraction, Fraction], ...], Roof] = {}
        for use in uses:
            roof = self._roof(posed, use, unit, low, high)
            if roof is not None and roof.corners in found:
                same = found[roof.corners]
                roof = replace(same, name=f"{same.name}, {use}")
            if roof is not None:
                found[roof.corners] = roof
        return tuple(found.values())

    def _roof(
        self, posed: Posed, use: str, unit: str, low: Fraction, high: Fraction
    ) -> Roof | None:
        name, one = posed.param, "1" if unit == "1" else f"1 {unit}"
        span = f"{_number(low)} {one} .. {_number(high)} {one}"
        question = f"sweep {use}.{self.wanted.names.roof}({name}) over {name} in {span}"
        report = posed.ask(question)
        if not report.usable:
            _ensure_only_unknown(report)
            return None
        (answer,) = report.answers
        if answer.sweep is None:
            return None
        rows = [line.cells for line in answer.sweep.lines]
        places = [(x, y) for x, y in rows if isinstance(x, Fraction) and isinstance(y, Fraction)]
        bends = {bend.at.middle for bend in answer.sweep.bends}
        corners = [p for n, p in enumerate(places) if n in (0, len(places) - 1) or p[0] in bends]
        return Roof(use, tuple(corners), tuple(p for p in places if p[0] in bends))


def _in_units(axes: tuple[Axis, Axis], spots: list[Spot]) -> tuple[Axis, Axis]:
    x, y = axes
    greatest = max(spot.x for spot in spots), max(spot.y for spot in spots)
    return (
        replace(x, unit=choose_unit(greatest[0], x.dimension)),
        replace(y, unit=choose_unit(greatest[1], y.dimension)),
    )


def _told_apart(tracks: list[Track]) -> tuple[Track, ...]:
    """Return the tracks with their names before the labels of their points, where several are."""
    if len(tracks) == 1:
        return tuple(tracks)
    return tuple(
        replace(
            track,
            spots=tuple(
                spot
                if spot.label == track.name
                else replace(spot, label=f"{track.name}, {spot.label}")
                for spot in track.spots
            ),
        )
        for track in tracks
    )


def _ensure_only_unknown(report: Report) -> None:
    """Raise `NotDrawn` for another mistake than a name that is not there."""
    other = [item for item in report.diagnostics if item.code not in UNKNOWN]
    if other:
        raise NotDrawn(other[0].message)


def _no_number(name: str, answer: Answer) -> str | None:
    if answer.note is not None:
        return answer.note.message
    if answer.free:
        return f"`{name}` needs {', '.join(answer.free)}"
    if not isinstance(answer.value, Fraction):
        return f"`{name}` is no single number"
    return None


def _number(value: Fraction) -> str:
    """Return a number as it is written in the language: a quotient of whole ones is exact."""
    return f"{value.numerator} / {value.denominator} *"
