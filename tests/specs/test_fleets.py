"""Fleets and pools: what they need for a load, and what they say that they leave out."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from costlang.pipeline import run
from costlang.text import Source
from tests.answer.asked import all_asked, asked, line, near, one
from tests.specs.test_guides import FOLDER

HEAD = """
import hardware.nvidia (H100_SXM)
import models.llama (llama_3_70b)
import models.opt (opt_66b)
import serving.disaggregated (disaggregated, handover, kept, pools)
import serving.fleet (fleet)
"""
FLEET = """
  use s = fleet(llama_3_70b, H100_SXM, prompt = 2000, tokens = 500, load = 40 req/s, tp = 4)
  link_latency = 1 us
  price        = 2.50 $/h
  batch        = 96
"""

# ---- a plan of fifteen lines

PLAN = FOLDER / "17_capacity_plan.cost"


def test_a_plan_is_one_file_of_fifteen_lines() -> None:
    assert 15 >= len(PLAN.read_text(encoding="utf-8").splitlines())


def test_a_plan_tells_chips_layout_batch_price_what_binds_and_what_one_more_buys() -> None:
    report = run(PLAN)
    found = {answer.expression: line(answer) for answer in report.answers}
    best, *_ = report.answers
    assert "50 $/h at tp = 4, batch = 76, and 55 as good" == line(best)
    assert best.solved is not None and best.solved.excluded is not None
    assert ["next", "fits"] == [limit.name for limit in best.solved.excluded.failing]
    assert ("20", "5") == (found["fleet_chips"], found["replicas"])
    assert [()] == list({answer.infeasible for answer in report.answers})


def test_a_plan_for_shorter_gaps_costs_more() -> None:
    report = run(PLAN)
    (front,) = (answer.sweep for answer in report.answers if answer.sweep is not None)
    dollars = [Fraction(row.cells[1]) * 3600 for row in front.lines]  # type: ignore[arg-type]
    assert [80, 50, 50] == dollars


def test_a_plan_says_in_its_answers_what_it_does_not_model() -> None:
    told = {(item.name, item.value) for answer in run(PLAN).answers for item in answer.assumed}
    assert {("queue_wait", 0), ("routing_skew", 1), ("availability", 1)} <= told


def test_another_load_is_another_plan() -> None:
    text = PLAN.read_text(encoding="utf-8").replace("load = 40 req/s", "load = 80 req/s")
    report = run(Source("plan.cost", text))
    assert {"fleet_chips": "40", "replicas": "10"} == {
        answer.expression: line(answer)
        for answer in report.answers
        if answer.expression in ("fleet_chips", "replicas")
    }


# ---- a steady state


def test_as_many_are_under_way_as_arrive_in_a_stay() -> None:
    held, stay = all_asked("in_flight", "stay", body=FLEET, head=HEAD)
    assert one(held) == 40 * one(stay)


@pytest.mark.parametrize("batch", [32, 96, 150])
def test_a_replica_ends_what_its_places_emit(batch: int) -> None:
    found = asked(f"replica_rate * itl at batch = {batch}", FLEET, HEAD)
    assert Fraction(batch, 500) == one(found)


@pytest.mark.parametrize(
    "question",
    [
        "largest load with capacity >= load at replicas = 5",
        "largest routing_skew with capacity >= load at replicas = 5",
        "smallest availability with capacity >= load at replicas = 5",
    ],
)
def test_a_plan_is_full_where_its_capacity_is_its_load(question: str) -> None:
    name = question.split()[1]
    found = one(asked(question, FLEET, HEAD))
    at = f"{name} = {found.numerator} / {found.denominator}"
    unit = " * 1 req / 1 s" if name == "load" else ""
    assert 1 == one(asked(f"capacity / load at replicas = 5, {at}{unit}", FLEET, HEAD))


def test_a_given_number_of_replicas_that_is_too_small_is_told() -> None:
    refused = asked("token_price at replicas = 4", FLEET, HEAD)
    assert ["enough"] == [broken.name for broken in refused.infeasible]


def test_several_groups_and_stages_are_one_replica_of_so_many_chips() -> None:
    body = FLEET + "  network_latency = 5 us\n"
    few, many = all_asked(
        "replica_rate / model.on.chips",
        "replica_rate / model.on.chips at dp = 2",
        body=body,
        head=HEAD,
    )
    assert one(few) == one(many)


# ---- two pools

POOLS = """
  use s = disaggregated(llama_3_70b, H100_SXM, prompt = 2000, tokens = 500, load = 40 req/s)
  batch           = 64
  front.tp        = 4
  back.tp         = 8
  link_latency    = 1 us
  network_latency = 5 us
  price           = 2.50 $/h
"""


def test_three_servers_read_for_one_that_emits() -> None:
    given = "t_prefill = 0.91 s, itl = 19 ms, batch = 32, tokens = 512"
    found = one(asked(f"ratio at {given}", POOLS, HEAD))
    assert Fraction(91, 100) * 32 / (512 * Fraction(19, 1000)) == found
    assert 3 == math.ceil(found)


@pytest.mark.parametrize(("front", "back"), [(1, 1), (7, 6), (3, 2), (1, 8)])
def test_no_group_of_servers_does_more_than_the_ratio_allows(front: int, back: int) -> None:
    ask = f"balance at front_share = {front}, back_share = {back}"
    assert 0 < one(asked(ask, POOLS, HEAD)) <= 1


def test_the_best_small_group_lies_next_to_the_ratio() -> None:
    ratio = near(asked("ratio", POOLS, HEAD))
    best = asked("largest balance over front_share in 1..9, back_share in 1..9", POOLS, HEAD)
    assert best.solved is not None and best.solved.chosen is not None
    front, back = (int(text) for _, text in best.solved.chosen.where)
    others = (abs(a / b - ratio) for a in range(1, 10) for b in range(1, 10))
    assert abs(front / back - ratio) <= 1.01 * min(others)


def test_a_cache_is_gone_when_its_prompt_is_read_where_the_link_suffices() -> None:
    found = asked("solve transfer.sending == t_prefill for network_bandwidth", POOLS, HEAD)
    enough, cards = all_asked("transfer.enough", "front.chips", body=POOLS, head=HEAD)
    assert near(enough) == pytest.approx(near(found) * float(one(cards)))
    refused = asked("ratio at network_bandwidth = 1 GB/s", POOLS, HEAD)
    assert ["carried"] == [broken.name for broken in refused.infeasible]


# ---- a cache on its way

CACHE = "  use k = kept(llama_3_70b)\n  use h = handover(parts = 80, link = 50 GB/s)\n" + (
    "  h.bytes = k.cache_bytes\n"
)


def test_twenty_milliseconds_of_a_link_carry_the_cache_of_3_052_tokens() -> None:
    found = asked("solve h.sending == 20 ms for k.context", CACHE, HEAD)
    assert "context = 3_052 tok, from 3_052 on" == line(found)
    long, cards = all_asked(
        "h.sending at k.context = 8192",
        "h.sending at k.context = 8192, h.link = 400 GB/s",
        body=CACHE,
        head=HEAD,
    )
    assert (53.7, 6.7) == tuple(round(near(each) * 1000, 1) for each in (long, cards))


@pytest.mark.parametrize("made", [10, 53, 300])
def test_going_by_layers_hides_all_but_one_layer_of_the_shorter(made: int) -> None:
    at = f"at k.context = 8192, h.made = {made} ms"
    layered, serial, sending = (
        one(found)
        for found in all_asked(
            f"h.layered {at}", f"h.serial {at}", f"h.sending {at}", body=CACHE, head=HEAD
        )
    )
    prompt = Fraction(made, 1000)
    assert prompt + sending == serial
    assert max(prompt, sending) + min(prompt, sending) / 80 == layered


def test_ninety_gigabits_of_a_paper_are_binary() -> None:
    body = "  use k = kept(opt_66b, context = 512)\n"
    cache, slot = all_asked("k.cache_bytes", "k.slot", body=body, head=HEAD)
    assert (2_359_296, Fraction(9, 8) * 2**30) == (one(slot), one(cache))
    link = 10 * 8 * one(cache)
    assert 90 * 2**30 == link
    assert 96.6 == round(float(link) / 10**9, 1)
