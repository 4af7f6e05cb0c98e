"""The author's symbols: `eta_c` is a Greek letter with something below it, `F[bf16]` has a row."""

from __future__ import annotations

import re

from costlang.emit.math.boxes import Symbol

GREEK = dict(
    zip(
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau "
        "upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega".split(),
        "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ",
        strict=True,
    )
)
"""The letters by their spelling; those that look like Latin ones are words like any other."""

_ROWED = re.compile(r"(?P<head>[^\[]*)(?:\[(?P<row>.*)\])?\Z", re.DOTALL)


def symbol_of(alias: str) -> Symbol:
    """
    Return the symbol that an author means by *alias*.

    >>> symbol_of("eta_c").below
    ('c',)
    """
    head, row = _split(alias)
    base, *below = head.split("_")
    if not base or not all(below):
        return Symbol(head, row=row, upright=True)
    return Symbol(base, tuple(below), row, upright=is_word(base))


def name_of(name: str) -> Symbol:
    """Return the author's *name* as a symbol: letters alone are slanted, words are upright."""
    head, row = _split(name)
    return Symbol(head, row=row, upright=len(head) > 1)


def is_word(base: str) -> bool:
    """Whether *base* is neither one letter nor the spelling of one."""
    return len(base) > 1 and base not in GREEK


def _split(text: str) -> tuple[str, tuple[Symbol, ...]]:
    found = _ROWED.match(text)
    if found is None or found["row"] is None:
        return text, ()
    return found["head"], (Symbol(found["row"], upright=True),)
