"""What lies at a path: the text of a configuration, and the files of weights beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from costlang.loader.reading import Unreadable, read, read_stdin
from costlang.text import Diagnostic, Label, Source, Span

CONFIG = "config.json"
INDEX = "model.safetensors.index.json"
MOST_SHARDS = 2_000
_URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.I)
_HUB = re.compile(r"huggingface\.co/([\w.-]+/[\w.-]+)")


@dataclass(frozen=True)
class Found:
    """
    A configuration, the files of weights that lie beside it, and how its figures cite it.

    *weights* is empty where one file was named and not a folder.
    """

    config: Source
    weights: tuple[Path, ...] = ()
    index: Path | None = None
    cited: str = CONFIG
    hint: str = ""


def find(text: str) -> Found | Diagnostic:
    """Return what lies at the path *text*; a folder is its `config.json` and its weights."""
    if _URL.match(text):
        return _from_network(text)
    if text == "-":
        return _config("<stdin>", read_stdin(), ())
    path = Path(text)
    try:
        folder = path.is_dir()
        unusual = path.exists() and not folder and not path.is_file()
    except (OSError, ValueError) as error:
        return _fault(text, "unreadable-file", f"`{text}` cannot be read", _reason(error))
    if unusual:
        return _fault(text, "unreadable-file", f"`{text}` cannot be read", "this is no file")
    if path.suffix == ".safetensors":
        help = f"name the folder that holds its `{CONFIG}` as well"
        title = f"`{text}` holds weights and no configuration"
        return _fault(text, "not-a-config", title, "weights alone do not say what a model is", help)
    return _in_folder(path) if folder else _config(text, read(path, text), (path,))


def _in_folder(folder: Path) -> Found | Diagnostic:
    path = folder / CONFIG
    if not path.is_file():
        title = f"the folder `{folder}` has no file `{CONFIG}`"
        return _fault(str(folder), "missing-file", title, "not found")
    found = _config(str(path), read(path, str(path)), (path,))
    if isinstance(found, Diagnostic):
        return found
    weights = tuple(sorted(p for p in folder.glob("*.safetensors") if p.is_file()))
    if len(weights) > MOST_SHARDS:
        title = f"the folder `{folder}` has more than {MOST_SHARDS:,} files of weights"
        return _fault(str(folder), "broken-weights", title, "no model is cut into so many")
    index = folder / INDEX
    return Found(found.config, weights, index if index.is_file() else None, found.cited, found.hint)


def _config(name: str, text: str | Unreadable, paths: tuple[Path, ...]) -> Found | Diagnostic:
    if isinstance(text, Unreadable):
        source = Source(name, text.text)
        at = text.at
        place = Span(source, 0, 0) if at is None else Span(source, at, at + 1)
        title = text.message.replace("for a spec", "for a configuration")
        return Diagnostic(text.code, title, Label(place, text.label), help=text.help)
    return Found(Source(name, text), cited=_cited(paths), hint="".join(_hints(paths))[:80])


def _cited(paths: tuple[Path, ...]) -> str:
    """Return how a figure cites the file: by the folder that it lies in, where that was named."""
    for path in paths:
        parts = [part for part in path.parts[-2:] if part.strip("./")]
        return "/".join(_plain(part) for part in parts) or CONFIG
    return CONFIG


def _plain(part: str) -> str:
    """Return *part* of a path as it can stand in quotes."""
    kept = (char if char.isprintable() and char not in '"\\' else "_" for char in part)
    return "".join(kept)


def _hints(paths: tuple[Path, ...]) -> Iterator[str]:
    """Yield what the file is called, or its folder where it is called as all of them are."""
    for path in paths:
        yield path.stem if path.name != CONFIG else path.resolve().parent.name


def _from_network(text: str) -> Diagnostic:
    hub = _HUB.search(text)
    title = "costlang reads files, and nothing from the network"
    if hub is None:
        help = f"download it first: `curl -LO {text}`" if text.startswith("http") else None
        return _fault(text, "import-from-network", title, "an address, not a path", help)
    help = (
        f"download it first: `hf download {hub[1]} {CONFIG} --local-dir .`, "
        f"then `costlang import {CONFIG}`"
    )
    return _fault(text, "import-from-network", title, "an address, not a path", help)


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()


def _fault(name: str, code: str, title: str, label: str, help: str | None = None) -> Diagnostic:
    return Diagnostic(code, title, Label(Span(Source(name, ""), 0, 0), label), help=help)
