"""Regimes without numbers agree with the numbers: random formulas over names above zero."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation
from costlang.model import exact
from costlang.solve import POSITIVE, Kind, Symbolic, combined, solve, solve_symbolic
from tests.solve.written import Desk, Formula, text


class Grown:
    """A random equation in `x` with names for all its coefficients."""

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)
        self.desk = Desk()
        self.x = self.desk.name("x")
        self.names = self.desk.names("a b c d e f")

    def one(self) -> Formula:
        return self.dice.choice(self.names)

    def line(self) -> Formula:
        made = self.one() * self.x
        if self.dice.random() < 0.2:
            made = made * self.x
        if self.dice.random() < 0.5:
            made = made + self.one()
        return made / self.one() if self.dice.random() < 0.3 else made

    def choice(self) -> Formula:
        dice, desk = self.dice, self.desk
        draw = dice.random()
        if draw < 0.3:
            return self.line()
        if draw < 0.7:
            sides = [dice.choice([self.line, self.line, self.one])() for _ in range(2)]
            return desk.max(*sides) if dice.random() < 0.7 else desk.min(*sides)
        if draw < 0.85:
            condition = self.x.compared(dice.choice(["<", "<=", ">"]), self.one())
            return desk.choose(condition, self.line(), self.line())
        return desk.call("abs", self.line() - self.one())

    def sides(self) -> tuple[Formula, Formula]:
        left = self.choice()
        if self.dice.random() < 0.5:
            left = left + self.choice()
        right = self.dice.choice([self.one, self.one, self.line])()
        return left, right

    def values(self) -> dict[g.Sym, Fraction]:
        return {name.symbol: Fraction(self.dice.randint(1, 30), 2) for name in self.names}


def claimed(found: Symbolic, values: dict[g.Sym, Fraction]) -> set[float] | None:
    """Return the roots that the branches claim for some numbers; None when that is open."""
    if not found.complete:
        return None
    roots: set[float] = set()
    for branch in found.branches:
        evaluation = Evaluation(dict(values))
        if not all(evaluation.truth(condition) is True for condition in branch.conditions):
            continue
        if branch.count != "one" or branch.formula is None:
            return None
        roots.add(rounded(evaluation.number(branch.formula)))
    return roots


def rounded(value: exact.Real) -> float:
    low, high = exact.ends(value)
    return round(float((low + high) / 2), 9)


@pytest.mark.parametrize("first", range(0, 120, 40))
def test_branches_have_the_roots_that_numbers_have(first: int) -> None:
    told = 0
    for seed in range(first, first + 40):
        grown = Grown(seed)
        build, x = grown.desk.build, grown.x.symbol
        left, right = (side.node for side in grown.sides())
        branches = solve_symbolic(build, left, right, x)
        for _ in range(3):
            values = grown.values()
            roots = claimed(branches, values)
            found = solve(build, left, "==", right, x, POSITIVE, values)
            if roots is not None and found.kind in (Kind.NONE, Kind.ONE, Kind.MANY):
                told += 1
                numbers = {round(float(case.value), 9) for case in found.cases}
                assert numbers == roots, f"seed {seed}: {text(left)} == {text(right)}"
    assert told > 60


@pytest.mark.parametrize("first", range(0, 60, 30))
def test_a_combined_formula_is_the_one_root(first: int) -> None:
    told = 0
    for seed in range(first, first + 30):
        grown = Grown(seed)
        sides = [grown.line() for _ in range(grown.dice.choice([2, 3]))]
        choose = grown.desk.max if seed % 2 else grown.desk.min
        left, right = choose(*sides), grown.one()
        made = combined(grown.desk.build, left.node, right.node, grown.x.symbol)
        if made is None:
            continue
        values = grown.values()
        evaluation = Evaluation(dict(values))
        if not all(evaluation.truth(condition) is True for condition in made.conditions):
            continue
        told += 1
        found = solve(
            grown.desk.build, left.node, "==", right.node, grown.x.symbol, POSITIVE, values
        )
        assert [rounded(evaluation.number(made.formula))] == [
            round(float(case.value), 9) for case in found.cases
        ]
    assert told > 3


def test_bounds_decide_what_names_leave_open() -> None:
    desk = Desk()
    x, a, t = desk.names("x a t")
    tp = desk.name("tp", 1, None, False)
    time = desk.max(2 * (tp - 1) / tp * a * x, 0 - a) + a * x
    (branch,) = solve_symbolic(desk.build, time.node, t.node, x.symbol).branches
    assert "t tp / (a (3 tp - 2))" == text(branch.formula)
    assert () == branch.conditions


def test_a_square_that_turns_over_has_both_roots_or_none() -> None:
    desk = Desk()
    x, a, b, t = desk.names("x a b t")
    found = solve_symbolic(desk.build, (a / x + b * x).node, t.node, x.symbol)
    assert 2 == len(found.branches)
    assert {"t^2 >= 4 b a"} == {text(c) for branch in found.branches for c in branch.conditions}


def test_what_has_no_closed_form_says_so_and_keeps_its_condition() -> None:
    desk = Desk()
    x, a, b, c = desk.names("x a b c")
    cubic = a * x**3 + b * x
    (branch,) = solve_symbolic(desk.build, cubic.node, c.node, x.symbol).branches
    assert ("one", None, ()) == (branch.count, branch.formula, branch.conditions)
    held = desk.max(cubic, a)
    first, plateau = solve_symbolic(desk.build, held.node, c.node, x.symbol).branches
    assert ("one", "all") == (first.count, plateau.count)
    assert ["c >= a"] == [text(each) for each in first.conditions]


def test_too_many_regimes_are_not_walked() -> None:
    desk = Desk()
    x, t = desk.names("x t")
    parts = [
        desk.max(desk.name(f"a{i}") * x, desk.name(f"b{i}") + desk.name(f"c{i}") * x)
        for i in range(9)
    ]
    found = solve_symbolic(desk.build, desk.add(*parts).node, t.node, x.symbol)
    assert not found.complete
    assert found.reason
