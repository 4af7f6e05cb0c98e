"""How far a faulty statement reaches, and what can be kept of the first line of a block."""

from __future__ import annotations

import re
from dataclasses import dataclass

from costlang.syntax.lexer import Lexeme, Scanner
from costlang.syntax.parser import BEGINNINGS
from costlang.text.near import near_names

NOTHING: frozenset[str] = frozenset()
STATEMENT = re.compile(
    r"[ \t]*(?:(?:override|let|param|term|repeat|check|require|law|query|use|show|table|import|"
    r"model|hardware|record|interface|phase|op|scenario|enum|resource|unit)\b(?![ \t]*[.\[])"
    r"(?![ \t]*=(?!=))|[A-Za-z_][\w.\[\]]*[ \t]*=(?!=)|\}|##)"
)
KEYWORD = re.compile(rf"[ \t]*(?:(?:{'|'.join(sorted(BEGINNINGS))})[ \t]+[A-Za-z_(]|\}}|##)")

RECORDS = ("model", "hardware", "record", "interface")
BLOCKS = (*RECORDS, "phase", "op", "scenario", "repeat")

Fed = tuple[str, str, int]
"""A token for the parser: its terminal, its text and its place."""


@dataclass(frozen=True)
class Extent:
    """Where a faulty statement ends; *header* are tokens that open the block which it began."""

    end: int
    header: tuple[Fed, ...] = ()
    name: str | None = None


def extent(text: str, start: int, at: int, code: str, *, whole: bool = False) -> Extent:
    """
    Return how far the statement reaches that begins after *start* and is faulty at *at*.

    A faulty first line of a block ends at its brace, so that what stands in the block is read,
    unless the *whole* block is asked for; a misspelt keyword is all that is faulty in a line.
    """
    scanner = Scanner(text, start)
    head: list[Lexeme] = []
    depth = rounds = 0
    while (found := scanner.next(NOTHING)).kind != "end":
        if found.kind == "newline":
            if head and _ends(text, found, at, depth, rounds, code):
                return Extent(found.start)
            continue
        if found.text == "}":
            if depth == 0:
                return Extent(found.end if not head else found.start)
            depth -= 1
        elif found.text == "{":
            opened = _header(head, found) if depth == 0 and not whole else None
            if opened is not None:
                return opened
            depth += 1
        rounds += (found.text in ("(", "[")) - (found.text in (")", "]"))
        head.append(found)
    return Extent(len(text))


def _ends(text: str, found: Lexeme, at: int, depth: int, rounds: int, code: str) -> bool:
    """Whether the statement ends at the line's end *found*."""
    if found.start < at or depth > 0:
        return False
    if rounds <= 0:
        return not Scanner(text, found.end).line_goes_on() or bool(STATEMENT.match(text, found.end))
    begins = STATEMENT if code == "unclosed-bracket" else KEYWORD
    return bool(begins.match(text, found.end))


def _header(head: list[Lexeme], brace: Lexeme) -> Extent | None:
    """Return the block that *head* begins, None where the brace holds a set or a table."""
    if not head or head[-1].text == "in" or head[0].kind != "word":
        return None
    kind = _kind(head[0].text)
    if kind is None:
        return None
    if kind != head[0].text and kind != "repeat":
        return Extent(head[0].end, ((_terminal(kind), kind, head[0].start),))
    if kind == "repeat":
        tokens = (("REPEAT", "repeat", head[0].start), ("INT", "1", head[0].start))
        return Extent(brace.end, (*tokens, ("LBRACE", "{", brace.start)))
    name = next((word for word in head[1:] if word.kind == "word"), None)
    shown = name.text if name is not None else "unnamed"
    at = name.start if name is not None else head[0].start
    first = (_terminal(kind), kind, head[0].start)
    formals = (("LPAR", "(", at), ("RPAR", ")", at)) if kind in ("phase", "op") else ()
    return Extent(
        brace.end, (first, ("NAME", shown, at), *formals, ("LBRACE", "{", brace.start)), shown
    )


def _terminal(kind: str) -> str:
    return "KIND" if kind in RECORDS else kind.upper()


def _kind(word: str) -> str | None:
    if word in BLOCKS:
        return word
    near = near_names(word, BLOCKS)
    return near[0] if near and word not in BEGINNINGS else None
