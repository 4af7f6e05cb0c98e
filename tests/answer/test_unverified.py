"""Figures that nobody has checked are named by every answer that is built on them."""

from __future__ import annotations

import pytest

from costlang.answer import Answer
from costlang.emit.report_json import answer_json
from costlang.emit.report_text import Paper, report_text
from costlang.pipeline import run
from costlang.text import Source

SPEC = """cost 1
interface chip {
  param speed : [B/s]
  param room : [B]
  param share : ratio in 0..1 = 1
  param price : [$/h]
}
hardware known is chip {
  speed = 2 B/s     source "its data sheet"
  room  = 50 B      source "its data sheet"
}
hardware rumour is chip {
  speed = 4 B/s     source "unverified: a slide"
  room  = 100 B     source "Unverified: another slide"
}
phase reading(c: chip) {
  param bytes : [B] = 8 B
  let time = bytes / (c.speed * c.share)
  let paid = time * c.price
  require fits: bytes <= c.room
}
scenario s {
  use r = reading(known)
  QUESTION
}
"""
NONE: dict[str, str] = {}
SPEED, ROOM = {"rumour.speed": "4 B/s"}, {"rumour.room": "100 B"}


def asked(question: str) -> Answer:
    report = run(Source("s.cost", SPEC.replace("QUESTION", f"query it: {question}")))
    assert () == report.diagnostics
    (answer,) = report.answers
    return answer


def unverified(question: str) -> object:
    return answer_json(asked(question))["unverified"]


@pytest.mark.parametrize(
    ("expected", "question"),
    [
        (NONE, "time"),
        (SPEED | ROOM, "time at c = rumour"),
        (NONE, "time at c = rumour, c.speed = 3 B/s, c.room = 1 B"),
        (SPEED | ROOM, "breakdown time at c = rumour"),
        (SPEED | ROOM, "sweep time over c in {known, rumour}"),
        (NONE, "sweep time over c in {known}"),
        (SPEED | ROOM, "smallest time over c in {known, rumour}"),
        (ROOM, "largest bytes at c = rumour"),
        (SPEED | ROOM, "largest time over bytes in 1 B..9 B at c = rumour"),
        (SPEED | ROOM, "largest time over bytes in 1 B..9 B, c in {known, rumour}"),
        (SPEED, "solve time == 10 s and paid == 5 $ for bytes, price at c = rumour"),
        (SPEED, "solve time == 10 s for bytes at c = rumour"),
        (NONE, "solve time == 10 s for bytes"),
    ],
)
def test_an_answer_names_the_unverified_figures_below_it(
    expected: dict[str, str], question: str
) -> None:
    assert expected == unverified(question)


def test_the_mark_is_seen_in_the_text_below_what_is_assumed() -> None:
    report = run(Source("s.cost", SPEC.replace("QUESTION", "query it: time at c = rumour")))
    assert (
        "s\n"
        "  it  2 s\n"
        "  assumed: bytes = 8 B, share = 1\n"
        "  unverified: rumour.speed = 4 B/s, rumour.room = 100 B\n"
    ) == report_text(report, Paper())


def test_a_table_says_what_it_assumed_and_what_it_lacks() -> None:
    question = "query it: sweep time, paid over c in {known, rumour}"
    report = run(Source("s.cost", SPEC.replace("QUESTION", question)))
    assert (
        "s\n"
        "  it\n"
        "    c       time [s]  paid\n"
        "    ------  --------  ----\n"
        "    known          4     -\n"
        "    rumour         2     -\n"
        "    -: needs price\n"
        "  assumed: bytes = 8 B, share = 1\n"
        "  unverified: rumour.speed = 4 B/s, rumour.room = 100 B\n"
    ) == report_text(report, Paper())


def test_a_default_that_hangs_on_the_row_is_said_to() -> None:
    spec = SPEC.replace("= 8 B\n", "= c.room / 10\n")
    question = "query it: sweep time over c in {known, rumour}"
    report = run(Source("s.cost", spec.replace("QUESTION", question)))
    (answer,) = report.answers
    assert {"bytes": "by row", "share": "1"} == answer_json(answer)["assumed"]


def test_what_is_sought_says_which_records_were_taken_by_default() -> None:
    text = (
        "cost 1\n"
        "interface format { param width : [B] }\n"
        "record two is format { width = 2 B }\n"
        "interface box { param kept : format = two\n  param n : count = 1\n"
        "  param room : [B] = 9 B\n  require fits: n * kept.width <= room }\n"
        "scenario s {\n  use b = box\n  query it: largest b.n\n}\n"
    )
    (answer,) = run(Source("s.cost", text)).answers
    assert {"kept": "two", "room": "9 B"} == answer_json(answer)["assumed"]


def test_a_sentence_says_how_what_is_open_can_be_given() -> None:
    report = run(Source("s.cost", SPEC.replace("QUESTION", "query it: paid")))
    assert (
        "paid = needs price\n"
        "    paid = time * price\n"
        "      time = bytes / (speed * share)\n"
        "  to give: --at 'price=… $/h', or inside --of\n"
        "  assumed: bytes = 8 B, share = 1\n"
    ) == report_text(report, Paper(sentence=True, about=True))
