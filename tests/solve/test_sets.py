"""Where relations hold: exact sets over real numbers, whole numbers and finite sets."""

from __future__ import annotations

from fractions import Fraction

import pytest

from costlang.solve import Domain, Kind, Solution, Span, integers, members, reals, solve
from tests.solve.written import Desk, Formula, number


def spelled(span: Span) -> str:
    low, high = number(span.low), number(span.high)
    if span.single:
        return str(low)
    opening, closing = "[" if span.low_in else "(", "]" if span.high_in else ")"
    left, right = ("-inf" if low is None else low), ("inf" if high is None else high)
    return f"{opening}{left}, {right}{closing}"


def sets(found: Solution) -> list[str]:
    return [spelled(span) for span in found.spans]


def ask(
    left: Formula, word: str, right: Formula | int | Fraction, x: Formula, domain: Domain
) -> Solution:
    desk = left.desk
    return solve(desk.build, left.node, word, desk.of(right), x.symbol, domain)


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def x(desk: Desk) -> Formula:
    return desk.name("x")


def test_an_irrational_root_keeps_its_polynomial(desk: Desk, x: Formula) -> None:
    (case,) = ask(x * x, "==", 2, x, reals(0)).cases
    assert ((-2, 0, 1), 1.414214) == (case.value.polynomial, number(case.value))


def test_a_root_that_touches_is_one(desk: Desk, x: Formula) -> None:
    assert ["3"] == sets(ask(x * x + 9, "==", 6 * x, x, reals()))
    assert [] == sets(ask(x * x + 9, "<", 6 * x, x, reals()))
    assert ["(-inf, 3)", "(3, inf)"] == sets(ask(x * x + 9, ">", 6 * x, x, reals()))


def test_what_cancels_leaves_everything(desk: Desk, x: Formula) -> None:
    found = ask(2 * x / 2 - 3 * x / 3 + 1, "==", 1, x, reals(0))
    assert Kind.EVERYWHERE is found.kind


def test_a_pole_belongs_to_no_set(desk: Desk, x: Formula) -> None:
    assert ["(1, 2)"] == sets(ask(1 / (x - 1), ">", 1, x, reals(0)))
    assert ["[0, 1)", "[2, inf)"] == sets(ask(1 / (x - 1), "<=", 1, x, reals(0)))


def test_a_cancelled_pole_is_a_hole_still(desk: Desk, x: Formula) -> None:
    assert ["[0, 2)", "(2, 5]"] == sets(ask((x * x - 4) / (x - 2), "<=", 7, x, reals(0)))


def test_a_plateau_is_an_interval(desk: Desk, x: Formula) -> None:
    found = ask(desk.max(desk.call("log2", x), 3), "==", 3, x, reals(0, None, "(]"))
    assert (Kind.INTERVALS, ["(0, 8]"]) == (found.kind, sets(found))


def test_a_jump_past_a_level_is_no_root(desk: Desk, x: Formula) -> None:
    found = ask(desk.call("ceil", x) * 2, "==", 3, x, reals(0))
    assert (Kind.NONE, "the left side jumps past the right side") == (found.kind, found.reason)


def test_a_floor_above_another_leaves_a_hole(desk: Desk, x: Formula) -> None:
    waste = desk.call("ceil", x / 8) * 8 - x
    assert ["8", "16", "24"] == sets(ask(waste, "==", 0, x, reals(1, 31)))
    found = ask(waste, "<=", 1, x, integers(1, 31))
    assert ((7, 8), (15, 16), (23, 24), (31, 31)) == found.integers


def test_a_corner_at_an_irrational_point_is_decided_exactly(desk: Desk, x: Formula) -> None:
    inner = desk.max(x * x - 2, 2 - x * x)
    assert ["1.414214"] == sets(ask(inner, "<=", 0, x, reals(0)))
    assert ["1.414214"] == sets(ask(inner, "==", 0, x, reals(0)))


def test_a_condition_says_which_formula_counts(desk: Desk, x: Formula) -> None:
    at_most = x.compared("<=", 4)
    chosen = desk.choose(at_most, x, 10 - x)
    assert ["3", "7"] == sets(ask(chosen, "==", 3, x, reals(0)))
    assert ["[0, 4]", "[6, inf)"] == sets(ask(chosen, "<=", 4, x, reals(0)))


def test_an_open_end_is_left_out(desk: Desk, x: Formula) -> None:
    assert (Kind.NONE, Kind.ONE) == (
        ask(x, "==", 1, x, reals(0, 1, "[)")).kind,
        ask(x, "==", 1, x, reals(0, 1)).kind,
    )


def test_a_root_outside_the_domain_is_named(desk: Desk, x: Formula) -> None:
    found = ask(10 * x, "==", 322, x, reals(0, 1))
    assert (Kind.NONE, [Fraction(161, 5)]) == (found.kind, [number(o) for o in found.outside])


def test_whole_numbers_have_whole_solutions_alone(desk: Desk, x: Formula) -> None:
    found = ask(2 * x, "==", 5, x, integers(1))
    assert (Kind.NONE, "no solution is a whole number", [Fraction(5, 2)]) == (
        found.kind,
        found.reason,
        [number(o) for o in found.outside],
    )


def test_what_is_not_equal_is_the_rest(desk: Desk, x: Formula) -> None:
    assert ["[0, 2)", "(2, inf)"] == sets(ask(3 * x, "!=", 6, x, reals(0)))
    assert ((1, 1), (3, None)) == ask(3 * x, "!=", 6, x, integers(1)).integers


def test_a_finite_set_is_tried_one_by_one(desk: Desk, x: Formula) -> None:
    found = ask(x * x, "<=", 20, x, members(1, 2, 4, 8))
    assert [1, 2, 4] == [number(place) for place in found.members]


def test_infinity_is_beyond_every_number(desk: Desk, x: Formula) -> None:
    end = Formula(desk, desk.build.inf())
    assert Kind.EVERYWHERE is ask(x * 5, "<", end, x, reals(0)).kind
    assert Kind.NONE is ask(x * 5, ">=", end, x, reals(0)).kind


def test_none_says_where_the_quotient_of_both_sides_tends(desk: Desk, x: Formula) -> None:
    found = ask(3 * x, "==", 4 * x + 5, x, reals(1))
    assert (Kind.NONE, "the left side is always smaller") == (found.kind, found.reason)
    assert found.towards is desk.build.num(Fraction(3, 4))


def test_a_sum_is_split_where_its_summand_changes_sides(desk: Desk, x: Formula) -> None:
    pairs = desk.sum("j", 1, 32_768, lambda j: desk.min(x + j, 4096))
    found = ask(pairs, "==", 4096 * 32_768 - 4095 * 2048, x, integers(0))
    assert sum(min(0 + j, 4096) for j in range(1, 32_769)) == 4096 * 32_768 - 4095 * 2048
    assert ((0, 0),) == found.integers


def test_a_sum_up_to_the_unknown_is_closed(desk: Desk, x: Formula) -> None:
    total = desk.sum("i", 1, x, lambda i: 3 * i + 1)
    assert [Fraction(10)] == [number(c.value) for c in ask(total, "==", 175, x, reals(1)).cases]


def test_a_budget_ends_in_undecided_and_keeps_what_is_certain(desk: Desk, x: Formula) -> None:
    waste = desk.call("ceil", x / 3) * 3 - x
    found = solve(
        desk.build, waste.node, "==", desk.of(0), x.symbol, integers(1, 10**6), steps=20_000
    )
    assert Kind.UNDECIDED is found.kind
    assert "it takes more than 20000 steps" in found.reason
    assert all(low == high and low % 3 == 0 for low, high in found.integers if low is not None)


def test_a_touch_that_cannot_be_proved_is_undecided(desk: Desk, x: Formula) -> None:
    log2 = desk.call("log2", x)
    # x - 1 - ln x is 0 at 1 alone, and never below.
    ln = log2 / desk.call("log2", desk.call("exp", Formula(desk, desk.build.num(1))))
    found = ask(x - 1 - ln, "==", 0, x, reals(Fraction(1, 2), 3))
    assert found.kind in (Kind.UNDECIDED, Kind.ONE)
    assert all(case.value.exact == 1 for case in found.cases)


def test_curves_with_one_place_of_the_unknown_are_inverted(desk: Desk, x: Formula) -> None:
    root = desk.call("sqrt", x)
    assert ["9"] == sets(ask(x + root, "==", 12, x, reals(0)))
    assert ["7"] == sets(ask(2**x, "==", 128, x, reals(0)))
    assert ["[0, 4.643856]"] == sets(ask(2**x, "<=", 25, x, reals(0)))
    assert ["27"] == sets(ask(x ** Fraction(2, 3), "==", 9, x, reals(0)))


def test_a_symbol_without_a_value_is_refused_by_name(desk: Desk, x: Formula) -> None:
    y = desk.name("y")
    found = ask(x * y, "==", 1, x, reals(0))
    assert (Kind.UNDECIDED, "nothing sets y") == (found.kind, found.reason)


def test_what_no_side_chooses_is_not_asked_for(desk: Desk, x: Formula) -> None:
    y = desk.name("y")
    chosen = desk.choose(Formula(desk, desk.build.num(1)).compared("<", 2), 3 * x, y)
    assert ["2"] == sets(ask(chosen, "==", 6, x, reals(0)))
