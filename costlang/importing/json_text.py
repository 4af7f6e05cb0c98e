"""JSON with the place of each value: exact numbers, no name twice, bounded in depth and length."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from costlang.text import Diagnostic, Label, Source, Span

DEEPEST = 32
"""How many lists and objects may stand in each other; a configuration has four."""
LONGEST = 40
"""Characters of a number; a longer one describes no model."""
LARGEST_POWER = 400
"""Tens in an exponent: `1e400` is the first that no machine's number holds."""

Scalar = str | int | Fraction | bool | None


@dataclass(frozen=True)
class Json:
    """
    A value and its place.

    *value* is what stands there: a text, a whole number, a rational for a number with a point or an
    exponent, a truth, None, a tuple of values for a list, or members for an object.
    """

    span: Span
    value: Scalar | tuple[Json, ...] | Members


@dataclass(frozen=True)
class Member:
    """A name in an object, its place, and its value."""

    name: str
    span: Span
    value: Json


@dataclass(frozen=True)
class Members:
    """What an object holds, in the order of the text; no name stands in it twice."""

    items: tuple[Member, ...]

    def find(self, name: str) -> Member | None:
        """Return the member *name*, None where there is none."""
        return next((item for item in self.items if item.name == name), None)


def alike(one: Json, other: Json) -> bool:
    """Whether two values say the same, wherever they stand and in which order their names do."""
    match one.value, other.value:
        case tuple() as left, tuple() as right:
            pairs = zip(left, right, strict=False)
            return len(left) == len(right) and all(alike(a, b) for a, b in pairs)
        case Members() as left, Members() as right:
            named = [(member.value, right.find(member.name)) for member in left.items]
            same = all(b is not None and alike(a, b.value) for a, b in named)
            return len(left.items) == len(right.items) and same
        case left, right:
            return type(left) is type(right) and left == right


class _Fault(Exception):
    def __init__(self, span: Span, message: str, label: str, help: str | None = None) -> None:
        self.diagnostic = Diagnostic("json-fault", message, Label(span, label), help=help)


def parse_json(source: Source) -> Json | Diagnostic:
    """Return what *source* says, or the first mistake in it."""
    try:
        return _Reader(source).whole()
    except _Fault as fault:
        return fault.diagnostic


_SPACE = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_WORD = re.compile(r"[-+.\w]+")
_PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}


class _Reader:
    """Reads one text from its beginning to its end; *at* is how far it came."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.at = 0
        self.depth = 0

    def whole(self) -> Json:
        self._skip()
        if self.at == len(self.text):
            raise self._fault("this is empty", "an object in `{ }` belongs here")
        found = self._value()
        self._skip()
        if self.at < len(self.text):
            raise self._fault("something follows the value", "the text should end here")
        return found

    # ---- values

    def _value(self) -> Json:
        start = self.at
        match self._sign():
            case "{":
                return self._nested(self._object)
            case "[":
                return self._nested(self._list)
            case '"':
                text = self._string()
                return Json(self._span(start), text)
            case _:
                scalar = self._word()
                return Json(self._span(start), scalar)

    def _nested(self, read: Callable[[], tuple[Json, ...] | Members]) -> Json:
        start = self.at
        self.depth += 1
        if self.depth > DEEPEST:
            raise self._fault(
                f"lists and objects stand more than {DEEPEST} deep in each other", "one too many"
            )
        self.at += 1
        value = read()
        self.at += 1
        self.depth -= 1
        return Json(self._span(start), value)

    def _list(self) -> tuple[Json, ...]:
        return tuple(self._value() for _ in self._parts("]"))

    def _object(self) -> Members:
        found: dict[str, Member] = {}
        for _ in self._parts("}"):
            member = self._member()
            if member.name in found:
                raise _twice(member, found[member.name])
            found[member.name] = member
        return Members(tuple(found.values()))

    def _member(self) -> Member:
        start = self.at
        if self._sign() != '"':
            raise self._fault("a name in quotes is missing", "a name belongs here")
        name = self._string()
        span = self._span(start)
        self._skip()
        if self._sign() != ":":
            raise self._fault("a colon is missing", "`:` belongs here")
        self.at += 1
        self._skip()
        return Member(name, span, self._value())

    def _parts(self, end: str) -> Iterator[None]:
        """Stop before each part of a list or an object, and then before its *end*."""
        self._skip()
        if self._sign() == end:
            return
        while True:
            yield
            self._skip()
            if self._sign() == end:
                return
            if self._sign() != ",":
                raise self._fault(
                    "two parts have no comma between them", f"`,` or `{end}` belongs here"
                )
            self.at += 1
            self._skip()

    # ---- scalars

    def _string(self) -> str:
        start = self.at
        self.at += 1
        pieces = []
        while True:
            plain = _PLAIN.match(self.text, self.at)
            assert plain is not None
            pieces.append(plain[0])
            self.at = plain.end()
            sign = self._sign()
            if sign == '"':
                self.at += 1
                return "".join(pieces)
            if sign != "\\":
                where = Span(self.source, start, max(self.at, start + 1))
                raise _Fault(where, "a text in quotes does not end on its line", "begins here")
            pieces.append(self._escape())

    def _escape(self) -> str:
        sign = self.text[self.at + 1 : self.at + 2]
        if sign in _ESCAPES and sign:
            self.at += 2
            return _ESCAPES[sign]
        digits = self.text[self.at + 2 : self.at + 6]
        if sign == "u" and re.fullmatch(r"[0-9a-fA-F]{4}", digits):
            self.at += 6
            return self._joined(chr(int(digits, 16)))
        raise self._fault("a backslash stands before what it cannot escape", "not an escape")

    def _joined(self, char: str) -> str:
        """Return *char*; the two halves of a pair are one letter, a lone half is a sign for it."""
        if not "\ud800" <= char <= "\udfff":
            return char
        low = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})").match(self.text, self.at)
        if low is None or char > "\udbff":
            return "\ufffd"
        self.at = low.end()
        return chr(0x10000 + ((ord(char) - 0xD800) << 10) + int(low[1], 16) - 0xDC00)

    def _word(self) -> Scalar:
        found = _WORD.match(self.text, self.at)
        if found is None:
            raise self._fault("a value is missing", "a value belongs here")
        word, span = found[0], Span(self.source, found.start(), found.end())
        self.at = found.end()
        if word in _WORDS:
            return _WORDS[word]
        return _number(word, span)

    # ---- where it stands

    def _sign(self) -> str:
        return self.text[self.at : self.at + 1]

    def _skip(self) -> None:
        found = _SPACE.match(self.text, self.at)
        assert found is not None
        self.at = found.end()

    def _span(self, start: int) -> Span:
        return Span(self.source, start, self.at)

    def _fault(self, message: str, label: str) -> _Fault:
        end = min(self.at + 1, len(self.text))
        return _Fault(Span(self.source, min(self.at, end), end), message, label)


def _number(word: str, span: Span) -> int | Fraction:
    found = _NUMBER.fullmatch(word)
    if found is None:
        raise _no_value(word, span)
    if len(word) > LONGEST:
        raise _Fault(span, f"a number has more than {LONGEST} characters", "too long to be a size")
    if found[2] is not None and abs(int(found[2][1:])) >= LARGEST_POWER:
        raise _Fault(span, "a number is beyond what any machine holds", "too large an exponent")
    return Fraction(word) if found[1] or found[2] else int(word)


def _no_value(word: str, span: Span) -> _Fault:
    if word.lstrip("+-").lower() in ("nan", "inf", "infinity"):
        return _Fault(span, f"`{word}` is no number of JSON", "no model has such a size")
    help = f'write `"{word}"` for a text' if word.isidentifier() else None
    return _Fault(span, "this is no value of JSON", "not a number, `true`, `false` or `null`", help)


def _twice(second: Member, first: Member) -> _Fault:
    fault = _Fault(second.span, f"`{second.name}` stands twice in one object", "and again here")
    label = Label(first.span, "first here")
    fault.diagnostic = Diagnostic(
        "json-fault", fault.diagnostic.message, fault.diagnostic.primary, (label,)
    )
    return fault
