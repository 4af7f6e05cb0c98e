"""A sentence that its author wrote, held against the value that it speaks of: `about 24`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from costlang.docs.numbers import separators
from costlang.docs.words import Options, percentage
from costlang.units import Dimension, Unit, UnitTable, base_unit

_UNIT = re.compile(r"[ \u00a0\u202f]?(?P<unit>[A-Za-zµμ%$][A-Za-z0-9µμ%$/*^-]*)")
_TAG = re.compile(r"<[^>\n]*>|\$`[^`]*`\$")


@dataclass(frozen=True)
class Claim:
    """
    The one number of a sentence, as its author wrote it.

    *step* is one in its last digit; *unit* is the one it is in.
    """

    number: Fraction
    step: Fraction
    unit: Unit
    text: str


class Unclear(Exception):
    """A sentence has no number, more than one, or one in a unit that does not fit."""


def claim_of(text: str, dimension: Dimension, unit: Unit | None, locale: str) -> Claim:
    """
    Return the number of the sentence *text*; raises `Unclear` where there is not just one.

    It is in the unit behind it where one of *dimension* stands there, else in *unit*, else in the
    base unit: never in one that hangs on how large the value is.
    """
    point, group = separators(locale)
    found = list(_pattern(point, group).finditer(_TAG.sub("", text)))
    if len(found) != 1:
        raise Unclear("there is no number in it" if not found else "there is more than one number")
    (one,) = found
    number, step = _read(one["number"], point)
    written = _unit_behind(one.string, one.end(), dimension)
    return Claim(number, step, written or unit or base_unit(dimension), one["number"])


def holds(claim: Claim, value: Fraction, options: Options, table: UnitTable) -> bool:
    """
    Whether *value*, in base units, is what *claim* says under *options*.

    `about` allows half a step of the last digit that was written, `within` what it says, a share of
    the number written or a quantity.
    """
    there = value / claim.unit.scale
    if options.over:
        return there > claim.number
    if options.under:
        return there < claim.number
    if options.within is None:
        return abs(there - claim.number) <= claim.step / 2
    return abs(there - claim.number) <= tolerance(claim, options.within, table)


def tolerance(claim: Claim, text: str, table: UnitTable) -> Fraction:
    """Return the tolerance *text* in the unit of *claim*; raises `Unclear` where it is none."""
    share = percentage(text)
    if share is not None and claim.unit.text != "%":
        return share * abs(claim.number)
    number, _, name = text.strip().partition(" ")
    unit = table.parse(name) if name else claim.unit
    try:
        size = Fraction(number)
    except (ValueError, ZeroDivisionError):
        size = Fraction(-1)
    if share is not None:
        size, unit = share * 100, claim.unit
    if size < 0 or not isinstance(unit, Unit) or unit.dimension != claim.unit.dimension:
        raise Unclear(f"`{text}` is no tolerance for a number in {claim.unit.text}")
    return size * unit.scale / claim.unit.scale


def _pattern(point: str, group: str) -> re.Pattern[str]:
    groups = "".join(re.escape(sign) for sign in {group, "_", "\u202f", "\u00a0"})
    whole = rf"\d{{1,3}}(?:[{groups}]\d{{3}})+(?!\d)|\d+"
    number = rf"(?P<number>[-+\u2212]?(?:{whole})(?:{re.escape(point)}\d+)?)"
    return re.compile(rf"(?<![\w.,]){number}(?![.,]?\d)")


def _read(text: str, point: str) -> tuple[Fraction, Fraction]:
    whole, _, part = text.replace("\u2212", "-").partition(point)
    digits = re.sub(r"[^\d]", "", whole)
    number = Fraction(int(digits + part), 10 ** len(part))
    return (-number if whole.startswith("-") else number), Fraction(1, 10 ** len(part))


def _unit_behind(text: str, at: int, dimension: Dimension) -> Unit | None:
    found = _UNIT.match(text, at)
    if found is None:
        return None
    unit = UnitTable().parse(found["unit"].rstrip("-*/^"))
    return unit if isinstance(unit, Unit) and unit.dimension == dimension else None
