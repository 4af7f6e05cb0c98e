"""Where the one grammar lies: beside the package, or one folder up."""

from __future__ import annotations

from pathlib import Path


def grammar_file() -> Path:
    """Return the file of the grammar."""
    here = Path(__file__).resolve().parent.parent
    inside = here / "grammars" / "costlang.lark"
    return inside if inside.exists() else here.parent / "grammars" / "costlang.lark"
