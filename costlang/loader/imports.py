"""Whether imports hold: no circle of files, and every name declared there, once, and not here."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from costlang.loader.program import File, ResolvedImport
from costlang.loader.resolve import place_of
from costlang.loader.shipped import PREFIX, library_index
from costlang.syntax.tree import Word
from costlang.text import Diagnostic, Label
from costlang.text.near import did_you_mean, near_names

Edge = tuple[File, ResolvedImport]


def check_imports(
    files: tuple[File, ...], sound: frozenset[str]
) -> tuple[tuple[File, ...], tuple[Diagnostic, ...]]:
    """
    Return *files* with the imports that close a circle cut, and what is wrong about imports.

    A file whose key is not in *sound* has errors of its own, so what it lacks is not reported.
    """
    by_key = {file.key: file for file in files}
    circles = tuple(_circles(by_key))
    cut = frozenset(way[-1][1] for way in circles)
    found = [
        *map(_circle_fault, circles),
        *(item for file in files for item in _name_conflicts(file, cut)),
        *(
            item
            for file in files
            for edge in file.imports
            if edge.key in sound and edge not in cut
            for item in _unknown_names(file, edge, by_key)
        ),
    ]
    return tuple(_without(file, cut) for file in files), tuple(found)


# ---- circles


def _circles(files: dict[str, File]) -> Iterator[tuple[Edge, ...]]:
    """Yield each way that comes back to a file on it, the import that closes it last."""
    done: set[str] = set()
    for file in files.values():
        yield from _walk(file, (), files, done)


def _walk(
    file: File, way: tuple[Edge, ...], files: dict[str, File], done: set[str]
) -> Iterator[tuple[Edge, ...]]:
    if file.key in done:
        return
    for item in file.imports:
        longer = (*way, (file, item))
        keys = [passed.key for passed, _ in longer]
        if item.key in keys:
            yield longer[keys.index(item.key) :]
        elif item.key is not None:
            yield from _walk(files[item.key], longer, files, done)
    done.add(file.key)


def _circle_fault(way: tuple[Edge, ...]) -> Diagnostic:
    names = [file.source.name for file, _ in way]
    round_way = " → ".join([*names, names[0]])
    *others, (_, last) = way
    return Diagnostic(
        "import-cycle",
        "these files import each other" if others else "this file imports itself",
        Label(place_of(last.node), "this import closes the circle"),
        tuple(Label(place_of(item.node), "on the way round") for _, item in others),
        (f"the way round: {round_way}",),
    )


def _without(file: File, cut: frozenset[ResolvedImport]) -> File:
    imports = tuple(replace(item, key=None) if item in cut else item for item in file.imports)
    return replace(file, imports=imports)


# ---- names that two give


def _name_conflicts(file: File, cut: frozenset[ResolvedImport]) -> Iterator[Diagnostic]:
    own = {item.name.text: item.name for item in reversed(file.tree.declarations)}
    seen: dict[str, Word] = {}
    for word in (word for e in file.imports if e not in cut for word in e.node.names):
        if word.text in seen:
            yield _conflict(word, "imported again here", seen[word.text], "first imported here")
        elif word.text in own:
            yield _conflict(word, "imported here", own[word.text], "declared here")
        seen.setdefault(word.text, word)


def _conflict(word: Word, here: str, other: Word, there: str) -> Diagnostic:
    return Diagnostic(
        "name-conflict",
        f"`{word.text}` has two meanings in this file",
        Label(word.span, here),
        (Label(other.span, there),),
    )


# ---- names that nobody gives


def _unknown_names(
    file: File, edge: ResolvedImport, files: dict[str, File]
) -> Iterator[Diagnostic]:
    target = files[edge.key or ""]
    declared = {item.name.text for item in target.tree.declarations}
    for word in edge.node.names:
        if word.text in declared:
            continue
        home = _home(word.text, target, files)
        if home is not None:
            yield _indirect(word, target, _statement(word.text, home, file))
        else:
            yield _unknown(word, target, declared)


def _home(name: str, file: File, files: dict[str, File]) -> File | None:
    """Return the file that declares *name*, which *file* only imports; None if it does not."""
    seen = {file.key}
    while True:
        keys = [e.key for e in file.imports if any(word.text == name for word in e.node.names)]
        if not keys or keys[0] is None or keys[0] in seen:
            return None
        file = files[keys[0]]
        seen.add(file.key)
        if any(item.name.text == name for item in file.tree.declarations):
            return file


def _statement(name: str, home: File, reader: File) -> str:
    """Return the import by which *reader* gets *name* from the file that declares it."""
    if home.key.startswith(PREFIX):
        path = home.key.removeprefix(PREFIX).removesuffix(".cost").replace("/", ".")
    else:
        folder = os.path.dirname(reader.source.name)
        way = os.path.relpath(home.source.name, folder or ".").replace(os.sep, "/")
        path = f'"{way if way.startswith("../") else "./" + way}"'
    return f"import {path} ({name})"


def _indirect(word: Word, target: File, statement: str) -> Diagnostic:
    return Diagnostic(
        "indirect-import",
        f"`{word.text}` is not declared in `{target.source.name}`, only imported there",
        Label(word.span, "not declared there"),
        help=f"import it from where it is declared: `{statement}`",
    )


def _unknown(word: Word, target: File, declared: set[str]) -> Diagnostic:
    home = library_index().get(word.text)
    mend = did_you_mean(near_names(word.text, sorted(declared)))
    if home is not None:
        mend = f"the library declares it elsewhere: `import {home} ({word.text})`"
    return Diagnostic(
        "unknown-import",
        f"`{target.source.name}` declares no `{word.text}`",
        Label(word.span, "not declared there"),
        help=mend,
    )
