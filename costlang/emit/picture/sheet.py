"""A sheet on which lines, areas, signs and words are put, and the SVG that it comes to."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from costlang.emit.display import shown
from costlang.emit.picture.ink import STYLE
from costlang.emit.picture.letters import SIZE, Box, Words

Spot = tuple[float, float]

ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}


def escaped(text: str) -> str:
    """Return *text* as it may stand in XML, in an attribute as well."""
    return "".join(ESCAPES.get(char, char) for char in shown(text))


def pixels(value: float) -> str:
    """Return a coordinate to a hundredth of a pixel: finer than an eye, coarser than a rounding."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


class Sheet:
    """
    What is drawn, in order, and the room that its words take.

    Words are recorded as they are placed, so that later ones can keep off them.
    """

    def __init__(self, width: float, height: float) -> None:
        self.width = width
        self.height = height
        self.words: list[Words] = []
        self._pieces: list[str] = []

    def write(self, words: Words) -> None:
        """Put *words* on the sheet."""
        self.words.append(words)
        style = f' class="{words.style}"' if words.style else ""
        anchor = f' text-anchor="{words.anchor}"' if words.anchor != "start" else ""
        size = f' font-size="{pixels(words.size)}"' if words.size != SIZE else ""
        place = f'x="{pixels(words.x)}" y="{pixels(words.y)}"'
        self._pieces.append(f"<text {place}{anchor}{size}{style}>{escaped(words.text)}</text>")

    def line(self, spots: Iterable[Spot], style: str) -> None:
        """Draw a line through *spots*."""
        path = " ".join(f"{pixels(x)},{pixels(y)}" for x, y in spots)
        self._pieces.append(f'<polyline points="{path}" class="{style}"/>')

    def area(self, spots: Iterable[Spot], style: str) -> None:
        """Fill the area within *spots*."""
        path = " ".join(f"{pixels(x)},{pixels(y)}" for x, y in spots)
        self._pieces.append(f'<polygon points="{path}" class="{style}"/>')

    def bar(self, box: Box, style: str, title: str = "") -> None:
        """Fill *box*; *title* is said of it where a pointer rests on it."""
        wide, high = box.right - box.left, box.bottom - box.top
        place = f'x="{pixels(box.left)}" y="{pixels(box.top)}"'
        size = f'width="{pixels(wide)}" height="{pixels(high)}"'
        self._pieces.append(f'<rect {place} {size} class="{style}">{_titled(title)}</rect>')

    def dot(self, x: float, y: float, shape: int, style: str, title: str = "") -> None:
        """Put a sign at a place; its *shape* tells series apart where colours cannot."""
        spots = " ".join(
            f"{pixels(x + dx)},{pixels(y + dy)}" for dx, dy in _SHAPES[shape % len(_SHAPES)]
        )
        if not spots:
            place = f'cx="{pixels(x)}" cy="{pixels(y)}" r="4"'
            self._pieces.append(f'<circle {place} class="{style}">{_titled(title)}</circle>')
        else:
            drawn = f'<polygon points="{spots}" class="{style}">{_titled(title)}</polygon>'
            self._pieces.append(drawn)

    def svg(self, title: str, description: str) -> str:
        """Return the sheet as a document; *title* and *description* are for who cannot see it."""
        drawn = "\n".join(self._pieces)
        key = sha256(f"{title}\0{description}\0{drawn}".encode()).hexdigest()[:8]
        name, words = f"cost-{key}-title", f"cost-{key}-desc"
        wide, high = pixels(self.width), pixels(self.height)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="cost-picture" role="img"'
            f' aria-labelledby="{name} {words}" viewBox="0 0 {wide} {high}"'
            f' width="{wide}" height="{high}">\n'
            f'<title id="{name}">{escaped(title)}</title>\n'
            f'<desc id="{words}">{escaped(description)}</desc>\n'
            f"<style>{STYLE}</style>\n"
            f'<rect class="paper" width="{wide}" height="{high}" rx="6"/>\n'
            f"{drawn}\n</svg>\n"
        )


def _titled(title: str) -> str:
    return f"<title>{escaped(title)}</title>" if title else ""


_SHAPES: tuple[tuple[Spot, ...], ...] = (
    (),
    ((-4, -4), (4, -4), (4, 4), (-4, 4)),
    ((0, -5), (5, 4), (-5, 4)),
    ((0, -5.5), (5.5, 0), (0, 5.5), (-5.5, 0)),
    ((0, 5), (5, -4), (-5, -4)),
    ((-5, -2), (-2, -5), (2, -5), (5, -2), (5, 2), (2, 5), (-2, 5), (-5, 2)),
)
