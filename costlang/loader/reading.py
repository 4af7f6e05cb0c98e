"""The one place that reads a text: bounded, as UTF-8, and never with an exception."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

MAX_BYTES = 1_000_000
_PIECE = re.compile(r'#[^\n]*|"[^"\n]*"|\w+|[^\w\s]')
_LETTERS = 60
"""A text of so many letters weighs as much as a word, comments or not."""
_BOM = "\ufeff"


@dataclass(frozen=True)
class Unreadable:
    """
    Why a text cannot be used.

    *at* is the offset of the fault in *text*, None where no part of the text was kept.
    """

    code: str
    message: str
    label: str
    text: str = ""
    at: int | None = None
    help: str | None = None


def read(path: Path, name: str) -> str | Unreadable:
    """Return the text of the file at *path*, called *name*; at most 1 MB is ever read."""
    try:
        with path.open("rb") as stream:
            return _read(stream, name)
    except FileNotFoundError:
        return Unreadable("missing-file", f"there is no file `{name}`", "not found")
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        return Unreadable("unreadable-file", f"`{name}` cannot be read", reason)


def weight(text: str, most: int) -> int:
    """Return about how many words and signs *text* has, counted up to *most* and one more."""
    pieces = (1 for found in _PIECE.finditer(text) if text[found.start()] != "#")
    return max(sum(islice(pieces, most + 1)), len(text) // _LETTERS)


def read_stdin() -> str | Unreadable:
    """Return the text of standard input, under the same bounds."""
    return _read(sys.stdin.buffer, "<stdin>")


def _read(stream: BinaryIO, name: str) -> str | Unreadable:
    data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        label = f"more than {MAX_BYTES // 1_000_000} MB, the most that is read"
        return Unreadable("file-too-large", f"`{name}` is too large for a spec", label)
    try:
        return data.decode("utf-8").removeprefix(_BOM)
    except UnicodeDecodeError as error:
        return _not_utf8(data, error, name)


def _not_utf8(data: bytes, error: UnicodeDecodeError, name: str) -> Unreadable:
    text = data.decode("utf-8", "replace").removeprefix(_BOM)
    at = len(data[: error.start].decode("utf-8").removeprefix(_BOM))
    label = f"here stands the byte 0x{data[error.start]:02X}"
    mend = "save the file as UTF-8"
    return Unreadable("not-utf8", f"`{name}` is not UTF-8", label, text, at, mend)
