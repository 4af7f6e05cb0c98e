"""Graphs made at random: shared parts, names that meet, labels, signs, choices and sums."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st

from costlang.formula import graph as g
from costlang.units import NONE, Dimension

MET: Counter[str] = Counter()
"""How many nodes of each kind were generated."""

DIMENSIONS = [
    NONE,
    NONE,
    Dimension.of("B"),
    Dimension.of("tok"),
    Dimension.of("FLOP") / Dimension.of("s"),
    Dimension.of("FLOP") / Dimension.of("tok") ** 2,
    Dimension.of("$") / Dimension.of("s"),
    NONE / Dimension.of("s"),
    Dimension.of("B") * Dimension.of("s"),
]
NAMES = ["S", "beta", "batch", "hbm_bandwidth", "peak[bf16]", "E", "x", "layers"]
ALIASES = [None, "S", "eta_c", "F[bf16]", "n_kv", "t", "beta", "M_hbm_max", "lambda", "mfu"]
PATHS = [("m",), ("one", "m"), ("two", "m")]

numbers = st.one_of(
    st.integers(-4, 6).map(Fraction),
    st.fractions(-3, 3, max_denominator=12),
    st.sampled_from([Fraction(text) for text in "7e10 989e12 3350000000000 1e-9 1e45".split()]),
)


@dataclass
class Made:
    """A graph with values for its symbols."""

    root: g.Node
    values: dict[g.Node, Fraction]


class Making:
    """Draws nodes; each may be taken again, so that graphs share."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.build = g.Builder()
        self.values: dict[g.Node, Fraction] = {}
        self.pool: list[g.Node] = []
        for name, alias, path in draw(st.lists(_SYMBOLS, min_size=2, max_size=5)):
            info = g.SymbolInfo(name, alias, draw(st.sampled_from(DIMENSIONS)), "real")
            symbol = self.build.sym((*path, name), info)
            self.values[symbol] = draw(st.fractions(-3, 4, max_denominator=3))
            self.pool.append(symbol)

    def node(self, depth: int) -> g.Node:
        if depth == 0 or self.draw(st.integers(0, 9)) == 0:
            return self.leaf()
        made = self.composite(self.draw(st.sampled_from(KINDS)), depth - 1)
        self.pool.append(made)
        return made

    def leaf(self) -> g.Node:
        if self.draw(st.integers(0, 2)) == 0:
            return self.build.num(self.draw(numbers), self.draw(st.sampled_from(DIMENSIONS)))
        return self.draw(st.sampled_from(self.pool))

    def composite(self, kind: str, depth: int) -> g.Node:
        build, draw = self.build, self.draw
        MET[kind] += 1
        if kind == "sum":
            return self.sum(depth)
        if kind == "common":
            shared = self.node(depth)
            terms = [build.mul(self.leaf(), shared, self.node(depth)) for _ in range(2)]
            return build.add(*(build.part("p", term) for term in terms))
        one, other = self.node(depth), self.node(depth)
        match kind:
            case "add":
                return build.add(one, other, self.leaf())
            case "sub":
                return build.sub(one, other)
            case "neg":
                return build.neg(one)
            case "mul":
                return build.mul(one, other)
            case "div":
                return one if g.is_zero(other) else build.div(one, other)
            case "pow":
                exponent = draw(st.sampled_from([Fraction(n) for n in (-2, -1, 2, 3)] + [HALF]))
                return build.pow(one, draw(st.sampled_from([build.num(exponent), other])))
            case "max":
                return build.max(one, other)
            case "min":
                return build.min(one, other, self.leaf())
            case "fn":
                names = "ceil floor abs sqrt log2 exp".split()
                return build.fn(draw(st.sampled_from(names)), one)
            case "cond":
                return build.cond(self.truth(2), one, other)
            case "part":
                return build.part(draw(st.sampled_from(["q", "layers", "mlp.up"])), one)
        name, alias, path = draw(_SYMBOLS)
        dimension = draw(st.sampled_from(DIMENSIONS))
        return build.definition((*path, name), name, alias, dimension, one)

    def truth(self, depth: int) -> g.Node | bool:
        kind = self.draw(st.sampled_from(["cmp", "cmp", "and", "or", "not"] if depth else ["cmp"]))
        MET[kind] += 1
        if kind == "cmp":
            operator = self.draw(st.sampled_from("< <= == != >= >".split()))
            return self.build.cmp(operator, self.node(1), self.node(1))
        if kind == "not":
            return self.build.no(self.truth(depth - 1))
        join = self.build.every if kind == "and" else self.build.some
        return join(self.truth(depth - 1), self.truth(depth - 1))

    def sum(self, depth: int) -> g.Node:
        index = self.build.idx(self.draw(st.sampled_from(["i", "j", "S"])))
        outside = list(self.pool)
        low = self.build.num(self.draw(st.integers(0, 2)))
        high = self.build.fn("floor", self.node(0))
        high = self.build.min(high, self.build.num(self.draw(st.integers(0, 4))))
        self.pool.append(index)
        body = self.node(depth)
        self.pool[:] = outside
        return self.build.sum(index, low, high, body)


HALF = Fraction(1, 2)
KINDS = "add sub neg mul div pow max min fn cond part def def sum common".split()
_SYMBOLS = st.tuples(st.sampled_from(NAMES), st.sampled_from(ALIASES), st.sampled_from(PATHS))


@st.composite
def graphs(draw: st.DrawFn) -> Made:
    """Return a graph, and a value for each of its symbols."""
    making = Making(draw)
    root = making.node(4)
    return Made(root, making.values)
