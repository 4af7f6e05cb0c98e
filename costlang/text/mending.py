"""Sure mends put into a text, those that do not overlap, and what they change."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import unified_diff

from costlang.text.diagnostic import Diagnostic, Edit
from costlang.text.source import Source


def mended(source: Source, diagnostics: Iterable[Diagnostic]) -> tuple[str, int]:
    """Return the text of *source* with the sure mends of *diagnostics*, and how many there were."""
    edits = {
        item.edit
        for item in diagnostics
        if item.edit is not None and item.edit.span.source.name == source.name
    }
    text, applied, free_from = source.text, 0, len(source.text) + 1
    for edit in sorted(edits, key=lambda e: (-e.span.start, e.text)):
        if edit.span.end <= free_from and edit.span.source.text == source.text:
            text = _put(text, edit)
            applied += 1
            free_from = edit.span.start
    return text, applied


def _put(text: str, edit: Edit) -> str:
    return text[: edit.span.start] + edit.text + text[edit.span.end :]


def difference(name: str, before: str, after: str) -> list[str]:
    """Return the lines of a unified difference, without their ends; empty where nothing changed."""
    lines = unified_diff(
        before.splitlines(), after.splitlines(), f"a/{name}", f"b/{name}", lineterm=""
    )
    return list(lines)
