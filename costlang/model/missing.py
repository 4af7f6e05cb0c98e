"""Nothing has this name: the message, with the nearest names or the import that helps."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from costlang.model import core as c
from costlang.model.context import Context
from costlang.model.types import BROKEN
from costlang.text import Edit, Label, Source, Span
from costlang.text.near import did_you_mean, near_names

IMPORT = re.compile(r"^import\b[^()\n]*\([^()]*\)", re.MULTILINE)
EDITION = re.compile(r"^[ \t]*cost[ \t]+\d+", re.MULTILINE)
LAST = 20
"""So many messages are looked through for one of the same name on the same line."""
NOT_FOUND = "not found in this scope"


def broken(span: Span) -> c.Core:
    """Return the expression that a mistake leaves behind."""
    return c.Core(span, BROKEN)


def unknown_name(
    context: Context, name: str, span: Span, pool: Iterable[str], hint: str | None = None
) -> None:
    """
    Report that nothing is called *name*.

    The message offers the import that would bring it, else the near names of *pool* and of the
    library, else *hint*.
    """
    if _told_on_this_line(context, name, span):
        return
    home = context.library().get(name)
    if home is not None:
        mend: str | None = f"the library has it: `import {home} ({name})`"
    else:
        mend = did_you_mean(near_names(name, sorted({*pool, *context.library()}))) or hint
    edit = import_edit(span.source, home, name) if home is not None else None
    context.report(
        "unknown-name", f"nothing is called `{name}`", span, NOT_FOUND, help=mend, edit=edit
    )


def _told_on_this_line(context: Context, name: str, span: Span) -> bool:
    """Whether *name* is missed on the line of *span* already; that message points here as well."""
    for at, told in enumerate(context.diagnostics[-LAST:], max(0, len(context.diagnostics) - LAST)):
        first = told.primary.span
        if told.code != "unknown-name" or first.source is not span.source or first.text != name:
            continue
        if first.start != span.start and "\n" not in span.source.text[first.start : span.end]:
            labels = (*told.labels, Label(span, "and here"))
            context.diagnostics[at] = replace(told, labels=labels)
            return True
    return False


def import_edit(source: Source, home: str, name: str) -> Edit | None:
    """Return the import of *name* behind the last import of *source*, or behind its edition."""
    found = list(IMPORT.finditer(source.text)) or list(EDITION.finditer(source.text))
    if not found:
        return None
    end = found[-1].end()
    return Edit(Span(source, end, end), f"\nimport {home} ({name})")
