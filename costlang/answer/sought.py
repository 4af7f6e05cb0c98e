"""A question in which something is sought, as formulas: the unknown is a symbol without a value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from costlang.answer.requirements import Need, needs_of
from costlang.answer.worlds import World, open_world
from costlang.formula import graph as g
from costlang.formula.lower import Lowering
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
    """The world of a question, in which the unknown at *path* stays a symbol."""

    question: d.Question
    path: c.Path
    kind: Type
    lowering: Lowering
    world: World
    at: Instance

    @property
    def build(self) -> g.Builder:
        """What makes nodes that share with those of the question."""
        return self.lowering.build

    def lowered(self, core: c.Core) -> object:
        """Return the formula of *core*, a truth where it is one, or what it is instead."""
        return self.world.value(core, self.at)

    def needs(self) -> Iterator[tuple[Need, object]]:
        """Yield the requirements of what was read, each with its lowered condition."""
        read = self.lowering.trace
        seen: set[tuple[str, int, tuple[str, ...]]] = set()
        for need in list(needs_of(read, self.at)):
            key = (need.requirement.name, need.requirement.span.start, need.place)
            if key not in seen:
                seen.add(key)
                yield need, self.lowering.value(need.requirement.condition, need.env)

    def symbol(self, nodes: list[g.Node], path: c.Path | None = None) -> g.Sym | None:
        """Return the symbol of the unknown, None where it does not stand in *nodes*."""
        path = joined(path if path is not None else self.path)
        found = [s for node in nodes for s in g.symbols(node)]
        for symbol in found:
            if symbol.path[-len(path) :] == path:
                return symbol
        return next((s for s in found if s.path[-1] == path[-1] and _is_marked(s)), None)


def joined(path: c.Path) -> c.Path:
    """Return *path* with a row of a table as one name: `hardware`, `peak[bf16]`."""
    if len(path) > 1 and path[-1].startswith("["):
        return (*path[:-2], path[-2] + path[-1])
    return path


def _is_marked(symbol: g.Sym) -> bool:
    return symbol.info.value == MARK and symbol.info.source == ""


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
        d.Setting(path, span, c.Literal(span, kind, MARK), None, kind, "")
        for path, kind in unknowns
    )
    world = open_world(scenario, (*marks, *above), evaluator=lowering)
    path, kind = unknowns[0]
    return Sought(question, path, kind, lowering, world, world.under(question.at))


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
