"""Diagnostics as a person reads them: what is wrong, where, what is there, and what mends it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from costlang.emit.canvas import Style, paint
from costlang.emit.display import shown
from costlang.emit.snippet import bar, mark, snippet
from costlang.text import Diagnostic, Label, Severity, Source

_STYLES = {
    Severity.ERROR: Style.ERROR,
    Severity.WARNING: Style.WARNING,
    Severity.NOTE: Style.NOTE,
}
_NARROWEST = 2


def render(diagnostics: Iterable[Diagnostic], colour: bool = False) -> str:
    """
    Return *diagnostics* as text, in their order, an empty line between two.

    Ends with a line's end, and is empty where there are none. What an author wrote cannot act on
    the terminal; *colour* adds the codes of ours.
    """
    return "\n".join("\n".join(_message(item, colour)) + "\n" for item in diagnostics)


def _message(item: Diagnostic, colour: bool) -> Iterator[str]:
    gutter = _gutter(item)
    head = paint(f"{item.severity}[{item.code}]", _STYLES[item.severity], colour)
    yield head + paint(f": {shown(item.message)}", Style.STRONG, colour)
    pictured = False
    for arrow, source, labels in _by_source(item):
        place = labels[0].span.place if item.primary not in labels else item.span.place
        yield f"{' ' * gutter}{paint(arrow, Style.FRAME, colour)} {shown(place)}"
        pictured = bool(source.text)
        yield from _picture(item, source, labels, gutter, colour)
    below = list(_below(item, gutter, colour))
    if below and pictured:
        yield bar(gutter, colour)
    yield from below


def _gutter(item: Diagnostic) -> int:
    lines = (label.span.line for label in (item.primary, *item.labels))
    return max(_NARROWEST, len(str(max(lines))))


def _by_source(item: Diagnostic) -> Iterator[tuple[str, Source, list[Label]]]:
    """Yield each source with its labels, that of the fault first."""
    labels = [item.primary, *item.labels]
    sources = list(dict.fromkeys(label.span.source for label in labels))
    for arrow, source in zip(["-->", *[":::"] * len(sources)], sources, strict=False):
        yield arrow, source, [label for label in labels if label.span.source is source]


def _picture(
    item: Diagnostic, source: Source, labels: list[Label], gutter: int, colour: bool
) -> Iterator[str]:
    if not source.text:
        return
    yield bar(gutter, colour)
    primary = _STYLES[item.severity]
    marks = [
        mark(label, "^", primary) if label is item.primary else mark(label, "-", Style.FRAME)
        for label in labels
    ]
    yield from snippet(source, marks, gutter, colour)


def _below(item: Diagnostic, gutter: int, colour: bool) -> Iterator[str]:
    """Yield what stands under the picture, and the words of a place that has no text to show."""
    equals = " " * gutter + paint(" =", Style.FRAME, colour)
    if not item.span.source.text and item.primary.text:
        yield f"{equals} {shown(item.primary.text)}"
    notes = [line for note in item.notes for line in note.splitlines()]
    for at, line in enumerate(notes):
        yield f"{equals if at == 0 else ' ' * (gutter + 2)} {shown(line)}"
    for at, line in enumerate((item.help or "").splitlines()):
        head = f"{equals} {paint('help', Style.HELP, colour)}:"
        yield f"{head if at == 0 else ' ' * (gutter + 8)} {shown(line)}"
