"""Why a number is what it is: its formula as a tree, active sides, distances, and what is idle."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from costlang.answer.answers import Answer
from costlang.answer.lowered import Formula
from costlang.answer.parts import label_of
from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation
from costlang.model import exact
from costlang.model.exact import Real


@dataclass(frozen=True)
class Branch:
    """A definition, what it is worth, and the definitions and symbols that it is made of."""

    name: str
    node: g.Node
    value: Real
    below: tuple[Branch, ...]


@dataclass(frozen=True)
class Ridge:
    """
    A choice between sides: which one is active, and how far the next one is.

    *ratio* is the active side over the next for a `max`, the next over the active for a `min`: at
    1 they meet.
    """

    function: str
    owner: str
    active: str | None
    next: str | None
    ratio: Fraction | None


@dataclass(frozen=True)
class Explanation:
    """An answer with the tree of its formula, its choices, and the inputs that are dead here."""

    answer: Answer
    formula: Formula
    tree: Branch
    ridges: tuple[Ridge, ...]
    dead: tuple[g.Sym, ...]


def explain(answer: Answer, formula: Formula) -> Explanation:
    """Return why *answer*, whose formula is *formula*, is what it is."""
    reading = _Reading(Evaluation())
    tree = reading.branch(formula.name, formula.node)
    live = reading.live(formula.node)
    dead = tuple(s for s in g.symbols(formula.node) if s not in live)
    return Explanation(answer, formula, tree, tuple(reading.ridges(formula)), dead)


class _Reading:
    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self._made: dict[tuple[str, g.Node], Branch] = {}

    def branch(self, name: str, node: g.Node) -> Branch:
        """Return the tree below *node*; what stands in it twice is one and the same branch."""
        key = name, node
        if key not in self._made:
            self._made[key] = Branch(name, node, self._number(node), self._below(node))
        return self._made[key]

    def _below(self, node: g.Node) -> tuple[Branch, ...]:
        if isinstance(node, g.Sym):
            return ()
        body = node.body if isinstance(node, g.Def) else node
        return tuple(self.branch(label_of(inner), inner) for inner in named_below(body))

    def _number(self, node: g.Node) -> Real:
        if node.free_indices:
            return exact.Unknown(frozenset())
        try:
            return self.evaluation.number(node)
        except exact.OutOfDomain:  # a branch that is not taken may have no value
            return exact.Unknown(frozenset())

    # ---- choices

    def ridges(self, formula: Formula) -> list[Ridge]:
        found: list[Ridge] = []
        owner = formula.name
        owners: dict[g.Node, str] = {}
        for node in g.walk(formula.node):
            if isinstance(node, g.Def):
                for inner in _inside(node.body):
                    owners.setdefault(inner, node.name)
        for node in g.walk(formula.node):
            if isinstance(node, (g.Max, g.Min)) and not node.free_indices:
                found.append(self._ridge(node, owners.get(node, owner)))
        return found

    def _ridge(self, node: g.Max | g.Min, owner: str) -> Ridge:
        function = "max" if isinstance(node, g.Max) else "min"
        numbers = [(self.evaluation.number(side), side) for side in node.sides]
        plain = [(value, side) for value, side in numbers if isinstance(value, Fraction)]
        if len(plain) < len(numbers):
            return Ridge(function, owner, None, None, None)
        plain.sort(key=lambda pair: pair[0], reverse=function == "max")
        (first, active), (second, following) = plain[0], plain[1]
        large, small = (first, second) if function == "max" else (second, first)
        ratio = large / small if small > 0 else None
        return Ridge(function, owner, label_of(active), label_of(following), ratio)

    # ---- what counts here

    def live(self, node: g.Node) -> set[g.Sym]:
        """Return the symbols on which the value hangs, along the active sides alone."""
        found: set[g.Sym] = set()
        seen: set[g.Node] = set()
        stack = [node]
        while stack:
            at = stack.pop()
            if at in seen:
                continue
            seen.add(at)
            if isinstance(at, g.Sym):
                found.add(at)
            stack.extend(self._active(at))
        return found

    def _active(self, node: g.Node) -> tuple[g.Node, ...]:
        if node.free_indices:
            return node.children
        if isinstance(node, (g.Max, g.Min)):
            order = ">=" if isinstance(node, g.Max) else "<="
            numbers = [self.evaluation.number(side) for side in node.sides]
            return tuple(
                side
                for side, number in zip(node.sides, numbers, strict=True)
                if all(exact.compare(order, number, other) is not False for other in numbers)
            )
        if isinstance(node, g.Cond):
            holds = self.evaluation.truth(node.condition)
            if isinstance(holds, bool):
                return (node.yes if holds else node.no,)
        return node.children


def _inside(node: g.Node) -> list[g.Node]:
    """Return the nodes of *node* down to, and without, the definitions below."""
    found = [node]
    for child in node.children:
        if not isinstance(child, g.Def):
            found.extend(_inside(child))
    return found


def named_below(node: g.Node) -> list[g.Node]:
    """Return the definitions and symbols that *node* is directly made of, each once."""
    found: dict[g.Node, None] = {}
    stack = [node]
    while stack:
        at = stack.pop(0)
        if isinstance(at, (g.Def, g.Sym)):
            found[at] = None
        else:
            stack[:0] = list(at.children)
    return list(found)
