"""Limits on a file, counted before it is parsed, so that no file can make us work for ever."""

from __future__ import annotations

from collections.abc import Iterator

from costlang.syntax.lexer import Lexeme, lexemes
from costlang.text import Diagnostic, Label, Source, Span

TOKENS = 40_000
NESTING = 100
DIGITS = 100
EXPONENT = 64


def over_budget(source: Source) -> tuple[Diagnostic, ...]:
    """Return what *source* has too much of; nothing when it is within every limit."""
    nul = source.text.find("\0")
    if nul >= 0:
        return (_too("nul-byte", "a NUL byte stands in this file", source, nul, nul + 1, ""),)
    return tuple(_counted(source))


def _counted(source: Source) -> Iterator[Diagnostic]:
    depth, count = 0, 0
    before: Lexeme | None = None
    for found in lexemes(source.text):
        if found.kind != "newline":
            count += 1
        if count > TOKENS:
            words = f"a file has at most {TOKENS:,} words, numbers and signs"
            yield _too("too-many-tokens", words, source, found.start, found.end, "one too many")
            return
        depth += _step(found, before)
        if depth > NESTING:
            words = f"this nests deeper than {NESTING}"
            yield _too("nesting-too-deep", words, source, found.start, found.end, "too deep here")
            return
        yield from _literal(source, found, before)
        if found.kind == "newline" and depth < 0:
            depth = 0
        before = found


_PREFIX = ("-", "^", "not", "if")


def _step(found: Lexeme, before: Lexeme | None) -> int:
    if found.kind != "operator":
        return 0
    return {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(found.text, 0)


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
