"""How much room a text takes, before anyone has drawn it: never less than the font will need."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

SIZE = 13.0
"""The size of letters, in pixels."""

# Widths in hundredths of the size, of DejaVu Sans: no common font of screens is wider.
_NARROW = {
    **dict.fromkeys("ijl", 29),
    **dict.fromkeys("'|", 34),
    **dict.fromkeys("fIJ.,:; ", 36),
    **dict.fromkeys("rt()[]/\\-", 42),
}
_WIDE = {
    **dict.fromkeys("mMW%@", 99),
    **dict.fromkeys("wGOQDNHU+=<>~^#·×−", 86),
    **dict.fromkeys("—…", 100),
}
_USUAL, _CAPITAL = 64, 77


def width_of(text: str, size: float = SIZE) -> float:
    """Return a width in pixels in which *text* has room."""
    return sum(map(_hundredths, text)) * size / 100


def _hundredths(char: str) -> int:
    known = _NARROW.get(char) or _WIDE.get(char)
    if known is not None:
        return known
    if char.isascii():
        return _CAPITAL if char.isupper() else _USUAL
    if unicodedata.combining(char):
        return 0
    return 100 if unicodedata.east_asian_width(char) in "WF" else 80


def shortened(text: str, room: float, size: float = SIZE) -> str:
    """Return *text*, its middle left out where it does not fit in *room* pixels."""
    if width_of(text, size) <= room:
        return text
    kept = len(text)
    while kept > 1:
        kept -= 1
        head = (kept + 1) // 2
        short = f"{text[:head]}…{text[len(text) - (kept - head) :]}"
        if width_of(short, size) <= room:
            return short
    return "…"


def wrapped(text: str, room: float, size: float = SIZE) -> list[str]:
    """Return *text* as lines of at most *room* pixels, broken at its spaces."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(shortened(word, room, size))
    return lines


@dataclass(frozen=True)
class Box:
    """A rectangle, in pixels from the left and from the top."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Whether the two have a point in common; that they touch does not count."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def inside(self, other: Box) -> bool:
        """Whether the whole box lies in *other*."""
        return (
            other.left <= self.left
            and self.right <= other.right
            and other.top <= self.top
            and self.bottom <= other.bottom
        )

    def grown(self, by: float) -> Box:
        """Return the box with so much more on each side."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)


@dataclass(frozen=True)
class Words:
    """A text on a picture: *anchor* says which of its ends, or its middle, stands at *x*."""

    x: float
    y: float
    text: str
    anchor: str = "start"
    style: str = ""
    size: float = SIZE

    @property
    def box(self) -> Box:
        """The room that it takes: from above its capitals to below its tails."""
        wide = width_of(self.text, self.size)
        left = self.x - {"start": 0.0, "middle": wide / 2, "end": wide}[self.anchor]
        return Box(left, self.y - 0.8 * self.size, left + wide, self.y + 0.25 * self.size)
