"""All numbers for which one formula is equal to, above or below another, certified."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from costlang.formula import graph as g
from costlang.solve.certified.line import signs_over
from costlang.solve.certified.signs import Signs, Stretch, doubtful, where
from costlang.solve.ground import places, spans
from costlang.solve.ground.budget import Budget, CannotTell
from costlang.solve.ground.domain import Domain
from costlang.solve.ground.places import Place
from costlang.solve.ground.prepare import without_sums
from costlang.solve.ground.program import Program, Values, Writer
from costlang.solve.ground.solution import Case, Kind, Ranges, Solution
from costlang.solve.ground.spans import Span, Spans

WANTED = {
    "==": frozenset({0}),
    "!=": frozenset({-1, 1}),
    "<": frozenset({-1}),
    "<=": frozenset({-1, 0}),
    ">": frozenset({1}),
    ">=": frozenset({0, 1}),
}
"""The signs of `left - right` that each relation asks for."""


@dataclass(frozen=True, eq=False)
class Question:
    """`left relation right` for *unknown* in *domain*, the other symbols worth *values*."""

    build: g.Builder
    left: g.Node
    relation: str
    right: g.Node
    unknown: g.Sym
    domain: Domain
    values: Values


@dataclass(frozen=True, eq=False)
class Followed:
    """The signs of `left - right` over a stretch, with the program that they were found in."""

    signs: Signs
    program: Program
    target: int


def followed(question: Question, around: Span, budget: Budget) -> Followed:
    """Return the signs of the difference over *around*; or raise `CannotTell`."""
    program, target = written(question)
    return Followed(signs_over(program, target, around, budget), program, target)


def prepared(question: Question) -> tuple[g.Node, g.Node]:
    """Return both sides without sums, as far as that goes."""
    build, values = question.build, question.values
    return without_sums(build, question.left, values), without_sums(build, question.right, values)


def written(question: Question) -> tuple[Program, int]:
    """Return the difference as a program, with the step that it is."""
    left, right = prepared(question)
    writer = Writer(question.unknown, question.values)
    target = writer.difference(left, right)
    return writer.program(), target


def solved(question: Question, budget: Budget) -> Solution:
    """Return all solutions of *question* as numbers, without their closed forms."""
    try:
        if question.domain.members:
            found = _among_members(question, budget)
        else:
            found = _on_the_line(question, budget)
    except CannotTell as fault:
        found = Solution(Kind.UNDECIDED, reason=str(fault), doubtful=question.domain.spans)
    return replace(found, steps=budget.spent)


# ---- a stretch of real or whole numbers


def _on_the_line(question: Question, budget: Budget) -> Solution:
    line = followed(question, question.domain.around, budget)
    wanted = WANTED[question.relation]
    found = where(line.signs, wanted)
    unclear = spans.joined(s.span for s in doubtful(line.signs))
    if question.domain.whole:
        return _whole(question, line, found, unclear)
    cases = tuple(_case(each.low) for each in found if each.single and each.low is not None)
    kind = _kind(question.relation, found, cases, question.domain.spans)
    reason = _why_none(line.signs) if kind is Kind.NONE else ""
    solution = Solution(kind, cases, found, doubtful=unclear, reason=reason)
    return _doubted(solution, line.signs)


def _doubted(solution: Solution, signs: Signs) -> Solution:
    unclear = doubtful(signs)
    if not unclear:
        return solution
    reasons = dict.fromkeys(stretch.reason for stretch in unclear)
    return replace(solution, kind=Kind.UNDECIDED, reason="; ".join(reasons))


def _kind(relation: str, found: Spans, cases: tuple[Case, ...], domain: Spans) -> Kind:
    if not found:
        return Kind.NONE
    if not spans.without(domain, found):
        return Kind.EVERYWHERE
    if relation != "==" or len(cases) < len(found):
        return Kind.INTERVALS
    return Kind.ONE if len(cases) == 1 else Kind.MANY


def _case(value: Place) -> Case:
    try:
        return Case(value, places.ceil(value))
    except CannotTell:
        return Case(value, None)


def _why_none(signs: Signs) -> str:
    met = {stretch.sign for stretch in signs}
    if met == {1}:
        return "the left side is always larger"
    if met == {-1}:
        return "the left side is always smaller"
    if met == {None}:
        return "it has no value there"
    if met == {0}:
        return "both sides are always equal"
    return "the left side jumps past the right side" if {1, -1} <= met else "it has gaps"


# ---- whole numbers


def _whole(question: Question, line: Followed, found: Spans, unclear: Spans) -> Solution:
    ranges = spans.whole_ranges(found)
    everything = spans.whole_ranges(question.domain.spans)
    cases = tuple(
        _case(places.at(first)) for first, last in ranges if first is not None and first == last
    )
    kind = _kind_of_ranges(ranges, everything, cases)
    doubts = spans.whole_ranges(unclear)
    outside = tuple(each.low for each in found if _broken(each) and each.low is not None)
    reason = _why_none(line.signs) if kind is Kind.NONE else ""
    if kind is Kind.NONE and outside:
        reason = "no solution is a whole number"
    solution = Solution(kind, cases, found, ranges, outside=outside, reason=reason)
    if doubts:
        solution = _doubted(replace(solution, doubtful=unclear), line.signs)
    return solution


def _broken(each: Span) -> bool:
    return each.single and each.whole() is None


def _kind_of_ranges(ranges: Ranges, everything: Ranges, cases: tuple[Case, ...]) -> Kind:
    if not ranges:
        return Kind.NONE
    if ranges == everything:
        return Kind.EVERYWHERE
    if len(cases) < len(ranges):
        return Kind.INTERVALS
    return Kind.ONE if len(cases) == 1 else Kind.MANY


# ---- a finite set


def _among_members(question: Question, budget: Budget) -> Solution:
    members = question.domain.members
    line = [_at_member(question, value, budget) for value in members]
    wanted = WANTED[question.relation]
    found = tuple(s.left for s in line if s.known and s.sign in wanted and s.left is not None)
    cases = tuple(map(_case, found))
    kind = Kind.NONE if not found else Kind.ONE if len(found) == 1 else Kind.MANY
    if len(found) == len(members):
        kind = Kind.EVERYWHERE
    reason = _why_none(tuple(line)) if kind is Kind.NONE else ""
    unclear = tuple(s.span for s in line if not s.known)
    solution = Solution(kind, cases, _points(found), members=found, doubtful=unclear, reason=reason)
    return _doubted(solution, tuple(line))


def _points(found: Iterable[Place]) -> Spans:
    return tuple(map(spans.point, found))


def _at_member(question: Question, value: Fraction, budget: Budget) -> Stretch:
    (stretch,) = followed(question, spans.span(value, value), budget).signs
    return stretch
