"""Laws with how they ended, for programs: the contract of docs/json.md."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from costlang.emit.diagnostics_json import diagnostic_json
from costlang.emit.laws_text import given_text, why_lines
from costlang.emit.report_json import SCHEMA
from costlang.emit.values import value_text
from costlang.prove import Counterexample, Given, Ledger, Outcome
from costlang.units import NONE, base_unit

Json = dict[str, Any]


def laws_json(ledgers: list[Ledger], version: str) -> Json:
    """Return how the laws of some files end, as plain data."""
    diagnostics = dict.fromkeys(item for ledger in ledgers for item in ledger.diagnostics)
    return {
        "schema": SCHEMA,
        "version": version,
        "laws": [law_json(item) for ledger in ledgers for item in ledger.outcomes],
        "diagnostics": [diagnostic_json(item) for item in diagnostics],
    }


def law_json(item: Outcome) -> Json:
    """Return how one law ended, as plain data."""
    line, column = item.span.source.position(item.span.start)
    against = item.counterexample
    return {
        "name": item.name,
        "of": item.owner,
        "place": item.place,
        "law": item.text,
        "status": item.status,
        "method": item.method or None,
        "repeats_definition": item.repeats,
        "why": list(why_lines(item)),
        "cases": item.cases,
        "seed": item.seed,
        "coverage": {
            "sides": item.coverage.sides,
            "met": item.coverage.met,
            "missed": list(item.coverage.missed),
        },
        "counterexample": _against(against) if against is not None else None,
        "taken": list(item.taken),
        "reason": item.reason or None,
        "not_tried": list(item.passed),
        "file": item.span.source.name,
        "line": line,
        "column": column,
    }


def _against(found: Counterexample) -> Json:
    return {
        "at": given_text(found.at),
        "values": [_given(item) for item in found.at],
        "moved": [[_given(item) for item in step] for step in found.moved],
        "sides": [
            {"text": words, "exact": _exact(value), "shown": value_text(value, dimension)}
            for words, value, dimension in found.values
        ],
    }


def _given(item: Given) -> Json:
    number = isinstance(item.value, Fraction)
    unit = base_unit(item.dimension or NONE).text if number else None
    return {
        "name": item.name,
        "value": _exact(item.value) if isinstance(item.value, Fraction) else item.value,
        "unit": unit,
    }


def _exact(value: Fraction | None) -> str | None:
    return None if value is None else str(value)
