"""Formulas multiplied out over their names, reduced, and written as formulas again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from costlang.formula import graph as g
from costlang.units import NONE, Dimension

MOST_TERMS = 1_500
MOST_FACTORED = 60
"""A polynomial of more terms is not factored."""

Atom = g.Node | str
"""A piece that is not opened, or the name of a base unit, which numbers carry with them."""
Stop = Callable[[g.Node], bool]
"""Whether a node is taken as it is, as one piece."""


class TooLong(ArithmeticError):
    """Multiplied out, a formula has more terms than are handled."""


@dataclass(frozen=True, eq=False)
class Reduced:
    """The quotient of two polynomials over the atoms of a `Ring`, without common factors."""

    above: fmpq_mpoly
    below: fmpq_mpoly


class Ring:
    """Quotients of polynomials over *atoms*: the pieces of *nodes* that *stop* does not open."""

    def __init__(self, nodes: Iterable[g.Node], stop: Stop) -> None:
        self.stop = stop
        self.atoms = list(_atoms(nodes, stop))
        names = [f"a{at}" for at in range(max(1, len(self.atoms)))]
        self.ctx = fmpq_mpoly_ctx.get(names, Ordering.lex)
        self.one = self.ctx.constant(1)
        gens = self.ctx.gens()
        self._at = {atom: gens[at] for at, atom in enumerate(self.atoms)}
        self._memo: dict[g.Node, Reduced] = {}

    # ---- in

    def read(self, node: g.Node) -> Reduced:
        """Return *node* as a quotient; raises `TooLong`."""
        for at in _opened(node, self.stop):
            if at not in self._memo:
                self._memo[at] = self._read(at)
        return self._memo[node]

    def _read(self, node: g.Node) -> Reduced:
        if is_atom(node, self.stop):
            return Reduced(self._at[node], self.one)
        below = [self._memo[child] for child in node.children if child in self._memo]
        match node:
            case g.Num(value=value, dimension=dimension):
                return self.number(value, dimension)
            case g.Def() | g.Part():
                return below[0]
            case g.Neg():
                return Reduced(-below[0].above, below[0].below)
            case g.Add():
                return self._folded(self.plus, below)
            case g.Mul():
                return self._folded(self.times, below)
            case g.Div():
                return self.over(below[0], below[1])
            case g.Pow(exponent=g.Num(value=value)):
                return self.raised(self._memo[node.base], int(value))
            case _:
                raise AssertionError(f"{type(node).__name__} is an atom")

    def number(self, value: Fraction, dimension: Dimension) -> Reduced:
        """Return a literal, with its units."""
        above = self.one * fmpq(value.numerator, value.denominator)
        below = self.one
        for name, power in dimension.exponents:
            if power > 0:
                above *= self._at[name] ** power
            else:
                below *= self._at[name] ** -power
        return Reduced(above, below)

    def _folded(
        self, combine: Callable[[Reduced, Reduced], Reduced], parts: list[Reduced]
    ) -> Reduced:
        total = parts[0]
        for part in parts[1:]:
            total = combine(total, part)
        return total

    # ---- arithmetic

    def reduced(self, above: fmpq_mpoly, below: fmpq_mpoly) -> Reduced:
        """Return a quotient without common factors."""
        if len(above) + len(below) > MOST_TERMS:
            raise TooLong
        if above.is_zero():
            return Reduced(above, self.one)
        if len(below) == 1 and below.is_constant():
            return Reduced(above / below.leading_coefficient(), self.one)
        common = above.gcd(below)
        return Reduced(above / common, below / common)

    def plus(self, a: Reduced, b: Reduced) -> Reduced:
        """Return `a + b`."""
        if a.below == b.below:
            return self.reduced(a.above + b.above, a.below)
        common = a.below.gcd(b.below)
        left, right = b.below / common, a.below / common
        return self.reduced(a.above * left + b.above * right, a.below * left)

    def times(self, a: Reduced, b: Reduced) -> Reduced:
        """Return `a * b`."""
        if len(a.above) * len(b.above) > 4 * MOST_TERMS:
            raise TooLong
        return self.reduced(a.above * b.above, a.below * b.below)

    def over(self, a: Reduced, b: Reduced) -> Reduced:
        """Return `a / b`; raises `ZeroDivisionError`."""
        if b.above.is_zero():
            raise ZeroDivisionError
        return self.times(a, Reduced(b.below, b.above))

    def raised(self, a: Reduced, power: int) -> Reduced:
        """Return a whole power."""
        if power < 0:
            a, power = Reduced(a.below, a.above), -power
        if len(a.above) > 1 and len(a.above) ** min(power, 8) > MOST_TERMS:
            raise TooLong
        return Reduced(a.above**power, a.below**power)

    # ---- out

    def write(self, build: g.Builder, quotient: Reduced) -> g.Node:
        """Return a quotient as a formula, its factors apart where they are few."""
        units: dict[str, int] = {}
        scale = Fraction(1)
        sides: list[list[g.Node]] = []
        for polynomial, side in ((quotient.above, 1), (quotient.below, -1)):
            number, factors = self._factors(polynomial)
            scale *= number**side
            sides.append(self._product(build, factors, units, side))
        top, bottom = sides
        if scale < 0 and (_flip(build, top) or _flip(build, bottom)):
            scale = -scale
        made = self._fraction(build, abs(scale), Dimension(tuple(units.items())), top, bottom)
        return made if scale >= 0 else build.neg(made)

    def _fraction(
        self,
        build: g.Builder,
        scale: Fraction,
        units: Dimension,
        top: list[g.Node],
        bottom: list[g.Node],
    ) -> g.Node:
        """Put the numbers in front; their units go below where only a number below is written."""
        over = scale.numerator == 1 and scale.denominator != 1
        lead = build.num(Fraction(scale.numerator), NONE if over else units)
        divisor = build.num(Fraction(scale.denominator), units**-1 if over else NONE)
        whole = build.mul(lead, *top)
        if scale.denominator == 1 and not bottom:
            return whole
        return build.div(whole, build.mul(divisor, *bottom))

    def _product(
        self,
        build: g.Builder,
        factors: list[tuple[fmpq_mpoly, int]],
        units: dict[str, int],
        side: int,
    ) -> list[g.Node]:
        """Return factors as formulas; units that stand alone go into *units*."""
        found: list[g.Node] = []
        for factor, power in factors:
            if len(factor) == 1:
                found.extend(self._monomial(build, factor, power, units, side))
            else:
                found.append(build.pow(self._sum(build, factor), build.num(power)))
        return found

    def _factors(self, polynomial: fmpq_mpoly) -> tuple[Fraction, list[tuple[fmpq_mpoly, int]]]:
        """Return a number, and factors of whole coefficients: names first, then sums."""
        if len(polynomial) > MOST_FACTORED:
            content = _content(polynomial)
            common = polynomial.term_content()
            common = common / common.leading_coefficient()
            rest = polynomial / common / fmpq(content.numerator, content.denominator)
            return content, [(common, 1), (rest, 1)]
        constant, factors = polynomial.factor()
        number = Fraction(int(constant.p), int(constant.q))
        found: list[tuple[fmpq_mpoly, int]] = []
        for factor, power in sorted(factors, key=_rank):
            content = _content(factor)
            number *= content ** int(power)
            found.append((factor / fmpq(content.numerator, content.denominator), int(power)))
        return number, found

    def _monomial(
        self, build: g.Builder, term: fmpq_mpoly, power: int, units: dict[str, int], side: int
    ) -> list[g.Node]:
        ((exponents, coefficient),) = term.terms()
        found: list[g.Node] = []
        value = Fraction(int(coefficient.p), int(coefficient.q)) ** power
        if value != 1:
            found.append(build.num(value))
        for atom, exponent in zip(self.atoms, exponents, strict=False):
            if exponent and isinstance(atom, str):
                units[atom] = units.get(atom, 0) + side * int(exponent) * power
            elif exponent and isinstance(atom, g.Node):
                found.append(build.pow(atom, build.num(int(exponent) * power)))
        return found

    def _sum(self, build: g.Builder, polynomial: fmpq_mpoly) -> g.Node:
        terms: list[g.Node] = []
        for exponents, coefficient in polynomial.terms():
            units: dict[str, int] = {}
            term = self.ctx.from_dict({exponents: fmpq(1)})
            factors = self._monomial(build, term, 1, units, 1)
            value = Fraction(int(coefficient.p), int(coefficient.q))
            number = build.num(abs(value), Dimension(tuple(units.items())))
            made = build.mul(number, *factors)
            terms.append(made if value > 0 else build.neg(made))
        return build.add(*_positive_first(terms))


def _rank(pair: tuple[fmpq_mpoly, int]) -> tuple[bool, list[int]]:
    """Put names before sums, in the author's order."""
    factor, _ = pair
    return len(factor) > 1, [-int(exponent) for exponent in factor.monoms()[0]]


def _flip(build: g.Builder, factors: list[g.Node]) -> bool:
    """Change the sign of a sum among *factors* in which something is taken away, if there is."""
    for at, factor in enumerate(factors):
        if isinstance(factor, g.Add) and any(map(_taken, factor.terms)):
            factors[at] = build.add(*_positive_first([build.neg(t) for t in factor.terms]))
            return True
    return False


def _positive_first(terms: list[g.Node]) -> list[g.Node]:
    return sorted(terms, key=_taken) if _taken(terms[0]) else terms


def _taken(term: g.Node) -> bool:
    """Whether a term is taken away."""
    return isinstance(term, g.Neg) or (isinstance(term, g.Num) and term.value < 0)


def _content(polynomial: fmpq_mpoly) -> Fraction:
    """Return the number to divide by for whole coefficients without a common divisor."""
    values = [Fraction(int(c.p), int(c.q)) for c in polynomial.coeffs()]
    above = gcd(*(value.numerator for value in values))
    below = lcm(*(value.denominator for value in values))
    sign = -1 if values and all(value < 0 for value in values) else 1
    return sign * Fraction(above or 1, below)


# ---- what is not opened


def is_atom(node: g.Node, stop: Stop) -> bool:
    """Whether a node is one piece, for its kind or because *stop* says so."""
    match node:
        case g.Num() | g.Add() | g.Mul() | g.Neg() | g.Div():
            return False
        case g.Def() | g.Part():
            return stop(node)
        case g.Pow(exponent=g.Num(value=value)):
            return value.denominator != 1 or abs(value) > 64
        case _:
            return True


def _opened(node: g.Node, stop: Stop) -> Iterable[g.Node]:
    """Yield the nodes down to the atoms, those below before those above."""
    seen: set[g.Node] = set()
    stack = [(node, False)]
    while stack:
        at, done = stack.pop()
        if done:
            yield at
        elif at not in seen:
            seen.add(at)
            stack.append((at, True))
            if not is_atom(at, stop):
                inner = [at.base] if isinstance(at, g.Pow) else at.children
                stack.extend((child, False) for child in reversed(inner))


def _atoms(nodes: Iterable[g.Node], stop: Stop) -> dict[Atom, None]:
    found: dict[Atom, None] = {}
    units: dict[Atom, None] = {}
    for node in nodes:
        for at in _opened(node, stop):
            if isinstance(at, g.Num):
                units.update({name: None for name, _ in at.dimension.exponents})
            elif is_atom(at, stop):
                found[at] = None
    return {**found, **units}
