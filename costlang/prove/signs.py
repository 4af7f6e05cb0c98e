"""Whether a form is never negative: by its signs, counted from the ends of its atoms' ranges."""

from __future__ import annotations

from fractions import Fraction
from math import inf

from costlang.model.work import spend
from costlang.prove import laurent as l
from costlang.prove.atoms import Atoms
from costlang.prove.ranges import ZERO, Range

MOST_SHIFTED = 5
MOST_TERMS = 24
"""So many atoms are counted from their ends, in forms of so many terms."""
MOST_COMPARED = 4_000


def plainly(atoms: Atoms, form: l.Form, *, strict: bool = False) -> bool:
    """Whether each product of *form* is never negative, and with *strict* one of them never 0."""
    firm = False
    for mono, value in form.items():
        sign = atoms.sign(mono)
        if sign is None or sign * value < 0:
            return False
        firm = firm or (strict and atoms.strict(mono))
    return firm or not strict


def from_the_ends(
    atoms: Atoms, form: l.Form, *, strict: bool = False, moved: bool = True
) -> str | None:
    """Return how *form* is seen to be never negative, None where it is not seen."""
    if plainly(atoms, form, strict=strict):
        return "every term is at least 0" if form else "nothing is left"
    if not form:
        return None
    shared = atoms.shared(form)
    if not strict or atoms.strict(shared):
        form = l.shifted(form, l.mono_power(shared, -1))
    if outweighed(atoms, form, strict=strict):
        return "what is taken away is outweighed, term by term"
    if not moved or len(form) > MOST_TERMS:
        return None
    for both in (False, True):
        try:
            other = _moved(atoms, form, both=both, strict=strict)
        except l.TooLarge:
            return None
        if other is not None and plainly(atoms, other, strict=strict):
            return (
                "counted between the ends of their domains, every term is at least 0"
                if both
                else "counted from the ends of their domains, every term is at least 0"
            )
    return None


def outweighed(atoms: Atoms, form: l.Form, *, strict: bool = False) -> bool:
    """Whether each term below 0 is outweighed by terms that are a number of times as large."""
    against: list[tuple[l.Mono, Fraction]] = []
    rest: dict[l.Mono, Fraction] = {}
    for mono, value in form.items():
        sign = atoms.sign(mono)
        if sign is None:
            return False
        if sign * value > 0:
            rest[mono] = value * sign
        else:
            against.append((mono, -value * sign))
    if len(against) * len(rest) > MOST_COMPARED or not rest:
        return False
    spend(5 * len(against) * len(rest))
    for mono, wanted in against:
        need = wanted
        inverse = l.mono_power(mono, -1)
        for other in list(rest):
            quotient = l.mono_times(other, inverse)
            if not all(atoms[n].range.never_negative for n, _ in quotient):
                continue
            low = atoms.least(quotient)
            if not low:
                continue
            taken = min(rest[other], need / low)
            need -= taken * low
            rest[other] -= taken
            if not rest[other]:
                del rest[other]
            if not need:
                break
        if need:
            return False
    return not strict or any(atoms.strict(mono) for mono in rest)


def _moved(atoms: Atoms, form: l.Form, *, both: bool, strict: bool) -> l.Form | None:
    """
    Return *form*, times what is positive, in names that begin at 0.

    An atom from `a` on is `a + u`; with *both* one from `a` to `b` is `(a + b u) / (1 + u)`. That
    reaches `b` only in the limit, where what was above 0 may be 0.
    """
    moves = [n for n in sorted(l.atoms_of(form)) if _ends(atoms[n].range, both=both)]
    if strict and both and any(_is_closed(atoms[n].range) for n in moves):
        return None
    if not moves or len(moves) > MOST_SHIFTED:
        return None
    for number in moves:
        range_ = atoms[number].range
        if any(power < 0 for power in _powers(form, number)) and not range_.never_negative:
            return None
        form = l.cleared(form, [number])
        if any(power.denominator != 1 for power in _powers(form, number)):
            continue
        moved = _from_end(atoms, form, number, range_, both=both)
        if not moved:
            return moved
        form = moved
    return form


def _is_closed(range_: Range) -> bool:
    return isinstance(range_.high, Fraction) and not range_.open_high


def _ends(range_: Range, *, both: bool) -> bool:
    low, high = isinstance(range_.low, Fraction), isinstance(range_.high, Fraction)
    if low and high and both:
        return True
    if low:
        return range_.low != 0
    return high


def _powers(form: l.Form, number: int) -> set[l.Power]:
    return {l.power_of(mono, number) for mono in form}


def _from_end(
    atoms: Atoms, form: l.Form, number: int, range_: Range, *, both: bool
) -> l.Form | None:
    low, high = range_.low, range_.high
    open_ = range_.open_low if isinstance(low, Fraction) else range_.open_high
    rest = atoms.fresh(Range(ZERO, inf, open_), "u")
    u = l.atom(rest)
    if both and isinstance(low, Fraction) and isinstance(high, Fraction):
        return _between(form, number, low, high, rest)
    if isinstance(low, Fraction):
        return l.put(form, number, l.plus(l.constant(low), u))
    assert isinstance(high, Fraction)
    return l.put(form, number, l.minus(l.constant(high), u))


def _between(form: l.Form, number: int, low: Fraction, high: Fraction, rest: int) -> l.Form:
    """Return *form* times `(1 + u) ^ degree`, with the atom as `(low + high u) / (1 + u)`."""
    degree = int(max(_powers(form, number)))
    above = l.plus(l.constant(low), l.scaled(l.atom(rest), high))
    below = l.plus(l.constant(1), l.atom(rest))
    found: l.Form = {}
    parts: dict[int, l.Form] = {}
    for mono, value in form.items():
        power = int(l.power_of(mono, number))
        parts.setdefault(power, {})[l.without(mono, number)] = value
    for power, part in parts.items():
        factor = l.times(l.powered(above, power), l.powered(below, degree - power))
        found = l.plus(found, l.times(part, factor))
    return found
