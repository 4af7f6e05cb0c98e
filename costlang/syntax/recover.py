"""All syntax mistakes in one run: each faulty statement is blanked, the rest is read again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from costlang.syntax.builder import build
from costlang.syntax.lexer import BREAK, Lexeme, lexemes
from costlang.syntax.messages import explain
from costlang.syntax.parser import Stop, parse_text
from costlang.syntax.tree import Tree
from costlang.text import Diagnostic, Label, Source, Span

MOST = 50
WORK = 200_000
"""Signs of text that are read again in all, over all mistakes of a file; at least three times."""

STATEMENT = re.compile(
    r"[ \t]*(?:(?:override|let|param|term|repeat|check|require|law|query|use|show|table|import|"
    r"model|hardware|record|interface|phase|op|scenario|enum|resource|unit)\b(?![ \t]*[.\[])"
    r"(?![ \t]*=(?!=))|[A-Za-z_][\w.\[\]]*[ \t]*=(?!=)|\}|##)"
)
DECLARED = re.compile(
    r"(?:let|param|term|table|use|query|check|require|law|resource|unit|enum|op|phase|model|"
    r"hardware|record|interface|scenario)[ \t]+([A-Za-z_]\w*)"
    r"|([A-Za-z_]\w*)[ \t]*(?:as[ \t]+[A-Za-z_]\w*[ \t]*)?:"
    r"|([A-Za-z_]\w*)[ \t]+as[ \t]"
)
"""What a statement declares, also where the word before the name is not what it should be."""


@dataclass(frozen=True)
class Recovered:
    """The tree of the sound statements, the mistakes, and the names that the others declared."""

    tree: Tree | None
    diagnostics: tuple[Diagnostic, ...]
    lost: tuple[str, ...]


def parse_all(source: Source) -> Recovered:
    """Return what can be read of *source*, and every mistake."""
    text = source.text
    found: list[Diagnostic] = []
    lost: list[str] = []
    most = max(3, min(MOST, WORK // max(len(text), 1)))
    while len(found) < most:
        try:
            raw = parse_text(text, "file")
        except Stop as stop:
            found.append(explain(stop, Source(source.name, text)))
            start, end = _faulty(text, stop, found[-1])
            lost.extend(_declared(text[start:end]))
            blanked = _blank(text, start, end)
            if blanked == text:
                break
            text = blanked
        else:
            return Recovered(build(raw, source), _placed(found, source), tuple(lost))
    return Recovered(None, _placed(found, source), tuple(lost))


def _declared(statement: str) -> Iterator[str]:
    for match in DECLARED.finditer(statement):
        yield match.group(match.lastindex or 0)


def _placed(found: list[Diagnostic], source: Source) -> tuple[Diagnostic, ...]:
    return tuple(
        Diagnostic(
            item.code,
            item.message,
            _moved(item.primary, source),
            tuple(_moved(label, source) for label in item.labels),
            item.notes,
            item.help,
            item.severity,
        )
        for item in found
    )


def _moved(label: Label, source: Source) -> Label:
    return Label(Span(source, label.span.start, label.span.end), label.text)


def _faulty(text: str, stop: Stop, message: Diagnostic) -> tuple[int, int]:
    """Return the stretch of the statement with the mistake, its whole block if it opens one."""
    at = min(stop.found.start, message.span.start, len(text))
    if message.code == "unclosed-block":
        opening = message.labels[0].span.start
        return _start_of(text, opening), len(text)
    start = _start_of(text, at)
    end = _inside_block(text, start, _end_of(text, max(at, start)))
    opened = text.rfind("{", start, end)
    if opened >= 0 and text.find("}", opened, end) < 0:
        end = _block_end(text, opened)
    return start, max(end, at)


def _start_of(text: str, at: int) -> int:
    start = text.rfind("\n", 0, at) + 1
    while start > 0 and not STATEMENT.match(text, start) and text[start:at].strip():
        start = text.rfind("\n", 0, start - 1) + 1
    brace = text.rfind("{", start, at)
    inline = brace >= 0 and bool(text[brace + 1 : at].strip())
    return brace + 1 if inline else start


def _end_of(text: str, at: int) -> int:
    while True:
        found = BREAK.search(text, at)
        if found is None:
            return len(text)
        at = found.end()
        if STATEMENT.match(text, at) or not text[at:].split("\n", 1)[0].strip():
            return found.start()


def _inside_block(text: str, start: int, end: int) -> int:
    """Return where the statement ends, at the latest before the brace that closes its block."""
    depth = 0
    for found in _braces(text, start):
        if found.start >= end:
            return end
        depth += 1 if found.text == "{" else -1
        if depth < 0:
            return found.start
    return end


def _block_end(text: str, opened: int) -> int:
    depth = 0
    for found in _braces(text, opened):
        depth += 1 if found.text == "{" else -1
        if depth == 0:
            return found.end
    return len(text)


def _braces(text: str, start: int) -> list[Lexeme]:
    return [
        Lexeme(f.kind, f.start + start, f.end + start, f.text)
        for f in lexemes(text[start:])
        if f.text in ("{", "}")
    ]


def _blank(text: str, start: int, end: int) -> str:
    return text[:start] + re.sub(r"[^\r\n]", " ", text[start:end]) + text[end:]
