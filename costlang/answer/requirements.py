"""Whether the numbers are possible: the requirements of everything that was read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from costlang.answer.answers import Broken, Side
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model import exact
from costlang.model.evaluate import Evaluator
from costlang.model.faults import Fault
from costlang.model.instances import Env, Instance, Operator
from costlang.model.totals import walk
from costlang.model.trace import Trace
from costlang.model.types import NumberType


def broken_requirements(evaluator: Evaluator, world: Instance | None) -> tuple[Broken, ...]:
    """Return what fails of all that *evaluator* has read, each requirement once."""
    read = evaluator.trace
    evaluator.trace = Trace(ranges=read.ranges)
    try:
        found = list(_failing(evaluator, read, world))
        read.weighed.update(evaluator.trace.reads)
    finally:
        evaluator.trace = read
    kept: dict[tuple[str, int], Broken] = {}
    for item in found:
        kept.setdefault((item.name, item.span.start), item)
    violations = (
        Broken(v.name, f"{v.name} must be {v.words}", v.span) for v in read.violations.values()
    )
    return (*kept.values(), *violations)


def _failing(evaluator: Evaluator, read: Trace, world: Instance | None) -> Iterator[Broken]:
    for need in needs_of(read, world):
        yield from _check(evaluator, need.requirement, need.env)


@dataclass(frozen=True, eq=False)
class Need:
    """A requirement of something that was read, and where its condition stands."""

    requirement: d.Requirement
    env: Env
    place: tuple[str, ...] = ()


def needs_of(read: Trace, world: Instance | None) -> Iterator[Need]:
    """Yield the requirements of *world* and of all that was *read*."""
    holders: list[Instance] = [world] if world is not None else []
    holders.extend(read.instances.values())
    for holder in holders:
        for owner in holder.decl.lineage():
            for requirement in owner.requires:
                yield Need(requirement, Env(holder), holder.path)
    for requirement, operator in list(read.operators):
        assert isinstance(operator, Operator)
        yield Need(requirement, Env(operator, operator=operator), (operator.decl.name,))


def _check(evaluator: Evaluator, requirement: d.Requirement, env: Env) -> Iterator[Broken]:
    condition = requirement.condition
    try:
        if evaluator.value(condition, env) is not False:
            return
        sides = sides_of(evaluator, condition, env)
    except Fault as found:
        if found.diagnostic.code == "too-much-work":
            raise
        return
    text = " ".join(condition.span.text.split())
    left, right = sides if sides is not None else (None, None)
    values = () if sides is not None else tuple(_values(evaluator, condition, env))
    yield Broken(requirement.name, text, requirement.span, left, right, values)


def _values(evaluator: Evaluator, condition: c.Core, env: Env) -> Iterator[Side]:
    """Yield what the numbers that a condition names are worth, each once."""
    seen: set[str] = set()
    for core in walk(condition):
        text = core.span.text
        named = isinstance(core, (c.Own, c.Get)) and text not in seen
        if named and isinstance(core.type, NumberType):
            seen.add(text)
            yield Side(text, evaluator.value(core, env), core.type.dimension)


def sides_of(evaluator: Evaluator, core: c.Core, env: Env) -> tuple[Side, Side] | None:
    """Return both sides of a comparison of numbers, None of anything else."""
    if not isinstance(core, c.Comparison) or not isinstance(core.left.type, NumberType):
        return None
    return _side(evaluator, core.left, core, env), _side(evaluator, core.right, core, env)


def _side(evaluator: Evaluator, core: c.Core, whole: c.Comparison, env: Env) -> Side:
    kinds = (core.type, whole.left.type, whole.right.type)
    dimension = next(
        (k.dimension for k in kinds if isinstance(k, NumberType) and k.dimension is not None), None
    )
    value = evaluator.value(core, env)
    shown = value if not isinstance(value, exact.Unknown) else None
    return Side(" ".join(core.span.text.split()), shown, dimension)
