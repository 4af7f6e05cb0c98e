"""One input through the whole pipeline: parsed, checked, asked, and written in each form."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from random import Random

from costlang import pipeline
from costlang.answer import Answer, Report
from costlang.answer.explain import explain
from costlang.emit.math import equation
from costlang.emit.message import render
from costlang.emit.report_json import report_json
from costlang.emit.report_text import Paper, report_text
from costlang.emit.why_text import why_lines
from costlang.formula.compiled import compile_node
from costlang.loader import load
from costlang.model.check import check
from costlang.text.catalogue import READING, WRITING
from tests.safety.grown import grown
from tests.safety.mutated import mutated, scrambled

NO_TREE = {*WRITING, *READING} - {"missing-import", "unknown-import", "name-conflict"}
"""What is said of a file that is not even written well."""


@dataclass(frozen=True)
class Outcome:
    """How far an input got."""

    parsed: bool
    usable: bool
    answered: bool


def written(number: int, seed: int) -> bytes:
    """Return one input, the same on every machine: half are grown, most others mutated."""
    rng = Random(seed * 1_000_000_000 + number)
    form = rng.random()
    if form < 0.5:
        return grown(rng).encode("utf-8", "surrogatepass")
    if form < 0.93:
        return mutated(rng).encode("utf-8", "surrogatepass")
    return scrambled(rng)


def feed(data: bytes, path: Path, *, deep: bool = False) -> Outcome:
    """
    Run *data* as a file at *path*, with every question, and write the report in each form.

    *deep* also writes the formula of each answer. Whatever is raised is a fault of ours.
    """
    path.write_bytes(data)
    program = load(path)
    parsed = not any(item.code in NO_TREE for item in program.diagnostics)
    report = pipeline.run_model(check(program))
    show(report)
    if deep and report.usable:
        for item in report.answers:
            show_formula(item, path)
    answered = report.usable and any(told(item) for item in report.answers)
    return Outcome(parsed, report.usable, answered)


def told(item: Answer) -> bool:
    """Whether an answer has a value, a formula or a table."""
    return item.note is None and (
        item.value is not None or item.formula is not None or bool(item.sweep)
    )


def show(report: Report) -> None:
    """Write *report* as text and as JSON, which must be strict."""
    report_text(report, Paper(colour=True))
    render(report.diagnostics, False)
    data = report_json(report, "0")
    text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    assert json.loads(text) == data, "JSON gives back another report"


def show_formula(item: Answer, path: Path) -> None:
    """Write the formula of *item* in each form."""
    sentence = pipeline.Sentence(item.expression, path, with_formula=True)
    for found in pipeline.ask(sentence).answers:
        if found.formula is not None:
            list(why_lines(explain(found, found.formula), Paper()))
            node = found.formula.node
            for style in ("text", "latex", "mathml", "unicode"):
                equation(node, style, found.formula.name)  # type: ignore[arg-type]
            compile_node(node)
