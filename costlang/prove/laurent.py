"""Sums of products of powers, with exact coefficients: what a difference is brought to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from costlang.model.work import spend

Power = int | Fraction
"""A whole number, or a fraction that is none."""
Mono = tuple[tuple[int, Power], ...]
"""Atoms by number, each with its power, sorted; the empty one is 1."""
Form = dict[Mono, Fraction]
"""Products with their coefficients, none of which is 0."""

ONE: Mono = ()
MOST_TERMS = 3_000


class TooLarge(ArithmeticError):
    """A form has more terms than are looked at."""


def constant(value: Fraction | int) -> Form:
    """Return a number as a form."""
    return {ONE: Fraction(value)} if value else {}


def atom(number: int, power: Power = 1) -> Form:
    """Return a power of an atom."""
    return {((number, power),): Fraction(1)}


def plain(power: Power) -> Power:
    """Return a power as a whole number where it is one."""
    return power.numerator if power.denominator == 1 else power


def plus(*forms: Form) -> Form:
    """Return the sum of *forms*."""
    spend(sum(map(len, forms)))
    found: Form = dict(forms[0]) if forms else {}
    for form in forms[1:]:
        for mono, factor in form.items():
            total = found.get(mono, 0) + factor
            if total:
                found[mono] = total
            else:
                found.pop(mono, None)
    return _bounded(found)


def scaled(form: Form, factor: Fraction | int) -> Form:
    """Return *form* times a number."""
    return {mono: value * factor for mono, value in form.items()} if factor else {}


def minus(left: Form, right: Form) -> Form:
    """Return `left - right`."""
    return plus(left, scaled(right, -1))


def mono_times(left: Mono, right: Mono) -> Mono:
    """Return the product of two products."""
    if not left or not right:
        return left or right
    powers = dict(left)
    for number, power in right:
        total = powers.get(number, 0) + power
        if total:
            powers[number] = plain(total)
        else:
            del powers[number]
    return tuple(sorted(powers.items()))


def mono_power(mono: Mono, power: Power) -> Mono:
    """Return a power of a product."""
    return tuple((number, plain(each * power)) for number, each in mono) if power else ONE


def shifted(form: Form, mono: Mono, factor: Fraction | int = 1) -> Form:
    """Return *form* times one product."""
    spend(3 * len(form))
    return {mono_times(each, mono): value * factor for each, value in form.items()}


def times(left: Form, right: Form) -> Form:
    """Return the product of two forms."""
    if len(left) * len(right) > 20 * MOST_TERMS:
        raise TooLarge
    spend(5 * len(left) * len(right))
    found: Form = {}
    for mono, factor in right.items():
        for each, value in left.items():
            key = mono_times(each, mono)
            total = found.get(key, 0) + value * factor
            if total:
                found[key] = total
            else:
                found.pop(key, None)
    return _bounded(found)


def powered(form: Form, exponent: int) -> Form:
    """Return a whole power, at least 0, of *form*."""
    found = constant(1)
    for _ in range(exponent):
        found = times(found, form)
    return found


def atoms_of(form: Form) -> set[int]:
    """Return the numbers of the atoms in *form*."""
    return {number for mono in form for number, _ in mono}


def power_of(mono: Mono, number: int) -> Power:
    """Return the power of an atom in a product, 0 where it is not there."""
    for each, power in mono:
        if each == number:
            return power
    return 0


def without(mono: Mono, number: int) -> Mono:
    """Return a product without one of its atoms."""
    return tuple(pair for pair in mono if pair[0] != number)


def put(form: Form, number: int, instead: Form) -> Form | None:
    """Return *form* with an atom replaced; None where it stands in a power that is not whole."""
    parts: dict[int, Form] = {}
    for mono, value in form.items():
        power = power_of(mono, number)
        if power.denominator != 1 or power < 0:
            return None
        parts.setdefault(int(power), {})[without(mono, number)] = value
    found = parts.pop(0, {})
    grown, reached = constant(1), 0
    for power in sorted(parts):
        while reached < power:
            grown, reached = times(grown, instead), reached + 1
        found = plus(found, times(parts[power], grown))
    return found


def lowest(form: Form, numbers: Iterable[int]) -> dict[int, Power]:
    """Return the lowest power below 0 of each of *numbers*, where it has one."""
    found: dict[int, Power] = {}
    wanted = set(numbers)
    for mono in form:
        for number, power in mono:
            if number in wanted and power < found.get(number, 0):
                found[number] = power
    return found


def cleared(form: Form, numbers: Iterable[int]) -> Form:
    """Return *form* times so much of *numbers* that none of them has a power below 0."""
    low: Mapping[int, Power] = lowest(form, numbers)
    factor = tuple(sorted((number, -power) for number, power in low.items()))
    return shifted(form, factor) if factor else form


def _bounded(form: Form) -> Form:
    if len(form) > MOST_TERMS:
        raise TooLarge
    return form


def common(form: Form, allowed: Iterable[int]) -> Mono:
    """Return the product of those of the atoms *allowed* that all of *form* has in common."""
    spend(len(form))
    low: list[tuple[int, Power]] = []
    for number in allowed:
        least = min(power_of(mono, number) for mono in form)
        if least:
            low.append((number, least))
    return tuple(sorted(low))
