"""Questions of people who measure: efficiencies, chunks, kernels, links, chips side by side."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from tests.answer.asked import (
    as_json,
    asked,
    cases,
    conditions,
    form,
    forms,
    line,
    near,
    one,
    solved,
    worth,
)
from tests.answer.other_solver import says

TERA = 10**12

# ---- what one measurement implies, and what two do

MEASURED = """
import hardware.nvidia (A100_80GB)
import models.llama (llama_3_8b)
import std.phases (decode)
"""
MEASURED_BODY = """
  use one = decode(llama_3_8b, A100_80GB, context = 1000)
  use two = one
  two.batch   = 64
  two.context = 4000
  param eta : ratio in 0..1
  param late : [s] in 0..
"""
READ, SLOT = 2 * (6_979_321_856 + 128_256 * 4096 + 65 * 4096), 131_072
"""Bytes of Llama 3 8B that a step reads, and those of one token in its cache."""
BANDWIDTH = 2039 * 10**9


def memory_time(batch: int, context: int) -> Fraction:
    return Fraction(READ + batch * (context + 1) * SLOT, BANDWIDTH)


def test_an_efficiency_is_what_one_measurement_implies() -> None:
    ask = "solve one.latency == 10 ms for one.memory_efficiency at one.batch = 1"
    found = asked(ask, MEASURED_BODY, MEASURED)
    implied = memory_time(1, 1000) * 100
    assert (implied, 0.743) == (one(found), round(float(implied), 3))
    (case,) = cases(found)
    assert case.formula is not None
    assert implied == worth(case.formula, {})


def test_a_measurement_faster_than_physics_implies_none() -> None:
    ask = "solve one.latency == 7 ms for one.memory_efficiency at one.batch = 1"
    found = asked(ask, MEASURED_BODY, MEASURED)
    implied = memory_time(1, 1000) / Fraction(7, 1000)
    assert "none in 0..1; 1.061 would be needed" == line(found)
    assert [implied] == [place.exact for place in solved(found).outside]
    assert [pytest.approx(float(implied))] == as_json(ask, MEASURED_BODY, MEASURED)["outside"]


def test_an_overhead_is_the_other_thing_that_it_may_imply() -> None:
    ask = "solve one.latency == 10 ms for one.step_overhead at one.batch = 1"
    found = asked(ask, MEASURED_BODY, MEASURED)
    assert Fraction(1, 100) - memory_time(1, 1000) == one(found)
    assert "step_overhead = 2.574 ms" == line(found)


def test_two_measurements_imply_an_efficiency_and_an_overhead() -> None:
    ask = (
        "solve one.latency == 11 ms and two.latency == 32 ms "
        "for one.memory_efficiency, one.step_overhead at one.batch = 1"
    )
    found = asked(ask, MEASURED_BODY, MEASURED)
    ((eta, late),) = solved(found).points
    first, second = memory_time(1, 1000), memory_time(64, 4000)
    by_hand = (second - first) / Fraction(21, 1000)
    assert (by_hand, Fraction(11, 1000) - first / by_hand) == (eta[2].exact, late[2].exact)
    (point,) = as_json(ask, MEASURED_BODY, MEASURED)["points"]
    assert pytest.approx(float(by_hand)) == point["memory_efficiency"]


def test_two_measurements_that_contradict_physics_have_no_such_pair() -> None:
    ask = (
        "solve one.latency == 11 ms and two.latency == 12 ms "
        "for one.memory_efficiency, one.step_overhead at one.batch = 1"
    )
    assert "none" == solved(asked(ask, MEASURED_BODY, MEASURED)).outcome


# ---- two chips side by side

CHIPS = """
import hardware.nvidia (A100_80GB, L40S)
import models.chapter (round_70b)
import std.phases (decode, prefill)

hardware ada is L40S {
  peak[bf16]    = 366 TFLOP/s    source "as asked"
  hbm_bandwidth = 0.85 TB/s      source "as asked"
}

hardware ampere is A100_80GB {
  peak[bf16]    = 312 TFLOP/s    source "as asked"
  hbm_bandwidth = 2.0 TB/s       source "as asked"
}
"""
CHIPS_BODY = """
  param B : count
  param inputs : [tok]
  param outputs : [tok]
  param a_price : [$/h]
  param b_price : [$/h]
  use in_a = prefill(round_70b, ada, prompt = inputs, batch = 1)
  use in_b = prefill(round_70b, ampere, prompt = inputs, batch = 1)
  use out_a = decode(round_70b, ada, context = 0)
  use out_b = decode(round_70b, ampere, context = 0)
  ## The time of a request whose tokens share each step with B - 1 others.
  let a = in_a.t_compute + outputs / 1 tok * out_a.t_memory / B
  let b = in_b.t_compute + outputs / 1 tok * out_b.t_memory / B
"""
A_PEAK, B_PEAK, A_RATE, B_RATE = 366 * TERA, 312 * TERA, 85 * TERA // 100, 2 * TERA


def test_the_ridges_of_both_chips_are_far_apart() -> None:
    for use, printed in (("in_a", 430.6), ("in_b", 156)):
        found = asked(f"{use}.ridge_point", CHIPS_BODY, CHIPS)
        assert printed == pytest.approx(float(found.value), abs=0.05)  # type: ignore[arg-type]


@pytest.mark.parametrize("batch", [1, 8, 32])
def test_from_a_ratio_of_prompt_to_answer_on_the_slower_memory_wins(batch: int) -> None:
    found = asked(f"solve a == b for inputs at outputs = 1, B = {batch}", CHIPS_BODY, CHIPS)
    reads = Fraction(1, A_RATE) - Fraction(1, B_RATE)
    computes = Fraction(1, B_PEAK) - Fraction(1, A_PEAK)
    assert reads / computes / batch == one(found)
    assert 1430 / batch == pytest.approx(near(found), rel=1e-3)
    (case,) = cases(found)
    assert case.formula is not None
    assert one(found) == worth(case.formula, {})


def test_the_batch_from_which_it_wins_is_the_other_side_of_it() -> None:
    at = "at inputs = 45, outputs = 1"
    assert "B = 31.79, from 32 on" == line(asked(f"solve a == b for B {at}", CHIPS_BODY, CHIPS))
    assert "B in 32.." == line(asked(f"solve a < b for B {at}", CHIPS_BODY, CHIPS))


def test_the_price_ratio_at_which_the_cheaper_one_wins_is_that_of_the_times() -> None:
    at = "at inputs = 10, outputs = 1, B = 8, b_price = 2 $/h"
    found = asked(f"solve a_price * a == b_price * b for a_price {at}", CHIPS_BODY, CHIPS)
    times = [
        Fraction(2 * 70 * 10**9 * 10, peak) + Fraction(140 * 10**9, rate * 8)
        for peak, rate in ((A_PEAK, A_RATE), (B_PEAK, B_RATE))
    ]
    assert times[1] / times[0] * 2 / 3600 == one(found)


def test_where_it_is_faster_at_nothing_there_is_no_ratio_and_the_bandwidth_is_told() -> None:
    at = "at inputs = 100, B = 8, out_a.hardware.hbm_bandwidth = 2.5 TB/s"
    found = asked(f"solve a == b for outputs {at}", CHIPS_BODY, CHIPS)
    assert "none: the left side is always smaller" == line(found)
    told = {opening.name: opening for opening in solved(found).thresholds}
    (span,) = told["hbm_bandwidth"].spans
    assert span.high is not None
    assert (2 * TERA, False) == (span.high.exact, span.high_in)


# ---- two kernels

KERNELS = """
  param rows : count in 0..
  param weights : count
  param plain_rate : [FLOP/s]
  param packed_rate : [FLOP/s]
  weights     = 324e6
  plain_rate  = 221 TFLOP/s
  packed_rate = 141.4 TFLOP/s
  let work   = 2 FLOP * weights * rows
  let plain  = max(0.437 ms, work / plain_rate)
  let packed = max(0.14 ms, work / packed_rate)
"""


def test_a_packed_kernel_wins_by_its_floor_and_loses_by_its_rate() -> None:
    found = asked("solve plain == packed for rows", KERNELS)
    crossing = Fraction(437, 10**6) * Fraction(1414 * 10**11) / (2 * 324 * 10**6)
    assert (crossing, 95) == (one(found), round(near(found)))
    assert ("0.437 ms is the max", "work / packed_rate is the max") == cases(found)[0].regime
    assert "rows in 0..95" == line(asked("solve packed < plain for rows", KERNELS))


def test_its_knee_its_first_gain_and_its_last_are_those_of_the_bench() -> None:
    knee = asked("solve work / packed_rate == 0.14 ms for rows", KERNELS)
    assert Fraction(14, 10**5) * 1414 * 10**11 / (648 * 10**6) == one(knee)
    assert 30.6 == pytest.approx(near(knee), abs=0.06)
    first = asked("plain / packed at rows = 1", KERNELS)
    assert 3.12 == round(float(first.value), 2)  # type: ignore[arg-type]
    far = asked("limit plain / packed as rows -> inf", KERNELS)
    assert (Fraction(1414, 2210), 0.64) == (one(far), round(near(far), 2))
    assert ["packed_rate / plain_rate"] == forms(far)


# ---- a link

LINK = """
  param alone : [s]
  param reduce : [s] in 0..
  let pair = alone / 2 + 64 * reduce
"""


def test_two_chips_pay_up_to_a_latency_of_their_link() -> None:
    found = asked("solve pair == alone for reduce at alone = 34.48 ms", LINK)
    assert (Fraction(3448, 10**5) / 128, "reduce = 269.4 µs") == (one(found), line(found))
    slow = asked("1 tok / pair at alone = 34.48 ms, reduce = 500 us", LINK)
    assert 1 / (Fraction(3448, 2 * 10**5) + Fraction(64, 2000)) == slow.value
    assert 20.3 == round(float(slow.value), 1)  # type: ignore[arg-type]
    free = asked("solve pair == alone for reduce", LINK)
    assert ["alone / 128"] == forms(free)
    assert [] == conditions(cases(free)[0])


# ---- a floor and a slope

FLOOR = """
  param t_0 : [s]
  param c : [s/tok]
  param S : [tok] in 1..
  let ttft = max(t_0, c * S)
"""


def test_a_time_that_is_flat_and_then_rises_has_its_knee() -> None:
    at = "at t_0 = 100 ms, c = 0.25 ms/tok"
    assert Fraction(400) == one(asked(f"solve t_0 == c * S for S {at}", FLOOR))
    assert ["t_0 / c"] == forms(asked("solve t_0 == c * S for S", FLOOR))
    flat = asked(f"solve ttft == 100 ms for S {at}", FLOOR)
    assert ("S in 1..400", "intervals") == (line(flat), solved(flat).outcome)
    rate = asked("2 FLOP/tok * 8_030_261_248 / c at c = 0.25 ms/tok", FLOOR)
    assert 64 == round(float(rate.value) / TERA)  # type: ignore[arg-type]
    slope = asked("solve 2 FLOP/tok * 8_030_261_248 / c == 250 TFLOP/s * eta for eta "
                  "at c = 0.25 ms/tok", FLOOR + "  param eta : ratio in 0..1\n")  # fmt: skip
    assert 0.26 == round(near(slope), 2)


# ---- a chunk of a prompt

CHUNKS = """
  param chunk : [tok] in 1..
  param prompt : [tok] = 8192
  param peak : [FLOP/s]
  param eta : ratio in 0..1
  param bandwidth : [B/s]
  param N : count
  peak      = 989 TFLOP/s
  eta       = 0.5
  bandwidth = 3.35 TB/s
  N         = 8_030_261_248
  let t_compute = 2 FLOP/tok * N * chunk / (peak * eta)
  let t_memory  = 2 B * N / bandwidth
  let itl       = max(t_compute, t_memory)
"""
RATE, PARAMETERS = Fraction(989 * TERA, 2), 8_030_261_248


def test_a_gap_of_25_ms_allows_a_chunk_of_769_tokens() -> None:
    found = asked("largest chunk with itl <= 25 ms", CHUNKS)
    by_hand = Fraction(25, 1000) * RATE / (2 * PARAMETERS)
    assert (769, 769) == (one(found), by_hand.numerator // by_hand.denominator)
    (case,) = cases(found)
    assert case.value is not None and case.formula is not None
    assert by_hand == case.value.exact == worth(case.formula, {})
    assert 770 == round(float(by_hand))


def test_below_148_tokens_a_smaller_chunk_is_no_faster() -> None:
    found = asked("solve t_compute == t_memory for chunk", CHUNKS)
    assert RATE / Fraction(335 * TERA, 100) == one(found)
    assert "chunk = 147.6 tok, from 148 on" == line(found)
    assert ["1 B*tok/FLOP * peak * eta / bandwidth"] == forms(found)


@pytest.mark.parametrize(("chunk", "printed"), [(512, 16.6), (2048, 66.5), (64, 4.8)])
def test_the_gap_at_a_chunk_is_the_greater_of_both_times(chunk: int, printed: float) -> None:
    found = asked(f"itl at chunk = {chunk}", CHUNKS)
    compute = 2 * PARAMETERS * chunk / RATE
    assert max(compute, Fraction(2 * PARAMETERS * 100, 335 * TERA)) == found.value
    assert printed == round(float(found.value) * 1000, 1)  # type: ignore[arg-type]


def test_a_prompt_in_sixteen_chunks_needs_chunks_of_512() -> None:
    assert 16 == asked("ceil(prompt / chunk) at chunk = 512", CHUNKS).value
    assert 512 == one(asked("smallest chunk with ceil(prompt / chunk) <= 16", CHUNKS))


# ---- averages over a conversation

ROUNDS = """
  param k : count
  param r : ratio in 0..1
  param g : ratio in 0..1
  let gain = k * r / (k + 1)
"""


@pytest.mark.parametrize(("k", "gain"), [(1, Fraction(2, 5)), (10, Fraction(8, 11))])
def test_the_gain_of_reuse_grows_with_the_rounds(k: int, gain: Fraction) -> None:
    assert gain == asked(f"gain at k = {k}, r = 0.8", ROUNDS).value


def test_it_tends_to_the_share_that_is_reused_and_never_reaches_it() -> None:
    far = asked("limit gain as k -> inf", ROUNDS)
    assert ["r"] == forms(far)
    most = asked("solve gain == 0.8 for k at r = 0.8", ROUNDS)
    assert "none: the left side is always smaller" == line(most)
    assert 7 == one(asked("solve gain == 0.7 for k at r = 0.8", ROUNDS))


def test_the_rounds_that_a_gain_needs_are_a_formula_with_its_conditions() -> None:
    found = asked("solve gain == g for k", ROUNDS)
    last = cases(found)[-1]
    assert ("g / (r - g)", ["g > 0", "r > g", "2 * g >= r"]) == (form(last), conditions(last))


# ---- a price of writing and of reading

WRITES = """
  param w : ratio in 0..
  param N : count
  let average = (w + 0.1 * (N - 1)) / N
"""


@pytest.mark.parametrize(
    ("w", "boundary", "whole"), [("1.25", Fraction(115, 90), 2), ("2", Fraction(19, 9), 3)]
)
def test_a_cached_prefix_pays_from_its_second_or_third_use(
    w: str, boundary: Fraction, whole: int
) -> None:
    found = asked(f"solve average == 1 for N at w = {w}", WRITES)
    assert (boundary, whole) == (one(found), cases(found)[0].first_integer)
    assert whole == one(asked(f"smallest N with average < 1 at w = {w}", WRITES))
    before, after = ((Fraction(w) + Fraction(n - 1, 10)) / n for n in (whole - 1, whole))
    assert after < 1 <= before


@pytest.mark.parametrize(
    ("w", "N", "printed"), [("1.25", 2, 0.675), ("2", 2, 1.05), ("1.25", 3, 0.483), ("2", 3, 0.733)]
)
def test_the_average_price_of_a_token_falls_with_each_use(w: str, N: int, printed: float) -> None:
    found = asked(f"average at w = {w}, N = {N}", WRITES)
    assert (Fraction(w) + Fraction(N - 1, 10)) / N == found.value
    assert printed == round(float(found.value), 3)  # type: ignore[arg-type]


def test_a_saving_of_shares_is_432_dollars() -> None:
    assert 432 == asked("1000 $ * 60 % * 80 % * (1 - 0.1)", WRITES).value


# ---- reload or compute again

RELOAD = """
  param S : [tok]
  param slot : [B/tok]
  param N : count
  param F : [FLOP/s]
  param store : [B/s]
  param k : [FLOP/tok^2]
  let again = (2 FLOP/tok * N * S + k * S * S) / F
"""


def test_reloading_a_prefix_beats_computing_it_from_a_bandwidth_on() -> None:
    found = asked("solve S * slot / store == 2 FLOP/tok * N * S / F for store", RELOAD)
    (case,) = cases(found)
    assert ("slot * F / (2 FLOP/tok * N)", []) == (form(case), conditions(case))
    with_pairs = asked("solve S * slot / store == again for store", RELOAD)
    (case,) = cases(with_pairs)
    assert ([], "slot" in str(form(case))) == (conditions(case), True)
    assert case.formula is not None
    values = {"S": 8192, "slot": 327_680, "N": 70 * 10**9, "F": 989 * TERA, "k": 1_310_720}
    exact = {name: Fraction(value) for name, value in values.items()}
    by_hand = exact["slot"] * exact["F"] / (2 * exact["N"] + exact["k"] * exact["S"])
    assert by_hand == worth(case.formula, exact)
    faster = asked("solve S * slot / store < again for store at S = 8192, slot = 327_680 B/tok, "
                   "N = 70 G, F = 989 TFLOP/s, k = 1_310_720 FLOP/tok^2", RELOAD)  # fmt: skip
    (span,) = solved(faster).spans
    assert span.low is not None
    assert (by_hand, False, None) == (span.low.exact, span.low_in, span.high)


# ---- a break-even that is not there


def test_none_is_said_with_its_reason_where_others_give_a_negative_batch() -> None:
    body = """
  param B : count in 0..
  let compute = 2 FLOP * 70 G * B / 989 TFLOP/s
  let memory  = (140 GB + 2048 * 327_680 B * B) / 3.35 TB/s
"""
    found = asked("solve compute == memory for B", body)
    assert ("none: the left side is always smaller", ()) == (line(found), solved(found).outside)
    slopes = Fraction(2 * 70 * 10**9, 2048 * 327_680), Fraction(98900, 335)
    assert (209, 295) == tuple(map(round, map(float, slopes)))
    B = sympy.Symbol("B")
    gap = 2 * 70 * 10**9 * B / sympy.Integer(989 * TERA) - (
        140 * 10**9 + 327_680 * 2048 * B
    ) / sympy.Integer(335 * TERA // 100)
    assert -711 == round(float(sympy.solve(gap, B)[0]))
    positive = sympy.Symbol("B", positive=True)
    assert says("[]", lambda: sympy.solve(gap.subs(B, positive), positive))


def test_a_root_of_one_side_is_kept_only_where_that_side_is_the_greater() -> None:
    body = """
  param B : count in 0..
  param W : [B]
  param K : [B]
  param H : [B/s]
  param F : [FLOP/s]
  param P : [FLOP]
  param t : [s]
"""
    found = asked("solve max((W + B * K) / H, B * P / F) == t for B", body)
    assert ["(H * t - W) / K", "t * F / P"] == forms(found)
    memory, compute = cases(found)
    assert "(W + B * K) / H is the max" in memory.regime
    assert "B * P / F is the max" in compute.regime
    values = {"W": 140 * 10**9, "K": 10**8, "H": 335 * 10**10, "F": 989 * TERA, "P": 14 * 10**10}
    for t in (Fraction(50, 1000), Fraction(90, 1000), Fraction(30, 1000)):
        exact = {**{name: Fraction(value) for name, value in values.items()}, "t": t}
        from tests.answer.asked import holds

        told = [worth(case.formula, exact) for case in cases(found)
                if case.formula is not None and holds(case, exact)]  # fmt: skip
        least = min((exact["H"] * t - exact["W"]) / exact["K"], exact["F"] * t / exact["P"])
        assert ([least] if least >= 0 else []) == told
    W, K, H, F, P, t, B = sympy.symbols("W K H F P t B", positive=True)
    longest = sympy.Max((W + B * K) / H, B * P / F)
    assert says("NotImplementedError", lambda: sympy.solve(longest - t, B))
