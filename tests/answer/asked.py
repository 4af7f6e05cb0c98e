"""Questions put to a scenario that a test writes, and what came of them in plain numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from costlang.answer import Answer, Bounds
from costlang.answer.seeking.solved import Number, Solved, SolvedCase
from costlang.emit.answer_line import answer_text
from costlang.emit.math import body_text
from costlang.emit.report_json import report_json
from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation
from costlang.model import exact
from costlang.pipeline import run
from costlang.text import Source

NAMES = ("x", "y", "a", "b", "c", "d", "e", "f", "t0")
ABOVE_ZERO = "".join(f"  param {name} : [s]\n" for name in NAMES)
"""Names that are above zero, all of one dimension: a time is never zero unless it may be."""


def spec(body: str, *questions: str, head: str = "") -> str:
    """Return a spec whose scenario `s` has *body* and asks *questions*; *head* stands above it."""
    lines = "".join(f"  query q{at}: {question}\n" for at, question in enumerate(questions))
    return f"cost 1\n{head}\nscenario s {{\n{body}\n{lines}}}\n"


def asked(question: str, body: str = "", head: str = "") -> Answer:
    """Return the answer to *question*; a mistake in the spec is a failure."""
    (answer,) = all_asked(question, body=body, head=head)
    return answer


def all_asked(*questions: str, body: str = "", head: str = "") -> tuple[Answer, ...]:
    """Return the answers to several questions of one scenario."""
    report = run(Source("s.cost", spec(body, *questions, head=head)))
    assert () == tuple(item.message for item in report.diagnostics if item.is_error)
    return report.answers


def as_json(question: str, body: str = "", head: str = "") -> dict[str, Any]:
    """Return the answer to *question* as programs get it, through text and back."""
    report = run(Source("s.cost", spec(body, question, head=head)))
    answers: list[dict[str, Any]] = json.loads(json.dumps(report_json(report, "")))["answers"]
    (answer,) = answers
    return answer


def line(answer: Answer) -> str:
    """Return the answer as one line for a person."""
    return answer_text(answer)


def solved(answer: Answer) -> Solved:
    """Return what was found; an answer in which nothing is sought is a failure."""
    assert answer.note is None, answer.note
    assert answer.solved is not None
    return answer.solved


def cases(answer: Answer) -> tuple[SolvedCase, ...]:
    """Return the cases of an answer."""
    return solved(answer).cases


def one(answer: Answer) -> Fraction:
    """Return the one value, exactly; where it is only enclosed this is a failure."""
    assert isinstance(answer.value, Fraction), (answer.value, line(answer))
    return answer.value


def near(answer: Answer) -> float:
    """Return the one value as a float, enclosed to twenty digits at least."""
    if isinstance(answer.value, Bounds):
        low, high = Fraction(answer.value.low), Fraction(answer.value.high)
        assert high - low <= abs(high) / 10**20
        return float((low + high) / 2)
    return float(one(answer))


def numbers(answer: Answer) -> list[float]:
    """Return the value of every case."""
    return [middle(case.value) for case in cases(answer) if case.value is not None]


def middle(value: Number) -> float:
    """Return a number as a float."""
    return float((Fraction(value.low) + Fraction(value.high)) / 2)


def form(case: SolvedCase) -> str | None:
    """Return the closed form of a case as text, None where there is none."""
    return body_text(case.formula, "text") if case.formula is not None else None


def forms(answer: Answer) -> list[str | None]:
    """Return the closed forms of an answer."""
    return [form(case) for case in cases(answer)]


def conditions(case: SolvedCase) -> list[str]:
    """Return when a case holds, as text."""
    return [body_text(node, "text") for node in case.when]


def worth(node: g.Node, values: Mapping[str, Fraction]) -> Fraction | exact.Interval:
    """Return what a formula is where its names are worth *values*, by name."""
    known = {s: values[s.name] for s in g.symbols(node) if s.name in values}
    found = Evaluation(known).number(node)
    assert isinstance(found, (Fraction, exact.Interval))
    return found


def holds(case: SolvedCase, values: Mapping[str, Fraction]) -> bool:
    """Whether all conditions of a case hold where its names are worth *values*."""
    for node in case.when:
        known = {s: values[s.name] for s in g.symbols(node) if s.name in values}
        truth = Evaluation(known).truth(node)
        assert isinstance(truth, bool)
        if not truth:
            return False
    return True
