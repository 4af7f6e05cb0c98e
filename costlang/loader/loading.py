"""From an entry file to a program: every file that it needs, read and parsed once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from costlang.loader.imports import check_imports
from costlang.loader.program import File, Program, ResolvedImport
from costlang.loader.reading import Unreadable, read, read_stdin, weight
from costlang.loader.resolve import Target, library_key, place_of, project_root, resolve, target
from costlang.loader.shipped import library
from costlang.syntax import Parsed, parse
from costlang.syntax.tree import Import, Tree
from costlang.text import Diagnostic, Label, Source, Span

MAX_FILES = 200
HELPED = 50
"""Imports of files that are not there for which names that look alike are looked for."""
MAX_WORDS = 60_000
"""Of all files of a program together, the library's left out: about a second's work to read."""


def load(entry: Source | Path | str, folder: Path | None = None) -> Program:
    """
    Return *entry* and all that it imports, with everything that is wrong about texts and imports.

    *entry* is a text, a path, or `-` for standard input. What a text imports by `"./…"` is looked
    for in *folder*, the working folder where none is given.
    """
    first = _entry(entry, folder or Path())
    loading = _Loading(project_root(first.folder))
    loading.add(first)
    while loading.waiting:
        loading.follow(loading.waiting.pop(0))
    return _program(loading)


@dataclass(frozen=True)
class _Text:
    """A file as it was read; *real* tells it from others, and its `"./…"` begins in *folder*."""

    key: str
    real: Path | None
    folder: Path
    parsed: Parsed

    @property
    def shipped(self) -> bool:
        """Whether it is one of the library's."""
        return self.real is not None and self.real.is_relative_to(library())


@dataclass
class _Loading:
    """The files so far, by key, and those whose imports are still to be followed."""

    root: Path
    texts: dict[str, _Text] = field(default_factory=dict)
    keys: dict[Path, str] = field(default_factory=dict)
    imports: dict[str, tuple[ResolvedImport, ...]] = field(default_factory=dict)
    faults: list[Diagnostic] = field(default_factory=list)
    waiting: list[_Text] = field(default_factory=list)
    words: int = 0
    refused: set[str] = field(default_factory=set)

    def add(self, text: _Text) -> None:
        """Take *text* in; its imports are followed later."""
        if not text.shipped:
            self.words += weight(text.parsed.tree.source.text, MAX_WORDS)
        self.texts[text.key] = text
        self.waiting.append(text)
        if text.real is not None:
            self.keys[text.real] = text.key

    def follow(self, text: _Text) -> None:
        """Resolve the imports of *text*, and take in the files that were not there yet."""
        nodes = text.parsed.tree.imports
        self.imports[text.key] = tuple(ResolvedImport(n, self._key(n, text)) for n in nodes)

    def _key(self, node: Import, reader: _Text) -> str | None:
        root = library() if reader.shipped else self.root
        found = resolve(node, reader.folder, root, near=len(self.faults) < HELPED)
        if isinstance(found, Diagnostic):
            self.faults.append(found)
            return None
        return self.keys.get(found.real) or self._take(node, found)

    def _take(self, node: Import, found: Target) -> str | None:
        if len(self.texts) >= MAX_FILES:
            message = f"a program has at most {MAX_FILES} files"
            self._refuse(node, "too-many-files", message, "one file too many")
            return None
        text = read(found.real, found.name) if not found.shipped else ""
        if isinstance(text, str) and self.words + weight(text, MAX_WORDS) > MAX_WORDS:
            message = f"the files of a program have at most {MAX_WORDS:,} words, numbers and signs"
            self._refuse(node, "too-many-tokens", message, "too many with this file")
            return None
        parsed = _parse_target(found, text)
        if isinstance(parsed, Unreadable):
            self.faults.append(_import_fault(node, found, parsed))
            return None
        key = found.name if found.name not in self.texts else str(found.real)
        self.add(_Text(key, found.real, found.folder, parsed))
        return key

    def _refuse(self, node: Import, code: str, message: str, label: str) -> None:
        """Say once that a program has too much of something."""
        if code not in self.refused:
            self.faults.append(Diagnostic(code, message, Label(place_of(node), label)))
        self.refused.add(code)


# ---- reading


def _entry(entry: Source | Path | str, folder: Path) -> _Text:
    if isinstance(entry, Source):
        return _Text(entry.name, None, folder, parse(entry))
    if str(entry) == "-":
        return _Text("<stdin>", None, folder, _parse_entry("<stdin>", read_stdin()))
    found = target(Path(entry), str(entry))
    key = library_key(found.real) if found.shipped else found.name
    parsed = _parse_entry(found.name, read(Path(entry), found.name))
    return _Text(key, found.real, found.folder, parsed)


def _parse_entry(name: str, text: str | Unreadable) -> Parsed:
    return _unparsed(name, text) if isinstance(text, Unreadable) else parse(Source(name, text))


def _unparsed(name: str, why: Unreadable) -> Parsed:
    """Return the empty tree of a text that cannot be used, with the reason."""
    source = Source(name, why.text)
    place = Span(source, 0, 0) if why.at is None else Span(source, why.at, why.at + 1)
    fault = Diagnostic(why.code, why.message, Label(place, why.label), help=why.help)
    return Parsed(Tree(Span(source, 0, 0), source, None, (), ()), (fault,))


def _parse_target(found: Target, text: str | Unreadable) -> Parsed | Unreadable:
    if not found.shipped:
        return text if isinstance(text, Unreadable) else parse(Source(found.name, text))
    stat = found.real.stat()
    return _parse_shipped(found.name, found.real, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=256)
def _parse_shipped(name: str, path: Path, _changed: int, _size: int) -> Parsed | Unreadable:
    """Parse a file of the library once a process, and again only when it has changed."""
    text = read(path, name)
    return text if isinstance(text, Unreadable) else parse(Source(name, text))


def _import_fault(node: Import, found: Target, why: Unreadable) -> Diagnostic:
    """Say why an imported file cannot be used: at the place in it, else at the import."""
    place = place_of(node)
    if why.at is None:
        return Diagnostic(why.code, why.message, Label(place, why.label), help=why.help)
    inside = Span(Source(found.name, why.text), why.at, why.at + 1)
    imported = (Label(place, "imported here"),)
    return Diagnostic(why.code, why.message, Label(inside, why.label), imported, help=why.help)


# ---- the whole


def _program(loading: _Loading) -> Program:
    texts = loading.texts
    files = tuple(_file(text, loading.imports[key]) for key, text in texts.items())
    sound = frozenset(key for key, text in texts.items() if not _faulty(text.parsed))
    files, about_imports = check_imports(files, sound)
    syntax = (item for text in texts.values() for item in text.parsed.diagnostics)
    return Program(files, tuple(_in_order(files, [*syntax, *loading.faults, *about_imports])))


def _file(text: _Text, imports: tuple[ResolvedImport, ...]) -> File:
    tree = text.parsed.tree
    parsed = text.parsed
    return File(text.key, tree.source, tree, imports, parsed.lost, parsed.damaged)


def _faulty(parsed: Parsed) -> bool:
    return any(item.is_error for item in parsed.diagnostics)


def _in_order(files: tuple[File, ...], found: list[Diagnostic]) -> Iterator[Diagnostic]:
    order = {file.source.name: at for at, file in enumerate(files)}
    last = len(order)
    yield from sorted(
        found, key=lambda item: (order.get(item.span.source.name, last), item.span.start)
    )
