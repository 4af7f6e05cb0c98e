"""Certain bounds of roots, logarithms and exponentials over a stretch, as machine numbers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf, ldexp, nextafter

from flint import arb, fmpq

Bounds = tuple[float, float]
BITS = 53


def log2(a: Bounds) -> Bounds:
    """Return the bounds of `log2` over what of *a* is above zero."""
    return _rising(a, lambda x: x.log() / arb.const_log2(), at_zero=-inf)


def exp(a: Bounds) -> Bounds:
    """Return the bounds of `exp`."""
    low, high = a
    return (
        0.0 if low < -740 else max(0.0, _below(arb(low).exp())),
        inf if high > 709 else _above(arb(high).exp()),
    )


def whole_power(a: Bounds, n: int) -> Bounds:
    """Return the bounds of a whole power that rises all over *a*."""
    low, high = a
    return (
        -inf if low == -inf else _below(arb(low) ** n),
        inf if high == inf else _above(arb(high) ** n),
    )


def root(a: Bounds, exponent: Fraction) -> Bounds:
    """Return the bounds of a positive broken power over what of *a* is not below zero."""
    power = fmpq(exponent.numerator, exponent.denominator)
    return _rising(a, lambda x: x ** arb(power), at_zero=0.0)


def raised(a: Bounds, b: Bounds) -> Bounds:
    """Return the bounds of `a ^ b` over what of *a* is above zero."""
    low, high = log2(a)
    ends = [0.0 if x == 0 or y == 0 else x * y for x in (low, high) for y in b]
    least, most = nextafter(min(ends), -inf), nextafter(max(ends), inf)
    return _two_to(least)[0], _two_to(most)[1]


def _two_to(x: float) -> Bounds:
    if x < -1070:
        return 0.0, ldexp(1.0, -1069)
    if x > 1023:
        return ldexp(1.0, 1023), inf
    value = (arb(x) * arb.const_log2()).exp()
    return max(0.0, _below(value)), _above(value)


def _rising(a: Bounds, function: Callable[[arb], arb], at_zero: float) -> Bounds:
    low, high = a
    return (
        at_zero if low <= 0 else inf if low == inf else _below(function(arb(low))),
        at_zero if high <= 0 else inf if high == inf else _above(function(arb(high))),
    )


def _below(ball: arb) -> float:
    """Return a number of the machine not above anything in *ball*."""
    return nextafter(float(ball.lower()), -inf)


def _above(ball: arb) -> float:
    """Return a number of the machine not below anything in *ball*."""
    return nextafter(float(ball.upper()), inf)
