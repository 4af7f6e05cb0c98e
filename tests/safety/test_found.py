"""What the fuzzer found once, each in its shortest form, stays found."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.safety.asked import spec
from tests.safety.fed import Outcome, feed

THING = "interface t {\n  param n : count = 4\n  param x : ratio in 0..\n}\nmodel m is t {}\n"
PHASE = "phase go(m: t) {\n  param k : count = 2\n  let y = sum(over i in 1..3: m.x)\n}\n"

UNREADABLE = {
    "two blocks that do not end": "interface{interface{",
    "a keyword and a brace": "repeat{",
    "a record without a name": "model{{}\nscenario{\n",
    "two words and two braces": "interface{record{",
}

READABLE = {
    "the least of infinity alone": spec(
        "use d = go(m)", "d.m.x = inf", "query q: min(m.x)", before=THING + PHASE
    ),
    "a limit over something infinite": spec(
        "use d = go(m)", "m.x = inf", "query q: limit d.y as k -> inf", before=THING + PHASE
    ),
    "the root of an infinite axis": spec(
        "use u = m", "query q: sweep sqrt(n) over x in 0..9 at n = inf", before=THING
    ),
    "how much hangs on a quotient by an empty sum": spec(
        "use u = m", "query q: sensitivity 12 / (1 / sum(over i in 1..0: 2)) at n = 4", before=THING
    ),
    "a choice of a table between sides of which one divides by zero": spec(
        "use u = m",
        "query q: sweep if u.x < 0 then max(1 / (u.n - 4), u.x) else max(u.x, 2) over u.x in 0..9",
        before=THING,
    ),
    "a number of thousands of digits in a table": spec(
        "use u = m", "query q: sweep 3^x over x in 0..30_000", before=THING
    ),
    "parts of a number of thousands of digits": spec("query q: breakdown 3^(20_000) + 5^(20_000)"),
    "a power that is only reached where nobody looks": spec(
        "param p : ratio = 3",
        "let a = 3^(50_000)",
        "let b = a * a * a * a * a",
        "query q: breakdown if p > 5 then b * b else 1 + p",
    ),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_ends_in_messages(name: str, tmp_path: Path) -> None:
    found = feed(UNREADABLE[name].encode(), tmp_path / "x.cost", deep=True)
    assert Outcome(parsed=False, usable=False, answered=False) == found


@pytest.mark.parametrize("name", READABLE)
def test_what_can_be_read_is_written_in_each_form(name: str, tmp_path: Path) -> None:
    found = feed(READABLE[name].encode(), tmp_path / "x.cost", deep=True)
    assert found.parsed and found.usable
