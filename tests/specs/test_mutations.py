"""The library says nothing twice and nothing idle: leave one line out, and a figure is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from costlang.answer.facts import verdicts
from costlang.loader import load
from costlang.model import declared as d
from costlang.model.check import Model, check
from costlang.model.faults import Fault
from costlang.pipeline import run
from costlang.syntax import parse
from costlang.syntax import tree as t
from costlang.text import Source

ROOT = Path(__file__).parents[2]
SPECS = ROOT / "specs"
FILES = sorted(SPECS.rglob("*.cost"))


def tree_of(file: Path) -> t.Tree:
    parsed = parse(Source(file.name, file.read_text(encoding="utf-8")))
    assert () == parsed.diagnostics
    return parsed.tree


def nodes(node: t.Node) -> Iterator[t.Node]:
    yield node
    for inner in t.children(node):
        yield from nodes(inner)


# ---- leaving out one statement

SHEET = Path(__file__).with_name("operators.cost")


@cache
def sheet() -> Model:
    """Return the operators worked out by hand, and all of the library that they use."""
    return check(load(SHEET))


@dataclass(frozen=True)
class Statement:
    """A statement of the library, in the list or the members that hold it."""

    owner: d.Owner
    name: str
    held: list[d.Term | d.Repeat] | dict[str, d.Slot]
    at: int | str

    def __str__(self) -> str:
        return f"{self.owner.name}.{self.name}"

    @contextmanager
    def left_out(self) -> Iterator[None]:
        """Take the statement out of the checked library, and put it back."""
        if isinstance(self.held, dict):
            slots = dict(self.held)
            del self.held[str(self.at)]
            try:
                yield
            finally:
                self.held.clear()
                self.held.update(slots)
        else:
            term = self.held.pop(int(self.at))
            try:
                yield
            finally:
                self.held.insert(int(self.at), term)


def statements() -> Iterator[Statement]:
    """Yield each term of the library, and all that an operator says of a resource."""
    for key, scope in sheet().files.items():
        if "specs/std" not in str(key):
            continue
        for owner in scope.own.values():
            if isinstance(owner, (d.OpDecl, d.RecordDecl)):
                yield from of_terms(owner, owner.terms)
            if isinstance(owner, d.OpDecl):
                for name in owner.slots:
                    if name in sheet().context.resources:
                        yield Statement(owner, name, owner.slots, name)


def of_terms(owner: d.Owner, held: list[d.Term | d.Repeat]) -> Iterator[Statement]:
    for at, node in enumerate(held):
        if isinstance(node, d.Repeat):
            yield from of_terms(owner, node.body)
        else:
            yield Statement(owner, f"term {node.label}", held, at)


def noticed() -> bool:
    """Whether a figure worked out by hand is wrong, or another line misses this one."""
    try:
        return any(found.holds is not True for found in verdicts(sheet()))
    except (Fault, AssertionError):
        # What another line reads cannot be left out at all: the file would have a mistake.
        return True


def test_the_operators_are_as_worked_out_by_hand() -> None:
    assert () == sheet().diagnostics
    assert [] == [found.name for found in verdicts(sheet()) if found.holds is not True]


def test_no_file_with_operators_is_left_aside() -> None:
    files = [file for file in (SPECS / "std").glob("*.cost") if _contributes(tree_of(file))]
    told = {f"specs/std/{file.name}" for file in files} - {"specs/std/layers.cost"}
    assert told <= {str(key) for key in sheet().files}, "layers.cost has the laws of the others"


def _contributes(tree: t.Tree) -> bool:
    return any(isinstance(node, (t.Op, t.Term)) for node in nodes(tree))


@pytest.mark.parametrize("statement", list(statements()), ids=str)
def test_no_line_of_an_operator_can_be_left_out(statement: Statement) -> None:
    with statement.left_out():
        assert noticed(), f"nothing shows that this is missing: {statement}"


# ---- totals are derived, figures are sourced


def literals(node: t.Node) -> Iterator[t.Number]:
    """Yield the literals below *node*, but for those of a check."""
    for inner in t.children(node):
        if isinstance(inner, t.Number):
            yield inner
        elif not isinstance(inner, t.Check):
            yield from literals(inner)


HELD = ("params", "active", "weights_held", "cache_held")
RESOURCES = (*HELD, "flops", "weights_moved", "cache_moved")


def totals(file: Path, name: str) -> set[Fraction]:
    """Return what the operators of a model of the library come to, for a token at the start."""
    text = (
        f"cost 1\nimport models.{file.stem} ({name})\nimport std.ops ({', '.join(RESOURCES)})\n"
        f"scenario s {{\n  use it = {name}\n"
        f"  query all: {', '.join(f'it.total({resource})' for resource in RESOURCES)}\n}}\n"
    )
    values = [answer.value for answer in run(Source("totals.cost", text)).answers]
    return {value for value in values if isinstance(value, Fraction) and value > 0}


def models() -> Iterator[tuple[Path, t.Record]]:
    for file in sorted((SPECS / "models").glob("*.cost")):
        for record in tree_of(file).declarations:
            if isinstance(record, t.Record) and record.kind == "model":
                yield file, record


def test_no_model_states_what_its_operators_derive() -> None:
    stated: dict[str, str] = {}
    for file, record in models():
        derived = totals(file, record.name.text)
        assert len(derived) > 1, record.name.text
        for number in literals(record):
            if _worth(number) in derived:
                stated[number.span.text] = record.name.text
    # The one operator of a model without shapes is its size, and that is all it states.
    assert {"70_000_000_000": "round_70b"} == stated


def _worth(number: t.Number) -> Fraction:
    (answer,) = run(
        Source("literal.cost", f"cost 1\nscenario s {{\n  query it: {number.span.text}\n}}\n")
    ).answers
    assert isinstance(answer.value, Fraction)
    return answer.value


def figures(folder: str) -> Iterator[tuple[Path, t.Node, str | None]]:
    """Yield each setting or default with a literal in *folder*, and its source."""
    for file in sorted((SPECS / folder).glob("*.cost")):
        for node in nodes(tree_of(file)):
            if isinstance(node, (t.Setting, t.Param)) and any(True for _ in literals(node)):
                yield file, node, node.source.text if node.source is not None else None


@pytest.mark.parametrize(("folder", "least"), [("hardware", 40), ("models", 40)])
def test_every_figure_of_a_chip_or_a_model_names_its_source(folder: str, least: int) -> None:
    found = list(figures(folder))
    assert least < len(found)
    assert [] == [f"{file.name}: {node.span.text}" for file, node, source in found if not source]


def test_every_figure_of_a_chip_has_a_unit_but_for_counts_of_chips() -> None:
    found = [(node, number) for _, node, _ in figures("hardware") for number in literals(node)]
    bare = [node.span.text for node, number in found if number.unit is None]
    assert [] == [text for text in bare if not text.startswith("node_size ")]


def test_tokens_of_a_model_are_counted_and_never_bytes_given() -> None:
    units = {n.unit.text for _, node, _ in figures("models") for n in literals(node) if n.unit}
    assert set() == units - {"tok"}
