"""Quotients of polynomials in the unknown, over the rationals, and real roots of polynomials."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import cast

from flint import acb, arb, ctx, fmpq, fmpq_poly, fmpz_poly

MOST_DEGREE = 240
"""Beyond this a formula is no longer multiplied out; it is enclosed instead."""
MOST_FACTORED = 24
"""Up to this degree a polynomial is factored, so that each root has its least polynomial."""
ROOT_BITS = 80


@dataclass(frozen=True, eq=False)
class Ratio:
    """The rational function `above / below`, without common factors; *below* is never 0."""

    above: fmpq_poly
    below: fmpq_poly

    @property
    def is_zero(self) -> bool:
        """Whether it is 0 everywhere."""
        return self.above.is_zero()

    @property
    def degree(self) -> int:
        """The greater of the two degrees."""
        return max(int(self.above.degree()), int(self.below.degree()))

    def value(self, x: Fraction) -> Fraction | None:
        """Return the value at *x*, None where it divides by zero."""
        at = rational(x)
        below = self.below(at)
        return None if below == 0 else fraction(self.above(at) / below)

    def sign(self, x: Fraction) -> int:
        """Return the sign at *x*, 0 also where it divides by zero."""
        at = rational(x)
        return sign_of(self.above(at)) * sign_of(self.below(at))


def rational(value: Fraction) -> fmpq:
    """Return *value* for the polynomials."""
    return fmpq(value.numerator, value.denominator)


def fraction(value: fmpq) -> Fraction:
    """Return a number of the polynomials as a fraction."""
    return Fraction(int(value.p), int(value.q))


def sign_of(value: fmpq) -> int:
    """Return -1, 0 or 1."""
    return (value > 0) - (value < 0)


_ONE = fmpq_poly([1])


def constant(value: Fraction) -> Ratio:
    """Return the constant *value*."""
    return Ratio(fmpq_poly([rational(value)]), _ONE)


def unknown() -> Ratio:
    """Return the unknown itself."""
    return Ratio(fmpq_poly([0, 1]), _ONE)


def reduced(above: fmpq_poly, below: fmpq_poly) -> Ratio | None:
    """Return `above / below` without common factors; None when that is of too high a degree."""
    if above.is_zero():
        return Ratio(above, _ONE)
    if below.degree() > 0 and above.degree() > 0:
        common = above.gcd(below)
        if common.degree() > 0:
            above, below = above // common, below // common
    made = Ratio(above, below)
    return made if made.degree <= MOST_DEGREE else None


def plus(a: Ratio, b: Ratio) -> Ratio | None:
    """Return `a + b`."""
    if a.below == b.below:
        return reduced(a.above + b.above, a.below)
    common = a.below.gcd(b.below)
    left, right = b.below // common, a.below // common
    return reduced(a.above * left + b.above * right, a.below * left)


def minus(a: Ratio, b: Ratio) -> Ratio | None:
    """Return `a - b`."""
    return plus(a, negative(b))


def negative(a: Ratio) -> Ratio:
    """Return `-a`."""
    return Ratio(-a.above, a.below)


def times(a: Ratio, b: Ratio) -> Ratio | None:
    """Return `a * b`."""
    return reduced(a.above * b.above, a.below * b.below)


def over(a: Ratio, b: Ratio) -> Ratio | None:
    """Return `a / b`, None where *b* is 0."""
    return None if b.is_zero else reduced(a.above * b.below, a.below * b.above)


def raised(a: Ratio, power: int) -> Ratio | None:
    """Return `a ^ power` for a power of at least 0."""
    if a.degree * power > MOST_DEGREE:
        return None
    return Ratio(a.above**power, a.below**power)


# ---- real roots


@dataclass(frozen=True, eq=False)
class Isolated:
    """One root of the square-free *polynomial*: it is *low* when low == high, else between them."""

    polynomial: fmpz_poly
    low: Fraction
    high: Fraction


def real_roots(above: fmpq_poly) -> tuple[Isolated, ...]:
    """Return the real roots of a polynomial that is not 0, each once, in order of size."""
    found = [root for part in _parts(above.numer()) for root in _roots_of(part)]
    while not _apart(found):
        found = [narrowed(root, root.high - root.low) for root in found]
    return tuple(sorted(found, key=lambda root: root.low))


def _parts(whole: fmpz_poly) -> list[fmpz_poly]:
    """Return square-free polynomials without common roots that have the roots of *whole*."""
    if whole.degree() < 1:
        return []
    if whole.degree() <= MOST_FACTORED:
        _, factors = whole.factor()
        return [part for part, _ in factors if part.degree() > 0]
    return [whole // whole.gcd(whole.derivative())]


def _roots_of(part: fmpz_poly) -> list[Isolated]:
    if part.degree() == 1:
        root = Fraction(-int(part[0]), int(part[1]))
        return [Isolated(part, root, root)]
    with ctx.workprec(ROOT_BITS):
        found = cast("list[tuple[acb, int]]", part.complex_roots())
        balls = [root.real for root, _ in found if root.imag.is_zero()]
    return [_settled(part, *_ends(ball)) for ball in balls]


def _ends(ball: arb) -> tuple[Fraction, Fraction]:
    """Return the exact ends of a ball."""
    middle, radius = (
        Fraction(int(man)) * Fraction(2) ** int(exp)
        for man, exp in (ball.mid().man_exp(), ball.rad().man_exp())
    )
    return middle - radius, middle + radius


def _settled(part: fmpz_poly, low: Fraction, high: Fraction) -> Isolated:
    """Return the root between *low* and *high*, exactly where it is a rational that shows."""
    for end in (low, high, _simple_root(part, low, high)):
        if end is not None and part(rational(end)) == 0:
            return Isolated(part, end, end)
    return Isolated(part, low, high)


def _simple_root(part: fmpz_poly, low: Fraction, high: Fraction) -> Fraction | None:
    """Return the only rational of that leading coefficient which may be the root."""
    leading = abs(int(part.leading_coefficient()))
    candidate = Fraction(round((low + high) / 2 * leading), leading)
    return candidate if low <= candidate <= high else None


def narrowed(root: Isolated, width: Fraction) -> Isolated:
    """Return *root* with ends less than half of *width* apart, or found."""
    low, high = root.low, root.high
    first = sign_of(root.polynomial(rational(low)))
    while high > low and 2 * (high - low) > width:
        middle = (low + high) / 2
        sign = sign_of(root.polynomial(rational(middle)))
        if sign == 0:
            low = high = middle
        elif sign == first:
            low = middle
        else:
            high = middle
    return Isolated(root.polynomial, low, high)


def _apart(roots: list[Isolated]) -> bool:
    """Whether no two of the enclosures touch."""
    ordered = sorted(roots, key=lambda root: root.low)
    return all(a.high < b.low for a, b in pairwise(ordered))
