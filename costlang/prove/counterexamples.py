"""A counterexample: a point at which the interpreter of the language too finds a law false."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation
from costlang.formula.lower import info_of
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model import exact
from costlang.model.evaluate import Evaluator
from costlang.model.faults import Fault
from costlang.model.instances import Env
from costlang.model.types import NumberType
from costlang.prove.claims import Claim
from costlang.prove.outcome import Counterexample, Given
from costlang.prove.places import Place
from costlang.prove.points import Point
from costlang.prove.reading import Read, alternatives
from costlang.units import Dimension

MOST_ASKED = 12
"""How often the interpreter is asked again for what a formula does without."""


def counterexample(
    place: Place, law: d.LawDecl, read: Read, claim: Claim, point: Point
) -> Counterexample | None:
    """Return *point* as bindings, where the interpreter too says that the law fails."""
    ends = [_end(claim, end, point) for end in claim.ends]
    asked, read = _with_the_rest(place, law, read, ends[0])
    found = [_interpreted(place, law, read, end) for end in ends]
    if law.kind == "holds" and found[0] is not False:
        return None
    idle = _idle(place, law, read, ends, found)
    names = _names([s for s in ends[0] if s not in idle], place.root)
    at = [
        Given(".".join(path), _plain(core), asked.get(path)) for path, core in read.settings.items()
    ]
    at += [
        Given(names[s], value, s.info.dimension)
        for s, value in ends[0].items()
        if s not in idle and _matters(s, value)
    ]
    moved = tuple(
        tuple(Given(names[s], end[s], s.info.dimension) for s in claim.ends[0]) for end in ends[1:]
    )
    return Counterexample(tuple(at), moved, tuple(_values(law, claim, ends, found)))


def _with_the_rest(
    place: Place, law: d.LawDecl, read: Read, end: Point
) -> tuple[dict[c.Path, Dimension | None], Read]:
    """
    Return *read* with plain values for what only the interpreter asks for, and their dimensions.

    How often a term is repeated that gives nothing of a resource is no part of the formula of its
    total: that is the same whatever the number is, and the interpreter wants one all the same.
    """
    asked: dict[c.Path, Dimension | None] = {}
    for _ in range(MOST_ASKED):
        evaluator = Evaluator()
        value = _interpreted(place, law, read, end, evaluator)
        names = value.names if isinstance(value, exact.Unknown) else ()
        slots = {name: evaluator.trace.unset.get(name) for name in names}
        more = {
            tuple(name.split("."))[place.root :]: _plainest(slot)
            for name, slot in slots.items()
            if slot is not None
        }
        if not more:
            break
        read = replace(read, settings={**read.settings, **more})
        for path, core in more.items():
            if isinstance(core.type, NumberType):
                asked[path] = core.type.dimension
    return asked, read


def _plainest(slot: d.Param) -> c.Core:
    """Return 1 or what is nearest to it in the domain of *slot*; the first of what is no number."""
    if not isinstance(slot.type, NumberType):
        return alternatives(slot.type, slot.span)[0]
    info = info_of(slot)
    value = Fraction(1)
    if info.floor is not None:
        value = max(value, info.floor)
    if info.ceiling is not None:
        value = min(value, info.ceiling)
    return c.Literal(slot.span, slot.type, value)


def _idle(
    place: Place, law: d.LawDecl, read: Read, ends: list[Point], found: list[object]
) -> set[g.Sym]:
    """Return the names that the interpreter does not ask for at any of the points."""
    idle: set[g.Sym] = set()
    moved = set(ends[0]) if len(ends) == 1 else {s for s in ends[0] if ends[0][s] == ends[1][s]}
    for symbol in ends[0]:
        if symbol not in moved:
            continue
        less = idle | {symbol}
        rest = [{s: v for s, v in end.items() if s not in less} for end in ends]
        if [_interpreted(place, law, read, end) for end in rest] == found:
            idle = less
    return idle


def _matters(symbol: g.Sym, value: Fraction) -> bool:
    return symbol.info.default != value


def _plain(core: c.Core) -> Fraction | str | bool:
    if isinstance(core, c.Literal):
        return core.value
    if isinstance(core, c.RecordRef):
        return core.record.name
    return core.value if isinstance(core, c.Truth) else str(getattr(core, "name", core.span.text))


def _end(claim: Claim, end: Mapping[g.Sym, g.Node], point: Point) -> Point:
    found = {s: value for s, value in point.items() if s not in claim.steps}
    for symbol, node in end.items():
        value = Evaluation(dict(point)).number(node)
        assert isinstance(value, Fraction)
        found[symbol] = value
    return found


def _interpreted(
    place: Place, law: d.LawDecl, read: Read, end: Point, evaluator: Evaluator | None = None
) -> object:
    """Return the subject of *law* at a point as the interpreter of the language has it."""
    settings = dict(read.settings)
    span = law.span
    for symbol, value in end.items():
        path = symbol.path[place.root :]
        if path and path[-1].endswith("]") and "[" in path[-1]:
            table, key = path[-1].split("[", 1)
            path = (*path[:-1], table, f"[{key}")
        settings[path] = c.Literal(span, NumberType(symbol.info.dimension), value)
    evaluator = evaluator or Evaluator()
    try:
        holder = place.opened(evaluator, settings)
        return None if holder is None else evaluator.value(law.subject, Env(holder))
    except (Fault, ArithmeticError):
        return None


def _names(symbols: list[g.Sym], root: int) -> dict[g.Sym, str]:
    """Return how a question calls each name: by its last word where that tells it from others."""
    lasts = [symbol.path[-1] for symbol in symbols]
    return {
        symbol: last if lasts.count(last) == 1 else ".".join(symbol.path[root:])
        for symbol, last in zip(symbols, lasts, strict=True)
    }


def _values(
    law: d.LawDecl, claim: Claim, ends: list[Point], found: list[object]
) -> Iterator[tuple[str, Fraction | None, Dimension | None]]:
    if law.kind != "holds":
        kind = law.subject.type
        dimension = kind.dimension if isinstance(kind, NumberType) else None
        words = " ".join(law.subject.span.text.split())
        for value in found:
            yield words, value if isinstance(value, Fraction) else None, dimension
        return
    core = law.subject
    if isinstance(core, c.Comparison) and isinstance(claim.goal, g.Cmp):
        evaluation = Evaluation(dict(ends[0]))
        for side, node in ((core.left, claim.goal.left), (core.right, claim.goal.right)):
            value = evaluation.number(node)
            kind = side.type
            dimension = kind.dimension if isinstance(kind, NumberType) else None
            yield (
                " ".join(side.span.text.split()),
                value if isinstance(value, Fraction) else None,
                dimension,
            )
