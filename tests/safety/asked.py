"""A scenario of a few lines, what it answers, and the messages that a reader sees."""

from __future__ import annotations

from costlang import pipeline
from costlang.answer import Answer, Report
from costlang.emit.message import render
from costlang.emit.report_text import Paper, report_text
from costlang.model.work import roomy
from costlang.text import Source


def spec(*lines: str, before: str = "") -> str:
    """Return a file with one scenario, in which *lines* stand, from line 3 on."""
    body = "".join(f"  {line}\n" for line in lines)
    return f"cost 1\n{before}scenario s {{\n{body}}}\n"


def report(text: str) -> Report:
    """Return what comes of a file, run as the command line runs it."""
    with roomy():
        return pipeline.run(Source("x.cost", text))


def answers(*lines: str, before: str = "") -> tuple[Answer, ...]:
    """Return the answers of a scenario of *lines*, which has no mistakes."""
    found = report(spec(*lines, before=before))
    assert () == tuple(item.message for item in found.diagnostics)
    return found.answers


def messages(text: str) -> str:
    """Return all that is said to be wrong with a file, as it is written to a terminal."""
    found = report(text)
    notes = tuple(item.note for item in found.answers if item.note is not None)
    return render((*found.diagnostics, *notes))


def shown(text: str) -> str:
    """Return the report of a file."""
    return report_text(report(text), Paper())
