"""
The record beside the pages of a folder, `costlang.lock`: what each figure was made of.

It is TOML, sorted, with a line for each input and a stretch of lines for each figure, so that two
branches of a history that fill different figures merge. A figure names its inputs by digests of
what they were.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from costlang.docs.disk import Unread, bytes_of
from costlang.docs.exactly import digest
from costlang.text import Diagnostic, Label, Source, Span

NAME = "costlang.lock"
VERSION = 1
_HEAD = "# What the figures of these pages were made of. Written by `costlang doc`; commit it."
_BARE = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True)
class Record:
    """All of an answer in words, a digest of its formula, and its inputs by name."""

    value: str
    shape: str = ""
    inputs: Mapping[str, str] = field(default_factory=dict)


Records = dict[str, dict[str, Record]]
"""The records of a folder: by page, and by what each figure asks."""


def read_lock(folder: Path) -> tuple[Records, tuple[Diagnostic, ...]]:
    """Return the records of the pages in *folder*, none where there is no lock, or why not."""
    path = folder / NAME
    name = str(path)
    data = bytes_of(path, name)
    if isinstance(data, Unread):
        wrong = Diagnostic(data.code, data.message, Label(Span(Source(name, ""), 0, 0), ""))
        return {}, () if data.code == "missing-file" else (wrong,)
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    try:
        return _records(tomllib.loads(text)), ()
    except (tomllib.TOMLDecodeError, ValueError) as error:
        return {}, (_broken(Source(name, text), _line_of(error), "this is no record of figures"),)


def _records(data: Mapping[str, object]) -> Records:
    if data.get("version") != VERSION:
        raise ValueError("another version")
    pool = {name: str(text) for name, text in _table(data.get("inputs", {})).items()}
    found: Records = {}
    for page, figures in _table(data.get("page", {})).items():
        found[page] = {key: _record(_table(each), pool) for key, each in _table(figures).items()}
    return found


def _record(data: Mapping[str, object], pool: Mapping[str, str]) -> Record:
    texts = (pool[name] for name in str(data.get("inputs", "")).split() if name in pool)
    inputs = {name: text for name, _, text in (each.partition(" = ") for each in texts)}
    return Record(str(data.get("value", "")), str(data.get("shape", "")), inputs)


def _table(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ValueError("a table belongs here")
    return value


def _line_of(error: Exception) -> int:
    found = re.search(r"line (\d+)", str(error))
    return int(found[1]) if found else 1


def _broken(source: Source, line: int, label: str) -> Diagnostic:
    start = sum(len(text) + 1 for text in source.text.split("\n")[: max(line - 1, 0)])
    start = min(start, max(len(source.text) - 1, 0))
    place = Label(Span(source, start, min(start + 1, len(source.text))), label)
    mend = "undo what was done to it, or delete it and run `costlang doc` on the folder"
    return Diagnostic("broken-lock", f"`{source.name}` cannot be read", place, help=mend)


# ---- writing


def lock_text(records: Records) -> str:
    """Return the text of the lock that holds *records*."""
    return "\n".join([_HEAD, f"version = {VERSION}", *_lines(records)]) + "\n"


def _lines(records: Records) -> Iterator[str]:
    figures = [record for each in records.values() for record in each.values()]
    yield from ("", "[inputs]")
    for text in sorted({text for record in figures for text in _texts(record)}):
        yield f"{_word(_short(text))} = {_quoted(text)}"
    for page in sorted(records):
        for key in sorted(records[page]):
            record = records[page][key]
            yield ""
            yield f"[page.{_word(page)}.{_word(key)}]"
            yield f"value = {_quoted(record.value)}"
            if record.shape:
                yield f"shape = {_quoted(record.shape)}"
            yield f"inputs = {_quoted(' '.join(map(_short, _texts(record))))}"


def _texts(record: Record) -> list[str]:
    return [f"{name} = {record.inputs[name]}" for name in sorted(record.inputs)]


def _short(text: str) -> str:
    """Return what a figure calls an input that was *text*."""
    return digest(text)[:10]


def _word(text: str) -> str:
    return text if _BARE.fullmatch(text) else _quoted(text)


def _quoted(text: str) -> str:
    """Return *text* as TOML quotes it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda m: f"\\u{ord(m[0]):04x}", escaped) + '"'


def kept(records: Records, folder: Path, written: Iterable[str]) -> Records:
    """Return *records* without pages that are gone; those just *written* are there."""
    there = set(written)
    return {
        page: figures
        for page, figures in records.items()
        if figures and (page in there or (folder / page).is_file())
    }
