"""A page that its host fills in while it builds: the text with its embeds, from memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from costlang.docs.book import Book, Named, Shelf
from costlang.docs.findings import Finding, finding
from costlang.docs.host import Host
from costlang.docs.page import Page, page_in
from costlang.docs.report import message
from costlang.docs.work import near_mathematics
from costlang.model.work import roomy
from costlang.text import Diagnostic, Source

Shown = Callable[[str, str], str]
"""Returns what stands in the page for a picture, from its SVG and the line that would link it."""


@dataclass(frozen=True)
class Settings:
    """What holds for the pages that do not settle it themselves: specs, a scenario, a locale."""

    specs: tuple[str, ...] = ()
    scenario: str | None = None
    locale: str | None = None


@dataclass(frozen=True)
class Filled:
    """
    A page as its host is to read it.

    *files* are the specs that it was made of, with all that they import; *faults* are what is
    wrong, a sentence that no longer holds included, and then *text* is not to be shown.
    """

    text: str
    files: tuple[Path, ...] = ()
    faults: tuple[Diagnostic, ...] = ()


@dataclass
class Filling:
    """Fills the pages of one build; each spec is read once."""

    host: Host
    settings: Settings = field(default_factory=Settings)
    shown: Shown | None = None
    shelf: Shelf = field(default_factory=Shelf)

    def filled(self, text: str, path: Path, name: str | None = None) -> Filled:
        """Return the page *text* that stands at *path*, called *name*, with its embeds filled."""
        page, faults = page_in(path, Source(name or str(path), text))
        if not page.slots and not faults:
            return Filled(text)
        book = self.book(path, page)
        texts: dict[int, str] = {}
        found: list[Diagnostic] = list(faults)
        for number, slot in enumerate(page.slots):
            with roomy():
                near = near_mathematics(page, slot)
                each = finding(slot, book, self.host, {}, near_math=near)
            if not isinstance(each, Finding):
                found.extend(each)
            elif each.state == "false":
                found.append(message(each))
            elif not slot.embed.options.ties:
                texts[number] = self._shown(each)
        wrong = tuple(item for item in found if item.is_error)
        return Filled(_unmarked(page, texts), self.files(book), wrong)

    def book(self, path: Path, page: Page | None = None) -> Book:
        """Return what the embeds of the page at *path* may ask."""
        specs: Sequence[Named] = [Named(text, None) for text in self.settings.specs]
        scenario, locale = self.settings.scenario, self.settings.locale
        if page is not None:
            front = page.front
            specs = [Named(word.text, word.span) for word in front.specs] or specs
            named, spoken = front.option("scenario"), front.option("locale")
            scenario = named.text if named is not None else scenario
            locale = spoken.text if spoken is not None else locale
        return Book(path.parent, tuple(specs), scenario, locale, self.shelf)

    def files(self, book: Book) -> tuple[Path, ...]:
        """Return the specs that *book* read so far, with all that they import."""
        names: dict[Path, None] = {}
        for path, model in book.shelf.models.items():
            names[path] = None
            names.update(dict.fromkeys(Path(key) for key in model.files))
        return tuple(path.resolve() for path in names if path.is_file())

    def _shown(self, found: Finding) -> str:
        files = found.rendered.files
        if files and self.shown is not None:
            return self.shown(files[0][1], found.new)
        return found.new


def _unmarked(page: Page, texts: dict[int, str]) -> str:
    """
    Return the page with *texts* in the place of its embeds, marks and all.

    No comment is left: a line that begins with one would be read as HTML, formulas and all. A block
    stands between empty lines, as the comments set it apart before.
    """
    text = page.source.text
    pieces: list[str] = []
    at = 0
    for number, slot in enumerate(page.slots):
        place = slot.marked
        new = texts.get(number, slot.inner)
        pieces += [text[at : place.opening.start], _set_apart(new, place.margin)]
        at = place.end
    return "".join([*pieces, text[at:]])


def _set_apart(text: str, margin: str | None) -> str:
    if margin is None:
        return text
    lines = [f"{margin}{line}".rstrip() for line in text.split("\n")]
    return "\n".join(["", *lines, margin.rstrip()])
