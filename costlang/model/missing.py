"""Nothing has this name: the message, with the nearest names or the import that helps."""

from __future__ import annotations

from collections.abc import Iterable

from costlang.model import core as c
from costlang.model.context import Context
from costlang.model.types import BROKEN
from costlang.text import Span
from costlang.text.near import did_you_mean, near_names


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
    home = context.library().get(name)
    if home is not None:
        mend: str | None = f"the library has it: `import {home} ({name})`"
    else:
        mend = did_you_mean(near_names(name, sorted({*pool, *context.library()}))) or hint
    context.report("unknown-name", f"nothing is called `{name}`", span, NOT_FOUND, help=mend)
