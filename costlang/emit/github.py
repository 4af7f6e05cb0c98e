"""Messages and failed checks as annotations of a code host's workflow."""

from __future__ import annotations

from collections.abc import Iterator

from costlang.answer import Report, Verdict
from costlang.text import Diagnostic, Severity, Span

LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def workflow_lines(report: Report) -> str:
    """
    Return one line for each message and each check that fails: `::error file=…,line=…::words`.

    The workflow shows each beside the line that it is about.
    """
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: Report) -> Iterator[str]:
    for item in report.diagnostics:
        yield _of_message(item)
    for answer in report.answers:
        if answer.note is not None and answer.note.is_error:
            yield _of_message(answer.note)
    for check in report.checks:
        if check.holds is not True:
            yield _of_check(check)


def _of_message(item: Diagnostic) -> str:
    told = [item.message, *(label.text for label in (item.primary, *item.labels) if label.text)]
    told += [*item.notes, *([f"help: {item.help}"] if item.help else [])]
    return _annotation(LEVELS[item.severity], item.span, item.code, "\n".join(told))


def _of_check(check: Verdict) -> str:
    verb = "fails" if check.holds is False else "is not decided"
    return _annotation(
        "error", check.span, f"check {check.name}", f"the check {verb}: {check.text}"
    )


def _annotation(level: str, span: Span, title: str, words: str) -> str:
    end_line, end_column = span.source.position(span.end)
    place = (
        f"file={_property(span.source.name)},line={span.line},endLine={end_line},"
        f"col={span.column},endColumn={end_column},title={_property(title)}"
    )
    return f"::{level} {place}::{_data(words)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
