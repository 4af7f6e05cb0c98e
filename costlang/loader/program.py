"""What a program is made of: its files, and which file each import of theirs means."""

from __future__ import annotations

from dataclasses import dataclass

from costlang.syntax.tree import Import, Tree
from costlang.text import Diagnostic, Source


@dataclass(frozen=True)
class ResolvedImport:
    """
    An import and the key of the file that it names.

    *key* is None where there is no such file, or it cannot be read, or taking it would close a
    circle; a diagnostic says so already.
    """

    node: Import
    key: str | None


@dataclass(frozen=True)
class File:
    """
    One file of a program.

    *key* tells it from the others: `specs/std/ops.cost` for a file of the shipped library, the
    path as it was given for any other. *lost* are names that its faulty statements declared,
    *damaged* its declarations whose first line could not be read.
    """

    key: str
    source: Source
    tree: Tree
    imports: tuple[ResolvedImport, ...] = ()
    lost: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()


@dataclass(frozen=True)
class Program:
    """
    An entry file, which is the first of *files*, and all that it imports, each file once.

    *diagnostics* are those of reading, of syntax and of imports, file by file, in source order.
    """

    files: tuple[File, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def entry(self) -> File:
        """The file that was asked for."""
        return self.files[0]
