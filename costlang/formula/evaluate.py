"""Working a formula out, exactly: rationals, certified intervals, and lazy choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from costlang.formula import graph as g
from costlang.model import exact
from costlang.model.exact import Real, Truth
from costlang.model.work import spend

Values = Mapping[g.Sym, Real]
SUM_LIMIT = 200_000
_ASKED = 16
"""The steps for which a number is asked from outside: who asks for many does more with each."""


class TooLong(ArithmeticError):
    """A sum has more terms than are worked out."""


class NotWhole(ArithmeticError):
    """A bound of a sum is no whole number."""


def known_value(symbol: g.Sym) -> Real:
    """Return what is known of *symbol*: its value or default, its open range, else unknown."""
    info = symbol.info
    if info.known is not None:
        return info.known
    if info.low is not None and info.high is not None:
        one = (Fraction(1), Fraction(1))
        return exact.Interval(info.low, info.high, {".".join(symbol.path): one})
    return exact.Unknown(frozenset({".".join(symbol.path)}))


class Evaluation:
    """
    The values of a graph under *values*; symbols that it does not name have what is known of them.

    Each node is worked out once, those below a sum once for each value of its index.
    """

    def __init__(self, values: Values | None = None) -> None:
        self.values = dict(values or {})
        self._memo: dict[g.Node, object] = {}
        self._indices: dict[g.Idx, Fraction] = {}
        self._inner: list[dict[g.Node, object]] = []
        self.steps = 0

    def number(self, node: g.Node) -> Real:
        """Return the number that *node* is."""
        spend(_ASKED)
        return self.inner(node)

    def inner(self, node: g.Node) -> Real:
        """Return the number that a node below another is."""
        found = self._value(node)
        assert not isinstance(found, (bool, exact.Undecided))
        return found  # type: ignore[return-value]

    def truth(self, node: g.Node | bool) -> Truth:
        """Return whether *node* holds."""
        if isinstance(node, bool):
            return node
        return self._value(node)  # type: ignore[return-value]

    def _value(self, node: g.Node) -> object:
        store = self._store(node)
        spend(2)
        if node not in store:
            self.steps += 1
            spend(4)
            store[node] = _RULES[type(node)](self, node)
        return store[node]

    def _store(self, node: g.Node) -> dict[g.Node, object]:
        return self._inner[-1] if self._inner and node.free_indices else self._memo

    # ---- rules

    def symbol(self, node: g.Sym) -> Real:
        """Return the value of a symbol."""
        return self.values[node] if node in self.values else known_value(node)

    def index(self, node: g.Idx) -> Real:
        """Return the index of the sum around."""
        return self._indices.get(node, exact.Unknown(frozenset({node.name})))

    def sum(self, node: g.SumOver) -> Real:
        """Return a sum, term by term; a body without the index is multiplied."""
        low, high = self.inner(node.low), self.inner(node.high)
        missing = exact.unknown(low, high)
        if missing is not None:
            return missing
        first, last = _whole(low), _whole(high)
        if last < first:
            return Fraction(0)
        if node.index not in node.body.free_indices:
            return exact.multiply(Fraction(last - first + 1), self.inner(node.body))
        if last - first >= SUM_LIMIT:
            raise TooLong
        return self._terms(node, first, last)

    def _terms(self, node: g.SumOver, first: int, last: int) -> Real:
        total: Real = Fraction(0)
        for at in range(first, last + 1):
            self._indices[node.index] = Fraction(at)
            self._inner.append({})
            total = exact.add(total, self.term(node, at))
            self._inner.pop()
        del self._indices[node.index]
        return total

    def term(self, node: g.SumOver, at: int) -> Real:
        """Return the term of a sum at its index *at*, which is set."""
        return self.inner(node.body)

    def conditional(self, node: g.Cond) -> Real:
        """Return the side that the condition chooses; both when it is open."""
        condition = self.truth(node.condition)
        if condition is True:
            return self.inner(node.yes)
        if condition is False:
            return self.inner(node.no)
        yes, no = self.inner(node.yes), self.inner(node.no)
        missing = exact.unknown(condition, yes, no)
        return missing if missing is not None else exact.hull(yes, no)

    def every(self, node: g.All) -> Truth:
        """Return the `and` of parts."""
        return self._joined(node.parts, decisive=False)

    def some(self, node: g.Any) -> Truth:
        """Return the `or` of parts."""
        return self._joined(node.parts, decisive=True)

    def _joined(self, parts: tuple[g.Node, ...], *, decisive: bool) -> Truth:
        open_: Truth = not decisive
        for part in parts:
            found = self.truth(part)
            if found is decisive:
                return decisive
            if not isinstance(found, bool):
                open_ = found
        return open_

    def negation(self, node: g.Not) -> Truth:
        """Return the `not` of a part."""
        found = self.truth(node.part)
        return not found if isinstance(found, bool) else found


def _whole(value: Real) -> int:
    if isinstance(value, Fraction) and value.denominator == 1:
        return int(value)
    raise NotWhole


def _folded(
    combine: Callable[[Real, Real], Real], start: int
) -> Callable[[Evaluation, g.Node], Real]:
    def rule(at: Evaluation, node: g.Node) -> Real:
        total: Real = Fraction(start)
        for child in node.children:
            total = combine(total, at.inner(child))
        return total

    return rule


_FUNCTIONS: dict[str, Callable[[Real], Real]] = {
    "ceil": exact.ceil,
    "floor": exact.floor,
    "abs": exact.absolute,
    "sqrt": exact.sqrt,
    "log2": exact.log2,
    "exp": exact.exp,
}

_RULES: dict[type[g.Node], Callable[[Evaluation, g.Node], object]] = {
    g.Num: lambda at, n: n.value,  # type: ignore[attr-defined]
    g.Inf: lambda at, n: exact.Infinity(n.sign),  # type: ignore[attr-defined]
    g.Sym: lambda at, n: at.symbol(n),  # type: ignore[arg-type]
    g.Idx: lambda at, n: at.index(n),  # type: ignore[arg-type]
    g.Add: _folded(exact.add, 0),
    g.Mul: _folded(exact.multiply, 1),
    g.Neg: lambda at, n: exact.negate(at.inner(n.operand)),  # type: ignore[attr-defined]
    g.Div: lambda at, n: exact.divide(*map(at.inner, n.children)),
    g.Pow: lambda at, n: exact.power(*map(at.inner, n.children)),
    g.Max: lambda at, n: exact.largest([at.inner(s) for s in n.children]),
    g.Min: lambda at, n: exact.smallest([at.inner(s) for s in n.children]),
    g.Fn: lambda at, n: _FUNCTIONS[n.function](at.inner(n.argument)),  # type: ignore[attr-defined]
    g.Cmp: lambda at, n: exact.compare(n.operator, *map(at.inner, n.children)),  # type: ignore[attr-defined]
    g.All: lambda at, n: at.every(n),  # type: ignore[arg-type]
    g.Any: lambda at, n: at.some(n),  # type: ignore[arg-type]
    g.Not: lambda at, n: at.negation(n),  # type: ignore[arg-type]
    g.Cond: lambda at, n: at.conditional(n),  # type: ignore[arg-type]
    g.SumOver: lambda at, n: at.sum(n),  # type: ignore[arg-type]
    g.Def: lambda at, n: at.inner(n.body),  # type: ignore[attr-defined]
    g.Part: lambda at, n: at.inner(n.body),  # type: ignore[attr-defined]
}


def evaluate(node: g.Node, values: Values | None = None) -> Real:
    """Return the number that *node* is under *values*."""
    return Evaluation(values).number(node)
