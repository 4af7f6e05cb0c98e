"""A shelf as rows of key figures, those alone that the words of a reader are found in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from costlang.answer.answers import Bounds
from costlang.library.figures import FIGURES, Figure
from costlang.library.shelves import SHELVES, shelf
from costlang.library.worth import Reader, Worth
from costlang.library.written import arguments_of, first_sentence
from costlang.model import declared as d


@dataclass(frozen=True)
class Row:
    """
    One thing: its name, the path of its import, its notes, and its figures in the order of columns.

    What has no figures has *words* instead: its arguments or its parent, and its first sentence.
    """

    name: str
    home: str
    docs: tuple[str, ...]
    worths: tuple[Worth, ...] = ()
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Listing:
    """The rows of a shelf, what their columns are, and of how many that stand there."""

    kind: str
    figures: tuple[Figure, ...]
    rows: tuple[Row, ...]
    of: int


def listing(kind: str, words: Iterable[str] = (), sort: str | None = None) -> Listing:
    """
    Return what stands on the shelf *kind* and has all of *words*, in the order of the library.

    Words are looked for in names, paths and notes, in any case, with `-` for `_`. *sort* is the
    key of a figure by which the rows are sorted, the greatest first, or `name`. Nothing is worked
    out for a row that is not shown.
    """
    held = shelf(kind)
    reader = Reader(held.model)
    figures = FIGURES.get(SHELVES[kind], ())
    wanted = [_plain(word) for word in words]
    rows = tuple(
        _row(reader, decl, held.homes[decl.name], figures)
        for decl in held.decls
        if _has(decl, held.homes[decl.name], wanted)
    )
    return Listing(kind, figures, _sorted(rows, figures, sort), len(held.decls))


def _row(reader: Reader, decl: d.Decl, home: str, figures: tuple[Figure, ...]) -> Row:
    if isinstance(decl, d.RecordDecl) and figures:
        worths = tuple(reader.first(decl, figure.ways) for figure in figures)
        return Row(decl.name, home, decl.docs, worths)
    return Row(decl.name, home, decl.docs, (), (arguments_of(decl), first_sentence(decl.docs)))


def _plain(text: str) -> str:
    return text.lower().replace("-", "_")


def _has(decl: d.Decl, home: str, words: list[str]) -> bool:
    text = _plain(" ".join((decl.name, home, *decl.docs)))
    return all(word in text for word in words)


def _sorted(
    rows: tuple[Row, ...], figures: tuple[Figure, ...], sort: str | None
) -> tuple[Row, ...]:
    if sort is None:
        return rows
    if sort == "name":
        return tuple(sorted(rows, key=lambda row: row.name.lower()))
    at = [figure.key for figure in figures].index(sort)
    return tuple(sorted(rows, key=lambda row: _greatest_first(row.worths[at])))


def _greatest_first(worth: Worth) -> tuple[int, float, str]:
    """Return the rank of a value: numbers from the greatest down, then words, then what is open."""
    value = worth.value
    if isinstance(value, Bounds):
        value = value.high if not isinstance(value.high, float) else None
    if isinstance(value, str):
        return 1, 0.0, value
    return (2, 0.0, "") if value is None else (0, -float(value), "")
