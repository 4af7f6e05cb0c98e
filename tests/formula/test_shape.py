"""How large formulas are, which sums are closed, and that explanations fit a screen."""

from __future__ import annotations

from click.testing import CliRunner

from costlang.answer.lowered import Formula
from costlang.cli.main import cli
from costlang.formula import graph as g
from costlang.pipeline import Sentence, ask


def formula_of(question: str, of: str) -> Formula:
    report = ask(Sentence(question, of=of, with_formula=True))
    assert () == report.diagnostics
    (answer,) = report.answers
    assert answer.formula is not None
    return answer.formula


def sums(formula: Formula) -> list[g.SumOver]:
    return [node for node in g.walk(formula.node) if isinstance(node, g.SumOver)]


def test_the_whole_decode_step_of_llama_2_70b_has_less_than_two_hundred_nodes() -> None:
    formula = formula_of("latency", "decode(llama_2_70b, H100_SXM)")
    assert len(list(g.walk(formula.node))) < 200


def test_equal_parts_are_one_node() -> None:
    build = g.Builder()
    x, y = (build.sym((n,), g.SymbolInfo(n, None, g.NONE, "real")) for n in "xy")
    assert build.add(build.mul(x, y), x) is build.add(build.mul(x, y), x)
    assert build.add(x, y) is not build.add(y, x)


def test_a_completion_whose_steps_are_all_alike_is_one_formula_without_a_sum() -> None:
    formula = formula_of("time", "completion(round_70b, H100_SXM, prompt = 2000)")
    assert 1 == len(sums(formula))
    closed = formula.closed()
    assert [] == sums(closed)
    assert {"tokens"} <= {symbol.name for symbol in closed.free}


def test_a_completion_with_a_cache_keeps_a_sum_over_its_maximum_alone() -> None:
    of = "completion(llama_2_70b, H100_SXM, prompt = 2000, tokens = 500)"
    formula = formula_of("time", of)
    closed = formula.closed()
    assert all(isinstance(g.bare(node.body), g.Max) for node in sums(closed))
    assert formula.value() == closed.value()


def test_a_sum_of_a_polynomial_is_closed() -> None:
    question = "sum(over i in 1..layers: i ^ 3 * d_model)"
    formula = formula_of(question, "llama_2_7b")
    closed = formula.closed()
    assert [] == sums(closed)
    assert sum(i**3 for i in range(1, 33)) * 4096 == closed.value()


def test_why_of_the_decode_step_fits_a_screen() -> None:
    words = [
        "why",
        "latency at batch = 64, context = 2000",
        "--of",
        "decode(llama_2_70b, H100_SXM)",
    ]
    result = CliRunner().invoke(cli, [*words, "--depth", "2"], env={"COLUMNS": "100"})
    lines = result.output.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 150
    assert "t_memory is the max in latency, 5.802 times t_compute" in result.output


def test_every_node_that_a_spec_gave_rise_to_knows_its_place_and_its_operator() -> None:
    formula = formula_of("flops", "decode(llama_2_70b, H100_SXM)")
    nodes = [n for n in g.walk(formula.node) if not isinstance(n, g.Part)]
    placed = [n for n in nodes if formula.place(n) is not None]
    assert len(placed) >= 0.8 * len(nodes)
    pairs = next(n for n in nodes if isinstance(n, g.Def) and n.name == "pairs")
    place = formula.place(pairs)
    assert "attend" == formula.operator(pairs)
    assert place is not None and "std/ops.cost" in place.source.name
