"""Questions to answers: numbers or closed forms, with everything that they stood on."""

from costlang.answer.answers import (
    Answer,
    Bounds,
    Broken,
    Choice,
    Missing,
    Report,
    Side,
    Stood,
    Verdict,
)
from costlang.answer.asking import answer
from costlang.answer.facts import verdicts
from costlang.answer.seeking.standing import found_value
from costlang.answer.worlds import seek_with

__all__ = [
    "Answer",
    "Bounds",
    "Broken",
    "Choice",
    "Missing",
    "Report",
    "Side",
    "Stood",
    "Verdict",
    "answer",
    "verdicts",
]

seek_with(found_value)
