"""A question in which something is sought, as formulas: the unknown is a symbol without a value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from costlang.answer.requirements import Need, needs_of
from costlang.answer.worlds import World, open_world
from costlang.formula import graph as g
from costlang.formula.lower import Lowering
from costlang.formula.sums import rebuild
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.domains import literal
from costlang.model.fitting import REQUESTS, TOKENS
from costlang.model.instances import Instance
from costlang.model.types import NumberType, Type
from costlang.solve import Domain, integers, members, reals
from costlang.text import Span
from costlang.units import Dimension

Above = tuple[d.Setting, ...]
MARK = Fraction(1)
"""What an unknown is set to, so that it is a symbol of its own whatever else would set it."""


@dataclass(frozen=True, eq=False)
class Sought:
    """
    The world of a question, in which the unknowns at *paths* stay symbols.

    What follows the thing in which an unknown stands has it as well, `b` where `use b = a`: all
    of these are one symbol, the first that is met.
    """

    question: d.Question
    paths: tuple[c.Path, ...]
    kind: Type
    lowering: Lowering
    world: World
    at: Instance
    first: dict[str, g.Sym] = field(default_factory=dict)

    @property
    def path(self) -> c.Path:
        """The names that lead to the one unknown, or to the first."""
        return self.paths[0]

    @property
    def build(self) -> g.Builder:
        """What makes nodes that share with those of the question."""
        return self.lowering.build

    def lowered(self, core: c.Core) -> object:
        """Return the formula of *core*, a truth where it is one, or what it is instead."""
        return self._as_one(self.world.value(core, self.at))

    def needs(self) -> Iterator[tuple[Need, object]]:
        """Yield the requirements of what was read, each with its lowered condition."""
        read = self.lowering.trace
        seen: set[tuple[str, int, tuple[str, ...]]] = set()
        for need in list(needs_of(read, self.at)):
            key = (need.requirement.name, need.requirement.span.start, need.place)
            if key not in seen:
                seen.add(key)
                value = self.lowering.value(need.requirement.condition, need.env)
                yield need, self._as_one(value)

    def symbol(self, nodes: list[g.Node], path: c.Path | None = None) -> g.Sym | None:
        """Return the symbol of the unknown, None where it does not stand in *nodes*."""
        mark = _mark(self.paths.index(path if path is not None else self.path))
        found = (s for node in nodes for s in g.symbols(node))
        return next((s for s in found if s.info.source == mark), None)

    def _as_one(self, value: object) -> object:
        """Return a formula in which each unknown is one symbol."""
        if not isinstance(value, g.Node):
            return value
        marked = {s: s.info.source for s in g.symbols(value) if _is_marked(s)}
        others: dict[g.Node, g.Node] = {
            symbol: first
            for symbol, mark in marked.items()
            if mark is not None and (first := self.first.setdefault(mark, symbol)) is not symbol
        }
        return _replaced(self.build, value, others) if others else value


def joined(path: c.Path) -> c.Path:
    """Return *path* with a row of a table as one name: `hardware`, `peak[bf16]`."""
    if len(path) > 1 and path[-1].startswith("["):
        return (*path[:-2], path[-2] + path[-1])
    return path


def _mark(at: int) -> str:
    """Return the source of the unknown *at*; no source in a file holds the end of a line."""
    return f"\n{at}"


def _is_marked(symbol: g.Sym) -> bool:
    return symbol.info.source is not None and symbol.info.source.startswith("\n")


def _replaced(build: g.Builder, node: g.Node, new: dict[g.Node, g.Node]) -> g.Node:
    """Return *node* with some symbols replaced; each part keeps the place where it was written."""
    memo = dict(new)
    for at in g.walk(node):
        if at not in memo:
            memo[at] = rebuild(build, at, lambda child: memo[child])
            if at in build.places:
                build.places.setdefault(memo[at], build.places[at])
    return memo[node]


def sought(
    scenario: d.ScenarioDecl,
    question: d.Question,
    above: Above,
    unknowns: Sequence[tuple[c.Path, Type]],
    span: Span,
) -> Sought:
    """Return the world of *question* in which all *unknowns* are sought, whatever sets them."""
    lowering = Lowering()
    marks = tuple(
        d.Setting(path, span, c.Literal(span, kind, MARK), None, kind, _mark(at))
        for at, (path, kind) in enumerate(unknowns)
    )
    paths = tuple(path for path, _ in unknowns)
    others = (setting for setting in above if setting.path not in paths)
    world = open_world(scenario, (*others, *marks), evaluator=lowering)
    return Sought(question, paths, unknowns[0][1], lowering, world, world.under(question.at))


def domain_of(symbol: g.Sym, slot: d.Slot | None, *, whole: bool) -> Domain:
    """
    Return where the unknown may lie, by its declaration.

    *whole* asks for whole numbers where it counts something, for the boundary of a `largest`.
    """
    info = symbol.info
    choices = slot.choices if isinstance(slot, d.Param) else ()
    known = [literal(choice) for choice in choices]
    if known and None not in known:
        return members(*(value for value in known if value is not None))
    if whole and is_counted(info.kind, info.dimension):
        low = info.floor if info.floor is not None else Fraction(0)
        high = info.ceiling
        least = -((-low.numerator) // low.denominator)
        most = high.numerator // high.denominator if high is not None else None
        return integers(least, most)
    low_end = "(" if info.strict or info.floor is None else "["
    return reals(info.floor, info.ceiling, f"{low_end}]")


def is_counted(kind: str, dimension: Dimension) -> bool:
    """Whether something of this kind is counted, so that a whole number is asked for."""
    return kind == "count" or dimension in (TOKENS, REQUESTS)


def values_of(nodes: list[g.Node], unknown: g.Sym | None) -> dict[g.Sym, Fraction]:
    """Return what the other symbols of *nodes* are worth, those that are worth something."""
    found: dict[g.Sym, Fraction] = {}
    for node in nodes:
        for symbol in g.symbols(node):
            known = symbol.info.known
            if symbol is not unknown and known is not None and symbol.info.low is None:
                found[symbol] = known
    return found


def free_of(nodes: list[g.Node], unknown: g.Sym | None, values: dict[g.Sym, Fraction]) -> bool:
    """Whether some symbol beside the unknown has no value."""
    return any(s is not unknown and s not in values for node in nodes for s in g.symbols(node))


def dimension_of(kind: Type) -> Dimension | None:
    """Return the dimension of a kind, None where it has none."""
    return kind.dimension if isinstance(kind, NumberType) else None
