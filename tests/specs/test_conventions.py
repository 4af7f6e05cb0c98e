"""People who count a step differ by choices that have names: switch those, and nothing else."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.answer.asked import asked, cases, near, one, solved
from tests.specs.figures import QUOTED, Figure, told

STEP = "decode(llama_2_70b, H100_SXM, context = 2000)"

# ---- a page of a book: 30 billion parameters on 16 chips, a cache of 100 kB a token

SLICE = """
import hardware.google (TPU_v5e)
import std.conventions (by_memory, scaling_book, usual)
import std.decoder (decoder)
import std.format (int8, int8_weights)
import std.ops (attend, linear)
import std.phases (decode)

model thirty is decoder {
  weights = int8_weights
  kv      = int8
  term all   = linear(1, 30_000_000_000)
  term cache = attend(500, 500, 100)
}

## Sixteen chips as one.
hardware slice is TPU_v5e {
  hbm_bandwidth = 16 * 0.81 TB/s     source "the page's 8.1e11 bytes a second and chip"
  peak[bf16]    = 16 * 197 TFLOP/s   source "the page's 1.97e14 FLOPs a second and chip"
}
"""
POP_QUIZ = "  use step = decode(thirty, slice, context = 8192)\n"
BANDWIDTH, PEAK = 16 * 81 * 10**10, 16 * 197 * 10**12


@pytest.mark.parametrize(
    ("counting", "batch", "printed"),
    [
        ("scaling_book", 4, 2.57),
        ("scaling_book", 256, 21.05),
        ("by_memory", 256, 18.50),
    ],
)
def test_a_page_is_met_by_its_choices_alone(counting: str, batch: int, printed: float) -> None:
    found = asked(f"step.latency at counting = {counting}, batch = {batch}", POP_QUIZ, SLICE)
    cache = Fraction(batch * 8192 * 100_000, BANDWIDTH)
    read, computed = Fraction(30 * 10**9, BANDWIDTH), Fraction(2 * batch * 30 * 10**9, PEAK)
    expected = cache + max(read, computed) if counting == "scaling_book" else cache + read
    assert expected == one(found)
    assert printed == round(float(expected) * 1000, 2)


def test_the_matrices_turn_to_be_bound_by_compute_at_a_batch_whatever_the_cache() -> None:
    ask = "solve t_compute == t_memory - t_cache for batch at counting = scaling_book"
    assert Fraction(PEAK, 2 * BANDWIDTH) == one(asked(ask, POP_QUIZ, SLICE))


# ---- one step, with and without the slot of the new token


@pytest.mark.parametrize(
    ("batch", "choice", "printed"),
    [
        (64, "true", "53.55"),
        (64, "false", "53.54"),
        (256, "true", "91.13"),
        (256, "false", "91.10"),
    ],
)
def test_a_step_is_counted_with_or_without_its_own_slot(
    batch: int, choice: str, printed: str
) -> None:
    ask = f"latency at batch = {batch}, new_slot = {choice}, {QUOTED} show ms"
    assert printed == told(Figure(printed, ask, STEP, "the slot of the new token"))


LLAMA = """
import hardware.nvidia (A100_80GB, H100_SXM)
import models.llama (llama_2_70b)
import std.conventions (scaling_book, usual)
import std.decoder (decoder)
import std.ops (attend, linear)
import std.phases (decode, prefill)

## Seventy billion parameters, all of them streamed, and the cache and scores of Llama 2 70B.
model all_streamed is decoder {
  term all = linear(1, 70_000_000_000)
  repeat 80 { term attend = attend(64, 8, 128) }
}

hardware H100 is H100_SXM {
  peak[bf16] = 989 TFLOP/s    source "as the figures were worked out"
}
"""


@pytest.mark.parametrize(
    ("context", "with_slot", "without"),
    [(0, 295.4, 295.2), (512, 455.1, 454.7), (1024, 990.6, 988.4), (1400, 7287.0, 7165.9)],
)
def test_a_break_even_hardly_moves_with_the_new_slot_until_it_is_far(
    context: int, with_slot: float, without: float
) -> None:
    body = "  use step = decode(llama_2_70b, H100)\n"
    for choice, printed in (("true", with_slot), ("false", without)):
        ask = f"solve t_compute == t_memory for batch at context = {context}, new_slot = {choice}"
        assert printed == pytest.approx(
            near(asked(ask, body, LLAMA)), abs=0.51 if context > 1100 else 0.051
        )


@pytest.mark.parametrize(
    ("choice", "printed", "first"), [("true", 1459.16, 1460), ("false", 1460.16, 1461)]
)
def test_the_context_from_which_there_is_none_moves_by_that_token(
    choice: str, printed: float, first: int
) -> None:
    body = "  use step = decode(llama_2_70b, H100)\n"
    ask = f"solve t_compute == t_memory for batch at context = 2000, new_slot = {choice}"
    (opening,) = solved(asked(ask, body, LLAMA)).thresholds
    (span,) = opening.spans
    assert span.high is not None and span.high.exact is not None
    assert printed == round(float(span.high.exact), 2)
    assert ((0, first - 1),) == opening.integers


@pytest.mark.parametrize(
    ("chip", "context", "printed"),
    [("H100", 0, 295), ("H100", 512, 450), ("H100", 1024, 947), ("A100_80GB", 2048, 502)],
)
def test_all_streamed_breaks_even_where_it_was_printed(
    chip: str, context: int, printed: int
) -> None:
    body = f"  use step = decode(all_streamed, {chip}, new_slot = false)\n"
    ask = f"solve t_compute == t_memory for batch at context = {context}"
    assert printed == pytest.approx(near(asked(ask, body, LLAMA)), abs=0.6)


def test_all_streamed_has_none_from_1488_tokens_on() -> None:
    for context, outcome in ((1487, "one"), (1488, "none")):
        body = "  use step = decode(all_streamed, H100, new_slot = false)\n"
        ask = f"solve t_compute == t_memory for batch at context = {context}"
        assert outcome == solved(asked(ask, body, LLAMA)).outcome


# ---- the other choices, against the same by hand

LINEAR = 2 * (68_451_041_280 * 2000 + 8192 * 32_000)
PAIR = 80 * 4 * 64 * 128


@pytest.mark.parametrize(
    ("choice", "pairs"),
    [
        ("exact", Fraction(2000 * 2001, 2)),
        ("half", Fraction(2000 * 2000, 2)),
        ("full", Fraction(2000 * 2000)),
        ("none", Fraction(0)),
    ],
)
def test_causal_pairs_are_exact_or_half_or_full(choice: str, pairs: Fraction) -> None:
    body = "  use read = prefill(llama_2_70b, H100, prompt = 2000)\n"
    assert LINEAR + PAIR * pairs == one(asked(f"flops at pairs = {choice}", body, LLAMA))
    without = {"exact": 2000 * 1999 // 2, "half": 2000 * 1999 // 2, "full": 2000 * 1999, "none": 0}
    found = asked(f"flops at pairs = {choice}, new_slot = false", body, LLAMA)
    assert LINEAR + PAIR * without[choice] == one(found)


def test_attention_adds_five_milliseconds_to_a_round_prompt_of_2000() -> None:
    body = "  use read = prefill(all_streamed, H100, prompt = 2000)\n"
    weights, both = (one(asked(f"latency at pairs = {p}", body, LLAMA)) for p in ("none", "half"))
    assert (283.1, 288.4) == (round(float(weights) * 1000, 1), round(float(both) * 1000, 1))


def by_operators(batch: int, context: int) -> Fraction:
    """Return the sum of the rooflines of the operators of a decode step of Llama 2 70B."""
    shapes = [(8192, 8192), (8192, 2048), (8192, 8192), (8192, 57_344), (28_672, 8192)]
    layers = 80 * sum(longer(2 * batch * a * b, 2 * a * b) for a, b in shapes)
    layers += 80 * longer(4 * 64 * 128 * batch * (context + 1), 4096 * batch * (context + 1))
    gains = Fraction(2 * 161 * 8192, 335 * 10**10)
    return layers + gains + longer(2 * batch * 8192 * 32_000, 2 * 8192 * 32_000)


def longer(flops: int, size: int) -> Fraction:
    return max(Fraction(flops, 989 * 10**12), Fraction(size, 335 * 10**10))


@pytest.mark.parametrize("batch", [1, 64, 400])
def test_a_roofline_of_each_operator_is_the_sum_of_theirs(batch: int) -> None:
    body = f"  use step = decode(llama_2_70b, H100, context = 2000, batch = {batch})\n"
    each = one(asked("latency at roofline = each", body, LLAMA))
    assert by_operators(batch, 2000) == each
    whole = one(asked("latency", body, LLAMA))
    assert whole <= each
    assert (whole == each) == (batch < 295)


def test_talk_meanwhile_takes_the_longer_and_not_the_sum() -> None:
    body = "  use step = decode(llama_2_70b, H100, context = 2000, tp = 8, link_latency = 1 us)\n"
    after = one(asked("latency", body, LLAMA))
    chip, link = one(asked("t_memory", body, LLAMA)), one(asked("t_link", body, LLAMA))
    assert chip + link == after
    assert max(chip, link) == one(asked("latency at talk = meanwhile", body, LLAMA))


def test_activations_on_their_way_add_a_percent_to_a_step() -> None:
    body = "  use step = decode(llama_2_70b, H100, context = 2000, batch = 64)\n"
    plain, moved = (
        one(asked(f"bytes at moves_hidden = {c}", body, LLAMA)) for c in ("false", "true")
    )
    hidden = one(asked("hidden_bytes at moves_hidden = true", body, LLAMA))
    assert plain + hidden == moved
    assert 1 < moved / plain < Fraction(101, 100)


def test_two_flops_a_parameter_leave_attention_out_and_count_the_table() -> None:
    body = "  use read = prefill(llama_2_70b, H100, prompt = 2000)\n"
    assert 2 * 68_976_648_192 * 2000 == one(asked("flops at work = parameters", body, LLAMA))
    assert 2 * 68_976_648_192 == one(asked("weights_bytes at streamed = held", body, LLAMA))


def test_a_choice_reaches_phases_that_are_read_inside_others() -> None:
    head = LLAMA.replace("(decode, prefill)", "(completion)")
    body = "  use chat = completion(llama_2_70b, H100, prompt = 2000, tokens = 3, batch = 400)\n"
    whole, each = (one(asked(f"time at roofline = {c}", body, head)) for c in ("whole", "each"))
    assert whole < each


# ---- bound and estimate

CALIBRATED = "memory_efficiency = 0.7, compute_efficiency = 0.5, step_overhead = 1 ms"


def test_an_answer_can_be_had_as_the_bound_and_as_the_estimate() -> None:
    about = f"context = 2000, batch = 64, price = 2 $/h, {CALIBRATED}"
    body = f"  use step = decode(llama_2_70b, H100, {about})\n"
    bound = Fraction(64 * 2001 * 327_680 + 2 * 68_714_504_192, 335 * 10**10)
    estimate = bound * 10 / 7 + Fraction(1, 1000)
    assert estimate == one(asked("latency", body, LLAMA))
    assert bound == one(asked("bound_latency", body, LLAMA))
    assert bound == one(asked("latency at efficiency = bound", body, LLAMA))
    assert estimate - bound == one(asked("lost", body, LLAMA))
    prices = [one(asked(f"token_price{at}", body, LLAMA)) for at in ("", " at efficiency = bound")]
    assert estimate / bound == prices[0] / prices[1]


def test_the_bound_of_nested_phases_is_one_setting_too() -> None:
    head = LLAMA.replace("(decode, prefill)", "(completion)")
    body = f"  use chat = completion(llama_2_70b, H100, prompt = 2000, tokens = 3, {CALIBRATED})\n"
    ideal = body.replace(CALIBRATED, "step_overhead = 0 s")
    assert one(asked("time", ideal, head)) == one(asked("time at efficiency = bound", body, head))


def test_the_condition_of_a_measured_rate_never_beats_the_bound() -> None:
    body = "  use step = decode(llama_2_70b, H100, context = 2000, batch = 64)\n"
    found = asked("solve latency == 60 ms for memory_efficiency", body, LLAMA)
    (case,) = cases(found)
    assert case is not None and 0.8925 == round(near(found), 4)
