"""A text that an author wrote, and a place in it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True, eq=False)
class Source:
    """
    One text and the name by which messages call it.

    *name* is what a person reads (`specs/std/ops.cost`, `<stdin>`); lines and columns
    count from 1, in code points.
    """

    name: str
    text: str = field(repr=False)

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        starts.extend(at + 1 for at, char in enumerate(self.text) if char == "\n")
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of *offset*."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return the text of line *number*, without its end."""
        start = self._starts[number - 1]
        end = self._starts[number] if number < len(self._starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")


@dataclass(frozen=True)
class Span:
    """The half-open stretch `start..end` of a source, in code points."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        """The author's own words at this place."""
        return self.source.text[self.start : self.end]

    @property
    def line(self) -> int:
        """The line on which the place begins, from 1."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """The column at which the place begins, from 1."""
        return self.source.position(self.start)[1]

    @property
    def place(self) -> str:
        """`file:line:column`, as messages write it."""
        return f"{self.source.name}:{self.line}:{self.column}"

    def to(self, other: Span) -> Span:
        """Return the stretch from here to the end of *other*, of the same source."""
        return Span(self.source, min(self.start, other.start), max(self.end, other.end))
