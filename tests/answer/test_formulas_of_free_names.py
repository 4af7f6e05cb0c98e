"""Edges, boundaries and frontiers where other names have no number: the answer is a formula."""

from __future__ import annotations

import pytest

from costlang.emit.solved_text import solved_line, solved_lines
from tests.answer.test_solving import REAL, asked

NAMES = "  param y : ratio in 0..\n" + "".join(f"  param {x} : count\n" for x in "KPab")
UNTOLD = "for other values of these names nothing is told"
COUNTS = "  param users : count\n  param slots : count\n"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("solve K > P * y for y", ["y < K / P"]),
        ("solve P * y >= K for y", ["y >= K / P"]),
        ("solve y / (y + a) <= 90 % for y", ["y <= 9 * a"]),
        ("largest y with y * P <= K and y * y * P <= 3 * K", ["y = min(K / P, sqrt(3 * K / P))"]),
        ("smallest y with y * P >= K and y >= a", ["y = max(K / P, a)"]),
        ("largest y with max(a * y, b) <= K", ["y = K / a", "when K > b", UNTOLD]),
    ],
)
def test_an_edge_is_a_formula_of_the_names_that_are_free(
    question: str, expected: list[str]
) -> None:
    found = asked(question, NAMES)
    assert "as a formula" == solved_line(found)
    assert expected == [line.strip() for line in solved_lines(found)]


def test_what_is_counted_has_a_whole_boundary() -> None:
    found = asked("largest users with users / (users + slots) <= 90 %", COUNTS)
    expected = ["users = floor(9 * slots)", "when 1 <= 9 * slots", UNTOLD]
    assert expected == list(solved_lines(found))


def test_a_comparison_that_never_turns_is_told_for_all() -> None:
    found = asked("solve y + a + 1 > 0 for y", NAMES)
    assert "every y" == solved_line(found)


def test_the_frontier_of_decoding_is_a_formula_in_the_context_with_its_domain() -> None:
    found = asked("solve t_compute == t_memory for batch", REAL)
    lines = list(solved_lines(found))
    assert lines[0].startswith("batch = ")
    assert "context" in lines[0] and 90 > len(lines[0])
    assert "there is one only for 0 tok <= context < 1_459.16 tok: none from 1_460 on" == lines[-1]
    assert found.solved is not None
    (case,) = found.solved.cases
    assert case.formula is not None


def test_the_condition_that_cannot_hold_is_named_where_names_are_free() -> None:
    found = asked("largest batch with latency <= target", REAL + "  param target : [s]\n")
    assert "none: `fits` cannot hold" == solved_line(found)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("solve y + b == 0 for y", "y = -b"),
        ("solve y + a == 3 for y", "y = 3 - a"),
        ("solve 2 * y == a * y + b for y", "y = b / (2 - a)"),
    ],
)
def test_an_unknown_that_may_be_negative_has_the_root_of_its_line(
    question: str, expected: str
) -> None:
    found = asked(question, "  param y : ratio\n  param a : ratio\n  param b : ratio in 0..\n")
    assert expected == next(solved_lines(found))


def test_an_unknown_that_may_be_negative_is_followed_round_a_bend() -> None:
    found = asked("solve y * y == b for y", "  param y : ratio\n  param b : count\n")
    assert ["y = sqrt(b)", "y = -sqrt(b)"] == list(solved_lines(found))


def test_a_comparison_of_equal_sides_holds_everywhere_or_nowhere() -> None:
    assert "none: both sides are always equal" == solved_line(
        asked("solve 2 * y < y + y for y", NAMES)
    )


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("solve n == (if n < 9 then 1 / n else n) for n", "n in 1 or 9.."),
        (
            "solve (if n < 9 then n else ceil(n / 3) + (5 + 1 / n)) == n for n",
            "1 <= n < 9 or n = 9.11",
        ),
    ],
)
def test_a_single_solution_beside_a_stretch_hides_neither(question: str, expected: str) -> None:
    assert expected == solved_line(asked(question, "  param n : count\n"))
