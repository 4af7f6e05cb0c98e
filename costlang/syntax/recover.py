"""All syntax mistakes in one run: the parser goes on behind each faulty statement."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lark import Token
from lark import Tree as LarkTree
from lark.exceptions import UnexpectedToken

from costlang.syntax.balance import Balance, balance
from costlang.syntax.builder import build
from costlang.syntax.extent import Extent, extent
from costlang.syntax.lexer import Lexeme, Scanner
from costlang.syntax.messages import explain
from costlang.syntax.parser import Stop, open_parser, parse_text, stop_at
from costlang.syntax.tree import Tree
from costlang.text import Diagnostic, Label, Source

DECLARED = re.compile(
    r"(?:let|param|term|table|use|query|check|require|law|resource|unit|enum|op|phase|model|"
    r"hardware|record|interface|scenario)[ \t]+([A-Za-z_]\w*)"
    r"|\b([A-Za-z_]\w*)[ \t]*(?:as[ \t]+[A-Za-z_]\w*[ \t]*)?:"
    r"|\b([A-Za-z_]\w*)[ \t]+as[ \t]"
    r"|^[ \t]*[A-Za-z_]\w*[ \t]+([A-Za-z_]\w*)[ \t]*[=({]",
    re.MULTILINE,
)
"""What a statement declares, also where the word before the name is not what it should be."""

MOST_MISTAKES = 5_000
"""Mistakes in the writing of a file; one with more is no spec, and is told its first one only."""

WORD = re.compile(r"[A-Za-z_]\w*")
IMPORTED = re.compile(r"\bimport\b[^\n(]*\(?([^)\n]*)")


@dataclass(frozen=True)
class Recovered:
    """
    The tree of the sound statements, and the mistakes.

    *lost* are names that faulty statements declared; *damaged* are declarations in the tree whose
    first line could not be read, so that nobody knows what they inherit or are given.
    """

    tree: Tree | None
    diagnostics: tuple[Diagnostic, ...]
    lost: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()


def parse_all(source: Source) -> Recovered:
    """Return what can be read of *source*, and every mistake in it."""
    try:
        return Recovered(build(parse_text(source.text, "file"), source), ())
    except Stop:
        return _Reading(source).read()


@dataclass(eq=False)
class MendedScanner(Scanner):
    """A scanner that reads a brace where one is missing, and passes over a surplus one."""

    mends: Balance = field(default_factory=Balance)
    pending: list[Lexeme] = field(default_factory=list)
    mended: int = 0

    def next(self, wants: frozenset[str]) -> Lexeme:
        """Return the next lexeme of the text as it should have been."""
        if self.pending:
            return self.pending.pop(0)
        before, opened = self.at, list(self.open)
        found = super().next(wants)
        if self.mended < len(self.mends.missing) and found.start >= self._place():
            self.at, self.open = before, opened
            return self._closing()
        if found.start in self.mends.surplus and found.text == "}":
            self.open = opened
            return self.next(wants)
        return found

    def _place(self) -> int:
        return self.mends.missing[self.mended]

    def _closing(self) -> Lexeme:
        at = min(self._place(), len(self.text))
        self.mended += 1
        if self.open and self.open[-1].text == "{":
            self.open.pop()
        self.pending.append(Lexeme("newline", at, at, "\n"))
        return Lexeme("operator", at, at, "}")


@dataclass(frozen=True)
class _Mark:
    """The parser and the scanner at the beginning of a statement."""

    states: list[Any]
    values: list[Any]
    at: int
    open: list[Lexeme]
    mended: int


@dataclass(eq=False)
class _Reading:
    """A reading that takes up again at the statement after each mistake."""

    source: Source
    found: list[Diagnostic] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        braces = balance(self.source)
        self.found.extend(braces.diagnostics)
        self.parser = open_parser("file")
        self.state = self.parser.parser_state
        self.words = self.parser.lexer_thread.lexer.lexer
        self.scanner = MendedScanner(self.source.text, mends=braces)
        self.mark = self._marked()

    def read(self) -> Recovered:
        """Return the tree of what is sound."""
        while True:
            try:
                raw = self._onward()
            except (Stop, UnexpectedToken) as error:
                stop = error if isinstance(error, Stop) else self._stop(error)
                if not self._mend(stop):
                    return self._recovered(None)
                if len(self.found) > MOST_MISTAKES:
                    return self._given_up()
            else:
                return self._recovered(build(raw, self.source))

    def _recovered(self, tree: Tree | None) -> Recovered:
        found = sorted(self.found, key=lambda item: item.span.start)
        return Recovered(tree, tuple(found), tuple(self.lost), tuple(self.damaged))

    def _given_up(self) -> Recovered:
        first, last = self.found[0], self.found[-1]
        words = f"this is hardly a spec: it has more than {MOST_MISTAKES:,} mistakes"
        label = Label(first.span, f"the first: {first.message}")
        behind = (Label(last.span, "one too many"),)
        return Recovered(None, (Diagnostic("too-many-mistakes", words, label, labels=behind),))

    def _onward(self) -> Any:
        behind = ""
        for token in self.words.steps(self.scanner, self.state):
            self.state.feed_token(token)
            if self._may_begin(token.type, behind):
                self.mark = self._marked()
            behind = behind if token.type == "_NL" else token.type
        return self.state.feed_token(Token("$END", ""), True)

    def _may_begin(self, kind: str, behind: str) -> bool:
        """
        Whether a statement may begin after a token of *kind*, with nothing that belongs to it.

        *behind* is the last token before it that was no line's end: documentation belongs to what
        follows. What a state takes after a line's end says nothing, as such states are shared.
        """
        if kind == "LBRACE":
            return "RBRACE" in self.state.parse_conf.states[self.state.position]
        return kind == "_NL" and behind != "DOC"

    def _marked(self) -> _Mark:
        state, scanner = self.state, self.scanner
        return _Mark(
            list(state.state_stack),
            _copied(state.value_stack),
            scanner.at,
            list(scanner.open),
            scanner.mended,
        )

    def _stop(self, error: UnexpectedToken) -> Stop:
        error.interactive_parser = self.parser
        return stop_at(error)

    def _mend(self, stop: Stop) -> bool:
        """Say what stopped the reading, and go back to where it can go on; False at the end."""
        message = explain(stop, self.source)
        if not self._is_told(stop, message):
            self.found.append(message)
        mark = self.mark
        place = _place_of(stop, message)
        stretch = extent(self.source.text, mark.at, place, message.code)
        self.lost.extend(_declared(self.source.text[mark.at : stretch.end]))
        if stretch.end <= mark.at and not stretch.header:
            return False
        self._go_back(stretch.end)
        if stretch.header and not self._open_block(stretch):
            self._go_back(extent(self.source.text, mark.at, place, message.code, whole=True).end)
        self.mark = self._marked()
        return True

    def _go_back(self, end: int) -> None:
        """Put the parser where the faulty statement began, and the scanner at its *end*."""
        self.state.state_stack[:] = self.mark.states
        self.state.value_stack[:] = _copied(self.mark.values)
        self.scanner.at, self.scanner.open = end, list(self.mark.open)
        self.scanner.mended = self.mark.mended
        self.scanner.pending.clear()

    def _is_told(self, stop: Stop, message: Diagnostic) -> bool:
        """Whether the braces have already told what stops the reading at the end of the text."""
        return message.code == "unclosed-block" and bool(self.scanner.mends.missing)

    def _open_block(self, stretch: Extent) -> bool:
        """Feed the parser a first line that it can read; False where no such block may stand."""
        try:
            for kind, text, at in stretch.header:
                self.state.feed_token(Token(kind, text, at, end_pos=at + len(text)))
        except UnexpectedToken:
            return False
        if stretch.name is not None:
            self.damaged.append(stretch.name)
            self.lost.extend(WORD.findall(self.source.text[stretch.header[0][2] : stretch.end]))
        if stretch.header[-1][0] == "LBRACE":
            self.scanner.open.append(Lexeme("operator", stretch.end - 1, stretch.end, "{"))
        return True


def _copied(values: list[Any]) -> list[Any]:
    """Return *values* with lists of their own: the parser makes longer those that it has."""
    return [
        LarkTree(value.data, list(value.children), value.meta)
        if isinstance(value, LarkTree)
        else value
        for value in values
    ]


def _place_of(stop: Stop, message: Diagnostic) -> int:
    if message.code == "unclosed-bracket":
        return message.span.start
    return min(stop.found.start, message.span.start)


def _declared(statement: str) -> Iterator[str]:
    for match in DECLARED.finditer(statement):
        yield match.group(match.lastindex or 0)
    imported = IMPORTED.search(statement)
    if imported is not None:
        yield from re.findall(r"[A-Za-z_]\w*", imported.group(1))
