"""Configurations for tests: those beside this file, and each with some fields changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from costlang.emit.message import render
from costlang.importing import Description, Figure, Imported, Refusal, import_model
from costlang.importing.describing import describe
from costlang.text import Source

FOLDER = Path(__file__).parent / "configs"
ABSENT = object()
"""Stands for a field that is taken away."""


def config(name: str, **changed: Any) -> dict[str, Any]:
    """Return the configuration *name* with some fields changed."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    found.update(changed)
    return {key: value for key, value in found.items() if value is not ABSENT}


def described(fields: dict[str, Any], *ignore: str) -> Description | Refusal:
    return describe(Source("config.json", json.dumps(fields, indent=2)), ignore)


def figure(parameter: str, fields: dict[str, Any]) -> Figure:
    """Return what a configuration gives for *parameter*."""
    found = described(fields)
    assert isinstance(found, Description), render(found.diagnostics)
    return next(item for item in found.figures if item.parameter == parameter)


def imported(tmp_path: Path, fields: dict[str, Any], name: str = "small") -> Imported:
    """Import a configuration from a folder called *name*."""
    folder = tmp_path / name
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps(fields), encoding="utf-8")
    found = import_model(str(folder))
    assert isinstance(found, Imported), render(found.diagnostics)
    return found


def codes(found: object) -> list[str]:
    """Return the codes of a refusal."""
    assert isinstance(found, Refusal)
    return [item.code for item in found.diagnostics]
