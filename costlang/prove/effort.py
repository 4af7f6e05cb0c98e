"""How much is done for each law."""

from __future__ import annotations

from dataclasses import dataclass

CASES = 200


@dataclass(frozen=True)
class Effort:
    """
    So many *cases* from a *seed* where rules do not tell; *only_rules* leaves points out,
    and *only_points* the rules.

    *outside* asks z3 where it is installed; *own* looks at no law that is inherited.
    """

    cases: int = CASES
    seed: int = 0
    only_rules: bool = False
    only_points: bool = False
    outside: bool = True
    own: bool = False
