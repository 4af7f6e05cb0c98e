"""What an answer stood on, by what was read for it: defaults, figures, those to be checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from costlang.answer.answers import Bounds, Missing, Stood
from costlang.formula import graph as g
from costlang.model import exact
from costlang.model.algebra import Value
from costlang.model.declared import Param
from costlang.model.instances import Instance, Member
from costlang.model.sources import is_unverified
from costlang.model.trace import Read, Trace
from costlang.model.types import NumberType, Type


def stood(*traces: Trace) -> dict[str, Any]:
    """Return the names that an answer assumed, used, overrode and was given, and those to check."""
    reads = _together(trace.reads for trace in traces)
    weighed = _together(each for trace in traces for each in (trace.reads, trace.weighed))
    return {
        "assumed": _distinct([r for r in reads if r.kind == "default"]),
        "used": _distinct([r for r in reads if r.kind != "default"]),
        "overridden": _distinct(_together(trace.overridden for trace in traces)),
        "given": _distinct(_together(trace.given for trace in traces)),
        "unverified": _unverified(weighed),
        "reads": tuple(_stood(".".join(read.path), read) for read in _every(*traces)),
    }


def _every(*traces: Trace) -> list[Read]:
    """Return all that was read: parameters, given definitions, constants, what lies behind."""
    return _together(each for t in traces for each in (t.reads, t.given, t.constants, t.behind))


def reads_of(trace: Trace, known: Mapping[tuple[str, ...], Fraction]) -> tuple[Stood, ...]:
    """
    Return what was read for a formula: the numbers that are *known* by path, with their places.

    With them comes all that is no number, which gave the formula its shape.
    """
    found = []
    for read in _every(trace):
        if trace.behind.get(read.path) is read:
            found.append(_stood(".".join(read.path), read))
        elif read.path in known:
            found.append(_stood(".".join(read.path), replace(read, value=known[read.path])))
        elif isinstance(read.value, (Instance, Member, bool)):
            found.append(_stood(".".join(read.path), read))
        elif isinstance(read.value, g.Num) and read.kind == "constant":
            found.append(_stood(".".join(read.path), replace(read, value=read.value.value)))
    return tuple(found)


BY_ROW = "by row"
"""What stands for a default that is another one from row to row of a table."""


@dataclass(eq=False)
class Gathered:
    """What the rows of a table stood on together: defaults, and figures that have a source."""

    reads: dict[tuple[str, ...], Read] = field(default_factory=dict)
    every: dict[tuple[str, ...], Read] = field(default_factory=dict)
    rest: Trace = field(default_factory=Trace)
    unknown: dict[str, None] = field(default_factory=dict)

    def add(self, trace: Trace, value: Value) -> None:
        """Take in what was read for one cell, and what its value still lacks."""
        for read in _every(trace):
            _keep(self.every, read.path, read)
        for path, read in trace.reads.items():
            if read.kind == "default" or read.source:
                _keep(self.reads, path, read)
        for mine, other in ((self.rest.weighed, trace.weighed), (self.rest.given, trace.given)):
            mine.update(other)
        self.rest.overridden.update(trace.overridden)
        self.rest.unset.update(trace.unset)
        if isinstance(value, exact.Unknown):
            self.unknown.update(dict.fromkeys(sorted(value.names)))

    def stood(self) -> dict[str, Any]:
        """
        Return what an answer says of it.

        What the records of an axis all lack is lacking once: one binding gives it to each of them.
        """
        self.rest.reads = self.reads
        names = tuple(self.unknown)
        lacking = missing(names, self.rest)
        shared = (Missing(each.name.rsplit(".", 1)[-1], each.unit) for each in lacking)
        reads = tuple(_stood(".".join(path), read) for path, read in self.every.items())
        told = {"reads": reads, "free": names, "missing": tuple(dict.fromkeys(shared))}
        return {**stood(self.rest), **told}


def _keep(kept: dict[tuple[str, ...], Read], path: tuple[str, ...], read: Read) -> None:
    earlier = kept.setdefault(path, read)
    if _identity(earlier.value) != _identity(read.value):
        kept[path] = replace(earlier, value=BY_ROW)


def of_rows(rows: Iterable[dict[str, tuple[Stood, ...]]]) -> dict[str, tuple[Stood, ...]]:
    """Return what all *rows* stood on; what differs from row to row is told once."""
    found: dict[str, dict[str, Stood]] = {}
    for row in rows:
        for kind, items in row.items():
            kept = found.setdefault(kind, {})
            for item in items:
                earlier = kept.setdefault(item.name, item)
                if earlier.value != item.value:
                    kept[item.name] = replace(earlier, value=BY_ROW)
    return {kind: tuple(items.values()) for kind, items in found.items()}


def read_behind(trace: Trace, items: Iterable[Stood]) -> None:
    """Note in *trace* what a question was answered with that is read as a value."""
    for item in items:
        read = Read(
            item.path, None, item.value, item.origin, item.source, item.span, item.dimension
        )
        trace.behind.setdefault(item.path, read)


def missing(names: Iterable[str], *traces: Trace) -> tuple[Missing, ...]:
    """Return *names* that nothing sets, each with the unit in which it was declared."""
    unset = {name: param for trace in traces for name, param in trace.unset.items()}
    return tuple(Missing(name, _unit_of(unset.get(name))) for name in names)


def _unit_of(param: Param | None) -> str | None:
    unit = param.node.type.unit if param is not None and param.node is not None else None
    return unit.text if unit is not None else None


def assumed_records(trace: Trace) -> tuple[Stood, ...]:
    """Return the records and the members of enums that were taken by default."""
    kinds = (Instance, Member)
    found = [r for r in trace.reads.values() if r.kind == "default" and isinstance(r.value, kinds)]
    return _distinct(found)


def _together(groups: Iterable[dict[tuple[str, ...], Read]]) -> list[Read]:
    """Return the reads of all *groups*, each value of a path once."""
    found: dict[object, Read] = {}
    for group in groups:
        for path, read in group.items():
            found.setdefault((path, _identity(read.value)), read)
    return list(found.values())


def _unverified(reads: list[Read]) -> tuple[Stood, ...]:
    """Return the figures whose source nobody has checked, by the record that states them."""
    marked = {r.path: r for r in reads if is_unverified(r.source)}
    return tuple(_stood(".".join(path), read) for path, read in marked.items())


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
