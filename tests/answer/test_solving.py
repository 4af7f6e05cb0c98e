"""Break-even points and boundaries, asked in a file: the numbers, the reasons and what binds."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from click.testing import CliRunner

from costlang.answer import Answer, Bounds
from costlang.cli.main import cli
from costlang.pipeline import run
from costlang.text import Source

HEAD = """\
cost 1
import hardware.nvidia (H100_SXM)
import models.chapter (round_70b)
import models.llama (llama_2_70b)
import std.phases (decode)
"""
ROUND = (
    '  use one = decode(round_70b, H100_SXM)\n  peak[bf16] = 989 TFLOP/s    source "a round peak"\n'
)
REAL = ROUND.replace("round_70b", "llama_2_70b")
PLAIN = "  param x : ratio in 0..\n  param n : count\n"


def asked(question: str, body: str = PLAIN) -> Answer:
    """Return the answer to *question* in a scenario with *body*."""
    text = f"{HEAD}scenario s {{\n{body}  query q: {question}\n}}\n"
    report = run(Source("s.cost", text))
    assert () == tuple(item for item in report.diagnostics if item.is_error)
    (answer,) = report.answers
    return answer


def text(answer: Answer) -> str:
    from costlang.emit.answer_line import answer_text

    return answer_text(answer)


# ---- the ridge, and the batch at which decoding is bound by compute


def test_the_round_model_has_its_ridge_at_any_context() -> None:
    found = asked("solve t_compute == t_memory for batch", ROUND)
    assert Fraction(989, 1) * 1000 / Fraction("3350") == found.value
    assert "batch = 295.2, from 296 on" == text(found)


@pytest.mark.parametrize(
    ("context", "expected"), [(0, 295.4), (512, 455.1), (1024, 990.6), (1400, 7287)]
)
def test_the_batch_grows_with_the_context_that_each_sequence_reads(
    context: int, expected: float
) -> None:
    found = asked(f"solve t_compute == t_memory for batch at context = {context}", REAL)
    assert isinstance(found.value, Fraction)
    assert expected == pytest.approx(float(found.value), rel=2e-4)


@pytest.mark.parametrize("context", [1460, 2000, 100_000])
def test_no_batch_is_bound_by_compute_from_1460_tokens_on(context: int) -> None:
    found = asked(f"solve t_compute == t_memory for batch at context = {context}", REAL)
    assert found.value is None and found.solved is not None
    assert "none: the left side is always smaller" == text(found)
    (opening,) = found.solved.thresholds
    assert ("context", ((0, 1459),)) == (opening.name, opening.integers)


def test_the_threshold_lies_between_two_tokens() -> None:
    found = asked("solve t_compute == t_memory for batch at context = 2000", REAL)
    assert found.solved is not None
    (span,) = found.solved.thresholds[0].spans
    high = span.high
    assert high is not None
    assert 1459.16 == pytest.approx(float(high.high), abs=0.005)


def test_the_formula_of_a_solution_is_worth_the_solution() -> None:
    from costlang.formula.evaluate import Evaluation

    found = asked("solve t_compute == t_memory for batch at context = 512", REAL)
    assert found.solved is not None
    (case,) = found.solved.cases
    assert case.formula is not None
    assert found.value == Evaluation().number(case.formula)


# ---- what may be sought


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("solve latency == 280 ms for peak[bf16] at batch = 2000", "peak[bf16] = 1 PFLOP/s"),
        ("smallest hardware.peak[bf16] with latency <= 280 ms at batch = 2000, hbm_capacity = 1 TB",
         "peak[bf16] = 1 PFLOP/s"),
        ("solve latency == 280 ms and t_memory == 140 ms for peak[bf16], hbm_bandwidth "
         "at batch = 2000", "peak[bf16] = 1 PFLOP/s, hbm_bandwidth = 1 TB/s"),
        ("limit latency as peak[bf16] -> inf at hbm_bandwidth = 1 TB/s", "140 ms"),
        ("largest latency over peak[bf16] in {500 TFLOP/s, 1 PFLOP/s} "
         "at batch = 2000, hbm_capacity = 1 TB", "560 ms at peak[bf16] = 500 TFLOP/s"),
    ],
)  # fmt: skip
def test_a_row_of_a_table_is_sought_like_a_parameter(question: str, expected: str) -> None:
    assert expected == text(asked(question, ROUND))


def test_a_row_that_is_set_for_the_question_has_its_threshold() -> None:
    found = asked(
        "solve t_compute == t_memory for batch at context = 2000, peak[bf16] = 989 TFLOP/s", REAL
    )
    assert found.solved is not None
    names = [opening.name for opening in found.solved.thresholds]
    assert ["context", "peak[bf16]"] == sorted(names)


# ---- steps, inequalities, none, everywhere


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("solve ceil(n / 128) * 128 == 4096 for n", "n in 3_969..4_096"),
        ("solve max(2 * x, 5) == 8 for x", "x = 4"),
        ("solve max(2 * x, 5) == 4 for x", "none: the left side is always larger"),
        ("solve max(2 * x, 5) <= 8 for x", "0 <= x <= 4"),
        ("solve x + 1 == x + 1 for x", "every x"),
        ("solve x * x == 2 for x", "x = 1.414"),
        ("solve (x - 1) * (x - 3) == 0 for x", "x = 1 and 3"),
        ("solve 3 * n == 10 for n", "n = 3.333, from 4 on"),
        ("largest n with 3 * ceil(n / 128) <= 12", "n = 512"),
        ("smallest n with n * n >= 10", "n = 4"),
        ("largest n with n <= 5 and n >= 7", "none: `n <= 5` and `n >= 7` cannot hold"),
        ("largest n with n >= 7", "no bound: the conditions hold however large it is"),
        ("solve floor(x) == 5 for x", "5 <= x < 6"),
        ("solve x > 3 for x", "3 < x"),
        ("solve x != 3 for x", "0 <= x < 3 or 3 < x"),
        ("solve 1 / (1 + x) == 0 for x", "none: the left side is always larger"),
        ("largest x with x < 5", "none that is the largest: any x below 5"),
        ("smallest x with x > 5", "none that is the smallest: any x above 5"),
        ("largest n with 2 <= 1", "none: `2 <= 1` cannot hold"),
        ("smallest n", "n = 1"),
        ("solve 2 * 3 == 6 for n", "every n"),
        ("solve 2 * 3 == 7 for n", "none: `n` stands in neither side"),
        ("limit (3 * x + 1) / (x + 2) as x -> inf", "3"),
        ("limit x / (x + 2) as x -> 0", "0"),
    ],
)
def test_what_an_equation_comes_to(question: str, expected: str) -> None:
    assert expected == text(asked(question))


def test_a_root_outside_its_domain_is_named() -> None:
    found = asked("solve 2 * share == 64.4 for share", "  param share : ratio in 0..1\n")
    assert "none in 0..1; 32.2 would be needed" == text(found)


def test_a_root_that_is_not_rational_is_certified() -> None:
    found = asked("solve x * x == 2 for x")
    assert isinstance(found.value, Bounds)
    low, high = Fraction(found.value.low), Fraction(found.value.high)
    assert "certified" == found.value.kind
    assert low * low < 2 < high * high and high - low < Fraction(1, 10**20)


# ---- boundaries, and what binds


def test_the_condition_that_binds_is_named_and_the_next_one_too() -> None:
    found = asked(
        "largest batch with latency <= 50 ms at context = 2000, hbm_capacity = 640 GB", REAL
    )
    assert found.solved is not None
    assert 45 == found.value
    assert ["latency <= 50 ms"] == [limit.name for limit in found.solved.binding]
    assert ["fits"] == [limit.name for limit in found.solved.next_binding]


def test_a_boundary_keeps_its_conditions_and_the_next_whole_number_does_not() -> None:
    at = "context = 2000, hbm_capacity = 640 GB"
    edge = asked(f"largest batch with latency <= 50 ms at {at}", REAL).value
    assert isinstance(edge, Fraction)
    assert asked(f"latency <= 50 ms at batch = {edge}, {at}", REAL).value is True
    assert asked(f"latency <= 50 ms at batch = {edge + 1}, {at}", REAL).value is False


def test_a_requirement_that_cannot_hold_is_named() -> None:
    found = asked("largest batch with latency <= 50 ms at context = 2000", REAL)
    assert "none: `fits` cannot hold" == text(found)


def test_a_requirement_is_a_condition_where_none_is_written() -> None:
    found = asked("largest batch at context = 2000, hbm_capacity = 640 GB", REAL)
    assert found.solved is not None
    assert 765 == found.value
    assert ["fits"] == [limit.name for limit in found.solved.binding]


# ---- answers that others stand on


def test_another_question_stands_on_a_boundary_also_along_a_sweep() -> None:
    body = (
        REAL
        + "  query fit: largest batch with latency <= 50 ms at hbm_capacity = 640 GB\n"
        + "  query twice: sweep 2 * fit over context in {1000, 2000}\n"
    )
    text = f"{HEAD}scenario s {{\n{body}  query single: 2 * fit at context = 2000\n}}\n"
    report = run(Source("s.cost", text), ("twice", "single"))
    table, single = report.answers
    assert 90 == single.value
    assert table.sweep is not None
    assert [182, 90] == [line.cells[1] for line in table.sweep.lines]


# ---- what a formula hangs on


def test_elasticities_are_sorted_and_those_that_are_dead_come_last() -> None:
    found = asked("sensitivity latency at context = 0", ROUND)
    assert found.solved is not None
    slopes = {row.name: row.before.exact for row in found.solved.elastic}
    assert (-1, 1, 0) == (slopes["hbm_bandwidth"], slopes["width"], slopes["peak[bf16]"])
    sizes = [abs(row.before.low) for row in found.solved.elastic]
    assert sizes == sorted(sizes, reverse=True)


# ---- names left free


def test_names_left_free_stay_in_the_answer_with_its_condition() -> None:
    found = asked(
        "solve x / a == b for x", "  param x : ratio in 0..\n  param a : count\n  param b : count\n"
    )
    assert found.solved is not None
    (case,) = found.solved.cases
    from costlang.emit.math import body_text

    assert case.formula is not None
    assert body_text(case.formula, "text") in ("a * b", "b * a")


# ---- the way to a solution


@pytest.mark.parametrize("context", [0, 512, 1400])
def test_each_step_of_the_way_is_an_equation_that_holds_at_the_solution(context: int) -> None:
    from costlang.formula.evaluate import Evaluation

    found = asked(f"solve t_compute == t_memory for batch at context = {context}", REAL)
    assert found.solved is not None and isinstance(found.value, Fraction)
    (case,) = found.solved.cases
    assert found.solved.symbol is not None
    worth = Evaluation({found.solved.symbol: found.value})
    assert 3 <= len(case.steps)
    for words, left, right in case.steps:
        assert words
        assert worth.number(left) == worth.number(right), words


def test_the_way_is_shown_a_step_a_line() -> None:
    words = ("why", "solve max(2 * x, 5) == 8 for x", "-")
    spec = f"cost 1\nscenario s {{\n{PLAIN}}}\n"
    assert (
        "x = 4\n"
        "    where 2 * x is the max\n"
        "    this form holds for 2.5 <= x\n"
        "  1. what is asked\n"
        "       max(2 * x, 5) = 8\n"
        "  2. with the active side of every choice\n"
        "       2 * x = 8\n"
        "  3. solved\n"
        "       x = 4\n"
    ) == CliRunner().invoke(cli, words, input=spec).output


# ---- in Python


def test_python_asks_in_the_names_of_what_is_in_use() -> None:
    import costlang

    spec = costlang.loads(f"{HEAD}scenario s {{\n{REAL}}}\n")
    one = spec.scenario("s")["one"]
    found = one.solve("t_compute == t_memory", for_="batch", context=512)
    assert ("one", 456, "batch = 455.1, from 456 on") == (
        found.outcome,
        found.first_integer,
        str(found),
    )
    assert 455.132 == pytest.approx(float(found), abs=0.001)
    fit = one.largest("batch", with_="latency <= 50 ms", context=2000, hbm_capacity="640 GB")
    assert (45, ("one.latency <= 50 ms",)) == (fit.value, fit.binding)
    none = one.solve("t_compute == t_memory", for_="batch", context=2000)
    assert ("none", None) == (none.outcome, none.value)
    with pytest.raises(ValueError, match="there is no one number"):
        float(none)


# ---- as data, and with no file


def test_the_json_of_a_solution_has_its_cases_and_its_first_whole_number() -> None:
    question = (
        "solve t_compute == t_memory for batch at context = 512, hardware.peak[bf16] = 989 TFLOP/s"
    )
    words = ("ask", question, "--of", "decode(llama_2_70b, H100_SXM)", "--json")
    (answer,) = json.loads(CliRunner().invoke(cli, words).output)["answers"]
    assert ("solve", "one", 456) == (answer["kind"], answer["outcome"], answer["first_integer"])
    (case,) = answer["cases"]
    assert 455.132 == pytest.approx(case["value"], abs=0.001)
    assert ("1", True) == (case["unit"], "weights_bytes" in case["formula"])


def test_a_form_that_is_not_answered_yet_says_so() -> None:
    free = PLAIN + "  param a : count\n  param y : ratio in 0..\n"
    found = asked("solve x + y == a and x - y <= 1 for x, y", free)
    assert found.note is not None
    assert ("not-answered-yet", "several unknowns are solved for from equations alone") == (
        found.note.code,
        found.note.message,
    )


# ---- the best of finitely many, and several unknowns

CHIPS = (
    "cost 1\nimport hardware.amd (MI300X)\nimport hardware.nvidia (H100_SXM, H200)\n"
    "import models.llama (llama_2_70b)\nimport std.format (bf16, fp8)\n"
    "import std.phases (decode)\n"
    "scenario s {\n  use one = decode(llama_2_70b, H100_SXM, context = 2000)\n"
)


def chosen(question: str) -> Answer:
    (answer,) = run(Source("s.cost", f"{CHIPS}  query q: {question}\n}}\n")).answers
    return answer


def test_the_best_chip_is_the_best_of_those_that_keep_the_requirements() -> None:
    found = chosen("largest rate over hardware in {H100_SXM, H200, MI300X} at batch = 8")
    assert found.solved is not None and found.solved.chosen is not None
    assert (("hardware", "MI300X"),) == found.solved.chosen.where
    assert "297.2 tok/s at hardware = MI300X" == text(found)


def test_a_better_point_that_is_excluded_is_named_with_its_reason() -> None:
    found = chosen(
        "largest rate over weights in {bf16, fp8}, batch in {1, 8, 64} "
        "with latency <= 40 ms at hbm_capacity = 100 GB"
    )
    assert found.solved is not None and found.solved.excluded is not None
    assert (("weights", "fp8"), ("batch", "8")) == found.solved.chosen.where  # type: ignore[union-attr]
    assert (("weights", "bf16"), ("batch", "64")) == found.solved.excluded.where
    assert "fits" in [limit.name for limit in found.solved.excluded.failing]


def test_where_nothing_fits_what_fails_everywhere_is_named() -> None:
    found = chosen("smallest latency over weights in {bf16}")
    assert found.solved is not None
    assert ["fits"] == [limit.name for limit in found.solved.failing]
    assert "none: `fits` cannot hold" == text(found)


def test_points_that_are_as_good_are_counted() -> None:
    found = chosen("largest batch * 0 over batch in {1, 2, 4} at hbm_capacity = 200 GB")
    assert "0 at batch = 1, and 2 as good" == text(found)


def test_several_unknowns_are_solved_for_from_as_many_equations() -> None:
    found = asked(
        "solve x + y == 5 and x - y == 1 for x, y",
        "  param x : ratio in 0..\n  param y : ratio in 0..\n",
    )
    assert "x = 3, y = 2" == text(found)


def test_an_efficiency_and_an_overhead_follow_from_two_measurements() -> None:
    body = (
        "  use a = decode(llama_2_70b, H100_SXM, context = 0)\n"
        "  use b = decode(llama_2_70b, H100_SXM, context = 2000, batch = 32)\n"
        "  param eta : ratio in 0..1\n  param t0 : [s] in 0..\n"
    )
    question = "solve t0 + a.t_memory / eta == 50 ms and t0 + b.t_memory / eta == 57 ms for eta, t0"
    found = asked(question, body)
    assert found.solved is not None
    ((eta, overhead),) = found.solved.points
    assert ("eta", "t0") == (eta[0], overhead[0])
    check = asked(
        "t0 + b.t_memory / eta",
        body + f"  eta = {float(eta[2].low)!r}\n  t0 = {float(overhead[2].low)!r} s\n",
    )
    assert 0.057 == pytest.approx(float(check.value), rel=1e-9)  # type: ignore[arg-type]
