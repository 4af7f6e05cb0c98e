"""The parts of a number as a tree of lines: label, value, share, and a bar to look at."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from costlang.answer.parts import Breakdown, Piece
from costlang.emit.canvas import Style, paint
from costlang.units import Unit, choose_unit, digits_of

DEPTH = 5
SMALL = Fraction(1, 1000)
BAR = 20


def breakdown_lines(
    item: Breakdown, unit: Unit | None, colour: bool, depth: int = DEPTH
) -> Iterator[str]:
    """Yield one line for each part of *item*, nested by *depth*; parts below 0.1 % are joined."""
    chosen = unit or choose_unit(item.whole.value, item.dimension)
    rows = list(breakdown_rows(item, depth))
    wide = max((len(label) + 2 * level for level, label, _ in rows), default=0)
    unit_text = "" if chosen.text == "1" else f" {chosen.text}"
    texts = [f"{digits_of(piece.value / chosen.scale)}{unit_text}" for _, _, piece in rows]
    right = max((len(text) for text in texts), default=0)
    for (level, label, piece), text in zip(rows, texts, strict=True):
        name = ("  " * level + label).ljust(wide)
        share = f"{digits_of(piece.share * 100, 3)} %".rjust(8)
        note = f"  {piece.note}" if piece.note is not None else ""
        bar = paint(_bar(piece.share), Style.VALUE, colour)
        note = paint(note, Style.FAINT, colour)
        yield f"{name}  {text.rjust(right)}  {share}  {bar}{note}".rstrip()


def breakdown_rows(item: Breakdown, depth: int = DEPTH) -> Iterator[tuple[int, str, Piece]]:
    """Yield each part with its level and its label; parts below 0.1 % are joined."""
    yield from _rows(item.whole, 0, depth)


def _rows(piece: Piece, level: int, depth: int) -> Iterator[tuple[int, str, Piece]]:
    yield level, piece.label, piece
    if level >= depth:
        return
    small = [part for part in piece.parts if abs(part.share) < SMALL]
    for part in piece.parts:
        if abs(part.share) >= SMALL or len(small) == 1:
            yield from _rows(part, level + 1, depth)
    if len(small) > 1:
        value = sum((part.value for part in small), Fraction(0))
        share = sum((part.share for part in small), Fraction(0))
        yield level + 1, f"{len(small)} smaller parts", Piece("rest", value, share)


def _bar(share: Fraction) -> str:
    cells = max(0, min(BAR, round(share * BAR)))
    return "█" * cells + "·" * (BAR - cells)
