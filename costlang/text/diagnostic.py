"""A mistake, a warning or a note, as a value: what, where, and what would mend it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from costlang.text.source import Span


class Severity(StrEnum):
    """How much a message weighs: an error makes a file unusable, the others do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True)
class Label:
    """What is there, at one place."""

    span: Span
    text: str


@dataclass(frozen=True)
class Edit:
    """A stretch of text and what should stand there instead; an empty stretch is a place."""

    span: Span
    text: str


@dataclass(frozen=True)
class Diagnostic:
    """
    One message to an author.

    *primary* is the place of the fault, *labels* the other places that matter, *notes* are lines
    below the picture (two dimensions lined up), and *help* says what would mend it. *edit* is the
    mend itself, where there is one that is sure.
    """

    code: str
    message: str
    primary: Label
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str | None = None
    severity: Severity = Severity.ERROR
    edit: Edit | None = None

    @property
    def span(self) -> Span:
        """The place of the fault."""
        return self.primary.span

    @property
    def is_error(self) -> bool:
        """Whether the file cannot be used as it stands."""
        return self.severity is Severity.ERROR


def in_source_order(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Return *diagnostics* sorted by file and place, each place and code once."""
    seen: dict[tuple[str, int, str], Diagnostic] = {}
    for item in diagnostics:
        seen.setdefault((item.span.source.name, item.span.start, item.code), item)
    return tuple(seen[key] for key in sorted(seen))
