"""What belongs in the place of a `?`, as far as the expression around it tells."""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache

from costlang.model import core as c
from costlang.model.context import Context, Scope
from costlang.model.infer import expression, infer_kind
from costlang.model.missing import broken
from costlang.model.scoped import names_of_dimension
from costlang.model.types import EnumType, NumberType, RecordType, Type
from costlang.syntax import tree
from costlang.syntax.lexer import lexemes
from costlang.units import NONE, Dimension


@infer_kind.register
def _(node: tree.Hole, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    context.report(
        "hole",
        "an expression is still to be written",
        node.span,
        f"{wanted.thing} belongs here" if wanted is not None else "anything may stand here",
        help=_help(context, scope, wanted, node),
    )
    return broken(node.span)


def _is_defined_here(scope: Scope, name: str, hole: tree.Hole) -> bool:
    """Whether the `?` stands in the statement that declares *name*."""
    slot = scope.owner.find(name) if scope.owner is not None else None
    return slot is not None and slot.span.line == hole.span.line


def _help(context: Context, scope: Scope, wanted: Type | None, hole: tree.Hole) -> str | None:
    if isinstance(wanted, NumberType) and wanted.dimension is not None:
        names = [
            name
            for name in names_of_dimension(context, scope, wanted.dimension)
            if not _is_defined_here(scope, name, hole)
        ]
    elif isinstance(wanted, EnumType):
        names = list(wanted.enum.members)
    elif isinstance(wanted, RecordType):
        names = [
            name
            for name, found in {**scope.file.imported, **scope.file.own}.items()
            if getattr(found, "is_a", None)
            and found.is_a(wanted.record)  # type: ignore[attr-defined]
            and found is not wanted.record
        ]
    else:
        names = []
    return f"in scope: {', '.join(names)}" if names else None


def is_open(node: tree.Expr) -> bool:
    """Whether a `?` stands somewhere in *node*."""
    marks = _marks(node.span.source.text)
    at = bisect_left(marks, node.span.start)
    return at < len(marks) and marks[at] < node.span.end


@lru_cache(maxsize=8)
def _marks(text: str) -> tuple[int, ...]:
    """Return where `?` stands as an expression: not in a comment, not in quotes."""
    if "?" not in text:
        return ()
    return tuple(lexeme.start for lexeme in lexemes(text) if lexeme.text == "?")


def around_hole(
    node: tree.Binary | tree.Compare, context: Context, scope: Scope, wanted: Type | None
) -> c.Core:
    """Read the sound side of *node* first, so that the other can be said what it must be."""
    right_is_open = is_open(node.right)
    sound, hole = (node.left, node.right) if right_is_open else (node.right, node.left)
    operator = node.operator if isinstance(node, tree.Binary) else "="
    known = expression(context, sound, scope).type if not is_open(sound) else None
    belongs = _belongs(operator, known, wanted, is_right=right_is_open)
    if is_open(sound):
        expression(context, sound, scope, belongs)
    expression(context, hole, scope, belongs)
    return broken(node.span)


def _belongs(
    operator: str, known: Type | None, wanted: Type | None, *, is_right: bool
) -> Type | None:
    if operator in ("+", "-"):
        return _number(known) or wanted
    if operator == "=":
        return known
    if operator == "^" and is_right:
        return NumberType(NONE)
    side, whole = _dimension(known), _dimension(wanted)
    if side is None or whole is None or operator not in ("*", "/"):
        return None
    if operator == "*":
        return NumberType(whole / side)
    return NumberType(side / whole) if is_right else NumberType(whole * side)


def _number(kind: Type | None) -> Type | None:
    return kind if _dimension(kind) is not None else None


def _dimension(kind: Type | None) -> Dimension | None:
    return kind.dimension if isinstance(kind, NumberType) else None
