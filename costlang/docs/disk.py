"""The one place that reads pages, records and pictures: bounded, and never with an exception."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

MAX_BYTES = 16_000_000


@dataclass(frozen=True)
class Unread:
    """Why a file cannot be used: the code of the message, and its words."""

    code: str
    message: str


def bytes_of(path: Path, name: str) -> bytes | Unread:
    """Return what is in the file at *path*, called *name*; at most 16 MB are ever read."""
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return Unread("missing-file", f"there is no file `{name}`")
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        return Unread("unreadable-file", f"`{name}` cannot be read: {reason}")
    if len(data) > MAX_BYTES:
        return Unread("file-too-large", f"`{name}` has more than {MAX_BYTES // 1_000_000} MB")
    return data
