"""How much work a question may take, counted in steps and never in seconds."""

from __future__ import annotations

DEFAULT_STEPS = 300_000
"""A machine takes a few seconds for them."""


class CannotTell(ArithmeticError):
    """What is asked cannot be told with certainty; the text says why."""


class Unsupported(CannotTell):
    """A formula holds something with which solving does not deal."""


class Budget:
    """Counts the steps of the formula that are worked out, and ends the work when it is spent."""

    def __init__(self, steps: int = DEFAULT_STEPS) -> None:
        self.most = steps
        self.spent = 0

    def spend(self, steps: int) -> None:
        """Take *steps* from what is left; raises `CannotTell` when nothing is."""
        self.spent += steps
        if self.spent > self.most:
            raise CannotTell(f"it takes more than {self.most} steps")
