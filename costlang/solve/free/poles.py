"""Where a formula has no value because it divides by zero, as conditions on the other names."""

from __future__ import annotations

from collections.abc import Iterator

from costlang.formula import graph as g
from costlang.solve.closed.forms import NoClosedForm, gathered
from costlang.solve.closed.regimes import holds_unknown
from costlang.solve.free.conditions import above_zero
from costlang.solve.free.positive import Reach, Reaches, Signing


def defined_when(
    build: g.Builder, signing: Signing, unknown: g.Sym, *formulas: g.Node
) -> tuple[g.Node, ...]:
    """Return when *formulas* have a value for any unknown above zero, as far as names decide it."""
    found: dict[g.Node, None] = {}
    for formula in formulas:
        for divisor in _divisors(formula):
            for part in _factors(divisor):
                made = _never_zero(build, signing, unknown, part)
                if made is not None:
                    found[made] = None
    return tuple(found)


def strictly(reaches: Reaches, conditions: tuple[g.Node, ...]) -> dict[g.Sym, Reach]:
    """Return *reaches* where names that *conditions* ask to be above zero are so."""
    found = dict(reaches)
    for condition in conditions:
        if isinstance(condition, g.Cmp) and condition.operator == ">":
            name = condition.left
            if isinstance(name, g.Sym) and g.is_zero(condition.right):
                high = found[name].high if name in found else name.info.ceiling
                found[name] = Reach(high=high)
    return found


def divisors_in_choices(formula: g.Node) -> Iterator[g.Node]:
    """Yield what is divided by in sides of an `if`, of which only one is worked out."""
    for at in g.walk(formula):
        if isinstance(at, g.Cond):
            yield from _divisors(at.yes)
            yield from _divisors(at.no)


def _divisors(formula: g.Node) -> Iterator[g.Node]:
    """Yield what is divided by, in whatever is worked out for certain."""
    seen: set[g.Node] = set()
    stack = [formula]
    while stack:
        at = stack.pop()
        if at in seen:
            continue
        seen.add(at)
        match at:
            case g.Cond(condition=condition):
                stack.append(condition)
                continue
            case g.Div(below=below):
                yield below
            case g.Pow(base=base, exponent=g.Num(value=value)) if value < 0:
                yield base
        stack.extend(at.children)


def _factors(node: g.Node) -> Iterator[g.Node]:
    match node:
        case g.Mul(factors=factors):
            for factor in factors:
                yield from _factors(factor)
        case g.Div(above=above):
            yield from _factors(above)
        case g.Def(body=body) | g.Part(body=body):
            yield from _factors(body)
        case _:
            yield node


def _never_zero(build: g.Builder, signing: Signing, unknown: g.Sym, part: g.Node) -> g.Node | None:
    """Return the condition that *part* is not zero, None where it never is."""
    if unknown in holds_unknown(part, unknown):
        return _not_zero_all_over(build, signing, unknown, part)
    signs = signing.signs(part)
    if 0 not in signs:
        return None
    made: g.Node | bool = build.cmp("!=", part, build.num(0))
    if -1 not in signs:
        made = above_zero(build, signing, part, ">")
    return made if isinstance(made, g.Node) else build.truth(made)


def _not_zero_all_over(
    build: g.Builder, signing: Signing, unknown: g.Sym, part: g.Node
) -> g.Node | None:
    """For a polynomial in the unknown none of whose coefficients is below zero: some is above."""
    try:
        above, _ = gathered(build, part, build.num(0), unknown)
    except NoClosedForm:
        return None
    signs = [signing.signs(coefficient) for coefficient in above]
    if any(0 not in each for each in signs) or any(-1 in each for each in signs):
        return None
    made = above_zero(build, signing, build.add(*above), ">")
    return made if isinstance(made, g.Node) else None
