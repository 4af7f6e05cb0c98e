"""What a source says beside where a figure is from: that nobody has checked it."""

from __future__ import annotations

UNVERIFIED = "unverified:"
"""How the source of a figure begins that was taken over and not looked up."""


def is_unverified(source: str | None) -> bool:
    """Whether a figure of this *source* is marked as one that nobody has checked."""
    return source is not None and source.lstrip().lower().startswith(UNVERIFIED)


def cited(source: str) -> str:
    """Return *source* without that mark."""
    return source.lstrip()[len(UNVERIFIED) :].lstrip() if is_unverified(source) else source
