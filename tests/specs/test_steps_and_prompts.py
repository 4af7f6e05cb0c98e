"""Steps that mix decoding with prompts, prompts in parts, and prefixes that are reused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.answer.asked import asked, cases, forms, line, near, one

HEAD = """
import hardware.nvidia (H100_SXM)
import models.chapter (round_70b)
import models.llama (llama_3_8b, llama_3_70b)
import models.mistral (mixtral_8x7b, mistral_7b_v0_1)
import serving.batching (chunk_pass, chunked_prompt, mixed_step, steady_step)
import serving.prefix (prefix_hits, prefix_tariff, reload, talk)
import std.experts (distinct)
import std.phases (decode, prefill)
"""
MATRICES, HEAD_SIZE, LAYERS, WIDTH, SLOT = 6_979_321_856, 128_256 * 4096, 32, 4096, 131_072
"""Of Llama 3 8B: parameters that each token meets, the last matrix, and bytes of cache a token."""


def flops(tokens: Fraction, pairs: Fraction, asked_for: Fraction) -> Fraction:
    """Return the FLOPs of Llama 3 8B for so many tokens, pairs, and rows at the last matrix."""
    return 2 * tokens * MATRICES + 4 * pairs * LAYERS * WIDTH + 2 * asked_for * HEAD_SIZE


# ---- mixed steps

MIXED = """
  use step = mixed_step(llama_3_8b, H100_SXM, decodes = 32, context = 2000, chunk = 512)
  step.done = 1024
"""


def test_a_mixed_step_adds_what_its_parts_compute_and_moves_the_weights_once() -> None:
    pairs = Fraction(32 * 2001 + 512 * 1024 + 512 * 513 // 2)
    assert flops(Fraction(544), pairs, Fraction(33)) == one(asked("flops", MIXED, HEAD))
    cache = (32 * 2001 + 1024 + 512) * SLOT
    assert cache == one(asked("cache_bytes", MIXED, HEAD))
    alone = asked(
        "one.weights_bytes", "  use one = decode(llama_3_8b, H100_SXM, context = 0)", HEAD
    )
    assert one(alone) == one(asked("weights_bytes", MIXED, HEAD))
    table = 2 * HEAD_SIZE
    assert one(alone) + table + cache == one(asked("resident", MIXED, HEAD))


def test_a_step_without_prompts_is_a_step_of_decoding() -> None:
    step = MIXED + "  use one = decode(llama_3_8b, H100_SXM, batch = 32, context = 2000)\n"
    for name in ("flops", "bytes", "latency", "resident", "rate"):
        assert asked(f"step.{name} == one.{name} at step.chunk = 0", step, HEAD).value is True


def test_a_step_of_prompts_alone_emits_nothing() -> None:
    assert 0 == one(asked("rate at decodes = 0", MIXED, HEAD))
    assert one(asked("prompt_rate * latency at decodes = 0", MIXED, HEAD)) == 512


@pytest.mark.parametrize("decodes", [0, 1, 1000])
def test_no_mixed_step_is_faster_than_physics(decodes: int) -> None:
    ask = f"latency == bound_latency at decodes = {decodes}, context = 0"
    assert asked(ask, MIXED, HEAD).value is True
    slower = asked(f"{ask}, compute_efficiency = 40 %, memory_efficiency = 70 %", MIXED, HEAD)
    assert slower.value is False


def test_a_mixed_step_runs_on_several_chips() -> None:
    at = "at tp = 4, link_latency = 2 us"
    parts = asked(f"latency - max(t_compute, t_memory) - t_link {at}", MIXED, HEAD)
    assert 0 == one(parts)
    assert asked(f"t_link > 0 s {at}", MIXED, HEAD).value is True


def test_experts_are_touched_by_all_tokens_of_a_step_together() -> None:
    body = "  use step = mixed_step(mixtral_8x7b, H100_SXM, decodes = 2, context = 0, chunk = 2)"
    moved = asked("model.expert_layers.mixture.experts.weights_moved", body, HEAD)
    each = Fraction(3 * 4096 * 14_336 * 2 * 32)
    assert 8 * (1 - Fraction(3, 4) ** 4) * each == one(moved)


def test_the_parts_of_a_prompt_compute_what_the_prompt_does() -> None:
    body = """
  use whole = prefill(llama_3_8b, H100_SXM, prompt = 2048)
  let part(done: [tok]) = chunk_pass(llama_3_8b, H100_SXM, chunk = 512, done = done).flops
  let parts = sum(over i in 0..3: part(i * 512 tok))
"""
    assert 3 * 2 * HEAD_SIZE == one(asked("parts - whole.flops", body, HEAD))


@pytest.mark.parametrize("decodes", [16, 320])
def test_in_a_steady_step_prompts_come_as_answers_end(decodes: int) -> None:
    body = f"""
  use step = steady_step(llama_3_8b, H100_SXM, prompt = 1000, tokens = 200, decodes = {decodes})
"""
    arriving = Fraction(decodes * 5)
    parts = max(Fraction(1), arriving / 1000)
    pairs = decodes * (Fraction(1000) + Fraction(199, 2) + 1) + arriving * Fraction(1001, 2)
    assert flops(decodes + arriving, pairs, decodes + parts) == one(asked("flops", body, HEAD))
    assert asked("rate * 1 req == served * tokens", body, HEAD).value is True


def test_a_window_bounds_a_step_and_its_parts() -> None:
    body = "  use step = chunk_pass(mistral_7b_v0_1, H100_SXM, chunk = 512, done = {done})"
    far, farther = (one(asked("flops", body.format(done=done), HEAD)) for done in (8192, 100_000))
    assert far == farther


# ---- the largest part

GAP = """
  use step = chunked_prompt(llama_3_8b, H100_SXM, decodes = 0, context = 0, prompt = 8192)
  peak[bf16]         = 989 TFLOP/s    source "H100 white paper, rounded"
  compute_efficiency = 50 %           source "assumed"
"""


def test_a_prompt_is_read_in_sixteen_steps_of_512() -> None:
    assert 16 == one(asked("parts at chunk = 512", GAP, HEAD))
    waits = asked("ttft / itl at chunk = 512", GAP, HEAD)
    assert 16 == one(waits)


def test_below_half_the_ridge_a_smaller_part_is_no_faster() -> None:
    turn = asked("solve t_compute == t_memory for chunk at done = 0", GAP, HEAD)
    assert 148 < near(turn) < 160
    floor = asked("itl at chunk = 64", GAP, HEAD)
    assert 4.5 < near(floor) * 1000 < 4.8


# ---- prefixes

ASK = "  use ask = prefix_hits(llama_3_8b, H100_SXM, prompt = 8192, cached = 6144)\n"


def test_what_is_left_of_a_prompt_sees_all_that_was_found() -> None:
    pairs = Fraction(2048 * 6144 + 2048 * 2049 // 2)
    assert flops(Fraction(2048), pairs, Fraction(1)) == one(asked("ask.flops", ASK, HEAD))


def test_hits_are_averaged_over_prompts_and_told_in_tokens() -> None:
    found = asked("ask.mean_ttft == ask.cold at hit_rate = 0", ASK, HEAD)
    assert found.value is True
    assert asked("ask.mean_ttft == ask.ttft at hit_rate = 1", ASK, HEAD).value is True
    assert Fraction(3, 8) == one(asked("ask.token_hits at hit_rate = 50 %", ASK, HEAD))


def test_a_prefix_is_fetched_from_the_bandwidth_at_which_a_token_comes_as_fast_as_it_is_read() -> (
    None
):
    body = """
  use cut = reload(round_70b, H100_SXM, prompt = 8192)
  peak[bf16]   = 989 TFLOP/s
  hbm_capacity = inf
  kept         = 8192 tok * 327_680 B/tok
"""
    border = asked("solve fetch == again for cut.from.bandwidth", body, HEAD)
    assert Fraction(327_680 * 989 * 10**12, 140 * 10**9) == one(border)


def test_a_delay_is_not_worth_it_for_a_short_prefix() -> None:
    body = """
  use cut = reload(llama_3_70b, H100_SXM, batch = 1)
  cut.from.delay = 50 ms
  hbm_capacity   = inf
"""
    found = asked("smallest prompt with fetch <= again", body, HEAD)
    tokens = int(one(found))
    assert 250 < tokens < 400
    for at, wins in ((tokens - 1, False), (tokens, True)):
        assert asked(f"fetch <= again at prompt = {at}", body, HEAD).value is wins


@pytest.mark.parametrize(("rounds", "gain"), [(1, Fraction(2, 5)), (10, Fraction(8, 11))])
def test_a_talk_gains_more_the_longer_it_is(rounds: int, gain: Fraction) -> None:
    body = "  use chat = talk(found = 80 %)"
    assert gain == one(asked(f"mean_gain at rounds = {rounds}", body, HEAD))
    assert ["found"] == forms(asked("limit mean_gain as rounds -> inf", body, HEAD))


@pytest.mark.parametrize(("write", "uses", "first"), [("1.25", "1.278", 2), ("2", "2.111", 3)])
def test_a_tariff_pays_from_its_second_or_third_use(write: str, uses: str, first: int) -> None:
    body = f"  use bill = prefix_tariff(read = 10 %, write = {write})"
    found = asked("solve mean_price == 1 for uses", body, HEAD)
    assert (f"uses = {uses}, from {first} on", first) == (
        line(found),
        cases(found)[0].first_integer,
    )
