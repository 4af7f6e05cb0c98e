"""An answer in one line: its value, what is found, or why there is none."""

from __future__ import annotations

from costlang.answer import Answer
from costlang.emit.display import shown
from costlang.emit.solved_text import solved_line
from costlang.emit.values import short_names, value_text


def answer_text(item: Answer) -> str:
    """Return the value of an answer, or why there is none."""
    if item.note is not None:
        return shown(item.note.message)
    if item.solved is not None:
        return shown(solved_line(item))
    if item.free:
        return f"needs {', '.join(short_names(item.free))}"
    if item.value is None and item.sides is not None:
        return "undecided"
    return value_text(item.value, item.dimension, item.unit)
