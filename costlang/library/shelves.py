"""What stands on each shelf of the library, loaded as one program and only when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from costlang.loader import library_words, load
from costlang.model import declared as d
from costlang.model.check import Model, check
from costlang.text import Source
from costlang.text.near import near_names

SHELVES: Mapping[str, str] = {
    "models": "model",
    "hardware": "hardware",
    "phases": "phase",
    "ops": "op",
    "records": "record",
}
"""What is called how, and the word by which such a thing is declared."""


@dataclass(frozen=True, eq=False)
class Shelf:
    """
    Declarations of the library, in its order, and the program in which they were checked.

    *homes* are the paths from which they are imported.
    """

    model: Model
    decls: tuple[d.Decl, ...]
    homes: Mapping[str, str]


def shelf(kind: str) -> Shelf:
    """Return all that the library declares of *kind*, one of `SHELVES`."""
    words = library_words()
    return shelf_of(name for name, (word, _) in words.items() if word == SHELVES[kind])


def shelf_of(names: Iterable[str]) -> Shelf:
    """Return what *names* are in the library; a name that it lacks is passed over."""
    words = library_words()
    homes = {name: words[name][1] for name in names if name in words}
    by_home: dict[str, list[str]] = {}
    for name, home in homes.items():
        by_home.setdefault(home, []).append(name)
    lines = [f"import {home} ({', '.join(inner)})" for home, inner in by_home.items()]
    model = check(load(Source("<library>", "\n".join(["cost 1", *lines, ""]))))
    found = model.main.imported
    return Shelf(model, tuple(found[name] for name in homes if name in found), homes)


def near(name: str) -> list[str]:
    """Return the names of the library that look like *name*, at most three."""
    return near_names(name, sorted(library_words()))
