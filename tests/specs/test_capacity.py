"""What engines print when they start, as checks of one spec: blocks, tokens, requests, in GiB."""

from __future__ import annotations

from pathlib import Path

import pytest

from costlang.pipeline import facts

SPEC = Path(__file__).with_name("capacity.cost")
REPORT = facts(str(SPEC))


def test_the_sheet_is_sound() -> None:
    assert [] == [item.message for item in REPORT.diagnostics]


@pytest.mark.parametrize("at", range(len(REPORT.checks)))
def test_a_printed_number_is_what_the_spec_comes_to(at: int) -> None:
    check = REPORT.checks[at]
    assert check.holds is True, f"{check.name}"


def test_none_of_them_is_lost() -> None:
    assert 40 == len(REPORT.checks)
