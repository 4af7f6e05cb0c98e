"""Bounds of a formula for all `z` from some number on, each a rational function of `z`."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq_poly

from costlang.model import exact
from costlang.solve.ground import ratios as r
from costlang.solve.ground.ratios import Ratio, fraction


class NoGerm(ArithmeticError):
    """How a formula behaves at an end cannot be told."""


@dataclass(frozen=True, eq=False)
class Germ:
    """What lies between *low* and *high*, None for unbounded; they are one where it is exact."""

    low: Ratio | None
    high: Ratio | None


FREE = Germ(None, None)
LOG2_E = Germ(
    r.constant(Fraction(14426950408889, 10**13)), r.constant(Fraction(14426950408890, 10**13))
)


def number(value: Fraction) -> Germ:
    """Return the germ of a constant."""
    form = r.constant(value)
    return Germ(form, form)


def negative(a: Germ) -> Germ:
    """Return the germ of `-a`."""
    if a.low is a.high and a.low is not None:
        flipped = r.negative(a.low)
        return Germ(flipped, flipped)
    return Germ(
        r.negative(a.high) if a.high is not None else None,
        r.negative(a.low) if a.low is not None else None,
    )


class Order:
    """Arithmetic of germs; *start* is from where on all that was compared so far holds."""

    def __init__(self, scale: int) -> None:
        self.scale = scale
        self.start = Fraction(1)

    # ---- order

    def sign_of(self, form: Ratio) -> int:
        """Return the sign of a rational function from `start` on, which is moved on for it."""
        if form.is_zero:
            return 0
        sign = 1
        for part in (form.above, form.below):
            self.start = max(self.start, beyond_roots(part))
            sign *= r.sign_of(part.leading_coefficient())
        return sign

    def sign(self, a: Germ) -> int | None:
        """Return the sign that a germ has in the end, None when it is not certain."""
        if a.low is not None and self.sign_of(a.low) > 0:
            return 1
        if a.high is not None and self.sign_of(a.high) < 0:
            return -1
        both = a.low is not None and a.high is not None
        return 0 if both and _zero(a.low) and _zero(a.high) else None

    def _greater(self, a: Ratio, b: Ratio) -> Ratio:
        return a if self.sign_of(_known(r.minus(a, b))) >= 0 else b

    def _greatest(self, forms: list[Ratio]) -> Ratio:
        best = forms[0]
        for form in forms[1:]:
            best = self._greater(best, form)
        return best

    def greatest(self, a: Germ, b: Germ) -> Germ:
        """Return the germ of the greater of two."""
        if _exact(a) and _exact(b):
            assert a.low is not None and b.low is not None
            best = self._greater(a.low, b.low)
            return Germ(best, best)
        lows = [form for form in (a.low, b.low) if form is not None]
        high = None if a.high is None or b.high is None else self._greater(a.high, b.high)
        return Germ(self._greatest(lows) if lows else None, high)

    def hull(self, a: Germ, b: Germ) -> Germ:
        """Return bounds around both."""
        low = negative(self.greatest(negative(a), negative(b))).low if a.low and b.low else None
        return Germ(low, self.greatest(a, b).high)

    # ---- arithmetic

    def add(self, a: Germ, b: Germ) -> Germ:
        """Return the germ of a sum."""
        if _exact(a) and _exact(b):
            total = _sum(a.low, b.low)
            return Germ(total, total)
        return Germ(_sum(a.low, b.low), _sum(a.high, b.high))

    def multiply(self, a: Germ, b: Germ) -> Germ:
        """Return the germ of a product."""
        if a.low is not None and b.low is not None and _exact(a) and _exact(b):
            product = _known(r.times(a.low, b.low))
            return Germ(product, product)
        ends = [a.low, a.high, b.low, b.high]
        if all(end is not None for end in ends):
            corners = [
                _known(r.times(x, y)) for x in (a.low, a.high) for y in (b.low, b.high) if x and y
            ]
            least = r.negative(self._greatest([r.negative(each) for each in corners]))
            return Germ(least, self._greatest(corners))
        return self._unbounded_product(a, b)

    def _unbounded_product(self, a: Germ, b: Germ) -> Germ:
        for first in (1, -1):
            for second in (1, -1):
                x = a if first > 0 else negative(a)
                y = b if second > 0 else negative(b)
                if self._is_positive(x) and self._is_positive(y):
                    product = self._positive_product(x, y)
                    return product if first == second else negative(product)
        return FREE

    def _is_positive(self, a: Germ) -> bool:
        return a.low is not None and self.sign_of(a.low) >= 0

    def _positive_product(self, a: Germ, b: Germ) -> Germ:
        assert a.low is not None and b.low is not None
        high = None if a.high is None or b.high is None else _known(r.times(a.high, b.high))
        return Germ(_known(r.times(a.low, b.low)), high)

    def inverse(self, a: Germ) -> Germ:
        """Return the germ of `1 / a`; raises `NoGerm` where *a* may be zero in the end."""
        sign = self.sign(a)
        if not sign:
            raise NoGerm
        if sign < 0:
            return negative(self.inverse(negative(a)))
        one = r.constant(Fraction(1))
        assert a.low is not None
        high = _known(r.over(one, a.low))
        if _exact(a):
            return Germ(high, high)
        low = r.constant(Fraction(0)) if a.high is None else _known(r.over(one, a.high))
        return Germ(low, high)

    def power(self, a: Germ, n: int) -> Germ:
        """Return the germ of a whole power of at least 1."""
        if n > 4096:
            raise NoGerm
        total, square = None, a
        if n % 2 == 0 and not _exact(a) and (self.sign(a) or 0) < 0:
            square = negative(a)
        while n:
            if n & 1:
                total = square if total is None else self.multiply(total, square)
            n >>= 1
            square = self.multiply(square, square) if n else square
        assert total is not None
        return total

    # ---- steps and curves

    def ceil(self, a: Germ) -> Germ:
        """Return the germ of a number rounded up."""
        if a.low is not None and _exact(a) and limit_of(a.low) is not None:
            whole = self._ceiling(a.low)
            return Germ(whole, whole)
        low = self._ceiling(a.low) if a.low is not None else None
        high = self._ceiling(a.high) if a.high is not None else None
        if high is None and a.high is not None:
            high = _known(r.plus(a.high, r.constant(Fraction(1))))
        return Germ(low if low is not None else a.low, high)

    def _ceiling(self, form: Ratio) -> Ratio | None:
        """Return what a rational function is in the end when rounded up, None when it grows."""
        limit = limit_of(form)
        if limit is None:
            return None
        above = self.sign_of(_known(r.minus(form, r.constant(limit))))
        whole = math.floor(limit) + 1 if above > 0 else math.ceil(limit)
        for edge, wanted in ((whole - 1, 1), (whole, -1)):
            found = self.sign_of(_known(r.minus(form, r.constant(Fraction(edge)))))
            if found != wanted and not (edge == whole and found == 0):
                raise NoGerm
        return r.constant(Fraction(whole))

    def _curved(
        self, a: Germ, low: Callable[[Ratio], Ratio | None], high: Callable[[Ratio], Ratio | None]
    ) -> Germ:
        return Germ(
            low(a.low) if a.low is not None else None, high(a.high) if a.high is not None else None
        )

    def log2(self, a: Germ) -> Germ:
        """Return the germ of a logarithm."""
        if self.sign(a) != 1:
            raise NoGerm
        return self._curved(a, lambda form: self._log(form, -1), lambda form: self._log(form, 1))

    def _log(self, form: Ratio, side: int) -> Ratio | None:
        """Bound a logarithm: a number near its limit; or `scale`, and a line of no slope above."""
        if self.sign_of(form) <= 0:
            return None
        limit = limit_of(form)
        if limit is None:
            return self._growing(form, side)
        if limit == 0:
            inverse = _known(r.over(r.constant(Fraction(1)), form))
            mirrored = self._growing(inverse, -side)
            return r.negative(mirrored) if mirrored is not None else None
        near = self._near(form, limit, side)
        return r.constant(Fraction(exact.ends(exact.log2(near))[side > 0]))

    def _growing(self, form: Ratio, side: int) -> Ratio | None:
        bar = Fraction(1 << self.scale)
        if self.sign_of(_known(r.minus(form, r.constant(bar)))) < 0:
            return None
        if side < 0:
            return r.constant(Fraction(self.scale))
        excess = _known(r.minus(form, r.constant(bar)))
        slow = _known(r.times(excess, r.constant(Fraction(3, 2) / bar)))
        return r.plus(slow, r.constant(Fraction(self.scale)))

    def _near(self, form: Ratio, limit: Fraction, side: int) -> Fraction:
        """Return a number close to *limit* that bounds *form* on one side."""
        if form.degree == 0:
            return limit
        edge = limit + side * abs(limit) / (1 << 64)
        if self.sign_of(_known(r.minus(form, r.constant(edge)))) * side > 0:
            raise NoGerm
        return edge

    def two_to(self, a: Germ) -> Germ:
        """Return the germ of `2 ^ a`."""
        return self._curved(a, lambda form: self._two(form, -1), lambda form: self._two(form, 1))

    def _two(self, form: Ratio, side: int) -> Ratio | None:
        limit = limit_of(form)
        if limit is not None:
            near = self._near(form, limit, side) if limit else self._beside_zero(form, side)
            if abs(near) > 4096:
                raise NoGerm
            return r.constant(Fraction(exact.ends(exact.power(Fraction(2), near))[side > 0]))
        if self.sign_of(form) > 0:
            return None if side > 0 else _fourth(form)
        return (
            r.constant(Fraction(0))
            if side < 0
            else _known(r.over(r.constant(Fraction(1)), _fourth(r.negative(form))))
        )

    def _beside_zero(self, form: Ratio, side: int) -> Fraction:
        if form.is_zero:
            return Fraction(0)
        edge = Fraction(side, 1 << 64)
        if self.sign_of(_known(r.minus(form, r.constant(edge)))) * side > 0:
            raise NoGerm
        return edge

    def root(self, a: Germ, exponent: Fraction) -> Germ:
        """Return the germ of a positive broken power."""
        if a.low is None or self.sign_of(a.low) < 0:
            raise NoGerm
        return self._curved(
            a,
            lambda form: self._root(form, exponent, -1),
            lambda form: self._root(form, exponent, 1),
        )

    def _root(self, form: Ratio, exponent: Fraction, side: int) -> Ratio | None:
        limit = limit_of(form)
        if limit is not None:
            near = (
                self._near(form, limit, side)
                if limit
                else max(self._beside_zero(form, side), Fraction(0))
            )
            return r.constant(Fraction(exact.ends(exact.power(near, exponent))[side > 0]))
        whole = math.floor(exponent)
        rest = self._slow_root(form, exponent - whole, side)
        return _known(r.times(_known(r.raised(form, whole)), rest))

    def _slow_root(self, form: Ratio, part: Fraction, side: int) -> Ratio:
        """Bound a power between 0 and 1 of what grows: by a number below, by a tangent above."""
        bar = Fraction(1 << self.scale)
        excess = _known(r.minus(form, r.constant(bar)))
        if self.sign_of(excess) < 0:
            raise NoGerm
        if side < 0:
            return r.constant(Fraction(1 << math.floor(self.scale * part)))
        there = Fraction(1 << math.ceil(self.scale * part))
        slow = _known(r.times(excess, r.constant(part * there / bar)))
        return _known(r.plus(slow, r.constant(there)))


def _fourth(form: Ratio) -> Ratio:
    """Return `u^4 / 104`, which `2^u` is never below for `u >= 0`: `(u ln 2)^4 / 4!` is more."""
    return _known(r.times(_known(r.raised(form, 4)), r.constant(Fraction(1, 104))))


def limit_of(form: Ratio) -> Fraction | None:
    """Return the limit towards infinity, None where there is none."""
    above, below = form.above.degree(), form.below.degree()
    if form.is_zero or above < below:
        return Fraction(0)
    if above > below:
        return None
    return fraction(form.above.leading_coefficient() / form.below.leading_coefficient())


def beyond_roots(polynomial: fmpq_poly) -> Fraction:
    """Return a number beyond which a polynomial has no root: Fujiwara's bound, rounded up."""
    degree = int(polynomial.degree())
    leading = abs(fraction(polynomial.leading_coefficient()))
    most = 0
    for back in range(1, degree + 1):
        ratio = abs(fraction(polynomial[degree - back])) / leading
        if ratio:
            bits = ratio.numerator.bit_length() - ratio.denominator.bit_length() + 1
            most = max(most, -(-bits // back) + 2)
    return Fraction(1 << most)


def _zero(form: Ratio | None) -> bool:
    return form is not None and form.is_zero


def _exact(a: Germ) -> bool:
    return a.low is not None and a.low is a.high


def _sum(a: Ratio | None, b: Ratio | None) -> Ratio | None:
    return None if a is None or b is None else _known(r.plus(a, b))


def _known(form: Ratio | None) -> Ratio:
    if form is None:
        raise NoGerm
    return form
