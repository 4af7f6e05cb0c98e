"""
What is made in `docs/language.md`: the limits, and the rules of the one grammar without plumbing.

Rules that only serve the parser are written out where they are used, a list is `x, …`, and what
stands on lines of its own is `x …`. Nothing else is changed, so that page and parser agree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from costlang.answer.sweep import MOST_ROWS
from costlang.loader.loading import MAX_FILES
from costlang.syntax import budgets
from costlang.syntax.grammar import grammar_file

SECTION = re.compile(r"^// ---- (?P<title>[^\n]+)$", re.M)
RULE = re.compile(r"^\??(?P<name>\w+): (?P<body>[^\n]*(?:\n +\|[^\n]*)*)", re.M)
ALIAS = re.compile(r" +-> \w+$", re.M)
FIRST = "a file"
"""How the part before the first heading of the grammar is called."""

WRITTEN_OUT = ("GIVEN", "DOTS")
"""Terminals of one word, which read best as that word."""

LONGEST = 88


@dataclass(frozen=True)
class Rule:
    """A rule by its name, and its alternatives."""

    name: str
    alternatives: tuple[str, ...]


def makers() -> Mapping[str, Callable[[], str]]:
    """Return what makes each part of the page, by the name of the part."""
    rules = {f"grammar: {title}": partial(_shown, rules) for title, rules in sections().items()}
    return {**rules, "limits: of a file": limits}


def sections() -> Mapping[str, tuple[Rule, ...]]:
    """Return the readable rules of each section of the grammar, by its heading."""
    text = grammar_file().read_text(encoding="utf-8")
    inlined = {rule["name"]: _group(rule["body"]) for rule in RULE.finditer(text) if _inner(rule)}
    first, *others = SECTION.split(text)
    parts = {FIRST: first, **dict(zip(others[::2], others[1::2], strict=True))}
    return {title: tuple(_rules(part, inlined)) for title, part in parts.items()}


def _group(body: str) -> str:
    return f"({body})" if " " in body else body


def _inner(rule: re.Match[str]) -> bool:
    """Whether a rule has no name for a reader."""
    return rule["name"].startswith("_") or rule["name"] in WRITTEN_OUT


def _rules(part: str, inlined: Mapping[str, str]) -> Iterator[Rule]:
    for found in RULE.finditer(part):
        if not _inner(found):
            lines = ALIAS.sub("", found["body"]).split("\n")
            bodies = (line.strip().removeprefix("| ") for line in lines)
            yield Rule(_named(found["name"]), tuple(readable(body, inlined) for body in bodies))


def _named(name: str) -> str:
    return name.strip("_")


def readable(body: str, inlined: Mapping[str, str]) -> str:
    """
    Return the *body* of a rule with its plumbing taken away.

    >>> readable('"{" expr ("," expr)* ","? "}" _NL+', {})
    '"{" expr, … "}"'
    """
    if body.startswith("/"):  # a pattern of signs, which stays as it is
        return body
    for name, text in inlined.items():
        if name != "_NL":
            body = re.sub(rf"\b{name}\b", lambda _, text=text: text, body)  # type: ignore[misc]
    for pattern, mended in _PLUMBING:
        body = re.sub(pattern, mended, body)
    return " ".join(body.split())


_PLUMBING = (
    (r"\((\w+)(?: _NL\+)\)[*+]", r"\1 …"),  # statements, each with the end of its line
    (r"(\w+) \(_NL\+ \1\)\*", r"\1 …"),
    (r"(\w+) \(\",\" \1\)\*(?: \",\"\?)?", r"\1, …"),
    (r" *_NL[*+]", ""),
    (r"\((\w+ …)\)", r"\1"),
    (r"\[(\w+ …)\]", r"\1"),
    (r"(\w+)\?(?= |$)", r"[\1]"),
    (r"\b_?([a-z]\w*?)_(?= |\)|\]|$)", r"\1"),
)


def _shown(rules: tuple[Rule, ...]) -> str:
    width = max(len(rule.name) for rule in rules)
    lines = [line for rule in rules for line in _lines(rule, width)]
    return "```text\n" + "".join(f"{line}\n" for line in lines) + "```\n"


def _lines(rule: Rule, width: int) -> Iterator[str]:
    first, *others = (piece for body in rule.alternatives for piece in _pieces(body))
    yield f"{rule.name:{width}}  = {first}"
    for body in others:
        yield f"{'':{width}}  {body}" if body.startswith("  ") else f"{'':{width}}  | {body}"


def _pieces(body: str) -> Iterator[str]:
    """Cut a body that is too long for a line at an `|` of its own."""
    line = ""
    for word in body.split(" "):
        if len(line) + len(word) > LONGEST:
            yield line
            line = "   "
        line = f"{line} {word}" if line else word
    yield line


LIMITS = (
    (budgets.TOKENS, "words, numbers and signs in a file"),
    (MAX_FILES, "files, with all imports"),
    (budgets.NESTING, "brackets and blocks, one in the other"),
    (budgets.OPERATORS, "operators in an expression"),
    (budgets.DIGITS, "digits in a number"),
    (budgets.EXPONENT, "as an exponent that is written out"),
    (MOST_ROWS, "rows in a table"),
)


def limits() -> str:
    """Return the table of what a file may have at most."""
    lines = [
        "| at most | of |",
        "| --- | --- |",
        *(f"| {most:,} | {what} |" for most, what in LIMITS),
    ]
    return "".join(f"{line}\n" for line in lines)
