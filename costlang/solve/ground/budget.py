"""How much work a question may take, counted in steps and never in seconds."""

from __future__ import annotations

from costlang.model.work import spend

DEFAULT_STEPS = 300_000
"""A machine takes a few seconds for them."""


WEIGHT = 3
"""What a step takes of the work of a run, in which plain formulas are worked out too."""


class CannotTell(ArithmeticError):
    """What is asked cannot be told with certainty; the text says why."""


class Unsupported(CannotTell):
    """A formula holds something with which solving does not deal."""


class Budget:
    """
    Counts the steps of the formula that are worked out, and ends the work when it is spent.

    They are taken off the work of the run around as well, which is then refused as a whole.
    """

    def __init__(self, steps: int = DEFAULT_STEPS) -> None:
        self.most = steps
        self.spent = 0

    def spend(self, steps: int) -> None:
        """Take *steps* from what is left; raises `CannotTell` when nothing is."""
        self.spent += steps
        spend(WEIGHT * steps)
        if self.spent > self.most:
            raise CannotTell(f"it takes more than {self.most} steps")
