"""Every code of a message is in the catalogue, and the catalogue has no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from costlang.text import catalogue
from costlang.text.catalogue import CODES

PACKAGE = Path(catalogue.__file__).resolve().parent.parent
CODE = re.compile(r"[a-z]+(-[a-z0-9]+)*")
HYPHENATED = re.compile(r"[a-z]+(-[a-z0-9]+)+")
MAKES_A_MESSAGE = re.compile(
    r"Diagnostic|UnitFault|Unreadable|_?(report|fault|message|too|refuse|note|warn)(_\w+)?"
)
NO_CODES = {
    *("utf-8", "utf-16-be", "utf-16-le", "compressed-tensors", "source-read"),
    *("cost-host", "cost-locale", "cost-scenario", "cost-value", "cost-view"),
}
"""Hyphenated words of the package that are no codes: encodings, quantizing, words of Sphinx."""


def words_of(node: ast.expr) -> Iterator[str]:
    """Yield the texts that *node* may be, both branches of an `if` included."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=yes, orelse=no):
            yield from words_of(yes)
            yield from words_of(no)


def codes_of(call: ast.Call) -> Iterator[str]:
    """Yield the codes that *call* gives a message: its first text, or what it calls `code`."""
    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
    named = [word.value for word in call.keywords if word.arg == "code"]
    placed = [arg for arg in call.args[:2] if list(words_of(arg))][:1]
    if named or MAKES_A_MESSAGE.fullmatch(name):
        for argument in named or placed:
            yield from (word for word in words_of(argument) if CODE.fullmatch(word))


def used() -> set[str]:
    """Return every code in the package: those of messages, and all hyphenated words."""
    found: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        if path != Path(catalogue.__file__):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call):
                    found.update(codes_of(node))
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found.update([node.value] if HYPHENATED.fullmatch(node.value) else [])
    return found - NO_CODES


def test_each_code_in_use_is_in_the_catalogue() -> None:
    assert [] == sorted(used() - set(CODES))


def test_each_code_in_the_catalogue_is_in_use() -> None:
    assert [] == sorted(set(CODES) - used())


def test_a_code_is_plain_words_and_its_meaning_one_line() -> None:
    for code, meaning in CODES.items():
        assert CODE.fullmatch(code), code
        assert meaning and "\n" not in meaning and not meaning.endswith("."), code


def test_no_code_stands_in_two_groups() -> None:
    assert len(CODES) == sum(map(len, catalogue.GROUPS.values()))
