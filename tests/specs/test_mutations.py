"""The library says nothing twice and nothing idle: leave one line out, and a figure is wrong."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

from costlang.loader import library, library_index
from costlang.pipeline import facts, run
from costlang.syntax import parse
from costlang.syntax import tree as t
from costlang.text import Source
from tests.specs.figures import ALL, wrong

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


@dataclass(frozen=True)
class Statement:
    """A statement of a spec, by the file and the characters that it takes up."""

    file: Path
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.file.read_text(encoding="utf-8")[self.start : self.end]

    def __str__(self) -> str:
        return f"{self.file.stem}: {self.text.splitlines()[0]} @{self.start}"


def statements() -> Iterator[Statement]:
    """Yield each term, and all that an operator says of a resource or asks for."""
    for file in FILES:
        for node in nodes(tree_of(file)):
            if isinstance(node, t.Term):
                yield Statement(file, node.span.start, node.span.end)
            elif isinstance(node, t.Op):
                for member in node.members:
                    if isinstance(member, (t.Let, t.Require)):
                        yield Statement(file, member.span.start, member.span.end)


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a copy of the library that stands in its place."""
    copy = tmp_path / "package" / "specs"
    shutil.copytree(SPECS, copy)
    monkeypatch.setattr("costlang.loader.shipped.PACKAGE", copy.parent)
    library.cache_clear()
    library_index.cache_clear()
    yield copy
    library.cache_clear()
    library_index.cache_clear()


def noticed(specs: Path) -> bool:
    """Whether anything that the library states, or is known to give, is wrong in *specs*."""
    for file in sorted((specs / "models").glob("*.cost")):
        report = facts(file)
        if not report.usable or not report.true:
            return True
    return wrong(ALL) is not None


def test_a_copy_of_the_library_is_as_right_as_the_library(shipped: Path) -> None:
    assert not noticed(shipped)
    assert library() == shipped.resolve()


@pytest.mark.parametrize("statement", list(statements()), ids=str)
def test_no_line_of_an_operator_can_be_left_out(statement: Statement, shipped: Path) -> None:
    copy = shipped / statement.file.relative_to(SPECS)
    text = copy.read_text(encoding="utf-8")
    copy.write_text(text[: statement.start] + text[statement.end :], encoding="utf-8")
    told = _by_itself(copy) or noticed(shipped)
    assert told, f"nothing shows that this is missing: {statement.text}"


def _by_itself(file: Path) -> bool:
    """Whether the file's own facts tell that something in it is missing."""
    report = facts(file)
    return not report.usable or not report.true


# ---- totals are derived, figures are sourced


def literals(node: t.Node) -> Iterator[t.Number]:
    """Yield the literals below *node*, but for those of a check."""
    for inner in t.children(node):
        if isinstance(inner, t.Number):
            yield inner
        elif not isinstance(inner, t.Check):
            yield from literals(inner)


def totals() -> set[Fraction]:
    """Return what the operators of each model of the library come to, for a token at the start."""
    found: set[Fraction] = set()
    resources = ("params", "flops", "weights_held", "weights_moved", "cache_held", "cache_moved")
    for file in sorted((SPECS / "models").glob("*.cost")):
        for model in tree_of(file).declarations:
            if not isinstance(model, t.Record):
                continue
            name = model.name.text
            asked = ", ".join(f"it.total({resource})" for resource in resources)
            path = f"models.{file.stem}"
            text = (
                f"cost 1\nimport {path} ({name})\nimport std.ops ({', '.join(resources)})\n"
                f"scenario s {{\n  use it = {name}\n  query all: {asked}\n}}\n"
            )
            for answer in run(Source("totals.cost", text)).answers:
                if isinstance(answer.value, Fraction) and answer.value > 0:
                    found.add(answer.value)
    return found


def test_no_model_states_what_its_operators_derive() -> None:
    derived = totals()
    assert 30 < len(derived)
    stated = {
        number.span.text: file.stem
        for file in sorted((SPECS / "models").glob("*.cost"))
        for number in literals(tree_of(file))
        if _worth(number) in derived
    }
    # The one operator of a model without shapes is its size, and that is all it states.
    assert {"70_000_000_000": "chapter"} == stated


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
