"""How what was found is shown: messages, answers, JSON."""

from costlang.emit.diagnostics_json import diagnostic_json
from costlang.emit.message import render

__all__ = ["diagnostic_json", "render"]
