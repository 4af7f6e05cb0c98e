"""Limits on a file, counted before it is parsed, so that no file can make us work for ever."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from costlang.syntax.lexer import Lexeme, Scanner
from costlang.text import Diagnostic, Label, Source, Span

TOKENS = 30_000
NESTING = 100
OPERATORS = 1_000
DIGITS = 100
EXPONENT = 64


def over_budget(source: Source) -> tuple[Diagnostic, ...]:
    """Return what *source* has too much of; nothing when it is within every limit."""
    nul = source.text.find("\0")
    if nul >= 0:
        return (_too("nul-byte", "a NUL byte stands in this file", source, nul, nul + 1, ""),)
    return tuple(_counted(source))


def _counted(source: Source) -> Iterator[Diagnostic]:
    count = 0
    depth = _Depth()
    before: Lexeme | None = None
    for found in _words(source.text):
        if found.kind != "newline":
            count += 1
        if count > TOKENS:
            words = f"a file has at most {TOKENS:,} words, numbers and signs"
            yield _too("too-many-tokens", words, source, found.start, found.end, "one too many")
            return
        depth.enter(found)
        if depth.excess is not None:
            label = "too deep here"
            yield _too("nesting-too-deep", depth.excess, source, found.start, found.end, label)
            return
        yield from _literal(source, found, before)
        before = found


def _words(text: str) -> Iterator[Lexeme]:
    """Yield the lexemes of *text*; of line ends only the first before the next thing said."""
    scanner = Scanner(text)
    while (found := scanner.next(frozenset())).kind != "end":
        yield found
        if found.kind == "newline":
            scanner.skip_empty_lines()


_SPLITS = frozenset((",", ":", "=", "->"))
_CHAINS = frozenset("- ^ + * / . < > <= >= == != not if and or".split())


@dataclass
class _Depth:
    """
    How deep the brackets are nested, and how many operators stand around a place.

    *levels* has for each open bracket how many operators its expression has had so far; *goes_on*
    is whether a new line could still belong to the expression before it.
    """

    levels: list[int] = field(default_factory=lambda: [0])
    goes_on: bool = False
    line_ended: bool = False

    def enter(self, found: Lexeme) -> None:
        """Take in the next lexeme."""
        chains = found.text in _CHAINS and found.kind in ("operator", "word")
        if found.kind == "newline":
            self.line_ended = True
            return
        if self.line_ended and not (chains or self.goes_on):
            self.levels[-1] = 0
        self.line_ended = False
        self.goes_on = chains
        if found.kind == "operator":
            self._bracket(found.text)
        if chains:
            self.levels[-1] += 1

    def _bracket(self, text: str) -> None:
        if text in ("(", "[", "{"):
            self.levels[-1] += text != "{"
            self.levels.append(0)
        elif text in (")", "]", "}") and len(self.levels) > 1:
            self.levels.pop()
        elif text in _SPLITS:
            self.levels[-1] = 0

    @property
    def excess(self) -> str | None:
        """What there is too much of, None when it is all within its limits."""
        if len(self.levels) - 1 > NESTING:
            return f"this nests deeper than {NESTING}"
        if sum(self.levels) > OPERATORS:
            return f"an expression has at most {OPERATORS:,} operators"
        return None


def _literal(source: Source, found: Lexeme, before: Lexeme | None) -> Iterator[Diagnostic]:
    if found.kind not in ("number", "quantity"):
        return
    digits = sum(char.isdigit() for char in found.text)
    if digits > DIGITS:
        words = f"a number has at most {DIGITS} digits"
        yield _too("literal-too-long", words, source, found.start, found.end, f"{digits} digits")
    elif before is not None and before.text == "^" and _large(found.text):
        words = f"an exponent that is written out is at most {EXPONENT}"
        yield _too("exponent-too-large", words, source, found.start, found.end, "too large")
    elif "e" in found.text.lower() and _scale(found.text) > 400:
        words = "a number this large or small means nothing here"
        yield _too("literal-too-long", words, source, found.start, found.end, "too far from 1")


def _large(text: str) -> bool:
    digits = text.split(".", maxsplit=1)[0].replace("_", "")
    return digits.isdigit() and int(digits) > EXPONENT


def _scale(text: str) -> int:
    tail = text.lower().split("e", 1)[1].split(" ")[0].lstrip("+-")
    digits = "".join(char for char in tail if char.isdigit())
    return int(digits) if digits and len(digits) < 9 else (10**9 if digits else 0)


def _too(code: str, words: str, source: Source, start: int, end: int, label: str) -> Diagnostic:
    return Diagnostic(code, words, Label(Span(source, start, end), label))
