"""Which brace is the missing or the surplus one, judged by how the lines are indented."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from costlang.syntax.lexer import Lexeme, lexemes
from costlang.syntax.parser import BEGINNINGS
from costlang.text import Diagnostic, Label, Source, Span
from costlang.text.near import near_names

ONLY_AT_THE_TOP = frozenset(
    "model hardware record interface phase op scenario enum resource unit import".split()
)
"""Words that begin a declaration, and never stand inside a block."""


@dataclass(frozen=True)
class Balance:
    """Closing braces to read at places where none stands, and those to pass over."""

    missing: tuple[int, ...] = ()
    surplus: frozenset[int] = frozenset()
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True)
class _Placed:
    """
    A brace or the first word of a line.

    *indent* is how far its statement is indented, *after* the kind of what follows it, and *behind*
    where the word or sign before it ends.
    """

    lexeme: Lexeme
    line: int
    indent: int
    is_first: bool
    after: str
    behind: int


@dataclass(eq=False)
class _Ledger:
    """Braces that are open, and what was found so far."""

    source: Source
    open: list[_Placed] = field(default_factory=list)
    missing: list[int] = field(default_factory=list)
    surplus: set[int] = field(default_factory=set)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def unclosed(self, at: int) -> None:
        """The innermost open brace should have been closed before *at*."""
        brace = self.open.pop().lexeme
        self.missing.append(at)
        label = Label(Span(self.source, brace.start, brace.end), "`}` is missing")
        shown = Label(Span(self.source, at, at), "read as closed here")
        self.diagnostics.append(
            Diagnostic("unclosed-block", "this block is not closed", label, (shown,))
        )

    def unopened(self, brace: Lexeme) -> None:
        """Nothing is closed by *brace*."""
        self.surplus.add(brace.start)
        label = Label(Span(self.source, brace.start, brace.end), "no block is open here")
        self.diagnostics.append(
            Diagnostic("unopened-bracket", "nothing is closed by this `}`", label)
        )


def balance(source: Source) -> Balance:
    """Return what is wrong with the braces of *source*; nothing where as many close as open."""
    placed = list(_placed(source.text))
    opening = sum(item.lexeme.text == "{" for item in placed)
    closing = sum(item.lexeme.text == "}" for item in placed)
    if opening == closing:
        return Balance()
    ledger = _Ledger(source)
    for item in placed:
        _enter(ledger, item)
    while ledger.open:
        ledger.unclosed(len(source.text))
    return Balance(
        tuple(sorted(ledger.missing)), frozenset(ledger.surplus), tuple(ledger.diagnostics)
    )


def _enter(ledger: _Ledger, item: _Placed) -> None:
    text = item.lexeme.text
    while ledger.open and _ends_set(ledger.open[-1], item):
        ledger.unclosed(_line_end_before(ledger.source.text, ledger.open[-1]))
    if text == "{":
        ledger.open.append(item)
    elif text == "}":
        _close(ledger, item)
    elif item.is_first and item.indent == 0 and _declares(item):
        while ledger.open:
            ledger.unclosed(item.behind)


def _close(ledger: _Ledger, item: _Placed) -> None:
    while item.is_first and ledger.open and item.indent < ledger.open[-1].indent:
        ledger.unclosed(item.behind)
    if not ledger.open or (item.is_first and item.indent > ledger.open[-1].indent):
        ledger.unopened(item.lexeme)
    else:
        ledger.open.pop()


def _declares(item: _Placed) -> bool:
    if item.after != "word" or item.lexeme.text in BEGINNINGS - ONLY_AT_THE_TOP:
        return False
    word = item.lexeme.text
    return word in ONLY_AT_THE_TOP or bool(near_names(word, sorted(ONLY_AT_THE_TOP)))


def _ends_set(brace: _Placed, item: _Placed) -> bool:
    """Whether *brace*, with members on its own line, was left open before *item*'s statement."""
    inline = brace.after not in ("newline", "end")
    begins = item.is_first and item.lexeme.text in BEGINNINGS and item.after == "word"
    return inline and item.line > brace.line and (begins or item.lexeme.text == "}")


def _line_end_before(text: str, brace: _Placed) -> int:
    end = text.find("\n", brace.lexeme.end)
    return len(text) if end < 0 else end


def _placed(text: str) -> Iterator[_Placed]:
    """Yield the braces, and the first word of each line, with the indentation of its statement."""
    found = [*lexemes(text), Lexeme("end", len(text), len(text), "")]
    line, start, is_first, indent, rounds, behind = 0, 0, True, 0, 0, 0
    for lexeme, following in pairwise(found):
        if lexeme.kind == "newline":
            line, start, is_first = line + 1, lexeme.end, True
            continue
        begins = lexeme.text in BEGINNINGS and following.kind == "word"
        if is_first and (begins or lexeme.text == "}" or rounds <= 0):
            rounds, indent = 0, len(text[start : lexeme.start].expandtabs(8))
        if lexeme.text in ("{", "}") or is_first:
            yield _Placed(lexeme, line, indent, is_first, following.kind, behind)
        rounds += (lexeme.text in ("(", "[")) - (lexeme.text in (")", "]"))
        is_first, behind = False, lexeme.end
