"""How laws end: proved, tested, refuted or undecided, each with what it stands on."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from costlang.prove.deciding import Step
from costlang.text import Diagnostic, Span
from costlang.units import Dimension

PROVED, TESTED, REFUTED, UNDECIDED = "proved", "tested", "refuted", "undecided"


@dataclass(frozen=True)
class Given:
    """A name and its value at a point; *value* is a number, or the name of what was chosen."""

    name: str
    value: Fraction | str | bool
    dimension: Dimension | None = None


@dataclass(frozen=True)
class Counterexample:
    """
    A point at which a law fails.

    *at* are the names that have a part in it, with their values. *moved* are the further values of
    the variables, for a law that says which way something goes; *values* are what the sides of the
    law are there, or the subject at each of the points, each with its words.
    """

    at: tuple[Given, ...]
    moved: tuple[tuple[Given, ...], ...] = ()
    values: tuple[tuple[str, Fraction | None, Dimension | None], ...] = ()


@dataclass(frozen=True)
class Coverage:
    """Of how many sides of choices were met in testing, and the words of those that were not."""

    sides: int = 0
    met: int = 0
    missed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """
    How one law ended in one place.

    *owner* is the declaration whose law it is, *place* where it was looked at, with the records
    that were *taken* there. *repeats* says that it only says again what a definition says. *passed*
    are methods that were not tried, and why.
    """

    name: str
    owner: str
    place: str
    text: str
    span: Span
    status: str
    method: str = ""
    proof: Step | None = None
    cases: int = 0
    seed: int = 0
    coverage: Coverage = field(default_factory=Coverage)
    counterexample: Counterexample | None = None
    taken: tuple[str, ...] = ()
    repeats: bool = False
    reason: str = ""
    passed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ledger:
    """All laws of a file with how they ended, in source order, or the mistakes of the file."""

    outcomes: tuple[Outcome, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    def count(self, status: str) -> int:
        """Return how many ended so."""
        return sum(1 for each in self.outcomes if each.status == status)

    @property
    def usable(self) -> bool:
        """Whether the file could be read."""
        return not any(item.is_error for item in self.diagnostics)

    @property
    def refuted(self) -> bool:
        """Whether a law does not hold."""
        return self.count(REFUTED) > 0
