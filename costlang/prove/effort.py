"""How much is done for each law."""

from __future__ import annotations

from dataclasses import dataclass

CASES = 200
TRYING = 40_000_000


@dataclass(frozen=True)
class Effort:
    """
    So many *cases* from a *seed* where rules do not tell; *only_rules* leaves points out,
    and *only_points* the rules. *trying* is the budget of the points of one law in one place.

    *outside* asks z3 where it is installed; *own* looks at no law that is inherited.
    """

    cases: int = CASES
    seed: int = 0
    only_rules: bool = False
    only_points: bool = False
    trying: int = TRYING
    outside: bool = True
    own: bool = False
