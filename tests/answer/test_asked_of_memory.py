"""Questions of people who plan memory: what fits, how long, how many, and whose claim is a slip."""

from __future__ import annotations

from fractions import Fraction

import pytest

from costlang.pipeline import run
from costlang.text import Source
from tests.answer.asked import as_json, asked, cases, form, line, one, solved, spec, worth

HEAD = """
import hardware.nvidia (H100_SXM)
import models.llama (llama_3_70b)
import std.format (bf16, fp8)
import std.ops (cache_held, weights_held)
import std.phases (decode)

hardware visible is H100_SXM {
  hbm_capacity = 79.1 GiB    source "nvidia-smi: 81,559 MiB less what the driver holds"
}
"""
GIB = 1 << 30
MATRICES, TABLE, GAINS = 68_451_041_280 + 128_256 * 8192, 128_256 * 8192, (2 * 80 + 1) * 8192
"""Parameters of Llama 3 70B that are cut in two, the look-up, and what every chip holds."""


def room(width: int, share: Fraction = Fraction(9, 10)) -> Fraction:
    """Return the bytes that are left for a cache on one of two chips."""
    held = width * (Fraction(MATRICES + TABLE, 2) + GAINS)
    return share * Fraction(791, 10) * GIB - held


# ---- the largest batch on two chips


TWO_CHIPS = """
  use one = decode(llama_3_70b, visible)
  tp      = 2
  weights = {weights}
  ## What an engine leaves to the cache.
  let pool = 90 % * hbm_capacity - model.total(weights_held)
"""
KEPT = "model.total(cache_held) <= pool"


@pytest.mark.parametrize(("kv", "width", "batch"), [("bf16", 2, 61), ("fp8", 1, 122)])
def test_sixty_one_prompts_of_4096_fit_two_chips_and_twice_as_many_in_half_the_bytes(
    kv: str, width: int, batch: int
) -> None:
    ask = f"largest batch with {KEPT} at context = 4095, kv = {kv}"
    found = asked(ask, TWO_CHIPS.format(weights="fp8"), HEAD)
    per_token = 2 * 80 * 4 * 128 * width
    boundary = room(1) / (per_token * 4096)
    assert (batch, batch) == (one(found), boundary.numerator // boundary.denominator)
    (case,) = cases(found)
    assert case.value is not None and case.formula is not None
    assert boundary == case.value.exact == worth(case.formula, {})
    assert [KEPT] == [limit.name for limit in solved(found).binding]
    assert ["fits"] == [limit.name for limit in solved(found).next_binding]


def test_the_pool_of_two_chips_holds_a_quarter_of_a_million_tokens() -> None:
    found = asked("pool / (model.total(cache_held) / (context + 1 tok)) at context = 0, batch = 1",
                  TWO_CHIPS.format(weights="fp8"), HEAD)  # fmt: skip
    assert room(1) / 163_840 == found.value
    assert 251 == round(float(room(1) / 163_840) / 1000)


# ---- the longest context


def test_the_longest_context_of_one_request_is_36_thousand_tokens() -> None:
    found = asked(
        f"largest context with {KEPT} at batch = 1", TWO_CHIPS.format(weights="bf16"), HEAD
    )
    by_hand = room(2) / 163_840 - 1
    assert (35_916, 35_916) == (one(found), by_hand.numerator // by_hand.denominator)


@pytest.mark.parametrize(("context", "batch"), [(19_999, 1), (131_071, None)])
def test_at_a_context_there_is_room_for_one_or_for_none(context: int, batch: int | None) -> None:
    ask = f"largest batch with {KEPT} at context = {context}"
    found = asked(ask, TWO_CHIPS.format(weights="bf16"), HEAD)
    fits = room(2) / (163_840 * (context + 1))
    if batch is None:
        assert fits < 1
        assert f"none: `{KEPT}` and `fits` cannot hold" == line(found)
        assert "none" == solved(found).outcome
    else:
        assert (batch, batch) == (one(found), fits.numerator // fits.denominator)


@pytest.mark.parametrize(
    ("context", "batch", "printed"), [(131_071, 1, 42.9), (19_999, 1, 6.55), (19_999, 4, 26.2)]
)
def test_what_a_context_needs_on_both_chips(context: int, batch: int, printed: float) -> None:
    ask = f"2 * model.total(cache_held) at context = {context}, batch = {batch}"
    found = asked(ask, TWO_CHIPS.format(weights="bf16"), HEAD)
    assert 327_680 * (context + 1) * batch == found.value
    assert printed == pytest.approx(float(found.value) / 1e9, abs=0.06)  # type: ignore[arg-type]


# ---- a claim, refuted


CLAIMS = """
  use m = llama_3_70b
  let cache = m.total(cache_held)
"""


@pytest.mark.parametrize(
    ("batch", "tokens", "claim", "slip"),
    [(8, 8192, 80, None), (4, 131_072, 160, "GB for GiB")],
)
def test_a_claim_is_refuted_and_its_slip_is_named(
    batch: int, tokens: int, claim: int, slip: str | None
) -> None:
    ask = f"cache == {claim} GB within 1 % at batch = {batch}, past = {tokens - 1}"
    found = asked(ask, CLAIMS, HEAD)
    true = batch * tokens * 327_680
    assert (False, slip) == (found.value, found.slip)
    assert found.sides is not None
    assert [true, claim * 10**9] == [side.value for side in found.sides]
    if slip is not None:
        assert Fraction(true, claim * 10**9) == Fraction(GIB, 10**9)
        assert asked(ask.replace("GB", "GiB"), CLAIMS, HEAD).value is True
    assert slip == as_json(ask, CLAIMS, HEAD)["slip"]


def test_a_check_that_claims_so_fails_with_the_same_name() -> None:
    body = CLAIMS + "  check wrong: cache == 160 GB within 1 % at batch = 4, past = 131_071\n"
    *_, verdict = run(Source("s.cost", spec(body, head=HEAD))).checks
    assert (False, "GB for GiB") == (verdict.holds, verdict.slip)


# ---- whole things


BLOCKS = """
  param tokens : [tok] in 1..
  param page : [tok] = 16
  param free : [B]
  param chips : count
  param each : count
  let blocks = ceil(tokens / page)
"""


def test_a_pool_of_pages_is_solved_and_then_rounded() -> None:
    ask = "largest tokens with blocks * page * 327_680 B/tok <= free at free = 10 GB"
    pages = 10**10 // (16 * 327_680)
    assert 16 * pages == one(asked(ask, BLOCKS))
    exact = asked("solve blocks == 100 for tokens", BLOCKS)
    assert ("tokens in 1_585..1_600", ((1585, 1600),)) == (line(exact), solved(exact).integers)


def test_the_fewest_chips_are_a_whole_number_and_the_boundary_is_told_beside_it() -> None:
    found = asked("smallest chips with 140 GB <= chips * 72 GB", BLOCKS)
    (case,) = cases(found)
    assert case.value is not None
    assert (2, Fraction(140, 72)) == (one(found), case.value.exact)
    none = asked("solve floor(chips / 3) * 3 == 10 for chips", BLOCKS)
    assert "none" == solved(none).outcome


# ---- positive names


THRESHOLD = """
  param K : [B]
  param P : [B]
  param y : ratio in 0..
"""


def test_a_threshold_of_one_name_is_where_both_sides_are_equal() -> None:
    found = asked("solve K == P * y for y", THRESHOLD)
    assert ["K / P"] == [form(case) for case in cases(found)]
    known = asked("solve K > P * y for y at K = 3 B, P = 4 B", THRESHOLD)
    assert "0 <= y < 0.75" == line(known)
