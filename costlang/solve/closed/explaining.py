"""One solution in closed form: the regime that is active there, how far it reaches, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation
from costlang.model import exact
from costlang.solve.certified.question import Question, prepared, solved
from costlang.solve.closed import tidying
from costlang.solve.closed.forms import Form, NoClosedForm, closed_forms
from costlang.solve.closed.regimes import Regime, regime_at
from costlang.solve.ground import spans
from costlang.solve.ground.budget import Budget, CannotTell
from costlang.solve.ground.domain import Domain
from costlang.solve.ground.places import MOST_BITS, Place, narrowed
from costlang.solve.ground.program import Values, Writer
from costlang.solve.ground.solution import Case, Why
from costlang.solve.ground.spans import Spans


def explained(question: Question, case: Case, budget: Budget) -> Case:
    """
    Return *case* with its closed form, its regime and where that holds, as far as can be told.

    A closed form is given only when its own number is that of the case.
    """
    try:
        left, right = prepared(question)
        writer = Writer(question.unknown, question.values)
        writer.difference(left, right)
        program = writer.program()
        regime = regime_at(question.build, (left, right), program, case.value, budget)
    except (CannotTell, KeyError):
        return case
    named = _shorter(
        _form(question, regime, case.value, None),
        _form(question, regime, case.value, tidying.named),
    )
    opened = _form(question, regime, case.value, tidying.opened)
    shown = opened if _says_all(opened, named) else named
    return replace(
        case,
        formula=shown.formula if shown is not None else None,
        expanded=opened.formula if opened is not None else None,
        conditions=regime.conditions,
        regime=regime.sides,
        ranges=_ranges(question, regime, case.value, budget),
        why=tuple(_why(question, regime, shown)),
    )


# ---- the closed form

AT_A_GLANCE = 12
"""A formula of so many names, numbers and signs is read at a glance."""


def _shorter(a: Form | None, b: Form | None) -> Form | None:
    """Return the form that takes less to write with the author's names."""
    if a is None or b is None:
        return a or b
    return a if tidying.length(a.formula) < tidying.length(b.formula) else b


def _says_all(opened: Form | None, named: Form | None) -> bool:
    """Whether a form without definitions is about as short as the one that needs a list of them."""
    if opened is None or named is None:
        return opened is not None
    return tidying.length(opened.formula) <= max(AT_A_GLANCE, tidying.length(named.formula))


def _form(
    question: Question, regime: Regime, value: Place, stop: tidying.Stop | None
) -> Form | None:
    """Return the closed form whose number is *value*; without *stop* nothing is multiplied out."""
    build, (left, right) = question.build, regime.formulas
    tidy = tidying.tidier(build, stop) if stop is not None else tidying.untouched
    try:
        for form in closed_forms(build, left, right, question.unknown, tidy):
            if is_worth(form.formula, question.values, value):
                if stop is None:
                    return form
                return replace(form, formula=tidying.simplest(build, form.formula, stop))
    except (NoClosedForm, ArithmeticError):
        return None
    return None


def is_worth(formula: g.Node, values: Values, place: Place) -> bool:
    """Whether the number of *formula* is that of *place*, as far as bits can tell."""
    try:
        worth = Evaluation(dict(values)).number(formula)
    except ArithmeticError:
        return False
    if not isinstance(worth, (Fraction, exact.Interval)):
        return False
    low, high = exact.ends(worth)
    near = narrowed(place, MOST_BITS)
    small = max(abs(near.low), abs(near.high)) / (1 << 100)
    return low <= near.high and near.low <= high and high - low <= small


# ---- where the regime holds


def _ranges(question: Question, regime: Regime, value: Place, budget: Budget) -> Spans:
    """Return the stretch around *value* in which all sides of the regime are the active ones."""
    held: Spans = question.domain.spans
    for condition in regime.conditions:
        try:
            held = _around(spans.meet(held, where(question, condition, budget)), value)
        except CannotTell:
            return ()
    return held


def where(question: Question, condition: g.Node, budget: Budget) -> Spans:
    """Return where a truth holds in the stretch of the domain; raises `CannotTell`."""
    match condition:
        case g.All(parts=parts):
            held = question.domain.spans
            for part in parts:
                held = spans.meet(held, where(question, part, budget))
            return held
        case g.Any(parts=parts):
            held = ()
            for part in parts:
                held = spans.join(held, where(question, part, budget))
            return spans.meet(held, question.domain.spans)
        case g.Not(part=part):
            return spans.without(question.domain.spans, where(question, part, budget))
        case g.Cmp(operator=word, left=left, right=right):
            return _compared(question, word, left, right, budget)
        case _:
            raise CannotTell(f"{type(condition).__name__} is no condition")


def _compared(question: Question, word: str, left: g.Node, right: g.Node, budget: Budget) -> Spans:
    around = question.domain.around
    line = Domain(
        None if around.low is None else around.low.exact,
        None if around.high is None else around.high.exact,
        not around.low_in,
        not around.high_in,
    )
    asked = replace(question, left=left, right=right, relation=word, domain=line)
    found = solved(asked, budget)
    if found.doubtful:
        raise CannotTell(found.reason)
    return found.spans


def _around(held: Spans, value: Place) -> Spans:
    """Return the stretch that holds *value* or ends at it."""
    for each in held:
        closed = spans.Span(each.low, each.high, each.low is not None, each.high is not None)
        if closed.holds(value):
            return (each,)
    return ()


# ---- why


def _why(question: Question, regime: Regime, form: Form | None) -> Iterator[Why]:
    """Yield the steps of the way, those left out that say what the one before them says."""
    last: tuple[g.Node, ...] = ()
    for step in _steps(question, regime, form):
        if last != (step.left, step.right):
            yield step
        last = (step.left, step.right)


def _steps(question: Question, regime: Regime, form: Form | None) -> Iterator[Why]:
    yield Why("what is asked", question.left, question.right)
    left, right = regime.formulas
    if regime.sides:
        yield Why("with the active side of every choice", left, right)
    if form is None:
        return
    build = question.build
    terms = [
        build.mul(each, build.pow(form.unknown, build.num(power)))
        for power, each in enumerate(form.coefficients)
        if power and not g.is_zero(each)
    ]
    constant = form.coefficients[0]
    yield Why("collected", build.add(*reversed(terms)), build.neg(constant))
    yield Why("solved", question.unknown, form.formula)
