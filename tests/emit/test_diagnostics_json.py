"""A message as JSON has its place from 1 in code points, and every place that it speaks of."""

from __future__ import annotations

from costlang.emit.diagnostics_json import diagnostic_json
from costlang.text import Diagnostic, Label, Severity, Source, Span


def test_a_message_has_the_fields_of_the_contract() -> None:
    source = Source("a.cost", "cost 1\r\nlet µ = b + (c\n + d)\n")
    other = Source("b.cost", "let b = 1\n")
    message = Diagnostic(
        "dimension-mismatch",
        "these two cannot be added",
        Label(Span(source, 20, 28), "tok"),
        (Label(Span(source, 16, 17), "B"), Label(Span(other, 4, 5), "declared here")),
        ("left side:  B",),
        "mend",
    )
    here = {"file": "a.cost", "line": 2, "column": 13, "end_line": 3, "end_column": 6}
    left = {"file": "a.cost", "line": 2, "column": 9, "end_line": 2, "end_column": 10}
    there = {"file": "b.cost", "line": 1, "column": 5, "end_line": 1, "end_column": 6}
    assert diagnostic_json(message) == {
        "code": "dimension-mismatch",
        "severity": "error",
        **here,
        "message": "these two cannot be added",
        "labels": [
            {**here, "text": "tok"},
            {**left, "text": "B"},
            {**there, "text": "declared here"},
        ],
        "help": "mend",
        "edit": None,
    }


def test_a_label_without_words_and_a_help_that_is_not_sure_are_left_out() -> None:
    source = Source("a.cost", "")
    message = Diagnostic("x", "m", Label(Span(source, 0, 0), ""), severity=Severity.NOTE)
    assert diagnostic_json(message) == {
        "code": "x",
        "severity": "note",
        "file": "a.cost",
        "line": 1,
        "column": 1,
        "end_line": 1,
        "end_column": 1,
        "message": "m",
        "labels": [],
        "help": None,
        "edit": None,
    }
