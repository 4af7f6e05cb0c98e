"""Boxes as text with the signs of mathematics, on one line."""

from __future__ import annotations

from costlang.emit.math import boxes as b
from costlang.emit.math.letters import GREEK

_LOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_HIGH = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_FENCES = {"ceil": ("⌈", "⌉"), "floor": ("⌊", "⌋"), "abs": ("|", "|"), "sqrt": ("√(", ")")}
_SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠", "==": "="}
_WORDS = {"and": "∧", "or": "∨"}
_NAMES = {"log2": "log₂"}
_GAP = "\N{NARROW NO-BREAK SPACE}"
MINUS = "\N{MINUS SIGN}"


def write(box: b.Box) -> str:
    """Return *box* in Unicode."""
    match box:
        case b.Number(digits, power):
            return _number(digits, power)
        case b.Quantity(number, unit):
            return f"{write(number)} {unit_text(unit)}"
        case b.Infinite():
            return "∞"
        case b.Symbol():
            return _symbol(box)
        case b.Sum(terms):
            return _sum(terms)
        case b.Product(factors):
            return " · ".join(map(write, factors))
        case b.Slash(above, below) | b.Frac(above, below):
            return f"{write(above)} / {write(below)}"
        case b.Power(base, exponent):
            return write(base) + _raised(exponent)
        case b.Minus(inner):
            return MINUS + write(inner)
        case b.Paren(inner):
            return f"({write(inner)})"
        case b.Call(name, arguments):
            return f"{_NAMES.get(name, name)}({', '.join(map(write, arguments))})"
        case b.Fence(kind, inner):
            left, right = _FENCES[kind]
            return left + write(inner) + right
        case b.SumSign(index, low, high, body):
            return f"Σ[{write(index)} = {write(low)} .. {write(high)}] {write(body)}"
        case b.Cases():
            return _cases(box)
        case b.Relation(operator, left, right):
            return f"{write(left)} {_SIGNS.get(operator, operator)} {write(right)}"
        case b.Joined(word, parts):
            return f" {_WORDS[word]} ".join(map(write, parts))
        case b.Denied(inner):
            return f"¬{write(inner)}"
    raise TypeError(f"Unicode has no signs for {type(box).__name__}")


def unit_text(unit: str) -> str:
    """Return *unit* with raised powers and a dot for a product: `FLOP/tok²`."""
    head, *powers = unit.replace("*", "·").split("^")
    for power in powers:
        digits = len(power) - len(power.lstrip("0123456789"))
        head += power[:digits].translate(_HIGH) + power[digits:]
    return head


def _number(digits: str, power: int) -> str:
    plain = digits.replace("_", _GAP)
    return f"{plain} · 10{str(power).translate(_HIGH)}" if power else plain


def _symbol(box: b.Symbol) -> str:
    base = box.base if box.upright else GREEK.get(box.base, box.base)
    if len(box.below) == 1 and box.below[0].isdecimal() and box.below[0].isascii():
        base += box.below[0].translate(_LOW)
    elif box.below:
        base += "_" + ",".join(GREEK.get(part, part) for part in box.below)
    return base + (f"[{', '.join(map(_symbol, box.row))}]" if box.row else "")


def _sum(terms: tuple[tuple[bool, b.Box], ...]) -> str:
    (negative, first), *others = terms
    text = MINUS + write(first) if negative else write(first)
    return text + "".join(f" {MINUS if minus else '+'} {write(term)}" for minus, term in others)


def _raised(exponent: b.Box) -> str:
    text = write(exponent).replace(MINUS, "-")
    whole = text.removeprefix("-")
    if whole.isdecimal() and whole.isascii():
        return text.translate(_HIGH)
    return f"^{write(exponent)}"


def _cases(box: b.Cases) -> str:
    rows = "".join(f"{write(value)} if {write(when)}, " for value, when in box.rows)
    return f"{{{rows}{write(box.otherwise)} otherwise}}"
