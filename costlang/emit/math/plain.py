"""Boxes as plain text, in the words of the language itself."""

from __future__ import annotations

from costlang.emit.math import boxes as b


def write(box: b.Box) -> str:
    """Return *box* as a spec would say it."""
    match box:
        case b.Number(digits, power):
            return f"{digits}e{power}" if power else digits
        case b.Quantity(number, unit):
            return f"{write(number)} {unit}"
        case b.Infinite():
            return "inf"
        case b.Symbol():
            return spelled(box)
        case b.Sum(terms):
            return _sum(terms)
        case b.Product(factors):
            return " * ".join(map(write, factors))
        case b.Slash(above, below) | b.Frac(above, below):
            return f"{write(above)} / {write(below)}"
        case b.Power(base, exponent):
            return f"{write(base)}^{write(exponent)}"
        case b.Minus(inner):
            return f"-{write(inner)}"
        case b.Paren(inner):
            return f"({write(inner)})"
        case b.Call(name, arguments):
            return f"{name}({', '.join(map(write, arguments))})"
        case b.Fence(kind, inner):
            return f"{kind}({write(inner)})"
        case b.SumSign(index, low, high, body):
            return f"sum(over {write(index)} in {write(low)}..{write(high)}: {write(body)})"
        case b.Cases():
            return cases(box)
        case b.Relation(operator, left, right):
            return f"{write(left)} {operator} {write(right)}"
        case b.Joined(word, parts):
            return f" {word} ".join(map(write, parts))
        case b.Denied(inner):
            return f"not {write(inner)}"
    raise TypeError(f"plain text has no words for {type(box).__name__}")


def spelled(symbol: b.Symbol) -> str:
    """Return the spelling of *symbol*, by which two of them are told apart."""
    row = f"[{', '.join(map(spelled, symbol.row))}]" if symbol.row else ""
    return "_".join((symbol.base, *symbol.below)) + row


def _sum(terms: tuple[tuple[bool, b.Box], ...]) -> str:
    (negative, first), *others = terms
    text = f"-{write(first)}" if negative else write(first)
    return text + "".join(f" {'-' if minus else '+'} {write(term)}" for minus, term in others)


def cases(box: b.Cases) -> str:
    """Return `if c then a else b`."""
    rows = "".join(f"if {write(when)} then {write(value)} else " for value, when in box.rows)
    return rows + write(box.otherwise)
