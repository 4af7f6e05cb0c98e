"""A number of a chip that is a well-known slip away from that of a shipped chip of its name."""

from __future__ import annotations

from fractions import Fraction

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.context import Context
from costlang.model.domains import literal
from costlang.text import Label, Severity

CLOSE = Fraction(2, 1000)
SLIPS: tuple[tuple[Fraction, str, str], ...] = (
    (Fraction(2), "twice", "is this the sparse peak, or both ways of a link together?"),
    (Fraction(8), "8 times", "are these bits, where bytes belong?"),
    (Fraction(1024, 1000) ** 3, "1.024^3 times", "is this in GiB, where GB belongs?"),
    (Fraction(1024, 1000) ** 4, "1.024^4 times", "is this in TiB, where TB belongs?"),
)
"""Quotients that tell of a slip: how they are said, and what to ask."""


SHORTEST = 4
"""Signs that the name of a chip must have to be looked for inside another name."""


def compare_with_shipped(
    context: Context, record: d.RecordDecl, shipped: dict[str, d.RecordDecl]
) -> None:
    """Warn of each number of *record* that is a slip away from that of the chip it looks like."""
    known = _namesake(record, shipped)
    if known is None:
        return
    for path, setting in record.settings.items():
        theirs = _value(known, path)
        mine = literal(setting.value)
        if theirs is None or mine is None or not mine or not theirs[0]:
            continue
        for factor, words, question in SLIPS:
            if abs(mine / theirs[0] / factor - 1) <= CLOSE:
                _warn(context, setting, known, theirs[1], words, question)
                break


def _namesake(record: d.RecordDecl, shipped: dict[str, d.RecordDecl]) -> d.RecordDecl | None:
    """Return the shipped chip that *record* amends, or that has the beginning of its name."""
    for owner in list(record.lineage())[1:]:
        if owner.name in shipped:
            return shipped[owner.name]
    mine = _plain(record.name)
    alike = [name for name in shipped if is_alike(mine, name)]
    return shipped[max(alike, key=lambda name: (len(_model(name)), -len(name)))] if alike else None


def is_alike(name: str, shipped: str) -> bool:
    """Whether *name* could be that of the chip that is shipped as *shipped*."""
    model = _model(shipped)
    return _plain(name) == model or (len(model) >= SHORTEST and model in _plain(name))


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def _model(name: str) -> str:
    """Return the name of a chip without its form: `h100` for `H100_SXM`."""
    return _plain(name.split("_", 1)[0])


def _value(record: d.RecordDecl, path: c.Path) -> tuple[Fraction, c.Core] | None:
    for owner in record.lineage():
        setting = owner.settings.get(path)
        if setting is not None:
            value = literal(setting.value)
            return (value, setting.value) if value is not None else None
    return None


def _warn(
    context: Context,
    setting: d.Setting,
    known: d.RecordDecl,
    theirs: c.Core,
    words: str,
    question: str,
) -> None:
    context.report(
        "suspicious-figure",
        f"this is {words} the {theirs.span.text} of `{known.name}`",
        setting.value.span,
        question,
        labels=(Label(theirs.span, f"that of `{known.name}`"),),
        severity=Severity.WARNING,
    )
