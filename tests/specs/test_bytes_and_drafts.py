"""Fewer bytes a token, drafts, experts, stores and adapters: figures worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.answer.asked import asked, cases, line, near, one, solved

HEAD = """
import hardware.nvidia (A100_80GB, H100_SXM)
import models.chapter (round_70b)
import models.llama (llama_2_7b, llama_3_8b, llama_3_70b)
import models.mistral (mixtral_8x7b)
import models.qwen (qwen_3_30b_a3b)
import serving.adapters (adapted_step, lora)
import serving.offload (expert_offload, offload_step)
import serving.quantization (quantized_step, widenings)
import serving.speculation (draft_heads, draft_model, expected_tokens, medusa_heads, speculation)
import std.accelerator (accelerator)
import std.conventions (reads)
import std.decoder (decoder)
import std.experts (distinct)
import std.format (format, fp8)
import std.ops (linear, lookup, flops, params, weights_held)
import std.phases (decode, forward)
import std.quantized (int4_symmetric_128)

record four_bits is format {
  width    = 4 bit    source "four bits without scales"
  computes = bf16
}

model round_1b is decoder {
  term all = linear(1, 1_000_000_000)
}

model round_7b is decoder {
  term all = linear(1, 7_000_000_000)
}

## 13 GB in a file, of which a token meets 1.1 GB.
model sparse is decoder {
  term met  = linear(1, 550_000_000)
  term rest = lookup(1, 5_950_000_000)
}

hardware shared_memory is accelerator {
  peak[bf16]    = 100 TFLOP/s    source "assumed: no limit here"
  hbm_bandwidth = 512 GB/s       source "an integrated chip"
  hbm_capacity  = 128 GB         source "an integrated chip"
}

model guesses is medusa_heads {
  d_model = 8192
  vocab   = 32_000
}

record adapter is lora {
  base = llama_2_7b
  rank = 16
}
"""

# ---- drafts


def tokens_of(acceptance: Fraction, drafts: int) -> Fraction:
    return sum((acceptance**i for i in range(drafts + 1)), Fraction(0))


def drafted(draft: str) -> str:
    return f"""
  use step = draft_model(round_70b, H100_SXM, draft = {draft}, context = 0)
  hbm_capacity = inf
  peak[bf16]   = 989 TFLOP/s
"""


def test_tokens_of_a_step_count_the_one_that_the_target_makes_itself() -> None:
    assert Fraction(368_928, 10**5) == one(asked("expected_tokens(80 %, 5)", "", HEAD))
    assert 6 == one(asked("expected_tokens(100 %, 5)", "", HEAD))
    assert 1 == one(asked("expected_tokens(0, 5)", "", HEAD))


def test_a_draft_of_a_tenth_of_the_size_is_worth_2_40_and_not_1_69() -> None:
    at = "at acceptance = 0.8, drafts = 4, step.model.batch = 1"
    assert tokens_of(Fraction(4, 5), 4) / Fraction(14, 10) == one(
        asked(f"gain {at}", drafted("round_7b"), HEAD)
    )
    assert asked(f"gain == 1.687 within 1 % {at}", drafted("round_7b"), HEAD).value is False


def test_six_drafts_of_it_are_best() -> None:
    ask = "largest gain over drafts in 1..12 at acceptance = 0.8, step.model.batch = 1"
    found = asked(ask, drafted("round_7b"), HEAD)
    assert "2.47 at drafts = 6" == line(found)


def test_drafts_of_a_seventieth_stop_paying_at_184_and_fill_the_compute_at_74() -> None:
    at = "at acceptance = 0.7, drafts = 3"
    found = asked(f"solve gain == 1 for step.model.batch {at}", drafted("round_1b"), HEAD)
    ridge = Fraction(98_900, 335)
    assert ridge * (tokens_of(Fraction(7, 10), 3) - Fraction(3, 70)) / 4 == one(found)
    assert 184 == cases(found)[0].first_integer
    turn = asked(
        f"solve t_compute == t_memory for step.model.batch {at}", drafted("round_1b"), HEAD
    )
    assert (ridge / 4, 73.8) == (one(turn), round(float(ridge / 4), 1))


def test_where_the_checks_cost_more_than_all_drafts_no_acceptance_wins() -> None:
    at = "at drafts = 3, step.model.batch = 300"
    found = asked(f"solve gain == 1 for acceptance {at}", drafted("round_1b"), HEAD)
    assert "none" == solved(found).outcome
    assert asked(f"most < 1 {at}", drafted("round_1b"), HEAD).value is True


def test_drafts_that_cost_nothing_never_lose_below_the_ridge_of_a_dense_model() -> None:
    body = "  use step = speculation(round_70b, H100_SXM, context = 0)\n  hbm_capacity = inf\n"
    for batch in (1, 8, 70):
        gain = asked(f"gain at batch = {batch}, drafts = 3, acceptance = 50 %", body, HEAD)
        assert tokens_of(Fraction(1, 2), 3) == one(gain)


def test_a_check_reads_the_distinct_experts_of_all_its_drafts() -> None:
    body = "  use step = speculation(mixtral_8x7b, H100_SXM, context = 0)\n  hbm_capacity = inf\n"
    ask = "model.expert_layers.mixture.experts.weights_moved at batch = 1, drafts = {}"
    alone, checked = (one(asked(ask.format(n), body, HEAD)) for n in (0, 4))
    assert (1 - Fraction(3, 4) ** 5) / (1 - Fraction(3, 4)) == checked / alone


def test_a_check_asks_for_each_draft_and_a_step_for_one() -> None:
    body = "  use step = speculation(llama_3_8b, H100_SXM, context = 0)\n"
    ask = "(flops - 5 * plain.flops) / 1 FLOP at batch = 1, drafts = 4"
    pairs = 5 * 6 // 2 - 5
    assert 4 * 32 * 4096 * pairs == one(asked(ask, body, HEAD))


def test_heads_draft_in_one_pass_however_many_drafts() -> None:
    body = """
  use step = draft_heads(round_70b, H100_SXM, heads = guesses, context = 0)
  hbm_capacity = inf
"""
    at = "at step.model.batch = 1, drafts = {}"
    two, four = (one(asked(f"drafting {at.format(n)}", body, HEAD)) for n in (2, 4))
    assert two == four == Fraction(2 * 4 * (8192 * 8192 + 8192 * 32_000), 3_350 * 10**9)
    assert 0 == one(asked(f"drafting {at.format(0)}", body, HEAD))


# ---- experts


def test_distinct_experts_are_those_of_independent_tokens() -> None:
    for tokens, touched in ((1, "2.000"), (3, "4.625"), (4, "5.469"), (10, "7.549")):
        assert touched == f"{float(one(asked(f'distinct(8, 2, {tokens} tok)', '', HEAD))):.3f}"


@pytest.mark.parametrize(("n", "k", "first"), [(256, 8, 95), (8, 2, 11)])
def test_a_batch_touches_nearly_all_experts(n: int, k: int, first: int) -> None:
    body = "  param B : count\n"
    found = asked(f"smallest B with distinct({n}, {k}, B * 1 tok) >= 95 % * {n}", body, HEAD)
    assert first == one(found)


def test_experts_reach_the_ridge_at_a_batch_larger_by_their_sparsity() -> None:
    body = "  use one = decode(mixtral_8x7b, H100_SXM)\n  peak[bf16] = 989 TFLOP/s\n"
    found = asked("solve batch * 8 / 256 == ridge_point / 1 FLOP/B for batch", body, HEAD)
    assert 9447 == round(near(found))


def test_four_users_of_a_mixture_in_four_bits_gain_1_555() -> None:
    body = """
  use one  = decode(qwen_3_30b_a3b, H100_SXM, context = 0, weights = four_bits)
  use four = one
  four.batch = 4
"""
    weights = one(asked("four.weights_bytes / one.weights_bytes", body, HEAD))
    assert 1.555 == round(float(4 / weights), 3)
    assert 1.55 < near(asked("four.rate / one.rate", body, HEAD)) < 1.56


# ---- a bound, refuted by a measurement


MEASURED = "  use one = decode(sparse, shared_memory, context = 0)\n"


def test_a_bound_by_all_weights_is_refuted_and_one_by_those_that_are_met_survives() -> None:
    held = asked("rate at streamed = held", MEASURED, HEAD)
    assert (39, Fraction(512, 13)) == (round(near(held)), one(held))
    met = asked("rate", MEASURED, HEAD)
    assert 465 == round(near(met))
    ask = "solve rate == 77.6 tok/s for memory_efficiency"
    none = asked(f"{ask} at streamed = held", MEASURED, HEAD)
    assert "none" == solved(none).outcome
    implied = asked(ask, MEASURED, HEAD)
    assert 0.167 == round(near(implied), 3)


# ---- fewer bytes

PACKED = """
  use wide   = quantized_step(round_70b, H100_SXM, context = 0)
  use packed = wide
  packed.weights          = four_bits
  packed.widening_compute = 64 %
  wide.hardware.hbm_capacity = inf
"""


def test_a_packed_kernel_crosses_where_its_compute_is_as_long_as_the_wide_bytes() -> None:
    found = asked("solve wide.latency == packed.latency for wide.batch", PACKED, HEAD)
    assert Fraction(9894, 33_500) * 1000 * Fraction(64, 100) == one(found)
    far = asked("limit wide.latency / packed.latency as wide.batch -> inf", PACKED, HEAD)
    assert Fraction(64, 100) == one(far)


def test_weights_that_are_written_out_wide_are_read_narrow_and_moved_wide_twice() -> None:
    at = "at packed.widening = written_out, wide.batch = 1"
    found = asked(f"packed.t_memory * packed.hbm_bandwidth {at}", PACKED, HEAD)
    assert 70 * 10**9 * (Fraction(1, 2) + 4) == one(found)


def test_a_quantized_step_with_nothing_set_is_a_step_of_decoding() -> None:
    body = """
  use step = quantized_step(llama_3_8b, H100_SXM, context = 1000, batch = 7)
  use one  = decode(llama_3_8b, H100_SXM, context = 1000, batch = 7)
"""
    for name in ("latency", "t_compute", "t_memory", "resident", "utilization"):
        assert asked(f"step.{name} == one.{name}", body, HEAD).value is True


# ---- what lies elsewhere

AWAY = "  use step = offload_step(llama_3_70b, H100_SXM, context = 0)\n"


def test_what_does_not_fit_is_fetched_and_the_rest_stays() -> None:
    least = one(asked("smallest weights_away at batch = 1", AWAY, HEAD))
    held, slot = 141_107_412_992, 327_680
    assert 1 - Fraction(80 * 10**9 - slot, held) == least


def test_the_ridge_of_a_link_is_the_prompt_that_hides_it() -> None:
    found = one(asked("ridge_tokens", AWAY, HEAD))
    assert Fraction(9894 * 10**11, 63 * 10**9) == found
    hidden = one(
        asked("smallest new with t_compute >= t_fetch at weights_away = 1, batch = 1", AWAY, HEAD)
    )
    assert 0.85 * found < hidden < found


def test_only_the_experts_that_are_touched_are_fetched() -> None:
    body = "  use step = expert_offload(mixtral_8x7b, H100_SXM, context = 0)\n"
    fetched = one(asked("fetched at batch = 1", body, HEAD))
    assert 32 * 2 * 3 * 4096 * 14_336 * 2 == fetched
    kept = one(asked("resident at batch = 1", body, HEAD))
    assert 46_702_792_704 * 2 - 4 * fetched + 131_072 == kept


# ---- adapters

ADAPTED = "  use step = adapted_step(llama_2_7b, H100_SXM, adapter = adapter, context = 1000)\n"


@pytest.mark.parametrize(
    ("rank", "beside", "size"),
    [
        (8, "queries_values", 4_194_304),
        (16, "attention", 16_777_216),
        (16, "all_linear", 39_976_960),
    ],
)
def test_an_adapter_is_as_large_as_its_two_thin_matrices(rank: int, beside: str, size: int) -> None:
    body = f"  use it = adapter\n  it.rank = {rank}\n  it.beside = {beside}\n"
    assert size == one(asked("it.total(params)", body, HEAD))


def test_a_step_moves_each_touched_adapter_once_and_holds_them_all() -> None:
    at = "at step.adapters = 100, step.model.batch = 16"
    plain = "  use one = decode(llama_2_7b, H100_SXM, context = 1000, batch = 16)\n"
    size = 2 * 16_777_216
    moved = one(asked(f"step.weights_bytes - one.weights_bytes {at}", ADAPTED + plain, HEAD))
    assert size * 100 * (1 - Fraction(99, 100) ** 16) == moved
    held = one(asked(f"step.resident - one.resident {at}", ADAPTED + plain, HEAD))
    assert 100 * size == held
    computed = one(asked(f"step.flops - one.flops {at}", ADAPTED + plain, HEAD))
    assert 2 * 16 * 16_777_216 == computed
