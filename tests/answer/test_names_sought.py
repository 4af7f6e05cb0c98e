"""Records, members and truths as unknowns; how a solution moves; thresholds of a scenario."""

from __future__ import annotations

import pytest

from costlang.answer import Answer
from costlang.emit.solved_text import solved_line, solved_lines
from costlang.pipeline import run
from costlang.text import Source
from tests.answer.test_solving import REAL, asked

HEAD = """\
cost 1
import models.llama (llama_2_7b, llama_2_70b)
import hardware.nvidia (H100_SXM, H200)
import hardware.amd (MI300X)
import std.format (bf16, fp8)
import std.phases (decode)
enum link { slow, fast }
interface box {
  param kind : link = slow
  param both : bool = true
  let rate = (if kind == link.fast then 4 else 1) * (if both then 1 else 2)
}
record plain is box {}
scenario s {
  use d = decode(llama_2_70b, H100_SXM, context = 2000)
  use b = plain
"""


def told(question: str) -> Answer:
    report = run(Source("s.cost", f"{HEAD}  query q: {question}\n}}\n"))
    assert [] == [item for item in report.diagnostics if item.is_error]
    (answer,) = report.answers
    return answer


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("solve d.resident <= d.hardware.hbm_capacity for d.hardware", "H200 or MI300X"),
        ("solve d.resident <= 90 GB for d.model.weights", "fp8"),
        ("solve d.resident <= d.hardware.hbm_capacity for d.model", "llama_2_7b"),
        ("solve b.rate > 1 for b.kind", "fast"),
        ("solve b.rate > 1 for b.both", "false"),
    ],
)
def test_a_record_a_member_or_a_truth_is_found_by_trying_each(question: str, expected: str) -> None:
    name = question.rsplit(".", 1)[1]
    assert f"{name} = {expected}" == solved_line(told(question))


def test_where_every_one_will_do_that_is_said_and_where_none_does_too() -> None:
    assert "every kind" == solved_line(told("solve b.rate > 0 for b.kind"))
    assert "none" == solved_line(told("solve b.rate > 9 for b.kind"))


def test_the_threshold_is_told_of_what_the_scenario_itself_sets() -> None:
    found = asked("solve t_compute == t_memory for batch", REAL + "  context = 2000\n")
    assert "there is one only for 0 tok <= context < 1_459.16 tok: none from 1_460 on" in list(
        solved_lines(found)
    )
