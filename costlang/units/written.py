"""The text of a unit, cut into its factors: `FLOP/tok^2` is `FLOP` and `/tok^2`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_LETTER = "A-Za-zµ\N{GREEK SMALL LETTER MU}"
_WORD = rf"(?:%|1|[{_LETTER}]?\$|[{_LETTER}_][{_LETTER}0-9_]*)"
_FACTOR = re.compile(rf"(?P<sign>^|[/*])(?P<word>{_WORD})(?:\^(?P<power>-?[0-9]+))?")


@dataclass(frozen=True)
class Factor:
    """One word with its power, and the sign before it: `/`, `*`, or nothing for the first."""

    sign: str
    word: str
    power: int

    @property
    def effect(self) -> int:
        """The power with which the word counts in the whole unit."""
        return -self.power if self.sign == "/" else self.power


def factors(text: str) -> tuple[Factor, ...] | None:
    """Return the factors of *text* in order; None where it does not have the form of a unit."""
    found: list[Factor] = []
    at = 0
    while at < len(text) or not found:
        match = _FACTOR.match(text, at)
        if match is None or (found and match["word"] == "1"):
            return None
        found.append(Factor(match["sign"], match["word"], int(match["power"] or 1)))
        at = match.end()
    return tuple(found)


def respell(parts: tuple[Factor, ...], words: Mapping[str, str]) -> str:
    """Return the text of *parts*, each word of *words* replaced."""
    return "".join(
        f"{part.sign}{words.get(part.word, part.word)}"
        + (f"^{part.power}" if part.power != 1 else "")
        for part in parts
    )
