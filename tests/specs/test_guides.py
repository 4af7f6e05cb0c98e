"""Each lesson is sound, its checks hold, and the answers that it is there for are these."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from costlang.answer import Answer, Report
from costlang.emit.values import value_text
from costlang.pipeline import run

FOLDER = Path(__file__).parents[2] / "specs" / "guide"
GUIDES = sorted(FOLDER.glob("*.cost"))

LONGEST = 100

LESSONS = {
    "02_units": {
        "bytes.as_printed": "74.51 GiB",
        "tokens.a_token": "131_072 B/tok",
        "tokens.a_context": "512 MiB",
        "work.macs": "8.03 GMAC/tok",
        "work.flops": "16.06 GFLOP/tok",
        "bill.share": "2.8 %",
    },
    "03_a_chip_of_your_own": {
        "speed.rate": "19.64 tok/s",
        "speed.careful": "15.47 tok/s",
        "speed.eight": "38.62 tok/s",
        "speed.bound_by": "memory-bound",
        "speed.read_by": "compute-bound",
        "claim.said": "false",
    },
    "04_a_model_of_your_own": {
        "serve.size": "46.7 G",
        "serve.active": "12.88 G",
        "serve.held": "93.41 GB",
    },
    "05_overrides": {
        "fit.rate": "93.91 tok/s",
        "fit.foretold": "106.3 tok/s",
        "window.cache": "4.295 GB",
        "window.full": "17.18 GB",
    },
    "06_ranges": {
        "plan.gap": "10.68 .. 13.73 ms",
        "plan.cost": "0.7415 .. 1.907 $/Mtok",
        "plan.spread": "0.7415 $/Mtok",
        "plan.worst": "1.907 $/Mtok",
        "talks.held": "16.06 .. 33.24 GB",
    },
    "07_break_even": {
        "weights_alone.break_even": "295.2",
        "weights_alone.at_once": "7_064 tok/s",
        "with_cache.short": "455.1",
        "with_cache.fit": "45",
        "with_cache.cost": "1.23 $/Mtok",
        "with_cache.bytes": "158.9 GB",
    },
    "08_batching": {
        "lever.before": "0.339 %",
        "lever.after": "21.68 %",
        "lever.full": "295.2",
        "cache.fit": "243",
        "cache.after": "16.78 %",
        "steady.lone": "1.952 %",
        "steady.filled": "77.23 %",
        "experts.nearly": "11",
    },
    "09_chunked_prefill": {
        "parts.stall": "276.3 ms",
        "parts.gap": "18.76 ms",
        "parts.before": "10.95 %",
        "parts.after": "50 %",
        "rule.rule": "769.8 tok",
        "pairs.whole": "2_098_176 tok^2",
        "pairs.windowed": "917_760 tok^2",
    },
    "10_prefix_reuse": {
        "hits.cold": "133.4 ms",
        "hits.found": "36.67 ms",
        "back.border": "1.77 GB/s",
        "border.border": "2.315 GB/s",
        "talks.ten": "72.73 %",
        "tariff.first": "3",
    },
    "11_paged_cache": {
        "blocks.buffers": "1_480",
        "rounded_up.blocks": "631",
        "each_token.keys": "8.234 GiB",
        "claim.needed": "10.12 GiB",
    },
    "12_quantization": {
        "lever.before": "0.339 %",
        "lever.after": "1.314 %",
        "lever.full": "76.11",
        "kernel.first": "3.121",
        "kernel.knee": "30.55",
        "kernel.cross": "95.36",
        "kernel.far": "0.6398",
    },
    "13_speculation": {
        "lever.before": "0.339 %",
        "lever.batch": "183.8",
        "lever.never": "292.1",
        "lever.guess": "2.871",
        "mixture.least": "0.747",
    },
    "14_parallelism": {
        "tensor.stop": "5.203 us",
        "tensor.tree": "51.7",
        "slow_sums.rate": "20.31 tok/s",
        "slow_sums.each": "269.4 us",
        "a_link.bytes": "35.35 GB/s",
        "a_link.wrong": "35.86",
        "a_link.floor": "1.33 ms",
        "stages.ring": "29.28 ms",
    },
    "15_disaggregation": {
        "a_page.prompt": "0.9096 s",
        "a_page.servers": "2.992",
        "a_page.whole": "0.9981",
        "two_pools.small": "0.9096",
        "two_pools.card": "14.74 Gbit/s",
        "a_paper.cache": "1.125 GiB",
        "a_paper.link": "90 Gibit/s",
        "by_layers.cards": "6.711 ms",
        "by_layers.link": "8.948 GB/s",
    },
    "16_fleet": {
        "service.little": "590.5 req",
        "service.full": "43.7 req/s",
        "service.skew": "1.093",
        "service.down": "91.53 %",
    },
    "17_capacity_plan": {
        "plan.best": "50 $/h",
        "plan.more": "20.86 %",
    },
    "22_offload": {
        "weights.least": "0.4377",
        "weights.most": "35",
        "prompt.ridge": "15_705 tok",
        "prompt.hidden": "14_055 tok",
        "cache.parked": "42.61 ms",
    },
    "23_adapters": {
        "serve.bytes": "83.89 MB",
        "serve.touched": "27.5",
        "serve.fit": "712",
        "rank.rank": "58",
    },
    "18_conventions": {
        "a_page.apart": "21.05 ms",
        "a_page.memory": "18.5 ms",
        "a_page.until": "121.6",
        "choices.usual": "53.55 ms",
        "choices.slot": "53.54 ms",
        "bound_and_estimate.estimate": "71.9 ms",
        "bound_and_estimate.ideal": "53.55 ms",
        "bound_and_estimate.lost": "18.35 ms",
    },
    "19_price": {
        "a_server.here": "0.8254 $/Mtok",
        "a_server.floor": "0.154 $/Mtok",
        "a_server.fits": "760",
        "a_server.year": "1_401_600 $/year",
        "own_or_api.even": "19.47 Gtok/month",
        "own_or_api.makes": "14.15 Gtok/month",
    },
    "20_energy": {
        "a_published_answer.made": "0.3008 Wh",
        "a_server.answer": "0.03105 Wh",
        "a_server.ratio": "10.8",
    },
    "21_training": {
        "a_published_run.used": "44.34 %",
        "a_run.link": "9.67 %",
        "selective.saved": "70.05 %",
        "selective.again": "2.693 %",
    },
    "24_hardware_that_fits": {
        "one_user.before": "0.339 %",
        "bandwidth.before": "17.23 %",
        "bandwidth.after": "24.68 %",
        "bandwidth.wanted": "19.45 TB/s",
        "mixed.dollar": "164.7",
    },
}
"""For each guide the answers by question, as they are read."""


@pytest.fixture(scope="module")
def reports() -> dict[str, Report]:
    return {path.stem: run(path) for path in GUIDES}


def shown(answer: Answer) -> str:
    return value_text(answer.value, answer.dimension, answer.unit)


@pytest.mark.parametrize("name", [path.stem for path in GUIDES])
def test_a_lesson_is_sound_and_every_check_of_it_holds(
    reports: dict[str, Report], name: str
) -> None:
    report = reports[name]
    assert () == report.diagnostics
    assert [] == [check.name for check in report.checks if check.holds is not True]
    assert [] == [answer.name for answer in report.answers if answer.note is not None]


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_gives_the_answers_that_it_is_there_for(
    reports: dict[str, Report], name: str
) -> None:
    found = {f"{a.scenario}.{a.name}": shown(a) for a in reports[name].answers if a.sweep is None}
    assert LESSONS[name] == {key: found[key] for key in LESSONS[name]}


def test_the_experts_of_a_mixture_are_read_as_batches_grow(reports: dict[str, Report]) -> None:
    (curve,) = (a.sweep for a in reports["04_a_model_of_your_own"].answers if a.name == "read")
    assert curve is not None
    touched = [cell for line in curve.lines if isinstance(cell := line.cells[1], Fraction)]
    assert [2, 4.625, 7.549, 7.999] == [round(float(number), 3) for number in touched]


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.stem)
def test_a_lesson_opens_with_a_question_and_can_be_read_in_one_go(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    opening = [line for line in lines[1:8] if line.startswith("##")]
    assert "?" in " ".join(opening)
    assert len(lines) <= LONGEST
