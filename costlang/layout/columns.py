"""Columns of neighbours that look alike: their values, their sources and their remarks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from costlang.layout.roles import Role, Roles
from costlang.layout.spacing import joined
from costlang.layout.statements import Item, Remark, Statement

GAP, REMARK_GAP = 4, 2
"""Spaces before a `source` or a `show`, and before a remark, at the least."""

LAST_VALUE, LAST_TAIL = 40, 80
"""What would have to begin beyond these columns is not lined up, and moves no neighbour."""

_LINED_UP = frozenset(
    "Setting Let OverrideLet Term OverrideTerm Use UnitDecl Resource Query Check".split()
)
"""Statements whose values stand below each other."""


@dataclass(frozen=True)
class Columns:
    """Where the values of a run begin, and its tails by their first word; 0 where nowhere."""

    value: int = 0
    tails: Mapping[str, int] = field(default_factory=dict)


NONE = Columns()


@dataclass(frozen=True)
class Cells:
    """A statement in parts: up to the value, the value, then the tails, each by its first word."""

    head: str
    value: str
    tails: tuple[tuple[str, str], ...]


def placed(text: str, column: int, gap: int) -> str:
    """Return *text* with spaces up to *column*, and never fewer than *gap*."""
    return text + " " * max(gap, column - len(text))


def cells_of(statement: Statement, roles: Roles) -> Cells:
    """Return the cells of a statement that stands on one line."""
    pieces, kind = statement.pieces, statement.kind
    tails = [at for at, piece in enumerate(pieces) if roles.of(piece) is Role.TAIL]
    first, *rest = [joined(pieces[a:b], roles, kind) for a, b in pairwise((0, *tails, len(pieces)))]
    head = head_of(statement, roles) or ""
    said = [(text.split(" ", 1)[0], text) for text in rest]
    remark = [("#", statement.remark)] if statement.remark is not None else []
    return Cells(head, first[len(head) :].lstrip(), (*said, *remark))


def head_of(statement: Statement, roles: Roles) -> str | None:
    """Return what stands before the value, None where values of this kind are not lined up."""
    joint = joint_of(statement, roles)
    if joint is None or statement.kind not in _LINED_UP:
        return None
    named = statement.pieces[joint].text == ":" and statement.kind != "Resource"
    return joined(statement.pieces[: joint + named], roles, statement.kind)


def joint_of(statement: Statement, roles: Roles) -> int | None:
    """Return which piece parts the statement in two, None where none does on its first line."""
    for at, piece in enumerate(statement.pieces[:-1]):
        if at > 0 and piece.broken:
            return None
        if roles.of(piece) is Role.JOINT:
            return None if statement.pieces[at + 1].broken else at
    return None


# ---- runs


def columns_of(items: tuple[Item, ...], roles: Roles, margin: int) -> dict[int, Columns]:
    """Return the columns of the statements of a block, by their places in it."""
    found: dict[int, Columns] = {}
    for run in _runs(items, roles):
        columns = _measured([items[at] for at in run], roles, margin)
        found.update(dict.fromkeys(run, columns))
    return found


def _runs(items: tuple[Item, ...], roles: Roles) -> Iterator[list[int]]:
    """
    Yield the places of statements of one kind in a row.

    An empty line ends a run, and so does a statement with a block, or one whose value is no
    neighbour of its name. A remark between two statements does not.
    """
    run: list[int] = []
    kind = ""
    for at, item in enumerate(items):
        if item.blank or (isinstance(item, Statement) and item.kind != kind):
            yield run
            run = []
        if isinstance(item, Remark):
            continue
        kind = item.kind if _may_line_up(item, roles) else ""
        if kind:
            run.append(at)
        else:
            yield run
            run = []
    yield run


def _may_line_up(item: Statement, roles: Roles) -> bool:
    return item.one_line or (item.block is None and head_of(item, roles) is not None)


def _measured(run: list[Item], roles: Roles, margin: int) -> Columns:
    statements = [item for item in run if isinstance(item, Statement)]
    heads = [head_of(item, roles) for item in statements]
    value = _column((margin + len(h) for h in heads if h is not None), 1, LAST_VALUE)
    cells = [cells_of(item, roles) for item in statements if item.one_line]
    short = [each for each in cells if margin + len(each.head) + 1 <= LAST_VALUE]
    tails: dict[str, int] = {}
    for word in ("show", "source", "#"):
        ends = (_end(cells, word, Columns(value, tails), margin) for cells in short)
        tails[word] = _column((end for end in ends if end is not None), _gap(word), LAST_TAIL)
    return Columns(value, tails)


def _gap(word: str) -> int:
    return REMARK_GAP if word == "#" else GAP


def _column(ends: Iterable[int], gap: int, last: int) -> int:
    return max((end + gap for end in ends if end + gap <= last), default=0)


def _end(cells: Cells, word: str, columns: Columns, margin: int) -> int | None:
    """Return where that ends which stands before the tail *word*, None where there is no such."""
    words = [name for name, _ in cells.tails]
    if word not in words:
        return None
    before = Cells(cells.head, cells.value, cells.tails[: words.index(word)])
    return len(line_of(before, columns, margin))


def line_of(cells: Cells, columns: Columns, margin: int) -> str:
    """Return a statement of one line, *margin* spaces before it."""
    line = " " * margin + cells.head
    if cells.head:
        line = placed(line, columns.value, 1)
    line += cells.value
    for word, text in cells.tails:
        line = placed(line, columns.tails.get(word, 0), _gap(word)) + text
    return line
