"""Experts: how many, how many a token takes, in which layers, and which are shared."""

from __future__ import annotations

from typing import Any

import pytest

from costlang.importing import Description
from tests.importing.given import ABSENT, codes, config, described
from tests.importing.test_windows import llama_4


def values(fields: dict[str, Any], *names: str) -> tuple[object, ...]:
    found = described(fields)
    assert isinstance(found, Description), found
    return tuple(found.value(name) for name in names)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("mixtral_8x7b", (8, 2, 14_336, None, None)),
        ("qwen1_5_moe_a2_7b", (60, 4, 1408, 0, 5632)),
        ("qwen3_30b_a3b", (128, 8, 768, 0, None)),
        ("deepseek_v2_lite", (64, 6, 1408, 1, 2816)),
        ("deepseek_v3", (256, 8, 2048, 3, 2048)),
        ("gpt_oss_20b", (32, 4, 2880, None, None)),
        ("llama_4_maverick", (128, 1, 8192, 24, 8192)),
    ],
)
def test_experts_are_counted_as_the_family_says(name: str, wanted: tuple[object, ...]) -> None:
    names = ("experts", "top_k", "expert_ff", "dense_layers", "shared_ff")
    assert wanted == values(config(name), *names)


@pytest.mark.parametrize(
    ("dense", "changed"),
    [
        (0, {"decoder_sparse_step": ABSENT}),
        (12, {"decoder_sparse_step": 2}),
        (16, {"decoder_sparse_step": 3}),
        (24, {"decoder_sparse_step": 25}),
        (2, {"mlp_only_layers": [0, 5]}),
        (1, {"mlp_only_layers": [0, 0, 99]}),
        (13, {"decoder_sparse_step": 2, "mlp_only_layers": [0, 1]}),
    ],
)
def test_a_step_and_a_list_say_which_layers_are_dense(dense: int, changed: dict[str, Any]) -> None:
    assert (dense,) == values(config("qwen1_5_moe_a2_7b", **changed), "dense_layers")


def test_llama_4_lists_its_layers_with_experts_or_steps_to_them() -> None:
    assert (0,) == values(llama_4(interleave_moe_layer_step=1), "dense_layers")
    assert (46,) == values(llama_4(moe_layers=[1, 3, 3, 99]), "dense_layers")


def test_without_shared_experts_there_is_no_shared_width() -> None:
    for none in (0, None):
        assert (0,) == values(config("deepseek_v3", n_shared_experts=none), "shared_ff")


def test_queries_without_a_rank_come_from_the_hidden_vector() -> None:
    assert (0,) == values(config("deepseek_v2_lite"), "q_rank")
    assert (1536,) == values(config("deepseek_v2_lite", q_lora_rank=ABSENT), "q_rank")


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("mixtral_8x7b", {"num_experts_per_tok": 9}),
        ("deepseek_v3", {"first_k_dense_replace": 62}),
    ],
)
def test_numbers_that_contradict_each_other_are_refused(name: str, changed: dict[str, Any]) -> None:
    assert ["wrong-field"] == codes(described(config(name, **changed)))
