"""A text as its words and signs, with what stands in the gaps between them: breaks and comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from costlang.syntax import Tree
from costlang.syntax import tree as t
from costlang.syntax.lexer import Scanner

_GAP = re.compile(r"(?P<comment>#[^\r\n]*)|(?P<line>\r?\n|\r)|[ \t]+")
_NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Comment:
    """
    A comment, without blanks at its end.

    *own_line* is whether nothing stands before it on its line, *blank* whether an empty line does
    above it.
    """

    text: str
    own_line: bool
    blank: bool


@dataclass(frozen=True)
class Piece:
    """
    A word or a sign as it was written; the last of a text has the kind `end` and no text.

    *comments* stand between the piece before and this one. *broken* is whether this one begins a
    line, *blank* whether there is an empty line between it and what stands before it.
    """

    kind: str
    text: str
    start: int
    end: int
    comments: tuple[Comment, ...] = ()
    broken: bool = False
    blank: bool = False


def pieces_of(tree: Tree) -> tuple[Piece, ...]:
    """Return the pieces of the text from which *tree* was read, in order."""
    return tuple(_pieces(tree.source.text, dict(_units(tree))))


def comments_of(pieces: tuple[Piece, ...]) -> tuple[str, ...]:
    """Return the comments of a text, in order."""
    return tuple(comment.text for piece in pieces for comment in piece.comments)


def nodes(tree: Tree) -> Iterator[t.Node]:
    """Yield *tree* and every node below it; however deep, there is no recursion."""
    waiting: list[t.Node] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(t.children(node))


def _pieces(text: str, units: dict[int, int]) -> Iterator[Piece]:
    scanner = Scanner(text)
    at = 0
    while True:
        comments, start, lines = _gap(text, at)
        first = at == 0
        broken, blank = first or lines > 0 or bool(comments), lines > 1
        if start >= len(text):
            yield Piece("end", "", start, start, comments, broken, blank)
            return
        kind, at = _next(scanner, start, units)
        yield Piece(kind, text[start:at], start, at, comments, broken, blank)


def _next(scanner: Scanner, start: int, units: dict[int, int]) -> tuple[str, int]:
    """Return the kind and the end of what begins at *start*; what is a unit, the tree knows."""
    scanner.at = start
    if start in units:
        return "unit", units[start]
    found = scanner.next(_NOTHING)
    return found.kind, found.end


def _units(tree: Tree) -> Iterator[tuple[int, int]]:
    """Yield where each unit without a number begins and ends: in `[…]`, and after `show`."""
    for node in nodes(tree):
        match node:
            case t.Type(unit=t.UnitText()):
                yield node.span.start, node.span.end
            case t.Question() | t.Show():
                units = node.show if isinstance(node, t.Question) else node.units
                yield from ((unit.span.start, unit.span.end) for unit in units)


def _gap(text: str, at: int) -> tuple[tuple[Comment, ...], int, int]:
    """Return the comments from *at* on, where the next piece begins, and the breaks before it."""
    comments: list[Comment] = []
    lines, first = 0, at == 0
    while found := _GAP.match(text, at):
        at = found.end()
        if found["line"] is not None:
            lines += 1
        elif found["comment"] is not None:
            own_line = lines > 0 or (first and not comments)
            comments.append(Comment(found["comment"].rstrip(), own_line, lines > 1))
            lines = 0
    return tuple(comments), at, lines
