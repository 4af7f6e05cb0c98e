"""What tokens and training cost, against figures that were printed or are worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.answer.asked import all_asked, asked, cases, line, near, one, solved

TERA = 10**12

# ---- the price of a token against the batch: 70 billion parameters on eight chips for 16 $/h

EIGHT = """
import hardware.nvidia (H100_SXM)
import serving.price (billed, own_or_buy)
import std.decoder (decoder)
import std.ops (attend, linear)

## Seventy billion parameters cut over the chips, and the cache of Llama 2 70B; nothing is sent.
model seventy is decoder {
  term all = linear(1, 70_000_000_000, cut = 64)
  repeat 80 { term attend = attend(64, 8, 128) }
}
"""
SERVER = """
  use step = billed(seventy, H100_SXM, tp = 8, context = 2000, new_slot = false)
  price        = 2 $/h    source "16 $/h for eight"
  link_latency = 0 s      source "nothing is sent"
"""
RATE = 8 * 335 * 10**10
"""Bytes a second of eight chips."""


@pytest.mark.parametrize(
    ("batch", "printed"), [(1, 23.3), (8, 3.01), (32, 0.83), (128, 0.29), (256, 0.20)]
)
def test_a_token_costs_less_the_more_share_a_step(batch: int, printed: float) -> None:
    found = one(asked(f"token_price at batch = {batch}", SERVER, EIGHT))
    read = Fraction(140 * 10**9 + batch * 2000 * 327_680, RATE)
    assert Fraction(16, 3600) * read / batch == found
    places = 2 if printed < 10 else 1
    assert printed == pytest.approx(float(found * 10**6), abs=10**-places)


def test_the_floor_under_every_batch_is_a_sequence_s_own_cache() -> None:
    found = one(asked("limit token_price as batch -> inf", SERVER, EIGHT))
    assert Fraction(16, 3600) * Fraction(2000 * 327_680, RATE) == found
    assert 0.109 == round(float(found * 10**6), 3)


def test_a_server_that_is_busy_a_third_of_the_time_costs_three_times_as_much() -> None:
    sold, full = all_asked(
        "sold_price", "token_price", body=SERVER + "  batch = 8\n  busy = 1 / 3\n", head=EIGHT
    )
    assert 3 * one(full) == one(sold)


@pytest.mark.parametrize(
    ("price", "rate", "printed"), [("2.50 $/h", 50, 13.89), ("2 $/h", 85, 6.54)]
)
def test_dollars_an_hour_over_tokens_a_second_is_what_it_is(
    price: str, rate: int, printed: float
) -> None:
    body = f"""
  use step = billed(seventy, H100_SXM, context = 2000)
  price = {price}
  rate  = {rate} tok/s
"""
    found = one(asked("token_price", body, EIGHT))
    assert printed == round(float(found * 10**6), 2)


def test_one_stream_of_many_is_no_rate_of_a_chip() -> None:
    """Fifty tokens a second are one stream: with 64 of them a token costs a 64th."""
    body = "  use step = billed(seventy, H100_SXM, context = 2000, price = 2.50 $/h)\n"
    alone, shared = all_asked(
        "token_price at batch = 1", "token_price at batch = 64", body=body, head=EIGHT
    )
    assert 40 < one(alone) / one(shared) < 64


# ---- a server against an API

OWN = """
  use own = own_or_buy(seventy, H100_SXM, tp = 8, context = 2000, batch = 64, price = 2 $/h)
  api_price    = 0.60 $/Mtok
  link_latency = 0 s
"""


def test_the_break_even_volume_is_rent_over_the_price_of_the_api() -> None:
    found = one(asked("break_even", OWN, EIGHT))
    assert Fraction(16, 3600) / (Fraction(60, 100) / 10**6) == found
    root = asked("solve bill == bought for volume", OWN, EIGHT)
    assert found == one(root)
    (case,) = cases(root)
    assert case.formula is not None and "volume = 7_407 tok/s" == line(root)


def test_whether_the_servers_make_so_much_is_a_question_apart() -> None:
    ask = "headroom, own.rate / own.break_even at volume = 1 Mtok/h"
    cheap, dear = (f"{ask}, api_price = {price} $/Mtok" for price in ("0.2", "2"))
    for question, enough in ((cheap, False), (dear, True)):
        headroom, ratio = all_asked(question, body=OWN, head=EIGHT)
        assert one(headroom) == one(ratio)
        assert enough == (one(headroom) > 1)


def test_a_volume_beyond_the_servers_is_answered_and_said_to_be_out_of_reach() -> None:
    answer = asked("bought at volume = 100 Gtok/day", OWN, EIGHT)
    assert Fraction(100 * 10**9, 86_400) * Fraction(6, 10**7) == one(answer)
    far = asked("sold_price at volume = 100 Gtok/day", OWN, EIGHT)
    assert "carried" in {broken.name for broken in far.infeasible}


def test_a_month_is_a_twelfth_of_a_year_of_rent() -> None:
    month, year = all_asked("bill * 1 month", "bill * 1 year", body=SERVER, head=EIGHT)
    assert (16 * 730, 16 * 8760) == (one(month), one(year))


# ---- prices of a page, a slow chip, a lesson that is off by a thousand

LIBRARY = """
import hardware.nvidia (A10, H100_SXM, A100_80GB)
import models.llama (llama_2_7b, llama_3_8b, llama_2_70b)
import std.ops (flops, slot)
import std.phases (decode, prefill)
"""


def test_27_milliseconds_on_an_a10_are_83_percent_of_what_there_is() -> None:
    body = "  use step = decode(llama_2_7b, A10, context = 0, streamed = held, new_slot = false)\n"
    bound = one(asked("latency", body, LIBRARY))
    assert Fraction(2 * 6_738_415_616, 600 * 10**9) == bound
    assert 22.5 == round(float(bound * 1000), 1)
    found = asked("solve latency == 27 ms for memory_efficiency", body, LIBRARY)
    assert 0.83 == round(near(found), 2)
    twice = solved(asked("solve latency == 13.5 ms for memory_efficiency", body, LIBRARY))
    assert "none" == twice.outcome
    eighth = "import std.format (int8_weights)\n"
    fewer = asked("latency at weights = int8_weights", body, LIBRARY + eighth)
    assert bound / 2 == one(fewer)


def test_half_a_gigabyte_of_cache_is_read_in_a_sixth_of_a_millisecond() -> None:
    body = "  use m = llama_3_8b\n  use chip = H100_SXM\n"
    asks = ("4096 tok * m.total(slot)", "4096 tok * m.total(slot) / chip.hbm_bandwidth")
    size, time = all_asked(*asks, body=body, head=LIBRARY)
    assert 536_870_912 == one(size)
    assert Fraction(536_870_912, 335 * 10**10) == one(time)
    assert 0.160 == round(float(one(time)) * 1000, 3)
    said = Fraction(14925, 100_000) / one(time)
    assert 900 < said < 1000
    assert 33 == one(asked("floor(18 GB / (4096 tok * m.total(slot)))", body, LIBRARY))


def test_groups_of_heads_cut_bytes_and_no_flops() -> None:
    body = "  use m = llama_2_70b\n  m.past = 999\n"
    pairs = one(asked("m.layers.attention.attend.flops / 80 / 1000", body, LIBRARY))
    assert 4 * 64 * 128 == pairs == 32_768
    all_heads = one(
        asked("m.layers.attention.attend.flops / 80 / 1000 at m.kv_heads = 64", body, LIBRARY)
    )
    assert pairs == all_heads


def test_the_ridges_of_two_chips_side_by_side_are_far_apart() -> None:
    head = LIBRARY.replace("A10, ", "L40S, ")
    body = """
  use ada    = prefill(llama_3_8b, L40S, prompt = 2000)
  use ampere = prefill(llama_3_8b, A100_80GB, prompt = 2000)
  ada.hbm_bandwidth    = 0.85 TB/s
  ampere.hbm_bandwidth = 2.0 TB/s
  ada.hardware.peak[bf16]    = 366 TFLOP/s
  ampere.hardware.peak[bf16] = 312 TFLOP/s
"""
    first, second = all_asked("ada.ridge_point", "ampere.ridge_point", body=body, head=head)
    assert (430.6, 156) == (round(float(one(first)), 1), one(second))


def test_a_page_of_prefill_times_implies_a_rate_and_an_overhead() -> None:
    """Measured: 20.2 ms for 512 tokens and 78.2 ms for 2,048, of Llama 2 7B."""
    body = """
  use short = prefill(llama_2_7b, A100_80GB, prompt = 512)
  use long  = prefill(llama_2_7b, A100_80GB, prompt = 2048)
  param reached : [FLOP/s]
  param late : [s] in 0..
"""
    ask = (
        "solve short.flops / reached + late == 20.2 ms "
        "and long.flops / reached + late == 78.2 ms for reached, late"
    )
    ((reached, late),) = solved(asked(ask, body, LIBRARY)).points
    assert 361 == pytest.approx(float(Fraction(reached[2].low)) / TERA, rel=0.06)
    assert 0 < float(Fraction(late[2].low)) < 0.002
