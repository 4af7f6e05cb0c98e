"""A table of answers over axes (numbers, formats, models, chips), every bend in it placed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from costlang.answer.answers import Bounds, Broken, Choice, Result
from costlang.answer.lowered import formula_of
from costlang.answer.requirements import broken_requirements
from costlang.answer.stood import Gathered
from costlang.answer.worlds import World, open_world
from costlang.formula import graph as g
from costlang.formula.breakpoints import breakpoints
from costlang.formula.polynomial import Root
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model import exact
from costlang.model.algebra import Value
from costlang.model.faults import Fault, fault
from costlang.model.instances import Instance, Member
from costlang.model.types import NumberType, Type
from costlang.units import NONE, Dimension, Unit, digits_of

Above = tuple[d.Setting, ...]
Progress = Callable[[int, int], None]
ALL_WHOLE = 24
EVEN = 9
MOST_ROWS = 20_000


@dataclass(frozen=True)
class Column:
    """What stands in a column: an axis or an expression, in which dimension and unit."""

    title: str
    dimension: Dimension | None
    unit: Unit | None
    is_axis: bool


@dataclass(frozen=True)
class Bend:
    """Where a choice changes sides: between which rows, and the words of it."""

    title: str
    at: Root
    words: str
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Line:
    """One row: a cell for each column, the active sides, and what fails there."""

    cells: tuple[Result, ...]
    regime: tuple[Choice, ...] = ()
    infeasible: tuple[Broken, ...] = ()
    note: str | None = None


@dataclass(frozen=True)
class Sweep:
    """
    A table.

    *sampling* says in words which points of an open axis stand in it; *bends* are the places at
    which a `max`, a `min` or an `if` changes sides, exactly.
    """

    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    bends: tuple[Bend, ...] = ()
    sampling: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Sweeping:
    """
    A `sweep` of a scenario under bindings from outside; *units* chooses a column's unit.

    *fine* takes as many points of an open axis as a curve needs.
    """

    scenario: d.ScenarioDecl
    question: d.Question
    above: Above
    units: Callable[[Dimension | None], Unit | None]
    progress: Progress | None = None
    fine: bool = False
    gathered: Gathered = field(default_factory=Gathered)

    def stood(self) -> dict[str, Any]:
        """Return what the rows stood on, once they are worked out."""
        return self.gathered.stood()

    def sweep(self) -> Sweep:
        """Return the table."""
        axes = [_Points(axis, *self._points(axis)) for axis in self.question.axes]
        bends, sampling = self._bends(axes)
        rows = self._rows(axes)
        lines = []
        for at, row in enumerate(rows):
            lines.append(self._line(row))
            if self.progress is not None:
                self.progress(at + 1, len(rows))
        return Sweep(self._columns(), tuple(lines), bends, sampling)

    # ---- points

    def _points(self, axis: d.Axis) -> tuple[list[c.Core], str | None]:
        if axis.values:
            return list(axis.values), None
        low, high = self._ends(axis)
        kind = axis.type if isinstance(axis.type, NumberType) else NumberType(NONE)
        chosen, words = (_finely if self.fine else _sampled)(low, high, kind)
        name = _short(axis)
        return [_literal(axis, x) for x in chosen], f"{name}: {words}" if words else None

    def _ends(self, axis: d.Axis) -> tuple[Fraction, Fraction]:
        if axis.low is None or axis.high is None:
            raise fault("open-axis", "this axis has no end", axis.span, "give it both ends")
        world = self._world(())
        ends = [world.value(core, world.under(self.question.at)) for core in (axis.low, axis.high)]
        low, high = (end if isinstance(end, Fraction) else None for end in ends)
        if low is None or high is None or low > high:
            raise fault("open-axis", "this axis runs from no number to no number", axis.span)
        return low, high

    def _world(self, settings: Above) -> World:
        return open_world(self.scenario, (*settings, *self.above))

    # ---- bends

    def _bends(self, axes: list[_Points]) -> tuple[tuple[Bend, ...], tuple[str, ...]]:
        words = [points.words for points in axes if points.words is not None]
        open_axes = [points for points in axes if not points.axis.values]
        if len(open_axes) != 1:
            if open_axes:
                words.append("bends are placed along one open axis, and here are several")
            return (), tuple(words)
        (along,) = open_axes
        bends: list[Bend] = []
        for others in product(*(p.cores for p in axes if p is not along)):
            settings = _settings([p.axis for p in axes if p is not along], others)
            bends.extend(self._along(along, settings, [core.span.text for core in others]))
        for bend in bends:
            along.insert(bend.at)
        return tuple(dict.fromkeys(bends)), tuple(words)

    def _along(self, along: _Points, settings: Above, others: list[str]) -> Iterator[Bend]:
        low, high = self._ends(along.axis)
        for core in self.question.subjects:
            first = (*settings, _setting(along.axis, along.cores[0]))
            try:
                formula = formula_of(self.scenario, core, self.question.at, (*first, *self.above))
            except Fault:
                continue
            symbol = _symbol(formula.node, along.axis) if formula is not None else None
            if formula is None or symbol is None:
                continue
            found = breakpoints(formula.node, symbol, low, high)
            for item in found.places:
                yield Bend(_short(along.axis), item.at, _choice_words(item.choice), tuple(others))

    # ---- rows

    def _rows(self, axes: list[_Points]) -> list[tuple[c.Core, ...]]:
        count = 1
        for points in axes:
            count *= len(points.cores)
        if count > MOST_ROWS:
            span = self.question.node.span
            raise fault("too-many-rows", f"this table would have {count} rows", span)
        return list(product(*(points.cores for points in axes)))

    def _line(self, row: tuple[c.Core, ...]) -> Line:
        settings = _settings(list(self.question.axes), row)
        cells: list[Result] = [_cell(core) for core in row]
        regime: dict[str, Choice] = {}
        broken: dict[tuple[str, int], Broken] = {}
        note = None
        for core in self.question.subjects:
            world = self._world(settings)
            at = world.under(self.question.at)
            try:
                value = world.value(core, at)
                cells.append(_plain(value))
                for item in broken_requirements(world.evaluator, at):
                    broken[item.name, item.span.start] = item
                self.gathered.add(world.evaluator.trace, value)
            except Fault as found:
                cells.append(None)
                note = found.diagnostic.message
            for active in world.evaluator.trace.active.values():
                regime[active.definition] = Choice(active.definition, active.side, active.function)
        return Line(tuple(cells), tuple(regime.values()), tuple(broken.values()), note)

    def _columns(self) -> tuple[Column, ...]:
        axes = [self._column(_short(axis), axis.type, True) for axis in self.question.axes]
        subjects = [
            self._column(" ".join(core.span.text.split()), core.type, False)
            for core in self.question.subjects
        ]
        return (*axes, *subjects)

    def _column(self, title: str, kind: Type, is_axis: bool) -> Column:
        dimension = kind.dimension if isinstance(kind, NumberType) else None
        return Column(title, dimension, self.units(dimension), is_axis)


@dataclass(eq=False)
class _Points:
    """The points of one axis, in order, and how they were chosen."""

    axis: d.Axis
    cores: list[c.Core]
    words: str | None

    def insert(self, root: Root) -> None:
        """Add the place of a bend: itself, or for a count the whole numbers on both sides."""
        kind = self.axis.type
        if isinstance(kind, NumberType) and _is_counted(kind):
            below = root.low.numerator // root.low.denominator
            points = [Fraction(below), Fraction(below + 1)]
        else:
            points = [root.middle]
        known = {core.value for core in self.cores if isinstance(core, c.Literal)}
        low, high = min(known), max(known)
        for point in points:
            if point not in known and low <= point <= high:
                self.cores.append(_literal(self.axis, point))
        self.cores.sort(key=lambda core: core.value if isinstance(core, c.Literal) else 0)


def _is_counted(kind: NumberType) -> bool:
    return kind.kind == "count" or str(kind.dimension) in ("tok", "req")


def _sampled(low: Fraction, high: Fraction, kind: NumberType) -> tuple[list[Fraction], str | None]:
    if _is_counted(kind):
        first, last = -(-low.numerator // low.denominator), high.numerator // high.denominator
        if last - first < ALL_WHOLE:
            return [Fraction(n) for n in range(first, last + 1)], None
        powers = [1 << n for n in range(last.bit_length() + 1)]
        chosen = sorted({first, last, *(x for x in powers if first <= x <= last)})
        whole = digits_of(Fraction(last - first + 1), 7)
        words = f"{len(chosen)} of {whole} values, powers of two and the ends"
        return [Fraction(n) for n in chosen], words
    step = (high - low) / (EVEN - 1)
    return [low + step * n for n in range(EVEN)], f"{EVEN} even points"


FINE = 64
"""The points of a curve: about one for ten pixels."""


def _finely(low: Fraction, high: Fraction, kind: NumberType) -> tuple[list[Fraction], str | None]:
    """Return points from *low* to *high* as a curve needs them: by factors where it spans many."""
    if low > 0 and high >= 16 * low:
        chosen = [x for x in _by_factors(low, high) if x < high]
    else:
        chosen = [low + (high - low) * n / FINE for n in range(FINE)]
    chosen.append(high)
    if _is_counted(kind):
        first, last = -(-low.numerator // low.denominator), high.numerator // high.denominator
        whole = {Fraction(min(max(round(x), first), last)) for x in chosen}
        return sorted(whole), None
    return chosen, None


def _by_factors(low: Fraction, high: Fraction) -> Iterator[Fraction]:
    """Yield points that grow by nearly equal factors, eight or more to a power of two."""
    at, parts = low, 8
    while at < high:
        yield from (at * (parts + n) / parts for n in range(parts))
        at *= 2


def _literal(axis: d.Axis, value: Fraction) -> c.Core:
    return c.Literal(axis.span, axis.type, value)


def _setting(axis: d.Axis, core: c.Core) -> d.Setting:
    return d.Setting(axis.path, core.span, core, None, axis.type, None)


def _settings(axes: list[d.Axis], row: tuple[c.Core, ...]) -> Above:
    return tuple(_setting(axis, core) for axis, core in zip(axes, row, strict=True))


def _short(axis: d.Axis) -> str:
    node = axis.span.text.split(" in ")[0].strip()
    return node or axis.path[-1]


def _cell(core: c.Core) -> Result:
    match core:
        case c.Literal(value=value):
            return value
        case c.Choice(name=name):
            return name
        case c.Truth(value=value):
            return value
        case _:
            return " ".join(core.span.text.split())


def _plain(value: Value) -> Result:
    match value:
        case bool() | Fraction():
            return value
        case Member(name=name):
            return name
        case Instance(decl=decl):
            return decl.name
        case exact.Interval(low, high, slopes):
            return Bounds(low, high, "outer" if slopes else "certified")
        case _:
            return None


def _symbol(node: g.Node, axis: d.Axis) -> g.Sym | None:
    path = axis.path
    for symbol in g.symbols(node):
        if symbol.path[-1] == path[-1] and symbol.path[-len(path) :] == path:
            return symbol
    return next((s for s in g.symbols(node) if s.path[-1] == path[-1]), None)


def _choice_words(node: g.Node) -> str:
    from costlang.answer.parts import label_of

    if isinstance(node, (g.Max, g.Min)):
        return " and ".join(label_of(side) for side in node.sides) + " meet"
    return "an `if` changes sides"
