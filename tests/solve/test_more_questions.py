"""Largest and smallest, best points, limits, elasticities, and several equations at once."""

from __future__ import annotations

from fractions import Fraction

import pytest

from costlang.formula import graph as g
from costlang.model.exact import INFINITY
from costlang.solve import (
    CannotTell,
    Found,
    Kind,
    Reach,
    elasticities,
    integers,
    largest,
    limit,
    optimum,
    reals,
    smallest,
    solve_system,
)
from tests.solve.written import Desk, Formula, number, text


@pytest.fixture
def desk() -> Desk:
    return Desk()


def all_of(desk: Desk, *parts: g.Node | bool) -> g.Node:
    made = desk.build.every(*parts)
    assert isinstance(made, g.Node)
    return made


# ---- largest and smallest


def test_the_boundary_is_a_formula_and_a_whole_number(desk: Desk) -> None:
    B, t, w, k = desk.names("B t w k")
    time = desk.named("time", w + k * B)
    values = {t.symbol: Fraction(50), w.symbol: Fraction(42), k.symbol: Fraction(3, 10)}
    found = largest(desk.build, B.symbol, [time.compared("<=", t)], integers(1), values)
    assert (Found.FOUND, 26, Fraction(80, 3), (0,)) == (
        found.found,
        found.whole,
        number(found.value),
        found.binding,
    )
    assert found.case is not None
    assert "(t - w) / k" == text(found.case.formula)


def test_joined_conditions_are_taken_apart(desk: Desk) -> None:
    B = desk.name("B")
    both = all_of(desk, (3 * B).compared("<=", 100), (B + 5).compared("<", 20))
    found = largest(desk.build, B.symbol, [both], integers(1))
    assert (14, (1,), (Fraction(58), Fraction(1))) == (found.whole, found.binding, found.slack)
    assert (Fraction(100, 3), (0,)) == (number(found.next_value), found.next_binding)


def test_an_end_that_is_left_out_is_not_attained(desk: Desk) -> None:
    x = desk.name("x")
    found = largest(desk.build, x.symbol, [(x + 5).compared("<", 20)], reals(0))
    assert (Fraction(15), False) == (number(found.value), found.attained)


def test_steps_may_bind_before_the_line_does(desk: Desk) -> None:
    x = desk.name("x")
    blocks = desk.call("ceil", x / 16) * 16
    found = largest(desk.build, x.symbol, [blocks.compared("<=", 1000)], integers(1))
    assert (992, True) == (found.whole, found.attained)


def test_where_nothing_binds_it_is_unbounded_or_ends_with_the_domain(desk: Desk) -> None:
    x = desk.name("x")
    always = [(1 / x).compared("<=", 1)]
    assert Found.UNBOUNDED is largest(desk.build, x.symbol, always, integers(1)).found
    ended = largest(desk.build, x.symbol, always, integers(1, 512))
    assert (512, ()) == (ended.whole, ended.binding)


def test_conditions_that_cannot_be_kept_together_are_named(desk: Desk) -> None:
    x = desk.name("x")
    conditions = [x.compared(">=", 5), x.compared("<=", 9), (2 * x).compared("<=", 7)]
    found = largest(desk.build, x.symbol, conditions, reals(0))
    assert (Found.NONE, (0, 2)) == (found.found, found.failing)
    alone = largest(desk.build, x.symbol, [(x + 1).compared("<", 1)], reals(0))
    assert (Found.NONE, (0,)) == (alone.found, alone.failing)


def test_the_smallest_degree_that_fits_is_found_in_a_set(desk: Desk) -> None:
    from costlang.solve import members

    tp = desk.name("tp", 1)
    held = [(140 / tp).compared("<=", 80)]
    found = smallest(desk.build, tp.symbol, held, members(1, 2, 4, 8))
    assert (Fraction(2), (0,)) == (number(found.value), found.binding)


def test_a_set_in_two_pieces_has_its_largest_in_the_last(desk: Desk) -> None:
    x = desk.name("x")
    found = largest(desk.build, x.symbol, [((x - 5) ** 2).compared(">=", 4)], reals(0, 10))
    assert (Fraction(10), ()) == (number(found.value), found.binding)
    least = smallest(desk.build, x.symbol, [((x - 5) ** 2).compared("<=", 4)], reals(0, 10))
    assert (Fraction(3), (0,)) == (number(least.value), least.binding)


# ---- the best point


def test_the_best_number_of_drafts_is_six(desk: Desk) -> None:
    alpha, drafts, c = desk.names("alpha gamma c")
    gain = (1 - alpha ** (drafts + 1)) / (1 - alpha) / (1 + drafts * c)
    values = {alpha.symbol: Fraction(8, 10), c.symbol: Fraction(1, 10)}
    axes = {drafts.symbol: [Fraction(n) for n in range(1, 17)]}
    found = optimum(desk.build, gain.node, axes, None, [], values)
    assert found.best is not None
    assert (Fraction(6), 1, 16) == (found.best.where[drafts.symbol], found.ties, found.tried)
    assert 2.470 == round(float(Fraction(str(0)) + _exact(found.best.value)), 3)


def _exact(value: object) -> Fraction:
    assert isinstance(value, Fraction)
    return value


def test_what_excludes_a_better_point_is_named(desk: Desk) -> None:
    tp, B = desk.names("tp B")
    rate = B * tp / (1 + tp)
    fits = (B * 10 / tp).compared("<=", 100)
    assert isinstance(fits, g.Node)
    axes = {tp.symbol: [Fraction(1), Fraction(2), Fraction(4)]}
    found = optimum(desk.build, rate.node, axes, (B.symbol, integers(1, 60)), [fits])
    assert found.best is not None and found.better is not None
    assert {tp.symbol: 4, B.symbol: 40} == dict(found.best.where)
    assert ((0,), Fraction(98, 3)) == (found.better.failing, found.better.value)


def test_where_no_point_is_allowed_the_condition_that_always_fails_is_named(desk: Desk) -> None:
    n = desk.name("n")
    never, sometimes = (n + 10).compared("<", 5), n.compared("<=", 2)
    assert isinstance(never, g.Node) and isinstance(sometimes, g.Node)
    axes = {n.symbol: [Fraction(k) for k in (1, 2, 3)]}
    found = optimum(desk.build, (5 * n).node, axes, None, [sometimes, never])
    assert (None, (1,)) == (found.best, found.everywhere)
    assert found.aside is not None
    assert 10 == found.aside.value


def test_an_open_axis_is_compared_at_ends_corners_and_turns(desk: Desk) -> None:
    x = desk.name("x")
    hill = desk.min(x, 12 - x) * 3 + 5
    found = optimum(desk.build, hill.node, {}, (x.symbol, reals(0, 20)), [])
    assert found.best is not None
    assert (6, 23) == (found.best.where[x.symbol], found.best.value)
    bowl = 100 / x + x
    found = optimum(desk.build, bowl.node, {}, (x.symbol, integers(1)), [], least=True)
    assert found.best is not None
    assert (10, 20) == (found.best.where[x.symbol], found.best.value)


def test_a_best_that_is_only_come_close_to_is_none(desk: Desk) -> None:
    x = desk.name("x")
    found = optimum(desk.build, (x / (x + 1)).node, {}, (x.symbol, integers(1)), [])
    assert 1 == found.approached
    saw = x - desk.call("floor", x)
    assert 1 == optimum(desk.build, saw.node, {}, (x.symbol, reals(0, 3)), []).approached
    assert optimum(desk.build, saw.node, {}, (x.symbol, reals(0, 3)), [], least=True).ties


# ---- limits


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (lambda d, x, a, b: a * x / (b + x), "a"),
        (lambda d, x, a, b: d.max(a * x, b) / x, "a"),
        (lambda d, x, a, b: (a + b * x) / (x * x), "0"),
        (lambda d, x, a, b: a * x * x / (b + x), "inf"),
        (lambda d, x, a, b: d.call("ceil", x / 128) * 128 / x, "1"),
        (lambda d, x, a, b: d.call("log2", x) * a / x, "0"),
        (lambda d, x, a, b: d.call("sqrt", a * x * x) / x, "sqrt(a)"),
        (lambda d, x, a, b: a * (1 - Fraction(7, 8) ** x), "a"),
        (lambda d, x, a, b: d.min(a, b * x), "a"),
    ],
)
def test_a_limit_is_a_formula(made: object, expected: str, desk: Desk) -> None:
    x, a, b = desk.names("x a b")
    formula = made(desk, x, a, b)  # type: ignore[operator]
    found = text(limit(desk.build, formula.node, x.symbol, INFINITY))
    assert expected == found or (expected, found) == ("sqrt(a)", "a^1/2")


def test_a_limit_that_hangs_on_other_names_is_not_guessed(desk: Desk) -> None:
    x, a, b, c = desk.names("x a b c")
    steeper = desk.max(a * x, b * x) / x
    assert "max(a, b)" == text(limit(desk.build, steeper.node, x.symbol, INFINITY))
    shifted = desk.max(a * x + c, b * x)
    assert "max(a, b)" == text(limit(desk.build, (shifted / x).node, x.symbol, INFINITY))
    for swinging in (shifted - a * x, desk.max(a * x, b * x) - b * x):
        with pytest.raises(CannotTell, match="other names"):
            limit(desk.build, swinging.node, x.symbol, INFINITY)
    values = {a.symbol: Fraction(3), b.symbol: Fraction(2)}
    assert "a" == text(limit(desk.build, steeper.node, x.symbol, INFINITY, values))
    bounds = {a.symbol: Reach(Fraction(5)), b.symbol: Reach(Fraction(0), Fraction(5))}
    assert "a" == text(limit(desk.build, steeper.node, x.symbol, INFINITY, {}, bounds))


def test_what_swings_has_no_limit(desk: Desk) -> None:
    x = desk.name("x")
    with pytest.raises(CannotTell, match="rounding"):
        limit(desk.build, (desk.call("ceil", x) - x).node, x.symbol, INFINITY)


def test_a_limit_at_a_number_is_taken_from_one_side(desk: Desk) -> None:
    x = desk.name("x")
    hole = (x * x - 4) / (x - 2)
    assert "4" == text(limit(desk.build, hole.node, x.symbol, Fraction(2)))
    pole = 1 / (x - 2)
    assert "inf" == text(limit(desk.build, pole.node, x.symbol, Fraction(2)))
    assert "-inf" == text(limit(desk.build, pole.node, x.symbol, Fraction(2), side=-1))


# ---- elasticities


def test_an_elasticity_is_exact_on_the_active_side(desk: Desk) -> None:
    w, W, B, k = desk.names("w W B k")
    time = desk.max((w + k * B) / W, 5 * B)
    values = {s.symbol: Fraction(v) for s, v in ((w, 90), (W, 2), (B, 5), (k, 2))}
    found = elasticities(desk.build, time.node, [w.symbol, W.symbol, B.symbol], values)
    assert [Fraction(9, 10), -1, Fraction(1, 10)] == [each.before for each in found]
    assert all(each.smooth for each in found)


def test_at_a_corner_both_sides_are_told(desk: Desk) -> None:
    B, w = desk.names("B w")
    time = desk.max(5 * B, w)
    values = {B.symbol: Fraction(4), w.symbol: Fraction(20)}
    (found,) = elasticities(desk.build, time.node, [B.symbol], values)
    assert (0, 1, False) == (found.before, found.after, found.smooth)


def test_powers_and_logarithms_have_their_elasticities(desk: Desk) -> None:
    x = desk.name("x")
    values = {x.symbol: Fraction(8)}
    (cube,) = elasticities(desk.build, (5 * x**3).node, [x.symbol], values)
    assert 3 == cube.before
    (root,) = elasticities(desk.build, (x ** Fraction(1, 3)).node, [x.symbol], values)
    assert Fraction(1, 3) == root.before


# ---- several equations


def test_two_measurements_give_an_overhead_and_an_efficiency(desk: Desk) -> None:
    eta, t0 = desk.name("eta", 0), desk.name("t0", 0, None, False)
    first = (120 / eta + t0, Fraction(160))
    second = (240 / eta + t0, Fraction(310))
    equations = [(a.node, desk.of(b)) for a, b in (first, second)]
    unknowns = {eta.symbol: reals(0, 1, "(]"), t0.symbol: reals(0)}
    found = solve_system(desk.build, equations, unknowns)
    (point,) = found.points
    assert (Kind.ONE, Fraction(4, 5), Fraction(10)) == (
        found.kind,
        point.values[eta.symbol],
        point.values[t0.symbol],
    )


def test_regimes_of_a_system_are_told_apart(desk: Desk) -> None:
    x, y = desk.names("x y")
    equations = [
        (desk.max(x, 2 * y).node, desk.of(8)),
        ((x + y).node, desk.of(10)),
    ]
    found = solve_system(desk.build, equations, {x.symbol: reals(0), y.symbol: reals(0)})
    assert {(8, 2), (6, 4)} == {
        (point.values[x.symbol], point.values[y.symbol]) for point in found.points
    }


def test_a_system_with_a_square_has_a_certified_answer(desk: Desk) -> None:
    x, y = desk.names("x y")
    equations = [((x * y).node, desk.of(6)), ((x * x + y * y).node, desk.of(13))]
    found = solve_system(desk.build, equations, {x.symbol: reals(0), y.symbol: reals(0)})
    assert {(2, 3), (3, 2)} == {
        (point.values[x.symbol], point.values[y.symbol]) for point in found.points
    }


def test_equations_that_contradict_each_other_have_no_solution(desk: Desk) -> None:
    x, y = desk.names("x y")
    equations = [((x + y).node, desk.of(3)), ((x + y).node, desk.of(4))]
    found = solve_system(desk.build, equations, {x.symbol: reals(0), y.symbol: reals(0)})
    assert Kind.NONE is found.kind


def test_a_formula_is_shown_with_its_names(desk: Desk) -> None:
    a, b = desk.names("a b")
    assert "(a + b) / 2 - a^2" == text(((a + b) / 2 - a**2).node)
    assert isinstance(a, Formula)
