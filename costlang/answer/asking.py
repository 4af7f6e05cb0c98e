"""A question of a scenario to its answers, one for each expression that it asks for."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from costlang.answer.answers import Answer, Bounds, Choice, Result, Stood
from costlang.answer.requirements import broken_requirements, sides_of
from costlang.answer.worlds import World, open_world
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model import exact
from costlang.model.algebra import Value
from costlang.model.faults import Fault
from costlang.model.instances import Env, Instance, Member
from costlang.model.trace import Read, Trace
from costlang.model.types import NumberType, Type
from costlang.syntax import tree
from costlang.text import Diagnostic, Label, Severity
from costlang.units import Dimension, Unit, UnitTable

Above = tuple[d.Setting, ...]


def answer(scenario: d.ScenarioDecl, slot: d.QuerySlot, above: Above = ()) -> tuple[Answer, ...]:
    """Return the answers to the question *slot*, under the bindings *above*."""
    question = slot.question
    assert question is not None
    if question.kind != "eval" or question.at_questions:
        return (_not_yet(scenario, slot, question),)
    return tuple(_evaluated(scenario, slot, question, core, above) for core in question.subjects)


def _not_yet(scenario: d.ScenarioDecl, slot: d.QuerySlot, question: d.Question) -> Answer:
    note = Diagnostic(
        "not-answered-yet",
        f"a `{question.kind}` is understood, and not answered by this version",
        Label(question.node.span, "checked, not answered"),
        severity=Severity.NOTE,
    )
    text = _words(question.node.span.text)
    return Answer(slot.name, text, text, None, None, None, slot.span, scenario.name, note=note)


def _words(text: str) -> str:
    return " ".join(text.split())


# ---- one expression


def _evaluated(
    scenario: d.ScenarioDecl,
    slot: d.QuerySlot,
    question: d.Question,
    core: c.Core,
    above: Above,
) -> Answer:
    dimension = core.type.dimension if isinstance(core.type, NumberType) else None
    unit = asked_unit(scenario, question, dimension)
    common = (slot.name, _words(question.node.span.text), _words(core.span.text))
    world = open_world(scenario, above)
    at = world.under(question.at)
    try:
        value = world.value(core, at)
        sides = sides_of(world.evaluator, core, Env(at))
        infeasible = broken_requirements(world.evaluator, at)
    except Fault as found:
        result: Result = None
        return Answer(
            *common, result, dimension, unit, slot.span, scenario.name, note=found.diagnostic
        )
    trace = world.evaluator.trace
    return Answer(
        *common,
        _result(value, lambda ends: _at_ends(scenario, question, core, above, ends)),
        dimension,
        unit,
        slot.span,
        scenario.name,
        sides,
        **stood(trace),
        free=free_names(value),
        regime=_regime(trace, slot.name),
        infeasible=infeasible,
    )


def asked_unit(
    scenario: d.ScenarioDecl, question: d.Question | None, dimension: Dimension | None
) -> Unit | None:
    """Return the unit after `show` that fits *dimension*, the question's before the scenario's."""
    shown: Iterable[tree.UnitText] = (*(question.show if question else ()), *scenario.show)
    return fitting_unit(scenario.file.units, shown, dimension)


def fitting_unit(
    table: UnitTable, shown: Iterable[tree.UnitText], dimension: Dimension | None
) -> Unit | None:
    """Return the first unit of *shown* that measures *dimension*."""
    for text in shown:
        unit = table.parse(text.text)
        if isinstance(unit, Unit) and unit.dimension == dimension:
            return unit
    return None


def free_names(value: Value) -> tuple[str, ...]:
    """Return the names on which *value* hangs and that nothing sets."""
    return tuple(sorted(value.names)) if isinstance(value, exact.Unknown) else ()


# ---- ranges


def _result(value: Value, at_ends: object) -> Result:
    match value:
        case bool() | Fraction():
            return value
        case Member(name=name):
            return name
        case exact.Interval(low, high, slopes) if slopes:
            return at_ends(value)  # type: ignore[operator, no-any-return]
        case exact.Interval(low, high):
            return Bounds(low, high, "certified")
        case _:
            return None


def _at_ends(
    scenario: d.ScenarioDecl,
    question: d.Question,
    core: c.Core,
    above: Above,
    value: exact.Interval,
) -> Bounds:
    """Return the interval of an expression over open ranges, exact where each is monotone."""
    low_at: dict[str, str] = {}
    for name, (least, greatest) in value.slopes.items():
        if least < 0 < greatest:
            return Bounds(value.low, value.high, "outer")
        low_at[name] = "low" if least >= 0 else "high"
    high_at = {name: "high" if end == "low" else "low" for name, end in low_at.items()}
    ends = []
    for chosen in (low_at, high_at):
        world = open_world(scenario, above, chosen)
        ends.append(world.value(core, world.under(question.at)))
    low, high = ends
    kind = "exact" if all(isinstance(end, Fraction) for end in ends) else "outer"
    return Bounds(exact.ends(low)[0], exact.ends(high)[1], kind)


# ---- what it stood on


def stood(trace: Trace) -> dict[str, Any]:
    """Return the names that an answer assumed, used, overrode and was given."""
    assumed = [r for r in trace.reads.values() if r.kind == "default"]
    used = [r for r in trace.reads.values() if r.kind != "default"]
    return {
        "assumed": _distinct(assumed),
        "used": _distinct(used),
        "overridden": _distinct(list(trace.overridden.values())),
        "given": _distinct(list(trace.given.values())),
    }


def _distinct(reads: list[Read]) -> tuple[Stood, ...]:
    """Return *reads* by their last name, longer where two differ in value."""
    by_name: dict[str, list[Read]] = {}
    for read in reads:
        by_name.setdefault(read.path[-1], []).append(read)
    found: list[Stood] = []
    for name, same in by_name.items():
        values = {_identity(read.value) for read in same}
        kept = same[:1] if len(values) == 1 else same
        for read in kept:
            shown = name if len(kept) == 1 else ".".join(read.path)
            found.append(_stood(shown, read))
    return tuple(found)


def _identity(value: Value) -> object:
    if isinstance(value, Instance):
        return value.decl
    return (value.low, value.high) if isinstance(value, exact.Interval) else value


def _stood(name: str, read: Read) -> Stood:
    kind: Type | None = read.param.type if read.param is not None else None
    dimension = kind.dimension if isinstance(kind, NumberType) else read.dimension
    return Stood(name, read.path, _plain(read.value), dimension, read.source, read.kind, read.span)


def _plain(value: Value) -> object:
    match value:
        case Instance(decl=decl):
            return decl.name
        case Member(name=name):
            return name
        case exact.Infinity():
            return "inf"
        case exact.Interval(low, high, slopes):
            return Bounds(low, high, "exact" if slopes else "certified")
        case exact.Unknown():
            return None
        case _:
            return value


def _regime(trace: Trace, name: str) -> tuple[Choice, ...]:
    return tuple(Choice(a.definition, a.side, a.function) for a in trace.active.values())


def world_of(scenario: d.ScenarioDecl, above: Above = ()) -> World:
    """Return a fresh world of *scenario*."""
    return open_world(scenario, above)
