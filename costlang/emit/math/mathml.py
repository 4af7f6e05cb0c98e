"""Boxes as MathML Core, for a page; every word of a spec is escaped."""

from __future__ import annotations

from html import escape

from costlang.emit.math import boxes as b
from costlang.emit.math.letters import GREEK
from costlang.emit.math.unicode import MINUS

_GAP = "\N{THIN SPACE}"
_BLANK = "\N{NO-BREAK SPACE}"
_LEFT = '<mtd style="text-align: left">'
_APPLY = "<mo>\N{FUNCTION APPLICATION}</mo>"
_FENCES = {"ceil": ("⌈", "⌉"), "floor": ("⌊", "⌋"), "abs": ("|", "|")}
_SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠", "==": "="}


def page(box: b.Box) -> str:
    """Return *box* as a whole `math` element."""
    return (
        '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">' + write(box) + "</math>"
    )


def write(box: b.Box) -> str:
    """Return *box* as one element."""
    match box:
        case b.Number(digits, power):
            return _number(digits, power)
        case b.Quantity(number, unit):
            return _row(write(number), '<mspace width="0.17em"/>', _unit(unit))
        case b.Infinite():
            return "<mi>∞</mi>"
        case b.Symbol():
            return _symbol(box)
        case b.Sum(terms):
            return _sum(terms)
        case b.Product(factors):
            return _row(_sign("·").join(map(write, factors)))
        case b.Slash(above, below) | b.Frac(above, below):
            return f"<mfrac>{write(above)}{write(below)}</mfrac>"
        case b.Power(base, exponent):
            return f"<msup>{write(base)}{write(exponent)}</msup>"
        case b.Minus(inner):
            return _row(f'<mo form="prefix">{MINUS}</mo>', write(inner))
        case b.Paren(inner):
            return _row(_sign("("), write(inner), _sign(")"))
        case b.Call(name, arguments):
            listed = _sign(",").join(map(write, arguments))
            return _row(_function(name), _APPLY, _row(_sign("("), listed, _sign(")")))
        case b.Fence("sqrt", inner):
            return f"<msqrt>{write(inner)}</msqrt>"
        case b.Fence(kind, inner):
            left, right = _FENCES[kind]
            return _row(_fence(left, "prefix"), write(inner), _fence(right, "postfix"))
        case b.SumSign(index, low, high, body):
            start = _row(write(index), _sign("="), write(low))
            return _row(f"<munderover>{_sign('∑')}{start}{write(high)}</munderover>", write(body))
        case b.Cases():
            return _cases(box)
        case b.Relation(operator, left, right):
            return _row(write(left), _sign(_SIGNS.get(operator, operator)), write(right))
        case b.Joined(word, parts):
            return _row(_sign("∧" if word == "and" else "∨").join(map(write, parts)))
        case b.Denied(inner):
            return _row(_sign("¬"), write(inner))
    raise TypeError(f"MathML has no element for {type(box).__name__}")


def _row(*parts: str) -> str:
    return f"<mrow>{''.join(parts)}</mrow>"


def _sign(sign: str) -> str:
    return f"<mo>{escape(sign)}</mo>"


def _fence(sign: str, form: str) -> str:
    return f'<mo form="{form}" fence="true" stretchy="true">{sign}</mo>'


def _function(name: str) -> str:
    return "<msub><mi>log</mi><mn>2</mn></msub>" if name == "log2" else f"<mi>{name}</mi>"


def _number(digits: str, power: int) -> str:
    plain = f"<mn>{digits.replace('_', _GAP)}</mn>"
    if not power:
        return plain
    exponent = f"<mn>{power}</mn>" if power > 0 else _row(_sign(MINUS), f"<mn>{-power}</mn>")
    return _row(plain, _sign("×"), f"<msup><mn>10</mn>{exponent}</msup>")


def _unit(unit: str) -> str:
    """Return *unit* as upright words, powers raised."""
    parts = []
    for at, factor in enumerate(unit.split("/")):
        parts.append('<mo lspace="0" rspace="0">/</mo>' if at else "")
        parts.append(_sign("·").join(map(_raised, factor.split("*"))))
    return _row(*parts) if len(parts) > 2 or "*" in unit else parts[1]


def _raised(factor: str) -> str:
    word, _, power = factor.partition("^")
    plain = f'<mi mathvariant="normal">{escape(word)}</mi>'
    return f"<msup>{plain}<mn>{power}</mn></msup>" if power else plain


def _symbol(box: b.Symbol) -> str:
    base = f"<mtext>{escape(box.base)}</mtext>" if box.upright else _letter(box.base)
    below = [*map(_letter, box.below), *map(_symbol, box.row)]
    if not below:
        return base
    return f"<msub>{base}{below[0] if len(below) == 1 else _row(_sign(',').join(below))}</msub>"


def _letter(text: str) -> str:
    if text.isdecimal():
        return f"<mn>{text}</mn>"
    plain = GREEK.get(text, text)
    return f"<mi>{plain}</mi>" if len(plain) == 1 else f"<mtext>{escape(plain)}</mtext>"


def _sum(terms: tuple[tuple[bool, b.Box], ...]) -> str:
    (negative, first), *others = terms
    parts = [f'<mo form="prefix">{MINUS}</mo>' if negative else "", write(first)]
    for minus, term in others:
        parts.extend((_sign(MINUS if minus else "+"), write(term)))
    return _row(*parts)


def _cases(box: b.Cases) -> str:
    rows = [
        (write(value), _row(f"<mtext>if{_BLANK}</mtext>", write(when))) for value, when in box.rows
    ]
    rows.append((write(box.otherwise), "<mtext>otherwise</mtext>"))
    cells = "".join(f"<mtr>{_cell(value)}{_cell(when)}</mtr>" for value, when in rows)
    return _row(_fence("{", "prefix"), f"<mtable>{cells}</mtable>")


def _cell(text: str) -> str:
    return f"{_LEFT}{text}</mtd>"
