"""The answer to a question in which something is sought, as lines a person reads."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from costlang.answer import Answer, Bounds
from costlang.answer.seeking.solved import (
    Chosen,
    Elastic,
    Limit,
    Number,
    Opening,
    Solved,
    SolvedCase,
    Spot,
    Stretch,
    Together,
)
from costlang.emit.display import shown
from costlang.emit.math import body_text, where_list
from costlang.emit.values import DIGITS, value_text
from costlang.formula import graph as g
from costlang.units import NONE, Dimension, Unit, digits_of

GAPS = "it has gaps"
"""The solver's word for a side that is not defined all over; it explains nothing to a reader."""

CERTIFIED = 12
"""Digits of a number that has no closed form."""

RELATIONS = {"<": "<", "<=": "<=", ">": ">", ">=": ">="}

MOST_LETTERS = 400
"""A closed form that takes more to write is left to the formula views."""


def number_text(
    value: Number, dimension: Dimension | None, unit: Unit | None = None, digits: int = DIGITS
) -> str:
    """Return a number, as many digits of it as are certain."""
    plain = value.exact
    found: object = plain if plain is not None else Bounds(value.low, value.high, "certified")
    return value_text(found, dimension or NONE, unit, digits)


def solved_line(item: Answer) -> str:
    """Return the answer in one line: the value, or that there is none."""
    solved = item.solved
    assert solved is not None
    if solved.kind == "sensitivity":
        return "" if solved.outcome == "one" else f"undecided: {solved.reason}"
    if solved.infinite:
        return "inf" if solved.infinite > 0 else "-inf"
    if solved.outcome == "undecided":
        return f"undecided: {solved.reason}" if solved.reason else "undecided"
    if solved.kind in ("largest", "smallest"):
        return _extreme(item, solved)
    return _cases(item, solved)


def _cases(item: Answer, solved: Solved) -> str:
    if solved.names and solved.outcome != "everywhere":
        beside = f" ({solved.reason})" if solved.reason else ""
        return f"{solved.unknown} = {' or '.join(solved.names)}{beside}"
    if solved.together:
        return "as formulas"
    if solved.points:
        return " or ".join(map(_point, solved.points))
    name = "" if solved.kind == "limit" else f"{solved.unknown} = "
    known = [case for case in solved.cases if case.value is not None]
    if solved.outcome == "none":
        why = _why_none(item, solved)
        return why if why.startswith("none") else (f"none: {why}" if why else "none")
    if solved.outcome == "everywhere":
        return f"every {solved.unknown}"
    if known and not solved.spans:
        texts = (_value(case, item) for case in known)
        return f"{name}{' and '.join(texts)}"
    if solved.integers and all(_is_whole(case) for case in known):
        return f"{solved.unknown} in {' or '.join(_integers(solved))}"
    if solved.spans:
        return " or ".join(
            span_text(solved.unknown, span, item.dimension, item.unit) for span in solved.spans
        )
    return "as a formula"


def _point(point: tuple[tuple[str, Dimension | None, Number], ...]) -> str:
    """Return what each of several unknowns is."""
    return ", ".join(
        f"{name} = {number_text(value, dimension)}" for name, dimension, value in point
    )


def _value(case: SolvedCase, item: Answer) -> str:
    assert case.value is not None
    text = number_text(case.value, item.dimension, item.unit)
    whole = case.first_integer
    exact = case.value.exact
    if whole is None or (exact is not None and exact == whole):
        return text
    return f"{text}, from {digits_of(Fraction(whole))} on"


def _integers(solved: Solved) -> Iterator[str]:
    for low, high in solved.integers:
        ends = (digits_of(Fraction(e)) if e is not None else "" for e in (low, high))
        yield "..".join(dict.fromkeys(ends))


def _is_whole(case: SolvedCase) -> bool:
    exact = case.value.exact if case.value is not None else None
    return exact is not None and exact.denominator == 1


def span_text(
    name: str,
    span: Stretch,
    dimension: Dimension | None,
    unit: Unit | None = None,
    digits: int = DIGITS,
) -> str:
    """Return a stretch as comparisons: `3 < x`, `1 <= batch <= 45.86`."""
    low, high = span.low, span.high
    if low is not None and low == high:
        return f"{name} = {number_text(low, dimension, unit, digits)}"
    if low and high:
        digits = _apart(low, high, dimension, unit, digits)
    left = f"{number_text(low, dimension, unit, digits)} {_sign(span.low_in)} " if low else ""
    right = f" {_sign(span.high_in)} {number_text(high, dimension, unit, digits)}" if high else ""
    return f"{left}{name}{right}" if left or right else f"any {name}"


MOST_DIGITS = 15


def _apart(
    low: Number, high: Number, dimension: Dimension | None, unit: Unit | None, digits: int
) -> int:
    """Return as many digits, from *digits* on, as tell the two ends of a stretch apart."""
    for wanted in range(digits, MOST_DIGITS):
        ends = {number_text(end, dimension, unit, wanted) for end in (low, high)}
        if len(ends) == 2:
            return wanted
    return digits


def _sign(included: bool) -> str:
    return "<=" if included else "<"


def _why_none(item: Answer, solved: Solved) -> str:
    """Say why there is none: what would be needed outside the domain, else the solver's reason."""
    if not solved.outside:
        return "" if solved.reason == GAPS else solved.reason
    needed = " or ".join(number_text(x, item.dimension, item.unit) for x in solved.outside)
    info = solved.symbol.info if solved.symbol is not None else None
    if info is None or (info.floor is None and info.ceiling is None):
        return f"{needed} would be needed"
    if any(_between(x, info) for x in solved.outside):
        return f"none of the values it may have; {needed} would be needed"
    ends = (digits_of(end) if end is not None else "" for end in (info.floor, info.ceiling))
    return f"none in {'..'.join(ends)}; {needed} would be needed"


def _between(x: Number, info: g.SymbolInfo) -> bool:
    """Whether a number lies between the ends of a domain, which then is of single values."""
    above = info.floor is None or info.floor < x.low
    return above and (info.ceiling is None or x.high < info.ceiling)


def _chosen(item: Answer, solved: Solved) -> str:
    """Return the best value and where it stands."""
    best = solved.chosen
    assert best is not None
    value = number_text(best.value, item.dimension, item.unit)
    open_axis = any(isinstance(place, Spot) for place in best.values)
    others = "others" if open_axis else f"{best.ties - 1}"
    ties = f", and {others} as good" if best.ties > 1 else ""
    return f"{value} at {_where(best)}{ties}"


def places_text(point: Chosen) -> Iterator[tuple[str, str]]:
    """Yield each axis of a best value with where it stands there."""
    values = point.values or (None,) * len(point.where)
    for (name, text), value in zip(point.where, values, strict=True):
        yield name, _spot(value) if isinstance(value, Spot) else text


def _spot(spot: Spot) -> str:
    return "any" if spot.number is None else number_text(spot.number, spot.dimension)


def _where(point: Chosen) -> str:
    return ", ".join(f"{name} = {text}" for name, text in places_text(point))


def _extreme(item: Answer, solved: Solved) -> str:
    if solved.chosen is not None:
        return _chosen(item, solved)
    if solved.outcome == "none":
        if solved.approached is not None:
            value = number_text(solved.approached, item.dimension, item.unit)
            return f"none that is the {solved.kind}: it comes as close to {value} as one likes"
        names = " and ".join(f"`{limit.name}`" for limit in solved.failing)
        return f"none: {names or solved.reason} cannot hold" if names else f"none: {solved.reason}"
    if solved.outcome == "unbounded":
        return f"no bound: {solved.reason or 'no condition limits it'}"
    whole = solved.whole
    if any(case.value is None for case in solved.cases):
        return "as a formula"
    if whole is not None:
        value = value_text(Fraction(whole), item.dimension or NONE, item.unit, 6)
    elif solved.cases and solved.cases[0].value is not None:
        value = number_text(solved.cases[0].value, item.dimension, item.unit)
    else:
        value = "unknown"
    if not solved.attained and whole is None:
        side = "below" if solved.kind == "largest" else "above"
        return f"none that is the {solved.kind}: any {solved.unknown} {side} {value}"
    return f"{solved.unknown} = {value}"


# ---- below the line


def solved_lines(item: Answer) -> Iterator[str]:
    """Yield what stands below: formulas, conditions, what binds, what else would."""
    solved = item.solved
    assert solved is not None
    for case in solved.cases:
        yield from _case_lines(item, solved, case)
    for found in solved.together:
        yield from _together_lines(found)
    if solved.reason and any(case.value is None for case in solved.cases):
        yield solved.reason
    if solved.excluded is not None:
        value = number_text(solved.excluded.value, item.dimension, item.unit)
        names = "; ".join(map(_limit, solved.excluded.failing))
        word = "better, but excluded" if solved.chosen is not None else "best of those"
        yield f"{word}: {value} at {_where(solved.excluded)}, which fails {names}"
    if solved.binding:
        yield f"binding: {'; '.join(map(_limit, solved.binding))}"
    told = {limit.name for limit in solved.binding}
    fresh = all(limit.name not in told for limit in solved.next_binding)
    if solved.next_value is not None and solved.next_binding and fresh:
        where = number_text(solved.next_value, item.dimension, item.unit)
        yield f"next: {'; '.join(map(_limit, solved.next_binding))}, at {where}"
    for place in solved.outside if solved.outcome != "none" else ():
        where = number_text(place, item.dimension, item.unit)
        yield f"outside its domain: {where} would be needed"
    yield from (_opening(item) for item in solved.thresholds if _says(item))
    if solved.kind == "solve":
        yield from _moves(solved)
    else:
        yield from _elastic(solved.elastic)


def _case_lines(item: Answer, solved: Solved, case: SolvedCase) -> Iterator[str]:
    if case.formula is not None and (case.value is None or not isinstance(case.formula, g.Num)):
        text = body_text(case.formula, "text")
        if len(text) <= MOST_LETTERS or case.value is None:
            head = "" if solved.kind == "limit" else f"{solved.unknown} "
            yield f"{head}{RELATIONS.get(case.relation, '=')} {text}"
            yield from (f"  {line}" for line in where_list(case.formula, "text"))
    elif case.value is None:
        yield _without_form(solved, case)
    elif case.formula is None and case.value.exact is None and solved.kind == "solve":
        near = number_text(case.value, item.dimension, item.unit, CERTIFIED)
        yield f"not solved in closed form; certified value {near}"
    if case.regime:
        yield f"where {', '.join(dict.fromkeys(case.regime))}"
    symbolic = case.value is None
    if symbolic and case.when:
        yield f"when {' and '.join(body_text(node, 'text') for node in case.when)}"
    if case.ranges and case.regime and not symbolic and solved.kind == "solve":
        spans = (span_text(solved.unknown, s, item.dimension, item.unit) for s in case.ranges)
        yield f"this form holds for {' or '.join(spans)}"


def _together_lines(found: Together) -> Iterator[str]:
    for name, formula in found.formulas:
        every = isinstance(formula, g.Sym) and formula.path[-1] == name
        yield f"every {name}" if every else f"{name} = {body_text(formula, 'text')}"
        yield from (f"  {line}" for line in where_list(formula, "text"))
    if found.when:
        yield f"when {' and '.join(body_text(node, 'text') for node in found.when)}"


def _without_form(solved: Solved, case: SolvedCase) -> str:
    """Return what can be said of a case that has no closed form."""
    within = " and ".join(body_text(node, "text") for node in case.within)
    where = f" with {within}" if within else ""
    match case.count:
        case "all":
            return f"every {solved.unknown}{where}"
        case "any":
            return f"none or several {solved.unknown}{where}, which have no closed form"
        case "several":
            return f"one or several {solved.unknown}{where}, which have no closed form"
        case _:
            return f"the one {solved.unknown} for which both sides are equal; it has no closed form"


def _limit(limit: Limit) -> str:
    return limit.text if limit.name == limit.text else f"{limit.name} ({limit.text})"


def _says(item: Opening) -> bool:
    """Whether the threshold leaves anything out."""
    return item.decided and not any(s.low is None and s.high is None for s in item.spans)


def _opening(item: Opening) -> str:
    if not item.spans:
        return f"there is none at any {item.name}"
    spans = (span_text(item.name, span, item.dimension, digits=6) for span in item.spans)
    words = f"there is one only for {' or '.join(spans)}"
    last = item.integers[-1][1] if item.integers else None
    return f"{words}: none from {digits_of(Fraction(last + 1))} on" if last is not None else words


MOST_MOVES = 4
"""Names with which a solution moves that are told in a line; the report for programs has all."""


def _moves(solved: Solved) -> Iterator[str]:
    """Yield how the solution moves when a name that was set grows by one percent."""
    rows = [row for row in solved.elastic if _percent(row.after) != "0"][:MOST_MOVES]
    if rows:
        told = ", ".join(f"{row.name} {_percent(row.after)} %" for row in rows)
        yield f"moves for +1 %: {told}"


def _elastic(rows: tuple[Elastic, ...]) -> Iterator[str]:
    width = max((len(row.name) for row in rows), default=0)
    for row in rows:
        low, high = _percent(row.before), _percent(row.after)
        slope = low if low == high else f"{low} below, {high} above"
        stands = value_text(row.value, row.dimension or NONE)
        source = f"   {row.source}" if row.source else ""
        yield f"{row.name.ljust(width)}  {slope.rjust(8)}  at {stands}{source}"


def _percent(value: Number) -> str:
    middle = (Fraction(value.low) + Fraction(value.high)) / 2
    return digits_of(middle, 3) if middle else "0"


def step_lines(item: Answer) -> Iterator[str]:
    """Yield the way to each case, a step a line: what was done, and two formulas that are equal."""
    solved = item.solved
    for case in solved.cases if solved is not None else ():
        for at, (words, left, right) in enumerate(case.steps, start=1):
            yield shown(f"{at}. {words}")
            yield shown(f"     {body_text(left, 'text')} = {body_text(right, 'text')}")


def safe_lines(item: Answer) -> Iterator[str]:
    """Yield the lines below, with nothing that acts on a terminal."""
    yield from map(shown, solved_lines(item))
