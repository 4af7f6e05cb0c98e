"""Boxes put together, with brackets where without them something else would be read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from costlang.emit.math import boxes as b

CHOICE, OR, AND, NOT, RELATION, SUM, SIGN, MINUS, PRODUCT, QUANTITY, POWER, ATOM = range(12)
"""How tightly a box holds together, from the loosest up."""

ONE = b.Number("1")

_STRENGTH: dict[type[b.Box], int] = {
    b.Cases: CHOICE,
    b.Denied: NOT,
    b.Relation: RELATION,
    b.Sum: SUM,
    b.SumSign: SIGN,
    b.Minus: MINUS,
    b.Product: PRODUCT,
    b.Slash: PRODUCT,
    b.Frac: QUANTITY,
    b.Quantity: QUANTITY,
    b.Power: POWER,
}


@dataclass(frozen=True)
class Host:
    """
    What a host can draw.

    *stacked*: bars, raised exponents and braces, which need no brackets; *signs*: a sigma before
    what is summed, and functions that a power after them would blur.
    """

    stacked: bool
    signs: bool


def strength(box: b.Box) -> int:
    """Return how tightly *box* holds together."""
    match box:
        case b.Joined(word="or"):
            return OR
        case b.Joined():
            return AND
        case b.Number(power=power) if power:
            return PRODUCT
        case _:
            return _STRENGTH.get(type(box), ATOM)


def held(box: b.Box, least: int) -> b.Box:
    """Return *box*, in brackets where it holds together less than *least*."""
    return box if strength(box) >= least else b.Paren(box)


def minus(box: b.Box) -> b.Box:
    """Return the negative of *box*; two signs cancel."""
    return box.inner if isinstance(box, b.Minus) else b.Minus(box)


def signed(box: b.Box) -> tuple[bool, b.Box]:
    """Return whether a minus stands before *box*, and what it stands before."""
    return (True, box.inner) if isinstance(box, b.Minus) else (False, box)


@dataclass(frozen=True)
class Composer:
    """Puts boxes together for one host."""

    host: Host

    def total(self, boxes: Iterable[b.Box]) -> b.Box:
        """Return the sum of *boxes*, in their order; sums among them are joined in."""
        terms: list[tuple[bool, b.Box]] = []
        for box in boxes:
            negative, bare = signed(box)
            if isinstance(bare, b.Sum) and not negative:
                terms.extend(bare.terms)
            else:
                terms.append((negative, bare))
        last = len(terms) - 1
        return b.Sum(tuple((n, self._term(t, at == last)) for at, (n, t) in enumerate(terms)))

    def _term(self, box: b.Box, last: bool) -> b.Box:
        if isinstance(box, b.SumSign):
            return box if last or not self.host.signs else b.Paren(box)
        return held(box, PRODUCT)

    def negative(self, box: b.Box) -> b.Box:
        """Return `-box`."""
        return minus(box) if isinstance(box, b.Minus) else b.Minus(self._factor(box))

    def product(self, boxes: Iterable[b.Box]) -> b.Box:
        """Return the product of *boxes*, in their order, with one sign before the whole."""
        negative, factors = False, list[b.Box]()
        for box in boxes:
            flips, bare = signed(box)
            negative ^= flips
            inner = bare.factors if isinstance(bare, b.Product) else (bare,)
            factors.extend(factor for factor in inner if not (flips and factor == ONE))
        whole = self._side_by_side(factors)
        return b.Minus(whole) if negative else whole

    def _side_by_side(self, factors: list[b.Box]) -> b.Box:
        if len(factors) < 2:
            return self._factor(factors[0]) if factors else ONE
        return b.Product(tuple(self._factor(factor) for factor in factors))

    def _factor(self, box: b.Box) -> b.Box:
        if isinstance(box, b.SumSign) and not self.host.signs:
            return box
        return held(box, PRODUCT)

    def over(self, above: b.Box, below: b.Box) -> b.Box:
        """Return `above / below`, with one sign before the whole."""
        (first, above), (second, below) = signed(above), signed(below)
        whole = self._bar(above, below) if self.host.stacked else self._slash(above, below)
        return b.Minus(whole) if first != second else whole

    def _bar(self, above: b.Box, below: b.Box) -> b.Box:
        """Return the fraction; one in the numerator is joined in: two bars are hard to read."""
        factors = above.factors if isinstance(above, b.Product) else (above,)
        if not any(isinstance(factor, b.Frac) for factor in factors):
            return b.Frac(above, below)
        upper = [factor.above if isinstance(factor, b.Frac) else factor for factor in factors]
        lower = [factor.below for factor in factors if isinstance(factor, b.Frac)]
        kept = [factor for factor in upper if factor != ONE]
        return b.Frac(self.product(kept), self.product([*lower, below]))

    def _slash(self, above: b.Box, below: b.Box) -> b.Box:
        plain = isinstance(below, b.Quantity) and not set("/*") & set(below.unit)
        return b.Slash(self._factor(above), below if plain else self._tight(below, POWER))

    def _tight(self, box: b.Box, least: int) -> b.Box:
        if isinstance(box, b.SumSign) and not self.host.signs:
            return box
        return held(box, least)

    def power(self, base: b.Box, exponent: b.Box) -> b.Box:
        """Return `base ^ exponent`."""
        blurred = self.host.signs and isinstance(base, b.Call)
        base = b.Paren(base) if blurred else self._tight(base, ATOM)
        return b.Power(base, exponent if self.host.stacked else self._raised(exponent))

    def _raised(self, exponent: b.Box) -> b.Box:
        negative, bare = signed(exponent)
        bare = self._tight(bare, ATOM)
        return b.Minus(bare) if negative else bare

    def choice(self, condition: b.Box, yes: b.Box, no: b.Box) -> b.Box:
        """Return one of two by *condition*; choices in the second are further rows of this one."""
        row = (held(yes, OR), condition)
        if isinstance(no, b.Cases):
            return b.Cases((row, *no.rows), no.otherwise)
        return b.Cases((row,), no)

    def summed(self, index: b.Symbol, low: b.Box, high: b.Box, body: b.Box) -> b.Box:
        """Return the sum of *body* for *index* from *low* to *high*."""
        if not self.host.signs:
            return b.SumSign(index, held(low, SUM), held(high, SUM), body)
        return b.SumSign(index, low, high, body if _follows_sign(body) else b.Paren(body))

    def relation(self, operator: str, left: b.Box, right: b.Box) -> b.Box:
        """Return a comparison of two numbers."""
        return b.Relation(operator, held(left, SUM), held(right, SUM))

    def joined(self, word: str, parts: Iterable[b.Box]) -> b.Box:
        """Return truths joined by *word*."""
        least = AND if word == "or" else NOT
        return b.Joined(word, tuple(held(part, least) for part in parts))

    def denied(self, part: b.Box) -> b.Box:
        """Return `not part`."""
        return b.Denied(held(part, ATOM))


def _follows_sign(body: b.Box) -> bool:
    return isinstance(body, b.SumSign) or strength(body) >= PRODUCT
