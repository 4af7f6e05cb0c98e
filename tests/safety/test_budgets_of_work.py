"""The budgets of what is worked out: steps of a run, nodes of a formula, rows, exact digits."""

from __future__ import annotations

from fractions import Fraction

import pytest

from costlang.answer import Bounds
from costlang.answer import sweep as sweeping
from costlang.formula import lower
from costlang.model import exact, work
from costlang.model.work import TooMuchWork, Work, current, sentence, spend
from tests.safety.asked import answers, messages, report, spec

TOO_MUCH = "this takes more work than is done for one file or question"


# ---- steps


def test_a_budget_is_spent_to_its_last_step_and_then_stays_so() -> None:
    budget = Work(3)
    budget.spend(3)
    assert not budget.spent
    with pytest.raises(TooMuchWork):
        budget.spend(1)
    with pytest.raises(TooMuchWork):
        budget.spend(0)
    assert budget.spent


def test_a_sentence_inside_another_shares_its_budget() -> None:
    with sentence() as outer:
        with sentence() as inner:
            assert outer is inner is current()
            inner.spend(5)
        assert work.MOST_STEPS - 5 == outer.left
    with sentence() as later:
        assert work.MOST_STEPS == later.left


def test_outside_a_sentence_nothing_is_counted() -> None:
    spend(10 * work.MOST_STEPS)
    assert work.MOST_STEPS == current().left


def test_a_question_that_takes_too_long_says_where() -> None:
    text = spec("query q: sum(over i in 1..200_000: sum(over j in 1..50: i))")
    expected = f"""\
error[too-much-work]: {TOO_MUCH}
  --> x.cost:3:12
   |
 3 |   query q: sum(over i in 1..200_000: sum(over j in 1..50: i))
   |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
"""
    assert expected == messages(text)


def test_a_question_has_all_its_steps_and_not_one_less() -> None:
    line = "query q: sum(over i in 1..1000: i^2)"
    with sentence() as spent:
        assert Fraction(333_833_500) == answers(line)[0].value
    steps = work.MOST_STEPS - spent.left
    with sentence(steps):
        assert Fraction(333_833_500) == answers(line)[0].value
    with sentence(steps - 1):
        (found,) = answers(line)
    assert found.value is None and found.note is not None
    assert TOO_MUCH == found.note.message


# ---- nodes and rows


def shared(parts: int) -> str:
    """Return a formula of so many definitions over a name that is free."""
    lets = [f"let a{n} = p * {n + 2} + a{n + 1}" for n in range(parts)]
    return spec("param p : ratio", *lets, f"let a{parts} = p", "query q: a0")


def test_a_formula_has_so_many_nodes_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    (found,) = report(shared(10)).answers
    assert found.formula is not None
    monkeypatch.setattr(lower, "MOST_NODES", found.formula.build.size)
    assert "" == messages(shared(10))
    expected = """\
error[too-much-work]: this formula has too many parts
  --> x.cost:5:12
   |
 5 |   let a1 = p * 3 + a2
   |            ^^^^^^^^^^
"""
    assert expected == messages(shared(11))


def axes(first: int, second: int) -> str:
    things = "interface t {\n  param x : ratio\n  param y : ratio\n}\nmodel m is t {}\n"
    over = ", ".join(
        f"u.{name} in {{{', '.join(map(str, range(1, count + 1)))}}}"
        for name, count in (("x", first), ("y", second))
    )
    return spec("use u = m", f"query q: sweep u.x over {over}", before=things)


def test_a_table_has_so_many_rows_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeping, "MOST_ROWS", 12)
    assert "" == messages(axes(3, 4))
    expected = """\
error[too-many-rows]: this table would have 15 rows
  --> x.cost:9:12
   |
 9 |   query q: sweep u.x over u.x in {1, 2, 3}, u.y in {1, 2, 3, 4, 5}
   |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
"""
    assert expected == messages(axes(3, 5))


# ---- exact digits


@pytest.mark.parametrize("base", [Fraction(2), Fraction(3), Fraction(7, 3), Fraction(-5, 11)])
def test_a_whole_power_is_exact_up_to_its_bits_and_certified_beyond(base: Fraction) -> None:
    exponent = 1
    while exact.length(base ** (2 * exponent)) <= exact.POWER_BITS:
        exponent *= 2
    step = exponent
    while step:
        if exact.length(base ** (exponent + step)) <= exact.POWER_BITS:
            exponent += step
        step //= 2
    assert base**exponent == exact.power(base, Fraction(exponent))
    beyond = exact.power(base, Fraction(exponent + 1))
    assert isinstance(beyond, exact.Interval)
    low, high = Fraction(beyond.low), Fraction(beyond.high)
    assert low < base ** (exponent + 1) < high
    assert high - low < abs(low) * Fraction(1, 2**200)


def test_sums_and_products_are_exact_up_to_their_bits_and_certified_beyond() -> None:
    most = Fraction(2**exact.LONG - 1)
    assert most == exact.add(most - 1, Fraction(1))
    beyond = exact.add(most, Fraction(1))
    assert isinstance(beyond, exact.Interval)
    assert beyond.low <= most + 1 <= beyond.high


def test_a_certified_power_is_an_answer() -> None:
    exact_one, beyond = answers("query a: 2^(99_999)", "query b: 2^(100_000)")
    assert Fraction(2) ** 99_999 == exact_one.value
    assert isinstance(beyond.value, Bounds) and "certified" == beyond.value.kind
