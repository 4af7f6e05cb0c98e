"""A statement over several lines: its author's breaks, each line indented by what it goes on."""

from __future__ import annotations

from dataclasses import dataclass, field

from costlang.layout.columns import GAP, REMARK_GAP, Columns, head_of, placed
from costlang.layout.pieces import Piece
from costlang.layout.roles import Role, Roles
from costlang.layout.spacing import LOOSE_COLONS, space
from costlang.layout.statements import Statement

STEP = 2
"""Spaces by which a block stands in."""

APART = 4
"""Spaces by which a broken head stands in, so that it does not look like the block below it."""

_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")


def lines_of(statement: Statement, roles: Roles, columns: Columns, margin: int) -> list[str]:
    """Return the lines of *statement*, up to the `{` of its block, without the remark behind it."""
    head = head_of(statement, roles)
    named = None if head is None else margin + len(head)
    pen = _Pen(statement, roles, margin, named, columns.value)
    for at in range(len(statement.pieces)):
        pen.write(at)
    return pen.lines


@dataclass(eq=False)
class _Pen:
    """
    Writes piece after piece.

    *named* is where the head ends whose value is to begin at *column*. *inside* is where a line
    begins that goes on the statement itself; *open* has for each bracket that is open where a line
    inside it begins, and where the one began on which it was opened.
    """

    statement: Statement
    roles: Roles
    margin: int
    named: int | None
    column: int
    lines: list[str] = field(init=False)
    inside: int = field(init=False)
    open: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.lines = [" " * self.margin]
        self.inside = self.margin + APART

    def write(self, at: int) -> None:
        """Write the piece at *at*, with the comments before it."""
        piece = self.statement.pieces[at]
        if at > 0:
            self._advance(self.statement.pieces[at - 1], piece)
        if piece.text in _CLOSING and self.open:
            self.open.pop()
        self.lines[-1] += piece.text
        if piece.text in _OPENING:
            self._enter(at)

    def _advance(self, before: Piece, piece: Piece) -> None:
        """Go on to where *piece* stands: on a new line, or beside *before*."""
        parted = self.roles.of(before) is Role.JOINT and self.statement.kind not in LOOSE_COLONS
        if parted:
            self.inside = self.margin + STEP
        self._comments(piece)
        if self._breaks(piece):
            self.lines.append(" " * self._indent(piece))
            return
        self.lines[-1] = self._beside(before, piece)
        if parted:
            self.inside = len(self.lines[-1])

    def _comments(self, piece: Piece) -> None:
        indent = self.open[-1][0] if self.open else self.inside
        for comment in piece.comments:
            if comment.own_line:
                self.lines.append(" " * indent + comment.text)
            else:
                self.lines[-1] += " " * REMARK_GAP + comment.text

    def _breaks(self, piece: Piece) -> bool:
        """Whether *piece* begins a line; the `{` of a block does only below a comment."""
        if self.roles.of(piece) is Role.BLOCK:
            return bool(piece.comments)
        return piece.broken

    def _indent(self, piece: Piece) -> int:
        """Return where a line begins whose first piece is *piece*."""
        if piece.text in _CLOSING and self.open:
            return self.open[-1][1]
        if self.roles.of(piece) is Role.BLOCK:
            return self.margin
        return self.open[-1][0] if self.open else self.inside

    def _beside(self, before: Piece, piece: Piece) -> str:
        """Return the line so far, with the space before *piece*."""
        line = self.lines[-1]
        if len(self.lines) == 1 and len(line) == self.named:
            return placed(line, self.column, 1)
        if self.roles.of(piece) is Role.TAIL:
            return placed(line, 0, GAP)
        return line + space(before, piece, self.roles, self.statement.kind)

    def _enter(self, at: int) -> None:
        """Take in the bracket at *at*: what follows it on its line, later lines stand below."""
        line = self.lines[-1]
        outside = len(line) - len(line.lstrip())
        inside = outside + STEP
        here, *following = self.statement.pieces[at : at + 2]
        if following and not following[0].broken:
            inside = len(line + space(here, following[0], self.roles, self.statement.kind))
        self.open.append((inside, outside))
