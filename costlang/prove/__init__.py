"""Laws: proved where rules suffice, tried at points where they do not, refuted by an example."""

from costlang.prove.effort import Effort
from costlang.prove.judging import judged, law_count
from costlang.prove.outcome import (
    PROVED,
    REFUTED,
    TESTED,
    UNDECIDED,
    Counterexample,
    Coverage,
    Given,
    Ledger,
    Outcome,
)

__all__ = [
    "PROVED",
    "REFUTED",
    "TESTED",
    "UNDECIDED",
    "Counterexample",
    "Coverage",
    "Effort",
    "Given",
    "Ledger",
    "Outcome",
    "judged",
    "law_count",
]
