"""The pages of messages, which are shipped with the package."""

from __future__ import annotations

from pathlib import Path

from costlang.loader.reading import read
from costlang.loader.shipped import PACKAGE


def page_of(code: str) -> str | None:
    """Return the page of the message with this *code*, None where it is not shipped."""
    beside = PACKAGE / "diagnostics" / f"{code}.md"
    found = beside if beside.is_file() else PACKAGE.parent / "docs" / "diagnostics" / f"{code}.md"
    text = read(found, code)
    return text if isinstance(text, str) else None


def text_at(path: str) -> str | None:
    """Return the text of the file at *path*, None where it cannot be read."""
    text = read(Path(path), path)
    return text if isinstance(text, str) else None
