"""Several equations with names left free: formulas, their conditions, and numbers put into them."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from costlang.answer import Answer
from costlang.answer.seeking.solved import Together
from costlang.emit.solved_text import solved_lines
from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation
from costlang.model import exact
from tests.answer.asked import as_json, asked, line, solved

NAMES = """
  param x : ratio in 0..
  param y : ratio in 0..
  param z : ratio in 0..
  param a : ratio in 0..
  param b : ratio in 0..
  param w1 : [B] in 0 B..
  param w2 : [B] in 0 B..
  param t1 : [s] in 0 s..
  param t2 : [s] in 0 s..
  param speed : [B/s] in 0 B/s..
  param over : [s] in 0 s..
"""


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        (
            "solve x + y == a and x - y == b for x, y",
            ["x = (a + b) / 2", "y = (a - b) / 2", "when a >= b"],
        ),
        (
            "solve x + y == a and y + z == b and x + z == 4 for x, y, z",
            [
                "x = (a - b + 4) / 2",
                "y = (b + a - 4) / 2",
                "z = (b + 4 - a) / 2",
                "when b + 4 >= a and a + 4 >= b and b + a >= 4",
            ],
        ),
        (
            "solve x + y == a and x + y == b for x, y",
            ["x = a - y", "every y", "when a == b and a >= y"],
        ),
    ],
)
def test_unknowns_are_formulas_of_the_names_that_are_left(question: str, lines: list[str]) -> None:
    found = asked(question, NAMES)
    assert "as formulas" == line(found)
    assert lines == list(solved_lines(found))


def test_programs_read_each_formula_and_when_it_holds() -> None:
    found = as_json("solve x + y == a and x - y == b for x, y", NAMES)
    (point,) = found["together"]
    assert {"x": "(a + b) / 2", "y": "(a - b) / 2"} == point["formulas"]
    assert ["a >= b"] == point["when"]


def test_what_has_no_closed_form_is_undecided() -> None:
    found = solved(asked("solve exp(x) + y == a and y == b * x for x, y", NAMES))
    assert "undecided" == found.outcome
    assert found.reason


# ---- the same with numbers


SYSTEMS = [
    ("x + y == a and x - y == b", ("x", "y"), ("a", "b")),
    ("x + y == a and x * y == b", ("x", "y"), ("a", "b")),
    ("max(x, a) + y == b and x - y == 1", ("x", "y"), ("a", "b")),
    ("x * a == y and x + y == b", ("x", "y"), ("a", "b")),
    ("w1 / speed + over == t1 and w2 / speed + over == t2", ("speed", "over"),
     ("w1", "w2", "t1", "t2")),
]  # fmt: skip


def at_numbers(found: Together, values: dict[str, Fraction]) -> tuple[exact.Bound, ...] | None:
    """Return the unknowns that a solution gives for *values*, None where its conditions fail."""
    names = {x for _, f in found.formulas for x in g.symbols(f)}
    names |= {x for c in found.when for x in g.symbols(c)}
    known = Evaluation({x: values[x.path[-1]] for x in names})
    try:
        if not all(known.truth(condition) is True for condition in found.when):
            return None
        numbers = [known.number(formula) for _, formula in found.formulas]
    except exact.OutOfDomain:
        return None
    return tuple(exact.ends(value)[0] for value in numbers)


def by_numbers(equations: str, unknowns: tuple[str, ...], values: dict[str, Fraction]) -> Answer:
    numbers = (
        f"{name} = {value.numerator} / {value.denominator}{UNITS.get(name, '')}"
        for name, value in values.items()
    )
    return asked(f"solve {equations} for {', '.join(unknowns)} at {', '.join(numbers)}", NAMES)


UNITS = {"w1": " * 1 B", "w2": " * 1 B", "t1": " * 1 s", "t2": " * 1 s"}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("equations", "unknowns", "names"), SYSTEMS)
def test_formulas_give_what_numbers_give(
    equations: str, unknowns: tuple[str, ...], names: tuple[str, ...], seed: int
) -> None:
    dice = Random(seed)
    values = {name: Fraction(dice.randint(0, 12), dice.choice([1, 1, 2, 3])) for name in names}
    free = solved(asked(f"solve {equations} for {', '.join(unknowns)}", NAMES))
    bound = solved(by_numbers(equations, unknowns, values))
    if bound.outcome == "undecided":
        assert any(_is_open(each) for each in free.together), bound.reason
        return
    closed = (each for each in free.together if not _is_open(each))
    given = {point for each in closed if (point := at_numbers(each, values)) is not None}
    known = {tuple(value.low for _, _, value in point) for point in bound.points}
    assert sorted(map(rounded, given)) == sorted(map(rounded, known))


def rounded(point: tuple[exact.Bound, ...]) -> tuple[float, ...]:
    return tuple(round(float(value), 12) for value in point)


def _is_open(found: Together) -> bool:
    """Whether some unknown may be anything there."""
    return any(isinstance(f, g.Sym) and f.path[-1] == name for name, f in found.formulas)
