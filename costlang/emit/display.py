"""Text of an author as a terminal shows it: how wide it is, and nothing in it that acts."""

from __future__ import annotations

import unicodedata

TAB = "    "
_DELETE = "\x7f"


def shown(text: str) -> str:
    """
    Return *text* as it can be printed.

    A tab is four spaces, and what would move a cursor, change a colour or turn the direction of
    writing is a sign in its place.
    """
    return text if text.isprintable() else "".join(map(_sign, text))


def width(text: str) -> int:
    """Return how many columns *text* takes, as `shown` gave it."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _sign(char: str) -> str:
    if char == "\t":
        return TAB
    if char < " ":
        return chr(0x2400 + ord(char))
    if char == _DELETE:
        return "\u2421"
    if char.isprintable() or unicodedata.category(char) == "Zs":
        return char
    return "\ufffd"


def _columns(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
