"""One message to a mistake: as many are told as were planted, each by its own code."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costlang.loader import load
from costlang.model.check import check
from costlang.text import Source
from tests.faults.planted import FAULTS, SPECS, Planted, places, with_faults

ALL_PLACES = cache(places)


@st.composite
def faulty_specs(draw: st.DrawFn) -> tuple[Path, list[Planted]]:
    """A shipped spec, and one to six faults in statements of their own."""
    file = draw(st.sampled_from([file for file in SPECS if ALL_PLACES(file)]))
    found = ALL_PLACES(file)
    chosen: list[Planted] = []
    for fault in draw(st.lists(st.sampled_from(found), min_size=1, max_size=6)):
        if all(_are_apart(fault, other) for other in chosen):
            chosen.append(fault)
    return file, chosen


BRACES = ("unclosed-block", "unopened-bracket")


def _are_apart(one: Planted, other: Planted) -> bool:
    """Whether two faults stand in statements of their own; a brace too few hides one too many."""
    braces = one.code in BRACES and other.code in BRACES
    return not braces and (one.end <= other.start or one.start >= other.end)


def codes(file: Path, text: str) -> list[str]:
    """Return the codes of the errors that are told of *text*, in their order."""
    program = load(Source(file.name, text))
    return [item.code for item in check(program).diagnostics if item.is_error]


@settings(max_examples=150, deadline=None)
@given(faulty_specs())
def test_as_many_mistakes_are_told_as_were_planted(case: tuple[Path, list[Planted]]) -> None:
    file, faults = case
    expected = sorted(fault.code for fault in faults)
    assert expected == sorted(codes(file, with_faults(file, faults)))


def test_every_fault_of_the_list_can_be_planted_somewhere() -> None:
    planted = {fault.code for file in SPECS for fault in ALL_PLACES(file)}
    assert len(FAULTS) >= 18
    assert len(planted) >= 16


AMENDED = """cost 1
{kind} base{formals} {{
  {faulty}
}}
{kind} mine is base {{
  override {sound}
}}
"""


@pytest.mark.parametrize(
    ("kind", "formals", "faulty", "sound"),
    [
        ("phase", "()", "let time =", "let time = 1 s"),
        ("record", "", "let time =", "let time = 1 s"),
        ("phase", "()", "term all = gqa(", "term all = gqa(1)"),
    ],
)
def test_what_amends_a_faulty_statement_is_not_told(
    kind: str, formals: str, faulty: str, sound: str
) -> None:
    text = AMENDED.format(kind=kind, formals=formals, faulty=faulty, sound=sound)
    assert "nothing-to-override" not in codes(Path("a.cost"), text)


def test_a_faulty_name_is_not_taken_for_one_that_is_lent() -> None:
    """`peak` is a table of the chip as well, and that is not what was meant."""
    text = """cost 1
import hardware.nvidia (H100_SXM)
import models.llama (llama_2_7b)
import std.phases (decode)
scenario s {
  use step = decode(llama_2_7b, H100_SXM)
  paramm peak : [B] = 17 GiB
  query rest:  80 GiB - peak
  query other: 80 GiB - peak at peak = 18 GiB
}
"""
    assert ["unknown-statement"] == codes(Path("a.cost"), text)


def test_a_block_of_one_line_begins_with_a_statement_too() -> None:
    text = """cost 1
import std.decoder (dense)
import std.ops (gqa)
model a is dense {
  repeat layers { termm attention = gqa(d_model, heads, kv_heads, d_head) }
}
"""
    assert ["unknown-statement"] == codes(Path("a.cost"), text)
