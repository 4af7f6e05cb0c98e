"""Where a report goes: answers to standard output, messages to standard error, JSON whole."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from typing import TextIO

import click

from costlang.answer import Report
from costlang.emit.message import render
from costlang.emit.report_json import report_json
from costlang.emit.report_text import Paper, report_text


@dataclass(frozen=True)
class Output:
    """How a report is wanted."""

    style: str
    colour: str
    version: str
    sentence: bool = False
    depth: int = 0
    about: bool = False

    def coloured(self, stream: TextIO) -> bool:
        """Whether *stream* gets colour: only a terminal does, unless it is asked for."""
        if self.colour != "auto":
            return self.colour == "always"
        return stream.isatty() and "NO_COLOR" not in os.environ


colour_option = click.option(
    "--color",
    "colour",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Colour; auto means only on a terminal.",
)
"""The option that every command has."""


def our_version() -> str:
    """Return the version of the package that is installed."""
    try:
        return version("costlang")
    except PackageNotFoundError:
        return "0+unknown"


def write_report(report: Report, output: Output) -> None:
    """Write *report*; a reader that closes early is no fault."""
    unbroken(lambda: _write(report, output))


def write_lines(lines: Iterable[str]) -> None:
    """Write *lines* to standard output; a reader that closes early is no fault."""
    unbroken(lambda: sys.stdout.writelines(f"{line}\n" for line in lines))


def write_json(data: object) -> None:
    """Write *data* as JSON; a reader that closes early is no fault."""
    text = json.dumps(data, indent=2, ensure_ascii=False)
    unbroken(lambda: _put(f"{harmless(text)}\n"))


def _put(text: str) -> None:
    sys.stdout.write(text)


def unbroken(write: Callable[[], None]) -> None:
    """Let *write* write to standard output, and nothing come of a reader that closes early."""
    try:
        write()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def paper_of(output: Output) -> Paper:
    """Return how wide and in which colour standard output is written."""
    width = min(shutil.get_terminal_size((100, 24)).columns, 120)
    return Paper(output.coloured(sys.stdout), max(width, 60), output.sentence, output.about)


def _write(report: Report, output: Output) -> None:
    if output.style in ("csv", "jsonl"):
        _write_tables(report, output)
        return
    if output.style == "github":
        from costlang.emit.github import workflow_lines

        sys.stdout.write(workflow_lines(report))
        return
    if output.style == "json":
        text = json.dumps(report_json(report, output.version), indent=2, ensure_ascii=False)
        _put(f"{harmless(text)}\n")
        return
    paper = paper_of(output)
    if output.depth:
        sys.stdout.write(_explained(report, paper, output.depth))
    else:
        sys.stdout.write(report_text(report, paper))
    sys.stdout.flush()
    _write_messages(report, output)


def harmless(text: str) -> str:
    """Return JSON in which nothing acts on a terminal: what cannot be printed is escaped."""
    if text.isascii() and "\x7f" not in text:
        return text
    return "".join(
        char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1] for char in text
    ).replace("\x7f", "\\u007f")


def _write_messages(report: Report, output: Output) -> None:
    notes = [a.note for a in report.answers if a.note is not None]
    messages = (*report.diagnostics, *(n for n in notes if n.is_error))
    if messages:
        sys.stderr.write(render(messages, output.coloured(sys.stderr)))


def _explained(report: Report, paper: Paper, depth: int) -> str:
    from costlang.answer.explain import explain
    from costlang.emit.solved_text import step_lines
    from costlang.emit.why_text import why_lines

    lines: list[str] = []
    for item in report.answers:
        if item.formula is None:
            lines.extend(report_text(Report((item,)), replace(paper, sentence=True)).splitlines())
            lines.extend(f"  {line}" for line in step_lines(item))
        else:
            lines.extend(why_lines(explain(item, item.formula), paper, depth))
    return "\n".join(lines) + "\n" if lines else ""


def _write_tables(report: Report, output: Output) -> None:
    from costlang.emit.table import csv_text, json_lines

    write = csv_text if output.style == "csv" else json_lines
    for item in report.answers:
        if item.sweep is not None:
            sys.stdout.write(write(item.sweep))
    sys.stdout.flush()
    _write_messages(report, output)
