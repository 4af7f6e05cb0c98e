"""How laws end: proved by rules, tested at points, refuted by a plain example, or undecided."""

from __future__ import annotations

import pytest

from costlang.emit.laws_text import given_text
from costlang.pipeline import model_of
from costlang.prove import Effort, Outcome, judged, smt
from costlang.prove.outcome import PROVED, REFUTED, TESTED, UNDECIDED
from costlang.text import Source

THING = """cost 1
interface thing {
  param x : [s]
  param y : [s] in 2..9 s
  param z : [s] in 0..
  param n : count
  param k : count
  param q : ratio in 0..1
  param way : count in {1, 2, 4}
  let big   = max(x, y)
  let parts = ceil(n / k)
  let price = big / n
  law one: LAW
}
"""


def ended(law: str, cases: int = 60) -> Outcome:
    """Return how *law* of the interface above ends."""
    model = model_of(Source("thing.cost", THING.replace("LAW", law)))
    assert () == tuple(item.message for item in model.diagnostics if item.is_error)
    (found,) = judged(model, Effort(cases))
    assert found is not None
    return found


@pytest.mark.parametrize(
    "law",
    [
        "big >= x",
        "big <= x + y",
        "y >= 2 s and y < 10 s",
        "q * big <= big",
        "x + y == y + x",
        "big <= 2 * x where x >= y",
        "sqrt(x * x) == x",
        "parts >= n / k",
        "parts * k <= n + k - 1",
        "parts <= n",
        "max(x, y, z) == max(z, max(y, x))",
        "min(x, y) + max(x, y) == x + y",
        "(1 - q)^n <= 1 - q",
        "1 - (1 - q)^n <= n * q",
        "big increasing in x",
        "price decreasing in n",
        "big / k decreasing in k",
        "n * (1 - (1 - q)^n) increasing in n",
        "(x + z) / (y + z) increasing in x",
        "n / (n + 1) increasing in n",
        "log2(n) increasing in n",
        "price * n / (n + 1) decreasing in n",
        "n / (1 + n * q) increasing in n",
        "(1 + 2 * n) / (1 + n) <= 2 * (1 + n) / (1 + n)",
        "x / (2 s + x) + max(x, y) / 1 s <= 1 + max(x, y) / 1 s",
        "max(2 * x, z) <= 2 * max(x, z)",
        "big convex in x",
        "x * x / 1 s convex in x",
        "big homogeneous of 1 in x, y",
        "x / y homogeneous of 0 in x, y",
        "big homogeneous of degree 1 in x, y",
        "(if n == 1 then x else n * x) == n * x",
        "(if n > k then n / k else 1) >= 1",
        "sum(over i in 1..n: q^i) <= n",
        "sum(over i in 1..n: i * x) >= 0 s",
        "x / way decreasing in way",
        "not (x > y and x < y)",
        "x > y or x <= y",
    ],
)
def test_rules_prove_what_a_reader_sees(law: str) -> None:
    assert (PROVED, "rules") == (ended(law).status, ended(law).method)


@pytest.mark.parametrize(
    ("law", "at"),
    [
        ("big <= x", "x = 1 s, y = 2 s"),
        ("q * big >= x", "q = 0, x = 1 s, y = 2 s"),
        ("parts == n / k", "n = 1, k = 2"),
        ("n < 1000", "n = 1_000"),
        ("x < y + 5 s", "x = 7 s, y = 2 s"),
    ],
)
def test_a_refuted_law_has_a_plain_example_of_what_plays_a_part(law: str, at: str) -> None:
    found = ended(law)
    assert REFUTED == found.status and found.counterexample is not None
    assert at == given_text(found.counterexample.at)


SILENT = """cost 1
resource sent  : [B]
resource flops : [FLOP]
op move(n: count) { let sent = n * 1 B }
op work(n: count) { let flops = n * 1 FLOP }
interface thing {
  param size : count
  param extra : count in 2..
  param wide : bool
  term move = move(size)
  repeat (if extra == 0 then 1 else 2) { term work = work(size) }
  repeat (if wide then 1 else 2) { term more = work(size) }
  law told: total(sent) == 2 * size * 1 B
}
"""


def test_what_only_repeats_silent_terms_has_a_plain_value_in_a_counterexample() -> None:
    (found,) = judged(model_of(Source("silent.cost", SILENT)), Effort())
    assert found is not None and REFUTED == found.status and found.counterexample is not None
    assert "wide = true, extra = 2, size = 1" == given_text(found.counterexample.at)


def test_a_direction_is_refuted_by_two_values() -> None:
    found = ended("price increasing in n")
    assert REFUTED == found.status and found.counterexample is not None
    assert "x = 1 s, y = 2 s, n = 1" == given_text(found.counterexample.at)
    assert ["n = 2"] == [given_text(step) for step in found.counterexample.moved]
    assert [2, 1] == [value for _, value, _ in found.counterexample.values]


@pytest.mark.parametrize(
    "law",
    [
        "big > x",
        "parts < n / k",
        "big homogeneous of 2 in x, y",
        "big decreasing in x",
        "-big convex in x",
        "sqrt(x * 1 s) convex in x",
        "ceil(n / k) convex in n",
        "log2(n) <= n / 2",
        "2^n > n * n",
        "(n - 2) * (n - 3) > 0",
        "(n - 5)^2 + q >= 0.25",
    ],
)
def test_a_false_law_is_never_proved(law: str) -> None:
    assert REFUTED == ended(law, 200).status


def test_what_no_rule_proves_is_tested_and_not_called_proved() -> None:
    found = ended("log2(n) <= n")
    assert (TESTED, 60) == (found.status, found.cases)


def test_a_law_whose_condition_is_never_met_is_no_proof() -> None:
    found = ended("x <= y where n < 1")
    assert UNDECIDED == found.status
    assert "its condition is never met, so that it says nothing" == found.reason


def test_a_law_that_repeats_a_definition_says_so() -> None:
    assert ended("big == max(x, y)").repeats
    assert not ended("big == max(y, x)").repeats


def test_a_side_of_a_choice_that_no_point_reaches_is_named() -> None:
    found = ended("log2(n + max(0, 3 - k - n)) <= n where k > 2")
    assert TESTED == found.status
    assert (2, 1) == (found.coverage.sides, found.coverage.met)
    assert ("3 - k - n in max",) == found.coverage.missed


def test_the_same_seed_gives_the_same_outcome() -> None:
    first, second = ended("x > log2(n) * 1 s"), ended("x > log2(n) * 1 s")
    assert first.counterexample == second.counterexample
    assert first.counterexample is not None


@pytest.mark.skipif(not smt.is_there(), reason="z3 is an extra")
def test_z3_is_asked_where_rules_do_not_tell() -> None:
    found = ended("x * x + y * y >= 2 * x * y")
    assert (PROVED, "z3") == (found.status, found.method)


def test_without_z3_it_is_said_that_it_was_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smt, "is_there", lambda: False)
    found = ended("x * x + y * y >= 2 * x * y")
    assert TESTED == found.status
    assert ("z3 was not tried: `pip install costlang[prove]`",) == found.passed


PHASES = """cost 1
interface engine {
  param load : count
  param rest : [s] in 0..
  law idle: load >= 1
}
record small is engine { load = 2 }
phase step(of: engine) {
  param more : [s] in 0..
  let time = of.rest + more * of.load
  law longer: time increasing in of.rest
  law fuller: time increasing in of.load
}
phase rested is step { of.rest = 3 s }
phase mixed is step {
  of.rest = more
}
scenario plan {
  use one = step(small)
  law enough: one.time >= one.more
}
"""


def test_laws_are_inherited_and_looked_at_where_their_variable_is_free() -> None:
    model = model_of(Source("step.cost", PHASES))
    found = [each for each in judged(model, Effort(20)) if each is not None]
    assert [
        ("engine", "idle"),
        ("small", "idle"),
        ("step(engine)", "longer"),
        ("step(engine)", "fuller"),
        ("rested(engine)", "fuller"),
        ("mixed(engine)", "fuller"),
        ("plan.one", "longer"),
        ("plan", "enough"),
    ] == [(each.place, each.name) for each in found]
    assert {PROVED} == {each.status for each in found}
