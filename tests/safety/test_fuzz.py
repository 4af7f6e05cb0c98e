"""Two thousand specs that nobody would write: none ends in a traceback, and many have answers."""

from __future__ import annotations

import pytest

from tests.safety.watched import HANG, results

EACH = 500


@pytest.mark.parametrize("part", range(4))
def test_no_file_ends_in_a_traceback_a_hang_or_all_the_memory(part: int) -> None:
    found = list(results([*range(part * EACH, (part + 1) * EACH)], seed=7, deep=50, seconds=HANG))
    """A worker says of each input when it hangs, or takes more than 512 MB."""
    assert [] == [(item.number, item.fault) for item in found if item.fault]
    assert EACH == len(found)
    parsed = sum(item.outcome.parsed for item in found if item.outcome is not None)
    answered = sum(item.outcome.answered for item in found if item.outcome is not None)
    assert parsed >= EACH / 3
    assert answered >= EACH / 10
