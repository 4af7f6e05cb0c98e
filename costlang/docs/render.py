"""
What stands between the marks of an embed: the one pure function that every host calls.

`render(embed, book, host)` gives the text, with all that it was made of, or what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from costlang.answer import Answer
from costlang.docs.book import Book, Found, Place
from costlang.docs.exactly import digest, exactly
from costlang.docs.formulas import Subject, Writer, stacked, subject_of
from costlang.docs.host import Host
from costlang.docs.inputs import Input, inputs_of, shape_of
from costlang.docs.numbers import UnknownLocale, Wanted, localized, number_text
from costlang.docs.pictures import PICTURES, Drawn, answers_of, drawn, place_of
from costlang.docs.tables import Rows, compared, table_of
from costlang.docs.words import Embed
from costlang.emit.answer_line import answer_text
from costlang.emit.math import legend
from costlang.formula import graph as g
from costlang.model.work import TooMuchWork, roomy, sentence
from costlang.text import Diagnostic, Label
from costlang.units import NONE, Unit

FORMULAS = ("symbolic", "where", "numeric", "derivation")


@dataclass(frozen=True)
class Rendered:
    """
    What an embed comes to.

    *text* is to stand between its marks, a block in several lines. *key* names the question,
    *value* says all of the answer, *shape* is a digest of its formula; *inputs* are what it was
    made of. *weighed* is whether nothing but the number of its one answer is shown. *files* are
    pictures to be written beside the page, by their paths from it.
    """

    text: str
    key: str
    value: str
    shape: str
    inputs: tuple[Input, ...]
    answers: tuple[Answer, ...]
    files: tuple[tuple[str, str], ...] = ()
    weighed: bool = False


Faults = tuple[Diagnostic, ...]


@sentence()
def render(
    embed: Embed, book: Book, host: Host, *, beside_mathematics: bool = False
) -> Rendered | Faults:
    """
    Return what *embed* comes to on *host*, or what is wrong with it.

    *beside_mathematics* is whether its paragraph has formulas, beside which a dollar would be one
    of theirs. Raises `NeedsBabel` where the locale needs what is not installed.
    """
    rendering = _Rendering(embed, book, host, beside_mathematics)
    try:
        with roomy():
            return rendering.rendered()
    except _Wrong as wrong:
        return (wrong.fault,)
    except TooMuchWork:
        words = "too-much-work", "this takes more work than is done for one embed"
    except RecursionError:
        words = "nesting-too-deep", "this nests deeper than is worked out"
    return (Diagnostic(*words, Label(embed.place, "asked here")),)


class _Wrong(Exception):
    def __init__(self, fault: Diagnostic) -> None:
        self.fault = fault


@dataclass(frozen=True)
class _Rendering:
    embed: Embed
    book: Book
    host: Host
    beside_mathematics: bool

    def rendered(self) -> Rendered | Faults:
        if self.embed.options.view == "compare":
            return self._compared()
        if self.embed.options.view == "roofline":
            return self._roofline()
        found = self.book.ask(self.embed)
        one = answered(self.embed, found)
        if not isinstance(one, Found):
            return one
        wanted = wanted_of(self.embed, self.book, one)
        if isinstance(wanted, Diagnostic):
            return (wanted,)
        view = self.embed.options.view
        if view in PICTURES:
            picture = drawn(self.embed, self.book, place_of(one), one.asked)
            if not isinstance(picture, Drawn):
                return picture
            return self._picture(picture, f"{one.key} ({view})", (one.answer,))
        text = self._text(one, wanted)
        inputs = inputs_of(one.answer)
        value = exactly(one.answer.value, one.answer.dimension)
        if view != "value" or one.answer.value is None:
            value = f"{view} {digest(text)}"
        if view in ("symbolic", "where"):
            shown = _shown(one.answer) if view == "where" else ()
            inputs = tuple(i for i in inputs if i.number is None or i.name in shown)
        key = one.key if view == "value" else f"{one.key} ({view})"
        weighed = view == "value"
        shape = shape_of(one.answer)
        return Rendered(text, key, value, shape, inputs, (one.answer,), weighed=weighed)

    def _text(self, found: Found, wanted: Wanted) -> str:
        view = self.embed.options.view
        if view == "value":
            return self._value(found.answer, wanted)
        if view in FORMULAS:
            return self._formula(found.answer, wanted)
        if view == "table":
            return self._table(found.answer, wanted)
        raise AssertionError(view)

    def _wrong(self, option: str, message: str, label: str) -> _Wrong:
        place = Label(self.embed.placed(option), label)
        return _Wrong(Diagnostic("wrong-option", message, place))

    def _value(self, answer: Answer, wanted: Wanted) -> str:
        text = answer_text(answer)
        if answer.value is not None:
            text = number_text(answer.value, answer.dimension, wanted)
        return self.host.money(text, beside_mathematics=self.beside_mathematics)

    # ---- pictures

    def _picture(self, picture: Drawn, key: str, answers: tuple[Answer, ...]) -> Rendered:
        found = {item.name: item for answer in answers for item in inputs_of(answer)}
        inputs = tuple(found[name] for name in sorted(found))
        value = f"picture {digest(picture.svg)}"
        files = ((picture.file, picture.svg),)
        return Rendered(picture.link, key, value, "", inputs, answers, files)

    def _roofline(self) -> Rendered | Faults:
        found = self.book.scenarios(self.embed)
        (place, *others) = found
        if not isinstance(place, Place) or others:
            wrong = tuple(item for item in found if isinstance(item, Diagnostic))
            return wrong or (self._wrong("place", "a roofline is of one scenario", "").fault,)
        picture = drawn(self.embed, self.book, place, place.scenario.name)
        if not isinstance(picture, Drawn):
            return picture
        key = f"{place.spec}: {place.scenario.name} (roofline)"
        return self._picture(picture, key, tuple(answers_of(place)))

    # ---- formulas

    def _formula(self, answer: Answer, wanted: Wanted) -> str:
        writer = Writer(self.host, wanted)
        subject = subject_of(answer)
        if subject is None:
            raise self._wrong("view", "this answer has no formula", "asked for here")
        if self.embed.options.view in ("numeric", "derivation"):
            return self._steps(answer, writer)
        if self.embed.inline:
            return self._inline_formula(writer, subject)
        lines = self.host.display(writer.symbolic(subject))
        if self.embed.options.view == "where":
            items = [f"- {self.host.formula(line)}" for line in writer.where(subject)]
            items += [f"- {self._symbol(*each)}" for each in writer.symbols(subject)]
            lines += ["", *items] if items else []
        return _joined(lines)

    def _symbol(self, text: str, value: str, symbol: g.Sym) -> str:
        """Return a symbol with its name in the spec, where it has another one, and its value."""
        name = self.host.code(symbol.path[-1])
        shown = self.host.formula(text)
        value = self.host.money(value, beside_mathematics=True)
        return f"{shown} {name}{f': {value}' if value else ''}"

    def _inline_formula(self, writer: Writer, subject: Subject) -> str:
        if self.embed.options.view == "where":
            raise self._needs_lines("a list")
        return self.host.formula(writer.symbolic(subject))

    def _steps(self, answer: Answer, writer: Writer) -> str:
        options = self.embed.options
        depth = options.depth if options.view == "derivation" else 1
        chains = writer.steps(answer, depth)
        if not chains:
            raise self._wrong("view", "this answer has no formula to put numbers into", "")
        if self.embed.inline:
            if options.view == "derivation":
                raise self._needs_lines("a derivation")
            return self.host.formula(" = ".join(chains[-1]))
        lines = [line for chain in chains for line in self._display(writer, chain)]
        return _joined(lines)

    def _display(self, writer: Writer, chain: list[str]) -> list[str]:
        return self.host.display(stacked(writer.style, chain))

    def _needs_lines(self, what: str) -> _Wrong:
        return self._wrong("view", f"{what} needs its marks on lines of their own", "within a line")

    # ---- tables

    def _table(self, answer: Answer, wanted: Wanted) -> str:
        options = self.embed.options
        rows = table_of(answer, wanted, options.depth, options.remarks)
        if rows is None:
            raise self._wrong("view", "this answer is no table", "a sweep or a breakdown is one")
        return self._laid(rows)

    def _laid(self, rows: Rows) -> str:
        if self.embed.inline:
            raise self._needs_lines("a table")
        lines, right = rows
        titles = self.embed.options.titles
        if titles is not None:
            given = [title.strip() for title in titles.split(",")]
            if len(given) != len(lines[0]):
                message = f"this table has {len(lines[0])} columns, and {len(given)} titles"
                raise self._wrong("titles", message, "one for each, with commas between")
            lines = [given, *lines[1:]]
        return _joined(self.host.table(lines, right))

    def _compared(self) -> Rendered | Faults:
        found = self.book.scenarios(self.embed)
        places = [place for place in found if isinstance(place, Place)]
        if len(places) < len(found):
            return tuple(item for item in found if isinstance(item, Diagnostic))
        wanted = wanted_of(self.embed, self.book, None)
        if isinstance(wanted, Diagnostic):
            return (wanted,)
        columns = [(place.scenario.name, dict(_questions(place))) for place in places]
        text = self._laid(compared(columns, wanted))
        answers = [(name, answer) for name, each in columns for answer in each.values()]
        inputs = {
            item.name: item
            for name, answer in answers
            for item in (replace(i, name=f"{name}/{i.name}") for i in inputs_of(answer))
        }
        key = f"{places[0].spec}: {', '.join(name for name, _ in columns)} (compare)"
        value, shape = f"compare {digest(text)}", ""
        listed = tuple(inputs[name] for name in sorted(inputs))
        return Rendered(text, key, value, shape, listed, tuple(a for _, a in answers))


def _questions(place: Place) -> Iterator[tuple[str, Answer]]:
    """Yield each question of a scenario that has one answer, with that."""
    from costlang import pipeline

    for slot in place.scenario.queries():
        answers = pipeline.ask_scenario(place.model, place.scenario, slot.name).answers
        if len(answers) == 1 and answers[0].sweep is None and answers[0].breakdown is None:
            yield slot.name, answers[0]


def _shown(answer: Answer) -> set[str]:
    """Return the names of the inputs whose values stand below the formula of *answer*."""
    subject = subject_of(answer)
    if subject is None:
        return set()
    return {".".join(symbol.path) for _, symbol in legend(subject.node, "text")}


def _joined(lines: list[str]) -> str:
    return "\n".join(lines)


# ---- what is asked, and how it is wanted


def answered(embed: Embed, found: tuple[Found, ...] | Faults) -> Found | Faults:
    """Return the one answer that *embed* is about, or why there is not just one."""
    answers = [item for item in found if isinstance(item, Found)]
    if len(answers) < len(found):
        return tuple(item for item in found if isinstance(item, Diagnostic))
    item = embed.options.item
    if item is None and len(answers) > 1:
        words = ", ".join(f"{at} {each.answer.expression}" for at, each in enumerate(answers, 1))
        message = f"`{embed.subject}` has {len(answers)} answers"
        place = Label(embed.place, "one of them belongs here")
        mend = f"say which with `item=`: {words}"
        return (Diagnostic("which-answer", message, place, help=mend),)
    if item is not None and item > len(answers):
        message = f"`{embed.subject}` has no answer {item}"
        return (Diagnostic("which-answer", message, Label(embed.placed("item"), "no such answer")),)
    one = answers[(item or 1) - 1]
    return _without_value(embed, one) or one


def _without_value(embed: Embed, found: Found) -> Faults:
    """Say why *found* can stand in no page: it has no value, and none is wanted without one."""
    answer = found.answer
    if answer.note is not None:
        primary = Label(embed.place, answer.note.primary.text)
        return (replace(answer.note, primary=primary, labels=(), edit=None),)
    if answer.free and embed.options.view not in ("symbolic", "where"):
        names = ", ".join(f"`{name}`" for name in answer.free)
        message = f"`{embed.subject}` has no number: nothing sets {names}"
        mend = "set it in the spec, or ask for `view=symbolic`"
        return (Diagnostic("no-number", message, Label(embed.place, "a formula"), help=mend),)
    return ()


def wanted_of(embed: Embed, book: Book, found: Found | None) -> Wanted | Diagnostic:
    """Return how numbers are wanted in *embed*, or what is wrong with its unit or its locale."""
    options = embed.options
    locale = options.locale or book.locale or "en"
    try:
        localized("0", locale)
    except UnknownLocale:
        message = f"there is no locale `{locale}`"
        place = Label(embed.placed("locale"), "no locale")
        return Diagnostic("wrong-option", message, place, help="a locale is `pt_BR` or `de`")
    unit = _unit(embed, found)
    if isinstance(unit, Diagnostic):
        return unit
    return Wanted(
        options.digits,
        options.significant,
        unit,
        options.words,
        options.bare,
        options.sign,
        locale,
    )


def _unit(embed: Embed, found: Found | None) -> Unit | Diagnostic | None:
    text = embed.options.unit
    if text is None:
        return found.answer.unit if found is not None else None
    table = found.scenario.file.units if found is not None else None
    unit = table.parse(text) if table is not None else None
    at = embed.placed("unit")
    if not isinstance(unit, Unit):
        message = unit.message if unit is not None else f"`{text}` is a unit of nothing here"
        return Diagnostic("unknown-unit", message, Label(at, "no unit"))
    dimension = found.answer.dimension if found is not None else None
    if unit.dimension != (dimension or NONE):
        message = f"`{text}` measures {unit.dimension}, and this is in {dimension or NONE}"
        return Diagnostic("wrong-option", message, Label(at, "another dimension"))
    return unit
