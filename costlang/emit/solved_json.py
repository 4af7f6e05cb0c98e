"""The answer to a question in which something is sought, as plain data."""

from __future__ import annotations

from fractions import Fraction

from costlang.answer import Answer
from costlang.answer.seeking.solved import (
    Chosen,
    Elastic,
    Limit,
    Number,
    Opening,
    SolvedCase,
    Stretch,
    Together,
)
from costlang.emit.math import body_text, where_list
from costlang.emit.solved_text import places_text
from costlang.emit.values import number_in
from costlang.units import Dimension, Unit, base_unit

Json = dict[str, object]


def solved_json(item: Answer) -> Json:
    """
    Return what is found, in the unit of the answer: `kind`, `cases`, what binds, what is outside.

    *first_integer* is that of the one case; `docs/json.md` says what each key is.
    """
    solved = item.solved
    assert solved is not None
    unit, dimension = item.unit, item.dimension
    return {
        "kind": solved.kind,
        "outcome": solved.outcome,
        "unknown": solved.unknown or None,
        "cases": [_case(case, unit, dimension) for case in solved.cases],
        "first_integer": _first(solved.cases),
        "outside": [_number(place, unit, dimension) for place in solved.outside],
        "spans": [_span(span, item.unit, item.dimension) for span in solved.spans],
        "integers": [list(ends) for ends in solved.integers],
        "binding": [_limit(limit) for limit in solved.binding],
        "next": _end(solved.next_value, item),
        "next_binding": [_limit(limit) for limit in solved.next_binding],
        "failing": [_limit(limit) for limit in solved.failing],
        "thresholds": [_opening(opening) for opening in solved.thresholds],
        "elasticities": [_elastic(row) for row in solved.elastic],
        "infinite": solved.infinite,
        "names": list(solved.names),
        "points": [
            {name: _number(value, None, dim) for name, dim, value in point}
            for point in solved.points
        ],
        "together": [_together(each) for each in solved.together],
        "at": dict(places_text(solved.chosen)) if solved.chosen is not None else None,
        "approached": _number(solved.approached, unit, dimension) if solved.approached else None,
        "ties": solved.chosen.ties if solved.chosen is not None else None,
        "excluded": _excluded(item, solved.excluded) if solved.excluded is not None else None,
        "reason": solved.reason or None,
    }


def _together(found: Together) -> Json:
    return {
        "formulas": {name: body_text(node, "text") for name, node in found.formulas},
        "latex": {name: body_text(node, "latex") for name, node in found.formulas},
        "when": [body_text(node, "text") for node in found.when],
    }


def _excluded(item: Answer, point: Chosen) -> Json:
    return {
        "at": dict(places_text(point)),
        "value": _number(point.value, item.unit, item.dimension),
        "failing": [_limit(limit) for limit in point.failing],
    }


def _first(cases: tuple[SolvedCase, ...]) -> int | None:
    return cases[0].first_integer if len(cases) == 1 else None


def _case(case: SolvedCase, unit: Unit | None, dimension: Dimension | None) -> Json:
    formula = case.formula
    return {
        "value": _number(case.value, unit, dimension) if case.value is not None else None,
        "unit": (unit or base_unit(dimension)).text if dimension is not None else None,
        "exact": _exact(case.value),
        "formula": body_text(formula, "text") if formula is not None else None,
        "latex": body_text(formula, "latex") if formula is not None else None,
        "where": where_list(formula, "text") if formula is not None else [],
        "relation": case.relation,
        "when": [body_text(node, "text") for node in case.when],
        "count": case.count,
        "within": [body_text(node, "text") for node in case.within],
        "regime": list(case.regime),
        "first_integer": case.first_integer,
    }


def _number(value: Number, unit: Unit | None, dimension: Dimension | None) -> float | None:
    try:
        return number_in((Fraction(value.low) + Fraction(value.high)) / 2, unit, dimension)
    except OverflowError:
        return None


def _exact(value: Number | None) -> str | None:
    plain = value.exact if value is not None else None
    short = plain is not None and abs(plain.numerator) + plain.denominator < 10**4000
    return str(plain) if short else None


def _end(value: Number | None, item: Answer) -> float | None:
    return _number(value, item.unit, item.dimension) if value is not None else None


def _span(span: Stretch, unit: Unit | None, dimension: Dimension | None) -> Json:
    return {
        "low": _number(span.low, unit, dimension) if span.low is not None else None,
        "high": _number(span.high, unit, dimension) if span.high is not None else None,
        "low_in": span.low_in,
        "high_in": span.high_in,
    }


def _limit(limit: Limit) -> Json:
    return {"name": limit.name, "text": limit.text}


def _opening(opening: Opening) -> Json:
    spans = [_span(span, None, opening.dimension) for span in opening.spans]
    return {"name": opening.name, "spans": spans, "integers": [list(e) for e in opening.integers]}


def _elastic(row: Elastic) -> Json:
    below = (Fraction(row.before.low) + Fraction(row.before.high)) / 2
    above = (Fraction(row.after.low) + Fraction(row.after.high)) / 2
    return {"name": row.name, "below": float(below), "above": float(above), "source": row.source}
