"""What each sign is there for, as its tree tells: a `(` that calls, a `-` that negates."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise

from costlang.layout.pieces import Piece, nodes
from costlang.syntax import Tree
from costlang.syntax import tree as t


class Role(Enum):
    """What a sign does where more than one thing could be meant by it."""

    BLOCK = auto()  # `{` before statements
    LIST = auto()  # `{` before the members of an enum
    CALL = auto()  # `(` that belongs to the name before it
    SIGN = auto()  # `-` before an operand
    JOINT = auto()  # `=` or `:` between what a statement names and what it says of it
    LOOSE = auto()  # `..` or `^` with a space on either side
    OPEN = auto()  # `..` after which there is no upper end
    TAIL = auto()  # `source` or `show`, which ends a statement


@dataclass(frozen=True)
class Roles:
    """The kinds of statements and the roles of signs, by where they begin in the text."""

    kinds: Mapping[int, str]
    signs: Mapping[int, Role]

    def of(self, piece: Piece) -> Role | None:
        """Return what *piece* is there for, None where its text says it all."""
        return self.signs.get(piece.start)

    def kind(self, piece: Piece) -> str | None:
        """Return the kind of the statement that begins with *piece*, None where none does."""
        return self.kinds.get(piece.start)


EDITION = "Edition"


def roles_of(tree: Tree, pieces: tuple[Piece, ...]) -> Roles:
    """Return the roles of the *pieces* of *tree*."""
    kinds = {pieces[0].start: EDITION}
    signs: dict[int, Role] = {}
    finder = _Finder(pieces)
    for node in nodes(tree):
        if isinstance(node, t.Member | t.Row | t.Import):
            kinds[node.span.start] = _kind(node)
        signs.update(_signs(node, finder))
    signs.update(_loose_powers(pieces))
    return Roles(kinds, signs)


def _kind(node: t.Node) -> str:
    """Return the kind of a statement, such that those of one kind look alike."""
    match node:
        case t.Row():
            return "Setting"
        case t.Let(formals=tuple()):
            return "Function"
        case t.Let(override=True) | t.Term(override=True):
            return f"Override{type(node).__name__}"
    return type(node).__name__


class _Finder:
    """Finds the sign next to a place."""

    def __init__(self, pieces: tuple[Piece, ...]) -> None:
        self._pieces = pieces
        self._starts = [piece.start for piece in pieces]

    def after(self, place: int, text: str) -> int:
        """Return where the first *text* at or after *place* begins."""
        at = bisect_left(self._starts, place)
        return next(piece.start for piece in self._from(at, 1) if piece.text == text)

    def before(self, place: int, text: str) -> int:
        """Return where the last *text* before *place* begins."""
        at = bisect_left(self._starts, place) - 1
        return next(piece.start for piece in self._from(at, -1) if piece.text == text)

    def _from(self, at: int, step: int) -> Iterator[Piece]:
        while 0 <= at < len(self._pieces):
            yield self._pieces[at]
            at += step


def _signs(node: t.Node, find: _Finder) -> Iterator[tuple[int, Role]]:
    match node:
        case t.Unary(operator="-"):
            yield node.span.start, Role.SIGN
        case t.Call():
            yield find.after(node.function.span.end, "("), Role.CALL
        case t.Sum():
            yield find.after(node.span.start, "("), Role.CALL
        case t.Provenance():
            yield node.span.start, Role.TAIL
        case t.EnumDecl():
            yield find.after(node.name.span.end, "{"), Role.LIST
        case t.RangeDomain():
            yield from _range(node, find)
        case t.Setting() | t.Binding() | t.Param() if node.high is not None:
            yield find.before(node.high.span.start, ".."), Role.LOOSE
    yield from _declared(node, find)
    yield from _joint(node, find)


def _range(node: t.RangeDomain, find: _Finder) -> Iterator[tuple[int, Role]]:
    """Yield the role of a domain's dots: tight, except after or before a quantity."""
    if node.high is None:
        yield find.after(node.low.span.end, ".."), Role.OPEN
    elif _has_unit(node.low) or _has_unit(node.high):
        yield find.before(node.high.span.start, ".."), Role.LOOSE


def _has_unit(end: t.Expr) -> bool:
    return isinstance(end, t.Number) and end.unit is not None


def _declared(node: t.Node, find: _Finder) -> Iterator[tuple[int, Role]]:
    """Yield the brackets of a declaration: those of its arguments, and of its block."""
    match node:
        case t.Let(formals=tuple()) | t.Op() | t.Phase(formals=tuple()):
            yield find.after(node.name.span.end, "("), Role.CALL
    match node:
        case t.Op() | t.Phase() | t.Record() | t.Scenario() | t.Repeat():
            yield find.after(node.span.start, "{"), Role.BLOCK
        case t.Table() if node.span.text.endswith("}"):
            yield find.after(node.span.start, "{"), Role.BLOCK
        case t.Query(question=t.Question() as question):
            yield from _shown(question, find)


def _shown(question: t.Question, find: _Finder) -> Iterator[tuple[int, Role]]:
    """Yield the `show` with which *question* ends."""
    if question.show and question.show[-1].span.end == question.span.end:
        yield find.before(question.show[-1].span.start, "show"), Role.TAIL


def _joint(node: t.Node, find: _Finder) -> Iterator[tuple[int, Role]]:
    """Yield the sign between the two parts of a statement."""
    known = _JOINTS.get(type(node))
    if known is not None:
        sign, second = known[0], known[1](node)
        if second is not None:
            yield find.before(second.span.start, sign), Role.JOINT


_Second = Callable[[t.Node], t.Node | None]


def _field(name: str) -> _Second:
    def second(node: t.Node) -> t.Node | None:
        found: t.Node | tuple[t.Node, ...] | None = getattr(node, name)
        return found[0] if isinstance(found, tuple) else found

    return second


_JOINTS: dict[type[t.Node], tuple[str, _Second]] = {
    t.Setting: ("=", _field("value")),
    t.Row: ("=", _field("value")),
    t.Let: ("=", _field("value")),
    t.Term: ("=", _field("call")),
    t.Use: ("=", _field("value")),
    t.UnitDecl: ("=", _field("value")),
    t.Query: (":", _field("question")),
    t.Check: (":", _field("fact")),
    t.Require: (":", _field("condition")),
    t.Law: (":", _field("subject")),
    t.Resource: (":", _field("type")),
    t.Param: (":", _field("type")),
    t.Table: (":", _field("key")),
}


def _loose_powers(pieces: tuple[Piece, ...]) -> Iterator[tuple[int, Role]]:
    """Yield each `^` after a quantity: without a space, it would belong to the unit."""
    for before, piece in pairwise(pieces):
        if piece.text == "^" and before.kind == "quantity":
            yield piece.start, Role.LOOSE
