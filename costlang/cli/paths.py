"""Which files a command line means: a folder stands for the specs below it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def spec_files(paths: tuple[str, ...]) -> Iterator[str]:
    """
    Yield each of *paths*, a folder as the `*.cost` files below it, in order.

    What is called so and is no file, a pipe or a device say, is passed over.
    """
    for text in paths:
        path = Path(text)
        if text != "-" and path.is_dir():
            found = sorted(path.rglob("*.cost"))
            yield from (str(file) for file in found if file.is_file())
        else:
            yield text
