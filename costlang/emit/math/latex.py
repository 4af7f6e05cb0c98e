"""Boxes as LaTeX, for the inside of a formula; every word of a spec is escaped."""

from __future__ import annotations

import re

from costlang.emit.math import boxes as b
from costlang.emit.math.letters import GREEK, is_word

_ESCAPES = {
    **{sign: f"\\{sign}" for sign in "$%_#&{}"},
    "\\": r"{\backslash}",
    "^": r"{\wedge}",
    "~": r"{\sim}",
    "\N{MICRO SIGN}": r"{\mu}",
}
_FENCES = {
    "ceil": (r"\left\lceil ", r" \right\rceil"),
    "floor": (r"\left\lfloor ", r" \right\rfloor"),
    "abs": (r"\left| ", r" \right|"),
    "sqrt": (r"\sqrt{", "}"),
}
_SIGNS = {"<=": r"\le", ">=": r"\ge", "!=": r"\ne", "==": "="}
_WORDS = {"and": r"\text{ and }", "or": r"\text{ or }"}
_NAMES = {"log2": r"\log_{2}", "exp": r"\exp", "max": r"\max", "min": r"\min"}


def write(box: b.Box) -> str:
    """Return *box* in LaTeX."""
    match box:
        case b.Number(digits, power):
            plain = digits.replace("_", r"\,")
            return rf"{plain} \times 10^{{{power}}}" if power else plain
        case b.Quantity(number, unit):
            return rf"{write(number)}\,{unit_text(unit)}"
        case b.Infinite():
            return r"\infty"
        case b.Symbol():
            return _symbol(box)
        case b.Sum(terms):
            return _sum(terms)
        case b.Product(factors):
            return r" \cdot ".join(map(write, factors))
        case b.Slash(above, below) | b.Frac(above, below):
            return rf"\frac{{{write(above)}}}{{{write(below)}}}"
        case b.Power(base, exponent):
            return f"{write(base)}^{{{write(exponent)}}}"
        case b.Minus(inner):
            return f"-{write(inner)}"
        case b.Paren(inner):
            return rf"\left({write(inner)}\right)"
        case b.Call(name, arguments):
            listed = ", ".join(map(write, arguments))
            return rf"{_NAMES[name]}\left({listed}\right)"
        case b.Fence(kind, inner):
            left, right = _FENCES[kind]
            return left + write(inner) + right
        case b.SumSign(index, low, high, body):
            return rf"\sum_{{{write(index)}={write(low)}}}^{{{write(high)}}} {write(body)}"
        case b.Cases():
            return _cases(box)
        case b.Relation(operator, left, right):
            return f"{write(left)} {_SIGNS.get(operator, operator)} {write(right)}"
        case b.Joined(word, parts):
            return f" {_WORDS[word]} ".join(map(write, parts))
        case b.Denied(inner):
            return rf"\lnot {write(inner)}"
    raise TypeError(f"LaTeX has no command for {type(box).__name__}")


def escaped(text: str) -> str:
    """Return *text* so that TeX shows it as it is."""
    return "".join(_ESCAPES.get(sign, sign) for sign in text)


def unit_text(unit: str) -> str:
    r"""
    Return *unit* upright.

    >>> unit_text("FLOP/tok^2")
    '\\mathrm{FLOP/tok^{2}}'
    """
    pieces = re.split(r"(\^-?\d+|\*)", unit)
    return rf"\mathrm{{{''.join(map(_piece, pieces))}}}"


def _piece(piece: str) -> str:
    if piece == "*":
        return r"\cdot "
    return f"^{{{piece[1:]}}}" if piece.startswith("^") else escaped(piece)


def _symbol(box: b.Symbol) -> str:
    base = rf"\mathrm{{{escaped(box.base)}}}" if box.upright else _letter(box.base)
    below = [*map(_letter, box.below), *map(_symbol, box.row)]
    return base + (f"_{{{','.join(below)}}}" if below else "")


def _letter(text: str) -> str:
    if text in GREEK:
        return f"\\{text}"
    return rf"\mathrm{{{escaped(text)}}}" if is_word(text) and not text.isdecimal() else text


def _sum(terms: tuple[tuple[bool, b.Box], ...]) -> str:
    (negative, first), *others = terms
    text = f"-{write(first)}" if negative else write(first)
    return text + "".join(f" {'-' if minus else '+'} {write(term)}" for minus, term in others)


def _cases(box: b.Cases) -> str:
    rows = [rf"{write(value)} & \text{{if }} {write(when)}" for value, when in box.rows]
    rows.append(rf"{write(box.otherwise)} & \text{{otherwise}}")
    return r"\begin{cases}" + r" \\ ".join(rows) + r"\end{cases}"
