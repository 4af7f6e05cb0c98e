"""The shipped chips: dense, one way, sourced, and as fast as their data sheets say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from costlang.loader import load
from costlang.model import declared as d
from costlang.model.check import Model, check
from costlang.model.domains import literal
from costlang.pipeline import Sentence, ask

FOLDER = Path(__file__).parents[2] / "specs" / "hardware"


@cache
def models() -> tuple[Model, ...]:
    return tuple(check(load(file)) for file in sorted(FOLDER.glob("*.cost")))


def chips() -> Iterator[d.RecordDecl]:
    for model in models():
        for decl in model.main.own.values():
            if isinstance(decl, d.RecordDecl):
                yield decl


@cache
def figures(name: str) -> dict[str, tuple[Fraction, str]]:
    """Return the figures of a chip in base units, inherited ones included, each with its source."""
    decl = next(chip for chip in chips() if chip.name == name)
    found: dict[str, tuple[Fraction, str]] = {}
    for owner in reversed(list(decl.lineage())):
        for path, setting in owner.settings.items():
            value = literal(setting.value)
            assert value is not None
            found[".".join(path)] = (value, setting.source or "")
    return found


NAMES = sorted(chip.name for chip in chips())


def test_there_are_more_than_a_hundred_chips() -> None:
    assert 100 < len(NAMES) == len(set(NAMES))


@pytest.mark.parametrize("name", NAMES)
def test_a_chip_has_a_peak_a_memory_and_its_bandwidth(name: str) -> None:
    found = figures(name)
    assert {"hbm_bandwidth", "hbm_capacity"} <= set(found)
    assert any(key.startswith("peak") for key in found)
    assert all(source for _, source in found.values())


def test_a_source_that_mentions_sparsity_says_that_it_was_halved() -> None:
    said = [(chip.name, s) for chip in chips() for _, s in figures(chip.name).values()]
    assert [] == [(name, s) for name, s in said if "sparsity" in s and "halved" not in s]


DENSE = {
    "A100_80GB": {"bf16": "312", "int8": "624"},
    "H100_SXM": {"bf16": "989.4", "fp16": "989.4", "fp8": "1978.9"},
    "H200": {"bf16": "989.4", "fp8": "1978.9"},
    "B200": {"bf16": "2250", "fp8": "4500", "fp4": "9000"},
    "GB300": {"bf16": "2500", "fp4": "15000"},
    "L4": {"bf16": "121", "fp8": "242"},
    "L40S": {"bf16": "362", "fp8": "733"},
    "RTX_4090": {"bf16": "165.2", "fp16": "330.3"},
    "MI300X": {"bf16": "1307.4", "fp8": "2614.9"},
    "TPU_v5e": {"bf16": "197", "int8": "394"},
    "Trainium2": {"bf16": "667", "fp8": "1299"},
    "Gaudi3": {"bf16": "1677", "fp8": "1677"},
}


@pytest.mark.parametrize("name", DENSE)
def test_a_peak_is_the_dense_one(name: str) -> None:
    found = {key: figures(name)[f"peak.[{key}]"][0] / 10**12 for key in DENSE[name]}
    assert {key: Fraction(value) for key, value in DENSE[name].items()} == found


def test_eight_bits_are_at_most_twice_as_fast_as_sixteen() -> None:
    """Twice is what the width gives; more would be a sparse peak among dense ones."""
    fast = []
    for name in NAMES:
        peaks = {key: value for key, (value, _) in figures(name).items() if key.startswith("peak")}
        sixteen = max(peaks.get("peak.[bf16]", Fraction(0)), peaks.get("peak.[fp16]", Fraction(0)))
        eight = max(peaks.get("peak.[fp8]", Fraction(0)), peaks.get("peak.[int8]", Fraction(0)))
        if sixteen and eight > sixteen * Fraction("2.05"):
            fast.append(name)
    # 750 of int8 on the first Groq, MXFP8 on Trainium3, and what is announced of Rubin.
    assert ["Groq_LPU", "Rubin", "Trainium3"] == fast


RIDGES = [
    ("A100_80GB", "153.0"),
    ("H100_SXM", "295.3"),
    ("H200", "206.1"),
    ("B200", "292.2"),
    ("MI300X", "246.7"),
    ("TPU_v5e", "240.5"),
]


@pytest.mark.parametrize(("name", "ridge"), RIDGES)
def test_the_ridge_of_a_chip_is_its_peak_over_its_bandwidth(name: str, ridge: str) -> None:
    (answer,) = ask(Sentence("ridge_point(bf16)", None, name)).answers
    assert isinstance(answer.value, Fraction)
    assert ridge == f"{float(answer.value):.1f}"


BOTH_WAYS = re.compile(r"([\d.]+) ([GT])B/s (?:taken as )?both ways, halved")


def test_a_link_is_half_of_what_runs_both_ways() -> None:
    halved = 0
    for name in NAMES:
        value, source = figures(name).get("link_bandwidth", (None, ""))
        found = BOTH_WAYS.search(source)
        if value is not None and found is not None:
            both = Fraction(found[1]) * (10**9 if found[2] == "G" else 10**12)
            assert both / 2 == value, name
            halved += 1
    assert 20 < halved


def test_a_link_is_said_to_run_one_way_or_is_not_known_to() -> None:
    said = {name: figures(name).get("link_bandwidth", (None, "one way"))[1] for name in NAMES}
    known = re.compile(r"one way|both ways, halved|is not clear|21 ports|three links|system file")
    assert [] == [name for name, source in said.items() if not known.search(source)]


def test_what_leaves_a_node_is_no_faster_than_what_stays() -> None:
    for name in NAMES:
        found = figures(name)
        if {"network_bandwidth", "link_bandwidth"} <= found.keys():
            assert found["network_bandwidth"][0] <= found["link_bandwidth"][0], name


def test_what_a_program_sees_is_near_what_is_printed() -> None:
    seen = 0
    for name in NAMES:
        found = figures(name)
        if "visible_capacity" in found:
            ratio = found["visible_capacity"][0] / found["hbm_capacity"][0]
            assert Fraction("0.95") < ratio < Fraction(2**30, 10**9), name
            seen += 1
    assert 8 < seen


def test_an_h100_shows_79_1_gib_of_its_80_gb() -> None:
    found = figures("H100_SXM")
    assert (80 * 10**9, Fraction("79.1") * 2**30) == (
        found["hbm_capacity"][0],
        found["visible_capacity"][0],
    )
