"""The cost of LLM inference: exact formulas, numbers and answers from declarative specs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from costlang.face import Formula, Quantity, Scenario, Spec, SpecError, Use, load, loads
    from costlang.formula.bridge import from_sympy
    from costlang.solution import Solution

__all__ = [
    "Formula",
    "Quantity",
    "Scenario",
    "Solution",
    "Spec",
    "SpecError",
    "Use",
    "from_sympy",
    "load",
    "loads",
]

_HOMES = dict.fromkeys(__all__, "costlang.face") | {
    "Solution": "costlang.solution",
    "from_sympy": "costlang.formula.bridge",
}


def __getattr__(name: str) -> Any:
    """Return a public name, importing its home only now."""
    if name not in _HOMES:
        raise AttributeError(f"module 'costlang' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def load_ipython_extension(shell: Any) -> None:
    """Give a notebook `%%cost` and `%cost`: `%load_ext costlang`."""
    from costlang.notebook import load_ipython_extension as load_magics

    load_magics(shell)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
