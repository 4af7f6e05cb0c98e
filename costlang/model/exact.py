"""Exact numbers: rationals, certified intervals, infinity, and what is not known."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from costlang.model.work import spend

Bound = Fraction | float
"""An exact end of an interval, or an infinite one; never a rounded float."""

POWER_BITS = 100_000
"""A whole power that is longer than this is certified, no longer exact."""
MOST_BITS = 200_000
"""A number larger than this, or closer to zero, is beyond all measure."""
LONG = 8_192
"""Bits beyond which sums, products and quotients are no longer kept exactly."""
PRECISION = 256
LONG_ENOUGH = 300
"""Bits of two numbers together from which the work with them is counted."""


@dataclass(frozen=True)
class Interval:
    """
    All numbers from *low* to *high*.

    *slopes* bounds the derivative in each open range (by name); it is empty for a number that is
    only computed to a certified precision. *ranged* tells the two apart.
    """

    low: Bound
    high: Bound
    slopes: Mapping[str, tuple[Bound, Bound]] = field(default_factory=dict)

    @property
    def ranged(self) -> bool:
        """Whether the width comes from an open range, and not from rounding."""
        return bool(self.slopes)


@dataclass(frozen=True)
class Infinity:
    """`inf`, or its negative."""

    sign: int = 1


@dataclass(frozen=True)
class Unknown:
    """A value that hangs on *names* that nothing sets."""

    names: frozenset[str]


@dataclass(frozen=True)
class Undecided:
    """A comparison of two intervals that overlap."""


Real = Fraction | Interval | Infinity | Unknown
Truth = bool | Unknown | Undecided
INFINITY = Infinity()


class OutOfDomain(ArithmeticError):
    """A point at which an expression has no value: it divides by zero, say."""


class InfiniteValue(ArithmeticError):
    """`inf` where only a number can stand."""


# ---- helpers over the ends


def _times(a: Bound, b: Bound) -> Bound:
    if a == 0 or b == 0:
        return Fraction(0)
    if _endless(a) or _endless(b):
        return math.inf if (a > 0) == (b > 0) else -math.inf
    return a * b


def _product(a: tuple[Bound, Bound], b: tuple[Bound, Bound]) -> tuple[Bound, Bound]:
    ends = [_times(x, y) for x in a for y in b]
    return min(ends), max(ends)


def _plus(a: tuple[Bound, Bound], b: tuple[Bound, Bound]) -> tuple[Bound, Bound]:
    return _sum(a[0], b[0]), _sum(a[1], b[1])


def _sum(a: Bound, b: Bound) -> Bound:
    if _endless(a):
        return a
    return b if _endless(b) else a + b


def ends(value: Real) -> tuple[Bound, Bound]:
    """Return the least and the greatest number that *value* can be."""
    match value:
        case Fraction():
            return value, value
        case Interval(low, high):
            return low, high
        case Infinity(sign):
            return sign * math.inf, sign * math.inf
        case Unknown():
            return -math.inf, math.inf


def _slopes(value: Real) -> Mapping[str, tuple[Bound, Bound]]:
    return value.slopes if isinstance(value, Interval) else {}


def _make(pair: tuple[Bound, Bound], slopes: Mapping[str, tuple[Bound, Bound]]) -> Real:
    low, high = pair
    if low == high and isinstance(low, Fraction):
        return _kept(low)
    return Interval(*_short(pair), {name: _short(slope) for name, slope in slopes.items()})


def _kept(value: Fraction) -> Real:
    """Return *value*, or certain bounds of it where writing it out takes too long."""
    if length(value) <= LONG:
        return value
    return Interval(_outward(value, -1), _outward(value, 1))


def length(value: Fraction) -> int:
    """Return the bits of the longer part of *value*."""
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _short(pair: tuple[Bound, Bound]) -> tuple[Bound, Bound]:
    """Return *pair*, widened to ends that are not too long."""
    low, high = pair
    return _brief(low, -1), _brief(high, 1)


def _brief(end: Bound, side: int) -> Bound:
    if not isinstance(end, Fraction):
        return end
    bits = length(end)
    spend(4 + _effort(end.numerator.bit_length(), end.denominator.bit_length()))
    return _outward(end, side) if bits > 4 * PRECISION else end


def _effort(above: int, below: int) -> int:
    """Return the steps of an operation on numerators and denominators of so many bits."""
    return (above + below) // 200 + above * below // 1_000_000


def _weigh(a: Fraction, b: Fraction) -> None:
    """Pay for one operation on two rationals, where they are long."""
    above = a.numerator.bit_length() + b.numerator.bit_length()
    below = a.denominator.bit_length() + b.denominator.bit_length()
    if above + below > LONG_ENOUGH:
        spend(_effort(above, below))


def _outward(value: Fraction, side: int) -> Fraction:
    """Return a number of few bits on the given *side* of *value*, and close to it."""
    size = value.numerator.bit_length() - value.denominator.bit_length()
    if size > MOST_BITS:
        raise OutOfDomain("it is beyond all measure")
    shift = PRECISION - max(size, -MOST_BITS)
    top, bottom = value.numerator << max(shift, 0), value.denominator << max(-shift, 0)
    whole = top // bottom if side < 0 else -(-top // bottom)
    return Fraction(whole, 1 << shift) if shift > 0 else Fraction(whole << -shift)


def unknown(*values: object) -> Unknown | None:
    """Return what is unknown among *values*, None when nothing is."""
    names = [v.names for v in values if isinstance(v, Unknown)]
    return Unknown(frozenset().union(*names)) if names else None


def _finite(*values: Real) -> None:
    if any(isinstance(value, Infinity) for value in values):
        raise InfiniteValue


# ---- arithmetic


def add(a: Real, b: Real) -> Real:
    """Return `a + b`."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        _weigh(a, b)
        return _kept(a + b)
    missing = unknown(a, b)
    if missing is not None:
        return missing
    _finite(a, b)
    sa, sb = _slopes(a), _slopes(b)
    zero = (Fraction(0), Fraction(0))
    slopes = {n: _plus(sa.get(n, zero), sb.get(n, zero)) for n in {*sa, *sb}}
    return _make(_plus(ends(a), ends(b)), slopes)


def negate(a: Real) -> Real:
    """Return `-a`."""
    match a:
        case Fraction():
            return -a
        case Infinity(sign):
            return Infinity(-sign)
        case Unknown():
            return a
        case Interval(low, high, slopes):
            return Interval(-high, -low, {n: (-y, -x) for n, (x, y) in slopes.items()})


def subtract(a: Real, b: Real) -> Real:
    """Return `a - b`."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        _weigh(a, b)
        return _kept(a - b)
    return add(a, negate(b))


def multiply(a: Real, b: Real) -> Real:
    """Return `a * b`."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        _weigh(a, b)
        return _kept(a * b)
    missing = unknown(a, b)
    if missing is not None:
        return missing
    _finite(a, b)
    spend(30)
    ea, eb = ends(a), ends(b)
    slopes: dict[str, tuple[Bound, Bound]] = {}
    for name, slope in _slopes(a).items():
        slopes[name] = _product(slope, eb)
    for name, slope in _slopes(b).items():
        more = _product(slope, ea)
        slopes[name] = _plus(slopes[name], more) if name in slopes else more
    return _make(_product(ea, eb), slopes)


def divide(a: Real, b: Real) -> Real:
    """Return `a / b`; dividing by zero is out of the domain."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        if b == 0:
            raise OutOfDomain("it divides by zero")
        _weigh(a, b)
        return _kept(a / b)
    return multiply(a, inverse(b))


def inverse(b: Real) -> Real:
    """Return `1 / b`."""
    if isinstance(b, Unknown):
        return b
    if isinstance(b, Fraction) and b != 0:
        return 1 / b
    _finite(b)
    spend(30)
    low, high = ends(b)
    if low <= 0 <= high:
        raise OutOfDomain("it may divide by zero")
    value = (_over(high), _over(low))
    square = _product(value, value)
    factor = (-square[1], -square[0])
    return _make(value, {n: _product(s, factor) for n, s in _slopes(b).items()})


def _over(end: Bound) -> Bound:
    return Fraction(0) if isinstance(end, float) and math.isinf(end) else 1 / Fraction(end)


def power(a: Real, b: Real) -> Real:
    """Return `a ^ b`: exact for a whole exponent that stays small enough, else certified."""
    missing = unknown(a, b)
    if missing is not None:
        return missing
    _finite(a, b)
    if isinstance(b, Fraction) and b.denominator == 1:
        return _whole_power(a, int(b))
    low, _ = ends(a)
    if low < 0 or (low == 0 and not isinstance(a, Fraction)):
        raise OutOfDomain("it raises a negative number to a broken power")
    if a == 0:
        return Fraction(0)
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        root = _exact_root(a, b)
        if root is not None:
            return root
    return exp(multiply(b, log(a)))


def _whole_power(a: Real, n: int) -> Real:
    if n == 0:
        return Fraction(1)
    if n < 0:
        return _whole_power(inverse(a), -n)
    if isinstance(a, Fraction):
        found = _exact_power(a, n)
        return found if found is not None else _big_power(a, n)
    low, high = ends(a)
    corners = [end for corner in (low, high) for end in _power_of_end(corner, n)]
    straddles = n % 2 == 0 and low < 0 < high
    value = (Fraction(0) if straddles else min(corners), max(corners))
    if not _slopes(a):
        return _make(value, {})
    factor = ends(multiply(Fraction(n), _whole_power(_plain(a), n - 1)))
    return _make(value, {name: _product(slope, factor) for name, slope in _slopes(a).items()})


def _exact_power(a: Fraction, n: int) -> Fraction | None:
    """Return `a ^ n`, None when it is too long to be exact."""
    if abs(a) in (0, 1):
        return a ** (2 - n % 2)
    bits = (length(a) - 1) * n
    if bits > POWER_BITS:
        return None
    spend(5 + bits // 40)
    found = a**n
    return found if length(found) <= POWER_BITS else None


def _power_of_end(end: Bound, n: int) -> tuple[Bound, Bound]:
    if isinstance(end, Fraction):
        return ends(_whole_power(end, n))
    endless = math.inf if end > 0 or n % 2 == 0 else -math.inf
    return endless, endless


def _plain(a: Real) -> Real:
    low, high = ends(a)
    return _make((low, high), {})


def _big_power(a: Fraction, n: int) -> Real:
    if a < 0:
        value = _big_power(-a, n)
        return value if n % 2 == 0 else negate(value)
    return exp(multiply(Fraction(n), log(a)))


def _exact_root(a: Fraction, b: Fraction) -> Fraction | None:
    n = b.denominator
    if n > 64 or abs(b.numerator) > 64:
        return None
    top, bottom = _integer_root(a.numerator, n), _integer_root(a.denominator, n)
    if top is None or bottom is None:
        return None
    return Fraction(top, bottom) ** b.numerator


def _integer_root(value: int, n: int) -> int | None:
    """Return the whole number whose power is *value*, by Newton's steps from above."""
    bits = value.bit_length()
    spend(10 + bits * bits // 100_000)
    root = 1 << -(-value.bit_length() // n)
    while root:
        closer = ((n - 1) * root + value // root ** (n - 1)) // n
        if closer >= root:
            break
        root = closer
    return root if root**n == value else None


# ---- choices


def largest(values: list[Real]) -> Real:
    """Return the maximum of *values*."""
    missing = unknown(*values)
    if missing is not None:
        return missing
    return _extreme(values, max)


def smallest(values: list[Real]) -> Real:
    """Return the minimum of *values*."""
    missing = unknown(*values)
    if missing is not None:
        return missing
    return negate(_extreme([negate(value) for value in values], max))


def _extreme(values: list[Real], pick: Callable[..., Bound]) -> Real:
    if all(isinstance(value, Fraction) for value in values):
        return max(value for value in values if isinstance(value, Fraction))
    spans = [ends(value) for value in values]
    low = max(pair[0] for pair in spans)
    alive = [v for v, pair in zip(values, spans, strict=True) if pair[1] >= low]
    if len(alive) == 1 or all(value == alive[0] for value in alive):
        return alive[0]
    names = {name for value in alive for name in _slopes(value)}
    zero = (Fraction(0), Fraction(0))
    slopes = {
        name: (
            min(_slopes(v).get(name, zero)[0] for v in alive),
            max(_slopes(v).get(name, zero)[1] for v in alive),
        )
        for name in names
    }
    return _make((low, max(ends(v)[1] for v in alive)), slopes)


def absolute(a: Real) -> Real:
    """Return `abs(a)`."""
    if isinstance(a, Fraction):
        return abs(a)
    value = largest([a, negate(a)])
    if isinstance(value, Interval) and value.low < 0:
        return _make((Fraction(0), value.high), value.slopes)
    return value


def floor(a: Real) -> Real:
    """Return the greatest whole number not above *a*."""
    return _step(a, math.floor)


def ceil(a: Real) -> Real:
    """Return the least whole number not below *a*."""
    return _step(a, math.ceil)


def _step(a: Real, rounding: Callable[[Fraction], int]) -> Real:
    if isinstance(a, Fraction):
        _weigh(a, a)
        return Fraction(rounding(a))
    if isinstance(a, Unknown):
        return a
    _finite(a)
    low, high = (e if _endless(e) else Fraction(rounding(Fraction(e))) for e in ends(a))
    slopes = {name: _flattened(slope) for name, slope in _slopes(a).items()}
    return _make((low, high), slopes)


def _endless(end: Bound) -> bool:
    return isinstance(end, float) and math.isinf(end)


def _flattened(slope: tuple[Bound, Bound]) -> tuple[Bound, Bound]:
    zero = Fraction(0)
    return (-math.inf if slope[0] < 0 else zero, math.inf if slope[1] > 0 else zero)


# ---- transcendental functions, certified


_DOUBT = Fraction(1, 2 ** (PRECISION - 8))
"""The last bits are not trusted: mpmath 1.3 gives 1 for `exp` of 2^-271, rounded up as well."""
_MOST = 138_629
"""Beyond this an exponential has more bits than `MOST_BITS`."""


def sqrt(a: Real) -> Real:
    """Return the square root of *a*, exact where it is rational."""
    if isinstance(a, Fraction) and a >= 0:
        root = _exact_root(a, Fraction(1, 2))
        return root if root is not None else _certified("sqrt", a)
    if isinstance(a, Unknown):
        return a
    _finite(a)
    if ends(a)[0] < 0:
        raise OutOfDomain("it takes the root of a negative number")
    return _certified("sqrt", a)


def log(a: Real) -> Real:
    """Return the natural logarithm of *a*."""
    if isinstance(a, Unknown):
        return a
    _finite(a)
    if ends(a)[0] <= 0:
        raise OutOfDomain("it takes the logarithm of what is not above zero")
    return Fraction(0) if a == 1 else _certified("log", a)


def log2(a: Real) -> Real:
    """Return the logarithm of *a* to base two, exact for powers of two."""
    if isinstance(a, Fraction) and a > 0:
        top, bottom = a.numerator, a.denominator
        if top & (top - 1) == 0 and bottom & (bottom - 1) == 0:
            return Fraction(top.bit_length() - bottom.bit_length())
    return divide(log(a), _certified("log", Fraction(2)))


def exp(a: Real) -> Real:
    """Return `e ^ a`."""
    if isinstance(a, Unknown):
        return a
    _finite(a)
    if a == 0:
        return Fraction(1)
    _, high = ends(a)
    if high > _MOST:
        raise OutOfDomain("its exponent is beyond all measure")
    return _certified("exp", a)


def _certified(name: str, a: Real) -> Real:
    low, high = ends(a)
    value = (_rounded(name, low)[0], _rounded(name, high)[1])
    slopes = {n: _product(s, _derivative(name, a, value)) for n, s in _slopes(a).items()}
    return _make(value, slopes)


def _derivative(name: str, a: Real, value: tuple[Bound, Bound]) -> tuple[Bound, Bound]:
    if name == "exp":
        return value
    return ends(inverse(_plain(a))) if name == "log" else _sqrt_slope(value)


def _sqrt_slope(value: tuple[Bound, Bound]) -> tuple[Bound, Bound]:
    low = math.inf if value[0] == 0 else 1 / (2 * Fraction(value[0]))
    return (_over(2 * value[1]), low)


def _rounded(name: str, end: Bound) -> tuple[Bound, Bound]:
    """Return two bounds between which the function at *end* certainly lies."""
    if _endless(end):
        limit = Fraction(0) if name == "exp" and end < 0 else math.inf
        return limit, limit
    if name == "exp" and end < -_MOST:
        return Fraction(0), _rounded(name, Fraction(-_MOST))[1]
    from mpmath import iv
    from mpmath.libmp import to_rational

    iv.prec = PRECISION
    exact = Fraction(end)
    spend(120 + length(exact) // 100)
    argument = iv.mpf(exact.numerator) / iv.mpf(exact.denominator)
    result = getattr(iv, name)(argument)
    low, high = (Fraction(*to_rational(end)) for end in result._mpi_)
    return low - abs(low) * _DOUBT, high + abs(high) * _DOUBT


# ---- comparisons


def compare(operator: str, a: Real, b: Real) -> Truth:
    """Return whether `a operator b`; undecided where intervals overlap."""
    spend(1)
    missing = unknown(a, b)
    if missing is not None:
        return missing
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        _weigh(a, b)
        return _COMPARE[operator](a, b)
    difference = _apart(a, b)
    if difference is None:
        return Undecided()
    return _COMPARE[operator](Fraction(difference), Fraction(0))


def _apart(a: Real, b: Real) -> int | None:
    (a_low, a_high), (b_low, b_high) = ends(a), ends(b)
    if a_high < b_low:
        return -1
    if a_low > b_high:
        return 1
    same = a_low == a_high == b_low == b_high
    return 0 if same else None


_COMPARE: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
}


_UNDECIDED = "which of two"
"""Stands among the open ranges for a condition that they leave undecided."""


def hull(a: Real, b: Real) -> Real:
    """Return the least interval that holds both of two, one of which is meant."""
    missing = unknown(a, b)
    if missing is not None:
        return missing
    if a == b:
        return a
    (a_low, a_high), (b_low, b_high) = ends(a), ends(b)
    zero = (Fraction(0), Fraction(0))
    sa, sb = _slopes(a), _slopes(b)
    slopes = {
        n: (
            min(sa.get(n, zero)[0], sb.get(n, zero)[0]),
            max(sa.get(n, zero)[1], sb.get(n, zero)[1]),
        )
        for n in {*sa, *sb}
    }
    jump = dict.fromkeys([*slopes, _UNDECIDED], (-math.inf, math.inf))
    return _make((min(a_low, b_low), max(a_high, b_high)), jump)
