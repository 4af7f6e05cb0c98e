"""What a page says of itself before its text: its specs, its locale, its host."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from costlang.text import Diagnostic, Label, Source, Span
from costlang.text.near import did_you_mean, near_names

_FRONT = re.compile(r"---[ \t]*\r?\n(?P<body>.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.M | re.S)
_LINE = re.compile(r"(?P<key>[A-Za-z_-]+):[ \t]*(?P<value>[^\r\n]*)\r?$", re.M)
_ITEM = re.compile(r"\r?\n[ \t]*-[ \t]+(?P<value>[^\r\n]*)")
_COMMENT = re.compile(r"(^|[ \t])#.*")
_PREFIX = "cost-"

KEYS = ("cost", "cost-scenario", "cost-locale", "cost-host")


@dataclass(frozen=True)
class Word:
    """A value of the front matter, and where it stands."""

    text: str
    span: Span


@dataclass(frozen=True)
class Front:
    """The *specs* of a page, what else it settles for its embeds, and its own end."""

    specs: tuple[Word, ...] = ()
    settled: dict[str, Word] = field(default_factory=dict)
    end: int = 0

    def option(self, key: str) -> Word | None:
        """Return the value of `cost-key`, else of a plain `key` that other tools read as well."""
        return self.settled.get(_PREFIX + key) or self.settled.get(key)


def front_of(source: Source) -> tuple[Front, tuple[Diagnostic, ...]]:
    """
    Return what the front matter of *source* says, and what is wrong in it.

    Of its keys those are read that are ours, in the plainest form of YAML: a word, a list in
    brackets, or one item a line.
    """
    found = _FRONT.match(source.text)
    if found is None:
        return Front(), ()
    specs: tuple[Word, ...] = ()
    settled: dict[str, Word] = {}
    faults: list[Diagnostic] = []
    for line in _LINE.finditer(source.text, found.start("body"), found.end("body")):
        key = line["key"]
        if key == "cost":
            specs = tuple(_listed(source, line, found.end("body")))
        elif key in (*KEYS, "locale"):
            settled.update((key, word) for word in _listed(source, line, found.end("body")))
        elif key.startswith(_PREFIX):
            faults.append(_unknown(source, line))
    return Front(specs, settled, found.end()), tuple(faults)


def _listed(source: Source, line: re.Match[str], end: int) -> Iterator[Word]:
    """Yield the values of a key: behind it, or below it, one a line."""
    value = _COMMENT.sub("", line["value"]).strip()
    if value:
        yield from _words(source, value, line.start("value"))
        return
    at = line.end() - (1 if source.text[line.end() - 1] == "\r" else 0)
    while (item := _ITEM.match(source.text, at, end)) is not None:
        yield from _words(source, _COMMENT.sub("", item["value"]).strip(), item.start("value"))
        at = item.end()


def _words(source: Source, value: str, at: int) -> Iterator[Word]:
    inner = value.strip("[]") if value.startswith("[") else value
    for piece in inner.split(","):
        word = piece.strip().strip("\"'")
        if word:
            start = source.text.index(word, at)
            yield Word(word, Span(source, start, start + len(word)))
            at = start + len(word)


def _unknown(source: Source, line: re.Match[str]) -> Diagnostic:
    key = line["key"]
    place = Label(Span(source, line.start("key"), line.end("key")), "not read")
    message = f"the front matter of a page has no key `{key}` for costlang"
    return Diagnostic("wrong-option", message, place, help=did_you_mean(near_names(key, KEYS)))
