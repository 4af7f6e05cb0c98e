"""A formula of one unknown as a list of steps, each made of steps before it, numbers put in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from costlang.formula import graph as g
from costlang.model import exact
from costlang.solve.ground.budget import Unsupported

Number = Fraction | exact.Infinity
Values = Mapping[g.Sym, Number]
"""What the other symbols are worth; a symbol that is left out stays open."""


@dataclass(frozen=True)
class Step:
    """
    One piece of a formula.

    *kind* is one of `number inf truth void x add mul neg div power root max min if ceil floor abs
    log2 exp raise cmp all any not`; *args* are the steps it is made of. `power` is to the whole
    *value*, at least 2; `root` to the positive broken *value*; `raise` has both as steps.
    """

    kind: str
    args: tuple[int, ...] = ()
    value: Fraction = Fraction(0)
    word: str = ""


CRITICAL = {"div": 1, "log2": 0, "root": 0, "raise": 0}
"""Steps that hang on the sign of one of their arguments, and which."""
CHOICES = frozenset({"max", "min", "if", "abs"})
STEPPED = frozenset({"ceil", "floor"})
TRUTHS = frozenset({"cmp", "all", "any", "not"})
CURVED = frozenset({"root", "log2", "exp", "raise"})


@dataclass(frozen=True, eq=False)
class Program:
    """The steps; *moves* tells which hang on the unknown, *at* which step a node is."""

    steps: tuple[Step, ...]
    moves: tuple[bool, ...]
    unknown: g.Sym
    at: Mapping[g.Node, int]

    @property
    def curved(self) -> bool:
        """Whether it holds a root, a logarithm or an exponential."""
        return any(step.kind in CURVED for step in self.steps)


class Writer:
    """Writes the steps of formulas, equal ones once."""

    def __init__(self, unknown: g.Sym, values: Values) -> None:
        self.unknown = unknown
        self.values = values
        self.steps: list[Step] = []
        self.moves: list[bool] = []
        self._known: dict[Step, int] = {}
        self._at: dict[g.Node, int] = {}

    def program(self) -> Program:
        """Return what was written."""
        return Program(tuple(self.steps), tuple(self.moves), self.unknown, self._at)

    def write(self, node: g.Node) -> int:
        """Write *node* and return where it stands; raises `Unsupported` for what cannot be."""
        for each in g.walk(node):
            if each not in self._at:
                self._at[each] = self._tried(each)
        return self._at[node]

    def _tried(self, node: g.Node) -> int:
        """Write a node; what cannot be written counts only where it is not chosen away."""
        try:
            return self._written(node)
        except Unsupported as fault:
            return self._put(Step("strange", word=str(fault)))

    def wanted(self, at: int) -> int:
        """Return *at* when all below it can be worked out; else raise `Unsupported`."""
        seen, stack = {at}, [at]
        while stack:
            step = self.steps[stack.pop()]
            if step.kind == "strange":
                raise Unsupported(step.word)
            fresh = set(step.args) - seen
            seen |= fresh
            stack.extend(fresh)
        return at

    def difference(self, left: g.Node, right: g.Node) -> int:
        """Write `left - right`; where one of them is infinite, 1 or -1 tells which is more."""
        a, b = self.write(left), self.write(right)
        if a == b:
            # Equal sides are so where they have a value at all, and nowhere else.
            return self.wanted(self._multiply([self._number(Fraction(0)), a]))
        for at, side in ((a, 1), (b, -1)):
            if self.steps[at].kind == "inf" and not self._is_void([a, b]):
                return self._number(side * self.steps[at].value)
        return self.wanted(self._add([a, self._negative(b)]))

    # ---- one node

    def _written(self, node: g.Node) -> int:
        match node:
            case g.Num(value=value):
                return self._number(value)
            case g.Inf(sign=sign):
                return self._put(Step("inf", (), Fraction(sign)))
            case g.Sym():
                return self._symbol(node)
            case g.Def(body=body) | g.Part(body=body):
                return self._at[body]
            case g.Idx(name=name):
                raise Unsupported(f"the sum over {name} cannot be written out")
            case g.SumOver(index=index):
                raise Unsupported(f"the sum over {index.name} cannot be written out")
            case _:
                return self._operation(node, [self._at[child] for child in node.children])

    def _symbol(self, node: g.Sym) -> int:
        if node is self.unknown:
            return self._put(Step("x"))
        if node not in self.values:
            raise Unsupported(f"nothing sets {'.'.join(node.path)}")
        value = self.values[node]
        if isinstance(value, exact.Infinity):
            return self._put(Step("inf", (), Fraction(value.sign)))
        return self._number(value)

    def _operation(self, node: g.Node, below: list[int]) -> int:
        match node:
            case g.Add():
                return self._add(below)
            case g.Mul():
                return self._multiply(below)
            case g.Neg():
                return self._negative(below[0])
            case g.Div():
                return self._divide(below[0], below[1])
            case g.Pow():
                return self._power(below[0], below[1])
            case g.Max() | g.Min():
                return self._choice("max" if isinstance(node, g.Max) else "min", below)
            case g.Fn(function=function):
                return self._function(function, below[0])
            case g.Cond():
                return self._conditional(below)
            case _:
                return self._truth(node, below)

    # ---- arithmetic

    def _put(self, step: Step) -> int:
        if step not in self._known:
            self._known[step] = len(self.steps)
            self.steps.append(step)
            self.moves.append(step.kind == "x" or any(self.moves[at] for at in step.args))
        return self._known[step]

    def _number(self, value: Fraction) -> int:
        return self._put(Step("number", (), value))

    def _void(self) -> int:
        return self._put(Step("void"))

    def _constant(self, at: int) -> Fraction | None:
        return self.steps[at].value if self.steps[at].kind == "number" else None

    def _finite(self, below: Iterable[int]) -> None:
        if any(self.steps[at].kind == "inf" for at in below):
            raise Unsupported("inf stands where only a number can")

    def _is_void(self, below: Iterable[int]) -> bool:
        return any(self.steps[at].kind == "void" for at in below)

    def _add(self, below: list[int]) -> int:
        self._finite(below)
        if self._is_void(below):
            return self._void()
        total = sum((self._constant(at) or Fraction(0) for at in below), Fraction(0))
        rest = [at for at in below if self._constant(at) is None]
        if not rest:
            return self._number(total)
        kept = [*rest, *([self._number(total)] if total else [])]
        return kept[0] if len(kept) == 1 else self._put(Step("add", tuple(kept)))

    def _negative(self, at: int) -> int:
        self._finite([at])
        value = self._constant(at)
        if value is not None:
            return self._number(-value)
        step = self.steps[at]
        if step.kind == "neg":
            return step.args[0]
        return at if step.kind == "void" else self._put(Step("neg", (at,)))

    def _multiply(self, below: list[int]) -> int:
        self._finite(below)
        if self._is_void(below):
            return self._void()
        product = Fraction(1)
        for at in below:
            value = self._constant(at)
            product *= value if value is not None else 1
        rest = [at for at in below if self._constant(at) is None]
        if not rest or (product == 0 and not self._may_be_void(rest)):
            return self._number(product)
        kept = [*([self._number(product)] if product != 1 else []), *rest]
        return kept[0] if len(kept) == 1 else self._put(Step("mul", tuple(kept)))

    def _may_be_void(self, below: list[int]) -> bool:
        return any(self.steps[at].kind not in ("x", "number") for at in below)

    def _divide(self, above: int, below: int) -> int:
        self._finite([above, below])
        value, divisor = self._constant(above), self._constant(below)
        if divisor == 0 or self._is_void([above, below]):
            return self._void()
        if value is not None and divisor is not None:
            return self._number(value / divisor)
        if divisor is not None:
            return self._multiply([self._number(1 / divisor), above])
        return self._put(Step("div", (above, below)))

    def _power(self, base: int, exponent: int) -> int:
        self._finite([base, exponent])
        if self._is_void([base, exponent]):
            return self._void()
        power, value = self._constant(exponent), self._constant(base)
        if power is None:
            return self._raised(base, exponent, value)
        if power == 0:
            return self._number(Fraction(1))
        if power < 0:
            positive = self._power(base, self._number(-power))
            return self._divide(self._number(Fraction(1)), positive)
        if power == 1:
            return base
        if power.denominator == 1:
            return self._whole_power(base, power, value)
        return self._broken_power(base, power, value)

    def _whole_power(self, base: int, power: Fraction, value: Fraction | None) -> int:
        if value is not None:
            folded = _folded(exact.power, value, power)
            if isinstance(folded, Fraction):
                return self._number(folded)
        return self._put(Step("power", (base,), power))

    def _broken_power(self, base: int, power: Fraction, value: Fraction | None) -> int:
        if value is not None:
            if value < 0:
                return self._void()
            folded = _folded(exact.power, value, power)
            if isinstance(folded, Fraction):
                return self._number(folded)
        return self._put(Step("root", (base,), power))

    def _raised(self, base: int, exponent: int, value: Fraction | None) -> int:
        if value == 1:
            return base
        if value is not None and value <= 0:
            raise Unsupported("a number that is not above zero is raised to an open power")
        return self._put(Step("raise", (base, exponent)))

    # ---- choices and functions

    def _choice(self, kind: str, below: list[int]) -> int:
        if self._is_void(below):
            return self._void()
        idle = Fraction(-1 if kind == "max" else 1)
        sides = [at for at in dict.fromkeys(below) if not self._is_inf(at, idle)]
        if not sides or any(self._is_inf(at, -idle) for at in sides):
            return next((at for at in below if self._is_inf(at, -idle)), below[0])
        pick = max if kind == "max" else min
        known = [value for at in sides if (value := self._constant(at)) is not None]
        if len(known) == len(sides):
            return self._number(pick(known))
        return sides[0] if len(sides) == 1 else self._put(Step(kind, tuple(sides)))

    def _is_inf(self, at: int, sign: Fraction) -> bool:
        step = self.steps[at]
        return step.kind == "inf" and step.value == sign

    def _function(self, function: str, at: int) -> int:
        self._finite([at])
        if function == "sqrt":
            return self._power(at, self._number(Fraction(1, 2)))
        value = self._constant(at)
        if self._is_void([at]) or (function == "log2" and value is not None and value <= 0):
            return self._void()
        if value is not None:
            folded = _folded(_FUNCTIONS[function], value)
            if isinstance(folded, Fraction):
                return self._number(folded)
        return self._put(Step(function, (at,)))

    def _conditional(self, below: list[int]) -> int:
        condition, yes, no = below
        step = self.steps[condition]
        if step.kind == "truth":
            return yes if step.value else no
        if step.kind == "void":
            return condition
        self._finite([yes, no])
        return yes if yes == no else self._put(Step("if", tuple(below)))

    # ---- truths

    def _truth(self, node: g.Node, below: list[int]) -> int:
        match node:
            case g.Cmp(operator=operator):
                return self._comparison(operator, below)
            case g.Not():
                return self._negation(below[0])
            case g.All():
                return self._joined("all", below)
            case g.Any():
                return self._joined("any", below)
            case _:
                raise Unsupported(f"solving knows no {type(node).__name__}")

    def _comparison(self, operator: str, below: list[int]) -> int:
        if self._is_void(below):
            return self._void()
        left, right = (self._level(at) for at in below)
        if left is not None and right is not None:
            return self._known_truth(_COMPARE[operator](left, right))
        if left is None and right is None:
            return self._put(Step("cmp", tuple(below), word=operator))
        level, other = (left, right) if left is not None else (right, left)
        assert level is not None and other is None
        if level[0]:
            pair = (level, (0, Fraction(0))) if left is not None else ((0, Fraction(0)), level)
            return self._known_truth(_COMPARE[operator](*pair))
        return self._put(Step("cmp", tuple(below), word=operator))

    def _level(self, at: int) -> tuple[int, Fraction] | None:
        """Return a number as it is ordered among infinities, None while it is open."""
        step = self.steps[at]
        if step.kind == "inf":
            return int(step.value), Fraction(0)
        return (0, step.value) if step.kind == "number" else None

    def _known_truth(self, value: bool) -> int:
        return self._put(Step("truth", (), Fraction(int(value))))

    def _negation(self, at: int) -> int:
        step = self.steps[at]
        if step.kind == "truth":
            return self._known_truth(not step.value)
        return at if step.kind == "void" else self._put(Step("not", (at,)))

    def _joined(self, kind: str, below: list[int]) -> int:
        """Join truths in their order: what stands after a part that decides is not looked at."""
        decisive = kind == "any"
        kept: list[int] = []
        for at in below:
            step = self.steps[at]
            if step.kind == "truth" and bool(step.value) is not decisive:
                continue
            kept.append(at)
            if step.kind == "truth":
                break
        if not kept:
            return self._known_truth(not decisive)
        return kept[0] if len(kept) == 1 else self._put(Step(kind, tuple(kept)))


_FUNCTIONS = {
    "ceil": exact.ceil,
    "floor": exact.floor,
    "abs": exact.absolute,
    "log2": exact.log2,
    "exp": exact.exp,
}

_COMPARE = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
}


def _folded(function: object, *values: Fraction) -> exact.Real | None:
    try:
        return function(*values)  # type: ignore[operator,no-any-return]
    except ArithmeticError:
        return None
