"""What an equation or an inequality gives: its cases, each with where it holds and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from costlang.formula import graph as g
from costlang.solve.ground.places import Place
from costlang.solve.ground.spans import Spans


class Kind(Enum):
    """How many solutions there are."""

    NONE = "none"
    ONE = "one"
    MANY = "many"
    EVERYWHERE = "everywhere"
    INTERVALS = "intervals"
    UNDECIDED = "undecided"


@dataclass(frozen=True, eq=False)
class Side:
    """A *choice* of the formula and what it is: a side of it, a rounded number, or a sign."""

    choice: g.Node
    active: g.Node


@dataclass(frozen=True, eq=False)
class Why:
    """One step of the way: two formulas that are equal there, and what was done, in words."""

    words: str
    left: g.Node
    right: g.Node


@dataclass(frozen=True, eq=False)
class Case:
    """
    One solution.

    *value* is exact, or enclosed as narrowly as is asked. *formula* is its closed form in the
    author's names and *expanded* the same with all definitions opened; None where there is none.
    They hold under *conditions*, with the sides of *regime*, which are the active ones for the
    unknown in *ranges*. *first_integer* is the first whole number from the value on.
    """

    value: Place
    first_integer: int | None
    formula: g.Node | None = None
    expanded: g.Node | None = None
    conditions: tuple[g.Node, ...] = ()
    regime: tuple[Side, ...] = ()
    ranges: Spans = ()
    why: tuple[Why, ...] = ()


Ranges = tuple[tuple[int | None, int | None], ...]
"""Whole numbers as first and last, None for endless."""


@dataclass(frozen=True, eq=False)
class Solution:
    """
    All solutions in the domain.

    *cases* are those that are single numbers; *spans* all of them as stretches of real numbers;
    *integers* as ranges, when the domain is of whole numbers, and *members* those of a finite set.
    *outside* are solutions that the domain leaves out. *doubtful* could not be told, and then the
    kind is undecided though the rest is certain. *reason* says why there is none, or no answer;
    *towards* is then what `left / right` tends to, where the domain has no end. *steps* is how
    many steps of formulas were worked out.
    """

    kind: Kind
    cases: tuple[Case, ...] = ()
    spans: Spans = ()
    integers: Ranges = ()
    members: tuple[Place, ...] = ()
    outside: tuple[Place, ...] = ()
    doubtful: Spans = ()
    reason: str = ""
    towards: g.Node | None = None
    steps: int = 0
