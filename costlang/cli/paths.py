"""Which files a command line means: a folder stands for the specs below it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def spec_files(paths: tuple[str, ...]) -> Iterator[str]:
    """
    Yield each of *paths*, a folder as the `*.cost` files below it, in order.

    Passed over are what is called so and is no file, a pipe say, and links out of the folder: what
    they lead to is not the folder's, and a message would show it.
    """
    for text in paths:
        path = Path(text)
        if text != "-" and path.is_dir():
            root = path.resolve()
            found = sorted(path.rglob("*.cost"))
            yield from (str(file) for file in found if _is_inside(file, root))
        else:
            yield text


def _is_inside(file: Path, root: Path) -> bool:
    try:
        return file.is_file() and file.resolve().is_relative_to(root)
    except (OSError, RuntimeError):  # a link that leads to itself
        return False
