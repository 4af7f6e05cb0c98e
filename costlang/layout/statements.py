"""Pieces put together to statements, blocks inside blocks, and the remarks between them."""

from __future__ import annotations

from dataclasses import dataclass, field

from costlang.layout.pieces import Piece
from costlang.layout.roles import Role, Roles


@dataclass(frozen=True)
class Remark:
    """A comment on a line of its own; *blank* is whether an empty line stands above it."""

    text: str
    blank: bool


@dataclass(frozen=True)
class Block:
    """
    What stands in the braces of a statement; *remark* is a comment right after the `{`.

    *inline* is whether its author wrote it on one line.
    """

    items: tuple[Item, ...]
    remark: str | None
    inline: bool


@dataclass(frozen=True)
class Statement:
    """
    A statement, up to the `{` of its block if it has one.

    *remark* is the comment behind it on its last line; *blank* whether an empty line is above it.
    """

    kind: str
    pieces: tuple[Piece, ...]
    block: Block | None
    remark: str | None
    blank: bool

    @property
    def one_line(self) -> bool:
        """Whether it has no block, and stands on a single line."""
        return self.block is None and not any(piece.broken for piece in self.pieces[1:])


Item = Statement | Remark


def statements_of(pieces: tuple[Piece, ...], roles: Roles) -> tuple[Item, ...]:
    """Return the statements and remarks of a file, in order."""
    return _Walk(pieces, roles).items()


@dataclass(eq=False)
class _Walk:
    """Goes over the pieces of a file once; *at* is the next."""

    pieces: tuple[Piece, ...]
    roles: Roles
    at: int = field(default=0)

    @property
    def next(self) -> Piece:
        return self.pieces[self.at]

    def items(self) -> tuple[Item, ...]:
        """Return what stands before the `}` that closes this block, or before the file's end."""
        found: list[Item] = []
        while True:
            found.extend(Remark(c.text, c.blank) for c in self.next.comments if c.own_line)
            if self.next.kind == "end" or self.next.text == "}":
                return tuple(found)
            found.append(self.statement())

    def statement(self) -> Statement:
        """Return the statement that begins here."""
        first = self.at
        kind = self.roles.kind(self.next) or "Statement"
        self.take()
        while not self.ends() and self.roles.of(self.pieces[self.at - 1]) is not Role.BLOCK:
            self.take()
        pieces = self.pieces[first : self.at]
        block = self.block() if self.roles.of(pieces[-1]) is Role.BLOCK else None
        return Statement(kind, pieces, block, self.remark(), pieces[0].blank)

    def take(self) -> None:
        """Go over the next piece, a set in braces as a whole."""
        braces = self.next.text == "{" and self.roles.of(self.next) is not Role.BLOCK
        self.at += 1
        while braces and self.pieces[self.at - 1].text != "}":
            self.at += 1

    def ends(self) -> bool:
        """Whether what comes next belongs to no statement, or begins the next one."""
        closes = self.next.kind == "end" or self.next.text == "}"
        return closes or self.roles.kind(self.next) is not None

    def block(self) -> Block:
        """Return the block whose `{` stands right before."""
        first, remark = self.at, self.remark()
        items = self.items()
        self.at += 1
        inline = not any(piece.broken for piece in self.pieces[first : self.at])
        return Block(items, remark, inline)

    def remark(self) -> str | None:
        """Return the comment right behind the last piece, on the same line."""
        return next((c.text for c in self.next.comments if not c.own_line), None)
