"""From Python as from the command line: specs nest as deep, and work is bounded."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest

import costlang
from costlang.model.work import DEEP, roomy
from tests.safety.asked import spec
from tests.safety.hostile import SLOW, chain, doubling

WIDE = spec("param p : ratio = 1", f"let y = p{' + p' * 990}", "query q: y")


def test_a_sum_of_a_thousand_terms_is_read_and_written_from_python() -> None:
    before = sys.getrecursionlimit()
    scenario = costlang.loads(WIDE).scenario("s")
    assert Fraction(991) == scenario.ask("q")[0].value
    formula = scenario.formula("y")
    assert Fraction(1982) == formula.at(p=2).value
    assert 991 == formula.sympy.subs(dict.fromkeys(formula.sympy.free_symbols, 1))
    assert 991.0 == float(formula.compile()())
    for written in (formula.latex(), formula.mathml(), formula.unicode(), repr(formula)):
        assert "p" in written
    assert Fraction(991) == formula.breakdown().whole.value
    assert before == sys.getrecursionlimit()


def test_minus_signs_by_the_hundred_are_read() -> None:
    (found,) = costlang.loads(spec(f"query q: {'-' * 900}7")).scenario("s").ask("q")
    assert Fraction(7) == found.value


def test_what_nests_too_deep_is_an_error_and_no_traceback() -> None:
    lines = chain("{0} + p", length=3000, start="p")
    scenario = costlang.loads(spec("param p : ratio = 1", *lines)).scenario("s")
    (found,) = scenario.ask("a2999")
    assert found.note is not None and "nesting-too-deep" == found.note.code
    with pytest.raises(costlang.SpecError, match=r"error\[nesting-too-deep\]"):
        scenario.formula("a2999")


def test_a_question_from_python_has_a_budget_of_its_own() -> None:
    scenario = costlang.loads(SLOW["many sums"]).scenario("s")
    for _ in range(3):
        assert Fraction(5_000_050_000) == scenario.ask("q0")[0].value


def test_work_that_is_too_much_is_an_error() -> None:
    formula = costlang.loads(doubling("{0} + {0}", start="p")).scenario("s").formula("a59")
    with pytest.raises(costlang.SpecError) as raised:
        formula.breakdown()
    expected = """
error[too-much-work]: this takes more work than is done for one question
  --> <python>:1:1
   |
 1 | breakdown
   | ^^^^^^^^^ asked here"""
    assert expected == str(raised.value)


def test_python_s_limit_is_given_back_by_the_last_that_leaves() -> None:
    before = sys.getrecursionlimit()
    with roomy():
        assert max(DEEP, before) == sys.getrecursionlimit()
        with roomy():
            assert max(DEEP, before) == sys.getrecursionlimit()
        assert max(DEEP, before) == sys.getrecursionlimit()
    assert before == sys.getrecursionlimit()


def test_a_higher_limit_is_left_alone() -> None:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(2 * DEEP)
    try:
        with roomy():
            assert 2 * DEEP == sys.getrecursionlimit()
        assert 2 * DEEP == sys.getrecursionlimit()
    finally:
        sys.setrecursionlimit(before)


def test_threads_do_not_take_each_other_s_depth_away() -> None:
    before = sys.getrecursionlimit()

    def asked(count: int) -> object:
        return costlang.loads(WIDE).scenario("s").ask("q")[0].value

    with ThreadPoolExecutor(4) as pool:
        assert [Fraction(991)] * 8 == list(pool.map(asked, range(8)))
    assert before == sys.getrecursionlimit()
