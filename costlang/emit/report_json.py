"""A report for programs: the contract of docs/json.md, schema 1."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from costlang.answer import Answer, Bounds, Broken, Report, Side, Stood, Verdict
from costlang.answer.parts import Piece
from costlang.emit.diagnostics_json import diagnostic_json
from costlang.emit.math import equation, where_list
from costlang.emit.solved_json import solved_json
from costlang.emit.table import bend_text, records
from costlang.emit.values import decimal_beyond, stood_text, value_text
from costlang.text import Span
from costlang.units import NONE, Dimension, Unit, choose_unit
from costlang.units.digits import LONGEST_WHOLE

Json = dict[str, Any]
SCHEMA = 1
MOST_DIGITS = 1_000
"""A rational with a longer numerator or denominator stands between two decimals instead."""
_TOO_LONG: int = 10**MOST_DIGITS
WRITTEN = 40
"""The digits of those decimals."""


def report_json(report: Report, version: str) -> Json:
    """Return *report* as plain data."""
    notes = [a.note for a in report.answers if a.note is not None]
    notes += [c.note for c in report.checks if c.note is not None]
    return {
        "schema": SCHEMA,
        "version": version,
        "answers": [answer_json(item) for item in report.answers],
        "checks": [check_json(item) for item in report.checks],
        "diagnostics": [
            diagnostic_json(item) for item in dict.fromkeys((*report.diagnostics, *notes))
        ],
    }


def answer_json(item: Answer) -> Json:
    """Return one answer as plain data."""
    unit = unit_of(item)
    return {
        "name": item.name,
        "scenario": item.scenario,
        "question": item.question,
        "expression": item.expression,
        "value": _plain(item.value, unit),
        "unit": unit.text if unit is not None else None,
        "exact": _exact(item.value),
        "interval": _interval(_bounded(item.value), unit),
        "text": value_text(item.value, item.dimension, item.unit)
        if item.value is not None
        else None,
        "assumed": _named(item.assumed),
        "unverified": _named(item.unverified),
        "overridden": _named(item.overridden),
        "given": _named(item.given),
        "free": list(item.free),
        "regime": {c.definition: c.side for c in item.regime},
        "infeasible": [_broken(b) for b in item.infeasible],
        "sides": [_side(side) for side in item.sides] if item.sides is not None else None,
        "slip": item.slip,
        "sources": _sources(item),
        **_parts(item),
    }


def _parts(item: Answer) -> Json:
    """Return what only some answers have: a formula, the parts of a number, rows of a table."""
    found: Json = {}
    if item.formula is not None:
        node, name = item.formula.node, item.formula.name
        found["formula"] = equation(node, "text", name)
        found["latex"] = equation(node, "latex", name)
        found["where"] = where_list(node, "text")
    if item.solved is not None:
        found.update(solved_json(item))
    if item.breakdown is not None:
        found["parts"] = _piece(item.breakdown.whole, item.breakdown.dimension)
    if item.sweep is not None:
        found["rows"] = list(records(item.sweep))
        found["bends"] = [bend_text(bend, item.sweep) for bend in item.sweep.bends]
        found["sampling"] = list(item.sweep.sampling)
    return found


def _piece(piece: Piece, dimension: Dimension) -> Json:
    return {
        "label": piece.label,
        **_quantity(piece.value, dimension),
        "share": float(piece.share),
        "note": piece.note,
        "parts": [_piece(part, dimension) for part in piece.parts],
    }


def unit_of(item: Answer) -> Unit | None:
    """Return the unit in which the value of *item* is written."""
    if item.unit is not None:
        return item.unit
    if isinstance(item.value, Fraction):
        return choose_unit(item.value, item.dimension or NONE)
    if isinstance(item.value, Bounds):
        finite = [e for e in (item.value.low, item.value.high) if isinstance(e, Fraction)]
        if finite:
            return choose_unit(max(finite, key=abs), item.dimension or NONE)
    return None


def _plain(value: object, unit: Unit | None) -> object:
    match value:
        case bool() | str():
            return value
        case Fraction():
            return as_float(value, unit)
        case Bounds(low, high, "certified"):
            return as_float((Fraction(low) + Fraction(high)) / 2, unit)
        case _:
            return None


def as_float(value: Fraction | float, unit: Unit | None) -> float | int | None:
    """Return *value* in *unit* as JSON has it, None where that would be infinite or nothing."""
    if isinstance(value, float):
        return None if math.isinf(value) or math.isnan(value) else value
    scaled = value / unit.scale if unit is not None else value
    if scaled.denominator == 1 and abs(scaled) < 10**LONGEST_WHOLE:
        return int(scaled)
    try:
        nearest = float(scaled)
    except OverflowError:
        return None
    return nearest if nearest or not scaled else None


def _exact(value: object) -> str | None:
    """Return a number in full, None for another value and for one that is too long."""
    return str(value) if isinstance(value, Fraction) and not _too_long(value) else None


def _too_long(value: Fraction) -> bool:
    return max(abs(value.numerator), value.denominator) >= _TOO_LONG


def _bounded(value: object) -> object:
    """Return what *value* lies between where it is too long to be written in full."""
    long = isinstance(value, Fraction) and _too_long(value)
    return Bounds(value, value, "certified") if long else value  # type: ignore[arg-type]


def _interval(value: object, unit: Unit | None) -> Json | None:
    if not isinstance(value, Bounds):
        return None
    return {
        "low": as_float(value.low, unit),
        "high": as_float(value.high, unit),
        "kind": value.kind,
        "exact": [_end(value.low, value.kind, -1), _end(value.high, value.kind, 1)],
    }


def _end(end: Fraction | float, kind: str, side: int) -> str | None:
    """Return an end in full, or a decimal beyond it; None where that would not be the end."""
    if not isinstance(end, Fraction):
        return None
    if not _too_long(end):
        return str(end)
    return decimal_beyond(end, side, WRITTEN) if kind != "exact" else None


def _named(items: tuple[Stood, ...]) -> dict[str, str]:
    return {item.name: stood_text(item) for item in items}


def _broken(item: Broken) -> Json:
    return {
        "name": item.name,
        "requirement": item.text,
        "left": _side(item.left),
        "right": _side(item.right),
        "values": [_side(side) for side in item.values],
        **_place(item.span),
    }


def _side(side: Side | None) -> Json | None:
    if side is None:
        return None
    return {
        "expression": side.text,
        "text": value_text(side.value, side.dimension),
        **_quantity(side.value, side.dimension),
    }


def _quantity(value: object, dimension: Dimension | None) -> Json:
    if not isinstance(value, Fraction):
        return {"value": None, "unit": None, "exact": None}
    unit = choose_unit(value, dimension or NONE)
    return {"value": as_float(value, unit), "unit": unit.text, "exact": _exact(value)}


def _sources(item: Answer) -> list[Json]:
    stood = (*item.used, *item.assumed, *item.given)
    return [{"name": s.name, "source": s.source} for s in stood if s.source is not None]


def _place(span: Span) -> Json:
    return {"file": span.source.name, "line": span.line, "column": span.column}


STATUS = {True: "holds", False: "fails", None: "undecided"}


def check_json(item: Verdict) -> Json:
    """Return how one check ended as plain data."""
    return {
        "name": item.name,
        "of": item.owner,
        "fact": item.text,
        "status": STATUS[item.holds],
        "only_by_tolerance": item.barely,
        "left": _side(item.sides[0]) if item.sides else None,
        "right": _side(item.sides[1]) if item.sides else None,
        "slip": item.slip,
        "free": list(item.free),
        "source": item.source,
        **_place(item.span),
    }
