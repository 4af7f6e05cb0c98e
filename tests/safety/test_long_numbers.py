"""Numbers of thousands of digits are written in a few, and their value stays right."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from costlang.emit.report_json import MOST_DIGITS, answer_json, report_json
from costlang.emit.report_text import Paper, report_text
from costlang.emit.values import decimal_beyond, value_text
from costlang.model import exact
from tests.safety.asked import answers, report, spec

LONG = {
    "3^(60_000)": Fraction(3) ** 60_000,
    "-(7 / 3)^(20_000)": -(Fraction(7, 3) ** 20_000),
    "(1 / 3)^(40_000)": 1 / Fraction(3) ** 40_000,
    "2^(99_999)": Fraction(2) ** 99_999,
    "10^(1000)": Fraction(10) ** 1000,
}


@pytest.mark.parametrize("words", LONG)
def test_a_long_number_stands_between_two_decimals(words: str) -> None:
    (found,) = answers(f"query q: {words}")
    assert LONG[words] == found.value
    data = answer_json(found)
    assert data["exact"] is None and data["value"] is None
    assert "certified" == data["interval"]["kind"]
    low, high = map(Fraction, data["interval"]["exact"])
    assert low <= LONG[words] <= high
    assert high - low <= abs(LONG[words]) * Fraction(1, 10**38)
    assert len(json.dumps(data)) < 1_500


def test_a_number_of_so_many_digits_is_written_in_full() -> None:
    most = 10**MOST_DIGITS - 1
    inside, outside = answers(f"query a: 10^(1000) - 1 + 0 * {'9' * 100}", "query b: 10^(1000)")
    assert str(most) == answer_json(inside)["exact"]
    assert answer_json(inside)["interval"] is None
    assert answer_json(outside)["exact"] is None


def test_a_long_number_in_a_report() -> None:
    text = spec("query q: 3^(60_000)", "check c: 3^(60_000) == 1 / 3^(60_000)")
    expected = """\
s
  q  1.885e28627

fails s.c: 3^(60_000) == 1 / 3^(60_000)
  --> x.cost:4:9
"""
    assert expected == report_text(report(text), Paper())[: len(expected)]
    json.dumps(report_json(report(text), "0"), allow_nan=False)


def test_a_range_whose_end_is_long_keeps_its_kind() -> None:
    (found,) = answers("param p : ratio = 1 .. 2", "query q: p * 3^(60_000)")
    data = answer_json(found)["interval"]
    assert data["kind"] in ("exact", "outer")
    assert all(end is None or Fraction(end) for end in data["exact"])


@pytest.mark.parametrize("digits", [1, 2, 7])
@pytest.mark.parametrize("value", ["999999", "-1/3", "0.00099999", "1", "-10", "123456789/7"])
def test_a_decimal_beyond_a_number_is_beyond_it(value: str, digits: int) -> None:
    number = Fraction(value)
    low, high = (Fraction(decimal_beyond(number, side, digits)) for side in (-1, 1))
    assert low <= number <= high
    assert high - low <= abs(number) * Fraction(10) ** (2 - digits)


def test_the_decimal_of_a_decimal_is_itself() -> None:
    assert "1.5e3" == decimal_beyond(Fraction(1500), 1, 2) == decimal_beyond(Fraction(1500), -1, 2)
    assert "0" == decimal_beyond(Fraction(0), 1, 5)


# ---- values that are no number


def test_what_is_no_single_number_has_words_of_its_own() -> None:
    one = (Fraction(1), Fraction(1))
    assert "within 1 .. 3" == value_text(exact.Interval(Fraction(1), Fraction(3), {"p": one}), None)
    assert "2" == value_text(exact.Interval(Fraction(2), Fraction(2)), None)
    assert "inf" == value_text(exact.Infinity(), None)
    assert "-inf" == value_text(exact.Infinity(-1), None)
    assert "undecided" == value_text(exact.Undecided(), None)
    assert "unknown" == value_text(exact.Unknown(frozenset({"p"})), None) == value_text(None, None)


def test_a_comparison_over_a_range_is_undecided_and_shows_both_sides() -> None:
    text = spec("param p : ratio = 1 .. 5", "query q: p > 3", "query r: p > 0", "query s_: p < 0")
    expected = """\
s
  q   undecided  p = within 1 .. 5, 3
  r   true       p = within 1 .. 5, 0
  s_  false      p = within 1 .. 5, 0
"""
    assert expected == report_text(report(text), Paper())[: len(expected)]


@pytest.mark.parametrize("words", ["inf", "max(inf, 1 B)", "-inf", "min(-inf, 2)", "p"])
def test_an_infinite_answer_is_an_error(words: str) -> None:
    found = report(spec("param p : ratio = inf", f"query q: {words}"))
    (answer,) = found.answers
    assert answer.note is not None and answer.value is None
    assert "infinite" == answer.note.code
    assert "this is infinite, and no number" == answer.note.message


@pytest.mark.parametrize(
    "words", ["sqrt(p)", "log2(p)", "exp(p)", "ceil(p)", "p^2", "2^p", "p * 2"]
)
def test_what_is_made_of_infinity_is_infinite(words: str) -> None:
    (found,) = report(spec("param p : ratio = inf", f"query q: {words}")).answers
    assert found.note is not None and "infinite" == found.note.code
    assert "this would be infinite" == found.note.message


def test_infinity_still_bounds_and_compares() -> None:
    found = answers("param p : ratio = inf", "query a: min(p, 3)", "query b: 2 < p")
    assert [Fraction(3), True] == [item.value for item in found]


def test_a_range_without_end_has_what_is_known_of_it() -> None:
    (found,) = answers("param p : ratio = 1 .. inf", "query q: log2(p) + sqrt(p)")
    assert "within 1 .. inf" == value_text(found.value, None)


def test_a_note_is_told_once_however_many_questions_meet_it() -> None:
    text = spec("let y = 1 / 0", "query a: y", "query b: y + 1", "query c: y - 1")
    data = report_json(report(text), "0")
    assert 1 == len(data["diagnostics"])
    assert 3 == len(data["answers"])
