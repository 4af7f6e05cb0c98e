"""The room for a cache as engines print it, and what a token takes of it: printed lines."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.answer.asked import asked, near, one

HEAD = """
import hardware.nvidia (A100_40GB, H100_SXM)
import models.deepseek (deepseek_v3)
import models.falcon (falcon_7b)
import models.llama (llama_2_7b, llama_3_8b, llama_3_1_8b, llama_3_70b)
import models.qwen (qwen_1_5_7b, qwen_3_30b_a3b, qwen_3_235b_a22b, qwen_3_4b)
import serving.paged (pool, paging, vllm, sglang, tensorrt_llm)
import std.decoder (decoder)
import std.format (bf16, format, fp8)
import std.ops (attend, cache_held, slot, weights_held)

record four_bits is format {
  width    = 4 bit    source "four bits without scales"
  computes = bf16
}

## Each of 128 heads with a key of 192 and a value of 128 numbers of its own.
model own_heads is decoder {
  repeat 61 { term attend = attend(128, 128, 160) }
}

model tiny_llama is decoder {
  repeat 22 { term attend = attend(32, 4, 64) }
}
"""
GIB = 1 << 30


def pool(model: str, chip: str, settings: str) -> str:
    return f"  use start = pool({model}, {chip}, {settings})\n"


# ---- what start-up lines say


def test_so_many_blocks_are_so_many_tokens_and_requests_of_the_longest() -> None:
    body = pool("llama_3_1_8b", "H100_SXM", "max_length = 2048") + "  blocks = 127_626\n"
    assert 2_042_016 == one(asked("tokens", body, HEAD))
    assert 997.08 == round(near(asked("concurrency", body, HEAD)), 2)


@pytest.mark.parametrize(("up", "blocks"), [("true", 631), ("false", 630)])
def test_a_part_of_a_block_counts_or_does_not(up: str, blocks: int) -> None:
    body = pool("qwen_1_5_7b", "A100_40GB", "max_length = 2048, by = tensorrt_llm")
    body += f"  room      = 0.9 * 21.89 GiB\n  rounds_up = {up}\n"
    assert 32 << 20 == one(asked("block_bytes", body, HEAD))
    assert blocks == one(asked("blocks", body, HEAD))


def test_the_room_is_nine_tenths_of_the_rest_or_of_all() -> None:
    held = 16_060_522_496
    for by, room in (
        ("vllm", Fraction(9, 10) * Fraction(791, 10) * GIB - held - GIB),
        ("tensorrt_llm", Fraction(9, 10) * (Fraction(791, 10) * GIB - held - GIB)),
    ):
        body = pool("llama_3_1_8b", "H100_SXM", f"max_length = 8192, by = {by}")
        assert room == one(asked("room at reserved = 1 GiB", body, HEAD))


def test_a_cache_in_eight_bits_was_counted_and_the_room_had_shrunk() -> None:
    body = pool("qwen_3_30b_a3b", "A100_40GB", "max_length = 221_000, kv = fp8")
    assert 49_152 == one(asked("token_bytes", body, HEAD))
    needed = one(asked("request_bytes", body, HEAD))
    assert (221_000 * 49_152, 10.117) == (needed, round(float(needed) / GIB, 3))
    left = one(asked("room / token_bytes at room = 5.59 GiB", body, HEAD))
    assert 122_115 == int(left)
    assert pytest.approx(122_080, rel=5e-4) == int(left)
    assert pytest.approx(230_528, rel=5e-4) == float(10.55 * GIB / 49_152)
    assert 2.31 == round(near(asked("tokens / 100_000 tok at room = 10.5527 GiB", body, HEAD)), 2)


def test_keys_and_values_that_are_printed_in_gb_are_gib() -> None:
    body = pool("qwen_3_235b_a22b", "H100_SXM", "max_length = 32_768, by = sglang, tp = 4")
    body += "  blocks = 367_404\n"
    keys = one(asked("tokens * token_bytes / 2", body, HEAD))
    assert (8.23, 8.84) == (round(float(keys) / GIB, 2), round(float(keys) / 1e9, 2))


@pytest.mark.parametrize(
    ("model", "settings", "tokens", "printed"),
    [("llama_2_7b", "", 132_608, 69_524_783_104), ("tiny_llama", "", 116_617 * 32, 78.30)],
)
def test_allocated_bytes_are_tokens_times_their_slots(
    model: str, settings: str, tokens: int, printed: float
) -> None:
    body = pool(model, "H100_SXM", f"max_length = 2051{settings}") + f"  tokens = {tokens} tok\n"
    found = one(asked("tokens * token_bytes", body, HEAD))
    assert printed == (found if printed > 1e6 else round(float(found) / GIB, 2))


def test_a_request_of_2051_tokens_takes_65_blocks_of_32() -> None:
    body = pool("tiny_llama", "H100_SXM", "max_length = 2051") + "  page = 32\n"
    assert 65 == one(asked("request_blocks", body, HEAD))


def test_fifty_eight_gib_are_58_requests_of_8192() -> None:
    body = pool("llama_3_1_8b", "H100_SXM", "max_length = 8192") + "  room = 58 GiB\n"
    assert (475_136, 58) == (
        one(asked("tokens", body, HEAD)),
        one(asked("concurrency", body, HEAD)),
    )
    weights = asked("model.total(weights_held) == 15 GiB within 1 %", body, HEAD)
    assert weights.value is True
    assert 14.96 == round(near(asked("model.total(weights_held) / 1 GiB", body, HEAD)), 2)


@pytest.mark.parametrize(
    ("box", "other"), [("83 GB", "77.3 GiB"), ("16 GB", "14.9 GiB"), ("84.9 GB", "79.1 GiB")]
)
def test_a_box_in_gb_is_seven_percent_less_in_gib(box: str, other: str) -> None:
    assert asked(f"{box} == {other} within 0.1 %").value is True
    wrong = asked(f"{other} == {other.replace('GiB', 'GB')} within 0.1 %")
    assert (False, "GB for GiB") == (wrong.value, wrong.slip)


# ---- blocks that are not full


def test_on_average_half_of_the_last_block_is_empty() -> None:
    body = "  use one = paging(vllm, max_length = 4096)"
    lost = [int(one(asked(f"empty at length = {n}", body, HEAD))) for n in range(1, 17)]
    assert list(range(15, -1, -1)) == lost
    assert Fraction(sum(lost), 16) == one(asked("mean_empty", body, HEAD))


# ---- what a token takes, and whose formula is a slip


def one_model(name: str) -> str:
    return f"  use m = {name}\n"


@pytest.mark.parametrize(
    ("width", "bytes_"), [("four_bits", 61 * 18 << 20), ("bf16", 61 * 4 * 18 << 20)]
)
def test_a_latent_cache_is_576_numbers_a_layer(width: str, bytes_: int) -> None:
    ask = f"m.total(cache_held) at m.past = 65_535, m.kv = {width}"
    found = asked(ask, one_model("deepseek_v3"), HEAD)
    assert bytes_ == one(found)


def test_without_the_latent_space_it_is_71_times_as_much() -> None:
    found = one(asked("m.total(cache_held) at m.past = 65_535", one_model("own_heads"), HEAD))
    assert (305.0, 71.1) == (round(float(found) / GIB, 1), round(128 * 320 / 576, 1))
    assert 61 * 128 * 320 * 2 * 65_536 == found


def test_a_width_of_heads_that_is_given_wins_over_the_quotient() -> None:
    assert 147_456 == one(asked("m.total(slot)", one_model("qwen_3_4b"), HEAD))
    assert 92_160 == one(
        asked("m.total(slot) at m.d_head = 2560 / 32", one_model("qwen_3_4b"), HEAD)
    )


WIDE = "2 * layers * heads * d_head * 2 B/tok"
"""Keys and values of all query heads, as if each had a cache of its own."""


@pytest.mark.parametrize(
    ("model", "claim", "times"),
    [("llama_2_7b", f"8 * {WIDE}", 8), ("llama_3_8b", WIDE, 4), ("llama_3_70b", WIDE, 8)],
)
def test_a_formula_that_counts_too_much_is_refuted_with_both_sides(
    model: str, claim: str, times: int
) -> None:
    found = asked(f"{claim} == total(slot) within 1 %", one_model(model), HEAD)
    assert found.value is False
    assert found.sides is not None
    left, right = (side.value for side in found.sides)
    assert isinstance(left, Fraction) and isinstance(right, Fraction)
    assert times == left / right


@pytest.mark.parametrize(("past", "size"), [("true", 1.342), ("false", 10.737)])
def test_seventy_billion_at_4096_tokens_are_a_gigabyte_and_not_ten(past: str, size: float) -> None:
    tokens = f"if {past} then total(slot) else {WIDE}"
    found = asked(f"4096 tok * ({tokens})", one_model("llama_3_70b"), HEAD)
    assert size == round(near(found) / 1e9, 3)


def test_one_head_for_all_is_35_times_as_many_tokens() -> None:
    found = one(asked("1 GB / m.total(slot)", one_model("falcon_7b"), HEAD))
    guessed = Fraction(10**9, 32 * 4544 * 2)
    assert (122_070, 35.5) == (int(found), round(float(found / guessed), 1))


@pytest.mark.parametrize(("tokens", "size"), [(4096, 512 << 20), (131_072, 16 << 30)])
def test_a_context_of_4096_is_half_a_gib(tokens: int, size: int) -> None:
    found = asked(f"m.total(cache_held) at m.past = {tokens - 1}", one_model("llama_3_1_8b"), HEAD)
    assert size == one(found)
