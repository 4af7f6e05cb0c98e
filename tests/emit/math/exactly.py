"""What a node is worth, worked out from the meaning of each kind of node alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil, floor

from costlang.formula import graph as g

STAND_INS: dict[str, Callable[[Fraction], Fraction]] = {
    "sqrt": lambda x: x * x + 7,
    "exp": lambda x: 3 * x + 1,
    "log2": lambda x: x / 5 - 2,
    "ceil": lambda x: Fraction(ceil(x)),
    "floor": lambda x: Fraction(floor(x)),
    "abs": abs,
}
"""The functions; those without exact values are replaced by others, also when read back."""

COMPARE: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
}


def raised(base: Fraction, exponent: Fraction) -> Fraction:
    """Return a power; one that is not whole, or is too large, is replaced by another function."""
    if exponent.denominator == 1 and abs(exponent) < 8:
        return base ** int(exponent)
    return 11 * base + exponent


def product(values: list[Fraction]) -> Fraction:
    total = Fraction(1)
    for value in values:
        total *= value
    return total


def worth(node: g.Node, values: Mapping[g.Node, Fraction]) -> Fraction:
    """Return the number that *node* is, when symbols and indices are worth *values*."""

    def number(at: g.Node) -> Fraction:
        return worth(at, values)

    match node:
        case g.Num(value, _):
            return value
        case g.Sym() | g.Idx():
            return values[node]
        case g.Def(body=body) | g.Part(body=body):
            return number(body)
        case g.Add(terms):
            return sum(map(number, terms), Fraction(0))
        case g.Mul(factors):
            return product([number(factor) for factor in factors])
        case g.Neg(operand):
            return -number(operand)
        case g.Div(above, below):
            return number(above) / number(below)
        case g.Pow(base, exponent):
            return raised(number(base), number(exponent))
        case g.Max(sides):
            return max(map(number, sides))
        case g.Min(sides):
            return min(map(number, sides))
        case g.Fn(function, argument):
            return STAND_INS[function](number(argument))
        case g.Cond(condition, yes, no):
            return number(yes) if holds(condition, values) else number(no)
        case g.SumOver(index, low, high, body):
            span = range(int(number(low)), int(number(high)) + 1)
            each = [worth(body, {**values, index: Fraction(i)}) for i in span]
            return sum(each, Fraction(0))
    raise TypeError(node)


def holds(node: g.Node, values: Mapping[g.Node, Fraction]) -> bool:
    match node:
        case g.Cmp(operator, left, right):
            return COMPARE[operator](worth(left, values), worth(right, values))
        case g.All(parts):
            return all(holds(part, values) for part in parts)
        case g.Any(parts):
            return any(holds(part, values) for part in parts)
        case g.Not(part):
            return not holds(part, values)
    raise TypeError(node)
