"""Speculation, a split of a fleet, and the largest batch that fits: known answers."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from tests.answer.asked import (
    asked,
    cases,
    conditions,
    form,
    line,
    near,
    one,
    solved,
    worth,
)
from tests.answer.other_solver import says

SPECULATION = """
  param alpha : ratio in 0..1
  param gamma : count in 0..
  param c : ratio in 0..
  param R : ratio in 1..
  param E : ratio in 1..
  param B : count in 0..
  let tokens = sum(over i in 0..gamma: alpha ^ i)
  let closed = (1 - alpha ^ (gamma + 1)) / (1 - alpha)
  let gain   = tokens / (1 + gamma * c)
  let verify = max(1, (gamma + 1) * B / R)
"""
DRAFTS = "alpha = 0.8, gamma = 4, c = 0.1"


def tokens_of(alpha: Fraction, drafts: int) -> Fraction:
    return sum((alpha**i for i in range(drafts + 1)), Fraction(0))


# ---- drafts


@pytest.mark.parametrize("formula", ["tokens", "closed"])
def test_four_drafts_at_eighty_percent_give_3_36_tokens(formula: str) -> None:
    found = asked(f"{formula} at {DRAFTS}", SPECULATION)
    assert Fraction(33616, 10**4) == tokens_of(Fraction(4, 5), 4) == found.value
    gain = asked(f"{formula} / (1 + gamma * c) at {DRAFTS}", SPECULATION)
    assert gain.value == Fraction(33616, 14000)
    assert 2.401 == round(float(Fraction(33616, 14000)), 3)


@pytest.mark.parametrize("formula", ["tokens", "closed"])
def test_six_drafts_are_best(formula: str) -> None:
    ask = f"largest {formula} / (1 + gamma * c) over gamma in 1..32 at alpha = 0.8, c = 0.1"
    found = asked(ask, SPECULATION)
    gains = [tokens_of(Fraction(4, 5), n) / (1 + Fraction(n, 10)) for n in range(1, 33)]
    best = solved(found).chosen
    assert best is not None
    assert (gains.index(max(gains)) + 1, 1) == (6, gains.count(max(gains)))
    assert ((("gamma", "6"),), max(gains)) == (best.where, best.value.exact)
    assert "2.47 at gamma = 6" == line(found)
    n = sympy.Symbol("n", positive=True)
    gain = (1 - sympy.Rational(4, 5) ** (n + 1)) / sympy.Rational(1, 5) / (1 + n / 10)
    assert says("NotImplementedError", lambda: sympy.solve(sympy.diff(gain, n), n))


def test_there_is_one_acceptance_from_which_speculation_pays() -> None:
    found = asked("solve gain == 1 for alpha at gamma = 4, c = 0.1", SPECULATION)
    assert "one" == solved(found).outcome
    (case,) = cases(found)
    assert case.value is not None
    low, high = Fraction(case.value.low), Fraction(case.value.high)
    assert tokens_of(low, 4) <= Fraction(14, 10) <= tokens_of(high, 4)
    pays = asked("solve gain > 1 for alpha at gamma = 4, c = 0.1", SPECULATION)
    assert "0.2871 < alpha <= 1" == line(pays)


# ---- the batch up to which speculation pays


BREAK_EVEN = "solve verify + gamma * c == E for B"


def test_speculation_breaks_even_at_a_batch() -> None:
    found = asked(BREAK_EVEN, SPECULATION)
    last = cases(found)[-1]
    assert "R * (E - gamma * c) / (gamma + 1)" == form(last)
    assert ("(gamma + 1) * B / R is the max",) == last.regime
    R, g, E, c, B = sympy.symbols("R gamma E c B", positive=True)
    verify = sympy.Max(1, (g + 1) * B / R)
    assert says("NotImplementedError", lambda: sympy.solve(verify + g * c - E, B))


def test_a_small_draft_on_a_large_model_stops_paying_at_184() -> None:
    E = tokens_of(Fraction(7, 10), 3)
    at = "R = 295.2, alpha = 0.7, gamma = 3, c = 1/70"
    found = asked(f"solve verify + gamma * c == tokens for B at {at}", SPECULATION)
    by_hand = Fraction(2952, 10) * (E - Fraction(3, 70)) / 4
    (case,) = cases(found)
    assert (Fraction(2533, 1000), by_hand, 183.8) == (E, one(found), round(near(found), 1))
    assert ("R * (tokens - gamma * c) / (gamma + 1)", 184) == (form(case), case.first_integer)
    (reach,) = case.ranges
    assert reach.low is not None
    assert Fraction(2952, 40) == reach.low.exact
    turns = asked("solve (gamma + 1) * B / R == 1 for B at R = 295.2, gamma = 3", SPECULATION)
    assert Fraction(738, 10) == one(turns)
    assert "B = 73.8, from 74 on" == line(turns)


def test_a_calculator_that_forgets_the_bonus_token_is_told_apart() -> None:
    claim = f"gain == 1.687 within 0.1 % at {DRAFTS}"
    assert asked(claim, SPECULATION).value is False
    forgets = f"(tokens - 1) / (1 + gamma * c) == 1.687 within 0.1 % at {DRAFTS}"
    assert asked(forgets, SPECULATION).value is True


MODELS = """
import hardware.nvidia (H100_SXM)
import models.chapter (round_70b)
import std.decoder (decoder)
import std.ops (linear)
import std.phases (forward)

model round_1b is decoder {
  term all = linear(1, 1_000_000_000)
}
"""
MODELS_BODY = """
  use chip = H100_SXM
  chip.peak[bf16] = 989 TFLOP/s    source "a round peak"
  param alpha : ratio in 0..1
  param gamma : count
  param B : count
  let tokens = (1 - alpha ^ (gamma + 1)) / (1 - alpha)
  use verify = forward(round_70b, chip, past = 0)
  verify.batch = B
  verify.new   = (gamma + 1) * 1 tok
  use single = verify
  single.new = 1
  use draft = forward(round_1b, chip, past = 0, new = 1)
  draft.batch = B
  let with_drafts = (verify.latency + gamma * draft.latency) / tokens
"""
PAIR = "at alpha = 0.7, gamma = 3"


def test_two_models_on_a_chip_come_to_the_same_batch_and_it_ends_a_stretch() -> None:
    found = asked(f"solve with_drafts == single.latency for B {PAIR}", MODELS_BODY, MODELS)
    ridge = Fraction(98900, 335)
    assert ridge * (tokens_of(Fraction(7, 10), 3) - Fraction(3, 70)) / 4 == one(found)
    (reach,) = cases(found)[0].ranges
    assert reach.low is not None and reach.high is not None
    assert (ridge / 4, ridge) == (reach.low.exact, reach.high.exact)
    pays = asked(f"solve with_drafts < single.latency for B {PAIR}", MODELS_BODY, MODELS)
    assert "B in 1..183" == line(pays)
    turns = asked("solve verify.t_compute == verify.t_memory for B at gamma = 3",
                  MODELS_BODY, MODELS)  # fmt: skip
    assert ridge / 4 == one(turns)


def test_a_loss_seen_at_32_implies_another_ridge_or_another_acceptance() -> None:
    at = "at B = 32, gamma = 3, alpha = 0.7"
    peak = asked(f"solve with_drafts == single.latency for chip.peak[bf16] {at}",
                 MODELS_BODY, MODELS)  # fmt: skip
    implied = 32 * 4 / (tokens_of(Fraction(7, 10), 3) - Fraction(3, 70))
    assert implied * Fraction(335 * 10**10) == one(peak)
    assert 51 == round(float(implied))
    accepts = asked("solve with_drafts == single.latency for alpha at B = 32, gamma = 3",
                    MODELS_BODY, MODELS)  # fmt: skip
    (case,) = cases(accepts)
    assert case.value is not None
    low, high = Fraction(case.value.low), Fraction(case.value.high)
    assert tokens_of(low, 3) <= 1 + Fraction(3, 70) <= tokens_of(high, 3)


# ---- a fleet of two pools

POOLS = """
  param P : count in 0..
  param D : count in 1..
  param total : count
  param t_p : [s]
  param t_d : [s]
"""


def test_pools_are_balanced_by_the_ratio_of_their_times() -> None:
    found = asked("solve P / t_p == D / t_d for P", POOLS)
    (case,) = cases(found)
    assert ("D * t_p / t_d", []) == (form(case), conditions(case))
    split = asked("solve P / t_p == (total - P) / t_d for P", POOLS)
    (case,) = cases(split)
    assert ("total * t_p / (t_p + t_d)", []) == (form(case), conditions(case))


def test_a_small_fraction_near_the_ratio_is_found_among_all() -> None:
    ask = (
        "smallest abs(P / D - t_p / t_d) over P in 1..8, D in 1..8 at t_p = 283.1 ms, t_d = 391 ms"
    )
    found = asked(ask, POOLS)
    ratio = Fraction(2831, 3910)
    pairs = [(p, n) for p in range(1, 9) for n in range(1, 9)]
    p, n = min(pairs, key=lambda pair: abs(Fraction(*pair) - ratio))
    best = solved(found).chosen
    assert best is not None
    assert ((("P", f"{p}"), ("D", f"{n}")), abs(Fraction(p, n) - ratio)) == (
        best.where,
        best.value.exact,
    )


# ---- the largest batch under two conditions

PAGED = """
import hardware.nvidia (H100_SXM)
import models.llama (llama_3_70b)
import std.ops (cache_held, weights_held)
import std.phases (decode)
"""
PAGED_BODY = """
  use one = decode(llama_3_70b, H100_SXM, context = 2000)
  tp           = 4
  link_latency = 2 us
  param page : [tok] = 16
  ## Bytes of one token on one chip; whole pages are held.
  let slot   = model.total(cache_held) / (batch * (context + 1 tok))
  let paged  = batch * ceil((context + 1 tok) / page) * page * slot
  let filled = model.total(weights_held) + paged
"""
LAYERS, WIDTH, PARTS, SLOT = 80, 8192, 4, 81_920
TOKENS, PAGED_TOKENS = 2001, 2016
MATRICES, GAINS, TABLE = 68_451_041_280 + 128_256 * 8192, (2 * 80 + 1) * 8192, 128_256 * 8192
LINK, RATE = 450 * 10**9, 335 * 10**10


def step(batch: int) -> Fraction:
    """Return the latency of one of four chips that share the model."""
    weights = 2 * (Fraction(MATRICES, PARTS) + GAINS)
    memory = (weights + batch * TOKENS * SLOT) / RATE
    pairs = 4 * batch * TOKENS * LAYERS * Fraction(WIDTH, PARTS)
    compute = (2 * batch * Fraction(MATRICES, PARTS) + pairs) / Fraction(9894 * 10**11)
    sent = Fraction(2 * (PARTS - 1), PARTS) * batch * WIDTH * 2 / LINK
    return max(compute, memory) + 2 * LAYERS * (sent + Fraction(2 * (PARTS - 1) * 2, 10**6))


def filled(batch: int) -> Fraction:
    """Return the bytes on one chip, whole pages for every sequence."""
    return 2 * (Fraction(MATRICES + TABLE, PARTS) + GAINS) + batch * PAGED_TOKENS * SLOT


@pytest.mark.parametrize(
    ("target", "room", "binding", "after"),
    [
        (20, 72, "latency", "filled"),
        (60, 72, "filled", "fits"),
        (20, 50, "filled", "latency"),
    ],
)
def test_the_largest_batch_keeps_a_deadline_and_a_paged_cache(
    target: int, room: int, binding: str, after: str
) -> None:
    keep = {"latency": f"latency <= {target} ms", "filled": f"filled <= {room} GB"}
    ask = f"largest batch with {' and '.join(keep.values())}"
    found = asked(ask, PAGED_BODY, PAGED)
    batch = max(
        b for b in range(1, 1000)
        if step(b) <= Fraction(target, 1000) and filled(b) <= room * 10**9
    )  # fmt: skip
    assert batch == one(found)
    told = solved(found)
    assert [keep[binding]] == [limit.name for limit in told.binding]
    assert [keep.get(after, after)] == [limit.name for limit in told.next_binding]
    (case,) = cases(found)
    assert case.value is not None and case.formula is not None
    assert case.value.exact is not None
    assert batch == case.value.exact.numerator // case.value.exact.denominator
    assert case.value.exact == worth(case.formula, {})
