"""What people measured or planned, beside what the shapes and the chip allow."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.answer.asked import all_asked, asked, near, one

HEAD = """
import hardware.nvidia (H100_SXM, V100_SXM_16GB)
import models.llama (llama_2_7b, llama_3_8b, llama_3_70b)
import serving.paged (pool)
import std.format (fp8, fp16)
import std.phases (prefill)
"""

# ---- a time to the first token that is flat up to 400 tokens: two V100, Llama 3 8B

FLAT = """
  use read = prefill(llama_3_8b, V100_SXM_16GB, tp = 2, link_latency = 0 s)
  weights = fp16
  let floor = 100 ms
  let slope = 0.25 ms/tok
"""


def test_two_chips_of_an_old_kind_read_eight_billion_weights_in_nine_milliseconds() -> None:
    """All are 8.9 ms; the look-up of tokens is no part of a pass, and norms lie on both chips."""
    found = one(asked("weights_bytes / memory_rate at prompt = 1", FLAT, HEAD))
    norms, table = 65 * 4096, 128_256 * 4096
    cut = 8_030_261_248 - table - norms
    assert Fraction(cut + 2 * norms, 900 * 10**9) == found
    assert 8.9 == round(float(found + Fraction(table - norms, 900 * 10**9)) * 1000, 1)


def test_their_prefill_turns_to_compute_at_139_tokens_and_the_measured_one_at_400() -> None:
    ridge, knee = all_asked("ridge_point", "solve floor == slope * x for x", body=FLAT + (
        "  param x : [tok]\n"
    ), head=HEAD)  # fmt: skip
    assert 139 == round(near(ridge))
    assert 400 == one(knee)


def test_the_measured_slope_is_a_quarter_of_both_peaks() -> None:
    rate = asked("2 FLOP * 8.03e9 / (slope * 1 tok) / (2 * hardware.peak[fp16])", FLAT, HEAD)
    assert 0.26 == round(near(rate), 2)


# ---- a sheet of prefill times: Llama 2 7B, 5.6 ms at first and 37.3 us a token later

SHEET = """
  param tokens : [tok]
  let floor = 5.6 ms
  let slope = (78.2 ms - 20.2 ms) / (2048 tok - 512 tok)
  let fixed = 78.2 ms - slope * 2048 tok
  let time  = max(floor, fixed + slope * tokens)
"""


def test_a_floor_and_a_slope_meet_at_a_knee_that_the_sheet_shows() -> None:
    """Measured were 6.2, 7.7 and 11.6 ms at 64, 128 and 256 tokens."""
    knee, slope = all_asked(
        "solve floor == fixed + slope * tokens for tokens", "slope", body=SHEET, head=HEAD
    )
    assert 116 <= near(knee) <= 128
    assert 37.8 == round(near(slope) * 10**6, 1)


def test_its_slope_is_a_rate_that_one_chip_of_its_time_cannot_have() -> None:
    found = asked("2 FLOP/tok * 6.738e9 / slope / hardware.peak[bf16]", SHEET + (
        "  use read = prefill(llama_2_7b, H100_SXM, prompt = 512)\n"
    ), HEAD)  # fmt: skip
    assert 357 == round(near(found) * 989.4)


# ---- seventy billion weights in eight bits over two chips: which batch of 4,096 tokens

TWO = """
  use p = pool(llama_3_70b, H100_SXM, tp = 2, weights = fp8, max_length = 4096)
"""


@pytest.mark.parametrize(("cache", "batch"), [("fp16", 61), ("fp8", 122)])
def test_two_chips_hold_61_sequences_and_twice_as_many_in_eight_bits(
    cache: str, batch: int
) -> None:
    found = one(asked(f"concurrency at kv = {cache}", TWO, HEAD))
    assert batch == pytest.approx(float(found), abs=1)


# ---- a card of 80 GB that held 83

GIB = 2**30


def test_eighty_three_gigabytes_fit_what_a_card_of_eighty_shows() -> None:
    shown, used, box = all_asked("hardware.visible_capacity", "83 GB", "16 GB", body=TWO, head=HEAD)
    assert 84.9 == round(near(shown) / 10**9, 1)
    assert 79.1 == round(near(shown) / GIB, 1)
    assert 77.3 == round(near(used) / GIB, 1)
    assert 14.9 == round(near(box) / GIB, 1)
