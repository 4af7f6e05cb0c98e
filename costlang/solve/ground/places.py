"""A point on the line of the unknown, exact, or enclosed as narrowly as is asked."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flint import fmpq_poly, fmpz_poly

from costlang.solve.ground.budget import CannotTell
from costlang.solve.ground.ratios import Isolated, rational, real_roots, sign_of

START_BITS = 64
MOST_BITS = 240


@dataclass(frozen=True, eq=False)
class Curve:
    """
    What changes its sign at a place, once, between the ends of the place.

    *polynomial* is square-free, None where the place is no root of a known polynomial.
    """

    sign: Callable[[Fraction], int]
    polynomial: fmpz_poly | None = None


@dataclass(frozen=True, eq=False)
class Place:
    """A real number: *low* when low == high, else strictly between them, where *curve* crosses."""

    low: Fraction
    high: Fraction
    curve: Curve | None = None

    @property
    def exact(self) -> Fraction | None:
        """The number, None when it is only enclosed."""
        return self.low if self.low == self.high else None

    @property
    def polynomial(self) -> tuple[Fraction, ...]:
        """The coefficients of a polynomial with this root, from the constant on; or none."""
        known = self.curve.polynomial if self.curve is not None else None
        return tuple(Fraction(int(c)) for c in known.coeffs()) if known is not None else ()

    def __float__(self) -> float:
        """Return the nearest number of the machine."""
        near = narrowed(self, START_BITS)
        return float((near.low + near.high) / 2)


def at(value: Fraction | int) -> Place:
    """Return the place of a rational number."""
    return Place(Fraction(value), Fraction(value))


def of_root(root: Isolated) -> Place:
    """Return the place of a root of a polynomial."""
    if root.low == root.high:
        return at(root.low)
    polynomial = root.polynomial
    return Place(root.low, root.high, Curve(lambda x: sign_of(polynomial(rational(x))), polynomial))


@lru_cache(maxsize=4096)
def narrowed(place: Place, bits: int) -> Place:
    """Return *place* with ends that agree in *bits* bits, or as many as can be told."""
    low, high = place.low, place.high
    if low == high or place.curve is None:
        return place
    first: int | None = None
    left = _halvings(low, high, bits)
    while left:
        middle = (low + high) / 2
        try:
            first = place.curve.sign(low) if first is None else first
            sign = place.curve.sign(middle)
        except CannotTell:
            break
        if sign == 0:
            return at(middle)
        low, high = (middle, high) if sign == first else (low, middle)
        left = left - 1 or _halvings(low, high, bits)
    return Place(low, high, place.curve)


def _halvings(low: Fraction, high: Fraction, bits: int) -> int:
    """Return about how often to halve until *bits* bits agree, as far as the ends can tell."""
    size = max(abs(low), abs(high), Fraction(1, 1 << 256))
    if (high - low) * (1 << bits) <= size:
        return 0
    excess = (high - low) * (1 << bits) / size
    return max(1, excess.numerator.bit_length() - excess.denominator.bit_length())


def compare(a: Place, b: Place) -> int:
    """Return -1, 0 or 1 as *a* is less than, equal to or more than *b*; or raise `CannotTell`."""
    if a is b:
        return 0
    if a.exact is not None and b.exact is not None:
        return (a.exact > b.exact) - (a.exact < b.exact)
    if _same(a, b):
        return 0
    bits = START_BITS
    while bits <= MOST_BITS:
        order = _order(a, b)
        if order:
            return order
        a, b = narrowed(a, bits), narrowed(b, bits)
        bits *= 2
    order = _order(narrowed(a, MOST_BITS), narrowed(b, MOST_BITS))
    if order:
        return order
    raise CannotTell("two points lie too near to each other")


def _order(a: Place, b: Place) -> int:
    if a.exact is not None and b.exact is not None:
        return (a.exact > b.exact) - (a.exact < b.exact)
    return (a.low >= b.high) - (a.high <= b.low)


def _same(a: Place, b: Place) -> bool:
    """Whether both are certainly one number; False when it is not known."""
    if a.exact is not None or b.exact is not None:
        point, other = (a, b) if a.exact is not None else (b, a)
        return _is_root(other, point.low)
    first, second = (p.curve.polynomial if p.curve else None for p in (a, b))
    if first is None or second is None:
        return False
    low, high = max(a.low, b.low), min(a.high, b.high)
    common = first.gcd(second)
    if low >= high or common.degree() < 1:
        return False
    return sign_of(common(rational(low))) * sign_of(common(rational(high))) < 0


def _is_root(place: Place, x: Fraction) -> bool:
    if place.curve is None or not place.low < x < place.high:
        return False
    try:
        return place.curve.sign(x) == 0
    except CannotTell:
        return False


def between(a: Place | None, b: Place | None) -> Fraction:
    """Return a rational number strictly between two places, of few digits; None is endless."""
    if a is not None and b is not None:
        if compare(a, b) >= 0:
            raise CannotTell("nothing lies between")
        bits = START_BITS
        a, b = narrowed(a, bits), narrowed(b, bits)
        while a.high >= b.low:
            bits *= 2
            if bits > 4 * MOST_BITS:
                raise CannotTell("two points lie too near to each other")
            a, b = narrowed(a, bits), narrowed(b, bits)
        return _middle(a.high, b.low)
    if a is not None:
        return Fraction(max(math.floor(a.high) + 1, 2 * math.floor(a.high)))
    if b is not None:
        return Fraction(min(math.ceil(b.low) - 1, 2 * math.ceil(b.low)))
    return Fraction(1)


def apart(a: Place, b: Place, bits: int) -> bool:
    """Whether two places differ in their first *bits* bits."""
    return (b.high - a.low) * (1 << bits) > max(abs(a.low), abs(b.high))


def _middle(low: Fraction, high: Fraction) -> Fraction:
    """Return a number well inside, in the geometric middle where the ends are far apart."""
    if low > 0 and high > 4 * low:
        return _geometric(low, high)
    if high < 0 and low < 4 * high:
        return -_geometric(-high, -low)
    if low == 0 and high > 1:
        return _geometric(Fraction(1, 2), high) if high > 2 else Fraction(1, 2)
    quarter = (high - low) / 4
    return simplest(low + quarter, high - quarter)


def _geometric(low: Fraction, high: Fraction) -> Fraction:
    power = (_log(low) + _log(high)) // 2
    middle = Fraction(2) ** power
    return middle if low < middle < high else simplest(low + (high - low) / 4, high)


def _log(x: Fraction) -> int:
    return x.numerator.bit_length() - x.denominator.bit_length()


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """Return the rational number of least denominator from *low* to *high*."""
    if low > high:
        raise ValueError((low, high))
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest(-high, -low)
    terms: list[int] = []
    while True:
        whole = math.floor(low)
        if whole == low or whole + 1 <= high:
            terms.append(whole if whole == low else whole + 1)
            break
        terms.append(whole)
        low, high = 1 / (high - whole), 1 / (low - whole)
    value = Fraction(terms.pop())
    while terms:
        value = terms.pop() + 1 / value
    return value


def floor(place: Place) -> int:
    """Return the greatest whole number not above *place*."""
    bits = START_BITS
    near = place
    while near.high - near.low >= 1 and bits <= 64 * MOST_BITS:
        near, bits = narrowed(near, bits), 2 * bits
    whole = math.floor(near.high)
    return whole if compare(at(whole), near) <= 0 else whole - 1


def ceil(place: Place) -> int:
    """Return the least whole number not below *place*."""
    below = floor(place)
    return below if compare(at(below), place) == 0 else below + 1


def roots_between(above: fmpq_poly, left: Place | None, right: Place | None) -> list[Place]:
    """Return the roots of a polynomial strictly between two places, in order."""
    found = [of_root(root) for root in real_roots(above)]
    return [
        root
        for root in found
        if (left is None or compare(left, root) < 0) and (right is None or compare(root, right) < 0)
    ]
