"""How two dimensions differ, and the factor that would mend it."""

from __future__ import annotations

from collections.abc import Iterator

from costlang.units.dimension import NONE, Dimension, rank


def missing_factor(expected: Dimension, actual: Dimension) -> Dimension | None:
    """
    Return the power of one base that turns *actual* into *expected* when it is multiplied in.

    None where they are equal, and where more than one base differs: a mend so long is a guess.
    """
    gap = expected / actual
    return gap if len(gap.exponents) == 1 else None


def compare_lines(
    left: Dimension, right: Dimension, titles: tuple[str, str] = ("left side", "right side")
) -> tuple[str, ...]:
    """
    Return both sides by their factors under *titles*, each base in a column of its own.

    >>> for line in compare_lines(Dimension.of("B"), Dimension((("B", 1), ("tok", -1)))):
    ...     print(line)
    left side:  B
    right side: B · tok^-1
    """
    bases = sorted({name for name, _ in left.exponents + right.exponents}, key=rank)
    columns = [(_cell(left, name), _cell(right, name)) for name in bases]
    widths = [max(map(len, column)) for column in columns]
    margin = max(map(len, titles)) + 2
    sides = (tuple(column[side] for column in columns) for side in (0, 1))
    return tuple(
        f"{title}:".ljust(margin) + _row(cells, widths)
        for title, cells in zip(titles, sides, strict=True)
    )


def _cell(dimension: Dimension, name: str) -> str:
    power = dimension.power_of(name)
    return Dimension(((name, power),)).factors() if power else ""


def _row(cells: tuple[str, ...], widths: list[int]) -> str:
    """Return one side: a dot before each factor but the first, blanks where there is none."""
    if not any(cells):
        return str(NONE)
    return "".join(_pieces(cells, widths)).rstrip()


def _pieces(cells: tuple[str, ...], widths: list[int]) -> Iterator[str]:
    begun = False
    for at, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        if at:
            yield " · " if cell and begun else "   "
        yield cell.ljust(width)
        begun = begun or bool(cell)
