"""What is known of formulas that the rules of sums and products do not see through."""

from __future__ import annotations

from fractions import Fraction

from costlang.formula import graph as g
from costlang.prove import laurent as l
from costlang.prove.atoms import Atoms


def is_distinct_in(atoms: Atoms, factors: tuple[g.Node, ...], symbol: g.Sym) -> bool:
    """
    Whether a product is `n (1 - (1 - k/n)^x)` in the name `n`, which never falls when `n` grows.

    With `q = k/n` it is `k (1 - (1 - q)^x) / q`: the slope of a chord from 0 of a function that is
    concave for `x >= 1`, and such slopes never rise with `q`.
    """
    rest = [factor for factor in factors if g.bare(factor) is not symbol]
    if len(rest) != len(factors) - 1 or len(rest) != 1:
        return False
    power = _power_below_one(g.bare(rest[0]))
    if power is None or symbol in g.symbols(power.exponent):
        return False
    return (
        atoms.range(power.base).never_negative
        and atoms.range(power.exponent).low >= 1
        and _is_one_less(atoms, power.base, symbol)
    )


def _power_below_one(node: g.Node) -> g.Pow | None:
    """Return the power of `1 - power`."""
    match node:
        case g.Add(terms=(g.Num(value=value), g.Neg(operand=operand))) if value == 1:
            inner = g.bare(operand)
            return inner if isinstance(inner, g.Pow) else None
        case _:
            return None


def _is_one_less(atoms: Atoms, base: g.Node, symbol: g.Sym) -> bool:
    """Whether *base* is `1 - k/n` with a `k` that does not hang on `n`."""
    try:
        form = atoms.form(base)
        (number,) = l.atoms_of(atoms.form(symbol))
    except (l.TooLarge, ZeroDivisionError, ValueError):
        return False
    less = l.minus(l.constant(1), form)
    if len(less) != 1:
        return False
    ((mono, value),) = less.items()
    others = [n for n, _ in mono if n != number]
    held = all(
        atoms[n].range.never_negative and symbol not in g.symbols(atoms[n].node) for n in others
    )
    return value > 0 and l.power_of(mono, number) == Fraction(-1) and held
