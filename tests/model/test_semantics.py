"""What a spec means: late binding, layers of settings, givens, totals, lending, ranges."""

from __future__ import annotations

from fractions import Fraction

import pytest

from costlang.answer import Answer, Bounds
from costlang.pipeline import run
from costlang.text import Source

BASE = """cost 1
enum kindness { gentle, rough }
resource work : [FLOP]
resource held : [B]
resource kind : kindness = gentle
resource energy : [J] = work * 2 J/FLOP
interface format { param width : [B] }
record two is format { width = 2 B }
record one is format { width = 1 B }
op lift(n: count, given batch: count, given store: format) {
  let work = 1 FLOP * n * batch
  let held = n * store.width
}
op push(n: count, given batch: count) {
  let work = 3 FLOP * n * batch
  let kind = rough
}
op both(n: count) {
  term up   = lift(n)
  term down = push(2 * n)
}
interface body {
  param batch : count = 1
  param new : [tok] in 1.. = 1
  param layers : count
  param size : count = 10 * layers
  param store : format = two
  param tied : bool = false
  table rate : kindness -> [FLOP/s]
  let double = 2 * size
  let times(n: count) = n * size
  repeat layers { term block = both(size) }
  repeat (if tied then 0 else 1) { term last = lift(7) }
}
model small is body {
  layers = 2
  rate[gentle] = 10 FLOP/s
  rate[rough]  = 30 FLOP/s
}
model bigger is small {
  layers = 3
  override let double = double + 1
  override term block = both(1)
}
phase pass(m: body) {
  let work  = m.total(work)
  let time  = m.total(work / m.rate[kind])
  let bytes = m.total(held)
  require light: bytes <= 100 B
}
phase step is pass {
  param depth : [tok] in 0..
  m.new = 5
  let pace = m.new / time
}
phase story(m: body) {
  param length : count
  let all = sum(over i in 1..length: step(m, depth = i * 1 tok, batch = i).work)
  let first = step(m)
  let same = first.work
}
"""


def answers(scenario: str, base: str = BASE) -> dict[str, Answer]:
    report = run(Source("spec.cost", f"{base}scenario s {{\n{scenario}\n}}\n"))
    assert [] == [f"{x.span.place} {x.message}" for x in report.diagnostics if x.is_error]
    return {answer.name: answer for answer in report.answers}


def value(expression: str, scenario: str = "use p = pass(small)") -> object:
    found = answers(f"{scenario}\nquery it: {expression}")["it"]
    assert found.note is None, found.note
    return found.value


CASES: list[tuple[object, str, str]] = [
    (20, "m.size", "use p = pass(small)"),
    (40, "m.double", "use p = pass(small)"),
    # a setting is followed by every definition above it
    (60, "m.double", "use p = pass(small)\nm.layers = 3"),
    (61, "m.double", "use p = pass(bigger)"),
    (60, "m.times(3)", "use p = pass(small)"),
    (60, "times(3)", "use p = pass(small)"),
    # 2 layers of 20 + 3 * 40, and 7
    (287, "work", "use p = pass(small)"),
    # 3 layers of 1 + 3 * 2 in place of the inherited term, and 7
    (28, "work", "use p = pass(bigger)"),
    (280, "work", "use p = pass(small)\nm.tied = true"),
    # each operator by the rate of its kind
    (Fraction(47, 10) + Fraction(240, 30), "time", "use p = pass(small)"),
    (2 * 287, "m.total(energy)", "use p = pass(small)"),
    # 2 * 20 * 2 B and 7 * 2 B; a format is a record
    (94, "bytes", "use p = pass(small)"),
    (47, "bytes", "use p = pass(small)\nstore = one"),
    (14, "m.last.held", "use p = pass(small)"),
    (80, "m.layers.block.up.held", "use p = pass(small)"),
    # the nearest to the question wins
    (4 * 287, "work at batch = 4", "use p = pass(small, batch = 2)\nbatch = 3"),
    (3 * 287, "work", "use p = pass(small, batch = 2)\nbatch = 3"),
    (2 * 287, "work", "use p = pass(small, batch = 2)"),
    # what a phase sets, and who overrules it
    (5, "m.new", "use p = step(small)\ndepth = 0"),
    (8, "m.new", "use p = step(small, depth = 1)\nm.new = 8"),
    # a phase inside a sum and inside a definition
    (287 * 6, "all", "use p = story(small, length = 3)"),
    (287, "same", "use p = story(small, length = 3)"),
    # given definitions
    (30, "twice", "use p = pass(small)\nwork = 15 FLOP\nlet twice = 2 * p.work"),
    (77, "bytes at bytes = 77 B", "use p = pass(small)"),
]


@pytest.mark.parametrize(("expected", "expression", "scenario"), CASES)
def test_an_expression_is_worth(expected: object, expression: str, scenario: str) -> None:
    assert expected == value(expression, scenario)


def test_a_second_use_follows_the_first_in_what_it_does_not_set() -> None:
    scenario = """use a = pass(small)
use b = a
b.store = one
query first:  a.bytes
query second: b.bytes
query later:  b.work at a.batch = 9
"""
    found = {name: answer.value for name, answer in answers(scenario).items()}
    assert {"first": 94, "second": 47, "later": 9 * 287} == found


def test_a_record_in_use_is_shared_by_those_that_are_given_it() -> None:
    scenario = """use shared = small
use a = pass(shared)
use b = pass(shared)
use c = pass(small)
shared.batch = 2
query it: a.work + b.work + c.work
"""
    assert 5 * 287 == answers(scenario)["it"].value


def test_a_question_is_a_value_asked_anew_under_its_readers_bindings() -> None:
    scenario = """use p = pass(small)
query base: work at batch = 2
query same: base
query more: base at batch = 3
"""
    found = {name: answer.value for name, answer in answers(scenario).items()}
    assert {"base": 2 * 287, "same": 2 * 287, "more": 3 * 287} == found


def test_what_a_phase_sets_and_is_overruled_is_listed() -> None:
    answer = answers("use p = step(small, depth = 0)\nquery it: pace at m.new = 2")["it"]
    assert [("new", 5)] == [(item.name, item.value) for item in answer.overridden]


def test_a_definition_that_is_given_is_listed() -> None:
    answer = answers("use p = step(small, depth = 0)\nquery it: pace at time = 2 s")["it"]
    assert (Fraction(5, 2), ["time"]) == (answer.value, [item.name for item in answer.given])


def test_a_failing_requirement_is_part_of_the_answer_with_both_sides() -> None:
    answer = answers("use p = pass(small)\nlayers = 4\nquery it: work")["it"]
    (broken,) = answer.infeasible
    assert ("light", "bytes", "100 B") == (
        broken.name,
        broken.left.text if broken.left else "",
        broken.right.text if broken.right else "",
    )


def test_a_name_that_nothing_sets_is_free_and_not_guessed() -> None:
    answer = answers("use p = pass(body)\nquery it: m.double")["it"]
    assert None is answer.value
    assert ["layers"] == [name.split(".")[-1] for name in answer.free] or answer.free


def test_a_range_gives_an_exact_hull_and_names_its_ends() -> None:
    answer = answers("use p = pass(small)\nbatch = 2 .. 4\nquery it: work")["it"]
    assert Bounds(Fraction(2 * 287), Fraction(4 * 287), "exact") == answer.value


def test_a_missing_row_is_told_where_it_is_read_with_the_rows_there_are() -> None:
    base = BASE.replace("  rate[rough]  = 30 FLOP/s\n", "")
    answer = answers("use p = pass(small)\nquery it: time", base)["it"]
    assert answer.note is not None
    assert ("missing-row", "it has: gentle") == (answer.note.code, answer.note.help)


def test_copies_that_are_not_whole_are_no_number() -> None:
    base = BASE.replace("repeat layers {", "repeat layers / 2 * 1.5 {")
    answer = answers("use p = pass(small)\nlayers = 3\nquery it: work", base)["it"]
    assert answer.note is not None
    assert "not-whole" == answer.note.code


@pytest.mark.parametrize(
    ("code", "line"),
    [
        (
            "lent-twice",
            "phase duo(a: body, b: body) { let x = a.size }\n"
            "scenario t { use d = duo(small, small)\n query q: size }",
        ),
        (
            "total-in-total",
            "phase t(m: body) { let w = m.total(work)\n let x = m.total(work * w / 1 FLOP) }",
        ),
        ("missing-given", "model lost is format { width = 1 B\n term x = push(3) }"),
        ("set-twice", "model m is small { layers = 1\n layers = 2 }"),
        ("declared-twice", "model m is small { let size = 3 }"),
        ("declared-twice", "model m is small { check a: 1 == 1\n check a: 2 == 2 }"),
        ("declared-twice", "model m is small { law a: layers >= 1\n law a: layers >= 0 }"),
        ("declared-twice", "phase t(m: body) { require a: 1 > 0\n require a: 2 > 0 }"),
        ("nothing-to-override", "model m is small { override let sizes = 3 }"),
        ("outside-domain", "model m is small { layers = 0 }"),
        ("outside-domain", "model m is small { layers = 2.5 }"),
        ("bare-number", "model m is small { rate[rough] = 3 }"),
        ("unknown-member", "scenario t { use p = pass(small)\n query q: p.weight }"),
        ("circular-parents", "model a is b { }\nmodel b is a { }"),
        ("wrong-kind", "model m is small { store = small }"),
        ("record-in-arithmetic", "phase t(m: body) { let x = m.store + 1 }"),
        ("table-without-key", "phase t(m: body) { let x = m.rate * 2 }"),
        ("infinite", "phase t(m: body) { let x = inf }"),
        (
            "resource-never-stated",
            "resource lonely : [B]\nphase t(m: body) { let x = m.total(lonely) }",
        ),
        ("both-simple-and-composite", "op odd(n: count) { let work = 1 FLOP\n term x = push(n) }"),
    ],
)
def test_a_mistake_has_one_message(code: str, line: str) -> None:
    report = run(Source("spec.cost", BASE + line + "\n"))
    assert [code] == [item.code for item in report.diagnostics]


def test_facts_of_different_kinds_may_share_a_name() -> None:
    line = "model m is small { check a: 1 == 1\n law a: layers >= 1\n require a: 1 > 0 }\n"
    assert () == run(Source("spec.cost", BASE + line)).diagnostics


def test_a_setting_that_no_question_can_read_is_a_warning() -> None:
    scenario = "use p = step(small, depth = 1)\nm.batch = 2\nrate[rough] = 9 FLOP/s\nquery it: work"
    report = run(Source("spec.cost", f"{BASE}scenario s {{\n{scenario}\n}}\n"))
    assert [("unread-setting", "nothing here reads `rate[rough]`")] == [
        (item.code, item.message) for item in report.diagnostics
    ]
    assert report.usable


def test_a_setting_that_another_branch_would_read_is_none() -> None:
    spec = """cost 1
scenario s {
  param n : count = 1
  param far : ratio in 0..
  n = 1
  far = 3
  query it: if n > 1 then far else 0
}
"""
    assert () == run(Source("spec.cost", spec)).diagnostics
