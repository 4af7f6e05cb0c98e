"""What is sought is one thing: whatever follows it moves with it, and nothing else does."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.answer.asked import asked, cases, conditions, line, numbers, one, solved, worth

THING = """
interface thing {
  param x : ratio in 0..
  let twice = 2 * x
  let more  = twice + 1
}
"""
TWO = """
  use u = thing
  param x : ratio in 0..
  u.x = 3
  x = 4
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("solve u.twice + x == 10 for x", 4),
        ("solve u.x + x == 10 for x", 7),
        ("solve u.x + x == 10 for u.x", 6),
        ("solve u.more + x == 10 for u.twice", 5),
        ("largest x with u.x + x <= 10", 7),
        ("smallest u.x with u.twice + x >= 10", 3),
        ("limit u.x * x / (x + 1) as x -> inf", 3),
        ("limit u.x * x / (u.x + 1) as u.x -> inf", 4),
    ],
)
def test_a_name_is_not_sought_in_the_place_of_another_of_the_same_spelling(
    question: str, expected: int
) -> None:
    found = asked(question, TWO, THING)
    assert expected == one(found)
    (case,) = cases(found)
    assert case.formula is not None
    assert expected == worth(case.formula, {})


def test_a_set_of_values_is_that_of_the_thing_and_not_of_a_namesake() -> None:
    head = THING.replace("x : ratio in 0..", "x : count in {1, 2, 4}")
    body = TWO.replace("u.x = 3", "u.x = 4")
    assert Fraction(7, 2) == one(asked("solve u.twice + x == 11.5 for x", body, head))
    assert 2 == one(asked("largest u.x with u.twice + x <= 11.5 at x = 5", body, head))
    none = asked("solve u.twice == 6 for u.x", body, head)
    assert "none of the values it may have; 3 would be needed" == line(none)


def test_two_unknowns_may_have_one_spelling() -> None:
    found = asked("solve u.x + x == 10 and u.x - x == 4 for x, u.x", TWO, THING)
    ((x, other),) = solved(found).points
    assert (3, 7) == (x[2].exact, other[2].exact)


FOLLOWS = """
  use a = thing
  use b = a
  param k : ratio in 0..
  b.y = 5
"""
FOLLOWED = """
interface thing {
  param x : ratio in 0..
  param y : ratio in 0.. = 1
  let sum   = x + y
  let times = x * y
  require small: times <= 100
}
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("solve a.sum + b.sum == 20 for a.x", 7),
        ("solve b.times == a.times + 8 for a.x", 2),
        ("largest a.x with a.sum + b.sum <= 20", 7),
        ("largest a.x with a.sum + b.sum <= 2000", 20),
        ("smallest a.x with b.times >= 3 * a.times + 8", 4),
        ("limit b.times / a.sum as a.x -> inf", 5),
    ],
)
def test_what_follows_an_unknown_moves_with_it(question: str, expected: int) -> None:
    assert expected == one(asked(question, FOLLOWS, FOLLOWED))


def test_it_does_so_among_several_equations_too() -> None:
    found = asked("solve a.sum + b.sum == 20 and k * b.x == 14 for a.x, k", FOLLOWS, FOLLOWED)
    ((x, k),) = solved(found).points
    assert (7, 2) == (x[2].exact, k[2].exact)


def test_it_does_so_where_names_have_no_numbers() -> None:
    body = "  use a = thing\n  use b = a\n  param k : ratio in 0..\n"
    found = asked("solve a.x + b.twice == k for a.x", body, THING)
    (case,) = cases(found)
    assert case.formula is not None
    assert Fraction(4) == worth(case.formula, {"k": Fraction(12)})
    assert all("x" not in text for text in conditions(case))


def test_two_variants_share_the_batch_that_is_sought() -> None:
    head = """
import hardware.nvidia (H100_SXM)
import models.llama (llama_3_8b)
import std.format (fp8)
import std.phases (decode)
"""
    body = (
        "  use a = decode(llama_3_8b, H100_SXM, context = 4000)\n  use b = a\n  b.weights = fp8\n"
    )
    found = asked("solve a.rate + b.rate == 10_000 tok/s for a.batch", body, head)
    (batch,) = numbers(found)
    cache, width = 4001 * 131_072, 2 * (7_504_924_672)
    rates = [batch / ((size + batch * cache) / 3.35e12) for size in (width, width / 2)]
    assert 10_000 == pytest.approx(sum(rates), rel=1e-9)
    assert "batch = 75.42, from 76 on" == line(found)


def test_a_setting_that_two_things_follow_has_one_threshold() -> None:
    both = "solve a.sum + b.sum == 3 for a.y at a.x = 6"
    (opening,) = solved(asked(both, FOLLOWS, FOLLOWED)).thresholds
    assert ("x", ()) == (opening.name, opening.spans)
    some = "solve a.sum + b.sum == 20 for a.y at a.x = 10"
    (opening,) = solved(asked(some, FOLLOWS, FOLLOWED)).thresholds
    (span,) = opening.spans
    assert span.high is not None
    assert ("x", Fraction(15, 2)) == (opening.name, span.high.exact)
