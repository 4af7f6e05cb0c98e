"""Equations with a known closed form, or with roots that are easily lost, and what SymPy says."""

from __future__ import annotations

from fractions import Fraction
from math import log, sqrt
from random import Random

import pytest
import sympy

from tests.answer.asked import (
    asked,
    cases,
    conditions,
    form,
    forms,
    line,
    near,
    numbers,
    one,
    solved,
    worth,
)
from tests.answer.other_solver import said, says

# ---- a collective whose time falls and rises

GROUP = """
  param N : count
  param A : [s]
  param c : [s]
  param a : [s]
  param t : [s]
"""
TIME = "A / N + c * (N - 1) / N + a * log2(N)"


@pytest.mark.parametrize(("A", "c", "a", "t"), [(1000, 3, 7, 60), (500, 1, 20, 130), (40, 2, 1, 9)])
def test_a_collective_meets_a_time_at_two_group_sizes(A: int, c: int, a: int, t: int) -> None:
    at = f"A = {A} s, c = {c} s, a = {a} s, t = {t} s"
    found = asked(f"solve {TIME} == t for N at {at}", GROUP)
    assert ("many", 2) == (solved(found).outcome, len(cases(found)))
    for root in numbers(found):
        assert t == pytest.approx(A / root + c * (root - 1) / root + a * log(root, 2), rel=1e-12)
    turn = (A - c) * log(2) / a
    low, high = numbers(found)
    assert 1 < low < turn < high


def test_each_of_two_group_sizes_has_its_first_whole_one() -> None:
    at = "A = 1000 s, c = 3 s, a = 7 s, t = 60 s"
    found = asked(f"solve {TIME} == t for N at {at}", GROUP)
    assert "N = 72.72, from 73 on and 138.8, from 139 on" == line(found)
    quick = asked(f"solve {TIME} <= t for N at {at}", GROUP)
    assert ((73, 138),) == solved(quick).integers


def test_elsewhere_one_of_the_two_is_lost() -> None:
    N, A, c, a, t = sympy.symbols("N A c a t", positive=True)
    numeric = 1000 / N + 3 * (N - 1) / N + 7 * sympy.log(N, 2) - 60
    assert says("NotImplementedError", lambda: sympy.solve(numeric, N))
    lambert = sympy.exp(
        (a * sympy.LambertW(-(2 ** ((c - t) / a)) * (A - c) * sympy.log(2) / a)
         - (c - t) * sympy.log(2)) / a
    )  # fmt: skip
    only = lambert.subs({A: 1000, c: 3, a: 7, t: 60}).evalf()
    assert 138.750318 == pytest.approx(float(only), abs=1e-6)


# ---- a quotient of squares


def test_a_quotient_with_figures_of_twenty_digits_between_them_has_its_root() -> None:
    body = "  param a : [s]\n  param x : ratio in 0..\n"
    equation = "11e9 / a - 1 / (1e8 * a * x ^ 2) == 0 / 1 s"
    found = asked(f"solve {equation} for x at a = 7 s", body)
    assert 1 / sqrt(11e17) == pytest.approx(near(found), rel=1e-15)
    free = asked(f"solve {equation} for x", body)
    (case,) = cases(free)
    assert case.formula is not None
    value = worth(case.formula, {"a": Fraction(7)})
    assert not isinstance(value, Fraction)
    assert Fraction(value.low) ** 2 <= Fraction(1, 11 * 10**17) <= Fraction(value.high) ** 2
    a, x = sympy.symbols("a x", positive=True)
    assert says("[]", lambda: sympy.solve(11 * 10**9 / a - 1 / (10**8 * a * x**2), x))


# ---- the unknown below a sum

SUMS = """
  param B : count in 0..
  param S : [tok]
  param K : [B/tok]
  param b : [B]
  param T : [B]
  param n : count
"""
TOTAL = "sum(over i in 1..n: B * S * K + i * b)"


def test_an_unknown_below_a_sum_has_a_closed_form() -> None:
    found = asked(f"solve {TOTAL} == T for B", SUMS)
    (case,) = cases(found)
    assert "(2 * T - b * n^2 - b * n) / (2 * n * S * K)" == form(case)
    assert ["2 * T >= b * n * (n + 1)"] == conditions(case)
    B, S, K, b, T = sympy.symbols("B S K b T", positive=True)
    i, n = sympy.symbols("i n", integer=True, positive=True)
    assert says("[]", lambda: sympy.solve(sympy.Sum(B * S * K + i * b, (i, 1, n)) - T, B))


def test_the_sum_is_worth_what_its_terms_are() -> None:
    dice = Random(3)
    for _ in range(8):
        n, S, K, b = (dice.randint(1, 9) for _ in range(4))
        batch = Fraction(dice.randint(1, 40), 2)
        T = sum(batch * S * K + i * b for i in range(1, n + 1))
        at = f"n = {n}, S = {S}, K = {K} B/tok, b = {b} B, T = {T.numerator}/{T.denominator} * 1 B"
        assert batch == one(asked(f"solve {TOTAL} == T for B at {at}", SUMS))


# ---- cache and weights

CACHE = """
  param L : count
  param n_kv : count
  param d_h : count
  param b_kv : [B]
  param P : count
  param b : [B]
  param B : count
  param S : [tok] in 0..
"""


def test_the_cache_is_as_large_as_the_weights_at_a_context() -> None:
    found = asked("solve 2 * L * n_kv * d_h * b_kv * B * S / 1 tok == P * b for S", CACHE)
    assert ["P * b / (2 / 1 tok * L * n_kv * d_h * b_kv * B)"] == forms(found)
    assert [] == conditions(cases(found)[0])
    at = "L = 80, n_kv = 8, d_h = 128, b_kv = 2 B, P = 70 G, b = 2 B, B = 4"
    known = asked(f"solve 2 * L * n_kv * d_h * b_kv * B * S / 1 tok == P * b for S at {at}", CACHE)
    assert Fraction(140 * 10**9, 4 * 327_680) == one(known)
    assert forms(found) == forms(known)


# ---- a prompt that meets a deadline

PROMPT = """
  param P : count
  param k : [FLOP/tok^2]
  param F : [FLOP/s]
  param t0 : [s]
  param S : [tok] in 0..
"""
TTFT = "(2 FLOP/tok * P * S + k * S * S) / F"


def test_a_prompt_that_meets_a_deadline_is_a_root_that_does_not_cancel() -> None:
    found = asked(f"solve {TTFT} == t0 for S", PROMPT)
    (case,) = cases(found)
    expected = "2 tok * t0 * F / (2 FLOP * P + sqrt((2 FLOP * P)^2 + 4 tok^2 * k * t0 * F))"
    assert (expected, []) == (form(case), conditions(case))
    assert case.formula is not None
    P, k, F, t0 = 70 * 10**9, Fraction(1, 10**9), 989 * 10**12, Fraction(1, 10**9)
    value = worth(case.formula, {"P": Fraction(P), "k": k, "F": Fraction(F), "t0": t0})
    assert not isinstance(value, Fraction)
    root = (Fraction(value.low) + Fraction(value.high)) / 2
    assert float(t0) == pytest.approx(float((2 * P * root + k * root**2) / F), rel=1e-15)


def test_the_form_that_cancels_is_worth_nothing_in_floating_point() -> None:
    P, k, F, t, S = sympy.symbols("P k F t S", positive=True)
    cancelling = "[(-P + sqrt(F*k*t + P**2))/k]"
    assert says(cancelling, lambda: sympy.solve((2 * P * S + k * S**2) / F - t, S))
    p, c, level = 70e9, 1e-9, 989e12 * 1e-9
    assert 0.0 == (-p + sqrt(level * c + p * p)) / c
    assert level / (2 * p) == pytest.approx(level / (p + sqrt(level * c + p * p)), rel=1e-12)


# ---- distinct experts

EXPERTS = """
  param E : count
  param k : count
  param B : count in 0..
"""


@pytest.mark.parametrize(("E", "k", "printed", "whole"), [(256, 8, 94.4, 95), (8, 2, 10.4, 11)])
def test_a_batch_touches_nearly_all_experts(E: int, k: int, printed: float, whole: int) -> None:
    equation = "E * (1 - (1 - k / E) ^ B) == 95 % * E"
    found = asked(f"solve {equation} for B at E = {E}, k = {k}", EXPERTS)
    assert printed == round(near(found), 1)
    assert log(0.05) / log(1 - k / E) == pytest.approx(near(found), rel=1e-12)
    assert whole == cases(found)[0].first_integer
    assert ["log2(0.05) / log2(1 - k / E)"] == forms(found)
    before, at = (E * (1 - (1 - Fraction(k, E)) ** n) for n in (whole - 1, whole))
    assert before < Fraction(95, 100) * E <= at


def test_elsewhere_the_batch_that_touches_nearly_all_is_not_there() -> None:
    B = sympy.Symbol("B", positive=True)
    touched = 1 - (1 - sympy.Rational(8, 256)) ** B
    assert says("[]", lambda: sympy.solve(256 * touched - 256 * sympy.Rational(95, 100), B))


def test_what_is_said_is_caught_when_it_is_a_refusal() -> None:
    x = sympy.Symbol("x", positive=True)
    assert "NotImplementedError" == said(lambda: sympy.solve(sympy.floor(x) - 5, x))
