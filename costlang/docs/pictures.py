"""Pictures of a page: curves, bars and rooflines, as files beside it and a link in it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from costlang import pipeline
from costlang.answer import Answer
from costlang.docs.book import Book, Found, Place
from costlang.docs.words import Embed
from costlang.drawing import ROOFLINE, Names, Wanted, draw
from costlang.emit.picture import Style
from costlang.loader.resolve import project_root
from costlang.text import Diagnostic, Label

PICTURES = ("picture", "curve", "bars", "roofline")
_PLAIN = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True)
class Drawn:
    """A picture: the path from its page, its SVG, and the words for who does not see it."""

    file: str
    svg: str
    alt: str

    @property
    def link(self) -> str:
        """The line of Markdown that shows it."""
        alt = self.alt.replace("[", "(").replace("]", ")")
        return f"![{alt}]({self.file.replace(' ', '%20')})"


def drawn(embed: Embed, book: Book, place: Place, asked: str) -> Drawn | tuple[Diagnostic, ...]:
    """Return the picture of the question *asked* in *place*, or why there is none."""
    options = embed.options
    file = _file(embed, book, place, asked)
    if isinstance(file, Diagnostic):
        return (file,)
    name = os.path.normpath(book.folder / place.spec)
    roofline = options.view == "roofline"
    wanted = Wanted(
        ROOFLINE if roofline else asked,
        name,
        of=place.scenario.name,
        over=options.along or "",
        marks=tuple(_listed(options.marks)),
        style=Style(title=options.title or ""),
    )
    found = draw(wanted)
    if found.svg is None:
        return tuple(_told(embed, item) for item in found.diagnostics) or (
            _wrong(embed, "view", found.why),
        )
    alt = options.alt or options.title or (f"roofline of {asked}" if roofline else asked)
    return Drawn(file, found.svg, alt)


def _listed(text: str | None) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()] if text else []


def _told(embed: Embed, item: Diagnostic) -> Diagnostic:
    return Diagnostic(
        item.code, item.message, Label(embed.place, item.primary.text), help=item.help
    )


def _wrong(embed: Embed, option: str, message: str) -> Diagnostic:
    return Diagnostic("wrong-option", message, Label(embed.placed(option), "no picture"))


# ---- where it is written


def _file(embed: Embed, book: Book, place: Place, asked: str) -> str | Diagnostic:
    """Return the path of the picture, seen from the page."""
    named = embed.options.file
    if named is None:
        words = _PLAIN.sub("-", f"{place.scenario.name}-{asked}").strip("-").lower()
        return f"{words[:60].strip('-')}-{embed.options.view}.svg"
    path = book.folder / named
    real = Path(os.path.realpath(path))
    if not real.is_relative_to(project_root(book.folder)):
        label = Label(embed.placed("file"), "leads out of the project")
        return Diagnostic("outside-project", "a page draws only in its own project", label)
    if real.suffix != ".svg":
        return _wrong(embed, "file", "a picture is written to a file in `.svg`")
    if not real.parent.is_dir():
        return _wrong(embed, "file", f"there is no folder `{os.path.normpath(path.parent)}`")
    return Path(named).as_posix()


# ---- what it was made of


def answers_of(place: Place) -> Iterator[Answer]:
    """Yield the answers behind a roofline: of each phase in use, its two coordinates."""
    names = Names()
    for use in place.scenario.uses():
        pair = f"{use.name}.{names.x}, {use.name}.{names.y}"
        report = pipeline.ask_scenario(place.model, place.scenario, pair, with_formula=True)
        if report.usable:
            yield from report.answers


def place_of(found: Found) -> Place:
    """Return where an answer was asked."""
    return Place(found.spec, found.model, found.scenario)
