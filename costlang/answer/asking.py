"""A question of a scenario to its answers, one for each expression that it asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from costlang.answer.answers import Answer, Bounds, Choice, Result
from costlang.answer.long_sums import LongSums
from costlang.answer.lowered import formula_of
from costlang.answer.parts import NoParts, breakdown
from costlang.answer.requirements import broken_requirements, sides_of
from costlang.answer.slips import is_false_equation, slip_of
from costlang.answer.stood import missing, stood
from costlang.answer.sweep import Progress, Sweeping
from costlang.answer.worlds import World, open_world
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model import exact
from costlang.model.algebra import Value
from costlang.model.evaluate import TOO_MUCH
from costlang.model.faults import Fault, fault
from costlang.model.instances import Env, Member
from costlang.model.trace import Trace
from costlang.model.types import NumberType
from costlang.model.work import TooMuchWork, current, sentence
from costlang.syntax import tree
from costlang.text import Diagnostic, Label, Severity, Span
from costlang.units import Dimension, Unit, UnitTable

if TYPE_CHECKING:
    from costlang.answer.seeking.solving import Solving

Above = tuple[d.Setting, ...]


@sentence()
def answer(
    scenario: d.ScenarioDecl,
    slot: d.QuerySlot,
    above: Above = (),
    progress: Progress | None = None,
    *,
    with_formula: bool = False,
    fine: bool = False,
) -> tuple[Answer, ...]:
    """
    Return the answers to the question *slot*, under the bindings *above*.

    *progress* is told of each row of a sweep: how many are done, of how many. *with_formula* adds
    the formula where there is a number as well, and *fine* rows to a sweep, for a curve.
    """
    question = slot.question
    assert question is not None
    asking = _Asking(scenario, slot, question, above, with_formula)
    if question.kind == "sweep":
        return (asking.table(progress, fine=fine),)
    if question.kind in SOUGHT:
        return tuple(asking.sought(at) for at in range(len(_sought(question))))
    if question.kind not in ("eval", "breakdown"):
        return (_not_yet(scenario, slot, question),)
    return tuple(asking.answer(core) for core in question.subjects)


SOUGHT = ("solve", "largest", "smallest", "limit", "sensitivity")


def _sought(question: d.Question) -> tuple[object, ...]:
    """Return what is answered one by one: each expression of a `sensitivity`, else the whole."""
    return question.subjects if question.kind == "sensitivity" else (None,)


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


@dataclass(frozen=True, eq=False)
class _Asking:
    """One question under bindings from outside."""

    scenario: d.ScenarioDecl
    slot: d.QuerySlot
    question: d.Question
    above: Above
    with_formula: bool = False

    def answer(self, core: c.Core) -> Answer:
        """Return the answer to one expression of the question."""
        try:
            return _afforded(self._answer(core))
        except Fault as wrong:
            return replace(self._blank(core), note=wrong.diagnostic)
        except TooMuchWork:
            return replace(self._blank(core), note=_too_much(core.span))

    def _answer(self, core: c.Core) -> Answer:
        world = open_world(self.scenario, self.above)
        world.evaluator.long_sums = LongSums(self.scenario, core, self.question.at, self.above)
        at = world.under(self.question.at)
        value = world.value(core, at)
        if isinstance(value, exact.Infinity):
            raise fault("infinite", "this is infinite, and no number", core.span)
        sides = sides_of(world.evaluator, core, Env(at))
        infeasible = broken_requirements(world.evaluator, at)
        trace = world.evaluator.trace
        found = replace(
            self._blank(core),
            value=_result(value, lambda ends: self._at_ends(core, ends)),
            sides=sides,
            free=free_names(value),
            missing=missing(free_names(value), trace),
            regime=_regime(trace),
            infeasible=infeasible,
            slip=slip_of(sides) if is_false_equation(core, value) else None,
            **stood(trace),
        )
        return self._with_formula(found, core)

    def table(self, progress: Progress | None, *, fine: bool = False) -> Answer:
        """Return the answer to a sweep: a table."""
        blank = replace(self._blank(self.question.subjects[0]), dimension=None, unit=None)
        blank = replace(blank, expression=blank.question)

        def unit(dimension: Dimension | None) -> Unit | None:
            return asked_unit(self.scenario, self.question, dimension)

        sweeping = Sweeping(self.scenario, self.question, self.above, unit, _paced(progress), fine)
        core = self.question.subjects[0]
        try:
            return _afforded(replace(blank, sweep=sweeping.sweep(), **sweeping.stood()))
        except Fault as wrong:
            return replace(blank, note=wrong.diagnostic)
        except TooMuchWork:
            return replace(blank, note=_too_much(core.span))
        except ArithmeticError as wrong:
            return replace(blank, note=_without_value(wrong, core.span))

    def sought(self, at: int) -> Answer:
        """Return the answer where something is sought; *at* counts the expressions."""
        from costlang.answer.seeking.solving import Solving

        question = self.question
        if question.kind == "sensitivity":
            question = replace(question, subjects=(question.subjects[at],))
        text = _words(question.node.span.text)
        blank = replace(self._blank_of(None), expression=text)
        try:
            solving = Solving(self.scenario, question, self.above)
            return _afforded(self._solved(blank, solving))
        except Fault as wrong:
            return replace(blank, note=wrong.diagnostic)
        except TooMuchWork:
            return replace(blank, note=_too_much(question.node.span))
        except ArithmeticError as wrong:
            return replace(blank, note=_without_value(wrong, question.node.span))

    def _solved(self, blank: Answer, solving: Solving) -> Answer:
        from costlang.answer.seeking.finding import single

        found = solving.solved()
        unit = asked_unit(self.scenario, self.question, found.dimension)
        value = single(found)
        shown: Result = (
            Bounds(value.low, value.high, "certified")
            if isinstance(value, exact.Interval)
            else value
        )
        answered = replace(blank, solved=found, dimension=found.dimension, unit=unit, value=shown)
        return replace(
            answered,
            assumed=solving.stood.get("assumed", ()),
            used=solving.stood.get("used", ()),
            unverified=solving.stood.get("unverified", ()),
            reads=solving.stood.get("reads", ()),
        )

    def _blank_of(self, dimension: Dimension | None) -> Answer:
        words = _words(self.question.node.span.text)
        unit = asked_unit(self.scenario, self.question, dimension)
        return Answer(
            self.slot.name, words, words, None, dimension, unit, self.slot.span, self.scenario.name
        )

    def _blank(self, core: c.Core) -> Answer:
        dimension = core.type.dimension if isinstance(core.type, NumberType) else None
        return Answer(
            self.slot.name,
            _words(self.question.node.span.text),
            _words(core.span.text),
            None,
            dimension,
            asked_unit(self.scenario, self.question, dimension),
            self.slot.span,
            self.scenario.name,
        )

    def _with_formula(self, found: Answer, core: c.Core) -> Answer:
        """Add the formula where names are left free, and the parts where they are asked for."""
        wants_parts = self.question.kind == "breakdown"
        if not (found.free or wants_parts or self.with_formula):
            return found
        formula = formula_of(self.scenario, core, self.question.at, self.above, found.expression)
        if formula is None:
            return found
        if not wants_parts or found.free:
            return replace(found, formula=formula)
        try:
            return replace(found, formula=formula, breakdown=breakdown(formula))
        except TooMuchWork:
            raise
        except (NoParts, ArithmeticError):  # a part may have no value where the whole has one
            return replace(found, formula=formula)

    def _at_ends(self, core: c.Core, value: exact.Interval) -> Bounds:
        """Return the interval over open ranges, exact where the expression is monotone in each."""
        low_at: dict[str, str] = {}
        for name, (least, greatest) in value.slopes.items():
            if least < 0 < greatest:
                return Bounds(value.low, value.high, "outer")
            low_at[name] = "low" if least >= 0 else "high"
        high_at = {name: "high" if end == "low" else "low" for name, end in low_at.items()}
        ends = []
        for chosen in (low_at, high_at):
            world = open_world(self.scenario, self.above, chosen)
            try:
                ends.append(world.value(core, world.under(self.question.at)))
            except Fault:  # an end that is not reached: an infinite one, say
                return Bounds(value.low, value.high, "outer")
        low, high = ends
        kind = "exact" if all(isinstance(end, Fraction) for end in ends) else "outer"
        return Bounds(exact.ends(low)[0], exact.ends(high)[1], kind)


_LETTERS = 10
"""Of the author's words, letters that take a step to write."""
_EACH, _STOOD, _FAILING, _NODE, _PIECE = 30, 20, 80, 100, 100
"""The steps for which an answer is written: itself, a name on which it stood, a requirement that
fails, a node of its formula, a part of its breakdown."""


def _afforded(found: Answer) -> Answer:
    """
    Return *found*, when the work for it and for its writing is within the budget.

    What came of a budget that ran out on the way is no answer: a requirement may be missing.
    """
    stood_on = (*found.assumed, *found.used, *found.overridden, *found.given)
    steps = _EACH + _STOOD * len(stood_on) + _FAILING * len(found.infeasible)
    steps += sum(map(len, _texts(found))) // _LETTERS
    if isinstance(found.value, Fraction):
        steps += exact.length(found.value) // 4
    if found.formula is not None:
        steps += _NODE * found.formula.build.size
    if found.breakdown is not None:
        steps += _PIECE * sum(1 for _ in found.breakdown.whole.leaves())
    current().spend(steps)
    return found


def _texts(found: Answer) -> Iterator[str]:
    """Yield the author's words that are written with an answer, a table's for each row."""
    yield from (found.question, found.expression)
    yield from (item.source or "" for item in (*found.assumed, *found.used, *found.given))
    lines = found.sweep.lines if found.sweep is not None else ()
    said = [(found.infeasible, found.regime), *((x.infeasible, x.regime) for x in lines)]
    for failing, chosen in said:
        yield from (item.text for item in failing)
        yield from (item.side or "" for item in chosen)


def _paced(progress: Progress | None) -> Progress:
    """Return *progress*, which ends a table whose budget is spent."""

    def tell(done: int, total: int) -> None:
        current().spend(0)
        if progress is not None:
            progress(done, total)

    return tell


def _without_value(error: ArithmeticError, span: Span) -> Diagnostic:
    """Say of a question whose formula cannot be worked out why that is."""
    if isinstance(error, exact.InfiniteValue):
        return Diagnostic("infinite", "this would be infinite", Label(span, ""))
    zero = isinstance(error, ZeroDivisionError)
    why = "it divides by zero" if zero else str(error) or "it cannot be worked out"
    return Diagnostic("outside-domain", f"this has no value here: {why}", Label(span, ""))


def _too_much(span: Span) -> Diagnostic:
    return Diagnostic("too-much-work", TOO_MUCH, Label(span, ""))


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


def _result(value: Value, at_ends: Callable[[exact.Interval], Bounds]) -> Result:
    match value:
        case bool() | Fraction():
            return value
        case Member(name=name):
            return name
        case exact.Interval(low, high, slopes) if slopes:
            return at_ends(value)
        case exact.Interval(low, high):
            return Bounds(low, high, "certified")
        case _:
            return None


def _regime(trace: Trace) -> tuple[Choice, ...]:
    return tuple(Choice(a.definition, a.side, a.function) for a in trace.active.values())


def world_of(scenario: d.ScenarioDecl, above: Above = ()) -> World:
    """Return a fresh world of *scenario*."""
    return open_world(scenario, above)
