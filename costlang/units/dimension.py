"""What a quantity measures: whole powers of base names, multiplied together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

BASES = ("B", "FLOP", "s", "J", "tok", "req", "$")
"""The base dimensions of edition 1, in the order in which they are written."""

_RANK = {name: rank for rank, name in enumerate(BASES)}


def rank(name: str) -> tuple[int, str]:
    """Return the place of a base in the one order: those of the edition first, then by name."""
    return _RANK.get(name, len(BASES)), name


@dataclass(frozen=True)
class Dimension:
    """
    A product of base names, each to a whole power other than zero.

    Dimensions multiply, divide and take powers; equal ones are equal however they were made.

    >>> Dimension.of("B") / Dimension.of("tok")
    Dimension('B/tok')
    """

    exponents: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        """Bring the powers into the one order, and join those of the same name."""
        powers: dict[str, int] = {}
        for name, power in self.exponents:
            powers[name] = powers.get(name, 0) + power
        kept = sorted((item for item in powers.items() if item[1]), key=_place)
        object.__setattr__(self, "exponents", tuple(kept))

    @classmethod
    def of(cls, name: str) -> Dimension:
        """Return the dimension of the base *name*."""
        return cls(((name, 1),))

    def power_of(self, name: str) -> int:
        """Return the power of the base *name*, 0 where it does not occur."""
        return dict(self.exponents).get(name, 0)

    def __mul__(self, other: Dimension) -> Dimension:
        """Return the dimension of a product."""
        return Dimension(self.exponents + other.exponents)

    def __truediv__(self, other: Dimension) -> Dimension:
        """Return the dimension of a quotient."""
        return self * other**-1

    def __pow__(self, power: int) -> Dimension:
        """Return the dimension of a whole power."""
        return Dimension(tuple((name, own * power) for name, own in self.exponents))

    def root(self, degree: int) -> Dimension | None:
        """Return what gives this dimension to the power *degree*; None where nothing does."""
        if degree == 0 or any(power % degree for _, power in self.exponents):
            return None
        return Dimension(tuple((name, power // degree) for name, power in self.exponents))

    def spell(self, names: Mapping[str, str] | None = None) -> str:
        """
        Return the common name, as a unit is written, with *names* in the place of base names.

        >>> (Dimension.of("B") / Dimension.of("s")).spell({"B": "GB"})
        'GB/s'
        """
        names = names or {}
        above = [_raised(names.get(n, n), p) for n, p in self.exponents if p > 0]
        below = [_raised(names.get(n, n), -p) for n, p in self.exponents if p < 0]
        return "/".join(["*".join(above) or "1", *below])

    def factors(self) -> str:
        """Return every base with its power: `B · tok^-1`; `1` where there is none."""
        return " · ".join(_raised(name, power) for name, power in self.exponents) or "1"

    def __str__(self) -> str:
        """Return the common name: `B/tok`, `FLOP/s`, `1` for a bare number."""
        return self.spell()

    def __repr__(self) -> str:
        """Return the common name in the way of a call."""
        return f"Dimension({self.spell()!r})"


def _place(item: tuple[str, int]) -> tuple[int, str]:
    return rank(item[0])


def _raised(name: str, power: int) -> str:
    return name if power == 1 else f"{name}^{power}"


NONE = Dimension()
"""The dimension of a bare number."""
