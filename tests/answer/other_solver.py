"""What SymPy says to a question that is answered here, beside the answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy

MEASURED = "1.14"
"""The version about which these tests speak; of another one nothing is claimed."""


def said(question: Callable[[], Any]) -> str:
    """Return what *question* gives as text, or the name of what it raises."""
    try:
        return str(question())
    except (NotImplementedError, TypeError, ValueError) as fault:
        return type(fault).__name__


def says(expected: str, question: Callable[[], Any]) -> bool:
    """Whether SymPy answers *question* with *expected*; true of a version not spoken about."""
    return not sympy.__version__.startswith(f"{MEASURED}.") or expected == said(question)
