"""Tokens to a parse tree, by the one grammar; Lark is imported here alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput, UnexpectedToken
from lark.lexer import Lexer

from costlang.syntax.grammar import grammar_file
from costlang.syntax.lexer import Lexeme, Scanner
from costlang.syntax.tables import keep_tables, recall_tables

STARTS = ["file", "question", "expr", "binding", "use_value"]
_TERMINALS = {
    "string": "STRING",
    "doc": "DOC",
    "unit": "UNIT",
    "unitname": "UNITNAME",
    "quantity": "QTY",
    "newline": "_NL",
}


_LAST: ContextVar[tuple[Lexeme, Lexeme | None, tuple[Lexeme, ...]]] = ContextVar("last")
"""The lexeme that the parser was given last, the one before it, and the brackets then open."""


@dataclass(frozen=True)
class Stop(Exception):
    """The parser cannot go on: at *found*, after *before*; *wants* are terminals it would take."""

    found: Lexeme
    before: Lexeme | None
    wants: frozenset[str]
    open: tuple[Lexeme, ...]


class WordLexer(Lexer):
    """Lark's view of our scanner: it is asked for one token at a time, and sees what is wanted."""

    __future_interface__ = True

    def __init__(self, conf: Any) -> None:
        self._by_text = {
            terminal.pattern.value: terminal.name
            for terminal in conf.terminals
            if terminal.pattern.type == "str"
        }

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Token]:
        """Yield the tokens of the text as the parser moves on."""
        text = lexer_state.text
        return self.steps(Scanner(getattr(text, "text", text)), parser_state)

    def steps(self, scanner: Scanner, parser_state: Any) -> Iterator[Token]:
        """Yield the tokens that *scanner* still meets, as the parser moves on."""
        states = parser_state.parse_conf.parse_table.states
        before: Lexeme | None = None
        while True:
            wants = _wants(states, parser_state.position)
            found = scanner.next(wants)
            _LAST.set((found, before, tuple(scanner.open)))
            if found.kind == "end":
                break
            if found.kind == "newline" and (
                "_NL" not in wants or scanner.line_goes_on() or _bracketed(scanner)
            ):
                continue
            if before is not None and self._begins_anew(found, before, wants, scanner):
                end = Lexeme("newline", before.end, before.end, "")
                raise Stop(end, before, wants, tuple(scanner.open))
            name = self._name(found, wants, scanner)
            if name is None or name not in wants:
                raise Stop(found, before, wants, tuple(scanner.open))
            if found.kind != "newline":
                before = found
            else:
                scanner.skip_empty_lines()
            yield Token(name, found.text, found.start, end_pos=found.end)
        wants = frozenset(states[parser_state.position])
        if "_NL" in wants and parser_state.parse_conf.start == "file":
            yield Token("_NL", "\n", scanner.at, end_pos=scanner.at)
            wants = frozenset(states[parser_state.position])
        if "$END" not in wants:
            end = Lexeme("end", before.end if before else 0, scanner.at, "")
            raise Stop(end, before, wants, tuple(scanner.open))

    def _begins_anew(
        self, found: Lexeme, before: Lexeme, wants: frozenset[str], scanner: Scanner
    ) -> bool:
        """Whether a statement begins on a new line where an expression should still go on."""
        keyword = _SPECIAL.get(found.text) or self._by_text.get(found.text)
        if found.text not in BEGINNINGS or keyword in wants or "QTY" not in wants:
            return False
        return "\n" in scanner.text[before.end : found.start] and _word_follows(scanner)

    def _name(self, found: Lexeme, wants: frozenset[str], scanner: Scanner) -> str | None:
        if found.kind == "word":
            return self._word(found, wants, scanner)
        if found.kind == "number":
            return "INT" if found.text.replace("_", "").isdigit() else "NUM"
        if found.kind == "operator":
            if found.text in ("<=", ">=", "==", "!=", "<", ">"):
                return "CMP"
            return "DOTS" if found.text == ".." else self._by_text.get(found.text)
        return _TERMINALS.get(found.kind)

    def _word(self, found: Lexeme, wants: frozenset[str], scanner: Scanner) -> str:
        text = found.text
        keyword = _SPECIAL.get(text) or self._by_text.get(text)
        if keyword is None or keyword not in wants:
            return "NAME"
        if "NAME" not in wants:
            return keyword
        if text in ("if", "not", "true", "false", "inf"):
            return keyword
        if text in ("given", "over"):
            return keyword if _word_follows(scanner) else "NAME"
        if scanner.names_here(found.end) or _ends_operand(scanner):
            return "NAME"
        return keyword


BEGINNINGS = frozenset(
    "let override param term repeat check require law query use table import model hardware record "
    "interface phase op scenario enum resource unit".split()
)
"""Words that begin a statement when a name follows them."""


def _wants(states: Any, position: int) -> frozenset[str]:
    """Return the terminals that *states* takes at *position*, made once for each."""
    known = _WANTED.setdefault(id(states), {})
    if position not in known:
        known[position] = frozenset(states[position])
    return known[position]


_WANTED: dict[int, dict[int, frozenset[str]]] = {}

_SPECIAL = {
    **dict.fromkeys(("hardware", "model", "record", "interface"), "KIND"),
    "given": "GIVEN",
}


def _word_follows(scanner: Scanner) -> bool:
    ahead = Scanner(scanner.text, scanner.at)
    found = ahead.next(frozenset())
    while found.kind == "newline" and _bracketed(scanner):
        found = ahead.next(frozenset())
    return found.kind == "word"


def _ends_operand(scanner: Scanner) -> bool:
    ahead = Scanner(scanner.text, scanner.at).next(frozenset())
    return ahead.kind in ("newline", "end") or ahead.text in (
        ")",
        ",",
        ":",
        "*",
        "/",
        "+",
        "^",
        "<=",
        "<",
        ">",
        ">=",
        "==",
        "!=",
    )


def _bracketed(scanner: Scanner) -> bool:
    return bool(scanner.open) and scanner.open[-1].text in "(["


@cache
def _lark() -> Lark:
    grammar = _grammar()
    kept = recall_tables(grammar, WordLexer)
    if kept is not None:
        return kept
    made = build_parser(strict=False)
    keep_tables(grammar, made)
    return made


def _grammar() -> str:
    return grammar_file().read_text(encoding="utf-8") + "\nuse_value: postfix\n"


def build_parser(*, strict: bool) -> Lark:
    """Return the parser of the grammar; *strict* refuses every conflict."""
    return Lark(
        _grammar(),
        parser="lalr",
        lexer=WordLexer,
        start=STARTS,
        propagate_positions=True,
        maybe_placeholders=True,
        strict=strict,
        keep_all_tokens=False,
    )


def parse_text(text: str, start: str) -> Tree[Token]:
    """Return the parse tree of *text*; raises `Stop` where it cannot go on."""
    try:
        return _lark().parse(text, start=start)
    except UnexpectedToken as error:
        raise stop_at(error) from None
    except UnexpectedInput as error:
        at = error.pos_in_stream or 0
        raise Stop(Lexeme("stray", at, at + 1, text[at : at + 1]), None, frozenset(), ()) from None


def stop_at(error: UnexpectedToken) -> Stop:
    """Return where and before what the parser met the *error*."""
    found, before, opened = _LAST.get()
    return Stop(found, before, _accepted(error.state), opened)


def _accepted(state: Any) -> frozenset[str]:
    """Return the terminals that the parser would have taken where it is."""
    here = state.parse_conf.states[state.state_stack[-1]]
    return frozenset(name for name in here if name.isupper() and _takes(state, name))


def _takes(state: Any, name: str) -> bool:
    """Whether a terminal is shifted, after the reductions that it brings about."""
    states, stack = state.parse_conf.states, list(state.state_stack)
    while name in states[stack[-1]]:
        action, way = states[stack[-1]][name]
        if action.name == "Shift":
            return True
        del stack[len(stack) - len(way.expansion) :]
        stack.append(states[stack[-1]][way.origin.name][1])
        if stack[-1] == state.parse_conf.end_state:
            return name == "$END"
    return False


def open_parser(start: str) -> Any:
    """Return Lark's interactive parser, for one who reads on after a mistake."""
    return _lark().parse_interactive("", start)
