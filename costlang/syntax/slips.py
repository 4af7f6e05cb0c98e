"""Slips of the pen that everybody makes, each with what should be written instead."""

from __future__ import annotations

import re

from costlang.syntax.lexer import Lexeme
from costlang.syntax.parser import BEGINNINGS, Stop
from costlang.syntax.stops import ends_operand, follows_operand, message, wants_operand
from costlang.text import Diagnostic, Source
from costlang.text.near import did_you_mean, near_names

SIGNS = {
    "×": "*",
    "·": "*",
    "÷": "/",
    "−": "-",
    "–": "-",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "→": "->",
    "∞": "inf",
}
"""Signs that people type, and how the language writes them."""


CONDITIONS = re.compile(r"\b(?:check|require|law|query|solve|with|where|if|and|or)\b")


SIDE = r"[A-Za-z0-9_.]+(?: [A-Za-z%$][A-Za-z0-9^/*]*)?"


SIDES_BEFORE = re.compile(rf"{SIDE}\s*(?:[<>]=?|[=!]=)\s*({SIDE})\s*\Z")


SIDE_AFTER = re.compile(rf"\s*({SIDE})[ \t]*(?=$|#|\n|,|\bat\b|\bsource\b)")


ELSEWHERE = {
    **dict.fromkeys(("const", "var", "val", "def", "define"), "a named value is a `let`"),
    **dict.fromkeys(("function", "func", "fn"), "a function is `let f(x: count) = …`"),
    **dict.fromkeys(("class", "struct", "type"), "a kind of record is an `interface`"),
    **dict.fromkeys(("assert", "expect"), "a fact that must hold is a `check`"),
    **dict.fromkeys(("print", "return", "eval"), "a question is `query name: …`"),
    **dict.fromkeys(
        ("include", "from", "using", "require_file"), "write `import std.ops (linear)`"
    ),
}
"""Words of other languages, and what is written here."""


def comma(stop: Stop, source: Source) -> Diagnostic | None:
    """`28,672`: digits are grouped with `_`."""
    found, before = stop.found, stop.before
    whole = found if found.kind == "stray" and "," in found.text else None
    if found.text == "," and before is not None and before.kind == "number":
        tail = re.match(r"(?:,\d{3})+(?!\d)", source.text[found.start :])
        if tail is not None and len(before.text) <= 3:
            whole = Lexeme("number", before.start, found.start + tail.end(), "")
    if whole is None:
        return None
    text = source.text[whole.start : whole.end]
    return message(
        source,
        "comma-in-number",
        "a number has no commas",
        whole,
        "digits are grouped with `_`",
        f"write `{text.replace(',', '_')}`",
        edit=text.replace(",", "_"),
    )


def stray(stop: Stop, source: Source) -> Diagnostic | None:
    """A sign that means nothing here: of mathematics, of money, a quote, a point."""
    found = stop.found
    if found.kind != "stray" and found.text != ".":
        return None
    rest = source.text[found.start :]
    if found.text in SIGNS:
        sign = SIGNS[found.text]
        return message(
            source,
            "unicode-operator",
            f"`{found.text}` is no operator here",
            found,
            "an operator of another alphabet",
            f"write `{sign}`",
            edit=sign,
        )
    if found.text == "$" and (money := re.match(r"\$ ?(\d[\d_.,]*)(/[A-Za-z]+)?", rest)):
        amount, per = money.group(1), money.group(2) or ""
        whole = Lexeme("stray", found.start, found.start + money.end(), money.group(0))
        return message(
            source,
            "money-before-number",
            "a unit stands after its number, money as well",
            whole,
            "money before its number",
            f"write `{amount} ${per}`",
            edit=f"{amount} ${per}",
        )
    if found.text == '"':
        return message(
            source, "unterminated-string", "this text has no closing quote", found, "opened here"
        )
    if found.text == "." and (number := re.match(r"\.\d+", rest)):
        whole = Lexeme("stray", found.start, found.start + number.end(), number.group(0))
        return message(
            source,
            "leading-dot",
            "a number begins with a digit",
            whole,
            "a dot first",
            f"write `0{number.group(0)}`",
            edit=f"0{number.group(0)}",
        )
    if found.kind != "stray":
        return None
    if found.text[0].isdigit():
        return message(
            source,
            "stray-character",
            "a number does not end with its point",
            found,
            "a dot last",
            f"write `{found.text[:-1]}`",
            edit=found.text[:-1],
        )
    shown = found.text if found.text.isprintable() else f"U+{ord(found.text):04X}"
    return message(
        source, "stray-character", f"`{shown}` means nothing here", found, "unknown character"
    )


def doubled(stop: Stop, source: Source) -> Diagnostic | None:
    """`2**3`: a power is written `^`."""
    found, before = stop.found, stop.before
    if found.text != "*" or before is None or before.text != "*" or before.end != found.start:
        return None
    whole = Lexeme("operator", before.start, found.end, "**")
    mend = "a power is written `^`"
    return message(
        source, "double-star", "`**` is no operator here", whole, "not an operator", mend, edit="^"
    )


def equals(stop: Stop, source: Source) -> Diagnostic | None:
    """`check a: 1 = 1`: two sides are compared with `==`."""
    if stop.found.text != "=" or not _compares(stop, source):
        return None
    return message(
        source,
        "single-equals",
        "`=` sets a value; two sides are compared with `==`",
        stop.found,
        "a comparison belongs here",
        "write `==`",
        edit="==",
    )


def _compares(stop: Stop, source: Source) -> bool:
    """Whether the place asks for a condition: after a word such as `check`, on the same line."""
    if stop.before is None or not ends_operand(stop.before):
        return False
    start = source.text.rfind("\n", 0, stop.found.start) + 1
    return bool(CONDITIONS.search(source.text, start, stop.found.start))


def chained(stop: Stop, source: Source) -> Diagnostic | None:
    """`1 < x < 3`: a comparison has two sides."""
    signs = ("<", "<=", "==", "!=", ">=", ">")
    if stop.found.text not in signs or "CMP" in stop.wants or wants_operand(stop):
        return None
    return message(
        source,
        "chained-comparison",
        "comparisons are not chained",
        stop.found,
        "a second comparison",
        _unchained(stop, source),
    )


def _unchained(stop: Stop, source: Source) -> str:
    """Write the chain as two comparisons, in the author's words where its sides are plain."""
    start = source.text.rfind("\n", 0, stop.found.start) + 1
    left = SIDES_BEFORE.search(source.text, start, stop.found.start)
    right = SIDE_AFTER.match(source.text, stop.found.end)
    if left is None or right is None:
        return "write `a < b and b < c`"
    return f"write `{left[0].strip()} and {left[1]} {stop.found.text} {right[1]}`"


def percent(stop: Stop, source: Source) -> Diagnostic | None:
    """`80 % of x` and `5 % x`: a percentage is a number, and multiplies what it is of."""
    found, before = stop.found, stop.before
    if before is None or not before.text.endswith("%") or found.kind != "word":
        return None
    if before.kind != "quantity" or not follows_operand(stop):
        return None
    ends = found.end
    if found.text == "of":
        ends = _skip_word(source.text, found.end)
    whole = Lexeme("quantity", before.start, ends, "")
    thing = source.text[found.end : ends].strip() if found.text == "of" else found.text
    return message(
        source,
        "percent-of",
        "a percentage is a number, and multiplies what it is a part of",
        whole,
        "`*` is missing",
        f"write `{before.text} * {thing or '…'}`",
        edit=f"{before.text} * {thing}" if thing else None,
    )


def _skip_word(text: str, at: int) -> int:
    found = re.compile(r"[ \t]*[A-Za-z_0-9.]*").match(text, at)
    return found.end() if found else at


def keyword(stop: Stop, source: Source) -> Diagnostic | None:
    """A line that begins with a word like a keyword, and goes on as no setting does."""
    first = _first_word(stop, source)
    if first is None or first.text in BEGINNINGS:
        return None
    near = near_names(first.text, [*sorted(BEGINNINGS), "import", "source"])
    return message(
        source,
        "unknown-statement",
        f"no statement begins with `{first.text}`",
        first,
        "a keyword or a setting belongs here",
        did_you_mean(near[:1]) or ELSEWHERE.get(first.text),
    )


def _first_word(stop: Stop, source: Source) -> Lexeme | None:
    """Return the word with which a line begins, where the reading stopped at it or behind it."""
    found, before = stop.found, stop.before
    if found.kind == "word" and _is_first(found, source) and "LET" in stop.wants:
        return found
    behind = before is not None and found.kind in ("word", "string")
    if behind and before is not None and before.kind == "word" and _is_first(before, source):
        return before
    return None


def _is_first(word: Lexeme, source: Source) -> bool:
    line = source.text.rfind("\n", 0, word.start) + 1
    before = source.text[line : word.start]
    return not before.strip(" \t{") or OPENING.fullmatch(before) is not None


OPENING = re.compile(
    r"[ \t]*(?:repeat|scenario|interface|record|model|hardware|phase|op)\b[^{}]*\{[ \t]*"
)
"""What may stand before the first word of a block on the same line."""
