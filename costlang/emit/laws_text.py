"""Laws with how they ended, for a person: a line each, and below it what speaks against it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from costlang.emit.canvas import Style
from costlang.emit.display import shown
from costlang.emit.report_text import Paper
from costlang.emit.values import value_text
from costlang.prove import (
    PROVED,
    REFUTED,
    TESTED,
    UNDECIDED,
    Counterexample,
    Given,
    Ledger,
    Outcome,
)
from costlang.prove.deciding import Step
from costlang.units import NONE, base_unit, choose_unit, digits_of

STYLES = {
    PROVED: Style.VALUE,
    TESTED: Style.FAINT,
    REFUTED: Style.WARNING,
    UNDECIDED: Style.WARNING,
}
MOST_MISSED = 3
DIGITS = 30


def laws_text(ledger: Ledger, paper: Paper, *, why: bool = False) -> str:
    """Return all laws of *ledger*, by the places where they were looked at, and their number."""
    lines: list[str] = []
    for place in dict.fromkeys(each.place for each in ledger.outcomes):
        here = [each for each in ledger.outcomes if each.place == place]
        lines.append(paper.paint(shown(place), Style.TITLE))
        width = max(len(each.name) for each in here)
        for each in here:
            lines.extend(f"  {line}" for line in _law(each, width, paper, why=why))
        taken = tuple(dict.fromkeys(word for each in here for word in each.taken))
        if taken:
            lines.append(f"  {paper.paint('taken', Style.FAINT)}: {shown(', '.join(taken))}")
        lines.append("")
    lines.append(summary(ledger))
    return "\n".join(lines) + "\n"


def summary(ledger: Ledger) -> str:
    """Return `laws: 6 proved, 1 tested, 0 refuted`."""
    words = [f"{ledger.count(status)} {status}" for status in (PROVED, TESTED, REFUTED)]
    if ledger.count(UNDECIDED):
        words.append(f"{ledger.count(UNDECIDED)} undecided")
    return f"laws: {', '.join(words)}"


def _law(item: Outcome, width: int, paper: Paper, *, why: bool) -> Iterator[str]:
    status = paper.paint(item.status.ljust(9), STYLES[item.status])
    yield f"{shown(item.name).ljust(width)}  {status}  {shown(item.text)}{_remark(item)}"
    if item.counterexample is not None:
        yield from (f"    {line}" for line in against_lines(item.counterexample))
    if item.status == TESTED and item.coverage.missed:
        missed = item.coverage.missed
        words = ", ".join(f"`{shown(word)}`" for word in missed[:MOST_MISSED])
        more = f" and {len(missed) - MOST_MISSED} more" if len(missed) > MOST_MISSED else ""
        yield f"    not met: {words}{more}"
    if item.reason:
        yield f"    {shown(item.reason)}"
    if why:
        yield from (f"    {line}" for line in why_lines(item))


def _remark(item: Outcome) -> str:
    if item.repeats:
        return "  (repeats its definition)"
    return f"  ({item.cases} cases)" if item.status == TESTED else ""


def against_lines(found: Counterexample) -> Iterator[str]:
    """Yield where a law fails, as it is written after a question, and what its sides are there."""
    if found.at:
        yield f"fails at {given_text(found.at)}"
    else:
        yield "fails as it stands"
    for step in found.moved:
        yield f"and then at {given_text(step)}"
    sides = [
        f"{shown(words)} = {value_text(value, dimension)}"
        for words, value, dimension in found.values
        if value is not None
    ]
    if sides:
        yield f"where {', then '.join(sides) if found.moved else ', '.join(sides)}"


def given_text(given: tuple[Given, ...]) -> str:
    """Return `batch = 2, context = 100 tok`, as it is written after `at`."""
    return ", ".join(f"{item.name} = {number_text(item)}" for item in given)


def number_text(item: Given) -> str:
    """Return the value of a name, exactly, with its unit."""
    if isinstance(item.value, bool):
        return "true" if item.value else "false"
    if isinstance(item.value, str):
        return item.value
    dimension = item.dimension or NONE
    for unit in (choose_unit(item.value, dimension), base_unit(dimension)):
        number = item.value / unit.scale
        text = digits_of(number, DIGITS)
        if Fraction(text.replace("_", "").replace(",", "")) == number:
            return text if unit.text in ("1", "") else f"{text} {unit.text}"
    unit = base_unit(dimension)
    scaled = item.value / unit.scale
    text = f"{scaled.numerator} / {scaled.denominator}"
    return text if unit.text in ("1", "") else f"{text} * 1 {unit.text}"


def why_lines(item: Outcome) -> Iterator[str]:
    """Yield the rules of a proof, what rests on others below them."""
    if item.proof is not None:
        yield from _steps(item.proof, 0)


def _steps(step: Step, deep: int) -> Iterator[str]:
    yield f"{'  ' * deep}{shown(step.rule)}"
    for below in dict.fromkeys(step.below):
        yield from _steps(below, deep + (1 if len(step.below) > 1 else 0))
