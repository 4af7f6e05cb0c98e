"""Polynomials with rational coefficients, from the constant on, and all their real roots."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, zip_longest
from math import isqrt

from costlang.model.work import spend

Polynomial = tuple[Fraction, ...]
"""Coefficients from the constant on; the last is not zero, and `()` is the polynomial 0."""

NARROW = Fraction(1, 2**60)
HALVING = 100
"""The steps for which a stretch in which a root lies is halved."""


@dataclass(frozen=True)
class Root:
    """A root: *low* == *high* when it is rational and found, else it lies between them."""

    low: Fraction
    high: Fraction

    @property
    def exact(self) -> bool:
        """Whether the root is known exactly."""
        return self.low == self.high

    @property
    def middle(self) -> Fraction:
        """The root, or the middle of where it lies."""
        return (self.low + self.high) / 2


def trim(coefficients: list[Fraction]) -> Polynomial:
    """Return *coefficients* without zeros at the top."""
    while coefficients and coefficients[-1] == 0:
        coefficients.pop()
    return tuple(coefficients)


def plus(a: Polynomial, b: Polynomial) -> Polynomial:
    """Return `a + b`."""
    return trim([x + y for x, y in zip_longest(a, b, fillvalue=Fraction(0))])


def minus(a: Polynomial, b: Polynomial) -> Polynomial:
    """Return `a - b`."""
    return plus(a, tuple(-x for x in b))


def times(a: Polynomial, b: Polynomial) -> Polynomial:
    """Return `a * b`."""
    if not a or not b:
        return ()
    product = [Fraction(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            product[i + j] += x * y
    return trim(product)


def value_at(a: Polynomial, x: Fraction) -> Fraction:
    """Return the value of *a* at *x*."""
    total = Fraction(0)
    for coefficient in reversed(a):
        total = total * x + coefficient
    return total


def derivative(a: Polynomial) -> Polynomial:
    """Return the derivative of *a*."""
    return tuple(n * x for n, x in enumerate(a))[1:]


def roots(a: Polynomial, low: Fraction, high: Fraction) -> tuple[Root, ...]:
    """
    Return the real roots of *a* from *low* to *high*, each once, in order.

    Between two neighbouring roots of the derivative the polynomial is monotone, so that a change
    of sign there is one root, and no change is none. The polynomial 0 has none by convention.
    """
    if len(a) <= 1:
        return ()
    if len(a) == 2:
        return _kept([_at(-a[0] / a[1])], low, high)
    if len(a) == 3:
        square = _quadratic(a)
        if square is not None:
            return _kept(square, low, high)
    return _between(a, low, high)


def _at(x: Fraction) -> Root:
    return Root(x, x)


def _kept(found: list[Root], low: Fraction, high: Fraction) -> tuple[Root, ...]:
    return tuple(root for root in found if low <= root.low and root.high <= high)


def _quadratic(a: Polynomial) -> list[Root] | None:
    """Return the rational roots of a square, None when they are not rational."""
    c, b, square = a
    inside = b * b - 4 * square * c
    if inside < 0:
        return []
    top, bottom = isqrt(inside.numerator), isqrt(inside.denominator)
    if top * top != inside.numerator or bottom * bottom != inside.denominator:
        return None
    root = Fraction(top, bottom)
    found = sorted({(-b - root) / (2 * square), (-b + root) / (2 * square)})
    return [_at(x) for x in found]


def _between(a: Polynomial, low: Fraction, high: Fraction) -> tuple[Root, ...]:
    turns = roots(derivative(a), low, high)
    edges = [low, *(x for turn in turns for x in (turn.low, turn.high)), high]
    found: list[Root] = []
    for left, right in pairwise(edges):
        found.extend(_crossing(a, left, right))
    unique: list[Root] = []
    for root in found:
        if not unique or root.low > unique[-1].high:
            unique.append(root)
    return tuple(unique)


def _crossing(a: Polynomial, left: Fraction, right: Fraction) -> list[Root]:
    first, last = value_at(a, left), value_at(a, right)
    if first == 0 or last == 0:
        return [_at(x) for x, y in ((left, first), (right, last)) if y == 0]
    if (first > 0) == (last > 0) or left == right:
        return []
    while right - left > NARROW * max(abs(left), abs(right), Fraction(1, 10**6)):
        spend(HALVING)
        middle = _short((left + right) / 2, left, right)
        value = value_at(a, middle)
        if value == 0:
            return [_at(middle)]
        if (value > 0) == (first > 0):
            left = middle
        else:
            right = middle
    return [Root(left, right)]


def _short(x: Fraction, left: Fraction, right: Fraction) -> Fraction:
    """Return a number near *x* between the ends with few digits, so that bisection stays cheap."""
    size = 1
    limit = (right - left) / 4
    while True:
        near = x.limit_denominator(size)
        if abs(near - x) <= limit:
            return near
        size *= 16
