"""Which file an import means, and whether it may be read: the library, or inside the project."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from costlang.loader.shipped import PREFIX, file_of, import_path, library, library_files
from costlang.syntax.tree import Import
from costlang.text import Diagnostic, Label, Span
from costlang.text.near import did_you_mean, near_names

_MARKS = ("pyproject.toml", ".git")


@dataclass(frozen=True)
class Target:
    """
    A file that an import means.

    *name* is how messages call it, *real* its path with links followed, by which it is told from
    others, and *folder* where its own `"./…"` begins.
    """

    name: str
    real: Path
    folder: Path

    @property
    def shipped(self) -> bool:
        """Whether the file is one of the library's."""
        return self.real.is_relative_to(library())


def target(path: Path, given: str | None = None) -> Target:
    """Return the file at *path*, called as *given*, or by its key when the library ships it."""
    real = Path(os.path.realpath(path))
    found = Target(given or os.path.normpath(path), real, path.parent)
    return Target(library_key(real), real, real.parent) if found.shipped and not given else found


def library_key(real: Path) -> str:
    """Return the key of a file of the library: `specs/std/ops.cost`."""
    return PREFIX + real.relative_to(library()).as_posix()


def project_root(folder: Path) -> Path:
    """Return the nearest folder from *folder* up that is a project's, else *folder* itself."""
    start = Path(os.path.realpath(folder))
    for place in (start, *start.parents):
        if any(os.path.exists(place / mark) for mark in _MARKS):
            return place
    return start


def place_of(node: Import) -> Span:
    """Return where an import says which file it means."""
    return node.file.span if node.file is not None else node.path[0].span.to(node.path[-1].span)


def resolve(node: Import, folder: Path, root: Path, *, near: bool = True) -> Target | Diagnostic:
    """
    Return the file that *node*, written in a file of *folder*, means, or why it has none.

    Of what lies outside *root* and the library not even the existence is told. Unless *near* is
    asked for, no names that look alike are offered.
    """
    if node.file is None:
        return _shipped(node, near=near)
    return _relative(node, node.file.text, folder, root, near=near)


def _shipped(node: Import, *, near: bool) -> Target | Diagnostic:
    words = tuple(word.text for word in node.path)
    path = file_of(words)
    if os.path.isfile(path):
        return target(path)
    known = map(import_path, library_files()) if near else ()
    alike = near_names(".".join(words), known)
    return _missing(node, f"the library has no `{'.'.join(words)}`", alike)


def _relative(
    node: Import, text: str, folder: Path, root: Path, *, near: bool
) -> Target | Diagnostic:
    path = folder / text
    try:
        real = Path(os.path.realpath(path))
    except ValueError:
        return _missing(node, "no file can have this name", ())
    if not (real.is_relative_to(root) or real.is_relative_to(library())):
        return _outside(node)
    if os.path.isfile(real):
        return target(path)
    beside = [found.stem for found in sorted(real.parent.glob("*.cost"))] if near else []
    start = text[: len(text) - len(os.path.basename(text))]
    alike = [f'"{start}{stem}.cost"' for stem in near_names(real.stem, beside)]
    return _missing(node, f"there is no file `{os.path.normpath(path)}`", alike)


def _missing(node: Import, message: str, near: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        "missing-import",
        message,
        Label(place_of(node), "not found"),
        help=did_you_mean(near),
    )


def _outside(node: Import) -> Diagnostic:
    return Diagnostic(
        "import-outside-root",
        "an import cannot leave the project",
        Label(place_of(node), "outside the project and the library"),
        notes=(
            "a project is the nearest folder with a `pyproject.toml` or a `.git`, "
            "or else the folder of the file that was asked for",
        ),
    )
