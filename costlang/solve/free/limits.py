"""Where a formula tends to: its leading terms, the other names positive within their bounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from costlang.formula import graph as g
from costlang.solve.closed import tidying
from costlang.solve.closed.regimes import holds_unknown
from costlang.solve.free.positive import FREE, POSITIVE, Reach, Reaches, Signing
from costlang.solve.ground.budget import CannotTell
from costlang.solve.ground.prepare import without_sums
from costlang.solve.ground.program import Number, Values

MOST_TERMS = 200
UNIT = Reach(Fraction(0), Fraction(1), False)

Scale = tuple[int, Fraction, Fraction]
"""
Whether it vanishes faster than any power (-1), the power of `z`, and that of its logarithm.

The greater tuple grows faster. What vanishes so fast is kept for its sign alone.
"""


@dataclass(frozen=True, eq=False)
class Growth:
    """A quotient of sums of `coefficient z^a log2(z)^b`, for `z` that grows without end."""

    above: Mapping[Scale, g.Node]
    below: Mapping[Scale, g.Node]


def limit(
    build: g.Builder,
    node: g.Node,
    unknown: g.Sym,
    towards: Number | g.Inf,
    values: Values,
    reaches: Reaches,
    side: int = 1,
) -> g.Node:
    """
    Return the limit of *node* as *unknown* tends to *towards*, as a formula or an infinity.

    For a number it is that from above, or from below where *side* is -1. Raises `CannotTell`
    when there is none or when it is not certain.
    """
    plain = without_sums(build, node, values)
    others = {symbol: value for symbol, value in values.items() if symbol is not unknown}
    signing = Signing(build, reaches, others)
    return _Tending(build, unknown, signing, _start(build, towards, side)).limit(plain)


def _start(build: g.Builder, towards: Number | g.Inf, side: int) -> Growth:
    """Return the unknown in terms of `z`."""
    one = build.num(1)
    if not isinstance(towards, Fraction):
        return Growth({Z: build.num(towards.sign)}, {PLAIN: one})
    above = {Z: build.num(towards), PLAIN: build.num(side)}
    return Growth({at: c for at, c in above.items() if not g.is_zero(c)}, {Z: one})


PLAIN: Scale = (0, Fraction(0), Fraction(0))
Z: Scale = (0, Fraction(1), Fraction(0))
LOGARITHM: Scale = (0, Fraction(0), Fraction(1))
VANISHING: Scale = (0, Fraction(-1, 1 << 30), Fraction(0))
GONE: Scale = (-1, Fraction(0), Fraction(0))


class _Tending:
    def __init__(self, build: g.Builder, unknown: g.Sym, signing: Signing, start: Growth) -> None:
        self.build, self.unknown, self.signing, self.start = build, unknown, signing, start
        self._memo: dict[g.Node, Growth] = {}
        self._loose: set[g.Node] = set()
        self.holding: set[g.Node] = set()

    def limit(self, node: g.Node) -> g.Node:
        """Return the limit of *node*; raises `CannotTell`."""
        self.holding = holds_unknown(node, self.unknown)
        found = self.tends(self.growth(node))
        if self._is_loose(found):
            raise CannotTell("a rounding keeps it from having a limit")
        return found

    def _is_loose(self, node: g.Node) -> bool:
        return any(at in self._loose for at in g.walk(node))

    def growth(self, node: g.Node) -> Growth:
        """Return how *node* grows; a formula is followed only where it is taken."""
        if node not in self._memo:
            self._memo[node] = self._growth(node)
        return self._memo[node]

    def _growth(self, node: g.Node) -> Growth:
        if node is self.unknown:
            return self.start
        if node not in self.holding:
            return self._constant(node)
        match node:
            case g.Def(body=body) | g.Part(body=body):
                return self.growth(body)
            case g.Neg(operand=operand):
                return self._scaled(self.growth(operand), self.build.num(-1))
            case g.Add(terms=terms):
                return self._total([self.growth(term) for term in terms])
            case g.Mul(factors=factors):
                return self._product([self.growth(factor) for factor in factors])
            case g.Div(above=above, below=below):
                return self._product([self.growth(above), self._inverse(self.growth(below))])
            case g.Pow():
                return self._power(node)
            case g.Max(sides=sides):
                return self._greatest(sides, 1)
            case g.Min(sides=sides):
                return self._greatest(sides, -1)
            case g.Cond(condition=condition, yes=yes, no=no):
                return self.growth(yes if self._truth(condition) else no)
            case g.Fn(function=function, argument=argument):
                return self._function(function, self.growth(argument), node)
            case _:
                raise CannotTell(f"the limit of a {type(node).__name__} is not known")

    def _constant(self, node: g.Node) -> Growth:
        above = {} if g.is_zero(node) else {PLAIN: node}
        return Growth(above, {PLAIN: self.build.num(1)})

    # ---- arithmetic of growths

    def _total(self, parts: list[Growth]) -> Growth:
        total = parts[0]
        for part in parts[1:]:
            if _alike(total.below, part.below):
                total = Growth(self._sum(total.above, part.above), total.below)
            else:
                left = self._times(total.above, part.below)
                right = self._times(part.above, total.below)
                total = Growth(self._sum(left, right), self._times(total.below, part.below))
        return total

    def _product(self, parts: list[Growth]) -> Growth:
        total = parts[0]
        for part in parts[1:]:
            above = self._times(total.above, part.above)
            total = Growth(above, self._times(total.below, part.below))
        return total

    def _scaled(self, a: Growth, by: g.Node) -> Growth:
        return Growth(self._times(a.above, {PLAIN: by}), a.below)

    def _inverse(self, a: Growth) -> Growth:
        if not a.above:
            raise CannotTell("it divides by zero")
        if max(a.above) == GONE:
            raise CannotTell("it divides by what vanishes faster than any power")
        return Growth(a.below, a.above)

    def _sum(self, a: Mapping[Scale, g.Node], b: Mapping[Scale, g.Node]) -> dict[Scale, g.Node]:
        total = dict(a)
        for at, c in b.items():
            total[at] = self._plus(total[at], c) if at in total else c
        return {at: c for at, c in total.items() if not g.is_zero(c)}

    def _plus(self, a: g.Node, b: g.Node) -> g.Node:
        """Return a sum of coefficients; one that cancels out is the literal 0."""
        made = self.build.add(a, b)
        tidy = tidying.simplest(self.build, made, tidying.opened)
        return tidy if g.is_zero(tidy) else made

    def _times(self, a: Mapping[Scale, g.Node], b: Mapping[Scale, g.Node]) -> dict[Scale, g.Node]:
        total: dict[Scale, g.Node] = {}
        for p, x in a.items():
            for q, y in b.items():
                at = (0, p[1] + q[1], p[2] + q[2])
                term = self.build.mul(x, y)
                if GONE in (p, q):
                    at, term = GONE, term if PLAIN in (p, q) else self._gone(term)
                total[at] = self._plus(total[at], term) if at in total else term
        if len(total) > MOST_TERMS:
            raise CannotTell("a formula gets too long")
        return {at: c for at, c in total.items() if not g.is_zero(c)}

    # ---- order

    def _lead(self, polynomial: Mapping[Scale, g.Node]) -> tuple[Scale, g.Node]:
        """Return the term that grows fastest."""
        at = max(polynomial)
        return at, polynomial[at]

    def sign(self, a: Growth) -> int:
        """Return the sign in the end; raises `CannotTell` where the names leave it open."""
        if not a.above:
            return 0
        signs = [self.signing.sign(self._lead(part)[1]) for part in (a.above, a.below)]
        if None in signs or 0 in signs:
            raise CannotTell("a sign hangs on the values of other names")
        return (signs[0] or 0) * (signs[1] or 0)

    def tends(self, a: Growth) -> g.Node:
        """Return the limit of a growth."""
        if not a.above:
            return self.build.num(0)
        (top, over), (bottom, under) = self._lead(a.above), self._lead(a.below)
        if top < bottom:
            return self.build.num(0)
        if top > bottom:
            return self.build.inf(self.sign(a))
        raw = self.build.div(over, under)
        short = tidying.simplest(self.build, raw, tidying.named)
        return short if tidying.length(short) <= tidying.length(raw) else raw

    def _difference(self, a: Growth, b: Growth) -> Growth:
        return self._total([a, self._scaled(b, self.build.num(-1))])

    def _greatest(self, sides: tuple[g.Node, ...], direction: int) -> Growth:
        best = self.growth(sides[0])
        for side in sides[1:]:
            other = self.growth(side)
            try:
                ahead = self.sign(self._difference(other, best))
            except CannotTell:
                best = self._either(best, other, direction)
                continue
            best = other if ahead * direction > 0 else best
        return best

    def _either(self, a: Growth, b: Growth, direction: int) -> Growth:
        """Return the greater of two that grow alike, or the smaller one, up to what vanishes."""
        (at, first), (other, second) = self._leading(a), self._leading(b)
        if at != other or at[0]:
            raise CannotTell("which side of a choice is taken hangs on the values of other names")
        pick = self.build.max if direction > 0 else self.build.min
        less = (0, at[1] + VANISHING[1], at[2])
        return Growth({at: pick(first, second), less: self._new(FREE)}, {PLAIN: self.build.num(1)})

    def _leading(self, a: Growth) -> tuple[Scale, g.Node]:
        """Return how fast a growth grows, and times what."""
        if not a.above:
            return PLAIN, self.build.num(0)
        (top, over), (bottom, under) = self._lead(a.above), self._lead(a.below)
        gone = -1 if GONE in (top, bottom) else 0
        return (gone, top[1] - bottom[1], top[2] - bottom[2]), self.build.div(over, under)

    def _truth(self, condition: g.Node) -> bool:
        match condition:
            case g.Cmp(operator=word, left=left, right=right):
                sign = self.sign(self._difference(self.growth(left), self.growth(right)))
                return {
                    "<": sign < 0,
                    "<=": sign <= 0,
                    "==": sign == 0,
                    "!=": sign != 0,
                    ">=": sign >= 0,
                    ">": sign > 0,
                }[word]
            case g.All(parts=parts):
                return all(self._truth(part) for part in parts)
            case g.Any(parts=parts):
                return any(self._truth(part) for part in parts)
            case g.Not(part=part):
                return not self._truth(part)
            case _:
                raise CannotTell("a condition is not known")

    # ---- powers and functions

    def _power(self, node: g.Pow) -> Growth:
        if node.exponent in self.holding:
            return self._exponential(node)
        base = self.growth(node.base)
        if not isinstance(node.exponent, g.Num):
            raise CannotTell("a power has an open exponent")
        power = node.exponent.value
        if power.denominator == 1 and abs(power) <= 12:
            base = base if power > 0 else self._inverse(base)
            return self._product([base] * abs(int(power)))
        return self._broken(base, power)

    def _broken(self, base: Growth, power: Fraction) -> Growth:
        """Raise a single term to a broken power; more terms have only a limit."""
        if len(base.above) == len(base.below) == 1:
            (p, x), (q, y) = self._lead(base.above), self._lead(base.below)
            at = (0, (p[1] - q[1]) * power, (p[2] - q[2]) * power)
            inside = self.build.div(x, y)
            if self.signing.sign(inside) == 1 and GONE not in (p, q):
                made = {at: self.build.pow(inside, self.build.num(power))}
                return Growth(made, {PLAIN: self.build.num(1)})
        return self._only_limit(base, lambda u: self.build.pow(u, self.build.num(power)))

    def _only_limit(self, inner: Growth, made: Callable[[g.Node], g.Node]) -> Growth:
        """Return a continuous function of what has a limit above zero, up to what vanishes."""
        towards = self.tends(inner)
        if isinstance(towards, g.Inf) or self.signing.sign(towards) != 1:
            raise CannotTell("how a curve goes on without end is not certain")
        return self._about(made(towards))

    def _about(self, value: g.Node) -> Growth:
        """Return what tends to *value*: beside it stands a term of which only that it vanishes."""
        above = {PLAIN: value, VANISHING: self._new(FREE)}
        return Growth(above, {PLAIN: self.build.num(1)})

    def _new(self, reach: Reach) -> g.Node:
        """Return a name for a number of which nothing but its bounds is known."""
        name = f"#{len(self._loose)}"
        made = self.build.sym((name,), g.SymbolInfo(name, None, g.NONE, "real"))
        assert isinstance(made, g.Sym)
        self._loose.add(made)
        self.signing.reaches[made] = reach
        return made

    def _gone(self, times: g.Node | None = None) -> g.Node:
        """Return what stands for something above zero that vanishes faster than any power."""
        made = self._new(POSITIVE)
        return made if times is None else self.build.mul(made, times)

    def _exponential(self, node: g.Pow) -> Growth:
        """`a ^ u` vanishes faster than any power, or tends to a number."""
        if node.base in self.holding:
            raise CannotTell("both the base and the exponent of a power move")
        base = self.signing.sign(self.build.sub(node.base, self.build.num(1)))
        if self.signing.sign(node.base) != 1 or base is None:
            raise CannotTell("whether a base is above one hangs on the values of other names")
        exponent = self.growth(node.exponent)
        towards = self.tends(exponent)
        if isinstance(towards, g.Inf):
            if base * towards.sign < 0:
                return Growth({GONE: self._gone()}, {PLAIN: self.build.num(1)})
            if base == 0:
                return self._constant(self.build.num(1))
            raise CannotTell("an exponential grows beyond all powers")
        return self._about(self.build.pow(node.base, towards))

    def _function(self, function: str, inner: Growth, node: g.Node) -> Growth:
        build = self.build
        match function:
            case "sqrt":
                return self._broken(inner, Fraction(1, 2))
            case "abs":
                return inner if self.sign(inner) >= 0 else self._scaled(inner, build.num(-1))
            case "exp":
                towards = self.tends(inner)
                if isinstance(towards, g.Inf):
                    if towards.sign > 0:
                        raise CannotTell("an exponential grows beyond all powers")
                    return Growth({GONE: self._gone()}, {PLAIN: build.num(1)})
                return self._about(build.fn("exp", towards))
            case "log2":
                return self._logarithm(inner)
            case _:
                return self._rounded(function, inner)

    def _logarithm(self, inner: Growth) -> Growth:
        build = self.build
        if self.sign(inner) <= 0:
            raise CannotTell("it takes the logarithm of what is not above zero")
        (top, over), (bottom, under) = self._lead(inner.above), self._lead(inner.below)
        if top[2] != bottom[2] or GONE in (top, bottom):
            raise CannotTell("a logarithm stands in a logarithm")
        power = top[1] - bottom[1]
        above = {PLAIN: build.fn("log2", build.div(over, under))}
        if power:
            above[LOGARITHM] = build.num(power)
        if len(inner.above) > 1 or len(inner.below) > 1:
            above[VANISHING] = self._new(FREE)
        return Growth(above, {PLAIN: build.num(1)})

    def _rounded(self, function: str, inner: Growth) -> Growth:
        """Round what grows: it is off by less than one; what has a limit is a whole number."""
        towards = self.tends(inner)
        build = self.build
        if isinstance(towards, g.Inf):
            off = self._constant(self._new(UNIT))
            off = off if function == "ceil" else self._scaled(off, build.num(-1))
            return self._total([inner, off])
        value = self.signing.number(towards)
        if not isinstance(value, Fraction) or self._is_loose(towards):
            raise CannotTell("how a number is rounded hangs on the values of other names")
        above = self.sign(self._difference(inner, self._constant(towards)))
        if value.denominator == 1:
            step = {("ceil", 1): 1, ("floor", -1): -1}.get((function, above), 0)
            return self._constant(build.num(value + step))
        return self._constant(build.fn(function, towards))


def _alike(a: Mapping[Scale, g.Node], b: Mapping[Scale, g.Node]) -> bool:
    return a.keys() == b.keys() and all(a[at] is b[at] for at in a)
