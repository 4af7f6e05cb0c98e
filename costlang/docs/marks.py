"""The marks of a page: where an embed begins and ends, with code and other comments left alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from costlang.text import Diagnostic, Label, Source, Span

_OPEN = re.compile(r"<!--[ \t\r\n]*cost(?=[:=])")
_MARK = re.compile(r"<!--\s*(?:/cost\s*-->|cost[:=])")
_FENCE = re.compile(
    r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?P<run>`{3,}(?=[^`\n]*$)|~{3,})", re.M
)
_TICKS = re.compile(r"`+")
_STOP = re.compile(r"`+|<!--|\\[\\`<]|\n")
_BLANK = re.compile(r"\n[ \t>]*\r?\n")


@dataclass(frozen=True)
class Marked:
    """
    An embed as it stands in a page.

    It goes from its *opening* mark to *end*. *words* is what that says between `cost` and `-->`,
    its `:` or `=` first; *inner* is what stands between the two marks. *margin* is what each line
    of a block begins with, None where the marks do not stand on lines of their own.
    """

    opening: Span
    words: Span
    inner: Span
    margin: str | None = None
    end: int = 0

    @property
    def is_block(self) -> bool:
        """Whether the marks stand on lines of their own."""
        return self.margin is not None


def marked(source: Source, start: int = 0) -> tuple[tuple[Marked, ...], tuple[Diagnostic, ...]]:
    """
    Return the embeds of *source* from *start* on, and what is wrong with their marks.

    What stands in a fence of code, in code within a line or in another comment is no mark.
    """
    found: list[Marked] = []
    faults: list[Diagnostic] = []
    at = start
    while (opening := _next_mark(source.text, at)) is not None:
        if opening.group().endswith("-->"):
            faults.append(_unopened(source, opening))
            at = opening.end()
            continue
        embed = _embed(source, opening.start())
        if isinstance(embed, Marked):
            found.append(embed)
            at = embed.end
        else:
            faults.append(embed)
            at = opening.end()
    return tuple(found), tuple(faults)


def _next_mark(text: str, start: int) -> re.Match[str] | None:
    """Return the next mark from *start* on that is not code."""
    at = start
    if start == 0 or text[start - 1] == "\n":
        at = _past_fences(text, start)
    while (stop := _STOP.search(text, at)) is not None:
        sign = stop.group()
        if sign == "\n":
            at = _past_fences(text, stop.end())
        elif sign[0] == "`":
            at = _past_code(text, stop)
        elif sign == "<!--":
            if (mark := _MARK.match(text, stop.start())) is not None:
                return mark
            end = text.find("-->", stop.end())
            at = end + 3 if end >= 0 else len(text)
        else:
            at = stop.end()
    return None


def _past_fences(text: str, at: int) -> int:
    """Return the end of the fences of code that begin at the beginning of a line, *at*."""
    while (fence := _FENCE.match(text, at)) is not None:
        run = fence["run"]
        closing = re.compile(rf"^[ \t>]*{re.escape(run[0])}{{{len(run)},}}[ \t]*\r?$", re.M)
        end = closing.search(text, _line_end(text, fence.end()))
        if end is None:
            return len(text)
        at = min(_line_end(text, end.end()), len(text))
    return at


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end + 1 if end >= 0 else len(text)


def _past_code(text: str, ticks: re.Match[str]) -> int:
    """Return the end of the code that *ticks* open; theirs, where nothing in the paragraph does."""
    blank = _BLANK.search(text, ticks.end())
    last = blank.start() if blank is not None else len(text)
    for other in _TICKS.finditer(text, ticks.end(), last):
        if other.group() == ticks.group():
            return other.end()
    return ticks.end()


# ---- one embed


def _embed(source: Source, start: int) -> Marked | Diagnostic:
    text = source.text
    opening = _OPEN.match(text, start)
    assert opening is not None
    end = text.find("-->", opening.end())
    if end < 0:
        place = Span(source, start, opening.end() + 1)
        return _unclosed(place, "this comment has no end", "end it with `-->`")
    span = Span(source, start, end + 3)
    following = _MARK.search(text, end + 3)
    if following is None:
        return _unclosed(span, "nothing closes this", "close it with `<!-- /cost -->`")
    if not following.group().endswith("-->"):
        return _nested(source, span, following)
    inner = Span(source, end + 3, following.start())
    words = Span(source, opening.end(), end)
    margin = _margin(text, span, inner, following.end())
    return Marked(span, words, inner, margin, following.end())


def _margin(text: str, opening: Span, inner: Span, end: int) -> str | None:
    """Return what stands before the opening mark of a block; None where it is no block."""
    before = text[text.rfind("\n", 0, opening.start) + 1 : opening.start]
    between = text[inner.start : inner.end]
    last = text[text.rfind("\n", 0, inner.end) + 1 : inner.end]
    rest = text[end : _line_end(text, end)]
    alone = not before.strip(" \t>") and not last.strip(" \t>") and not rest.strip()
    return before if alone and re.match(r"[ \t]*\r?\n", between) else None


# ---- what is wrong


def _unclosed(place: Span, label: str, mend: str) -> Diagnostic:
    return Diagnostic("unclosed-embed", "an embed is not closed", Label(place, label), help=mend)


def _nested(source: Source, opening: Span, inner: re.Match[str]) -> Diagnostic:
    place = Label(Span(source, inner.start(), inner.end()), "begins inside another one")
    return Diagnostic(
        "nested-embed",
        "an embed begins before the one above it is closed",
        place,
        (Label(opening, "this one is still open"),),
        help="close it with `<!-- /cost -->`",
    )


def _unopened(source: Source, mark: re.Match[str]) -> Diagnostic:
    place = Label(Span(source, mark.start(), mark.end()), "closes nothing")
    return Diagnostic("unopened-embed", "an embed is closed that was not opened", place)


def lines_of(inner: str, margin: str) -> Iterator[str]:
    """Yield the lines between the marks of a block, without *margin* and without their ends."""
    lines = inner.split("\n")[1:-1]
    for line in lines:
        yield line.rstrip("\r").removeprefix(margin)
