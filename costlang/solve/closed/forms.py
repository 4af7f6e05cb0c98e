"""The unknown alone on one side: the closed form of an equation without choices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from costlang.formula import graph as g
from costlang.solve.closed.regimes import holds_unknown

MOST_DEGREE = 12


class NoClosedForm(ArithmeticError):
    """The unknown cannot be brought alone on one side."""


@dataclass(frozen=True, eq=False)
class Collected:
    """Coefficients of a polynomial in the unknown, from the constant on, over *below*."""

    above: tuple[g.Node, ...]
    below: tuple[g.Node, ...]


@dataclass(frozen=True, eq=False)
class Form:
    """One closed form, with what was collected on the way: the coefficients of the *unknown*."""

    formula: g.Node
    unknown: g.Node
    coefficients: tuple[g.Node, ...]


Tidy = Callable[[tuple[g.Node, ...]], tuple[g.Node, ...]]
"""Returns coefficients that are simpler, all multiplied by one number that is not 0."""


def closed_forms(
    build: g.Builder, left: g.Node, right: g.Node, unknown: g.Sym, tidy: Tidy
) -> Iterator[Form]:
    """
    Yield what the unknown may be in `left == right`, in closed form.

    Each is a solution where it has a value and the equation has as many; which of them is which
    root, a number tells. Where the unknown stands in a root, a logarithm or an exponential, that
    is solved for first.
    """
    yield from _Solving(build, unknown, tidy).forms(left, right)


class _Solving:
    def __init__(self, build: g.Builder, unknown: g.Sym, tidy: Tidy) -> None:
        self.build, self.unknown, self.tidy = build, unknown, tidy

    def forms(self, left: g.Node, right: g.Node) -> Iterator[Form]:
        holding = holds_unknown(left, self.unknown) | holds_unknown(right, self.unknown)
        for piece in self._pieces(left, right, holding):
            try:
                coefficients = self.tidy(self.equation(left, right, piece, holding))
            except NoClosedForm:
                continue
            for value in roots(self.build, coefficients):
                yield from self._undone(piece, value, coefficients)
            return

    def _pieces(self, left: g.Node, right: g.Node, holding: set[g.Node]) -> Iterator[g.Node]:
        """Yield what may stand for the unknown: itself, then what is curved around it."""
        yield self.unknown
        for side in (left, right):
            yield from (at for at in g.walk(side) if at in holding and _curved(at))

    def equation(
        self, left: g.Node, right: g.Node, piece: g.Node, holding: set[g.Node]
    ) -> tuple[g.Node, ...]:
        """Return the coefficients of *piece* in the numerator of `left - right`."""
        gather = _Gathering(self.build, piece, holding)
        a, b = gather.read(left), gather.read(right)
        first, second = a.above, b.above
        if a.below != b.below:
            first, second = gather.times(a.above, b.below), gather.times(b.above, a.below)
        return gather.plus(first, gather.negative(second))

    def _undone(
        self, piece: g.Node, value: g.Node, coefficients: tuple[g.Node, ...]
    ) -> Iterator[Form]:
        if piece is self.unknown:
            yield Form(value, piece, coefficients)
            return
        inner, worth = undone(self.build, piece, value, self.unknown)
        yield from self.forms(inner, worth)


def _curved(node: g.Node) -> bool:
    match node:
        case g.Fn(function="log2" | "exp" | "sqrt"):
            return True
        case g.Pow(exponent=g.Num(value=value)):
            return value.denominator != 1
        case g.Pow():
            return True
        case _:
            return False


def undone(build: g.Builder, piece: g.Node, value: g.Node, unknown: g.Sym) -> tuple[g.Node, g.Node]:
    """Return the argument of a curved *piece*, and what it is where the piece is *value*."""
    match piece:
        case g.Fn(function="log2", argument=argument):
            return argument, build.pow(build.num(2), value)
        case g.Fn(function="exp", argument=argument):
            e = build.fn("exp", build.num(1))
            return argument, build.div(build.fn("log2", value), build.fn("log2", e))
        case g.Fn(function="sqrt", argument=argument):
            return argument, build.pow(value, build.num(2))
        case g.Pow(base=base, exponent=g.Num(value=power)):
            return base, build.pow(value, build.num(1 / power))
        case g.Pow(base=base, exponent=exponent) if unknown not in holds_unknown(base, unknown):
            return exponent, build.div(build.fn("log2", value), build.fn("log2", base))
        case _:
            raise NoClosedForm


# ---- the coefficients


def _powers(piece: g.Node, holding: set[g.Node]) -> dict[g.Node, int]:
    """Return which power of *piece* other pieces are: `x` is the square of `sqrt(x)`."""
    found = {piece: 1}
    base, part = _root_of(piece)
    if base is None or part.numerator != 1:
        return found
    for node in holding:
        own, power = _root_of(node)
        own, power = (node, Fraction(1)) if node is base else (own, power)
        if own is base and (power / part).denominator == 1:
            found[node] = int(power / part)
    return found


def _root_of(node: g.Node) -> tuple[g.Node | None, Fraction]:
    match node:
        case g.Fn(function="sqrt", argument=argument):
            return argument, Fraction(1, 2)
        case g.Pow(base=base, exponent=g.Num(value=value)) if value.denominator != 1 and value > 0:
            return base, value
        case _:
            return None, Fraction(0)


class _Gathering:
    """Reads formulas as quotients of polynomials in one *piece*."""

    def __init__(self, build: g.Builder, piece: g.Node, holding: set[g.Node]) -> None:
        self.build, self.piece, self.holding = build, piece, holding
        self.one = (build.num(1),)
        self.powers = _powers(piece, holding)
        self._memo: dict[g.Node, Collected] = {}

    def read(self, node: g.Node) -> Collected:
        """Return *node* as a quotient; raises `NoClosedForm`."""
        stack = [(node, False)]
        while stack:
            at, done = stack.pop()
            if at in self._memo:
                continue
            if done or at in self.powers or at not in self.holding:
                self._memo[at] = self._read(at)
            else:
                stack.append((at, True))
                inner = (at.base,) if isinstance(at, g.Pow) else at.children
                stack.extend((child, False) for child in inner)
        return self._memo[node]

    def _read(self, node: g.Node) -> Collected:
        if node in self.powers:
            zero, one = self.build.num(0), self.build.num(1)
            return Collected((*[zero] * self.powers[node], one), self.one)
        if node not in self.holding:
            return Collected((node,), self.one)
        match node:
            case g.Def(body=body) | g.Part(body=body):
                return self._memo[body]
            case g.Neg(operand=operand):
                inner = self._memo[operand]
                return Collected(self.negative(inner.above), inner.below)
            case g.Add() | g.Mul():
                return self._folded(node)
            case g.Div(above=above, below=below):
                return self._over(self._memo[above], self._memo[below])
            case g.Pow(base=base, exponent=g.Num(value=value)) if _small(value):
                return self._power(self._memo[base], int(value))
            case _:
                raise NoClosedForm

    def _folded(self, node: g.Node) -> Collected:
        combine = self._sum if isinstance(node, g.Add) else self._product
        parts = [self._memo[child] for child in node.children]
        if isinstance(node, g.Add):
            parts = self._alike(parts)
        total = parts[0]
        for part in parts[1:]:
            total = combine(total, part)
        return total

    def _alike(self, parts: list[Collected]) -> list[Collected]:
        """Add up at once what has nothing below, so that a long sum stays one sum."""
        whole = [part.above for part in parts if part.below == self.one]
        if not whole:
            return parts
        rest = [part for part in parts if part.below != self.one]
        return [Collected(self.plus(*whole), self.one), *rest]

    def _sum(self, a: Collected, b: Collected) -> Collected:
        if a.below == b.below:
            return Collected(self.plus(a.above, b.above), a.below)
        above = self.plus(self.times(a.above, b.below), self.times(b.above, a.below))
        return Collected(above, self.times(a.below, b.below))

    def _product(self, a: Collected, b: Collected) -> Collected:
        return Collected(self.times(a.above, b.above), self.times(a.below, b.below))

    def _over(self, a: Collected, b: Collected) -> Collected:
        if b.below == self.one and len(b.above) == 1 and a.below == self.one:
            divisor = b.above[0]
            return Collected(tuple(self.build.div(c, divisor) for c in a.above), self.one)
        return Collected(self.times(a.above, b.below), self.times(a.below, b.above))

    def _power(self, base: Collected, n: int) -> Collected:
        if n < 0:
            base, n = Collected(base.below, base.above), -n
        total = base
        for _ in range(n - 1):
            total = self._product(total, base)
        return total

    # ---- polynomials

    def plus(self, *polynomials: tuple[g.Node, ...]) -> tuple[g.Node, ...]:
        """Return the sum of polynomials."""
        longest = max(map(len, polynomials))
        total = [
            self.build.add(*(p[at] for p in polynomials if at < len(p))) for at in range(longest)
        ]
        return self._short(total)

    def negative(self, polynomial: tuple[g.Node, ...]) -> tuple[g.Node, ...]:
        """Return the negative of a polynomial."""
        return tuple(self.build.neg(c) for c in polynomial)

    def times(self, a: tuple[g.Node, ...], b: tuple[g.Node, ...]) -> tuple[g.Node, ...]:
        """Return the product of polynomials; raises `NoClosedForm` for a long one."""
        if len(a) + len(b) > MOST_DEGREE + 2:
            raise NoClosedForm
        terms: list[list[g.Node]] = [[] for _ in range(len(a) + len(b) - 1)]
        for i, x in enumerate(a):
            for j, y in enumerate(b):
                if not g.is_zero(x) and not g.is_zero(y):
                    terms[i + j].append(self.build.mul(x, y))
        made = [self.build.add(*each) if each else self.build.num(0) for each in terms]
        return self._short(made)

    def _short(self, polynomial: list[g.Node]) -> tuple[g.Node, ...]:
        while len(polynomial) > 1 and g.is_zero(polynomial[-1]):
            polynomial.pop()
        return tuple(polynomial)


def gathered(
    build: g.Builder, left: g.Node, right: g.Node, unknown: g.Sym
) -> tuple[tuple[g.Node, ...], tuple[g.Node, ...]]:
    """Return `left - right` as a quotient of polynomials; raises `NoClosedForm`."""
    holding = holds_unknown(left, unknown) | holds_unknown(right, unknown)
    gather = _Gathering(build, unknown, holding)
    a, b = gather.read(left), gather.read(right)
    if a.below == b.below:
        return gather.plus(a.above, gather.negative(b.above)), a.below
    first, second = gather.times(a.above, b.below), gather.times(b.above, a.below)
    return gather.plus(first, gather.negative(second)), gather.times(a.below, b.below)


def _small(value: Fraction) -> bool:
    return value.denominator == 1 and 0 < abs(value) <= MOST_DEGREE


# ---- roots of a polynomial whose coefficients are formulas


def roots(build: g.Builder, coefficients: tuple[g.Node, ...]) -> Iterator[g.Node]:
    """Yield the roots in closed form: of degree 1 and 2, and of `a x^n + c`."""
    while len(coefficients) > 1 and g.is_zero(coefficients[0]):
        yield build.num(0)
        coefficients = coefficients[1:]
    degree = len(coefficients) - 1
    if degree == 1:
        yield _quotient(build, coefficients[0], coefficients[1])
    elif degree == 2 and not g.is_zero(coefficients[1]):
        yield from _quadratic(build, *coefficients)
    elif degree > 1 and all(g.is_zero(c) for c in coefficients[1:-1]):
        yield from _binomial(build, coefficients[0], coefficients[-1], degree)
    elif degree > 0:
        raise NoClosedForm


def _quotient(build: g.Builder, constant: g.Node, slope: g.Node) -> g.Node:
    """Return `-constant / slope`, with no sign more than is needed."""
    if isinstance(slope, g.Neg) or (isinstance(slope, g.Num) and slope.value < 0):
        return build.div(constant, build.neg(slope))
    return build.div(opposite(build, constant), slope)


def opposite(build: g.Builder, node: g.Node) -> g.Node:
    """Return `-node`, the signs of a sum changed one by one."""
    if isinstance(node, g.Add):
        return build.add(*(build.neg(term) for term in node.terms))
    return build.neg(node)


def _quadratic(build: g.Builder, c0: g.Node, b: g.Node, a: g.Node) -> Iterator[g.Node]:
    """
    Yield the roots of `a x^2 + b x = c`, each as it is without cancellation for one sign of `b`.

    For the positive root with all three positive this is `2 c / (b + sqrt(b^2 + 4 a c))`.
    """
    c = opposite(build, c0)
    two = build.num(2)
    square = build.pow(b.operand if isinstance(b, g.Neg) else b, two)
    if isinstance(c, g.Neg):
        inside = build.sub(square, build.mul(build.num(4), a, c.operand))
    else:
        inside = build.add(square, build.mul(build.num(4), a, c))
    root = build.fn("sqrt", inside)
    twice = build.mul(two, a)
    yield _ratio(build, build.mul(two, c), build.add(b, root))
    yield build.neg(build.div(build.add(b, root), twice))
    yield build.div(build.add(opposite(build, b), root), twice)
    yield _ratio(build, build.mul(two, opposite(build, c)), build.add(opposite(build, b), root))


def _ratio(build: g.Builder, above: g.Node, below: g.Node) -> g.Node:
    """Return a quotient, the sign of what is above in front."""
    if isinstance(above, g.Mul) and isinstance(above.factors[-1], g.Neg):
        bare_ = build.mul(*above.factors[:-1], above.factors[-1].operand)
        return build.neg(build.div(bare_, below))
    return build.div(above, below)


def _binomial(build: g.Builder, constant: g.Node, slope: g.Node, degree: int) -> Iterator[g.Node]:
    quotient = _quotient(build, constant, slope)
    root: Callable[[g.Node], g.Node] = lambda node: (  # noqa: E731
        build.fn("sqrt", node) if degree == 2 else build.pow(node, build.num(Fraction(1, degree)))
    )
    yield root(quotient)
    if degree % 2:
        yield build.neg(root(build.neg(quotient)))
    else:
        yield build.neg(root(quotient))
