"""Faults that hostile specs once found: hangs, tracebacks, and intervals that were too narrow."""

from __future__ import annotations

import sys
from fractions import Fraction

from costlang.answer import Answer, Bounds
from costlang.model import exact
from costlang.pipeline import run
from costlang.text import Diagnostic, Source


def answers(*lines: str) -> tuple[Answer, ...]:
    """Return the answers of a scenario of *lines*, all in order."""
    report = run(Source("s.cost", "\n".join(["cost 1", "scenario s {", *lines, "}", ""])))
    assert report.usable, report.diagnostics
    return report.answers


def bounds(*lines: str) -> Bounds:
    (found,) = answers(*lines)
    assert isinstance(found.value, Bounds)
    return found.value


def mistakes(*lines: str) -> tuple[Diagnostic, ...]:
    return run(Source("s.cost", "\n".join(["cost 1", *lines, ""]))).diagnostics


# ---- intervals that hold every value


def test_a_range_through_an_undecided_if_holds_both_branches_times_what_follows() -> None:
    found = bounds("param p : ratio", "query q: (if p > 3 then 1 else 2) * p at p = 1 .. 5")
    assert "outer" == found.kind
    assert found.low <= 2 and found.high >= 6


def test_two_numbers_of_which_one_is_meant_are_no_certified_number() -> None:
    found = bounds("param p : ratio", "query q: if p > 3 then 1 else 2 at p = 1 .. 5")
    assert Bounds(Fraction(1), Fraction(2), "outer") == found


def test_an_undecided_if_between_equal_numbers_is_that_number() -> None:
    (found,) = answers("param p : ratio", "query q: if p > 3 then 2 else 2 at p = 1 .. 5")
    assert Fraction(2) == found.value


def test_the_size_of_a_range_around_zero_begins_at_zero() -> None:
    found = bounds("param p : ratio", "query q: abs(p - 3) at p = 1 .. 5")
    assert Bounds(Fraction(0), Fraction(2), "outer") == found


def test_a_step_of_a_range_times_a_number_beyond_floats_is_exact() -> None:
    found = bounds("param p : ratio", "query q: floor(p) * (10^64)^6 at p = 1 .. 5")
    assert Bounds(Fraction(10) ** 384, 5 * Fraction(10) ** 384, "exact") == found


def test_an_endless_slope_times_a_tiny_number_stays_endless() -> None:
    tiny = Fraction(1, 10**400)
    steep = exact.floor(exact.Interval(Fraction(1), Fraction(5), {"p": (Fraction(1), Fraction(1))}))
    product = exact.multiply(steep, tiny)
    assert isinstance(product, exact.Interval)
    assert (0, float("inf")) == product.slopes["p"]


def test_a_name_that_an_unreadable_statement_may_have_declared_is_not_reported_again() -> None:
    found = mistakes(
        "interface a {",
        "let b = max(1, 2",
        "let c = b + 1",
        "}",
        "record r is a { }",
        "scenario s {",
        "query q: r.b + 1",
        "}",
    )
    assert [("unclosed-bracket", 3)] == [(item.code, item.span.line) for item in found]


# ---- numbers that grow


def test_squares_of_squares_end_in_a_message_and_not_in_a_hang() -> None:
    lines = [f"let x{i} = x{i - 1} * x{i - 1}" for i in range(1, 61)]
    text = "\n".join(["cost 1", "scenario s {", "let x0 = 3", *lines, "query q: x60", "}", ""])
    (found,) = run(Source("s.cost", text)).answers
    assert found.note is not None
    assert "this has no value here: it is beyond all measure" == found.note.message


def test_a_sum_whose_denominators_grow_is_certified_and_quick() -> None:
    found = bounds("query q: sum(over i in 1..6000: 1 / i)")
    assert "certified" == found.kind
    assert float(found.low) == float(found.high) == 9.276813744130244


def test_a_long_quotient_is_certified_to_seventy_digits() -> None:
    value = exact.divide(Fraction(3) ** 20_000, Fraction(2) ** 31_000 + 1)
    assert isinstance(value, exact.Interval)
    true = Fraction(3**20_000, 2**31_000 + 1)
    assert value.low < true < value.high
    assert value.high - value.low < true / 10**70


def test_a_range_to_a_large_power_ends_in_a_message() -> None:
    report = run(
        Source(
            "s.cost", "cost 1\nscenario s {\nparam p : ratio\nquery q: p^(1e9) at p = 2 .. 3\n}\n"
        )
    )
    (found,) = report.answers
    assert found.note is not None and "outside-domain" == found.note.code


def test_a_range_to_a_power_of_some_thousands_is_exact_at_both_ends() -> None:
    found = bounds("param p : ratio", "param n : count = 3000", "query q: p^n at p = 1 .. 3")
    assert Bounds(Fraction(1), Fraction(3) ** 3000, "exact") == found


def test_a_vanishing_power_is_certified_between_zero_and_a_trifle() -> None:
    for text in ("(1/3) ^ (10^9)", "2 ^ (-(10^12))", "exp(-10^30)"):
        found = bounds(f"query q: {text}")
        assert "certified" == found.kind
        assert 0 <= found.low <= found.high < Fraction(1, 10**20_000)


def test_the_root_of_a_long_square_is_exact_and_quick() -> None:
    assert Fraction(7**8000) == exact.power(Fraction(7**16_000), Fraction(1, 2))


def test_the_exponential_of_a_tiny_number_is_more_than_one() -> None:
    tiny = Fraction(1, 2**271)
    value = exact.exp(tiny)
    assert isinstance(value, exact.Interval)
    assert value.low <= 1 + tiny <= value.high


# ---- depth


def test_a_long_chain_of_definitions_in_reverse_is_reported_and_no_traceback() -> None:
    lines = [f"let x{i} = x{i - 1} + 1" for i in range(1200, 0, -1)]
    found = mistakes("scenario s {", *lines, "let x0 = 1", "}")
    assert {"nesting-too-deep"} == {item.code for item in found}


def test_a_sum_deeper_than_python_allows_is_reported_at_its_place() -> None:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    try:
        found = mistakes("scenario s {", f"query q: {'1 + ' * 400}1", "}")
    finally:
        sys.setrecursionlimit(limit)
    assert all("nesting-too-deep" == item.code and 3 >= item.span.line for item in found)


def test_a_file_of_thousands_of_unknown_names_is_reported_in_time() -> None:
    found = mistakes("scenario s {", *[f"let x{i} = y{i}" for i in range(2000)], "}")
    assert 2000 == len(found)
