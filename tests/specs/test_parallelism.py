"""Steps over several chips, as published pages and threads work them out, from the shapes alone."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.answer.asked import all_asked, asked, cases, near, one
from tests.specs.figures import Figure, told

POD = """
import hardware.google (TPU_v5e)
import models.chapter (round_70b)
import models.llama (llama_2_13b)
import std.conventions (by_memory)
import std.decoder (decoder)
import std.format (format, int8, int8_weights)
import std.ops (attend, linear)
import std.phases (decode, prefill)

## Seventy billion parameters and 160 kB a token, as a page rounds them.
model seventy is decoder {
  weights = int8
  kv      = int8
  term all   = linear(1, 70_000_000_000, cut = 200)
  term cache = attend(200, 200, 400)
}
"""
PAGE = """
  use step = decode(seventy, TPU_v5e, context = 8192, tp = 8, counting = by_memory)
  hbm_bandwidth = 0.81 TB/s     source "How to Scale Your Model, part 2"
  link_latency  = 0 s           source "the page leaves links out"
"""

# ---- pages of a book, on TPU v5e with 0.81 or 0.82 TB/s


def test_eight_chips_serve_a_batch_of_32_in_17_milliseconds() -> None:
    time, chip = all_asked("t_memory at batch = 32", "chip_rate at batch = 32", body=PAGE, head=POD)
    expected = Fraction(70 * 10**9 + 160_000 * 8192 * 32, 8 * 81 * 10**10)
    assert expected == one(time)
    assert 17.3 == round(float(expected) * 1000, 1)
    assert 231.5 == round(float(one(chip)), 1)


def test_the_whole_memory_is_read_in_20_milliseconds_whatever_the_model() -> None:
    found = asked("hardware.hbm_capacity / hardware.hbm_bandwidth show ms", PAGE, POD)
    assert 19.8 == round(near(found) * 1000, 1)


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ("int8", Fraction(394, 1) / 2 / Fraction(81, 100)),
        ("int8_weights", Fraction(197, 162) * 100),
    ],
)
def test_weights_are_bound_by_compute_from_a_batch_on(weights: str, expected: Fraction) -> None:
    about = (
        "  use step = decode(round_70b, TPU_v5e, context = 0)\n"
        '  hbm_bandwidth = 0.81 TB/s  source "the book\'s"\n'
    )
    found = asked(f"solve t_compute == t_memory for batch at weights = {weights}", about, POD)
    assert {"int8": 243.2, "int8_weights": 121.6}[weights] == round(near(found), 1)
    assert expected == one(found)


@pytest.mark.parametrize(
    ("batch", "printed"),
    [(1, 4.99), (8, 12.15), (16, 20.34), (32, 36.70), (64, 69.44), (240, 249.49)],
)
def test_thirteen_billion_on_eight_chips_take_what_their_shapes_say(
    batch: int, printed: float
) -> None:
    about = """
  use one = decode(llama_2_13b, TPU_v5e, context = 8192, counting = by_memory)
  use all = one
  one.hbm_bandwidth = 8 * 0.82 TB/s     source "the page's 6.56 TB/s of eight chips"
  all.hbm_bandwidth = 0.82 TB/s
  all.tp            = 8
"""
    one_chip, a_part = (
        near(found) * 1000
        for found in all_asked(
            f"one.t_memory at one.batch = {batch}",
            f"all.t_memory at one.batch = {batch}",
            body=about,
            head=POD,
        )
    )
    assert printed == round(one_chip, 2)
    # Eight real chips each read the gains of all norms: less than a microsecond.
    assert one_chip < a_part < one_chip + 0.001


# ---- a cache head on several chips, a latent on all


@pytest.mark.parametrize(
    ("heads", "tp", "held"), [(8, 4, 2), (8, 8, 1), (8, 16, 1), (8, 32, 1), (2, 4, 1), (2, 2, 1)]
)
def test_a_chip_has_at_least_one_cache_head(heads: int, tp: int, held: int) -> None:
    about = "cost 1\nimport std.decoder (decoder)\nimport std.ops (attend, slot)\n" + (
        f"model some is decoder {{\n  term attend = attend(64, {heads}, 128)\n}}\n"
        "scenario s {\n  use m = some\n}\n"
    )
    asked_ = Figure(str(held * 512), f"m.total(slot) at m.on.tp = {tp} show B/tok", about, "heads")
    assert asked_.expected == told(asked_)


def test_a_model_over_two_chips_leaves_room_for_one_request_of_20_000_and_not_for_four() -> None:
    head = "import hardware.nvidia (H100_SXM)\nimport models.llama (llama_3_1_70b)\n" + (
        "import serving.paged (pool)\n"
    )
    body = "  use p = pool(llama_3_1_70b, H100_SXM, tp = 2, max_length = 20_000)\n"
    room, tokens, many = all_asked("2 * room", "tokens", "concurrency", body=body, head=head)
    assert 11.8 == round(float(one(room)) / 10**9, 1)
    assert 35.9 == round(float(one(tokens)) / 1000, 1)
    assert 1 <= one(many) < 2
    refused = asked("concurrency at max_length = 131_072", body, head)
    assert ["longest_fits"] == [broken.name for broken in refused.infeasible]


# ---- what stops a doubling

TWO = """
import hardware.nvidia (H100_SXM)
import models.llama (llama_3_70b)
import std.phases (decode)
"""
PAIR = """
  use one = decode(llama_3_70b, H100_SXM, context = 2000, batch = 64, link_latency = 1 us, tp = 4)
  use two = one
  two.tp = 8
"""


def test_a_doubling_stops_to_pay_at_a_time_of_a_message() -> None:
    found = near(asked("solve one.latency == two.latency for one.link_latency", PAIR, TWO))
    quick, slow = (
        near(asked(f"two.latency - one.latency at one.link_latency = {time} ns", PAIR, TWO))
        for time in (int(found * 10**9), int(found * 10**9) + 1)
    )
    assert quick < 0 < slow


def test_a_ring_is_better_than_a_tree_from_a_batch_on() -> None:
    ask = (
        "solve two.t_link == one.t_link for one.batch "
        "at one.tp = 8, one.adds = tree, two.adds = ring"
    )
    (case,) = cases(asked(ask, PAIR, TWO))
    assert case.value is not None
    # 14 messages less 6, in the 4.25 of 16 KiB that a tree sends more: 2 · 3 less 2 · 7/8.
    expected = Fraction(8, 10**6) * 450 * 10**9 / (Fraction(17, 4) * 16_384)
    assert expected == case.value.exact


@pytest.mark.parametrize("tp", [2, 4, 8])
def test_twice_the_chips_never_halve_a_step(tp: int) -> None:
    half, whole = (
        near(asked(f"one.latency at one.tp = {n}", PAIR, TWO)) for n in (tp, max(tp // 2, 1))
    )
    assert whole / 2 < half < whole


def test_stages_multiply_what_is_done_and_leave_the_time_of_a_token() -> None:
    body = PAIR + "  one.network_latency = 5 us\n"
    times, rates = zip(
        *(
            map(
                near,
                all_asked(
                    f"two.latency at one.pp = {pp}",
                    f"two.rate at one.pp = {pp}",
                    body=body,
                    head=TWO,
                ),
            )
            for pp in (1, 2, 4)
        ),
        strict=True,
    )
    assert list(times) == sorted(times)
    assert 1.01 > times[2] / times[0]
    assert 3.9 < rates[2] / rates[0] < 4
