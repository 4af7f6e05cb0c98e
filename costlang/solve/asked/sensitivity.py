"""By how many per cent a formula changes for one per cent of a name: exact, on the active side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from costlang.formula import graph as g
from costlang.model import exact
from costlang.model.exact import Real
from costlang.solve.ground.budget import CannotTell
from costlang.solve.ground.prepare import without_sums
from costlang.solve.ground.program import Values

ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, eq=False)
class Elasticity:
    """
    `d ln e / d ln p` for the name *symbol*.

    At a corner, where two sides of a choice are equal, it differs *before* and *after*. Between two
    steps of a rounding it is nothing; on a step, where what is rounded is whole already, as the
    heads of a model on one chip are, it is that of the line along which the steps lie. Both are one
    where the formula is smooth.
    """

    symbol: g.Sym
    before: Real
    after: Real

    @property
    def smooth(self) -> bool:
        """Whether it is one number."""
        return self.before == self.after


def elasticities(
    build: g.Builder, node: g.Node, symbols: Sequence[g.Sym], values: Values
) -> tuple[Elasticity, ...]:
    """
    Return the elasticity of *node* in each of *symbols*, at *values*, in their order.

    Raises `CannotTell` where the formula is zero, has no value, or where a choice is not certain.
    """
    plain = without_sums(build, node, values)
    return tuple(_elasticity(plain, symbol, values) for symbol in symbols)


def _elasticity(node: g.Node, symbol: g.Sym, values: Values) -> Elasticity:
    sides = []
    for side in (-1, 1):
        value, slope = _Derived(symbol, values, side).both(node)
        if exact.ends(value)[0] <= 0 <= exact.ends(value)[1]:
            raise CannotTell("a formula is zero there")
        own = values[symbol]
        assert isinstance(own, Fraction)
        sides.append(exact.divide(exact.multiply(slope, own), value))
    return Elasticity(symbol, sides[0], sides[1])


Pair = tuple[Real, Real]


class _Derived:
    """Values with their derivatives in *symbol* on one *side* of its value."""

    def __init__(self, symbol: g.Sym, values: Values, side: int) -> None:
        self.symbol, self.values, self.side = symbol, values, side
        self._memo: dict[g.Node, Pair] = {}

    def both(self, node: g.Node) -> Pair:
        """Return the value and the derivative; only the taken branch of an `if` is looked at."""
        try:
            return self._both(node)
        except (exact.OutOfDomain, exact.InfiniteValue) as fault:
            raise CannotTell(str(fault)) from fault

    def _both(self, node: g.Node) -> Pair:
        if node not in self._memo:
            self._memo[node] = self._made(node)
        return self._memo[node]

    def _made(self, node: g.Node) -> Pair:
        match node:
            case g.Num(value=value):
                return value, ZERO
            case g.Sym():
                return self._symbol(node)
            case g.Inf(sign=sign):
                return exact.Infinity(sign), ZERO
            case g.Def(body=body) | g.Part(body=body):
                return self._both(body)
            case g.Neg(operand=operand):
                inner, slope = self._both(operand)
                return exact.negate(inner), exact.negate(slope)
            case g.Add(terms=terms):
                return self._sum([self._both(term) for term in terms])
            case g.Mul(factors=factors):
                return self._product([self._both(factor) for factor in factors])
            case g.Div(above=above, below=below):
                return _quotient(self._both(above), self._both(below))
            case g.Pow(base=base, exponent=exponent):
                return _power(self._both(base), self._both(exponent))
            case g.Max(sides=sides):
                return self._greatest(sides, 1)
            case g.Min(sides=sides):
                return self._greatest(sides, -1)
            case g.Cond(condition=condition, yes=yes, no=no):
                return self._both(yes if self._truth(condition) else no)
            case g.Fn(function=function, argument=argument):
                return self._function(function, self._both(argument))
            case _:
                raise CannotTell(f"the derivative of a {type(node).__name__} is not known")

    def _symbol(self, node: g.Sym) -> Pair:
        if node not in self.values:
            raise CannotTell(f"nothing sets {'.'.join(node.path)}")
        return self.values[node], ONE if node is self.symbol else ZERO

    def _sum(self, parts: list[Pair]) -> Pair:
        value, slope = parts[0]
        for part in parts[1:]:
            value, slope = exact.add(value, part[0]), exact.add(slope, part[1])
        return value, slope

    def _product(self, parts: list[Pair]) -> Pair:
        total = parts[0]
        for part in parts[1:]:
            total = _times(total, part)
        return total

    # ---- choices

    def _greatest(self, sides: tuple[g.Node, ...], direction: int) -> Pair:
        """Return the greatest side; of equal ones, that which is so on the side looked at."""
        best: Pair | None = None
        for side in sides:
            pair = self._both(side)
            if isinstance(pair[0], exact.Infinity):
                if pair[0].sign == direction:
                    raise CannotTell("it is infinite there")
                continue
            if best is None or self._ahead(pair, best) * direction > 0:
                best = pair
        if best is None:
            raise CannotTell("it is infinite there")
        return best

    def _ahead(self, a: Pair, b: Pair) -> int:
        """Return the sign of `a - b` a little to the side that is looked at."""
        sign = _sign(exact.subtract(a[0], b[0]))
        return sign or _sign(exact.subtract(a[1], b[1])) * self.side

    def _truth(self, condition: g.Node) -> bool:
        match condition:
            case g.Cmp(operator=word, left=left, right=right):
                return self._compared(word, self._both(left), self._both(right))
            case g.All(parts=parts):
                return all(self._truth(part) for part in parts)
            case g.Any(parts=parts):
                return any(self._truth(part) for part in parts)
            case g.Not(part=part):
                return not self._truth(part)
            case _:
                raise CannotTell("a condition is not known")

    def _compared(self, word: str, a: Pair, b: Pair) -> bool:
        """Compare as at the point itself; a jump just there is not looked past."""
        found = exact.compare(word, a[0], b[0])
        if isinstance(found, bool):
            return found
        raise CannotTell("whether a condition holds is not certain")

    def _function(self, function: str, inner: Pair) -> Pair:
        value, slope = inner
        if function in ("ceil", "floor"):
            rounded = (exact.ceil if function == "ceil" else exact.floor)(value)
            if not isinstance(rounded, Fraction):
                raise CannotTell("how a number is rounded is not certain")
            return rounded, slope if rounded == value else ZERO
        if function == "abs":
            ahead = _sign(value) or _sign(slope) * self.side
            return inner if ahead >= 0 else (exact.negate(value), exact.negate(slope))
        return _SMOOTH[function](value, slope)


def _sign(value: Real) -> int:
    low, high = exact.ends(value)
    if low > 0 or high < 0:
        return 1 if low > 0 else -1
    if low == high == 0:
        return 0
    raise CannotTell("which side is the active one is not certain")


def _times(a: Pair, b: Pair) -> Pair:
    slope = exact.add(exact.multiply(a[1], b[0]), exact.multiply(a[0], b[1]))
    return exact.multiply(a[0], b[0]), slope


def _quotient(a: Pair, b: Pair) -> Pair:
    value = exact.divide(a[0], b[0])
    slope = exact.divide(exact.subtract(a[1], exact.multiply(value, b[1])), b[0])
    return value, slope


def _power(a: Pair, b: Pair) -> Pair:
    value = exact.power(a[0], b[0])
    slope: Real = ZERO
    if a[1] != 0:
        lower = exact.power(a[0], exact.subtract(b[0], ONE))
        slope = exact.multiply(exact.multiply(b[0], lower), a[1])
    if b[1] != 0:
        slope = exact.add(slope, exact.multiply(exact.multiply(value, exact.log(a[0])), b[1]))
    return value, slope


def _root(value: Real, slope: Real) -> Pair:
    root = exact.sqrt(value)
    return root, exact.divide(slope, exact.multiply(Fraction(2), root)) if slope != 0 else ZERO


def _logarithm(value: Real, slope: Real) -> Pair:
    per = exact.multiply(value, exact.log(Fraction(2)))
    return exact.log2(value), exact.divide(slope, per)


def _exponential(value: Real, slope: Real) -> Pair:
    raised: Real = exact.exp(value)
    return raised, exact.multiply(raised, slope)


_SMOOTH: dict[str, Callable[[Real, Real], Pair]] = {
    "sqrt": _root,
    "log2": _logarithm,
    "exp": _exponential,
}
