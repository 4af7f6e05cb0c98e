"""A quotient that is a well-known slip: a hidden GiB, bits for bytes, a sparse peak."""

from __future__ import annotations

from fractions import Fraction

from costlang.answer.answers import Side
from costlang.model import core as c

CLOSE = Fraction(2, 1000)
_KNOWN: tuple[tuple[Fraction, str], ...] = (
    (Fraction(1024, 1000), "kilo for kibi"),
    (Fraction(1024, 1000) ** 2, "MB for MiB"),
    (Fraction(1024, 1000) ** 3, "GB for GiB"),
    (Fraction(1024, 1000) ** 4, "TB for TiB"),
    (Fraction(2), "a factor of 2: a sparse peak, both ways of a link, MAC for FLOP, or K and V"),
    (Fraction(8), "bits for bytes"),
    (Fraction(1000), "a prefix: a thousand"),
    (Fraction(10**6), "a prefix: a million"),
)


def is_false_equation(core: c.Core, value: object) -> bool:
    """Whether *core* claims that two numbers are equal, and they are not."""
    return value is False and isinstance(core, c.Comparison) and core.operator == "=="


def slip_of(sides: tuple[Side, Side] | None) -> str | None:
    """Return the slip that the quotient of two *sides* looks like, None where it is no number."""
    if sides is None:
        return None
    left, right = sides[0].value, sides[1].value
    if not isinstance(left, Fraction) or not isinstance(right, Fraction):
        return None
    return slip(left, right)


def slip(left: Fraction, right: Fraction) -> str | None:
    """Return the name of the slip that turns one into the other, None when none is known."""
    if left <= 0 or right <= 0:
        return None
    quotient = max(left / right, right / left)
    for factor, name in _KNOWN:
        if abs(quotient / factor - 1) <= CLOSE:
            return name
    return None
