"""What a reader of Python gets where something is sought: the number, the formula, the reason."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from costlang.answer import Answer, Bounds
from costlang.answer.seeking.solved import Solved
from costlang.emit.math import body_text, equation
from costlang.emit.solved_text import solved_line, solved_lines
from costlang.formula import graph as g


@dataclass(frozen=True)
class Solution:
    """
    The answer to `solve`, `largest`, `smallest`, `limit` or `sensitivity`.

    `float(s)` is the one number in base units; `str(s)` says in a line what was found, and `repr`
    with the closed form, what binds and where there would be a solution.
    """

    answer: Answer

    @property
    def found(self) -> Solved:
        """Everything that was found, as plain records."""
        assert self.answer.solved is not None
        return self.answer.solved

    @property
    def outcome(self) -> str:
        """`none`, `one`, `many`, `everywhere`, `intervals`, `unbounded` or `undecided`."""
        return self.found.outcome

    @property
    def value(self) -> Fraction | Bounds | None:
        """The one number in base units, exactly or enclosed; None where there is not just one."""
        value = self.answer.value
        return value if isinstance(value, (Fraction, Bounds)) else None

    @property
    def first_integer(self) -> int | None:
        """The first whole number from the one solution on, for what is counted."""
        cases = self.found.cases
        return cases[0].first_integer if len(cases) == 1 else None

    @property
    def binding(self) -> tuple[str, ...]:
        """The conditions that fail just beyond a boundary, by name."""
        return tuple(limit.name for limit in self.found.binding)

    @property
    def reason(self) -> str:
        """Why there is none, or what could not be told."""
        return self.found.reason

    @property
    def formula(self) -> str | None:
        """The closed form of the one case as text, None where there is none."""
        node = self._node()
        return body_text(node, "text") if node is not None else None

    def latex(self) -> str | None:
        """Return the closed form of the one case in LaTeX, None where there is none."""
        node = self._node()
        return equation(node, "latex", self.found.unknown) if node is not None else None

    def _node(self) -> g.Node | None:
        cases = self.found.cases
        return cases[0].formula if len(cases) == 1 else None

    def __float__(self) -> float:
        """Return the one number in base units; raises `ValueError` where there is not just one."""
        value = self.value
        if value is None:
            raise ValueError(f"there is no one number: {self}")
        if isinstance(value, Bounds):
            return float((Fraction(value.low) + Fraction(value.high)) / 2)
        return float(value)

    def __str__(self) -> str:
        return solved_line(self.answer)

    def __repr__(self) -> str:
        return "\n".join([str(self), *(f"  {line}" for line in solved_lines(self.answer))])
