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
    longer += [other for other in pool if len(other) > 2 and _begins(name, f"{other}_")]
    if len(pool) > MOST:
        pool = sorted(pool, key=lambda other: abs(len(other) - len(name)))[:MOST]
    close = get_close_matches(name, pool, n=3, cutoff=0.72)
    if close and not longer:
        close = [other for other in close if _ratio(name, other) > _ratio(name, close[0]) - 0.12]
    found = [*longer, *close] or [other for other in pool if _is_of_one_kind(name, other)]
    return list(dict.fromkeys(found))[:3]


def _ratio(name: str, other: str) -> float:
    return SequenceMatcher(None, name, other).ratio()


def _begins(other: str, name: str) -> bool:
    """Whether *other* begins with *name*, of which enough is written to mean it."""
    return len(name) >= 3 and other.lower().startswith(name.lower())


def _is_of_one_kind(name: str, other: str) -> bool:
    """Whether two names begin with one word that has a number: `A100_SXM`, `A100_80GB`."""
    first = name.lower().partition("_")[0]
    return any(char.isdigit() for char in first) and _begins(other, first)


def did_you_mean(near: Iterable[str]) -> str | None:
    """Return the question that offers the names *near*, None when there are none."""
    names = " or ".join(f"`{name}`" for name in near)
    return f"did you mean {names}?" if names else None
