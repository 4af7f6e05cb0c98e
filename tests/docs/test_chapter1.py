"""The pages of chapter 1: filled, and wrong in just the right places once the chip is another."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from costlang.docs.work import work_on

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("chapter1.md", "capitulo1.md")
PATHS = [f"docs/{name}" for name in PAGES]


@pytest.mark.parametrize("name", PAGES)
def test_the_page_says_what_its_spec_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("babel")
    monkeypatch.chdir(ROOT)
    outcome = work_on([f"docs/{name}"])
    assert outcome.usable
    assert [] == [(f.slot.embed.subject, f.old, f.new) for _, f in outcome.found("stale", "false")]
    assert [] == [f.slot.embed.subject for _, f in outcome.found("moved", "empty")]


# ---- another bandwidth, and what that makes of each sentence: worked out here by hand

WEIGHTS, PEAK, PROMPT, TOKENS = 140 * 10**9, Fraction(9894, 10) * 10**12, 2000, 500


def rounded(value: Fraction, places: int) -> str:
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return f"{exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN):,}"


def figures(bandwidth: Fraction) -> dict[str, object]:
    """Return what each figure of the page comes to, by what it asks; sentences as truths."""
    step = Fraction(WEIGHTS) / bandwidth
    rate, achieved = 1 / step, Fraction(WEIGHTS) / step
    prompt = Fraction(WEIGHTS * PROMPT) / PEAK
    knee = PEAK / bandwidth
    dollars = [Fraction(price, 3600) * step * 10**6 for price in (4, 8)]
    return {
        "answer": rounded(max(prompt, step) + TOKENS * step, 1),
        "prompt": rounded(prompt * 1000, 0),
        "enough (about 295)": abs(knee - 295) <= Fraction(1, 2),
        "weights": "140",
        "rate": rounded(rate, 2),
        "rate (about 24)": abs(rate - 24) <= Fraction(1, 2),
        "bandwidth": bandwidth,
        "achieved": rounded(achieved / 10**12, 2),
        "peak": rounded(PEAK / 10**12, 0),
        "busy": rounded(achieved / PEAK * 100, 2),
        "idle": rounded((1 - achieved / PEAK) * 100, 1),
        "idle (over 99)": 1 - achieved / PEAK > Fraction(99, 100),
        "ridge": rounded(knee, 1),
        "B_star": rounded(knee, 1),
        "whole": -(-knee.numerator // knee.denominator),
        "price": [rounded(each, 0) for each in dollars],
        "shared": [rounded(each / 100, 2) for each in dollars],
        "chapter1.one.t_memory": (bandwidth, step),
        "B_star (where)": bandwidth,
        "chapter1": (bandwidth, PEAK),
        "curve": [max(step, b * WEIGHTS / PEAK) for b in (1, 8, 64, 256, 512)],
        "chat.tokens": TOKENS,
        "read.prompt": PROMPT,
        "read.intensity": PROMPT,
        "asked": 1,
        "drop": PROMPT,
        "prompt_busy": prompt >= step,
        "hourly": (4, 8),
        "short_of": Fraction(140, 80),
        "chapter1.one.latency": "its formula",
    }


SENTENCES = {"enough": "about 295", "rate": "about 24", "idle": "over 99"}
TIED = {"295", "about 24", "more than 99", "cerca de 24", "mais de 99"}


def key_of(embed: dict[str, Any]) -> str:
    """Return what this embed is called above."""
    text, asks = embed["old"], embed["asks"]
    if asks in SENTENCES and text in TIED:
        return f"{asks} ({SENTENCES[asks]})"
    return "B_star (where)" if asks == "B_star" and "math" in text else asks


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, of its library and of the pages."""
    top = tmp_path_factory.mktemp("copy")
    ignored = shutil.ignore_patterns("__pycache__", "diagnostics")
    for name in ("costlang", "grammars", "specs", "docs"):
        shutil.copytree(ROOT / name, top / name, ignore=ignored)
    (top / "pyproject.toml").touch()
    return top


def checked(copy: Path, bandwidth: str) -> list[list[dict[str, Any]]]:
    """Return what a check of both pages finds when the library gives the H100 another bandwidth."""
    original = (ROOT / "specs" / "hardware" / "nvidia.cost").read_text(encoding="utf-8")
    start = original.index("hardware H100_SXM is")
    end = original.index("\n}", start)
    chip = original[start:end]
    assert 1 == chip.count("= 3.35 TB/s")
    changed = original[:start] + chip.replace("= 3.35 TB/s", f"= {bandwidth}") + original[end:]
    (copy / "specs" / "hardware" / "nvidia.cost").write_text(changed, encoding="utf-8")
    words = [sys.executable, "-m", "costlang", "doc", "--check", "--json", *PATHS]
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    run = subprocess.run(
        words, cwd=copy, env=environment, capture_output=True, text=True, check=False
    )
    assert "" == run.stderr
    found: list[list[dict[str, Any]]] = [p["embeds"] for p in json.loads(run.stdout)["pages"]]
    wrong = any(embed["state"] in ("stale", "false") for page in found for embed in page)
    assert (1 if wrong else 0) == run.returncode
    return found


@pytest.mark.parametrize("bandwidth", ["3.36 TB/s", "3.3 TB/s", "3 TB/s", "4.8 TB/s", "3.35 TB/s"])
def test_another_bandwidth_makes_just_those_sentences_wrong_that_hang_on_it(
    copy: Path, bandwidth: str
) -> None:
    pytest.importorskip("babel")
    new = Fraction(bandwidth.removesuffix(" TB/s")) * 10**12
    before, after = figures(Fraction("3.35") * 10**12), figures(new)
    english, portuguese = checked(copy, bandwidth)
    assert set(before) == {key_of(embed) for embed in english}
    assert set(before) == {key_of(embed) for embed in portuguese}
    for embed in (*english, *portuguese):
        key = key_of(embed)
        wrong = after[key] is False if isinstance(before[key], bool) else before[key] != after[key]
        assert wrong == (embed["state"] in ("stale", "false")), (key, embed)
        if wrong:
            (moved,) = embed["inputs"]
            assert ("H100_SXM.hbm_bandwidth", "3.35 TB/s", bandwidth) == (
                moved["name"],
                moved["before"],
                moved["now"],
            )
            assert ("specs/hardware/nvidia.cost", True) == (moved["file"], moved["shipped"])
