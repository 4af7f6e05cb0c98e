"""All pages of a run: read, worked out and compared first, and only then written."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from costlang.docs.book import Book, Named, Shelf
from costlang.docs.disk import bytes_of
from costlang.docs.findings import Finding, finding
from costlang.docs.host import HOSTS, Host, host_of
from costlang.docs.lock import NAME, Record, Records, kept, lock_text, read_lock
from costlang.docs.marks import marked
from costlang.docs.page import Page, Slot, page_of
from costlang.docs.render import FORMULAS
from costlang.files import write_data
from costlang.text import Diagnostic, Label, Source, in_source_order
from costlang.text.near import did_you_mean, near_names

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Work:
    """A page with what was found of its embeds, in their order."""

    page: Page
    findings: tuple[Finding, ...]

    @property
    def text(self) -> str:
        """The page as it should be; sentences of its author's stay."""
        texts = {
            number: found.new
            for number, found in enumerate(self.findings)
            if not found.slot.embed.options.ties
        }
        return self.page.filled(texts)


@dataclass(frozen=True)
class Outcome:
    """What came of a run: the pages that have embeds, and what is wrong with any page."""

    works: tuple[Work, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    locks: dict[Path, Records] = field(default_factory=dict)

    @property
    def usable(self) -> bool:
        """Whether every page and every embed could be read and answered."""
        return not any(item.is_error for item in self.diagnostics)

    def found(self, *states: str) -> Iterator[tuple[Work, Finding]]:
        """Yield what was found in one of these *states*, page by page."""
        for work in self.works:
            for each in work.findings:
                if each.state in states:
                    yield work, each


def work_on(
    paths: Sequence[str], host: str | None = None, progress: Progress | None = None
) -> Outcome:
    """
    Return what the pages at *paths* should be; nothing is written.

    *host* is for pages that name none; *progress* is told how many are done, of how many. Raises
    `NeedsBabel` where a locale needs what is not installed.
    """
    working = _Working(host)
    works: list[Work] = []
    for at, path in enumerate(paths):
        work = working.page(path)
        if work is not None and work.page.slots:
            works.append(work)
        if progress is not None:
            progress(at + 1, len(paths))
    return Outcome(tuple(works), in_source_order(tuple(working.faults)), working.locks)


@dataclass
class _Working:
    host: str | None
    shelf: Shelf = field(default_factory=Shelf)
    locks: dict[Path, Records] = field(default_factory=dict)
    faults: list[Diagnostic] = field(default_factory=list)
    drawn: dict[Path, str] = field(default_factory=dict)

    def page(self, path: str) -> Work | None:
        """Return what is found in the page at *path*, None where it cannot be used."""
        page, faults = page_of(Path(path), path)
        self.faults.extend(faults)
        host = self._host(page) if page is not None else None
        if page is None or host is None:
            return None
        records = self._records(page).get(page.path.name, {}) if page.slots else {}
        book = self._book(page)
        found: list[Finding] = []
        for slot in page.slots:
            near = near_mathematics(page, slot)
            each = finding(slot, book, host, records, near_math=near)
            if isinstance(each, Finding):
                found.append(each)
            else:
                self.faults.extend(each)
        if len(found) < len(page.slots):
            return None
        work = Work(page, tuple(found))
        self.faults.extend(_unwritable(work))
        self.faults.extend(_unsettled(work))
        self.faults.extend(self._drawn_twice(work))
        return work

    def _drawn_twice(self, work: Work) -> Iterator[Diagnostic]:
        """Yield where a picture would be written over another one of the same run."""
        for found in work.findings:
            for name, svg in found.rendered.files:
                path = Path(os.path.realpath(work.page.path.parent / name))
                if self.drawn.setdefault(path, svg) != svg:
                    label = Label(found.slot.embed.placed("file"), "another picture has this name")
                    message = f"two pictures would be written to `{name}`"
                    yield Diagnostic("wrong-option", message, label, help="say `file=NAME.svg`")

    def _host(self, page: Page) -> Host | None:
        named = page.front.option("host")
        host = host_of(named.text if named is not None else self.host)
        if host is None:
            assert named is not None
            mend = did_you_mean(near_names(named.text, HOSTS)) or f"known are {', '.join(HOSTS)}"
            message = f"no host is called `{named.text}`"
            self.faults.append(
                Diagnostic("wrong-option", message, Label(named.span, "no host"), help=mend)
            )
        return host

    def _records(self, page: Page) -> Records:
        folder = page.path.parent
        if folder not in self.locks:
            self.locks[folder], faults = read_lock(folder)
            self.faults.extend(faults)
        return self.locks[folder]

    def _book(self, page: Page) -> Book:
        front = page.front
        scenario, locale = front.option("scenario"), front.option("locale")
        return Book(
            page.path.parent,
            tuple(Named(word.text, word.span) for word in front.specs),
            scenario.text if scenario is not None else None,
            locale.text if locale is not None else None,
            self.shelf,
        )


_PARAGRAPH = re.compile(r"\n[ \t>]*\r?\n")


def near_mathematics(page: Page, slot: Slot) -> bool:
    """Whether the paragraph of *slot* has formulas, beside which a dollar is taken for theirs."""
    text, at = page.source.text, slot.marked.opening.start
    start = max((m.end() for m in _PARAGRAPH.finditer(text, 0, at)), default=0)
    after = _PARAGRAPH.search(text, slot.marked.inner.end)
    end = after.start() if after is not None else len(text)
    bare: list[str] = []
    for other in page.slots:
        opening, inner = other.marked.opening, other.marked.inner
        if not start <= opening.start < end:
            continue
        if other.embed.options.view in FORMULAS and other is not slot:
            return True
        bare.append(text[start : opening.start])
        start = inner.end
    return "$" in "".join([*bare, text[start:end]])


def _unsettled(work: Work) -> Iterator[Diagnostic]:
    """Yield where the page, once it is filled in, would be read as another one."""
    page, text = work.page, work.text
    if text == page.source.text:
        return
    again, _ = marked(Source(page.source.name, text), page.front.end)
    words = [place.words.text for place in again]
    expected = [slot.marked.words.text for slot in page.slots]
    if words != expected:
        same = (
            at for at, (one, other) in enumerate(zip(words, expected, strict=False)) if one != other
        )
        first = next(same, min(len(words), len(expected) - 1))
        place = Label(page.slots[first].marked.opening, "no longer an embed once it is filled in")
        message = "filled in, this page would be read in another way"
        mend = "look for a ` or a fence of code before it that nothing closes"
        yield Diagnostic("unsettled-page", message, place, help=mend)


def _unwritable(work: Work) -> Iterator[Diagnostic]:
    """Yield what stands in no byte of the page's encoding, where something does."""
    try:
        _data(work)
    except UnicodeEncodeError as error:
        sign = error.object[error.start]
        place = work.findings[0].slot.marked.opening
        message = f"the encoding of `{place.source.name}`, {work.page.encoding}, has no `{sign}`"
        yield Diagnostic("not-utf8", message, Label(place, ""), help="save the page as UTF-8")


# ---- writing


def write(outcome: Outcome) -> tuple[Path, ...]:
    """
    Write every page of *outcome* as it should be, and the locks behind them; return what changed.

    Each file is written whole or not at all. What was made of a sentence that does not hold is
    remembered as it was when it held. Raises `OSError` where a file cannot be written.
    """
    data = [(work, _data(work)) for work in outcome.works]
    changed = [work.page.path for work, new in data if new is not None]
    for work, new in data:
        for name, text in _files(work):
            changed.extend(_written(work.page.path.parent / name, text))
        if new is not None:
            write_data(work.page.path, new)
    for folder, records in outcome.locks.items():
        new_records = _records_of(folder, records, outcome)
        if records or new_records:
            changed.extend(_written(folder / NAME, lock_text(new_records)))
    return tuple(changed)


def _data(work: Work) -> bytes | None:
    """Return the bytes that are to be written, None where the page is as it should be."""
    text = work.text
    return work.page.data(text) if text != work.page.source.text else None


def _files(work: Work) -> Iterator[tuple[str, str]]:
    for found in work.findings:
        yield from found.rendered.files


def _written(path: Path, text: str) -> Iterator[Path]:
    """Write *text* where another one is there, and yield the path then."""
    if not is_written(path, text):
        write_data(path, text.encode("utf-8"))
        yield path


def is_written(path: Path, text: str) -> bool:
    """Whether the file at *path* has just this *text*."""
    return bytes_of(path, str(path)) == text.encode("utf-8")


def _records_of(folder: Path, records: Records, outcome: Outcome) -> Records:
    new = dict(records)
    names = []
    for work in outcome.works:
        if work.page.path.parent == folder:
            names.append(work.page.path.name)
            new[work.page.path.name] = dict(_recorded(work, records.get(work.page.path.name, {})))
    return kept(new, folder, names)


def _recorded(work: Work, before: dict[str, Record]) -> Iterator[tuple[str, Record]]:
    for found in work.findings:
        if found.state != "false":
            yield found.key, found.record
        elif found.key in before:
            yield found.key, before[found.key]
