"""What is found of each embed: whether its text is what it should be, and what moved it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from costlang.answer import Answer, Bounds
from costlang.docs.book import Book, Found
from costlang.docs.claims import Claim, Unclear, claim_of, holds
from costlang.docs.disk import bytes_of
from costlang.docs.host import Host
from costlang.docs.inputs import Change, changes
from costlang.docs.lock import Record
from costlang.docs.numbers import Wanted, number_text
from costlang.docs.page import Slot
from costlang.docs.render import Faults, Rendered, answered, render, wanted_of
from costlang.model.work import sentence
from costlang.text import Diagnostic, Label
from costlang.units import NONE

Records = Mapping[str, Record]


@dataclass(frozen=True)
class Finding:
    """
    What came of one embed.

    *state* is `right`, `empty` (never filled), `stale` (its text is another one now), `false` (a
    sentence of the author's no longer holds), or `moved` (the exact value is another one, below
    what is shown). *old* and *new* are the two texts, and *changes* the inputs that moved it;
    *known* is whether there was a record to tell them by, and *reshaped* whether the formula is
    another one than the one recorded.
    """

    slot: Slot
    rendered: Rendered
    state: str
    old: str
    new: str
    changes: tuple[Change, ...] = ()
    known: bool = True
    reshaped: bool = False

    @property
    def key(self) -> str:
        """By what its record is found: a sentence has one for itself."""
        tied = self.slot.embed.options.ties
        return f"{self.rendered.key} (sentence)" if tied else self.rendered.key

    @property
    def record(self) -> Record:
        """What is to be remembered of it."""
        inputs = {item.name: item.text for item in self.rendered.inputs}
        return Record(self.rendered.value, self.rendered.shape, inputs)


@sentence()
def finding(
    slot: Slot, book: Book, host: Host, records: Records, *, near_math: bool = False
) -> Finding | Faults:
    """
    Return what is found of *slot*; *records* were kept when its page was filled.

    Raises `NeedsBabel` where the locale needs what is not installed.
    """
    if slot.embed.options.ties:
        return _tied(slot, book, host, records)
    found = render(slot.embed, book, host, beside_mathematics=near_math)
    if isinstance(found, tuple):
        return found
    same = slot.inner == found.text and not undrawn(found, book)
    state = "right" if same else "stale" if slot.inner.strip() else "empty"
    return _compared(Finding(slot, found, state, slot.inner, found.text), records)


def undrawn(rendered: Rendered, book: Book) -> tuple[str, ...]:
    """Return the pictures of *rendered* that are not beside the page as they should be."""
    return tuple(
        name
        for name, svg in rendered.files
        if bytes_of(book.folder / name, name) != svg.encode("utf-8")
    )


def _compared(found: Finding, records: Records) -> Finding:
    """Return *found* with what has changed since it was recorded."""
    record = records.get(found.key)
    if record is None:
        return replace(found, known=False)
    rendered = found.rendered
    answer = rendered.answers[0] if rendered.weighed else None
    moved = found.state == "right" and record.value != rendered.value
    told = changes(record.inputs, rendered.inputs, answer)
    state = "moved" if moved else found.state
    return replace(found, state=state, changes=told, reshaped=record.shape != rendered.shape)


# ---- sentences of the author's


def _tied(slot: Slot, book: Book, host: Host, records: Records) -> Finding | Faults:
    one = answered(slot.embed, book.ask(slot.embed))
    if not isinstance(one, Found):
        return one
    wanted = wanted_of(slot.embed, book, one)
    if isinstance(wanted, Diagnostic):
        return (wanted,)
    rendered = render(slot.embed, book, host)
    if isinstance(rendered, tuple):
        return rendered
    try:
        claim = claim_of(slot.inner, one.answer.dimension or NONE, wanted.unit, wanted.locale)
        right = all(_holds(slot, one, claim, value) for value in _ends(one.answer))
    except Unclear as why:
        return (_unclear(slot, str(why)),)
    said = _said(one.answer, wanted, claim)
    found = Finding(slot, rendered, "right" if right else "false", slot.inner, said)
    return _compared(found, records)


def _holds(slot: Slot, found: Found, claim: Claim, value: Fraction) -> bool:
    return holds(claim, value, slot.embed.options, found.scenario.file.units)


def _ends(answer: Answer) -> Iterator[Fraction]:
    """Yield the number that a sentence is about; of a range both ends, for each of which it is."""
    match answer.value:
        case Fraction():
            yield answer.value
        case Bounds(low=low, high=high) if isinstance(low, Fraction) and isinstance(high, Fraction):
            yield from (low, high)
        case _:
            raise Unclear("its answer is no number")


def _said(answer: Answer, wanted: Wanted, claim: Claim) -> str:
    """Return the value in the unit of the sentence, with the digits of the language."""
    plain = Wanted(significant=wanted.significant, unit=claim.unit, locale=wanted.locale)
    return number_text(answer.value, answer.dimension, plain)


def _unclear(slot: Slot, why: str) -> Diagnostic:
    place = Label(slot.marked.inner if slot.marked.inner.text else slot.marked.opening, why)
    mend = "put the marks around the one number that is meant, and what belongs to it"
    message = f"this sentence cannot be held against `{slot.embed.subject}`"
    return Diagnostic("unclear-sentence", message, place, help=mend)
