"""What links cost: by the size of a group, by how chips add up, within a node and between nodes."""

from __future__ import annotations

import pytest

from tests.specs.figures import Figure, told

STEP = (
    "decode(llama_3_70b, H100_SXM, context = 2000, batch = 64, link_latency = 1 us, "
    "network_latency = 4 us, hbm_capacity = inf)"
)
EXPERTS = "decode(deepseek_v3, H100_SXM, context = 3, link_latency = 1 us, network_latency = 4 us)"
SEND = "hardware.send_time"

FIGURES = (
    Figure("16.22", f"{SEND}(1 MB, 14, 8, added) show us", STEP, "1 MB at 450 GB/s, 14 messages"),
    Figure(
        "123.41",
        f"{SEND}(1 MB, 30, 16, added) show us",
        STEP,
        "of 16 chips on two nodes 8/15 are outside, and what is added leaves a node once for 8",
    ),
    Figure(
        "19.70",
        f"{SEND}(1 MB, 2, 16, exchanged) show us",
        STEP,
        "8/15 of 1 MB at 50 GB/s, the rest at 450 GB/s, two messages of 4 us",
    ),
    Figure("24.00", f"{SEND}(1 MB, 1, 16, passed) show us", STEP, "1 MB at 50 GB/s and 4 us"),
    Figure("2.892", "t_link at tp = 8 show ms", STEP, "160 rings of 8 chips"),
    Figure("3.197", "t_link at tp = 8, adds = tree show ms", STEP, "160 times 6 messages of 1 MiB"),
    Figure("1.612", "t_link at tp = 8, adds = halving show ms", STEP, "160 times 6 messages"),
    Figure("2.770", "t_link at tp = 8, adds = one_shot show ms", STEP, "160 times one, of 7 MiB"),
    Figure(
        "20.27",
        "t_link at tp = 16 show ms",
        STEP,
        "a ring over two nodes has 30 messages that wait for the network",
    ),
    Figure("2.917", "t_link at tp = 8, pp = 2 show ms", STEP, "one hand-over of 1 MiB to a node"),
    Figure(
        "infeasible: spread",
        "latency at tp = 8, dp = 2, ep = 32",
        EXPERTS,
        "32 parts of experts over 16 chips",
    ),
    Figure("512, 4096", "chips, users at tp = 8, pp = 8, dp = 8", STEP, "64 sequences, 64 times"),
    Figure(
        "1.0000",
        "rate / (chips * chip_rate) at tp = 8, pp = 2",
        STEP,
        "what a chip does is a part of what all do",
    ),
    Figure(
        "8",
        "hourly / chip_price at tp = 8, price = 2 $/h",
        STEP,
        "a chip's price is no price of a layout",
    ),
)


@pytest.mark.parametrize("figure", FIGURES, ids=str)
def test_a_link_takes_what_its_bytes_and_messages_say(figure: Figure) -> None:
    assert figure.expected == told(figure)


LATENT = "decode(deepseek_v3, H100_SXM, context = 2000)"


@pytest.mark.parametrize("tp", [1, 2, 4, 8])
def test_every_chip_has_the_whole_latent_cache(tp: int) -> None:
    asked = Figure(
        "70272", f"model.total(slot) at tp = {tp} show B/tok", LATENT, "61 layers of 576"
    )
    assert asked.expected == told(asked)


@pytest.mark.parametrize(
    ("model", "tp", "expected"),
    [
        ("llama_3_1_70b", 4, "81920"),
        ("llama_3_1_70b", 8, "40960"),
        ("llama_3_1_70b", 16, "40960"),
        ("llama_3_1_405b", 8, "64512"),
        ("llama_3_1_405b", 16, "64512"),
    ],
)
def test_a_cache_head_is_on_several_chips_where_there_are_too_few(
    model: str, tp: int, expected: str
) -> None:
    about = f"decode({model}, H100_SXM, context = 2000)"
    asked = Figure(expected, f"model.total(slot) at tp = {tp} show B/tok", about, "one head a chip")
    assert asked.expected == told(asked)
