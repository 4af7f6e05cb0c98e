"""By how much an answer moves with each name, and which name is meant."""

from __future__ import annotations

import pytest

from tests.answer.asked import asked, solved

MODEL = """
import hardware.nvidia (H100_SXM, L40S)
import models.llama (llama_2_70b)
import std.phases (decode)
"""
STEP = "  use step = decode(llama_2_70b, H100_SXM, batch = 400, context = 2000)\n"
PAIR = """
  use a = decode(llama_2_70b, H100_SXM, context = 0)
  use b = decode(llama_2_70b, L40S, context = 0)
"""


def moves(question: str, body: str, head: str = "") -> dict[str, float]:
    rows = solved(asked(question, body, head)).elastic
    assert len({row.name for row in rows}) == len(rows)
    return {row.name: float(row.after.low) for row in rows}


def test_what_one_chip_rounds_to_wholes_moves_as_if_it_did_not() -> None:
    """On one chip `ceil(d_ff / tp)` is `d_ff`: its share of the bytes is its percent."""
    found = moves("sensitivity latency", STEP, MODEL)
    weights = 3 * 8192 * 28_672 * 80 * 2
    cache = 400 * 2001 * 327_680
    streamed = 68_976_648_192 * 2 - 32_000 * 8192 * 2
    assert weights / (streamed + cache) == pytest.approx(found["d_ff"], rel=1e-9)
    keys = 2 * 8192 * 8 * 128 * 80 * 2
    assert (keys + cache) / (streamed + cache) == pytest.approx(found["kv_heads"], rel=1e-9)


def test_between_two_steps_nothing_moves() -> None:
    body = "  param n : count\n  let blocks = ceil(n / 16)\n"
    assert {"n": 0.0} == moves("sensitivity blocks at n = 17", body)
    assert {"n": 1.0} == moves("sensitivity blocks at n = 32", body)


def test_namesakes_are_told_apart_by_where_they_stand() -> None:
    found = moves("sensitivity a.t_memory / b.t_memory", PAIR, MODEL)
    assert (-1.0, 1.0) == (found["H100_SXM.hbm_bandwidth"], found["L40S.hbm_bandwidth"])


def test_a_solution_says_of_which_chip_the_bandwidth_is() -> None:
    found = moves("solve x * a.t_memory == b.t_memory for x", PAIR + "  param x : count\n", MODEL)
    assert (1.0, -1.0) == (found["H100_SXM.hbm_bandwidth"], found["L40S.hbm_bandwidth"])
