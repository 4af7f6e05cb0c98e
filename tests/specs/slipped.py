"""A slip in a copy of the library: by what it is noticed, a dimension, a law or a sourced check."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from costlang.answer.facts import verdicts
from costlang.loader import load, shipped
from costlang.model import declared as d
from costlang.model.check import Model, check
from costlang.model.faults import Fault
from costlang.prove import REFUTED, Effort, judged
from costlang.text.catalogue import WRITING
from tests.specs.mutants import Mutant

ROOT = Path(__file__).parents[2]
POINTS = Effort(cases=10, only_points=True, trying=300_000, outside=False)


@dataclass(frozen=True)
class Noticed:
    """
    What speaks against a slip, empty where nothing does.

    *error* is the code of a message, and then nothing else was looked at; *fact* and *law* are the
    first sourced check that does not hold, and the first law that a point refutes.
    """

    mutant: Mutant
    line: int
    error: str = ""
    fact: str = ""
    law: str = ""

    @property
    def survives(self) -> bool:
        return not (self.error or self.fact or self.law)


class Copy:
    """A copy of the library in a folder, with the specs of the tests that are held against it."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.specs = place / "specs"
        shutil.copytree(ROOT / "specs", self.specs)
        shutil.copytree(
            ROOT / "tests" / "specs", place / "held", ignore=lambda _, names: _but_specs(names)
        )

    def take_over(self) -> None:
        """Let the copy be the library, for all that this process does from now on."""
        shipped.PACKAGE = self.place
        for known in (shipped.library, shipped.library_index):
            known.cache_clear()

    @cached_property
    def readers(self) -> dict[Path, list[Path]]:
        """Return for each file of the library the files that read it, itself first."""
        found: dict[Path, list[Path]] = {}
        held = sorted((self.place / "held").rglob("*.cost"), key=_by_hand_first)
        for entry in [*held, *sorted(self.specs.rglob("*.cost"))]:
            for read in load(entry).files:
                file = self.place / read.key
                place = 0 if file == entry else len(found.get(file, []))
                found.setdefault(file, []).insert(place, entry)
        return found

    def noticed(self, mutant: Mutant, *, both: bool = True) -> Noticed | None:
        """
        Return what speaks against a slip; None where it can't be read, and so is none.

        Laws are looked at beside the checks where *both* are asked for, else where no check fails.
        """
        file = self.specs / mutant.file
        text = file.read_text(encoding="utf-8")
        file.write_text(mutant.of(text), encoding="utf-8")
        try:
            return self._noticed(mutant, mutant.line(text), self.readers[file], both)
        finally:
            file.write_text(text, encoding="utf-8")

    def _noticed(
        self, mutant: Mutant, line: int, readers: list[Path], both: bool
    ) -> Noticed | None:
        models: list[Model] = []
        fact = ""
        for reader in readers:
            program = load(reader)
            if any(item.code in WRITING for item in program.diagnostics):
                return None
            models.append(check(program))
            if not models[-1].sound:
                return Noticed(mutant, line, error=_first_error(models[-1]))
            by_hand = reader.is_relative_to(self.place / "held")
            fact = fact or next(_false_facts(models[-1], by_hand), "")
            if fact and not both:
                return Noticed(mutant, line, fact=fact)
        law = next((name for model in models for name in _refuted(model)), "")
        return Noticed(mutant, line, fact=fact, law=law)


def _by_hand_first(file: Path) -> tuple[bool, Path]:
    return file.name != "operators.cost", file


def _but_specs(names: list[str]) -> list[str]:
    return [name for name in names if "." in name and not name.endswith(".cost")]


def _first_error(model: Model) -> str:
    return next(item.code for item in model.diagnostics if item.is_error)


def _false_facts(model: Model, by_hand: bool) -> Iterator[str]:
    """Yield the checks that fail, and whose figure is worked out by hand or has a source."""
    try:
        for found in verdicts(model):
            if found.holds is False and (by_hand or found.source):
                yield f"{found.owner}.{found.name}"
    except Fault as fault:
        yield str(fault)


def _refuted(model: Model) -> Iterator[str]:
    if not any(isinstance(decl, d.Owner) and decl.laws for decl in model.main.own.values()):
        return
    for outcome in judged(model, POINTS):
        if outcome is not None and outcome.status == REFUTED:
            yield f"{outcome.owner}.{outcome.name}"
