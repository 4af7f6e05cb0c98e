"""The shipped specs: sound, sourced, and no term of a model that could be left out unseen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from costlang.loader import load
from costlang.model import declared as d
from costlang.model.check import Model, check
from costlang.model.evaluate import Evaluator
from costlang.model.faults import Fault
from costlang.pipeline import facts
from costlang.syntax import parse
from costlang.syntax import tree as t
from costlang.text import Source

SPECS = Path(__file__).parents[2] / "specs"
FILES = sorted(SPECS.rglob("*.cost"))


@pytest.mark.parametrize("file", FILES, ids=lambda p: p.stem)
def test_a_spec_is_sound_and_its_facts_hold(file: Path) -> None:
    report = facts(file)
    assert () == report.diagnostics
    assert [] == [check.name for check in report.checks if check.holds is not True]


def figures(file: Path) -> Iterator[tuple[str, str | None]]:
    """Yield each figure that a model or a chip states, and its source."""
    for record in parse(Source(file.name, file.read_text(encoding="utf-8"))).tree.declarations:
        for member in record.members if isinstance(record, t.Record) else ():
            if isinstance(member, t.Setting) and isinstance(member.value, t.Number):
                yield member.span.text, member.source.text if member.source else None


@pytest.mark.parametrize("folder", ["hardware", "models"])
def test_every_figure_has_a_source(folder: str) -> None:
    stated = [pair for file in (SPECS / folder).glob("*.cost") for pair in figures(file)]
    assert len(stated) > 10
    assert [] == [text for text, source in stated if not source]


TERM = re.compile(r"^\s*term \w+\s*= .*$", re.M)
MODELS = sorted((SPECS / "models").glob("*.cost"))


def without_each_term(file: Path) -> Iterator[tuple[str, str]]:
    text = file.read_text(encoding="utf-8")
    for found in TERM.finditer(text):
        yield found.group(0).strip(), text[: found.start()] + text[found.end() :]


def size(text: str) -> dict[str, object]:
    """Return the parameters, the bytes moved and the FLOPs of each model of *text*."""
    model = check(load(Source("mutant.cost", text), SPECS / "models"))
    if not model.sound:
        return {"unsound": True}
    found: dict[str, object] = {}
    for name, record in model.main.own.items():
        if isinstance(record, d.RecordDecl) and record.kind == "model":
            for resource in ("params", "flops", "weights_moved", "cache_moved"):
                found[f"{name}.{resource}"] = total(model, record, resource)
    return found


def total(model: Model, record: d.RecordDecl, resource: str) -> object:
    evaluator = Evaluator()
    decl = model.context.resources[resource][0]
    try:
        return evaluator.total_of(
            evaluator.record(record), lambda op: evaluator.use(op, decl, op.call)
        )
    except Fault:
        # Without the term that took its place, an inherited one reads what nothing sets.
        return None


@pytest.mark.parametrize("file", MODELS, ids=lambda p: p.stem)
def test_no_term_of_a_model_can_be_left_out_unseen(file: Path) -> None:
    whole = size(file.read_text(encoding="utf-8"))
    assert None not in whole.values()
    for term, text in without_each_term(file):
        assert whole != size(text), f"without `{term}` nothing changes"
