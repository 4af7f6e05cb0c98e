"""Why a unit cannot be read, and what was probably meant, as a value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from costlang.units.malformed import malformed
from costlang.units.spelling import Meaning, Slip, near, slip
from costlang.units.table import NUMBERS
from costlang.units.written import Factor, respell


@dataclass(frozen=True)
class UnitFault:
    """
    A unit that cannot be read: `unknown-unit` or `refused-unit`.

    *help* says what was probably meant, and is None where nobody can know; *edit* is the unit that
    was surely meant.
    """

    code: str
    message: str
    help: str | None = None
    edit: str | None = None


def refused(message: str, help_text: str | None = None, edit: str | None = None) -> UnitFault:
    """Return the fault of a unit that costlang knows of, and does not read."""
    return UnitFault("refused-unit", message, help_text, edit)


def formless(text: str) -> UnitFault:
    """Return the fault of a *text* that does not have the form of a unit."""
    return refused(*malformed(text))


def faulty_words(
    parts: tuple[Factor, ...], faulty: tuple[Factor, ...], known: Iterable[str]
) -> UnitFault:
    """
    Return the fault of a unit whose words *faulty* are not among those *known*.

    A word that nobody knows has precedence over a refused spelling.
    """
    slips = {part.word: found for part in faulty if (found := _slip(part, len(parts) == 1))}
    unknown = next((part for part in faulty if part.word not in slips), None)
    if unknown is not None:
        return _unknown(unknown, known)
    word = faulty[0].word
    meant = _whole(parts, word, slips)
    edit = meant[0].unit if len(meant) == 1 else None
    mend = f"write {' or '.join(str(meaning) for meaning in meant)}"
    return refused(f"`{word}` {slips[word].reason}", mend, edit)


def _slip(part: Factor, alone: bool) -> Slip | None:
    """Return what is known of the spelling; nothing where it would be a number beside a unit."""
    found = slip(part.word)
    number = found is not None and found.meanings[0].unit in NUMBERS
    return None if number and not alone else found


def _unknown(part: Factor, known: Iterable[str]) -> UnitFault:
    meant = " or ".join(f"`{name}`" for name in near(part.word, known))
    question = f"did you mean {meant}?" if meant else None
    apart = _apart(part)
    both = f"{question} else {apart}" if question and apart else question or apart
    return UnitFault("unknown-unit", f"unknown unit `{part.word}`", both)


def _apart(part: Factor) -> str | None:
    """Say how a name is multiplied or divided by, which is probably what a later word is."""
    if part.sign:
        verb = "divide" if part.sign == "/" else "multiply"
        return f"put spaces around `{part.sign}` to {verb} by a name"
    return f"`{part.word}` is a number only where it stands alone" if part.word in NUMBERS else None


def _whole(parts: tuple[Factor, ...], word: str, slips: Mapping[str, Slip]) -> tuple[Meaning, ...]:
    """Return how the whole unit is written, once for each meaning that *word* may have."""
    first = {other: found.meanings[0].unit for other, found in slips.items()}
    per_second = any(p.sign == "/" and first.get(p.word, p.word) == "s" for p in parts)
    meanings = slips[word].meanings
    possible = tuple(_counts(meanings)) if per_second else meanings
    return tuple(
        replace(meaning, unit=respell(parts, first | {word: meaning.unit})) for meaning in possible
    )


def _counts(meanings: tuple[Meaning, ...]) -> Iterator[Meaning]:
    """Leave the rate out, as in `TFLOPS/s`, where the division by seconds is already written."""
    for meaning in meanings:
        if meaning.when == "a count":
            yield replace(meaning, when="")
        elif meaning.when != "a rate":
            yield meaning
