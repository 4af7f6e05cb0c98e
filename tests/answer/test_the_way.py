"""Each step on the way to a solution is an equation: random numbers make both sides equal."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from click.testing import CliRunner

from costlang.answer.seeking.solved import SolvedCase
from costlang.cli.main import cli
from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation
from costlang.model import exact
from tests.answer.asked import asked, cases, solved

NAMES = """
  param x : ratio in 0..
  param a : ratio in 1..
  param b : ratio in 1..
  param c : ratio in 1..
  param d : ratio in 1..
"""
AT = "at a = 3, b = 40, c = 2, d = 5"
QUESTIONS = [
    "solve a * x + c == b for x",
    "solve a * x / (x + c) == d / 2 for x",
    "solve max(a * x, c + x) == b for x",
    "solve max(a * x, c + x) + max(d * x, b) == 4 * b for x",
    "solve x * x + a * x == b for x",
    "solve x ^ 3 == b for x",
    "solve sqrt(x + a) == d for x",
    "solve 1 - 0.9 ^ x == 1 / d for x",
    "solve sum(over i in 1..4: a * x + i * c) == 4 * b for x",
    "solve abs(x - b) + a * x == b * c for x",
    "solve (if x > d then a * x else x + c) == b for x",
    "solve min(a * x, b) * c + d == b for x",
    "solve b / x - d == a for x",
]


def middle(value: exact.Real) -> Fraction:
    low, high = exact.ends(value)
    assert high - low <= abs(high) / 10**15
    return (Fraction(low) + Fraction(high)) / 2


def numbers(case: SolvedCase, dice: Random) -> dict[g.Sym, Fraction] | None:
    """Return random numbers for the names of a case under which its form holds, None for none."""
    names = {s for _, left, right in case.steps for side in (left, right) for s in g.symbols(side)}
    unknown, formula = case.steps[-1][1], case.steps[-1][2]
    assert isinstance(unknown, g.Sym)
    values = {
        name: Fraction(dice.randint(4, 400), dice.choice([1, 2, 3, 4]))
        for name in sorted(names, key=lambda name: name.path)
        if name is not unknown
    }
    try:
        root = middle(Evaluation(values).number(formula))
    except exact.OutOfDomain:
        return None
    found = {**values, unknown: root}
    held = all(Evaluation(found).truth(condition) is True for condition in case.when)
    return found if root >= 0 and held else None


def assert_equations(case: SolvedCase, seed: int) -> int:
    """Hold each step of a case against random numbers; return how many times that was done."""
    assert [words for words, _, _ in case.steps][:1] == ["what is asked"]
    assert case.steps[-1][0] == "solved"
    dice, told = Random(seed), 0
    for _ in range(300):
        values = numbers(case, dice)
        if values is None:
            continue
        told += 1
        for words, left, right in case.steps:
            one, other = (middle(Evaluation(values).number(side)) for side in (left, right))
            assert abs(one - other) <= (abs(one) + 1) / 10**12, words
        if told == 1:
            assert_no_tautology(case, values)
        if told == 12:
            break
    return told


def assert_no_tautology(case: SolvedCase, values: dict[g.Sym, Fraction]) -> None:
    """Check that what is asked is wrong beside the solution, in the same regime."""
    unknown = case.steps[-1][1]
    assert isinstance(unknown, g.Sym)
    beside = {**values, unknown: values[unknown] + Fraction(1, 7)}
    if all(Evaluation(beside).truth(condition) is True for condition in case.when):
        _, left, right = case.steps[0]
        assert Evaluation(beside).number(left) != Evaluation(beside).number(right)


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_step_is_an_equation_for_random_numbers(question: str) -> None:
    found = asked(f"{question} {AT}", NAMES)
    assert cases(found)
    for at, case in enumerate(cases(found)):
        if case.formula is not None:
            assert 2 <= len(case.steps)
            assert 3 <= assert_equations(case, at)


@pytest.mark.parametrize("question", [q for q in QUESTIONS if "^ x" not in q and "sqrt" not in q])
def test_where_names_are_free_the_steps_are_equations_too(question: str) -> None:
    told = 0
    for at, case in enumerate(cases(asked(question, NAMES))):
        if case.count == "one" and case.formula is not None:
            told += assert_equations(case, at)
    assert told or "^ 3" in question


DECODE = """
import hardware.nvidia (H100_SXM)
import models.llama (llama_2_70b)
import std.phases (decode)
"""


def test_so_it_is_for_a_published_model() -> None:
    body = "  use one = decode(llama_2_70b, H100_SXM)\n"
    found = asked("solve t_compute == t_memory for batch at context = 512", body, DECODE)
    (case,) = cases(found)
    assert ["what is asked", "collected", "solved"] == [words for words, _, _ in case.steps]
    assert 5 <= assert_equations(case, 1)


def test_the_steps_of_a_boundary_end_where_it_lies() -> None:
    found = asked("largest x with max(a * x, c + x) <= b at a = 3, b = 40, c = 2", NAMES)
    (case,) = cases(found)
    assert ["what is asked", "with the active side of every choice", "solved"] == [
        words for words, _, _ in case.steps
    ]
    assert solved(found).binding
    assert 3 <= assert_equations(case, 2)


def test_no_step_says_what_the_one_before_it_says() -> None:
    for question in QUESTIONS:
        for case in cases(asked(f"{question} {AT}", NAMES)):
            equations = [(left, right) for _, left, right in case.steps]
            assert all(one != other for one, other in pairwise(equations))


def test_asking_why_shows_what_the_command_of_that_name_shows() -> None:
    text = f"cost 1\nscenario s {{\n{NAMES}}}\n"
    question = f"solve max(a * x, c + x) == b for x {AT}"
    asked_so = CliRunner().invoke(cli, ("ask", "--why", question, "-"), input=text)
    assert "2. with the active side of every choice" in asked_so.output
    assert CliRunner().invoke(cli, ("why", question, "-"), input=text).output == asked_so.output


def test_a_reader_sees_them_on_the_command_line() -> None:
    text = f"cost 1\nscenario s {{\n{NAMES}}}\n"
    words = ("why", f"solve max(a * x, c + x) == b for x {AT}", "-")
    assert (
        "x = 13.33\n"
        "    x = b / a\n"
        "    where a * x is the max\n"
        "    this form holds for 1 <= x\n"
        "    moves for +1 %: b 1 %, a -1 %\n"
        "  1. what is asked\n"
        "       max(a * x, c + x) = b\n"
        "  2. with the active side of every choice\n"
        "       a * x = b\n"
        "  3. solved\n"
        "       x = b / a\n"
    ) == CliRunner().invoke(cli, words, input=text).output
