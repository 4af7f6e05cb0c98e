"""The batch from which decoding is bound by compute, and where there is none: known answers."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from tests.answer.asked import asked, cases, conditions, form, forms, line, near, one, solved, worth
from tests.answer.other_solver import says

HEAD = """\
import hardware.nvidia (A100_80GB, H100_SXM)
import models.llama (llama_2_70b)
import std.decoder (decoder)
import std.format (format)
import std.layout (layout)
import std.ops (linear, flops, cache_held, cache_moved, share)
import std.phases (decode)

## Attention of one new token to the tokens before it; its own slot and pair are left out.
op attend_past(heads: count, kv_heads: count, d_head: count,
               given batch: count, given past: [tok], given kv: format) {
  let slot        = 2 * kv_heads * d_head * kv.width / 1 tok
  let flops       = 4 FLOP/tok * batch * past * heads * d_head
  let cache_held  = batch * past * slot
  let cache_moved = cache_held
}

op gqa_past(d_model: count, heads: count, kv_heads: count, d_head: count) {
  term q      = linear(d_model, heads * d_head, cut = heads)
  term k_v    = linear(d_model, 2 * kv_heads * d_head, cut = kv_heads)
  term attend = attend_past(heads, kv_heads, d_head)
  term out    = linear(heads * d_head, d_model, cut = heads)
}

## The published model with that convention.
model without_new is llama_2_70b {
  override term attention = gqa_past(d_model, heads, kv_heads, d_head)
}

## Round parameters, all of them streamed, and the cache of the published models.
model round_70b is decoder {
  term all = linear(1, 70_000_000_000)
  repeat 80 { term attend = attend_past(64, 8, 128) }
}

model round_8b is decoder {
  term all = linear(1, 8_030_261_248)
  repeat 32 { term attend = attend_past(32, 8, 128) }
}

model round_7b is decoder {
  term all = linear(1, 6_738_415_616)
  repeat 32 { term attend = attend_past(32, 32, 128) }
}
"""

MATRICES, STREAMED = 68_714_504_192 - (2 * 80 + 1) * 8192, 68_714_504_192
"""Parameters of Llama 2 70B that multiply, and that are read: the norms as well, no look-up."""
CHIPS = {
    "H100_SXM": (Fraction(989 * 10**12), Fraction(335 * 10**10)),
    "A100_80GB": (Fraction(312 * 10**12), Fraction(2039 * 10**9)),
}


def on(model: str, chip: str = "H100_SXM") -> str:
    peak = '  peak[bf16] = 989 TFLOP/s    source "a round peak"\n' if chip == "H100_SXM" else ""
    return f"  use one = decode({model}, {chip})\n{peak}"


def question(context: int) -> str:
    return f"solve t_compute == t_memory for batch at context = {context}"


def by_hand(
    context: int, chip: str, matrices: int, streamed: int, new: int, kv: int = 327_680,
    pair: int = 2_621_440,
) -> Fraction | None:  # fmt: skip
    """Return the batch at which both times are equal, None where there is none above zero."""
    peak, bandwidth = CHIPS[chip]
    slope = (2 * matrices + pair * (context + new)) / peak - kv * (context + new) / bandwidth
    return 2 * streamed / bandwidth / slope if slope > 0 else None


# ---- weights only


RIDGE = """
interface chip {
  param F : [FLOP/s]
  param W : [B/s]
  param eta_c : ratio in 0.01..1
  param eta_m : ratio in 0.01..1
}
"""
RIDGE_BODY = """
  param P : count
  param b : [B]
  param B : count in 0..
  use c = chip
"""
RIDGE_ASKED = "solve 2 FLOP * P * B / (c.F * c.eta_c) == P * b / (c.W * c.eta_m) for B"


def test_the_ridge_of_weights_alone_is_there_always() -> None:
    found = asked(RIDGE_ASKED, RIDGE_BODY, RIDGE)
    assert ["b * F * eta_c / (2 FLOP * W * eta_m)"] == forms(found)
    (case,) = cases(found)
    assert [] == conditions(case)
    values = {"b": 2, "F": 989 * 10**12, "W": 335 * 10**10, "eta_c": 1, "eta_m": 1}
    exact = {name: Fraction(value) for name, value in values.items()}
    assert case.formula is not None
    assert Fraction(98900, 335) == worth(case.formula, exact)
    P, b, F, W, eta_c, eta_m, B = sympy.symbols("P b F W eta_c eta_m B", positive=True)
    same = "[F*b*eta_c/(2*W*eta_m)]"
    assert says(same, lambda: sympy.solve(2 * P * B / (F * eta_c) - P * b / (W * eta_m), B))


def test_the_ridge_of_a_chip_is_295() -> None:
    at = "c.F = 989 TFLOP/s, c.W = 3.35 TB/s, c.eta_c = 1, c.eta_m = 1, b = 2 B, P = 70 G"
    found = asked(f"{RIDGE_ASKED} at {at}", RIDGE_BODY, RIDGE)
    assert Fraction(98900, 335) == one(found)
    assert 295.2 == round(near(found), 1)
    assert 296 == cases(found)[0].first_integer


# ---- the whole decode step


@pytest.mark.parametrize(
    ("context", "printed", "whole"),
    [(0, 295.4, 296), (512, 455.1, 456), (1024, 990.6, 991), (1400, 7287, 7288)],
)
def test_a_decode_step_counts_the_new_slot_and_pair(
    context: int, printed: float, whole: int
) -> None:
    found = asked(question(context), on("llama_2_70b"), HEAD)
    assert by_hand(context, "H100_SXM", MATRICES, STREAMED, 1) == one(found)
    assert printed == pytest.approx(near(found), rel=2e-4)
    assert whole == cases(found)[0].first_integer


@pytest.mark.parametrize("context", [1460, 2000, 131_072])
def test_from_1460_tokens_on_no_batch_is_bound_by_compute(context: int) -> None:
    found = asked(question(context), on("llama_2_70b"), HEAD)
    assert by_hand(context, "H100_SXM", MATRICES, STREAMED, 1) is None
    assert ("none", "none: the left side is always smaller") == (
        solved(found).outcome,
        line(found),
    )
    assert () == cases(found)
    end = end_by_hand("H100_SXM", MATRICES, 327_680, 2_621_440, 1)
    assert (end, 1459) == limit_of("llama_2_70b", "H100_SXM")
    assert 1459.16 == round(float(end), 2)


def test_elsewhere_a_break_even_that_is_not_there_is_negative_or_silent() -> None:
    for batch, expected in (
        (sympy.Symbol("B"), f"[{sympy.Rational(-8295732989, 10407980)}]"),
        (sympy.Symbol("B", positive=True), "[]"),
    ):
        compute = (2 * MATRICES + 2_621_440 * 2001) * batch / sympy.Integer(989 * 10**12)
        memory = (2 * STREAMED + 327_680 * 2001 * batch) / sympy.Integer(335 * 10**10)
        assert says(expected, lambda t=compute - memory, b=batch: sympy.solve(t, b))


# ---- where the new slot and pair are left out


def limit_of(model: str, chip: str) -> tuple[Fraction, int]:
    """Return the end of the contexts for which there is a break-even, and the last whole one."""
    found = asked(question(100_000), on(model, chip), HEAD)
    (opening,) = solved(found).thresholds
    (span,) = opening.spans
    assert opening.decided and span.high is not None
    ((first, last),) = opening.integers
    assert 0 == first and last is not None
    assert span.high.exact is not None and not span.high_in
    return span.high.exact, last


def end_by_hand(chip: str, matrices: int, kv: int, pair: int, new: int = 0) -> Fraction:
    """Return the context at which the cache of a sequence takes as long as its FLOPs."""
    peak, bandwidth = CHIPS[chip]
    return 2 * matrices / (kv * peak / bandwidth - pair) - new


@pytest.mark.parametrize(
    ("chip", "context", "printed"),
    [
        ("H100_SXM", 0, 295.2),
        ("H100_SXM", 512, 454.7),
        ("H100_SXM", 1024, 988.4),
        ("H100_SXM", 1400, 7165.9),
        ("A100_80GB", 0, 153.0),
        ("A100_80GB", 2000, 496.1),
    ],
)
def test_a_convention_without_the_new_slot_is_a_model_of_ones_own(
    chip: str, context: int, printed: float
) -> None:
    found = asked(question(context), on("without_new", chip), HEAD)
    assert by_hand(context, chip, MATRICES, STREAMED, 0) == one(found)
    assert printed == round(near(found), 1)


@pytest.mark.parametrize(
    ("model", "chip", "shape", "last"),
    [
        ("without_new", "H100_SXM", (MATRICES, 327_680, 2_621_440), 1460),
        ("without_new", "A100_80GB", (MATRICES, 327_680, 2_621_440), 2892),
        ("round_70b", "H100_SXM", (70 * 10**9, 327_680, 2_621_440), 1487),
        ("round_70b", "A100_80GB", (70 * 10**9, 327_680, 2_621_440), 2946),
        ("round_8b", "H100_SXM", (8_030_261_248, 131_072, 524_288), 420),
        ("round_7b", "H100_SXM", (6_738_415_616, 524_288, 524_288), 87),
    ],
)
def test_the_last_context_with_a_break_even_is_that_of_the_model_and_the_chip(
    model: str, chip: str, shape: tuple[int, int, int], last: int
) -> None:
    assert (end_by_hand(chip, *shape), last) == limit_of(model, chip)


def test_the_ends_are_the_printed_ones() -> None:
    real = (MATRICES, 327_680, 2_621_440)
    ends = [end_by_hand(chip, *real) for chip in CHIPS]
    assert (1460.16, 2892.0) == (round(float(ends[0]), 2), round(float(ends[1]), 1))


@pytest.mark.parametrize(
    ("chip", "context", "printed"),
    [
        ("H100_SXM", 0, 295),
        ("H100_SXM", 512, 450),
        ("H100_SXM", 1024, 947),
        ("H100_SXM", 1400, 5019),
        ("A100_80GB", 2048, 502),
    ],
)
def test_with_all_parameters_streamed_the_break_even_is_the_printed_one(
    chip: str, context: int, printed: int
) -> None:
    found = asked(question(context), on("round_70b", chip), HEAD)
    assert by_hand(context, chip, 70 * 10**9, 70 * 10**9, 0) == one(found)
    assert printed == pytest.approx(near(found), abs=0.6)


@pytest.mark.parametrize(("model", "context"), [("round_70b", 1488), ("round_7b", 2048)])
def test_beyond_it_there_is_none(model: str, context: int) -> None:
    assert "none" == solved(asked(question(context), on(model), HEAD)).outcome


def test_the_condition_of_a_break_even_is_stated_where_names_have_no_numbers() -> None:
    body = """
  param P : count
  param w : [B]
  param B : count in 0..
  param kv : [B]
  param F : [FLOP/s]
  param W : [B/s]
"""
    found = asked("solve 2 FLOP * P * B / F == (P * w + kv * B) / W for B", body)
    (case,) = cases(found)
    assert "P * w * F / (2 FLOP * P * W - F * kv)" == form(case)
    assert ["2 FLOP * P * W > F * kv"] == conditions(case)
    P, w, K, F, W, B = sympy.symbols("P w K F W B", positive=True)
    unconditional = "[-F*P*w/(F*K - 2*P*W)]"
    assert says(unconditional, lambda: sympy.solve(2 * P * B / F - (P * w + K * B) / W, B))
