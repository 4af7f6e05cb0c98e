"""The built-in functions: a closed set."""

from __future__ import annotations

BUILTINS: dict[str, tuple[int, int | None]] = {
    "max": (1, None),
    "min": (1, None),
    "ceil": (1, 1),
    "floor": (1, 1),
    "abs": (1, 1),
    "sqrt": (1, 1),
    "log2": (1, 1),
    "exp": (1, 1),
    "sum": (1, 1),
    "total": (1, 1),
}
"""Each name with the fewest and the most arguments it takes."""
