"""A formula as a straight-line program over float64 arrays: every shared part once, in blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from costlang.formula import graph as g
from costlang.formula.sums import Closing

Array = Any
"""A NumPy array of float64, or of bool for a truth."""

BLOCK = 8192
MOST_TERMS = 1_000_000


@dataclass(frozen=True)
class Step:
    """One instruction: *operation* on the registers *sources*, into the next register."""

    operation: str
    sources: tuple[int, ...]
    constant: float = 0.0
    name: str = ""
    inner: Compiled | None = None


@dataclass(frozen=True)
class Compiled:
    """
    A program; call it with arrays or numbers by the names of *inputs*, all in base units.

    Arrays are broadcast, and what hangs on one axis of a grid only is computed on that axis only.
    A name that is left out takes its known value or default; the result is in base units.
    One that has neither may be left out where no point hangs on it: on a side that is not taken.
    """

    steps: tuple[Step, ...]
    inputs: tuple[str, ...]
    known: tuple[tuple[str, float], ...]
    result: int
    carried: tuple[str, ...] = ()

    def __call__(self, /, **values: Any) -> Array:
        """Return the value of the formula at each point; raises `TypeError` for unknown names."""
        import numpy as np

        arrays = self._arrays(values)
        shape = np.broadcast_shapes(*(a.shape for a in arrays.values())) if arrays else ()
        missing = frozenset(name for name in self.inputs if name not in arrays)
        if missing:
            return self._without(missing, arrays, shape)
        if len(shape) != 1 or shape[0] <= BLOCK:
            return np.broadcast_to(self._run(arrays), shape).copy()
        out = np.empty(shape)
        fixed = self._fixed(arrays)
        for start in range(0, shape[0], BLOCK):
            part = slice(start, start + BLOCK)
            inside = {n: a[part] if a.ndim else a for n, a in arrays.items()}
            out[part] = self._run(inside, fixed)
        return out

    def _fixed(self, arrays: dict[str, Array]) -> dict[int, Array]:
        """Return the registers that hang on no array, worked out once for all blocks."""
        import numpy as np

        fixed: dict[int, Array] = {}
        with np.errstate(all="ignore"):
            for at, step in enumerate(self.steps):
                moves = step.operation == "input" and arrays[step.name].ndim > 0
                if moves or step.inner is not None or any(s not in fixed for s in step.sources):
                    continue
                registers = [fixed[source] for source in step.sources]
                plain = replace(step, sources=tuple(range(len(registers))))
                fixed[at] = _execute(np, plain, registers, arrays)
        return fixed

    def _arrays(self, values: dict[str, Any]) -> dict[str, Array]:
        import numpy as np

        wrong = sorted(set(values) - set(self.inputs))
        if wrong:
            raise TypeError(f"no input {', '.join(wrong)}; there are: {', '.join(self.inputs)}")
        given = {**dict(self.known), **values}
        there = [name for name in self.inputs if name in given]
        return {name: np.asarray(given[name], dtype=np.float64) for name in there}

    def _without(
        self, missing: frozenset[str], arrays: dict[str, Array], shape: tuple[int, ...]
    ) -> Array:
        """Return the value at each point where none hangs on a name that is missing."""
        import numpy as np

        nothing = dict.fromkeys(missing, np.asarray(np.nan))
        registers = self._registers({**arrays, **nothing})
        if np.any(_hangs(np, self, registers, missing)):
            raise TypeError(f"nothing sets {', '.join(n for n in self.inputs if n in missing)}")
        return np.broadcast_to(registers[self.result], shape).copy()

    def _run(self, arrays: dict[str, Array], fixed: dict[int, Array] | None = None) -> Array:
        return self._registers(arrays, fixed)[self.result]

    def _registers(
        self, arrays: dict[str, Array], fixed: dict[int, Array] | None = None
    ) -> list[Array]:
        import numpy as np

        with np.errstate(all="ignore"):
            registers: list[Array] = []
            known = fixed or {}
            for at, step in enumerate(self.steps):
                done = at in known
                registers.append(known[at] if done else _execute(np, step, registers, arrays))
        return registers


def _hangs(np: Any, program: Compiled, registers: list[Array], missing: frozenset[str]) -> Array:
    """Return for each point whether the result hangs on one of the names in *missing*."""
    flags: list[Array] = []
    for step in program.steps:
        taken = [flags[source] for source in step.sources]
        flag = np.bool_(step.operation == "input" and step.name in missing)
        if step.operation == "where":
            condition, yes, no = taken
            flag = condition | np.where(registers[step.sources[0]], yes, no)
        elif taken:
            flag = _joined(np.logical_or)(np, *taken)
        if step.inner is not None:
            flag = flag | bool(missing & frozenset(step.inner.inputs))
        flags.append(flag)
    return flags[program.result]


def _execute(np: Any, step: Step, registers: list[Array], arrays: dict[str, Array]) -> Array:
    if step.operation == "constant":
        return np.float64(step.constant)
    if step.operation == "input":
        return arrays[step.name]
    taken = [registers[source] for source in step.sources]
    if step.operation == "sum":
        return _loop(np, step, taken, arrays)
    return _OPERATIONS[step.operation](np, *taken)


def _loop(np: Any, step: Step, taken: Sequence[Array], arrays: dict[str, Array]) -> Array:
    """Add up the inner program for each value of the index; points outside their bounds add 0."""
    assert step.inner is not None
    low, high, *outer = taken
    if np.isnan(low).any() or np.isnan(high).any():
        return np.float64(np.nan)
    first, last = int(np.min(low)), int(np.max(high))
    if last - first > MOST_TERMS:
        raise OverflowError(f"a sum has {last - first + 1} terms")
    values = {**arrays, **dict(zip(step.inner.carried, outer, strict=True))}
    total: Array = np.float64(0)
    for at in range(first, last + 1):
        body = step.inner._run({**values, step.name: np.float64(at)})
        total = total + np.where((low <= at) & (at <= high), body, 0.0)
    return total


def _joined(combine: Callable[[Any, Any], Any]) -> Callable[..., Array]:
    def operation(np: Any, first: Array, *rest: Array) -> Array:
        for other in rest:
            first = combine(first, other)
        return first

    return operation


_OPERATIONS: dict[str, Callable[..., Array]] = {
    "add": _joined(lambda a, b: a + b),
    "mul": _joined(lambda a, b: a * b),
    "all": _joined(lambda a, b: a & b),
    "any": _joined(lambda a, b: a | b),
    "neg": lambda np, a: -a,
    "not": lambda np, a: ~a,
    "div": lambda np, a, b: np.divide(a, b),
    "pow": lambda np, a, b: np.power(a, b),
    "max": lambda np, *s: _joined(np.maximum)(np, *s),
    "min": lambda np, *s: _joined(np.minimum)(np, *s),
    "where": lambda np, c, a, b: np.where(c, a, b),
    "ceil": lambda np, a: np.ceil(a),
    "floor": lambda np, a: np.floor(a),
    "abs": lambda np, a: np.abs(a),
    "sqrt": lambda np, a: np.sqrt(a),
    "log2": lambda np, a: np.log2(a),
    "exp": lambda np, a: np.exp(a),
    "<": lambda np, a, b: np.less(a, b),
    "<=": lambda np, a, b: np.less_equal(a, b),
    "==": lambda np, a, b: np.equal(a, b),
    "!=": lambda np, a, b: np.not_equal(a, b),
    ">=": lambda np, a, b: np.greater_equal(a, b),
    ">": lambda np, a, b: np.greater(a, b),
}

_NAMES: dict[type[g.Node], str] = {
    g.Add: "add",
    g.Mul: "mul",
    g.Neg: "neg",
    g.Div: "div",
    g.Pow: "pow",
    g.Max: "max",
    g.Min: "min",
    g.All: "all",
    g.Any: "any",
    g.Not: "not",
    g.Cond: "where",
}


def compile_node(node: g.Node, builder: g.Builder | None = None) -> Compiled:
    """Return *node* as a program; its sums are closed first where they can be."""
    closed = Closing(builder or g.Builder()).close(node)
    return _Compiling(closed, input_names(closed)).program()


def input_names(node: g.Node) -> dict[g.Sym, str]:
    """Return the name of each symbol: the author's, its path where two share it."""
    found = g.symbols(node)
    names = [symbol.name for symbol in found]
    return {s: s.name if names.count(s.name) == 1 else ".".join(s.path) for s in found}


class _Compiling:
    def __init__(
        self, root: g.Node, names: dict[g.Sym, str], carried: dict[g.Node, str] | None = None
    ) -> None:
        self.root = root
        self.names = names
        self.carried = carried or {}
        self.steps: list[Step] = []
        self.places: dict[g.Node, int] = {}

    def program(self) -> Compiled:
        self._place(self.root)
        known = tuple(
            (name, float(symbol.info.known))
            for symbol, name in self.names.items()
            if symbol.info.known is not None
        )
        inputs = tuple(self.names.values())
        carried = tuple(self.carried.values())
        return Compiled(tuple(self.steps), inputs, known, self.places[self.root], carried)

    def _place(self, node: g.Node) -> int:
        if node not in self.places:
            step = self._step(node)
            if isinstance(step, int):
                self.places[node] = step
            else:
                self.steps.append(step)
                self.places[node] = len(self.steps) - 1
        return self.places[node]

    def _step(self, node: g.Node) -> Step | int:
        if node in self.carried:
            return Step("input", (), name=self.carried[node])
        match node:
            case g.Def(body=body) | g.Part(body=body):
                return self._place(body)
            case g.Num(value=value):
                return Step("constant", (), _float(value))
            case g.Inf(sign=sign):
                return Step("constant", (), sign * float("inf"))
            case g.Sym():
                return Step("input", (), name=self.names[node])
            case g.Idx(name=name, serial=serial):
                return Step("input", (), name=f"{name}#{serial}")
            case g.Fn(function=operation) | g.Cmp(operator=operation):
                return Step(operation, tuple(self._place(child) for child in node.children))
            case g.SumOver():
                return self._sum(node)
            case _:
                sources = tuple(self._place(child) for child in node.children)
                return Step(_NAMES[type(node)], sources)

    def _sum(self, node: g.SumOver) -> Step:
        """Compile the body apart; what does not hang on the index is computed once, outside."""
        hoisted = {n: f"outer#{at}" for at, n in enumerate(self._fixed(node.body, node))}
        inner = _Compiling(node.body, self.names, hoisted).program()
        sources = (
            self._place(node.low),
            self._place(node.high),
            *(self._place(n) for n in hoisted),
        )
        return Step("sum", sources, name=f"{node.index.name}#{node.index.serial}", inner=inner)

    def _fixed(self, node: g.Node, whole: g.SumOver) -> list[g.Node]:
        """Return the largest parts of a body that hang on no index but those around *whole*."""
        if node.free_indices <= whole.free_indices:
            return [] if isinstance(node, (g.Num, g.Inf)) else [node]
        found: dict[g.Node, None] = {}
        for child in node.children:
            found.update(dict.fromkeys(self._fixed(child, whole)))
        return list(found)


def _float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
