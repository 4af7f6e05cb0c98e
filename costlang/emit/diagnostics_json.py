"""Diagnostics as other programs read them; `docs/json.md` is the contract."""

from __future__ import annotations

from costlang.text import Diagnostic, Edit, Label, Span

Json = dict[str, object]


def diagnostic_json(item: Diagnostic) -> Json:
    """
    Return *item* as JSON.

    Lines and columns count from 1, in code points; the end is the column after the last letter.
    *labels* has what is said of the place itself first, then of other places. *help* may be null,
    and so may *edit*: what should surely stand in a stretch of the file.
    """
    return {
        "code": item.code,
        "severity": str(item.severity),
        **_place(item.span),
        "message": item.message,
        "labels": [_label(label) for label in (item.primary, *item.labels) if label.text],
        "help": item.help,
        "edit": _edit(item.edit) if item.edit is not None else None,
    }


def _edit(edit: Edit) -> Json:
    return {**_place(edit.span), "text": edit.text}


def _label(label: Label) -> Json:
    return {**_place(label.span), "text": label.text}


def _place(span: Span) -> Json:
    end_line, end_column = span.source.position(span.end)
    return {
        "file": span.source.name,
        "line": span.line,
        "column": span.column,
        "end_line": end_line,
        "end_column": end_column,
    }
