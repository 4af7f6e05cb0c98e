"""Inequalities and boundaries whose other names have no numbers: the answer is a formula."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from costlang.answer.seeking.edges import Edges, NotFollowed, Way
from costlang.answer.seeking.solved import SolvedCase
from costlang.formula import graph as g
from costlang.solve.closed.forms import NoClosedForm, gathered
from costlang.solve.closed.tidying import length, named, simplest
from costlang.solve.free.conditions import above_zero
from costlang.solve.free.poles import defined_when
from costlang.solve.free.positive import Signing
from costlang.solve.ground.program import Values

MOST_SIGNS = 30
"""Names, numbers and signs of a formula that a person reads at a glance."""


@dataclass(frozen=True, eq=False)
class Unbound:
    """The *cases* of an answer in formulas, its *outcome*, and the *reason* where there is none."""

    outcome: str
    cases: tuple[SolvedCase, ...] = ()
    reason: str = ""
    failing: tuple[str, ...] = ()

    @property
    def short(self) -> bool:
        """Whether a person can read the formulas of all cases."""
        return all(is_short(case.formula, case.when) for case in self.cases)


def is_short(formula: g.Node | None, when: Iterable[g.Node]) -> bool:
    """Whether a person can read a formula and its conditions."""
    return all(length(node) <= MOST_SIGNS for node in (formula, *when) if node is not None)


BOUND_IT = "declare it `in 0..` where it is not"


def may_be_negative(unknown: g.Sym) -> bool:
    """Whether an unknown is declared so that it may lie below zero."""
    return unknown.info.floor is None or unknown.info.floor < 0


def on_a_line(
    build: g.Builder, left: g.Node, right: g.Node, unknown: g.Sym
) -> tuple[SolvedCase, ...]:
    """Return the cases of an equation that is a line in an unknown without bounds, else none."""
    info = unknown.info
    try:
        above, below = gathered(build, left, right, unknown)
    except NoClosedForm:
        return ()
    plain = not any(unknown in g.symbols(part) for part in (*above, *below))
    if len(above) != 2 or len(below) != 1 or not plain or (info.floor, info.ceiling) != (None,) * 2:
        return ()
    rest, slope = above
    signing = Signing(build, {})
    defined = defined_when(build, signing, unknown, left, right)
    root = simplest(build, build.div(build.neg(rest), slope), named)
    if 0 not in signing.signs(slope):
        return (SolvedCase(None, root, defined),)
    zero = build.num(0)
    sloped = build.cmp("!=", slope, zero)
    flat = build.every(*(above_zero(build, signing, part, "==") for part in above))
    single = SolvedCase(None, root, (*_nodes(sloped), *defined))
    if flat is False:
        return (single,)
    return single, SolvedCase(None, None, (*_nodes(flat), *defined), count="all")


def _nodes(*conditions: g.Node | bool) -> Iterable[g.Node]:
    """Return conditions that are not decided, those that are joined one by one."""
    for condition in conditions:
        if isinstance(condition, g.All):
            yield from _nodes(*condition.parts)
        elif isinstance(condition, g.Node):
            yield condition


def inequality(build: g.Builder, truth: object, unknown: g.Sym, values: Values) -> Unbound:
    """Return for which *unknown* a comparison holds: each regime with its edge."""
    try:
        ways = Edges(build, unknown, values).ways([truth])
    except NotFollowed as why:
        return Unbound("undecided", reason=str(why))
    if not ways:
        return Unbound("none", reason="it never holds")
    if len(ways) == 1 and not ways[0].above and not ways[0].below:
        return Unbound("everywhere")
    cases = tuple(case for way in ways for case in _edges_of(way))
    return _found(cases, "elsewhere it holds for every value or for none")


def _edges_of(way: Way) -> list[SolvedCase]:
    up, down = ("<", ">") if way.strict else ("<=", ">=")
    sides = [(edge, up) for edge in way.above] + [(edge, down) for edge in way.below]
    return [
        SolvedCase(None, edge, way.when, way.regime, relation=relation) for edge, relation in sides
    ]


def boundary(
    build: g.Builder,
    conditions: Iterable[tuple[str, object]],
    unknown: g.Sym,
    values: Values,
    *,
    largest: bool,
    whole: bool,
) -> Unbound:
    """Return the largest or smallest *unknown* that keeps all *conditions*, by regimes."""
    edges, named = Edges(build, unknown, values), list(conditions)
    try:
        failing = tuple(name for name, each in named if not edges.ways([each]))
        ways = edges.ways([*(each for _, each in named), *_declared(build, unknown)])
    except NotFollowed as why:
        return Unbound("undecided", reason=str(why))
    if failing or not ways:
        return Unbound("none", reason="the conditions never hold", failing=failing)
    if any(not (way.above if largest else way.below) for way in ways):
        return Unbound("unbounded", reason="in some regime no condition limits it")
    cases = tuple(_edge(build, way, largest=largest, whole=whole) for way in ways)
    return _found(cases, "for other values of these names nothing is told")


def _found(cases: tuple[SolvedCase, ...], elsewhere: str) -> Unbound:
    """Return the cases, and what is not said of the values that keep the conditions of none."""
    reason = elsewhere if any(case.when for case in cases) else ""
    return Unbound("one" if len(cases) == 1 else "many", cases, reason)


def _declared(build: g.Builder, unknown: g.Sym) -> list[object]:
    """Return the bounds that the unknown was declared with."""
    floor, ceiling = unknown.info.floor, unknown.info.ceiling
    dimension = unknown.info.dimension
    low = [build.cmp(">=", unknown, build.num(floor, dimension))] if floor else []
    high = [build.cmp("<=", unknown, build.num(ceiling, dimension))] if ceiling is not None else []
    return [*low, *high]


def _edge(build: g.Builder, way: Way, *, largest: bool, whole: bool) -> SolvedCase:
    """Return the case of one way: the nearest of its edges, with room for it on the other side."""
    near, far = (way.above, way.below) if largest else (way.below, way.above)
    edge = near[0]
    if len(near) > 1:
        edge = build.min(*near) if largest else build.max(*near)
    room = [build.cmp("<=" if largest else ">=", other, edge) for other in far]
    if whole:
        edge = _counted(build, edge, largest=largest, strict=way.strict)
    when = (*way.when, *(made for made in room if isinstance(made, g.Node)))
    relation = "==" if whole or not way.strict else ("<" if largest else ">")
    return SolvedCase(None, edge, when, way.regime, relation=relation)


def _counted(build: g.Builder, edge: g.Node, *, largest: bool, strict: bool) -> g.Node:
    """Return the last whole number that keeps an edge."""
    one = build.num(Fraction(1))
    if not strict:
        return build.fn("floor" if largest else "ceil", edge)
    if largest:
        return build.sub(build.fn("ceil", edge), one)
    return build.add(build.fn("floor", edge), one)
