"""Makes nodes, equal ones once, and folds what is plain."""

from __future__ import annotations

from fractions import Fraction

from costlang.formula.nodes import (
    Add,
    All,
    Any,
    Cmp,
    Cond,
    Def,
    Div,
    Fn,
    Idx,
    Inf,
    Max,
    Min,
    Mul,
    Neg,
    Node,
    Not,
    Num,
    Part,
    Path,
    Pow,
    SumOver,
    Sym,
    SymbolInfo,
    bare,
    is_zero,
)
from costlang.model.exact import LONG, length
from costlang.model.work import spend
from costlang.text import Span
from costlang.units import NONE, Dimension

Key = tuple[object, ...]


class Builder:
    """
    Makes nodes, equal ones once, and folds what is plain.

    *places* has the author's place behind each node that a spec gave rise to, *operators* the
    operator; a node that stands in several has the first.
    """

    def __init__(self) -> None:
        self.places: dict[Node, Span] = {}
        self.operators: dict[Node, str] = {}
        self._made: dict[Key, Node] = {}
        self._serial = 0

    def _once(self, node: Node, *key: object) -> Node:
        spend(8)
        return self._made.setdefault((type(node), *key), node)

    @property
    def size(self) -> int:
        """How many nodes were made."""
        return len(self._made)

    # ---- leaves

    def num(self, value: Fraction | int, dimension: Dimension = NONE) -> Node:
        """Return the literal *value*, in base units."""
        exact = Fraction(value)
        return self._once(Num(exact, dimension), exact, dimension)

    def inf(self, sign: int = 1) -> Node:
        """Return infinity."""
        return self._once(Inf(sign), sign)

    def sym(self, path: Path, info: SymbolInfo) -> Node:
        """Return the symbol of *path*; the first *info* counts."""
        return self._once(Sym(path, info), path, info.value, info.default, info.low, info.high)

    def idx(self, name: str) -> Idx:
        """Return a new index, other than all before it."""
        self._serial += 1
        return Idx(name, self._serial)

    # ---- arithmetic

    def add(self, *terms: Node) -> Node:
        """Return the sum of *terms*, in their order; what is added and taken away is left out."""
        kept = _uncancelled([t for t in self._spread(terms, Add) if not is_zero(t)])
        if not kept:
            return next((term for term in terms if is_zero(term)), self.num(0))
        numbers = [t.value for t in kept if isinstance(t, Num)]
        if len(numbers) == len(kept) and _short(*numbers):
            return self.num(sum(numbers, Fraction(0)), _dimension(kept[0]))
        return kept[0] if len(kept) == 1 else self._once(Add(tuple(kept)), *map(id, kept))

    def _spread(self, nodes: tuple[Node, ...], kind: type[Node]) -> list[Node]:
        found: list[Node] = []
        for node in nodes:
            found.extend(node.children if type(node) is kind else (node,))
        return found

    def neg(self, operand: Node) -> Node:
        """Return `-operand`."""
        if isinstance(operand, Num):
            return self.num(-operand.value, operand.dimension)
        if isinstance(operand, Inf):
            return self.inf(-operand.sign)
        return (
            operand.operand if isinstance(operand, Neg) else self._once(Neg(operand), id(operand))
        )

    def sub(self, left: Node, right: Node) -> Node:
        """Return `left - right`."""
        return self.add(left, self.neg(right))

    def mul(self, *factors: Node) -> Node:
        """Return the product of *factors*, in their order, with literals together in front."""
        parts = self._spread(factors, Mul)
        value, dimension, rest = Fraction(1), NONE, []
        for part in parts:
            if isinstance(part, Num) and _short(value, part.value):
                value, dimension = value * part.value, dimension * part.dimension
            else:
                rest.append(part)
        if value == 0 or not rest:
            return self.num(value, dimension)
        front = [] if value == 1 and dimension == NONE else [self.num(value, dimension)]
        kept = [*front, *rest]
        return kept[0] if len(kept) == 1 else self._once(Mul(tuple(kept)), *map(id, kept))

    def div(self, above: Node, below: Node) -> Node:
        """Return `above / below`; dividing by the literal 0 is refused by `ZeroDivisionError`."""
        if isinstance(below, Num):
            if below.value == 0:
                raise ZeroDivisionError
            if isinstance(above, Num) and _short(above.value, below.value):
                return self.num(above.value / below.value, above.dimension / below.dimension)
            if below.value == 1 and below.dimension == NONE:
                return above
        if is_zero(above):
            return self.num(0, _dimension(above))
        return self._once(Div(above, below), id(above), id(below))

    def pow(self, base: Node, exponent: Node) -> Node:
        """Return `base ^ exponent`."""
        if isinstance(exponent, Num) and exponent.value == 1:
            return base
        if isinstance(exponent, Num) and exponent.value == 0:
            return self.num(1)
        if isinstance(base, Num) and isinstance(exponent, Num):
            folded = self._folded_power(base, exponent.value)
            if folded is not None:
                return folded
        return self._once(Pow(base, exponent), id(base), id(exponent))

    def _folded_power(self, base: Num, exponent: Fraction) -> Node | None:
        if exponent.denominator != 1 or abs(exponent) > 64 or (base.value == 0 and exponent < 0):
            return None
        if not _short(base.value, times=abs(int(exponent))):
            return None
        return self.num(base.value ** int(exponent), base.dimension ** int(exponent))

    # ---- choices

    def max(self, *sides: Node) -> Node:
        """Return the greatest of *sides*."""
        return self._choice(Max, sides, -1)

    def min(self, *sides: Node) -> Node:
        """Return the least of *sides*."""
        return self._choice(Min, sides, 1)

    def _choice(self, kind: type[Max] | type[Min], sides: tuple[Node, ...], idle: int) -> Node:
        kept = list(dict.fromkeys(s for s in sides if not (isinstance(s, Inf) and s.sign == idle)))
        kept = _beyond_zero(kept) if kind is Max else kept
        ruling = next((s for s in kept if isinstance(s, Inf)), None if kept else sides[0])
        if ruling is not None:
            return ruling
        if all(isinstance(s, Num) for s in kept):
            pick = max if kind is Max else min
            return pick(kept, key=lambda s: s.value if isinstance(s, Num) else 0)
        return kept[0] if len(kept) == 1 else self._once(kind(tuple(kept)), *map(id, kept))

    def fn(self, function: str, argument: Node) -> Node:
        """Return a built-in of *argument*."""
        return self._once(Fn(function, argument), function, id(argument))

    def cond(self, condition: Node | bool, yes: Node, no: Node) -> Node:
        """Return one of two, by *condition*."""
        if isinstance(condition, bool):
            return yes if condition else no
        if yes is no:
            return yes
        yes, no = self._alike(yes, no), self._alike(no, yes)
        return self._once(Cond(condition, yes, no), id(condition), id(yes), id(no))

    def _alike(self, node: Node, other: Node) -> Node:
        """Return *node*, a plain 0 in the dimension of the literal beside it."""
        plain = isinstance(node, Num) and node.value == 0 and node.dimension == NONE
        return self.num(0, other.dimension) if plain and isinstance(other, Num) else node

    # ---- truths

    def cmp(self, operator: str, left: Node, right: Node) -> Node | bool:
        """Return a comparison, decided where both sides are literals."""
        known = _compare(operator, left, right)
        if known is not None:
            return known
        return self._once(Cmp(operator, left, right), operator, id(left), id(right))

    def truth(self, value: bool) -> Node:
        """Return a truth that is known, as a node."""
        one = self.num(1)
        sign = "==" if value else "!="
        return self._once(Cmp(sign, one, one), sign, id(one), id(one))

    def every(self, *parts: Node | bool) -> Node | bool:
        """Return the `and` of *parts*."""
        if any(part is False for part in parts):
            return False
        kept = [part for part in parts if isinstance(part, Node)]
        if not kept:
            return True
        return kept[0] if len(kept) == 1 else self._once(All(tuple(kept)), *map(id, kept))

    def some(self, *parts: Node | bool) -> Node | bool:
        """Return the `or` of *parts*."""
        if any(part is True for part in parts):
            return True
        kept = [part for part in parts if isinstance(part, Node)]
        if not kept:
            return False
        return kept[0] if len(kept) == 1 else self._once(Any(tuple(kept)), *map(id, kept))

    def no(self, part: Node | bool) -> Node | bool:
        """Return the `not` of *part*."""
        return self._once(Not(part), id(part)) if isinstance(part, Node) else not part

    # ---- structure

    def sum(self, index: Idx, low: Node, high: Node, body: Node) -> Node:
        """Return the sum of *body* over *index*."""
        if is_zero(body):
            return body
        return self._once(SumOver(index, low, high, body), index, id(low), id(high), id(body))

    def definition(
        self,
        path: Path,
        name: str,
        alias: str | None,
        dimension: Dimension,
        body: Node,
        span: Span | None = None,
    ) -> Node:
        """Return *body* under a name."""
        return self._once(Def(path, name, alias, dimension, body, span), path, name, id(body))

    def part(self, label: str, body: Node) -> Node:
        """Return *body* under the label of a term."""
        return body if is_zero(body) else self._once(Part(label, body), label, id(body))


def _short(*values: Fraction, times: int = 1) -> bool:
    """Whether what comes of *values* is no longer than numbers are kept exactly."""
    return sum(map(length, values)) * times <= LONG


def _uncancelled(terms: list[Node]) -> list[Node]:
    """Return *terms* without the pairs of which one takes away the other."""
    kept = list(terms)
    for term in terms:
        if isinstance(term, Neg) and term in kept and term.operand in kept:
            kept.remove(term)
            kept.remove(term.operand)
    return kept


def _beyond_zero(sides: list[Node]) -> list[Node]:
    """Return the sides of a `max` without the literal 0 where another is never below it."""
    if any(_never_below_zero(side) for side in sides):
        return [side for side in sides if not is_zero(side)]
    return sides


def _never_below_zero(node: Node) -> bool:
    node = bare(node)
    return isinstance(node, Sym) and node.info.floor is not None and node.info.floor >= 0


def _dimension(node: Node) -> Dimension:
    return node.dimension if isinstance(node, Num) else NONE


def _compare(operator: str, left: Node, right: Node) -> bool | None:
    a, b = _level(left), _level(right)
    if a is None or b is None:
        return None
    if a[0] != b[0] or a[0] == 0:
        return {
            "<": a < b,
            "<=": a <= b,
            "==": a == b,
            "!=": a != b,
            ">=": a >= b,
            ">": a > b,
        }[operator]
    return operator in ("<=", "==", ">=")


def _level(node: Node) -> tuple[int, Fraction] | None:
    if isinstance(node, Num):
        return (0, node.value)
    return (node.sign, Fraction(0)) if isinstance(node, Inf) else None
