"""What comes back from a question: the value, and everything that it stood on."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from costlang.answer.lowered import Formula
from costlang.answer.parts import Breakdown
from costlang.answer.seeking.solved import Solved
from costlang.model import exact
from costlang.text import Diagnostic, Span
from costlang.units import Dimension, Unit

if TYPE_CHECKING:
    from costlang.answer.sweep import Sweep


@dataclass(frozen=True)
class Bounds:
    """
    From *low* to *high*.

    *kind* is `exact` where both ends are reached, `outer` where the truth lies inside, and
    `certified` where it is one number known to so many digits.
    """

    low: exact.Bound
    high: exact.Bound
    kind: str


@dataclass(frozen=True)
class Side:
    """One side of a comparison: its words, its value, its dimension."""

    text: str
    value: object
    dimension: Dimension | None


@dataclass(frozen=True)
class Broken:
    """
    A requirement that fails, or a bound that a number breaks.

    It has its sides when it compares two, else the *values* of the names in it.
    """

    name: str
    text: str
    span: Span
    left: Side | None = None
    right: Side | None = None
    values: tuple[Side, ...] = ()


@dataclass(frozen=True)
class Stood:
    """A name that an answer stood on: its path, its value, and where that is from."""

    name: str
    path: tuple[str, ...]
    value: object
    dimension: Dimension | None
    source: str | None
    origin: str
    span: Span | None = None


@dataclass(frozen=True)
class Missing:
    """A name that nothing sets, and the unit in which it was declared, if it has one."""

    name: str
    unit: str | None = None


@dataclass(frozen=True)
class Choice:
    """The active side of a `max` or a `min`, and the definition in which it stands."""

    definition: str
    side: str | None
    function: str


Result = Fraction | Bounds | bool | str | None
"""A number in base units, its bounds, a truth, a member of an enum, or nothing."""


@dataclass(frozen=True)
class Answer:
    """
    The answer to one expression of a question.

    *value* is in base units of *dimension*; *unit* is the one that was asked for. *free* are names
    that nothing sets, and then *formula* is the answer; *breakdown* are the parts where they were
    asked for; *note* says why there is no value; *slip* names the one that a false equation looks
    like. *unverified* are the figures that it was built on and that nobody has checked, and
    *missing* the free names with their units. *reads* are all that was read for it, by full paths.
    """

    name: str
    question: str
    expression: str
    value: Result
    dimension: Dimension | None
    unit: Unit | None
    span: Span
    scenario: str = ""
    sides: tuple[Side, Side] | None = None
    assumed: tuple[Stood, ...] = ()
    overridden: tuple[Stood, ...] = ()
    given: tuple[Stood, ...] = ()
    used: tuple[Stood, ...] = ()
    unverified: tuple[Stood, ...] = ()
    reads: tuple[Stood, ...] = ()
    free: tuple[str, ...] = ()
    missing: tuple[Missing, ...] = ()
    regime: tuple[Choice, ...] = ()
    infeasible: tuple[Broken, ...] = ()
    note: Diagnostic | None = None
    formula: Formula | None = None
    breakdown: Breakdown | None = None
    sweep: Sweep | None = None
    solved: Solved | None = None
    slip: str | None = None

    @property
    def feasible(self) -> bool:
        """Whether every requirement of what was read holds."""
        return not self.infeasible


@dataclass(frozen=True)
class Verdict:
    """How a `check` ended: *holds* is None when it cannot be decided."""

    name: str
    owner: str
    text: str
    span: Span
    holds: bool | None
    sides: tuple[Side, Side] | None = None
    slip: str | None = None
    source: str | None = None
    free: tuple[str, ...] = ()
    note: Diagnostic | None = None
    barely: bool = False


@dataclass(frozen=True)
class Report:
    """All that one run of a file came to; its own *laws* are counted, and not looked at."""

    answers: tuple[Answer, ...] = ()
    checks: tuple[Verdict, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    files: tuple[str, ...] = field(default=())
    laws: int = 0

    @property
    def usable(self) -> bool:
        """Whether the input could be used."""
        return not any(item.is_error for item in self.diagnostics)

    @property
    def true(self) -> bool:
        """Whether no check fails."""
        return all(check.holds is not False for check in self.checks)
