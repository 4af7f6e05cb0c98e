"""Efficiencies, overheads and prices: each moves the figure that was worked out for it, apart."""

from __future__ import annotations

import pytest

from costlang.emit.answer_line import answer_text
from costlang.emit.values import value_text
from costlang.pipeline import Sentence, ask

DECODE = "decode(llama_2_70b, H100_SXM, context = 2000)"
PREFILL = "prefill(llama_2_70b, H100_SXM, prompt = 2000)"
CHAT = "completion(llama_2_70b, H100_SXM, prompt = 2000, tokens = 500)"
PEAK = "peak[bf16] = 989 TFLOP/s"

FIGURES = [
    ("51.52 ms", f"latency at {PEAK}, memory_efficiency = 0.8 show ms", DECODE),
    ("44.22 ms", f"latency at {PEAK}, step_overhead = 3 ms show ms", DECODE),
    ("564.3 ms", f"latency at {PEAK}, compute_efficiency = 0.5 show ms", PREFILL),
    ("147.7 FLOP/B", "ridge_point at compute_efficiency = 0.5", DECODE),
    ("20.904 s", f"time at {PEAK} show s", CHAT),
    ("22.904 s", f"time at {PEAK}, overhead = 2 s show s", CHAT),
    ("41.244 ms/tok", f"tpot at {PEAK} show ms/tok", CHAT),
    (
        "0.5217 $/Mtok",
        "token_price at tp = 4, batch = 64, price = 2 $/h, link_latency = 1 us show $/Mtok",
        "decode(llama_3_70b, H100_SXM, context = 2000)",
    ),
]


@pytest.mark.parametrize(("figure", "question", "of"), FIGURES)
def test_a_refinement_moves_the_figure_as_worked_out_apart(
    figure: str, question: str, of: str
) -> None:
    report = ask(Sentence(question, of=of))
    assert () == report.diagnostics
    (answer,) = report.answers
    number, unit = figure.split(" ", 1)
    digits = len(number.replace(".", "").lstrip("0"))
    assert figure == value_text(answer.value, answer.dimension, answer.unit, digits)
    assert unit in answer_text(answer)


def test_what_is_resident_is_weights_and_cache_together() -> None:
    (answer,) = ask(Sentence("resident at batch = 10 show GB", of=DECODE)).answers
    assert 68_976_648_192 * 2 + 10 * 2001 * 327_680 == answer.value
