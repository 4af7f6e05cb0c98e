"""The best along a range of whole numbers is that of its numbers, worked out one by one."""

from __future__ import annotations

import pytest

from costlang.answer.seeking import choosing
from tests.answer.asked import all_asked, asked, line

NAMES = """
  param n : count
  param m : count in 1..30
  param a : ratio = 3
  param k : count in {1, 2, 4} = 1
  let price  = ceil(40 / n) * k
  let bent   = max(100 / n, 3 * n) + k
  let holed  = 1 / (n - 5)
  let rooted = sqrt(n) - n / 7
"""

QUESTIONS = (
    "smallest price over k in {1, 2, 4}, {n}",
    "smallest price over {n}, k in {2, 4} with n <= 12",
    "largest price over {n} with n >= 3 and n * k <= 30",
    "smallest bent over {n}, k in {1, 4}",
    "largest bent over {n} with bent <= 60 and n >= 10",
    "smallest price over {n} with n * a <= 2",
    "smallest price over {n} with n >= 50",
    "largest holed over {n}",
    "smallest holed over {n} with holed >= 0",
    "largest rooted over {n}",
    "largest floor(n / 7) over {n}",
    "smallest n over {n} with price <= 3",
    "smallest price over {n} with price <= 1 / (n - 5)",
    "largest n over {n} with n / 3 == floor(n / 3)",
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_range_is_as_good_as_its_numbers_in_braces(question: str) -> None:
    numbers = ", ".join(map(str, range(1, 41)))
    found, expected = all_asked(
        question.replace("{n}", "n in 1..40"),
        question.replace("{n}", f"n in {{{numbers}}}"),
        body=NAMES,
    )
    assert line(expected) == line(found)


@pytest.mark.parametrize("question", QUESTIONS)
def test_most_of_them_take_one_formula(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    alone: list[object] = []
    once = choosing.Choosing._one_by_one
    monkeypatch.setattr(
        choosing.Choosing, "_one_by_one", lambda self: (alone.append(self), once(self))[1]
    )
    asked(question.replace("{n}", "n in 1..40"), NAMES)
    assert ("rooted" in question) == bool(alone), "a root is enclosed, and not quite the same"


def test_numbers_outside_the_domain_of_the_axis_are_no_points() -> None:
    assert "30 at m = 30" == line(asked("largest m over m in 1..40", NAMES))


def test_an_answer_that_others_read_keeps_the_requirements_where_it_was_found() -> None:
    body = NAMES + (
        "  param x : count = 25\n  require few: x <= 20\n"
        "  query best: smallest price over n in 1..40 at x = 1\n"
    )
    answers = all_asked("best", "sweep best over k in {1, 2}", "best + x", body=body)
    failing = {
        answer.expression: [broken.name for broken in answer.infeasible] for answer in answers
    }
    assert ([], ["few"]) == (failing["best"], failing["best + x"])
    (table,) = (answer.sweep for answer in answers if answer.sweep is not None)
    assert [(), ()] == [row.infeasible for row in table.lines]
