"""A side of a choice that is not taken may have no value, and a boundary is found all the same."""

from __future__ import annotations

import pytest

from tests.answer.asked import asked, line

NAMES = """
  param n : count = 1
  param x : ratio in 0..
  let shared = if n > 1 then x / (n - 1) else x
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("largest x with shared <= 3", "x = 3"),
        ("solve shared == 3 for x", "x = 3"),
        ("solve shared == 3 for x at n = 3", "x = 6"),
        ("largest x over x in 0..10 with shared <= 3", "3 at x = 3"),
    ],
)
def test_a_side_that_divides_by_nothing_is_not_looked_at(question: str, expected: str) -> None:
    assert expected == line(asked(question, NAMES))


def test_what_is_unset_on_such_a_side_is_not_asked_for() -> None:
    unset = NAMES + "  param z : ratio\n  let held = if n > 1 then z * x else 2 * x * x\n"
    found = asked("sensitivity held at x = 3", unset)
    assert found.solved is not None
    assert [("x", 2)] == [
        (item.name, item.before.exact) for item in found.solved.elastic if item.before.exact
    ]
