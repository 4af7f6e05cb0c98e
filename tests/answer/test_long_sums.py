"""A sum of thousands of terms is taken by its formula, and nothing of what it says is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

import costlang.model.evaluate as interpreter
from costlang import pipeline
from costlang.answer import Answer

SPEC = """\
cost 1
import models.llama (llama_2_7b)
import hardware.nvidia (H100_SXM)
import std.phases (completion)
scenario s {
  use s = completion(llama_2_7b, H100_SXM, prompt = 1500, tokens = 400)
  s.model.batch = 80
  query t: s.time show s
}
"""


def answered(folder: Path, text: str) -> Answer:
    path = folder / "s.cost"
    path.write_text(text, encoding="utf-8")
    (found,) = pipeline.run(path).answers
    return found


@pytest.mark.parametrize("batch", [1, 80, 200])
def test_a_long_sum_says_what_its_terms_one_by_one_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    text = SPEC.replace("batch = 80", f"batch = {batch}")
    by_formula = answered(tmp_path, text)
    monkeypatch.setattr(interpreter, "LONG", 10**9)
    term_by_term = answered(tmp_path, text)
    assert term_by_term.value == by_formula.value
    assert term_by_term.regime == by_formula.regime
    assert [x.name for x in term_by_term.infeasible] == [x.name for x in by_formula.infeasible]
    assert [x.left for x in term_by_term.infeasible] == [x.left for x in by_formula.infeasible]
    for kind in ("assumed", "used", "overridden", "given"):
        one, other = getattr(term_by_term, kind), getattr(by_formula, kind)
        assert [(x.name, x.value) for x in one] == [(x.name, x.value) for x in other]


def test_a_completion_of_a_thousand_tokens_takes_a_fraction_of_the_work(tmp_path: Path) -> None:
    found = answered(tmp_path, SPEC.replace("400", "1000").replace("s.model.batch = 80", ""))
    assert found.note is None and found.value is not None


NESTED = """\
cost 1
interface thing {
  param spot : count
  let cost = spot * spot * spot / 7 + spot * spot / 5 + spot / 3 + max(spot, 3) + spot^4
  require small: spot != 50
}
model one is thing { spot = 1 }
phase inner(thing: thing) {
  let cost = thing.cost
}
phase outer(thing: thing) {
  let all = sum(over i in 1..100: sum(over j in 1..20: inner(thing, spot = i + j - 1).cost))
}
scenario s {
  use o = outer(one)
  query q: o.all
}
"""


def test_a_requirement_that_fails_within_a_sum_of_sums_is_found(tmp_path: Path) -> None:
    found = answered(tmp_path, NESTED)
    assert ["small"] == [item.name for item in found.infeasible]
