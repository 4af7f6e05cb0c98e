"""What a number is made of: its parts by label, down to single operators, adding up exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from costlang.answer.lowered import Formula
from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation
from costlang.formula.sums import Closing
from costlang.model import exact
from costlang.model.work import spend
from costlang.units import Dimension


@dataclass(frozen=True)
class Piece:
    """
    One part of a number.

    *value* is in base units, *share* its part of the whole, *note* what was chosen on the way
    (the active side of a `max`); the values of *parts* add up to *value* exactly.
    """

    label: str
    value: Fraction
    share: Fraction
    note: str | None = None
    parts: tuple[Piece, ...] = ()

    def leaves(self, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Piece]]:
        """Yield the parts that have no parts, with their paths."""
        if not self.parts:
            yield path, self
        for part in self.parts:
            yield from part.leaves((*path, part.label))


@dataclass(frozen=True)
class Breakdown:
    """The whole and its parts; *dimension* is that of all of them."""

    whole: Piece
    dimension: Dimension


class NoParts(ValueError):
    """The number cannot be split: something in it is not known."""


def breakdown(formula: Formula) -> Breakdown:
    """Return the parts of *formula*; raises `NoParts` when its value is not one exact number."""
    splitting = _Splitting(formula.build)
    node = Closing(formula.build).close(formula.node)
    whole = splitting.value(node)
    return Breakdown(splitting.piece(formula.name, node, whole), formula.dimension)


PIECE = 60
"""The steps for which a part is taken off the whole."""


@dataclass(frozen=True)
class _Split:
    """The labelled parts of a node, and what was chosen to get them."""

    parts: tuple[tuple[str, g.Node], ...]
    note: str | None = None


class _Splitting:
    def __init__(self, build: g.Builder) -> None:
        self.build = build
        self.evaluation = Evaluation()

    def value(self, node: g.Node) -> Fraction:
        found = self.evaluation.number(node)
        if isinstance(found, Fraction):
            return found
        if isinstance(found, exact.Interval) and not found.slopes:
            low, high = Fraction(found.low), Fraction(found.high)
            return (low + high) / 2
        raise NoParts

    def piece(self, label: str, node: g.Node, whole: Fraction) -> Piece:
        spend(PIECE)
        split = self.split(node)
        parts = tuple(
            self.piece(name, part, whole) for name, part in split.parts if not g.is_zero(part)
        )
        value = self.value(node)
        share = value / whole if whole else Fraction(0)
        kept = tuple(part for part in parts if part.value != 0)
        return Piece(label, value, share, split.note, kept)

    def split(self, node: g.Node) -> _Split:
        """Return the parts of *node*; none when it has only one."""
        match node:
            case g.Def(body=body) | g.Part(body=body):
                return self._below(body)
            case g.Add(terms=terms):
                return _Split(tuple(self._named(terms)))
            case g.Max(sides=sides):
                return self._active(sides, "max", ">=")
            case g.Min(sides=sides):
                return self._active(sides, "min", "<=")
            case g.Cond(condition=condition, yes=yes, no=no):
                holds = self.evaluation.truth(condition)
                return self.split(yes if holds is True else no)
            case g.Mul(factors=factors):
                return self._scaled(factors)
            case g.Div(above=above, below=below):
                inner = self._below(above)
                parts = ((label, self.build.div(part, below)) for label, part in inner.parts)
                return _Split(tuple(parts), inner.note)
            case g.SumOver(index=index, low=low, high=high, body=body):
                return self._summed(index, low, high, body)
            case _:
                return _Split(())

    def _below(self, node: g.Node) -> _Split:
        """Return the parts of what stands under a name; a labelled one stays a step of the path."""
        if isinstance(node, g.Part):
            return _Split(((node.label, node.body),))
        return self.split(node)

    def _named(self, terms: tuple[g.Node, ...]) -> Iterator[tuple[str, g.Node]]:
        """Yield terms under their labels; those that share one are told apart by a number."""
        labels = [self._label(term) for term in terms]
        for at, (label, term) in enumerate(zip(labels, terms, strict=True)):
            same = labels[:at].count(label)
            inner = term.body if isinstance(term, g.Part) else term
            yield (label if labels.count(label) == 1 else f"{label} {same + 1}"), inner

    def _label(self, node: g.Node) -> str:
        """Return the label of a term: that of the active side where it is a choice."""
        if isinstance(node, (g.Max, g.Min)) and not node.free_indices:
            side = self._active_side(node.sides, ">=" if isinstance(node, g.Max) else "<=")
            return label_of(side) if side is not None else label_of(node)
        return label_of(node)

    def _active_side(self, sides: tuple[g.Node, ...], order: str) -> g.Node | None:
        numbers = [self.evaluation.number(side) for side in sides]
        for side, number in zip(sides, numbers, strict=True):
            if all(exact.compare(order, number, other) is True for other in numbers):
                return side
        return None

    def _active(self, sides: tuple[g.Node, ...], function: str, order: str) -> _Split:
        side = self._active_side(sides, order)
        if side is None:
            return _Split(())
        inner = self.split(side)
        note = f"{label_of(side)} is the {function}"
        return _Split(inner.parts or ((label_of(side), side),), note)

    def _scaled(self, factors: tuple[g.Node, ...]) -> _Split:
        inner = [(at, split) for at, f in enumerate(factors) if (split := self._below(f)).parts]
        if len(inner) != 1:
            return _Split(())
        at, split = inner[0]
        before, after = factors[:at], factors[at + 1 :]
        parts = ((label, self.build.mul(*before, part, *after)) for label, part in split.parts)
        return _Split(tuple(parts), split.note)

    def _summed(self, index: g.Idx, low: g.Node, high: g.Node, body: g.Node) -> _Split:
        if isinstance(g.bare(body), (g.Max, g.Min)):
            return _Split(())
        inner = self._below(body)
        parts = ((label, self.build.sum(index, low, high, term)) for label, term in inner.parts)
        return _Split(tuple(parts), inner.note)


def label_of(node: g.Node) -> str:
    """Return what an author would call *node*."""
    match node:
        case g.Def(name=name) | g.Sym(info=g.SymbolInfo(name=name)) | g.Part(label=name):
            return name
        case g.Neg(operand=operand):
            return label_of(operand)
        case g.Mul(factors=factors):
            named = [label_of(f) for f in factors if not isinstance(f, g.Num)]
            return " · ".join(named[:3]) if named else "constant"
        case g.Div(above=above):
            return label_of(above)
        case g.Max(sides=sides) | g.Min(sides=sides):
            kind = "max" if isinstance(node, g.Max) else "min"
            return f"{kind}({', '.join(label_of(side) for side in sides)})"
        case g.Fn(function=function, argument=argument):
            return f"{function}({label_of(argument)})"
        case g.SumOver(body=body):
            return f"sum of {label_of(body)}"
        case g.Num():
            return "constant"
        case _:
            return "rest"
