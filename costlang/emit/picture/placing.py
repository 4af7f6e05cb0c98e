"""Where a label has room: beside what it names, on no other words, off the curves where it can."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from costlang.emit.picture.letters import Box, Words

GAP = 2.0
Spot = tuple[float, float]


@dataclass(frozen=True)
class Around:
    """What a label has to keep off, never or at a price, and the room in which it must stay."""

    room: Box
    taken: tuple[Box, ...] = ()
    lines: tuple[Box, ...] = ()


def placed(candidates: Iterable[Words], around: Around) -> Words | None:
    """
    Return the first of *candidates* that covers nothing; None where each lies on other words.

    One that only crosses lines is taken where none is free, the one that crosses fewest.
    """
    best: tuple[int, Words] | None = None
    for words in candidates:
        box = words.box.grown(GAP)
        if not box.inside(around.room) or any(box.meets(other) for other in around.taken):
            continue
        crossed = sum(box.meets(other) for other in around.lines)
        if crossed == 0:
            return words
        if best is None or crossed < best[0]:
            best = (crossed, words)
    return best[1] if best is not None else None


def beside(x: float, y: float, text: str, style: str = "small", size: float = 12.0) -> list[Words]:
    """Return places for a label around a sign at (*x*, *y*), the best first."""
    found = []
    for far in (9.0, 16.0, 26.0):
        near = far * 0.75
        found += [
            Words(x + far, y + 4, text, "start", style, size),
            Words(x - far, y + 4, text, "end", style, size),
            Words(x + near, y - near, text, "start", style, size),
            Words(x + near, y + near + 9, text, "start", style, size),
            Words(x - near, y - near, text, "end", style, size),
            Words(x - near, y + near + 9, text, "end", style, size),
            Words(x, y - far - 2, text, "middle", style, size),
            Words(x, y + far + 10, text, "middle", style, size),
        ]
    return found


def along(x: float, room: Box, text: str, style: str = "small", size: float = 12.0) -> list[Words]:
    """Return places for a label of an upright line at *x*, from its top down."""
    heights = [room.top + 14 + step * 17 for step in range(int((room.bottom - room.top - 10) / 17))]
    return [
        Words(x + side * 6, y, text, "start" if side > 0 else "end", style, size)
        for y in heights
        for side in (1, -1)
    ]


STEP = 8.0


def traced(spots: Sequence[Spot]) -> list[Box]:
    """Return small boxes that cover the line through *spots*."""
    boxes = []
    for (x0, y0), (x1, y1) in pairwise(spots):
        pieces = max(1, int(max(abs(x1 - x0), abs(y1 - y0)) / STEP))
        for n in range(pieces + 1):
            x, y = x0 + (x1 - x0) * n / pieces, y0 + (y1 - y0) * n / pieces
            boxes.append(Box(x - 2, y - 2, x + 2, y + 2))
    return boxes
