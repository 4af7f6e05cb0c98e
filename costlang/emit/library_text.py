"""A listing and a card for a person: aligned columns, what is not verified marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from textwrap import wrap

from costlang.answer import Bounds
from costlang.emit.breakdown_text import breakdown_lines
from costlang.emit.canvas import Style
from costlang.emit.display import shown
from costlang.emit.report_text import Paper
from costlang.emit.values import value_text
from costlang.library import Card, Entry, Figure, Listing, Worth
from costlang.library.written import TITLES, Written
from costlang.model.sources import is_unverified
from costlang.units import Unit, UnitTable, digits_of

MARK = "?"
NOUNS = {"hardware": "chips", "ops": "operators"}
PARTS_DEEP = 3
Cells = tuple[str, str, str]
"""A name, a value, and where it is from."""


# ---- a listing


def listing_lines(found: Listing, paper: Paper) -> Iterator[str]:
    """Yield the rows of a listing below their titles and units, and how many there are."""
    yield from _table(found, paper) if found.figures else _notes(found, paper)
    yield ""
    yield _foot(found)


def _table(found: Listing, paper: Paper) -> Iterator[str]:
    units = [_unit(figure) for figure in found.figures]
    titles = ["", *(figure.title for figure in found.figures)]
    below = ["", *(figure.unit or "" for figure in found.figures)]
    rows = [[row.name, *map(figure_cell, row.worths, units)] for row in found.rows]
    widths = [max(map(_wide, column)) for column in zip(titles, below, *rows, strict=True)]
    right = [False, *(figure.is_number for figure in found.figures)]
    yield paper.paint(_line(titles, widths, right), Style.STRONG)
    yield paper.paint(_line(below, widths, right), Style.FAINT)
    yield from (_line(row, widths, right) for row in rows)


def _notes(found: Listing, paper: Paper) -> Iterator[str]:
    """Yield what has no figures: its arguments or its parent, and a sentence below."""
    for row in found.rows:
        behind, sentence = map(shown, row.words)
        words = f" is {behind}" if found.kind == "records" else f"({behind})"
        yield f"{paper.paint(row.name, Style.STRONG)}{words}"
        lines = wrap(sentence, paper.width - 4)
        yield from (f"    {paper.paint(line, Style.FAINT)}" for line in lines)


def _foot(found: Listing) -> str:
    count = len(found.rows)
    of = f" of {found.of}" if count != found.of else ""
    marked = any(worth.unverified for row in found.rows for worth in row.worths)
    noun = NOUNS.get(found.kind, found.kind)
    return f"{count}{of} {noun}" + (f"; {MARK} is not verified" if marked else "")


def _unit(figure: Figure) -> Unit | None:
    found = UnitTable().parse(figure.unit) if figure.unit else None
    return found if isinstance(found, Unit) else None


def figure_cell(worth: Worth, unit: Unit | None) -> str:
    """Return a value in the unit of its column, with a mark where it is not verified."""
    mark = MARK if worth.unverified else ""
    match worth.value:
        case Fraction():
            return digits_of(worth.value / (unit.scale if unit is not None else 1)) + mark
        case Bounds():
            return value_text(worth.value, worth.dimension, unit) + mark
        case None:
            return "-"
        case _:
            return f"{worth.value}{mark}"


def _wide(cell: str) -> int:
    return len(cell.removesuffix(MARK))


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    """Return one line; numbers stand right, their marks beyond the column."""
    texts = []
    for cell, width, is_right in zip(cells, widths, right, strict=True):
        bare = cell.removesuffix(MARK)
        mark = cell[len(bare) :] or " "
        texts.append(f"{bare.rjust(width)}{mark}" if is_right else cell.ljust(width + 1))
    return " ".join(texts).rstrip()


# ---- a card


def card_lines(card: Card, paper: Paper) -> Iterator[str]:
    """Yield a card: what it is, its figures, where each is from, and what is left open."""
    yield f"{paper.paint(card.name, Style.TITLE)}  {_what(card)}".rstrip()
    yield from (f"  {line}" for doc in card.docs for line in wrap(shown(doc), paper.width - 2))
    place = f"{card.file}:{card.line}"
    home = f"import {card.home} ({card.name})    {place}" if card.home is not None else place
    yield f"  {paper.paint(shown(home), Style.FAINT)}"
    for title, rows in _sections(card):
        if rows:
            yield ""
            yield f"  {paper.paint(title, Style.STRONG)}"
            yield from _rows(rows, paper)
    if card.parts is not None:
        yield ""
        yield f"  {paper.paint('parameters by operator', Style.STRONG)}"
        lines = breakdown_lines(card.parts, None, paper.colour, PARTS_DEEP)
        yield from (f"    {line}" for line in lines)


def _what(card: Card) -> str:
    given = f"({shown(card.given)})" if card.given else ""
    parents = "".join(f", {'' if at else 'is '}{name}" for at, name in enumerate(card.parents))
    return f"{card.word}{given}{parents}"


def _sections(card: Card) -> Iterator[tuple[str, list[Cells]]]:
    reckoned = [pair for pair in card.figures if pair[1].is_reckoned]
    yield "key figures", [(figure.title, _text(worth), worth.way) for figure, worth in reckoned]
    yield "set", [_stated(entry) for entry in card.stated if entry.kind is None]
    for kind in dict.fromkeys(entry.kind for entry in card.stated if entry.kind is not None):
        yield f"set by {kind}", [_stated(entry) for entry in card.stated if entry.kind == kind]
    yield "by default", [_entry(entry, " ".join(entry.docs)) for entry in card.assumed]
    yield "derived", [_entry(entry, f"= {entry.written}") for entry in card.derived]
    yield "open", [(each.name, each.written, " ".join(each.docs)) for each in card.open]
    for title in TITLES:
        of_title = [item for item in card.statements if item.title == title]
        yield title, [_statement(item) for item in of_title]


def _entry(entry: Entry, note: str) -> Cells:
    return entry.name, _text(entry.worth), note


def _stated(entry: Entry) -> Cells:
    """Return what is set in the words of its author, and so in the unit of its source."""
    source = entry.worth.source or ""
    if entry.as_written:
        mark = MARK if entry.worth.unverified else ""
        return entry.name, f"{entry.written}{mark}", source
    words = f"= {entry.written}" if entry.written else ""
    return entry.name, _text(entry.worth), "; ".join(filter(None, (words, source)))


def _text(worth: Worth) -> str:
    if worth.why is not None:
        return worth.why
    if worth.value is None:
        needs = ", ".join(item.name.rsplit(".", 1)[-1] for item in worth.missing)
        return f"needs {needs}" if needs else "-"
    if isinstance(worth.value, str):
        return worth.value
    return value_text(worth.value, worth.dimension) + (MARK if worth.unverified else "")


def _statement(item: Written) -> Cells:
    return item.name, item.text, item.source or " ".join(item.docs)


WIDEST = 40
"""Of the values of a section: a longer one has its note on the next line."""
ROOM = 32
"""For a note beside its value, at least."""


def _rows(rows: list[Cells], paper: Paper) -> Iterator[str]:
    names = max(len(name) for name, _, _ in rows)
    values = max((len(value) for _, value, _ in rows if len(value) <= WIDEST), default=0)
    beside = paper.width - names - values - 8 >= ROOM
    for name, value, note in rows:
        head = f"    {shown(name).ljust(names)}"
        if beside and len(value) <= WIDEST:
            yield from _beside(f"{head}  {shown(value).ljust(values)}", note, paper)
        else:
            yield from _hanging(head, shown(value), paper.width)
            if note:
                yield from _beside(" " * (names + 8), note, paper)


def _hanging(head: str, value: str, width: int) -> Iterator[str]:
    for at, line in enumerate(wrap(value, max(width - len(head) - 4, ROOM)) or [""]):
        yield f"{head}  {line}".rstrip() if at == 0 else f"{' ' * len(head)}    {line}"


def _beside(head: str, note: str, paper: Paper) -> Iterator[str]:
    """Yield *head* with *note* beside it, in as many lines as the note needs."""
    style = Style.WARNING if is_unverified(note) else Style.FAINT
    lines = wrap(shown(note), max(paper.width - len(head) - 2, ROOM))
    for at, line in enumerate(lines or [""]):
        yield f"{head if at == 0 else ' ' * len(head)}  {paper.paint(line, style)}".rstrip()
