"""One message to a mistake: as many are told as were planted, each by its own code."""

from __future__ import annotations

from functools import cache
from pathlib import Path

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
    starts = sorted({fault.start for fault in found})
    chosen = draw(
        st.lists(
            st.sampled_from(starts), min_size=1, max_size=min(6, len(starts)), unique=True
        )
    )
    return file, [draw(st.sampled_from([f for f in found if f.start == at])) for at in chosen]


def codes(file: Path, text: str) -> list[str]:
    """Return the codes of the errors that are told of *text*, in their order."""
    program = load(Source(file.name, text))
    return [item.code for item in check(program).diagnostics if item.is_error]


@settings(max_examples=150, deadline=None)
@given(faulty_specs())
def test_as_many_mistakes_are_told_as_were_planted(case: tuple[Path, list[Planted]]) -> None:
    file, faults = case
    expected = [fault.code for fault in sorted(faults, key=lambda fault: fault.start)]
    assert expected == codes(file, with_faults(file, faults))


def test_every_fault_of_the_list_can_be_planted_somewhere() -> None:
    planted = {fault.code for file in SPECS for fault in ALL_PLACES(file)}
    assert len(FAULTS) >= 18
    assert len(planted) >= 16
