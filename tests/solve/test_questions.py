"""The questions that a serving engineer has, each with its answer from outside."""

from __future__ import annotations

from fractions import Fraction
from math import log

import pytest

from costlang.answer.lowered import Formula as Lowered
from costlang.formula import graph as g
from costlang.pipeline import Sentence, ask
from costlang.solve import (
    Kind,
    Solution,
    combined,
    integers,
    largest,
    reals,
    solve,
    solve_symbolic,
    threshold,
)
from tests.solve.written import Desk, Formula, number, text

TERA = 10**12


def step(context: str) -> Lowered:
    """Return how much longer the decode step computes than it moves bytes."""
    question = f"t_compute - t_memory at peak[bf16] = 989 TFLOP/s{context}"
    sentence = Sentence(question, of="decode(llama_2_70b, H100_SXM)", with_formula=True)
    (answer,) = ask(sentence).answers
    assert answer.formula is not None
    return answer.formula


def symbol_of(formula: Lowered, name: str) -> g.Sym:
    return next(symbol for symbol in formula.symbols if symbol.name == name)


def known(formula: Lowered, *free: g.Sym) -> dict[g.Sym, Fraction]:
    found = {s: s.info.known for s in formula.symbols if s not in free}
    return {symbol: value for symbol, value in found.items() if value is not None}


def break_even(context: int) -> Solution:
    formula = step(f", context = {context}")
    batch = symbol_of(formula, "batch")
    zero = formula.build.num(0)
    return solve(formula.build, formula.node, "==", zero, batch, reals(1), known(formula, batch))


@pytest.mark.parametrize(
    ("context", "batch", "whole"),
    [(0, 295.4, 296), (512, 455.1, 456), (1024, 990.6, 991), (1400, 7287.1, 7288)],
)
def test_a_decode_step_is_compute_bound_from_a_batch_on(
    context: int, batch: float, whole: int
) -> None:
    found = break_even(context)
    assert (Kind.ONE, [batch], [whole]) == (
        found.kind,
        [round(float(case.value), 1) for case in found.cases],
        [case.first_integer for case in found.cases],
    )


def test_from_1460_tokens_of_context_on_no_batch_is_compute_bound() -> None:
    assert (Kind.ONE, Kind.NONE) == (break_even(1459).kind, break_even(1460).kind)
    assert "the left side is always smaller" == break_even(1460).reason


def test_the_context_from_which_there_is_no_break_even_is_found_at_once() -> None:
    formula = step("")
    batch, context = symbol_of(formula, "batch"), symbol_of(formula, "context")
    found = threshold(
        formula.build,
        formula.node,
        formula.build.num(0),
        batch,
        reals(0, None, "()"),
        context,
        integers(0),
        known(formula, batch, context),
    )
    assert (True, ((0, 1459),)) == (found.decided, found.integers)
    (edge,) = found.edges
    assert 1459.157 == round(float(edge.value), 3)
    assert edge.formula is not None


def test_weights_alone_have_one_ridge_point_whatever_the_numbers() -> None:
    desk = Desk()
    P, b, F, W, eta_c, eta_m, batch = desk.names("P b F W eta_c eta_m B")
    compute, memory = 2 * P * batch / (F * eta_c), P * b / (W * eta_m)
    found = solve_symbolic(desk.build, compute.node, memory.node, batch.symbol)
    (branch,) = found.branches
    assert ("b F eta_c / (2 W eta_m)", ()) == (text(branch.formula), branch.conditions)


def test_a_batch_that_reads_its_own_cache_may_never_reach_the_ridge() -> None:
    desk = Desk()
    P, w, F, W, k, batch = desk.names("P w F W k B")
    compute, memory = 2 * P * batch / F, (P * w + k * batch) / W
    (branch,) = solve_symbolic(desk.build, compute.node, memory.node, batch.symbol).branches
    assert "P w F / (2 P W - F k)" == text(branch.formula)
    assert ["2 P W > F k"] == [text(c) for c in branch.conditions]


MATRICES, STREAMED = 68_713_185_280, 68_714_504_192
"""Parameters of Llama 2 70B that multiply, and that are read: the second has the norms as well."""
H100, A100 = (989 * TERA, 335 * TERA // 100), (312 * TERA, 2039 * TERA // 1000)


def without_new_slot(
    B: Formula, S: Formula | int, chip: tuple[int, int], weights: tuple[int, int]
) -> tuple[Formula, Formula]:
    """Return compute and memory time where a token's own slot and pair are left out."""
    compute = (2 * weights[0] * B + 2_621_440 * B * S) / chip[0]
    return compute, (2 * weights[1] + 327_680 * B * S) / chip[1]


@pytest.mark.parametrize(
    ("chip", "context", "batch"),
    [
        (H100, 0, 295.2),
        (H100, 512, 454.7),
        (H100, 1024, 988.4),
        (H100, 1400, 7165.9),
        (A100, 0, 153.0),
        (A100, 2000, 496.1),
    ],
)
def test_without_the_new_slot_and_pair_the_break_even_is_a_little_lower(
    chip: tuple[int, int], context: int, batch: float
) -> None:
    desk = Desk()
    B = desk.name("B")
    compute, memory = without_new_slot(B, context, chip, (MATRICES, STREAMED))
    found = solve(desk.build, compute.node, "==", memory.node, B.symbol)
    assert batch == round(float(found.cases[0].value), 1)


@pytest.mark.parametrize(
    ("chip", "weights", "edge", "none_from"),
    [
        (H100, (MATRICES, STREAMED), 1460.16, 1461),
        (H100, (70 * 10**9, 70 * 10**9), 1487.5, 1488),
        (A100, (MATRICES, STREAMED), 2892.03, 2893),
    ],
)
def test_the_last_context_with_a_break_even_moves_with_the_chip(
    chip: tuple[int, int], weights: tuple[int, int], edge: float, none_from: int
) -> None:
    desk = Desk()
    B, S = desk.names("B S")
    compute, memory = without_new_slot(B, S, chip, weights)
    found = threshold(
        desk.build, compute.node, memory.node, B.symbol, reals(0, None, "()"), S.symbol,
        integers(0), {},
    )  # fmt: skip
    assert abs(float(found.edges[0].value) - edge) < 0.05
    assert ((0, none_from - 1),) == found.integers


# ---- maxima


def test_a_maximum_reaches_a_time_where_its_first_side_does() -> None:
    desk = Desk()
    a, b, c, d, t0, x = desk.names("a b c d t0 x")
    sides = desk.max(a * x, b + c * x, d)
    made = combined(desk.build, sides.node, t0.node, x.symbol)
    assert made is not None
    assert "min(t0 / a, (t0 - b) / c)" == text(made.formula)
    assert (["t0 > b", "t0 > d"], 1) == ([text(c) for c in made.conditions], made.rising)


def test_each_side_of_a_maximum_has_its_own_regime() -> None:
    desk = Desk()
    a, b, t0, x = desk.names("a b t0 x")
    found = solve_symbolic(desk.build, desk.max(a * x, b + x).node, t0.node, x.symbol)
    assert [
        ("t0 / a", ["a t0 >= b a + t0"]),
        ("t0 - b", ["t0 > b", "b a + t0 > a t0"]),
    ] == [(text(b.formula), [text(c) for c in b.conditions]) for b in found.branches]


@pytest.mark.parametrize("count", [3, 6, 10, 100])
def test_a_sum_of_maxima_is_one_formula_in_its_regime(count: int) -> None:
    desk = Desk()
    x, t0 = desk.names("x t0")
    parts = [desk.max(3 * i + i * x, (2 * i + 5) * x) for i in range(1, count + 1)]
    total = desk.add(*parts)
    value = Fraction(11 * count * count)
    found = solve(desk.build, total.node, "==", t0.node, x.symbol, values={t0.symbol: value})
    (case,) = found.cases
    assert count == len(case.regime) == len(case.conditions)
    assert case.value.exact is not None
    assert "t0" in str(text(case.formula))
    (reach,) = case.ranges
    assert reach.holds(case.value)
    assert sum(max(3 * i + i * case.value.exact, (2 * i + 5) * case.value.exact)
               for i in range(1, count + 1)) == value  # fmt: skip


def test_the_work_for_a_sum_of_maxima_grows_with_their_number_alone() -> None:
    steps = []
    for count in (50, 100, 200):
        desk = Desk()
        x = desk.name("x")
        total = desk.add(*(desk.max(3 * i + i * x, (2 * i + 5) * x) for i in range(1, count + 1)))
        steps.append(solve(desk.build, total.node, "==", desk.of(9 * count**2), x.symbol).steps)
    assert steps[1] < 2.5 * steps[0]
    assert steps[2] < 2.5 * steps[1]


# ---- steps


def test_a_number_padded_to_a_tile_is_a_range() -> None:
    desk = Desk()
    x = desk.name("x")
    padded = desk.call("ceil", x / 128) * 128
    found = solve(desk.build, padded.node, "==", desk.of(4096), x.symbol, integers(1))
    assert (Kind.INTERVALS, ((3969, 4096),)) == (found.kind, found.integers)


def test_waves_against_a_floor_are_a_range() -> None:
    desk = Desk()
    B = desk.name("B")
    longest = desk.max(3 * desk.call("ceil", B / 128), 10)
    found = solve(desk.build, longest.node, "==", desk.of(12), B.symbol, integers(1))
    assert ((385, 512),) == found.integers


# ---- where other solvers lose solutions


def test_a_collective_has_both_of_its_group_sizes() -> None:
    desk = Desk()
    N = desk.name("N")
    time = 1000 / N + 3 * (N - 1) / N + 7 * desk.call("log2", N)
    found = solve(desk.build, time.node, "==", desk.of(60), N.symbol)
    assert (Kind.MANY, [72.721673, 138.750318]) == (
        found.kind,
        [number(case.value) for case in found.cases],
    )


def test_a_quotient_of_squares_has_its_root() -> None:
    desk = Desk()
    a, x = desk.names("a x")
    left = 11 * 10**9 / a - 1 / (10**8 * a * x * x)
    found = solve(desk.build, left.node, "==", desk.of(0), x.symbol, values={a.symbol: Fraction(7)})
    (case,) = found.cases
    assert (1, 0) == (round(float(case.value) ** 2 * 11 * 10**17), case.value.polynomial[1])
    (branch,) = solve_symbolic(desk.build, left.node, desk.of(0), x.symbol).branches
    assert ((), True) == (branch.conditions, branch.formula is not None)


def test_the_unknown_may_stand_under_a_sum() -> None:
    desk = Desk()
    B, S, K, b, n, t = desk.names("B S K b n t")
    total = desk.sum("i", 1, n, lambda i: B * S * K + i * b)
    (branch,) = solve_symbolic(desk.build, total.node, t.node, B.symbol).branches
    values = {S: 3, K: 5, b: 2, n: 4, t: 200}
    found = solve(
        desk.build, total.node, "==", t.node, B.symbol,
        values={s.symbol: Fraction(v) for s, v in values.items()},
    )  # fmt: skip
    assert Fraction(3) == found.cases[0].value.exact
    assert "(2 t - b n^2 - b n) / (2 n S K)" == text(branch.formula)
    assert ["2 t > b n (n + 1)"] == [text(c) for c in branch.conditions]


# ---- closed forms


def test_the_cache_is_as_large_as_the_weights_at_a_context() -> None:
    desk = Desk()
    P, b, L, n_kv, d_h, b_kv, B, S = desk.names("P b L n_kv d_h b_kv B S")
    cache = 2 * L * n_kv * d_h * b_kv * B * S
    (branch,) = solve_symbolic(desk.build, cache.node, (P * b).node, S.symbol).branches
    assert "P b / (2 L n_kv d_h b_kv B)" == text(branch.formula)


def test_a_prompt_that_meets_a_deadline_is_a_root_without_cancellation() -> None:
    desk = Desk()
    P, k, F, t0, S = desk.names("P k F t0 S")
    time = (2 * P * S + k * S * S) / F
    (branch,) = solve_symbolic(desk.build, time.node, t0.node, S.symbol).branches
    assert "2 t0 F / (2 P + sqrt((2 P)^2 + 4 k t0 F))" == text(branch.formula)
    assert () == branch.conditions


@pytest.mark.parametrize(("k", "experts", "batch"), [(8, 256, 94.4), (2, 8, 10.4)])
def test_a_batch_reaches_most_of_the_experts(k: int, experts: int, batch: float) -> None:
    desk = Desk()
    B, E = desk.names("B E")
    distinct = E * (1 - (1 - k / E) ** B)
    share = Fraction(95, 100) * E
    values = {E.symbol: Fraction(experts)}
    found = solve(desk.build, distinct.node, "==", share.node, B.symbol, values=values)
    (case,) = found.cases
    assert batch == round(float(case.value), 1) == round(log(0.05) / log(1 - k / experts), 1)
    assert str(text(case.formula)).startswith("log2(")


# ---- speculative decoding


def tokens(desk: Desk, alpha: Formula, drafts: int) -> Formula:
    return desk.add(*(alpha**i for i in range(drafts + 1)))


def test_speculation_pays_from_one_acceptance_on() -> None:
    desk = Desk()
    alpha = desk.name("alpha", 0, 1)
    gain = tokens(desk, alpha, 4) / (1 + Fraction(4, 10))
    found = solve(desk.build, gain.node, "==", desk.of(1), alpha.symbol, reals(0, 1))
    (case,) = found.cases
    better = solve(desk.build, gain.node, ">", desk.of(1), alpha.symbol, reals(0, 1))
    assert (Kind.ONE, 0.287) == (found.kind, round(float(case.value), 3))
    assert [(0.287, 1)] == [
        (round(float(each.low), 3), number(each.high)) for each in better.spans if each.low
    ]


def test_four_drafts_give_3_36_tokens_and_six_are_best() -> None:
    desk = Desk()
    at = [
        sum(Fraction(8, 10) ** i for i in range(drafts + 1)) / (1 + Fraction(drafts, 10))
        for drafts in range(1, 13)
    ]
    alpha = desk.name("alpha", 0, 1)
    found = solve(
        desk.build, tokens(desk, alpha, 4).node, "==", desk.of(Fraction(33616, 10**4)),
        alpha.symbol, reals(0, 1),
    )  # fmt: skip
    assert (Fraction(4, 5), 6) == (found.cases[0].value.exact, at.index(max(at)) + 1)
    assert (2.401, 2.470) == (round(float(at[3]), 3), round(float(at[5]), 3))


def test_speculation_breaks_even_at_a_batch() -> None:
    desk = Desk()
    R, E, g_, c, B = desk.names("R E gamma c B")
    verify = desk.max(1, (g_ + 1) * B / R)
    found = solve_symbolic(desk.build, (verify + g_ * c).node, E.node, B.symbol)
    one = [branch for branch in found.branches if branch.count == "one"]
    assert ["R (E - gamma c) / (gamma + 1)"] == [text(branch.formula) for branch in one]
    assert ["all"] == [branch.count for branch in found.branches if branch not in one]
    values = {
        R.symbol: Fraction(2952, 10), g_.symbol: Fraction(3), c.symbol: Fraction(1, 70),
        E.symbol: sum((Fraction(7, 10) ** i for i in range(4)), Fraction(0)),
    }  # fmt: skip
    numeric = solve(desk.build, (verify + g_ * c).node, "==", E.node, B.symbol, values=values)
    (case,) = numeric.cases
    assert 183.8 == round(float(case.value), 1)
    (reach,) = case.ranges
    assert Fraction(738, 10) == number(reach.low)


# ---- several conditions at once


def test_the_largest_batch_names_the_condition_that_binds() -> None:
    desk = Desk()
    B, t, M = desk.names("B t M")
    blocks = desk.call("ceil", Fraction(2000) / desk.name("page", 1) * 1)
    page = next(s for s in g.symbols(blocks.node) if s.name == "page")
    held = 140 + B * blocks / 100
    time = 42 + B / 10
    conditions = [time.compared("<=", t), held.compared("<=", M)]
    values = {t.symbol: Fraction(50), M.symbol: Fraction(640), page: Fraction(16)}
    found = largest(desk.build, B.symbol, conditions, integers(1), values)
    assert (80, (0,)) == (found.whole, found.binding)
    tight = {**values, M.symbol: Fraction(200)}
    found = largest(desk.build, B.symbol, conditions, integers(1), tight)
    assert (48, (1,), 80) == (found.whole, found.binding, number(found.next_value))
    assert [Fraction(16, 5), Fraction(0)] == list(found.slack)


def test_a_deployment_splits_by_the_ratio_of_the_phase_times() -> None:
    desk = Desk()
    n, p, d, total = desk.names("n p d total")
    balanced = solve_symbolic(desk.build, (n / p).node, ((total - n) / d).node, n.symbol)
    (branch,) = balanced.branches
    assert "total p / (p + d)" == text(branch.formula)
