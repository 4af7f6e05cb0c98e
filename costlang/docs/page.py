"""A page: its text as its bytes say it, its embeds, and the same page with them filled."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from costlang.docs.disk import Unread, bytes_of
from costlang.docs.front import Front, front_of
from costlang.docs.marks import Marked, lines_of, marked
from costlang.docs.words import Embed, embed_of
from costlang.text import Diagnostic, Label, Severity, Source, Span

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CODING = re.compile(rb"coding[:=][ \t]*([-\w.]+)")
_READ = ("utf-8", "ascii", "iso8859-1", "iso8859-15", "cp1252")
"""The encodings that a page without a mark of byte order may name."""


@dataclass(frozen=True)
class Slot:
    """An embed of a page: where it stands, and what it asks for."""

    marked: Marked
    embed: Embed

    @property
    def inner(self) -> str:
        """What stands between the marks now, lines joined by a plain line end."""
        text = self.marked.inner.text
        if self.marked.margin is None:
            return text
        return "\n".join(lines_of(text, self.marked.margin))


@dataclass(frozen=True)
class Page:
    """
    A page as it was read.

    *bom* are the bytes before its text, which is in *encoding*.
    """

    path: Path
    source: Source
    front: Front
    slots: tuple[Slot, ...]
    bom: bytes = b""
    encoding: str = "utf-8"

    def filled(self, texts: Mapping[int, str]) -> str:
        """Return the text of the page with *texts* in the slots of these numbers."""
        text = self.source.text
        pieces: list[str] = []
        at = 0
        for number, slot in enumerate(self.slots):
            inner = slot.marked.inner
            if number in texts and texts[number] != slot.inner:
                pieces += [text[at : inner.start], self._set(slot.marked, texts[number])]
                at = inner.end
        return "".join([*pieces, text[at:]])

    def _set(self, place: Marked, text: str) -> str:
        """Return what is to stand between the marks of *place*, in the page's own line ends."""
        if place.margin is None:
            return text
        end = "\r\n" if re.match(r"[ \t]*\r\n", place.inner.text) else "\n"
        lines = [f"{place.margin}{line}".rstrip() for line in text.split("\n")] if text else []
        return end + "".join(f"{line}{end}" for line in lines) + place.margin

    def data(self, text: str) -> bytes:
        """Return the bytes of the page with another *text*; raises `UnicodeEncodeError`."""
        return self.bom + text.encode(self.encoding)


def page_of(path: Path, name: str) -> tuple[Page | None, tuple[Diagnostic, ...]]:
    """Return the page at *path*, called *name*, and what is wrong with its marks and its words."""
    data = bytes_of(path, name)
    if isinstance(data, Unread):
        place = Label(Span(Source(name, ""), 0, 0), "")
        return None, (Diagnostic(data.code, data.message, place),)
    bom, encoding = _encoding(data)
    try:
        text = data[len(bom) :].decode(encoding)
    except UnicodeDecodeError as error:
        return None, (_undecodable(name, data, error),)
    return page_in(path, Source(name, text), bom, encoding)


def page_in(
    path: Path, source: Source, bom: bytes = b"", encoding: str = "utf-8"
) -> tuple[Page, tuple[Diagnostic, ...]]:
    """Return the page whose text is *source*, and what is wrong with its marks and its words."""
    front, faults = front_of(source)
    places, wrong = marked(source, front.end)
    slots: list[Slot] = []
    below: list[Diagnostic] = []
    for place in places:
        embed = embed_of(place.words, inline=not place.is_block)
        if isinstance(embed, Embed):
            slots.append(Slot(place, embed))
            below.extend(_first_in_line(place))
        else:
            below.extend(embed)
    page = Page(path, source, front, tuple(slots), bom, encoding)
    return page, (*faults, *wrong, *below)


_CONTAINERS = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*")


def _first_in_line(place: Marked) -> Iterator[Diagnostic]:
    """Warn of an embed within a line that begins it: Markdown takes such a line for HTML."""
    text, start = place.opening.source.text, place.opening.start
    before = text[text.rfind("\n", 0, start) + 1 : start]
    if place.margin is None and _CONTAINERS.fullmatch(before):
        label = Label(place.opening, "its line is read as HTML, and not as Markdown")
        message = "a line of text begins with an embed"
        mend = "put a word before it, or its marks on lines of their own"
        yield Diagnostic("embed-begins-line", message, label, help=mend, severity=Severity.WARNING)


# ---- bytes


def _encoding(data: bytes) -> tuple[bytes, str]:
    for bom, name in _BOMS:
        if data.startswith(bom):
            return bom, name
    named = _CODING.search(b"".join(data.splitlines(keepends=True)[:5]))
    try:
        found = codecs.lookup(named[1].decode("ascii")).name if named else "utf-8"
    except LookupError:
        found = "utf-8"
    return b"", found if found in _READ else "utf-8"


def _undecodable(name: str, data: bytes, error: UnicodeDecodeError) -> Diagnostic:
    source = Source(name, data.decode("utf-8", "replace"))
    at = min(len(data[: error.start].decode("utf-8", "replace")), len(source.text))
    place = Label(Span(source, at, at + 1), f"here stands the byte 0x{data[error.start]:02X}")
    mend = "save the page as UTF-8, or name its encoding in a comment: `coding: latin-1`"
    return Diagnostic("not-utf8", f"`{name}` is not UTF-8", place, help=mend)


# ---- which pages


def page_files(paths: tuple[str, ...]) -> Iterator[str]:
    """
    Yield each of *paths*, a folder as the Markdown files below it, in order.

    Passed over are hidden folders, `node_modules`, and links out of the folder.
    """
    for text in paths:
        path = Path(text)
        if not path.is_dir():
            yield text
            continue
        root = path.resolve()
        found = (file for ending in ("*.md", "*.markdown") for file in path.rglob(ending))
        for file in sorted(found):
            parts = file.relative_to(path).parts
            hidden = any(part.startswith(".") or part == "node_modules" for part in parts[:-1])
            if not hidden and file.is_file() and file.resolve().is_relative_to(root):
                yield str(file)
