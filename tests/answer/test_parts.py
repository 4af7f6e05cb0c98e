"""Breakdowns add up exactly, sweeps place their bends, ranges are hulls."""

from __future__ import annotations

from fractions import Fraction

import pytest

from costlang.answer import Answer, Bounds
from costlang.answer.parts import Piece
from costlang.emit.table import to_xarray
from costlang.pipeline import Sentence, ask, run
from costlang.text import Source

LLAMA = "decode(llama_2_70b, H100_SXM)"


def answer_to(question: str, of: str = LLAMA) -> Answer:
    report = ask(Sentence(question, of=of))
    assert () == report.diagnostics
    (answer,) = report.answers
    return answer


def sums(piece: Piece) -> bool:
    if not piece.parts:
        return True
    whole = sum((part.value for part in piece.parts), Fraction(0))
    return whole == piece.value and all(map(sums, piece.parts))


@pytest.mark.parametrize(
    ("question", "of"),
    [
        ("breakdown latency at context = 2000, batch = 64", LLAMA),
        ("breakdown bytes at context = 2000", LLAMA),
        ("breakdown latency at context = 9, tp = 4, link_latency = 1 us", LLAMA),
        ("breakdown time at prompt = 100, tokens = 20", "completion(llama_2_7b, H100_SXM)"),
        ("breakdown total(params)", "gemma_3_27b"),
    ],
)
def test_parts_add_up_to_the_whole_exactly(question: str, of: str) -> None:
    answer = answer_to(question, of)
    assert answer.breakdown is not None
    assert answer.value == answer.breakdown.whole.value
    assert sums(answer.breakdown.whole)


def test_parts_go_down_to_single_operators() -> None:
    answer = answer_to("breakdown t_memory at context = 2000")
    assert answer.breakdown is not None
    paths = {".".join(path) for path, _ in answer.breakdown.whole.leaves()}
    assert {"weights_bytes.layers.attention.q", "weights_bytes.layers.mlp.down"} <= paths


COUNTED = """cost 1
resource params : count
op box(numbers: count) {
  let params = numbers
}
interface plain {
  param n : count = 2
  term first = box(6)
  repeat 6 {
    repeat 3 { term near = box(2) }
    term far = box(5)
  }
  repeat 4 as i { term grown = box(i) }
  repeat n { term same = box(7) }
}
model made is plain {
}
scenario s {
  use m = made
  query parts: breakdown m.total(params)
}
"""


def test_terms_that_a_number_repeats_keep_their_names() -> None:
    (answer,) = run(Source("counted.cost", COUNTED)).answers
    assert answer.breakdown is not None
    whole = answer.breakdown.whole
    assert {"first": 6, "near": 36, "far": 30, "grown": 10, "n": 14} == {
        part.label: part.value for part in whole.parts
    }
    assert sums(whole)


def test_a_bend_is_placed_between_the_whole_batches_on_both_sides() -> None:
    answer = answer_to("sweep latency over batch in 1..512 at context = 512")
    assert answer.sweep is not None
    (bend,) = answer.sweep.bends
    assert 455 < bend.at.middle < 456
    rows = {line.cells[0]: line.regime[0].side for line in answer.sweep.lines}
    assert ("t_memory", "t_compute") == (rows[Fraction(455)], rows[Fraction(456)])
    assert ("batch: 10 of 512 values, powers of two and the ends",) == answer.sweep.sampling


def test_an_axis_may_be_a_chip_or_a_format() -> None:
    question = (
        "sweep latency over hardware in {H100_SXM, H200}, weights in {bf16, fp8} at context = 0"
    )
    answer = answer_to(question)
    assert answer.sweep is not None
    assert [("H100_SXM", "bf16"), ("H100_SXM", "fp8"), ("H200", "bf16"), ("H200", "fp8")] == [
        line.cells[:2] for line in answer.sweep.lines
    ]


def test_names_left_free_give_the_formula() -> None:
    answer = answer_to("rate")
    assert ("it.context",) == answer.free or any("context" in name for name in answer.free)
    assert answer.value is None
    assert answer.formula is not None
    assert {"context"} == {symbol.name for symbol in answer.formula.free} - {
        "link_latency",
        "link_bandwidth",
    }


def test_a_default_never_enters_a_formula() -> None:
    answer = answer_to("latency")
    assert answer.formula is not None
    batch = next(s for s in answer.formula.symbols if s.name == "batch")
    assert (None, 1) == (batch.info.value, batch.info.default)


SPEC = """cost 1
scenario s {
  param x : ratio in 0.. = 2 .. 5
  param y : ratio in 0.. = 1 .. 3
  query rising: x * y + x
  query falling: y / x
  query bent: max(x, 4) - y
  query turning: (x - 3) ^ 2
}
"""


def test_a_range_that_is_monotone_gives_its_exact_hull() -> None:
    found = {a.name: a.value for a in run(Source("s.cost", SPEC)).answers}
    assert Bounds(Fraction(4), Fraction(20), "exact") == found["rising"]
    assert Bounds(Fraction(1, 5), Fraction(3, 2), "exact") == found["falling"]
    assert Bounds(Fraction(1), Fraction(4), "exact") == found["bent"]


def test_a_range_that_turns_gives_bounds_that_say_they_are_outer() -> None:
    found = {a.name: a.value for a in run(Source("s.cost", SPEC)).answers}["turning"]
    assert isinstance(found, Bounds)
    assert "outer" == found.kind
    assert found.low <= 0 and found.high >= 4


def test_an_answer_lists_what_it_took_and_what_it_overrode() -> None:
    answer = answer_to("latency at context = 10, new = 4")
    assert ["new"] == [item.name for item in answer.overridden]
    assert "step_overhead" in [item.name for item in answer.assumed]


def test_a_table_is_a_dataset_with_units_as_attributes() -> None:
    question = (
        "sweep latency, rate over hardware in {H100_SXM, H200}, batch in {1, 8} at context = 0"
    )
    answer = answer_to(question)
    assert answer.sweep is not None
    found = to_xarray(answer.sweep)
    assert {"hardware": 2, "batch": 2} == dict(found.sizes)
    assert ("ms", "tok/s") == (found.latency.attrs["units"], found.rate.attrs["units"])
    assert found.rate.sel(hardware="H200", batch=8) > found.rate.sel(hardware="H100_SXM", batch=8)
