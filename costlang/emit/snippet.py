"""The lines of a source that a message speaks of, with what is marked in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from costlang.emit.canvas import Piece, Style, line, paint
from costlang.emit.display import shown, width
from costlang.text import Label, Source

LONGEST = 140
"""A longer line is cut to this many letters around what is marked in it."""
_BEFORE = 40
_CUT = "…"


@dataclass(frozen=True)
class Mark:
    """A stretch of one line, in letters from 0, what is said of it, and how it is drawn."""

    number: int
    start: int
    end: int
    text: str
    sign: str
    style: Style


def mark(label: Label, sign: str, style: Style) -> Mark:
    """Return the mark of *label*: to the end of its first line, if it goes on for several."""
    number, column = label.span.source.position(label.span.start)
    start = column - 1
    length = label.span.end - label.span.start
    room = len(label.span.source.line(number)) - start
    return Mark(number, start, start + max(1, min(length, room)), shown(label.text), sign, style)


def snippet(source: Source, marks: list[Mark], gutter: int, colour: bool) -> Iterator[str]:
    """Yield the lines of *source* on which *marks* stand, in order, each with its marks below."""
    before: int | None = None
    ordered = sorted(marks, key=lambda item: (item.number, item.start, item.end))
    for number, group in groupby(ordered, key=lambda item: item.number):
        if before is not None and number > before + 1:
            yield paint("." * max(3, gutter), Style.FRAME, colour)
        for text, together in _windows(source.line(number), list(group)):
            yield _framed(str(number), shown(text), gutter, colour)
            for pieces in _below(text, together):
                yield _framed("", line(pieces, colour), gutter, colour)
        before = number


def bar(gutter: int, colour: bool) -> str:
    """Return the empty line of the frame."""
    return _framed("", "", gutter, colour)


def _framed(number: str, text: str, gutter: int, colour: bool) -> str:
    frame = paint(f"{number:>{gutter}} |", Style.FRAME, colour)
    return f"{frame} {text}".rstrip()


# ---- long lines


def _windows(text: str, marks: list[Mark]) -> Iterator[tuple[str, list[Mark]]]:
    """Yield *text* with *marks*, or the parts of a long one that show them all."""
    if len(text) <= LONGEST:
        yield text, marks
        return
    while marks:
        start = max(0, marks[0].start - _BEFORE)
        together = [item for item in marks if item.end <= start + LONGEST] or marks[:1]
        yield _cut(text, start, together)
        marks = [item for item in marks if item not in together]


def _cut(text: str, start: int, marks: list[Mark]) -> tuple[str, list[Mark]]:
    end = start + LONGEST
    left = _CUT if start else ""
    right = _CUT if end < len(text) else ""
    shift = len(left) - start
    moved = [
        Mark(m.number, m.start + shift, min(m.end, end) + shift, m.text, m.sign, m.style)
        for m in marks
    ]
    return left + text[start:end] + right, moved


# ---- what stands below a line


def _below(text: str, marks: list[Mark]) -> Iterator[list[Piece]]:
    """Yield the line of signs, the last mark's words at its end, then those of the others."""
    placed = [(_column(text, item.start), _column(text, item.end), item) for item in marks]
    furthest = max(right for _, right, _ in placed)
    beside = placed[-1] if placed[-1][1] == furthest else None
    signs = sorted(placed, key=lambda item: item[2].sign == "^")
    row = [Piece(a, m.sign * max(1, b - a), m.style) for a, b, m in signs]
    if beside is not None and beside[2].text:
        row.append(Piece(furthest + 1, beside[2].text, beside[2].style))
    yield row
    hanging = [(left, m) for left, _, m in placed if m.text and (beside is None or m != beside[2])]
    while hanging:
        *hanging, (left, last) = hanging
        threads = [Piece(column, "|", m.style) for column, m in hanging if column < left]
        yield [*threads, Piece(left, last.text, last.style)]


def _column(text: str, at: int) -> int:
    """Return the column of the letter *at*; past the end of the line, that many further."""
    return width(shown(text[:at])) + max(0, at - len(text))
