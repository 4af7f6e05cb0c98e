"""Files that want to keep a reader busy end soon, with a message; others that look so are fine."""

from __future__ import annotations

from fractions import Fraction

import pytest

from costlang import pipeline
from costlang.emit.message import render
from costlang.model.work import MOST_STEPS, roomy, sentence
from costlang.text import Source
from tests.safety.asked import messages, report, spec
from tests.safety.hostile import FINE, LARGE, SLOW, chain


@pytest.mark.parametrize("name", SLOW)
def test_what_takes_too_much_work_says_so(name: str) -> None:
    """With a tenth of the budget, which is enough to see that it is counted."""
    with sentence(MOST_STEPS // 10):
        found = report(SLOW[name])
    assert () == found.diagnostics
    notes = [item.note for item in found.answers if item.note is not None]
    assert {"too-much-work"} == {item.code for item in notes}
    assert "this takes more work than is done for one file or question" == notes[-1].message


@pytest.mark.parametrize("name", LARGE)
def test_what_is_beyond_all_measure_has_no_value(name: str) -> None:
    (found,) = report(LARGE[name]).answers
    assert found.value is None and found.note is not None
    assert found.note.code in ("outside-domain", "too-many-steps", "not-whole")


@pytest.mark.parametrize("name", FINE)
def test_what_only_looks_like_much_work_is_answered(name: str) -> None:
    text, value = FINE[name]
    (found,) = report(text).answers
    assert Fraction(value) == found.value


def test_a_sum_of_too_many_terms_is_told_without_writing_its_digits_out() -> None:
    expected = """\
error[too-many-steps]: this sum has 2.661e9542 terms
  --> x.cost:3:12
   |
 3 |   query q: sum(over i in 1..3^(20_000): i)
   |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
"""
    assert expected == messages(LARGE["a sum of so many"])


def test_a_number_without_end_is_no_literal() -> None:
    expected = """\
error[literal-too-long]: a number this large or small means nothing here
  --> x.cost:3:12
   |
 3 |   query q: 1e999999999
   |            ^^^^^^^^^^^ too far from 1
"""
    assert expected == messages(spec("query q: 1e999999999"))


def test_definitions_that_hang_on_each_other_by_the_thousand_end_in_a_message() -> None:
    lines = chain("{0} + 1", length=3000)
    (found,) = report(spec(*lines, "query q: a2999")).answers
    assert found.note is not None and "this nests too deep" == found.note.message


def test_all_questions_of_a_file_share_one_budget() -> None:
    """A file of many questions ends as soon as one of them would have."""
    found = report(SLOW["many sums"])
    answered = [item for item in found.answers if item.note is None]
    assert 0 < len(answered) < 10 < len(found.answers)


@pytest.mark.parametrize("name", ["functions that double", "long quotients"])
def test_the_whole_budget_is_seconds(name: str) -> None:
    (found,) = report(SLOW[name]).answers
    assert found.note is not None and "too-much-work" == found.note.code


def test_a_record_that_amends_itself_is_a_circle() -> None:
    with roomy():
        found = pipeline.run(Source("x.cost", "cost 1\nmodel m is m { }\n"))
    assert ["circular-parents"] == [item.code for item in found.diagnostics]
    assert "" != render(found.diagnostics)


def test_records_that_amend_each_other_are_a_circle() -> None:
    found = report("cost 1\nmodel a is b {}\nmodel b is c {}\nmodel c is a {}\n")
    assert {"circular-parents"} == {item.code for item in found.diagnostics}


def test_questions_that_ask_each_other_are_a_circle() -> None:
    found = report(spec("query a: b + 1", "query b: a + 1"))
    assert {"circular-definition"} == {item.code for item in found.diagnostics}


THINGS = "interface t {\n  param x : ratio in 0..\n  param n : count = 1\n}\nmodel m is t {}\n"
COPIES = (
    "resource w : count\nop o(a: ratio) { let w = a }\n"
    "interface t {\n  repeat {0} { term x = o(2) }\n}\n"
)


@pytest.mark.parametrize("axis", ["u.x in 0..1e300", "u.n in 1..1e300"])
def test_an_axis_without_measure_has_few_points(axis: str) -> None:
    text = spec("use u = m", f"query q: sweep u.x + u.n over {axis}", before=THINGS)
    (found,) = report(text).answers
    assert found.sweep is not None
    assert 0 < len(found.sweep.lines) < 2_000


def test_an_axis_of_too_many_points_is_told_in_few_digits() -> None:
    text = spec("use u = m", "query q: sweep u.n over u.n in 1..3^(20_000)", before=THINGS)
    (found,) = report(text).answers
    assert found.note is not None and found.note.code in ("too-many-rows", "too-much-work")
    assert len(found.note.message) < 100


def test_copies_of_too_many_digits_are_told_in_few() -> None:
    head = COPIES.replace("{0}", "3^(20_000) as i") + "model m is t {}\n"
    (found,) = report(spec("query q: m.total(w)", before=head)).answers
    assert found.note is not None and "too-many-steps" == found.note.code
    assert len(found.note.message) < 100


@pytest.mark.parametrize("count", ["1e300", "2^(90_000)"])
def test_copies_without_index_are_multiplied(count: str) -> None:
    head = COPIES.replace("{0}", count) + "model m is t {}\n"
    (found,) = report(spec("query q: m.total(w)", before=head)).answers
    assert found.value is not None and found.note is None


def test_a_sum_that_ends_before_it_begins_is_nothing_however_far() -> None:
    (found,) = report(spec("query q: sum(over i in 1e300..-1e300: i)")).answers
    assert Fraction(0) == found.value


def test_phases_that_read_each_other_are_a_circle() -> None:
    head = "phase p(m: t) {\n  let y = q(m).y + 1\n}\nphase q(m: t) {\n  let y = p(m).y * 2\n}\n"
    found = report(spec("use a = p(m)", "query q: a.y", before=THINGS + head))
    assert ["circular-definition"] == [item.code for item in found.diagnostics]


def test_functions_that_call_each_other_are_a_circle() -> None:
    head = "let f(x: ratio) = h(x) + 1\nlet h(x: ratio) = f(x) * 2\n"
    found = report(spec("query q: f(1)", before=head))
    assert ["circular-definition"] == [item.code for item in found.diagnostics]


def test_operators_that_are_made_of_each_other_are_a_circle() -> None:
    head = "op a() { term x = b() }\nop b() { term x = a() }\n"
    found = report(f"cost 1\n{head}interface t {{ term z = a() }}\nmodel m is t {{}}\n")
    assert ["circular-definition"] == [item.code for item in found.diagnostics]


def test_uses_of_each_other_are_a_circle() -> None:
    found = report(spec("use a = b", "use b = a", "query q: 1"))
    assert ["circular-definition"] == [item.code for item in found.diagnostics]
