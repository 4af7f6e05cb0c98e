"""Where a report goes: answers to standard output, messages to standard error, JSON whole."""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import dataclass
from typing import TextIO

from costlang.answer import Report
from costlang.emit.message import render
from costlang.emit.report_json import report_json
from costlang.emit.report_text import Paper, report_text


@dataclass(frozen=True)
class Output:
    """How a report is wanted."""

    as_json: bool
    colour: str
    version: str
    sentence: bool = False

    def coloured(self, stream: TextIO) -> bool:
        """Whether *stream* gets colour: only a terminal does, unless it is asked for."""
        if self.colour != "auto":
            return self.colour == "always"
        return stream.isatty() and "NO_COLOR" not in os.environ


def write_report(report: Report, output: Output) -> None:
    """Write *report*; a reader that closes early is no fault."""
    try:
        _write(report, output)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write(report: Report, output: Output) -> None:
    if output.as_json:
        text = json.dumps(report_json(report, output.version), indent=2, ensure_ascii=False)
        sys.stdout.write(text + "\n")
        return
    notes = [a.note for a in report.answers if a.note is not None]
    messages = (*report.diagnostics, *(n for n in notes if n.is_error))
    width = min(shutil.get_terminal_size((100, 24)).columns, 120)
    sys.stdout.write(
        report_text(report, Paper(output.coloured(sys.stdout), max(width, 60), output.sentence))
    )
    sys.stdout.flush()
    if messages:
        sys.stderr.write(render(messages, output.coloured(sys.stderr)))
