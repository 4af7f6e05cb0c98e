"""Which claims of chapter 1 hang on which input: change one, and just those move."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from costlang.answer import Verdict
from costlang.pipeline import run
from costlang.text import Source

GUIDE = Path(__file__).parents[2] / "specs" / "guide" / "01_token_generation.cost"
IMPORTED = "import models.chapter (round_70b)"
LARGER = """model round_70b is decoder {
  term all = linear(1, 71_000_000_000)
}

## The chapter's own"""


def claims(text: str) -> dict[str, Verdict]:
    """Return the checks of the chapter by name."""
    report = run(Source("guide.cost", text))
    assert report.usable, report.diagnostics
    return {check.name: check for check in report.checks if check.owner == "chapter1"}


def reading(check: Verdict) -> tuple[object, ...]:
    """Return the verdict of *check* and the values on both of its sides."""
    return check.holds, *(side.value for side in check.sides or ())


@cache
def shipped() -> dict[str, Verdict]:
    """Return the checks of the chapter as it is shipped."""
    return claims(GUIDE.read_text(encoding="utf-8"))


def moved(text: str) -> set[str]:
    """Return the checks whose verdict or sides differ from those of the guide as it is shipped."""
    before, after = shipped(), claims(text)
    assert before.keys() == after.keys()
    return {name for name in before if reading(before[name]) != reading(after[name])}


def changed(old: str, new: str) -> str:
    text = GUIDE.read_text(encoding="utf-8")
    assert old in text
    return text.replace(old, new, 1)


# Per token of the prompt and per byte of the weights; what the ratio of two of them leaves out.
PACE = {"rate", "achieved", "utilization", "idle"}
STEPS = {"sequential", "fixed"}
WHOLE = {*STEPS, "first"}
CHANGES = {
    "format": (
        "model.weights   = bf16",
        "model.weights   = int8_weights",
        {"weights_bytes", "same_weights", *STEPS, *PACE},
    ),
    "batch": ("model.batch     = 1 ", "model.batch     = 2 ", PACE | WHOLE | {"one_row"}),
    "peak": (
        "chip.peak[bf16] = 989 TFLOP/s",
        "chip.peak[bf16] = 500 TFLOP/s",
        {"utilization", "idle", *WHOLE},
    ),
    "bandwidth": (
        "  chip.price ",
        "  chip.hbm_bandwidth = 3 TB/s\n  chip.price ",
        {"bandwidth", *STEPS, *PACE},
    ),
    "price": ("chip.price      = 4 .. 8 $/h", "chip.price      = 40 $/h", set()),
    "parameters": (
        "## The chapter's own",
        LARGER,
        {"weights_bytes", "same_weights", "parameters", "rate", *WHOLE},
    ),
    "prompt": ("read.prompt     = 2000", "read.prompt     = 3000", {"magnitude", "first"}),
    "prompt of the chat": ("chat.prompt     = 2000", "chat.prompt     = 3000", WHOLE),
    "tokens": ("chat.tokens     = 500", "chat.tokens     = 501", STEPS),
}


def test_every_claim_of_the_chapter_holds_as_it_is_shipped() -> None:
    found = shipped()
    assert dict.fromkeys(found, True) == {name: check.holds for name, check in found.items()}


@pytest.mark.parametrize("name", CHANGES)
def test_one_changed_input_moves_just_the_claims_that_hang_on_it(name: str) -> None:
    old, new, expected = CHANGES[name]
    text = changed(old, new)
    if name == "format":
        text = text.replace("import std.format (bf16, fp8)", "import std.format (int8_weights)")
    if name == "parameters":
        text = text.replace(IMPORTED, "import std.decoder (decoder)")
        text = text.replace("std.ops (params, ", "std.ops (linear, params, ")
    assert expected == moved(text)


def test_a_format_of_another_arithmetic_reads_another_peak() -> None:
    text = changed("model.weights   = bf16", "model.weights   = fp8")
    assert {"weights_bytes", "same_weights", *PACE, *WHOLE} <= moved(text)


def test_the_price_moves_no_claim_and_both_ends_of_the_cost() -> None:
    text = changed("chip.price      = 4 .. 8 $/h", "chip.price      = 8 .. 16 $/h")
    prices = [
        next(a.value for a in run(Source("guide.cost", x)).answers if a.name == "price")
        for x in (GUIDE.read_text(encoding="utf-8"), text)
    ]
    assert (2 * prices[0].low, 2 * prices[0].high) == (prices[1].low, prices[1].high)  # type: ignore[union-attr]


def test_each_claim_hangs_on_some_input_or_on_the_shipped_library_alone() -> None:
    hanging = set().union(*(expected for _, _, expected in CHANGES.values()))
    # Bounds by name and by an inequality hold on the far side of small changes; two are of the
    # shipped chip, and one is 100 % of any bandwidth while a step is bound by memory. What the
    # chip costs an hour is bound by each of the two checks itself.
    coarse = {"prefill_bound", "decode_bound", "near_ceiling", "compute_peak", "saturated"}
    coarse |= {"paid_low", "paid_high"}
    assert set(shipped()) == hanging | coarse


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("read.prompt     = 2000", "read.prompt     = 200", "prefill_bound"),
        ("model.batch     = 1 ", "model.batch     = 400 ", "decode_bound"),
        ("read.prompt     = 2000", "read.prompt     = 290", "near_ceiling"),
        ("model.batch     = 1 ", "model.batch     = 400 ", "saturated"),
    ],
)
def test_a_bound_changes_side_when_its_input_goes_far_enough(old: str, new: str, name: str) -> None:
    assert False is claims(changed(old, new))[name].holds
