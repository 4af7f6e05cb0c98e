"""A line on which signs are put at columns, each in a style, and the styles of a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby


class Style(StrEnum):
    """How a sign looks where there is colour: the code that turns it on."""

    PLAIN = ""
    STRONG = "1"
    ERROR = "1;31"
    WARNING = "1;33"
    NOTE = "1;36"
    FRAME = "1;34"
    HELP = "1;32"
    TITLE = "1;4"
    VALUE = "36"
    FAINT = "2"
    GOOD = "32"


@dataclass(frozen=True)
class Piece:
    """A text that begins at a column."""

    at: int
    text: str
    style: Style


def paint(text: str, style: Style, colour: bool) -> str:
    """Return *text* in *style*, or as it is where there is no *colour*."""
    return f"\x1b[{style}m{text}\x1b[0m" if colour and style and text else text


def line(pieces: Iterable[Piece], colour: bool) -> str:
    """Return the line on which *pieces* stand, a later one over an earlier one."""
    signs: dict[int, tuple[str, Style]] = {}
    for piece in pieces:
        for at, sign in enumerate(piece.text, piece.at):
            signs[at] = (sign, piece.style)
    cells = [signs.get(at, (" ", Style.PLAIN)) for at in range(max(signs, default=-1) + 1)]
    return "".join(
        paint("".join(sign for sign, _ in group), style, colour)
        for style, group in groupby(cells, key=lambda cell: cell[1])
    )
