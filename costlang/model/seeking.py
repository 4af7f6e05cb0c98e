"""What a question seeks, each by the path that a setting of it would have."""

from __future__ import annotations

from collections.abc import Iterator

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.lending import path_of
from costlang.model.types import Type


def sought_by(question: d.Question) -> Iterator[tuple[c.Path, Type]]:
    """Yield the unknowns of *question*, the axes of a best value, the name of a boundary."""
    if question.kind == "solve":
        yield from zip(question.unknowns, question.unknown_types, strict=True)
    elif question.kind in ("largest", "smallest"):
        yield from ((axis.path, axis.type) for axis in question.axes)
        path = path_of(question.subjects[0]) if not question.axes else ()
        if path:
            yield path, question.subjects[0].type
