"""A spec in the one way in which specs are laid out: it says the same, word for word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from costlang.layout.page import page
from costlang.layout.pieces import Piece, comments_of, pieces_of
from costlang.layout.roles import roles_of
from costlang.layout.statements import statements_of
from costlang.syntax import Tree, parse
from costlang.syntax import tree as t
from costlang.text import Diagnostic, Source


class LayoutFault(Exception):
    """A fault of ours: what was laid out would not say the same; there is nothing to be used."""


@dataclass(frozen=True)
class Layout:
    """
    How the text of *source* is laid out.

    *text* is None where mistakes, which are among the *diagnostics*, keep it from being read.
    """

    source: Source
    text: str | None
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether it is to be written otherwise."""
        return self.text is not None and self.text != self.source.text


def lay_out(source: Source) -> Layout:
    """
    Return *source* laid out: two spaces a block, a statement a line, neighbours in columns.

    Words, signs, comments and the breaks inside a statement are the author's own. A text that is
    laid out already comes back as it is. Raises `LayoutFault` where this would be broken.
    """
    read = parse(source)
    if any(item.is_error for item in read.diagnostics):
        return Layout(source, None, read.diagnostics)
    pieces = pieces_of(read.tree)
    text = _text(read.tree, pieces)
    if text != source.text:
        _ensure_same(read.tree, pieces, Source(source.name, text))
    return Layout(source, text, read.diagnostics)


def _text(tree: Tree, pieces: tuple[Piece, ...]) -> str:
    roles = roles_of(tree, pieces)
    return page(statements_of(pieces, roles), roles)


def _ensure_same(tree: Tree, pieces: tuple[Piece, ...], made: Source) -> None:
    """Raise unless *made* says what *tree* says, with the same words, and would stay as it is."""
    read = parse(made)
    if read.diagnostics or not same(tree, read.tree):
        raise _fault(made, "it would say something else")
    after = pieces_of(read.tree)
    if [piece.text for piece in pieces] != [piece.text for piece in after]:
        raise _fault(made, "a word would be lost")
    if comments_of(pieces) != comments_of(after):
        raise _fault(made, "a comment would be lost")
    if _text(read.tree, after) != made.text:
        raise _fault(made, "it would be laid out otherwise a second time")


def _fault(made: Source, why: str) -> LayoutFault:
    return LayoutFault(f"this is a fault of ours: {made.name} cannot be laid out, since {why}")


def same(one: Any, other: Any) -> bool:
    """Whether two trees say the same, wherever their pieces stand."""
    waiting = [(one, other)]
    while waiting:
        a, b = waiting.pop()
        if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
            waiting.extend(zip(a, b, strict=True))
        elif isinstance(a, t.Node) and type(a) is type(b):
            waiting.extend((getattr(a, name), getattr(b, name)) for name in _said(a))
        elif a != b:
            return False
    return True


def _said(node: t.Node) -> Iterator[str]:
    """Yield the fields of *node* that do not tell where it stands."""
    place = ("span", "source") if isinstance(node, Tree) else ("span",)
    yield from (f.name for f in fields(node) if f.name not in place)
