"""Formulas to SymPy and back: equal in value, the author's names, the declared assumptions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from costlang.formula import graph as g
from costlang.formula.sums import never_empty

Expr = Any
"""A SymPy expression, number or relation."""


def to_sympy(node: g.Node) -> Expr:
    """
    Return *node* as a SymPy expression of the same value, all numbers in base units.

    A count is a positive integer, a length or a time is positive (or not negative where its
    domain begins at 0). Two symbols of one name are told apart by their paths. `Max`, `Min` and
    `Piecewise` are left as they are written; `doit` lets SymPy work on them.
    """
    return _Outwards(node).expression(node)


class _Outwards:
    def __init__(self, root: g.Node) -> None:
        import sympy

        self.sympy = sympy
        self._memo: dict[g.Node, Expr] = {}
        self._names = _names(root)

    def expression(self, root: g.Node) -> Expr:
        for node in g.walk(root):
            if node not in self._memo:
                self._memo[node] = self._made(node)
        return self._memo[root]

    def _made(self, node: g.Node) -> Expr:
        sympy = self.sympy
        below = [self._memo[child] for child in node.children]
        match node:
            case g.Num(value=value):
                return sympy.Rational(value.numerator, value.denominator)
            case g.Inf(sign=sign):
                return sign * sympy.oo
            case g.Sym():
                return self._symbol(node)
            case g.Idx():
                return sympy.Symbol(self._names[node], integer=True)
            case g.Cond():
                return sympy.Piecewise((below[1], below[0]), (below[2], True), evaluate=False)
            case g.SumOver():
                return self._sum(node, below)
            case g.Fn(function=function):
                return self._functions()[function](below[0])
            case g.Cmp(operator=operator):
                return self._relation(operator, below[0], below[1])
            case _:
                return self._arithmetic(node, below)

    def _arithmetic(self, node: g.Node, below: list[Expr]) -> Expr:
        sympy = self.sympy
        rules: dict[type[g.Node], Callable[[], Expr]] = {
            g.Add: lambda: sympy.Add(*below),
            g.Mul: lambda: sympy.Mul(*below),
            g.Neg: lambda: -below[0],
            g.Div: lambda: below[0] / below[1],
            g.Pow: lambda: below[0] ** below[1],
            g.Max: lambda: sympy.Max(*below, evaluate=False),
            g.Min: lambda: sympy.Min(*below, evaluate=False),
            g.Def: lambda: below[0],
            g.Part: lambda: below[0],
            g.All: lambda: sympy.And(*below),
            g.Any: lambda: sympy.Or(*below),
            g.Not: lambda: sympy.Not(below[0]),
        }
        return rules[type(node)]()

    def _symbol(self, node: g.Sym) -> Expr:
        info = node.info
        assumptions: dict[str, bool] = {"real": True}
        if info.kind == "count":
            assumptions["integer"] = True
        if info.floor is not None:
            positive = info.strict or info.floor > 0
            if info.floor >= 0:
                assumptions["positive" if positive else "nonnegative"] = True
        return self.sympy.Symbol(self._names[node], **assumptions)

    def _sum(self, node: g.SumOver, below: list[Expr]) -> Expr:
        index, low, high, body = below
        total = self.sympy.Sum(body, (index, low, high))
        if never_empty(node):
            return total
        return self.sympy.Piecewise((0, high < low), (total, True), evaluate=False)

    def _functions(self) -> dict[str, Callable[[Expr], Expr]]:
        sympy = self.sympy
        return {
            "ceil": sympy.ceiling,
            "floor": sympy.floor,
            "abs": sympy.Abs,
            "sqrt": sympy.sqrt,
            "log2": lambda x: sympy.log(x, 2),
            "exp": sympy.exp,
        }

    def _relation(self, operator: str, left: Expr, right: Expr) -> Expr:
        sympy = self.sympy
        made = {
            "<": sympy.Lt,
            "<=": sympy.Le,
            "==": sympy.Eq,
            "!=": sympy.Ne,
            ">=": sympy.Ge,
            ">": sympy.Gt,
        }
        return made[operator](left, right, evaluate=False)


def _names(root: g.Node) -> dict[g.Node, str]:
    """Return a name for each symbol and index: the author's, the path where two share it."""
    leaves = [node for node in g.walk(root) if isinstance(node, (g.Sym, g.Idx))]
    plain = [leaf.name for leaf in leaves]
    found: dict[g.Node, str] = {}
    for leaf in leaves:
        if plain.count(leaf.name) == 1:
            found[leaf] = leaf.name
        elif isinstance(leaf, g.Sym):
            found[leaf] = ".".join(leaf.path)
        else:
            found[leaf] = f"{leaf.name}_{leaf.serial}"
    return found


def from_sympy(
    expression: Expr, symbols: Mapping[str, g.Node] | None = None, builder: g.Builder | None = None
) -> g.Node:
    """
    Return a SymPy expression as a formula of the same value.

    *symbols* gives the nodes of its symbols by name; one that is missing becomes a plain symbol
    without dimension. Raises `ValueError` for what the language cannot write, with the piece.
    """
    return _Inwards(dict(symbols or {}), builder or g.Builder()).node(expression)


class _Inwards:
    def __init__(self, symbols: dict[str, g.Node], builder: g.Builder) -> None:
        import sympy

        self.sympy = sympy
        self.symbols = symbols
        self.build = builder

    def node(self, expression: Expr) -> g.Node:
        sympy, build = self.sympy, self.build
        if expression.is_Rational:
            return build.num(Fraction(int(expression.p), int(expression.q)))
        if expression.is_Float:
            raise ValueError(f"{expression} is a rounded number; write a rational")
        if expression in (sympy.oo, -sympy.oo):
            return build.inf(1 if expression == sympy.oo else -1)
        if expression.is_Symbol:
            return self._symbol(expression)
        if expression == sympy.E:
            return build.fn("exp", build.num(1))
        rule = self._rules().get(expression.func)
        if rule is None:
            raise ValueError(f"the language has no {expression.func.__name__}: {expression}")
        return rule(expression)

    def _symbol(self, expression: Expr) -> g.Node:
        if expression.name not in self.symbols:
            self.symbols[expression.name] = self.build.sym((expression.name,), _plain(expression))
        return self.symbols[expression.name]

    def _all(self, expressions: tuple[Expr, ...]) -> list[g.Node]:
        return [self.node(item) for item in expressions]

    def _rules(self) -> dict[Any, Callable[[Expr], g.Node]]:
        sympy, build = self.sympy, self.build
        return {
            sympy.Add: lambda e: build.add(*self._all(e.args)),
            sympy.Mul: self._product,
            sympy.Pow: self._power,
            sympy.Max: lambda e: build.max(*self._all(e.args)),
            sympy.Min: lambda e: build.min(*self._all(e.args)),
            sympy.ceiling: lambda e: build.fn("ceil", self.node(e.args[0])),
            sympy.floor: lambda e: build.fn("floor", self.node(e.args[0])),
            sympy.Abs: lambda e: build.fn("abs", self.node(e.args[0])),
            sympy.exp: lambda e: build.fn("exp", self.node(e.args[0])),
            sympy.log: self._logarithm,
            sympy.Sum: self._sum,
            sympy.Piecewise: self._piecewise,
        }

    def _product(self, expression: Expr) -> g.Node:
        above, below = [], []
        for factor in expression.args:
            base, exponent = factor.as_base_exp()
            if exponent.is_Rational and exponent < 0:
                below.append(self._raised(base, -exponent))
            else:
                above.append(self.node(factor))
        top = self.build.mul(*above) if above else self.build.num(1)
        return self.build.div(top, self.build.mul(*below)) if below else top

    def _power(self, expression: Expr) -> g.Node:
        base, exponent = expression.as_base_exp()
        if base == self.sympy.E:
            return self.build.fn("exp", self.node(exponent))
        if exponent.is_Rational and exponent < 0:
            return self.build.div(self.build.num(1), self._raised(base, -exponent))
        return self._raised(base, exponent)

    def _raised(self, base: Expr, exponent: Expr) -> g.Node:
        if exponent == self.sympy.Rational(1, 2):
            return self.build.fn("sqrt", self.node(base))
        return self.build.pow(self.node(base), self.node(exponent))

    def _logarithm(self, expression: Expr) -> g.Node:
        """`ln x` is `log2(x) / log2(e)`."""
        one = self.build.fn("log2", self.build.fn("exp", self.build.num(1)))
        return self.build.div(self.build.fn("log2", self.node(expression.args[0])), one)

    def _sum(self, expression: Expr) -> g.Node:
        """SymPy puts a sum in a sum as one with several limits, the innermost first."""
        body, *limits = expression.args
        hidden = dict(self.symbols)
        indices = {symbol.name: self.build.idx(symbol.name) for symbol, _, _ in limits}
        self.symbols.update(indices)
        made = self.node(body)
        for symbol, low, high in limits:
            made = self.build.sum(indices[symbol.name], self.node(low), self.node(high), made)
        for name in indices:
            del self.symbols[name]
            if name in hidden:
                self.symbols[name] = hidden[name]
        return made

    def _piecewise(self, expression: Expr) -> g.Node:
        value, condition = expression.args[-1]
        if condition != self.sympy.true:
            raise ValueError(f"this has no value everywhere: {expression}")
        made = self.node(value)
        for value, condition in reversed(expression.args[:-1]):
            made = self.build.cond(self.truth(condition), self.node(value), made)
        return made

    def truth(self, expression: Expr) -> g.Node | bool:
        sympy, build = self.sympy, self.build
        if expression in (sympy.true, sympy.false):
            return bool(expression)
        if isinstance(expression, sympy.And):
            return build.every(*map(self.truth, expression.args))
        if isinstance(expression, sympy.Or):
            return build.some(*map(self.truth, expression.args))
        if isinstance(expression, sympy.Not):
            return build.no(self.truth(expression.args[0]))
        if isinstance(expression, sympy.ITE):
            condition, yes, no = map(self.truth, expression.args)
            chosen = build.every(condition, yes)
            return build.some(chosen, build.every(build.no(condition), no))
        if not expression.is_Relational:
            raise ValueError(f"this is no condition: {expression}")
        return build.cmp(expression.rel_op, self.node(expression.lhs), self.node(expression.rhs))


def _plain(expression: Expr) -> g.SymbolInfo:
    from costlang.units import NONE

    kind = "count" if expression.is_integer else "real"
    floor = Fraction(0) if expression.is_nonnegative or expression.is_positive else None
    strict = bool(expression.is_positive)
    return g.SymbolInfo(expression.name, None, NONE, kind, floor=floor, strict=strict)
