"""Which files a command line means: a folder stands for the specs below it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def spec_files(paths: tuple[str, ...]) -> Iterator[str]:
    """Yield each of *paths*, a folder as the `*.cost` files below it, in order."""
    for text in paths:
        path = Path(text)
        if text != "-" and path.is_dir():
            yield from (str(found) for found in sorted(path.rglob("*.cost")))
        else:
            yield text
