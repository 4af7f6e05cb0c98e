"""Where the parser stopped, what stood before it, and a message about that place."""

from __future__ import annotations

from costlang.syntax.lexer import Lexeme
from costlang.syntax.parser import Stop
from costlang.text import Diagnostic, Edit, Label, Source, Span

OPERAND_ENDS = ("word", "number", "quantity")


def message(
    source: Source,
    code: str,
    title: str,
    found: Lexeme,
    label: str,
    help: str | None = None,
    labels: tuple[Label, ...] = (),
    edit: str | None = None,
) -> Diagnostic:
    """Return a message about *found*; *edit* is what should surely stand in its place."""
    span = Span(source, found.start, max(found.end, found.start))
    mend = Edit(span, edit) if edit is not None else None
    return Diagnostic(code, title, Label(span, label), labels, (), help, edit=mend)


def wants_operand(stop: Stop) -> bool:
    """Whether an expression could begin where the parser stopped."""
    return "QTY" in stop.wants and "NAME" in stop.wants


def is_later(stop: Stop, source: Source) -> bool:
    """Whether the parser stopped on a later line than that of the lexeme before."""
    assert stop.before is not None
    return "\n" in source.text[stop.before.end : stop.found.end]


def follows_operand(stop: Stop) -> bool:
    """Whether an expression could have ended just before the parser stopped."""
    return stop.before is not None and ends_operand(stop.before) and not wants_operand(stop)


def ends_operand(before: Lexeme) -> bool:
    """Whether an expression can end with *before*."""
    return before.kind in OPERAND_ENDS or before.text in (")", "]", "?")
