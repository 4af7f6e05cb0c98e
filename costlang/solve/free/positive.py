"""Which signs a formula can have, from the declared bounds of its names alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from flint import fmpq, fmpq_mpoly

from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation
from costlang.model import exact
from costlang.solve.closed.tidying import opened
from costlang.solve.ground.algebra import Atom, Reduced, Ring, TooLong
from costlang.solve.ground.budget import Budget
from costlang.solve.ground.prepare import substituted
from costlang.solve.ground.program import Number, Values

Signs = frozenset[int]
ANY: Signs = frozenset({-1, 0, 1})
PLUS: Signs = frozenset({1})
NOT_MINUS: Signs = frozenset({0, 1})


@dataclass(frozen=True)
class Reach:
    """What a name can be: from *low* to *high*, None for endless; *strict* leaves *low* out."""

    low: Fraction | None = Fraction(0)
    high: Fraction | None = None
    strict: bool = True


Reaches = Mapping[g.Sym, Reach]
MOST_CORNERS = 64
QUERY = 40
"""What a question for a sign costs beside the terms that are looked at."""
FREE = Reach(None, None, False)
POSITIVE = Reach()


def declared(symbol: g.Sym) -> Reach:
    """Return what the domain of a parameter allows."""
    info = symbol.info
    if info.floor is None:
        return Reach(None, info.ceiling, False)
    return Reach(info.floor, info.ceiling, info.strict)


class Signing:
    """
    Tells signs where symbols are worth *values*, and others lie within *reaches*.

    A symbol that neither names has its declared bounds.
    """

    def __init__(
        self,
        build: g.Builder,
        reaches: Reaches,
        values: Values | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.build = build
        self.budget = budget or Budget()
        self.reaches = dict(reaches)
        self.values = dict(values or {})
        self._numbers: dict[g.Node, g.Node] = {
            symbol: _number(build, v) for symbol, v in self.values.items()
        }
        self._memo: dict[g.Node, Signs] = {}

    def number(self, node: g.Node) -> exact.Real | None:
        """Return the number that *node* is, None while it is open or has none."""
        if any(isinstance(at, (g.Sym, g.Idx)) and at not in self.values for at in g.walk(node)):
            return None
        try:
            return Evaluation(self.values).number(node)
        except ArithmeticError:
            return None

    def sign(self, node: g.Node) -> int | None:
        """Return the one sign that *node* has, None where it may have several."""
        found = self.signs(node)
        return next(iter(found)) if len(found) == 1 else None

    def sign_in(self, ring: Ring, polynomial: fmpq_mpoly) -> int | None:
        """Return the one sign of a polynomial of *ring*, None where it may have several."""
        if self._numbers:
            return self.sign(ring.write(self.build, Reduced(polynomial, ring.one)))
        self.budget.spend(QUERY + len(polynomial))
        found = self._polynomial(ring, polynomial)
        return next(iter(found)) if len(found) == 1 else None

    def signs(self, node: g.Node) -> Signs:
        """Return all signs that *node* may have; it may be too many of them, never too few."""
        if node not in self._memo:
            self._memo[node] = self._signs(node)
        return self._memo[node]

    def _signs(self, node: g.Node) -> Signs:
        value = self.number(node)
        if isinstance(value, (Fraction, exact.Interval)):
            low, high = exact.ends(value)
            return frozenset(s for s in (-1, 0, 1) if _may(s, low, high))
        try:
            if self._numbers:
                node = substituted(self.build, node, self._numbers)
            ring = Ring([node], opened)
            quotient = ring.read(node)
        except (TooLong, ZeroDivisionError):
            return ANY
        self.budget.spend(QUERY + len(quotient.above) + len(quotient.below))
        above = self._polynomial(ring, quotient.above)
        below = self._polynomial(ring, quotient.below)
        return frozenset(a * b for a in above for b in below - {0})

    def _polynomial(self, ring: Ring, polynomial: fmpq_mpoly) -> Signs:
        """Return the signs of a polynomial: each name is moved to its lower bound first."""
        reaches = [self._reach(atom) for atom in ring.atoms]
        first = _signs_from(_shifted(ring, polynomial, reaches), reaches)
        if len(first) == 1 or not any(_bounded(reach) for reach in reaches):
            return first
        return first & _signs_between(ring, polynomial, reaches)

    # ---- pieces

    def _reach(self, atom: Atom) -> Reach:
        if isinstance(atom, str):
            return POSITIVE
        if isinstance(atom, g.Sym):
            return self.reaches.get(atom, declared(atom))
        signs = self._piece(atom)
        if isinstance(atom, g.Fn) and atom.function == "ceil" and signs == PLUS:
            return Reach(Fraction(1), None, False)
        if signs <= NOT_MINUS:
            return Reach(Fraction(0), None, signs == PLUS)
        return FREE

    def _piece(self, atom: g.Node) -> Signs:
        match atom:
            case g.Fn(function=function, argument=argument):
                return self._function(function, argument)
            case g.Pow(base=base):
                return self.signs(base) - {-1} if self.signs(base) <= NOT_MINUS else NOT_MINUS
            case g.Max(sides=sides):
                found = [self.signs(side) for side in sides]
                return PLUS if PLUS in found else frozenset().union(*found)
            case g.Min(sides=sides):
                return frozenset().union(*(self.signs(side) for side in sides))
            case g.Cond(yes=yes, no=no):
                return self.signs(yes) | self.signs(no)
            case g.SumOver(body=body):
                return self.signs(body) | {0}
            case g.Idx() | g.Inf():
                return ANY
            case _:
                return ANY

    def _function(self, function: str, argument: g.Node) -> Signs:
        if function == "exp":
            return PLUS
        inner = self.signs(argument)
        if function in ("ceil", "sqrt"):
            return inner if inner <= NOT_MINUS else ANY if function == "ceil" else NOT_MINUS
        if function == "abs":
            return frozenset(abs(sign) for sign in inner)
        if function == "floor":
            return NOT_MINUS if inner <= NOT_MINUS else ANY
        return ANY


def _number(build: g.Builder, value: Number) -> g.Node:
    return build.num(value) if isinstance(value, Fraction) else build.inf(value.sign)


def _may(sign: int, low: exact.Bound, high: exact.Bound) -> bool:
    return low < 0 if sign < 0 else high > 0 if sign > 0 else low <= 0 <= high


def _bounded(reach: Reach) -> bool:
    return reach.low is not None and reach.high is not None


def _shifted(ring: Ring, polynomial: fmpq_mpoly, reaches: list[Reach]) -> fmpq_mpoly:
    """Return the polynomial in what each name is more than its lower bound."""
    gens = list(ring.ctx.gens())
    moved = [_plus(gen, reach.low) for gen, reach in zip(gens, reaches, strict=False)]
    moved += gens[len(moved) :]
    return polynomial.compose(*moved, ctx=ring.ctx)


def _plus(gen: fmpq_mpoly, low: Fraction | None) -> fmpq_mpoly:
    return gen + fmpq(low.numerator, low.denominator) if low else gen


def _signs_between(ring: Ring, polynomial: fmpq_mpoly, reaches: list[Reach]) -> Signs:
    """Return the signs of a polynomial, both ends of a name that has two being counted."""
    degrees = [int(degree) for degree in polynomial.degrees()]
    stretched = _stretched(ring, polynomial, reaches)
    found = _signs_from(stretched, reaches)
    if len(found - {0}) != 1:
        return found
    ends = [
        (*([] if reach.strict else [0]), degree) if _bounded(reach) else (None,)
        for reach, degree in zip(reaches, degrees, strict=False)
    ]
    if prod(map(len, ends)) > MOST_CORNERS:
        return found | {0}
    terms = [tuple(int(e) for e in exponents) for exponents, _ in stretched.terms()]
    sure = all(
        any(_never_zero(term, corner, reaches) for term in terms) for corner in product(*ends)
    )
    return found - {0} if sure else found | {0}


def _never_zero(
    exponents: tuple[int, ...], corner: tuple[int | None, ...], reaches: list[Reach]
) -> bool:
    """Whether a monomial is not zero where the names with two bounds are at a *corner*."""
    return all(
        exponent == end if end is not None else not exponent or _is_positive(reach)
        for exponent, end, reach in zip(exponents, corner, reaches, strict=False)
    )


def _stretched(ring: Ring, polynomial: fmpq_mpoly, reaches: list[Reach]) -> fmpq_mpoly:
    """
    Return the polynomial with `(low + high t) / (1 + t)` for each name that has both bounds.

    It is multiplied by powers of `1 + t`, which leaves the sign as it is for all `t >= 0`.
    """
    for at, reach in enumerate(reaches):
        if reach.low is None:
            continue
        if reach.high is None:
            gens = list(ring.ctx.gens())
            gens[at] = _plus(gens[at], reach.low)
            polynomial = polynomial.compose(*gens, ctx=ring.ctx)
        else:
            polynomial = _one_stretched(ring, polynomial, at, reach.low, reach.high)
    return polynomial


def _one_stretched(
    ring: Ring, polynomial: fmpq_mpoly, at: int, low: Fraction, high: Fraction
) -> fmpq_mpoly:
    t = ring.ctx.gens()[at]
    degree = int(polynomial.degrees()[at])
    inside = t * fmpq(high.numerator, high.denominator) + fmpq(low.numerator, low.denominator)
    total = ring.one * 0
    for exponents, coefficient in polynomial.terms():
        power = int(exponents[at])
        rest = list(exponents)
        rest[at] = 0
        term = ring.ctx.from_dict({tuple(rest): coefficient})
        total += term * inside**power * (t + 1) ** (degree - power)
    return total


def _signs_from(polynomial: fmpq_mpoly, reaches: list[Reach]) -> Signs:
    """Return the signs of a sum of monomials in what is never below zero."""
    if polynomial.is_zero():
        return frozenset({0})
    found: set[int] = set()
    sure = False
    for exponents, coefficient in polynomial.terms():
        if any(e % 2 and r.low is None for e, r in zip(exponents, reaches, strict=False)):
            return ANY
        found.add(1 if coefficient > 0 else -1)
        sure = sure or all(
            not e or _is_positive(r) for e, r in zip(exponents, reaches, strict=False)
        )
    if len(found) == 2:
        return ANY
    return frozenset(found if sure else found | {0})


def _is_positive(reach: Reach) -> bool:
    """Whether what a name is more than its lower bound is never zero."""
    return reach.low is not None and reach.strict
