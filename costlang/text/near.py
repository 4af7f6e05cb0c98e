"""What an author may have meant by a name that is not there."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

MOST = 1_000
"""Names that are compared letter by letter, those of a like length first."""


def near_names(name: str, known: Iterable[str]) -> list[str]:
    """Return those of *known* that look like *name*, at most three, the nearest first."""
    pool = [other for other in known if other != name]
    alike = [other for other in pool if other.lower() == name.lower()]
    if alike:
        return alike
    longer = [other for other in pool if _begins(other, name)]
    if len(pool) > MOST:
        pool = sorted(pool, key=lambda other: abs(len(other) - len(name)))[:MOST]
    close = get_close_matches(name, pool, n=3, cutoff=0.72)
    if close and not longer:
        close = [other for other in close if _ratio(name, other) > _ratio(name, close[0]) - 0.12]
    return list(dict.fromkeys([*longer, *close]))[:3]


def _ratio(name: str, other: str) -> float:
    return SequenceMatcher(None, name, other).ratio()


def _begins(other: str, name: str) -> bool:
    """Whether *other* begins with *name*, of which enough is written to mean it."""
    return len(name) >= 3 and other.lower().startswith(name.lower())


def did_you_mean(near: Iterable[str]) -> str | None:
    """Return the question that offers the names *near*, None when there are none."""
    names = " or ".join(f"`{name}`" for name in near)
    return f"did you mean {names}?" if names else None
