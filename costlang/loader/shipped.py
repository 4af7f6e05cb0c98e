"""The shipped library: where it lies, how its files are called, and what they declare."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from costlang.loader.reading import read

PACKAGE = Path(__file__).resolve().parent.parent
PREFIX = "specs/"
_LESSONS = "guide"
_DECLARES = re.compile(
    r"^(resource|unit|enum|let|table|interface|hardware|model|record|phase|op|scenario)"
    r"[ \t]+([A-Za-z_][A-Za-z0-9_]*)",
    re.MULTILINE,
)


@cache
def library() -> Path:
    """Return the folder of the library: beside the package in a wheel, else one folder up."""
    beside = PACKAGE / "specs"
    return (beside if beside.is_dir() else PACKAGE.parent / "specs").resolve()


def file_of(path: tuple[str, ...]) -> Path:
    """Return where `import std.ops` looks: `std/ops.cost` in the library, there or not."""
    return library().joinpath(*path).with_suffix(".cost")


def import_path(file: Path) -> str:
    """Return how the library's *file* is called in an import: `std.ops`."""
    return ".".join(file.relative_to(library()).with_suffix("").parts)


def library_files() -> tuple[Path, ...]:
    """Return the files that can be imported by a path, sorted; lessons are not among them."""
    files = sorted(library().rglob("*.cost"))
    return tuple(file for file in files if file.relative_to(library()).parts[0] != _LESSONS)


def library_words() -> dict[str, tuple[str, str]]:
    """
    Return each name that the library declares: by which word, and the path of its import.

    `llama_2_70b` is a `model` in `models.llama`. Found by the words at the start of a line, without
    parsing; the files stand in order, and so do the names of each.
    """
    found: dict[str, tuple[str, str]] = {}
    for file in library_files():
        text = read(file, import_path(file))
        if isinstance(text, str):
            for word, name in _DECLARES.findall(text):
                found.setdefault(name, (word, import_path(file)))
    return found


@cache
def library_index() -> dict[str, str]:
    """Return each name that the library declares, with the path from which it is imported."""
    return {name: home for name, (_, home) in library_words().items()}
