"""Warnings on what an author wrote, beside what the shipped library knows of the same things."""

from __future__ import annotations

from dataclasses import replace

from costlang.loader import library_index, load
from costlang.model import declared as d
from costlang.model.advice import advise
from costlang.model.check import Model, check
from costlang.model.context import Context
from costlang.model.likeness import compare_with_shipped, is_alike
from costlang.text import Diagnostic, Source

LIBRARY = "specs/"
"""How the keys of the files of the library begin."""


def advice(model: Model) -> tuple[Diagnostic, ...]:
    """Return what is sound in *model* and yet probably not meant, in its authors' own files."""
    context = replace(model.context, diagnostics=[])
    for key, scope in model.files.items():
        for decl in scope.own.values() if not key.startswith(LIBRARY) else ():
            if isinstance(decl, d.Owner):
                advise(context, decl)
                _compare(context, decl)
    return tuple(context.diagnostics)


def _compare(context: Context, decl: d.Owner) -> None:
    if isinstance(decl, d.RecordDecl) and decl.kind == "hardware":
        alike = [name for name in library_index() if _may_tell(decl, name)]
        if alike:
            compare_with_shipped(context, decl, _chips(alike))


def _may_tell(decl: d.RecordDecl, name: str) -> bool:
    parents = [owner.name for owner in decl.lineage()][1:]
    return name in parents or is_alike(decl.name, name)


def _chips(names: list[str]) -> dict[str, d.RecordDecl]:
    """Return those of *names* that are chips of the library."""
    lines = "".join(f"import {library_index()[name]} ({name})\n" for name in names)
    found = check(load(Source("<library>", f"cost 1\n{lines}"))).main.imported
    return {
        name: decl
        for name, decl in found.items()
        if isinstance(decl, d.RecordDecl) and decl.kind == "hardware"
    }
