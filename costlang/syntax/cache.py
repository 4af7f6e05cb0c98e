"""Trees kept as data between runs: keyed by the text, harmless when they cannot be kept."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import fields
from fractions import Fraction
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from costlang.files import make_folder, write_text
from costlang.syntax import tree as t
from costlang.syntax.grammar import grammar_file
from costlang.text import Source, Span


@cache
def folder() -> Path | None:
    """Return where trees are kept: `$COSTLANG_CACHE_DIR`, else below the user's cache folder."""
    chosen = os.environ.get("COSTLANG_CACHE_DIR")
    if chosen == "":
        return None
    if chosen is not None:
        return Path(chosen)
    try:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError:
        return None
    return Path(base) / "costlang"


@cache
def _stamp() -> str:
    """What a kept tree hangs on beside its text: our version, and the files that make trees."""
    try:
        ours = version("costlang")
    except PackageNotFoundError:
        ours = "0"
    makers = [*sorted(Path(__file__).parent.glob("*.py")), grammar_file()]
    marks = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in makers]
    return f"{ours} {marks}"


def recall(source: Source) -> t.Tree | None:
    """Return the tree that was kept for the text of *source*, None when there is none."""
    path = _path(source)
    if path is None:
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return decode(data, source)
    except (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError):
        return None


def keep(tree: t.Tree) -> None:
    """Keep a sound tree; a folder that cannot be written is no fault."""
    path = _path(tree.source)
    if path is None:
        return
    try:
        make_folder(path.parent)
        write_text(path, json.dumps(encode(tree), separators=(",", ":")))
    except (OSError, ValueError, RecursionError):
        return


def _path(source: Source) -> Path | None:
    base = folder()
    if base is None:
        return None
    digest = sha256(f"{_stamp()}\n{source.text}".encode("utf-8", "surrogatepass")).hexdigest()
    return base / "trees" / digest[:2] / f"{digest[2:]}.json"


# ---- a tree as plain data


@cache
def _kinds() -> dict[str, type[t.Node]]:
    found = vars(t).values()
    return {
        kind.__name__: kind for kind in found if isinstance(kind, type) and issubclass(kind, t.Node)
    }


@cache
def _fields(kind: type[t.Node]) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind) if f.name not in ("span", "source"))


def encode(value: Any) -> Any:
    """Return *value* as plain data: a node is its kind, its place and its fields in order."""
    if isinstance(value, t.Node):
        kind = type(value)
        parts = [encode(getattr(value, name)) for name in _names(kind)]
        return [kind.__name__, value.span.start, value.span.end, *parts]
    if isinstance(value, tuple):
        return {"of": [encode(item) for item in value]}
    if isinstance(value, Fraction):
        return {"n": str(value.numerator), "d": str(value.denominator)}
    return value


def _names(kind: type[t.Node]) -> tuple[str, ...]:
    if kind is t.Tree:
        return _fields(kind)
    return tuple(f.name for f in fields(kind) if f.name != "span")


def decode(data: Any, source: Source) -> t.Tree:
    """Return the tree that *data* describes, its places in *source*; raises for other data."""
    found = _Decoding(source).value(data)
    if not isinstance(found, t.Tree):
        raise ValueError("this is no tree")
    return found


class _Decoding:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.kinds = _kinds()

    def value(self, data: Any) -> Any:
        if isinstance(data, list):
            return self._node(data)
        if isinstance(data, dict):
            if "of" in data:
                return tuple(self.value(item) for item in data["of"])
            return Fraction(int(data["n"]), int(data["d"]))
        return data

    def _node(self, data: list[Any]) -> t.Node:
        name, start, end, *parts = data
        kind: Callable[..., t.Node] = self.kinds[name]
        span = Span(self.source, start, end)
        names = _names(self.kinds[name])
        values = dict(zip(names, map(self.value, parts), strict=True))
        if name == "Tree":
            values["source"] = self.source
        return kind(span=span, **values)
