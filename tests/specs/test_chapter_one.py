"""Chapter 1: each claim hangs on the inputs that it should hang on, and on no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from costlang.pipeline import run
from costlang.text import Source

GUIDE = Path(__file__).parents[2] / "specs" / "guide" / "01_token_generation.cost"

CHANGES = [
    ("model.weights   = bf16", "model.weights   = fp8", {"weights_bytes", "rate", "achieved"}),
    ("chip.peak[bf16] = 989 TFLOP/s", "chip.peak[bf16] = 494 TFLOP/s", {"utilization", "idle"}),
    (
        "model.batch     = 1 ",
        "model.batch     = 2 ",
        {"rate", "achieved", "utilization", "idle", "one_row"},
    ),
    ("chip.price      = 4 .. 8 $/h", "chip.price      = 3 .. 9 $/h", set()),
    ("read.prompt     = 2000", "read.prompt     = 500", {"magnitude", "first"}),
]


def failing(text: str) -> set[str]:
    """Return the names of the checks of the chapter that do not hold."""
    report = run(Source("guide.cost", text))
    assert report.usable, report.diagnostics
    return {check.name for check in report.checks if check.holds is not True}


def test_every_claim_of_the_chapter_holds() -> None:
    assert set() == failing(GUIDE.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("old", "new", "broken"), CHANGES)
def test_one_changed_input_breaks_just_the_claims_that_hang_on_it(
    old: str, new: str, broken: set[str]
) -> None:
    text = GUIDE.read_text(encoding="utf-8")
    assert old in text
    assert broken == failing(text.replace(old, new, 1))
