"""The space between two pieces that stand on one line: none, or one."""

from __future__ import annotations

from itertools import pairwise

from costlang.layout.pieces import Piece
from costlang.layout.roles import Role, Roles

LOOSE_COLONS = frozenset(("Param", "Resource", "Table"))
"""Statements that write `name : type`; elsewhere a colon follows its name at once."""


def joined(pieces: tuple[Piece, ...], roles: Roles, kind: str) -> str:
    """Return *pieces* of a statement of this *kind* as they stand on one line."""
    parts = [piece.text for piece in pieces[:1]]
    for before, piece in pairwise(pieces):
        parts.append(space(before, piece, roles, kind) + piece.text)
    return "".join(parts)


def space(before: Piece, after: Piece, roles: Roles, kind: str) -> str:
    """Return what stands between two neighbours in a statement of this *kind*."""
    tight = _tight_before(before, after, roles, kind) or _tight_after(before, roles)
    return "" if tight else " "


def _tight_before(before: Piece, after: Piece, roles: Roles, kind: str) -> bool:
    role = roles.of(after)
    match after.text:
        case "," | ")" | "]" | ".":
            return True
        case "[":
            return after.kind == "operator"
        case "(":
            return role is Role.CALL
        case ":":
            return not (role is Role.JOINT and kind in LOOSE_COLONS)
        case ".." | "^":
            return role is not Role.LOOSE
        case "}":
            return before.text == "{" or kind != "EnumDecl"
    return False


def _tight_after(before: Piece, roles: Roles) -> bool:
    role = roles.of(before)
    match before.text:
        case "(" | "." | "[":
            return True
        case "{":
            return role is not Role.LIST
        case "-":
            return role is Role.SIGN
        case "..":
            return role not in (Role.LOOSE, Role.OPEN)
        case "^":
            return role is not Role.LOOSE
    return False
