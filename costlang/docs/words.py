"""What an embed asks for: its subject and its options, read from the words of its mark."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from costlang.text import Diagnostic, Label, Source, Span
from costlang.text.near import did_you_mean, near_names

_OPTION = re.compile(r'(?P<name>[A-Za-z][\w-]*)(?:=(?P<value>"[^"]*"|[^\s"]*))?(?=\s|$)')
_NAME = re.compile(r"\s*[A-Za-z_][\w]*(?:\s*\.\s*[A-Za-z_][\w]*|\[\w+\])*")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s*%")

VIEWS = (
    *("value", "symbolic", "where", "numeric", "derivation"),
    *("table", "compare", "picture", "roofline", "curve", "bars"),
)
MOST_DIGITS = 100


@dataclass(frozen=True)
class Options:
    """
    How the answer is to stand in the page; docs/embedding.md has each of them.

    *digits* count after the point, *significant* from the first on. The options from *about* on tie
    a sentence that stays as its author wrote it.
    """

    view: str = "value"
    spec: str | None = None
    scenario: str | None = None
    item: int | None = None
    digits: int | None = None
    significant: int | None = None
    unit: str | None = None
    words: str | None = None
    bare: bool = False
    sign: str = "auto"
    locale: str | None = None
    depth: int = 1
    file: str | None = None
    alt: str | None = None
    title: str | None = None
    titles: str | None = None
    marks: str | None = None
    along: str | None = None
    remarks: str | None = None
    about: bool = False
    within: str | None = None
    over: bool = False
    under: bool = False

    @property
    def ties(self) -> bool:
        """Whether the text between the marks is the author's, and is only checked."""
        return self.about or self.over or self.under or self.within is not None


@dataclass(frozen=True)
class Embed:
    """
    A question of a page.

    *names* are dotted names of what is asked, and *question* is the question in words where it is
    asked so; *place* is where that stands, and *inline* is whether it stands within a line.
    """

    names: tuple[str, ...]
    question: str | None
    options: Options
    place: Span
    inline: bool = True
    places: dict[str, Span] = field(default_factory=dict, compare=False)

    @property
    def subject(self) -> str:
        """What is asked, in words."""
        return self.question if self.question is not None else ", ".join(self.names)

    def placed(self, option: str) -> Span:
        """Return where *option* was written, else where the question was."""
        return self.places.get(option, self.place)


def embed_of(words: Span | str, *, inline: bool = True) -> Embed | tuple[Diagnostic, ...]:
    """
    Return what the *words* of a mark ask for, or what is wrong with them.

    They begin with `:` before names, or with `=` before a question in the words of the language;
    without either they are names.
    """
    span = Span(Source("<embed>", words), 0, len(words)) if isinstance(words, str) else words
    text = span.text
    if text.lstrip().startswith("="):
        return _question(span, text.index("=") + 1, inline)
    at = text.index(":") + 1 if text.lstrip().startswith(":") else 0
    return _names(span, at, inline)


def _names(span: Span, at: int, inline: bool) -> Embed | tuple[Diagnostic, ...]:
    text = span.text
    names: list[str] = []
    start = at
    while (found := _NAME.match(text, at)) is not None:
        names.append("".join(found.group().split()))
        at = found.end()
        comma = re.compile(r"\s*,").match(text, at)
        if comma is None:
            break
        at = comma.end()
    if not names or not re.compile(r"\s|$").match(text, at):
        place = Label(_part(span, start, len(text)), "the name of a question belongs here")
        mend = "write `cost: scenario.question`, or `cost= expression`"
        return (Diagnostic("empty-embed", "an embed asks for nothing", place, help=mend),)
    embed = Embed(tuple(names), None, Options(), _part(span, start, at), inline)
    return _with_options(embed, span, at)


def _question(span: Span, at: int, inline: bool) -> Embed | tuple[Diagnostic, ...]:
    text = span.text
    bar = text.find("|", at)
    end = bar if bar >= 0 else len(text)
    place = _part(span, at, end)
    question = " ".join(text[at:end].split())
    if not question:
        label = Label(_part(span, 0, len(text)), "an expression belongs behind the `=`")
        return (Diagnostic("empty-embed", "an embed asks for nothing", label),)
    return _with_options(Embed((), question, Options(), place, inline), span, end + 1)


def _part(span: Span, start: int, end: int) -> Span:
    """Return a stretch of *span* without the spaces around it."""
    text = span.text[start:end]
    left = len(text) - len(text.lstrip())
    found = Span(span.source, span.start + start + left, span.start + start + len(text.rstrip()))
    return found if found.end > found.start else Span(span.source, span.start, span.end)


# ---- options


def _with_options(embed: Embed, span: Span, at: int) -> Embed | tuple[Diagnostic, ...]:
    faults: list[Diagnostic] = []
    values: dict[str, Any] = {}
    places: dict[str, Span] = {}
    for word in _words(span, at):
        found = _option(word)
        if isinstance(found, Diagnostic):
            faults.append(found)
        elif found[0] in values:
            label = Label(word, "given before")
            message = f"`{word.text}` says again what is said before"
            faults.append(Diagnostic("wrong-option", message, label))
        else:
            values[found[0]], places[found[0]] = found[1], word
    options = replace(embed.options, **values)
    faults.extend(_together(options, places))
    return tuple(faults) or replace(embed, options=options, places=places)


def _words(span: Span, at: int) -> Iterator[Span]:
    """Yield each option with its value; what is none, as far as the next space."""
    text = span.text
    piece = re.compile(r'\S+?=?"[^"]*"(?=\s|$)|\S+')
    for found in piece.finditer(text, min(at, len(text))):
        yield Span(span.source, span.start + found.start(), span.start + found.end())


def _option(word: Span) -> tuple[str, object] | Diagnostic:
    found = _OPTION.fullmatch(word.text)
    name = found["name"] if found is not None else word.text.partition("=")[0]
    if found is None or name not in OPTIONS:
        mend = did_you_mean(near_names(name, OPTIONS))
        known = f"known are {', '.join(OPTIONS)}"
        message = f"an embed has no option `{name}`"
        return Diagnostic("wrong-option", message, Label(word, "no option"), help=mend or known)
    key, read, wanted = OPTIONS[name]
    text = found["value"].strip('"') if found["value"] is not None else None
    value = read(text)
    if value is None:
        message = f"`{name}` cannot be this"
        return Diagnostic("wrong-option", message, Label(word, wanted))
    return key, value


Read = Callable[[str | None], object]


def _flag(text: str | None) -> bool | None:
    return True if text is None else None


def _text(text: str | None) -> str | None:
    return text or None


def _count(least: int, most: int) -> Read:
    def read(text: str | None) -> int | None:
        whole = text is not None and text.isascii() and text.isdecimal() and len(text) < 9
        return int(text) if whole and text and least <= int(text) <= most else None

    return read


def _one_of(*known: str) -> Read:
    return lambda text: text if text in known else None


OPTIONS: dict[str, tuple[str, Read, str]] = {
    "view": ("view", _one_of(*VIEWS), f"one of {', '.join(VIEWS)}"),
    "spec": ("spec", _text, "the path of a spec belongs behind `=`"),
    "in": ("scenario", _text, "the name of a scenario belongs behind `=`"),
    "item": ("item", _count(1, 1000), "a whole number from 1 on belongs behind `=`"),
    "digits": ("digits", _count(0, MOST_DIGITS), f"0 to {MOST_DIGITS}, the digits after the point"),
    "significant": ("significant", _count(1, MOST_DIGITS), f"1 to {MOST_DIGITS} digits"),
    "unit": ("unit", _text, "a unit belongs behind `=`"),
    "as": ("words", _text, "words for the unit belong behind `=`"),
    "bare": ("bare", _flag, "this takes no value"),
    "sign": ("sign", _one_of("auto", "always", "never"), "auto, always or never"),
    "locale": ("locale", _text, "a locale such as pt_BR belongs behind `=`"),
    "depth": ("depth", _count(1, 9), "1 to 9"),
    "file": ("file", _text, "the path of a picture belongs behind `=`"),
    "alt": ("alt", _text, "the words for who does not see the picture belong behind `=`"),
    "title": ("title", _text, "a title belongs behind `=`"),
    "marks": ("marks", _text, "questions to be marked, with commas between"),
    "along": ("along", _text, 'an axis such as "batch in {1, 8}" belongs behind `=`'),
    "titles": ("titles", _text, "a title for each column, with commas between"),
    "remarks": ("remarks", _text, "a title for what bounds each row"),
    "about": ("about", _flag, "this takes no value"),
    "within": ("within", _text, "a tolerance such as 5% belongs behind `=`"),
    "over": ("over", _flag, "this takes no value"),
    "under": ("under", _flag, "this takes no value"),
}
"""Each option by its word: the field that it sets, how it is read, and what it may be."""


def _together(options: Options, places: dict[str, Span]) -> Iterator[Diagnostic]:
    """Yield what is wrong with options that do not go with each other."""
    pairs = (
        *(("digits", "significant"), ("bare", "words"), ("over", "under")),
        *(("about", "within"), ("about", "over"), ("about", "under")),
        *(("within", "over"), ("within", "under")),
    )
    for first, second in pairs:
        if first in places and second in places:
            yield _clash(places[second], places[first])
    if options.ties and options.view != "value":
        tie = next(places[name] for name in ("about", "within", "over", "under") if name in places)
        yield _clash(tie, places["view"])


def _clash(second: Span, first: Span) -> Diagnostic:
    message = f"`{second.text}` does not go with `{first.text}`"
    return Diagnostic("wrong-option", message, Label(second, "leave one of them out"))


def percentage(text: str) -> Fraction | None:
    """Return the share that `5%` is, None of anything else."""
    found = _PERCENT.fullmatch(text.strip())
    return Fraction(found[1]) / 100 if found is not None else None
