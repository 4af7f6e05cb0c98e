"""No term of the library can go without a law saying so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from costlang.loader import load
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.check import Model, check
from costlang.prove import REFUTED, Effort, judged
from costlang.prove.places import Place, places_of
from tests.specs.test_mutations import SPECS, nodes, t, tree_of

LAYERS = "std/layers.cost"
EFFORT = Effort(cases=10, only_points=True, trying=300_000, outside=False)
LESSONS = SPECS / "guide"


def sheet_of(file: Path) -> str:
    """Return the file whose laws speak of the terms of *file*: its own, or those of the layers."""
    name = file.relative_to(SPECS).as_posix()
    return LAYERS if name.startswith("std/") else name


FILES = [
    file
    for file in sorted(SPECS.rglob("*.cost"))
    if not file.is_relative_to(LESSONS)
    and any(isinstance(node, t.Term) for node in nodes(tree_of(file)))
]


@cache
def checked(sheet: str) -> Model:
    return check(load(SPECS / sheet))


@dataclass(frozen=True, eq=False)
class Written:
    """A term of the library, in the list that holds it."""

    sheet: str
    owner: d.Owner
    held: list[d.Term | d.Repeat]
    term: d.Term

    def __str__(self) -> str:
        return f"{self.owner.name}.{self.term.label}"

    @contextmanager
    def left_out(self) -> Iterator[None]:
        at = self.held.index(self.term)
        del self.held[at]
        try:
            yield
        finally:
            self.held.insert(at, self.term)


def terms_of(file: Path) -> Iterator[Written]:
    sheet = sheet_of(file)
    key = f"specs/{file.relative_to(SPECS).as_posix()}"
    for owner in next(own for k, own in _scopes(sheet) if k.endswith(key)).values():
        if isinstance(owner, d.Owner):
            for held, term in _below(owner.terms):
                yield Written(sheet, owner, held, term)


def _scopes(sheet: str) -> Iterator[tuple[str, dict[str, d.Decl]]]:
    for key, scope in checked(sheet).files.items():
        yield str(key), scope.own


def _below(
    held: list[d.Term | d.Repeat],
) -> Iterator[tuple[list[d.Term | d.Repeat], d.Term]]:
    for node in held:
        if isinstance(node, d.Repeat):
            yield from _below(node.body)
        else:
            yield held, node


def places_with(written: Written) -> Iterator[Place]:
    """Yield the places in which something is made of the owner of a term, whole models first."""
    for place in reversed(list(places_of(checked(written.sheet)))):
        lineage = list(place.decl.lineage())
        if written.owner in lineage or written.owner in _made_of(lineage):
            yield place


def _made_of(owners: Iterable[d.Owner]) -> set[d.Owner]:
    found: set[d.Owner] = set()
    waiting = list(owners)
    while waiting:
        for _, term in _below(waiting.pop().terms):
            if isinstance(term.call, c.NewOp) and term.call.op not in found:
                found.add(term.call.op)
                waiting.append(term.call.op)
    return found


WRITTEN = [written for file in FILES for written in terms_of(file)]


@pytest.mark.parametrize("written", WRITTEN, ids=str)
def test_a_law_is_false_where_a_term_is_left_out(written: Written) -> None:
    with written.left_out():
        found = judged(checked(written.sheet), EFFORT, places_with(written))
        assert any(outcome is not None and outcome.status == REFUTED for outcome in found)


@pytest.mark.parametrize("sheet", sorted({sheet_of(file) for file in FILES}))
def test_nothing_is_false_where_all_terms_stand(sheet: str) -> None:
    few = Effort(cases=10, only_points=True, trying=30_000, outside=False, own=True)
    ends = [each for each in judged(checked(sheet), few) if each is not None]
    assert [] == [f"{each.owner}.{each.name}" for each in ends if each.status == REFUTED]
