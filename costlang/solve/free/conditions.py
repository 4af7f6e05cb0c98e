"""Conditions in short: without factors of one sign, and what is taken away moved over."""

from __future__ import annotations

from flint import fmpq_mpoly

from costlang.formula import graph as g
from costlang.solve.closed.tidying import Stop, named, opened
from costlang.solve.free.positive import Signing
from costlang.solve.ground.algebra import Reduced, Ring, TooLong


def above_zero(build: g.Builder, signing: Signing, node: g.Node, word: str) -> g.Node | bool:
    """
    Return the condition that *node* is `>`, `>=` or `==` 0, as short as it gets.

    True or False where the bounds of the names decide it.
    """
    decided = _decided(signing.signs(node), word)
    if decided is not None:
        return decided
    best: g.Node | bool | None = None
    has_names = any(isinstance(at, g.Def) for at in g.walk(node))
    for stop in (named, opened) if has_names else (opened,):
        made = _short(build, signing, node, word, stop)
        if isinstance(made, bool):
            return made
        if made is not None and (best is None or _size(made) < _size(best)):
            best = made
    return best if best is not None else build.cmp(word, node, build.num(0))


def _decided(signs: frozenset[int], word: str) -> bool | None:
    truths = {_COMPARE[word](sign) for sign in signs}
    return truths.pop() if len(truths) == 1 else None


_COMPARE = {">": lambda s: s > 0, ">=": lambda s: s >= 0, "==": lambda s: s == 0}


def _size(node: g.Node | bool) -> int:
    return sum(1 for _ in g.walk(node)) if isinstance(node, g.Node) else 0


def _short(
    build: g.Builder, signing: Signing, node: g.Node, word: str, stop: Stop
) -> g.Node | bool | None:
    try:
        ring = Ring([node], stop)
        quotient = ring.read(node)
        polynomial = quotient.above * quotient.below
    except (TooLong, ZeroDivisionError):
        return None
    if polynomial.is_zero():
        return word != ">"
    kept = _without_sure_factors(signing, ring, polynomial)
    return _apart(build, ring, kept, word)


def _without_sure_factors(signing: Signing, ring: Ring, polynomial: fmpq_mpoly) -> fmpq_mpoly:
    """Leave out the factors whose sign is known, and turn the rest over when it is negative."""
    if len(polynomial) > 400:
        return polynomial
    constant, factors = polynomial.factor()
    sign = 1 if constant > 0 else -1
    kept = ring.one
    for factor, power in factors:
        known = signing.sign_in(ring, factor)
        if known in (1, -1):
            sign *= known if int(power) % 2 else 1
        else:
            kept = kept * factor ** (1 if int(power) % 2 else 2)
    return kept if sign > 0 else -kept


def _apart(build: g.Builder, ring: Ring, polynomial: fmpq_mpoly, word: str) -> g.Node | bool:
    """Return what is added on the left side, what is taken away on the right."""
    added, taken = ring.one * 0, ring.one * 0
    for exponents, coefficient in polynomial.terms():
        term = ring.ctx.from_dict({exponents: coefficient})
        if coefficient > 0:
            added = added + term
        else:
            taken = taken - term
    left, right = (taken, added) if word == "==" and added.is_zero() else (added, taken)
    if not left.is_zero() and not right.is_zero():
        common = left.gcd(right)
        if len(common) == 1:
            units = common / common.leading_coefficient()
            left, right = _over(left, right, units, ring)
    sides = (ring.write(build, Reduced(side, ring.one)) for side in (left, right))
    return build.cmp(word, *sides)


def _over(
    left: fmpq_mpoly, right: fmpq_mpoly, common: fmpq_mpoly, ring: Ring
) -> tuple[fmpq_mpoly, fmpq_mpoly]:
    """Divide both sides by the units that they share; names may be negative and stay."""
    ((exponents, _),) = common.terms()
    units = tuple(
        int(e) if at < len(ring.atoms) and isinstance(ring.atoms[at], str) else 0
        for at, e in enumerate(exponents)
    )
    shared = ring.ctx.from_dict({units: 1})
    return left / shared, right / shared


def negated(build: g.Builder, condition: g.Cmp) -> g.Node | bool:
    """Return the comparison that holds where *condition* does not."""
    word = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}[condition.operator]
    return build.cmp(word, condition.left, condition.right)
