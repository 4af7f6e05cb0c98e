"""The parse tables kept as data, so that the grammar is worked out once and not at each run."""

from __future__ import annotations

import json
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from costlang.files import make_folder, write_text
from costlang.syntax.cache import folder

Data = Any
"""What JSON can hold, with the keys of a mapping kept as they are."""


def recall_tables(grammar: str, lexer: type) -> Lark | None:
    """Return the parser of *grammar* from its kept tables, None when there are none that serve."""
    path = _path(grammar)
    if path is None:
        return None
    try:
        found = plain(json.loads(path.read_text(encoding="utf-8")))
        found["data"]["options"]["lexer"] = lexer
        found["data"]["parser"]["lexer_conf"]["lexer_type"] = lexer
        made: Lark = Lark._load_from_dict(found["data"], found["memo"])  # type: ignore[no-untyped-call]
        return made
    except Exception:
        return None  # the tables of another Lark, or half a file: they are made anew


def keep_tables(grammar: str, parser: Lark) -> None:
    """Keep the tables of *parser*; a folder that cannot be written is no fault."""
    path = _path(grammar)
    if path is None:
        return
    try:
        data, memo = parser.memo_serialize([TerminalDef, Rule])
        data["options"] = {**data["options"], "lexer": None}
        data["parser"]["lexer_conf"]["lexer_type"] = None
        text = json.dumps(pairs({"data": data, "memo": memo}), separators=(",", ":"))
        make_folder(path.parent)
        write_text(path, text)
    except (OSError, TypeError, ValueError):
        return


def _path(grammar: str) -> Path | None:
    base = folder()
    if base is None:
        return None
    digest = sha256(f"{version('lark')}\n{grammar}".encode()).hexdigest()
    return base / "tables" / f"{digest}.json"


def pairs(value: Data) -> Data:
    """Return *value* with each mapping as a list of pairs, since JSON makes every key a text."""
    if isinstance(value, dict):
        return {"pairs": [[key, pairs(item)] for key, item in value.items()]}
    if isinstance(value, (list, tuple)):
        return [pairs(item) for item in value]
    return value


def plain(value: Data) -> Data:
    """Return what `pairs` made a list of pairs of."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value["pairs"]}
    return [plain(item) for item in value] if isinstance(value, list) else value
