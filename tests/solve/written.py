"""Formulas for tests, written with operators, and shown in one line."""

from __future__ import annotations

from fractions import Fraction

from costlang.formula import graph as g
from costlang.solve import Place


class Desk:
    """Where formulas are written: `x = desk.name("x")`, then `desk.max(2 * x, 5) + 1`."""

    def __init__(self) -> None:
        self.build = g.Builder()

    def name(
        self, name: str, low: int | None = 0, high: int | None = None, strict: bool = True
    ) -> Formula:
        """Return a symbol, above zero unless told otherwise."""
        floor = None if low is None else Fraction(low)
        ceiling = None if high is None else Fraction(high)
        info = g.SymbolInfo(name, None, g.NONE, "real", floor=floor, ceiling=ceiling, strict=strict)
        return Formula(self, self.build.sym((name,), info))

    def names(self, text: str) -> list[Formula]:
        """Return several symbols above zero."""
        return [self.name(name) for name in text.split()]

    def of(self, value: Formula | int | Fraction) -> g.Node:
        """Return a number or a formula as a node."""
        return value.node if isinstance(value, Formula) else self.build.num(value)

    def named(self, name: str, body: Formula) -> Formula:
        """Return a definition."""
        return Formula(self, self.build.definition((name,), name, None, g.NONE, body.node))

    def max(self, *sides: Formula | int | Fraction) -> Formula:
        return Formula(self, self.build.max(*map(self.of, sides)))

    def min(self, *sides: Formula | int | Fraction) -> Formula:
        return Formula(self, self.build.min(*map(self.of, sides)))

    def add(self, *terms: Formula) -> Formula:
        return Formula(self, self.build.add(*map(self.of, terms)))

    def call(self, function: str, argument: Formula) -> Formula:
        return Formula(self, self.build.fn(function, argument.node))

    def choose(self, condition: g.Node | bool, yes: Formula, no: Formula) -> Formula:
        return Formula(self, self.build.cond(condition, self.of(yes), self.of(no)))

    def sum(self, name: str, low: int, high: Formula | int, body: object) -> Formula:
        """Return a sum; *body* is called with the index."""
        index = self.build.idx(name)
        made = body(Formula(self, index))  # type: ignore[operator]
        total = self.build.sum(index, self.of(low), self.of(high), self.of(made))
        return Formula(self, total)


class Formula:
    """A node with arithmetic."""

    def __init__(self, desk: Desk, node: g.Node) -> None:
        self.desk, self.node = desk, node

    @property
    def symbol(self) -> g.Sym:
        assert isinstance(self.node, g.Sym)
        return self.node

    def __add__(self, other: Formula | int | Fraction) -> Formula:
        return Formula(self.desk, self.desk.build.add(self.node, self.desk.of(other)))

    __radd__ = __add__

    def __sub__(self, other: Formula | int | Fraction) -> Formula:
        return Formula(self.desk, self.desk.build.sub(self.node, self.desk.of(other)))

    def __rsub__(self, other: int | Fraction) -> Formula:
        return Formula(self.desk, self.desk.build.sub(self.desk.of(other), self.node))

    def __mul__(self, other: Formula | int | Fraction) -> Formula:
        return Formula(self.desk, self.desk.build.mul(self.node, self.desk.of(other)))

    def __rmul__(self, other: int | Fraction) -> Formula:
        return Formula(self.desk, self.desk.build.mul(self.desk.of(other), self.node))

    def __truediv__(self, other: Formula | int | Fraction) -> Formula:
        return Formula(self.desk, self.desk.build.div(self.node, self.desk.of(other)))

    def __rtruediv__(self, other: int | Fraction) -> Formula:
        return Formula(self.desk, self.desk.build.div(self.desk.of(other), self.node))

    def __pow__(self, other: Formula | int | Fraction) -> Formula:
        return Formula(self.desk, self.desk.build.pow(self.node, self.desk.of(other)))

    def __rpow__(self, other: int | Fraction) -> Formula:
        return Formula(self.desk, self.desk.build.pow(self.desk.of(other), self.node))

    def compared(self, word: str, other: Formula | int | Fraction) -> g.Node | bool:
        return self.desk.build.cmp(word, self.node, self.desk.of(other))


def number(place: Place | None, digits: int = 6) -> Fraction | float | None:
    """Return a place as a fraction when it is exact, else rounded."""
    if place is None:
        return None
    return place.exact if place.exact is not None else round(float(place), digits)


def text(node: g.Node | None) -> str | None:
    """Return a formula in one line, definitions by their names."""
    return None if node is None else _text(node, 0)


_RANK = {g.Add: 1, g.Neg: 1, g.Mul: 2, g.Div: 2, g.Pow: 3}


def _text(node: g.Node, outer: int) -> str:
    made = _plain(node)
    return f"({made})" if _RANK.get(type(node), 9) < outer else made


def _plain(node: g.Node) -> str:
    match node:
        case g.Num(value=value):
            return str(value)
        case g.Sym() | g.Def() | g.Idx():
            return node.name
        case g.Inf(sign=sign):
            return "inf" if sign > 0 else "-inf"
        case g.Part(body=body):
            return _plain(body)
        case g.Add(terms=terms):
            return _joined([_text(term, 1) for term in terms])
        case g.Neg(operand=operand):
            return f"-{_text(operand, 2)}"
        case g.Mul(factors=factors):
            return " ".join(_text(factor, 3 if at else 2) for at, factor in enumerate(factors))
        case g.Div(above=above, below=below):
            return f"{_text(above, 2)} / {_text(below, 3)}"
        case g.Pow(base=base, exponent=exponent):
            return f"{_text(base, 4)}^{_text(exponent, 4)}"
        case g.Cmp(operator=word, left=left, right=right):
            return f"{_plain(left)} {word} {_plain(right)}"
        case g.Fn(function=function, argument=argument):
            return f"{function}({_plain(argument)})"
        case g.Max(sides=sides) | g.Min(sides=sides):
            word = "max" if isinstance(node, g.Max) else "min"
            return f"{word}({', '.join(map(_plain, sides))})"
        case _:
            parts = ", ".join(map(_plain, node.children))
            return f"{type(node).__name__.lower()}({parts})"


def _joined(terms: list[str]) -> str:
    made = terms[0]
    for term in terms[1:]:
        made += f" - {term[1:]}" if term.startswith("-") else f" + {term}"
    return made
