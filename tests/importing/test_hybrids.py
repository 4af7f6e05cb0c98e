"""Families in which layers keep a state: how many do, and what they are made of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from costlang.importing import Description
from tests.importing.given import ABSENT, codes, config, described, imported

LINEAR, FULL = "linear_attention", "full_attention"


def value(parameter: str, name: str, **changed: Any) -> object:
    found = described(config(name, **changed))
    assert isinstance(found, Description), found
    return found.value(parameter)


@pytest.mark.parametrize(
    ("wanted", "name", "changed"),
    [
        (36, "qwen3_next_80b_a3b", {}),
        (36, "qwen3_next_80b_a3b", {"full_attention_interval": ABSENT}),
        (32, "qwen3_next_80b_a3b", {"full_attention_interval": 3}),
        (47, "qwen3_next_80b_a3b", {"layer_types": [LINEAR] * 47 + [FULL]}),
        (28, "jamba_v0_1", {}),
        (28, "jamba_v0_1", {"attn_layer_period": ABSENT, "attn_layer_offset": ABSENT}),
        (27, "jamba_v0_1", {"attn_layer_period": 7, "attn_layer_offset": 3}),
        (32, "jamba_v0_1", {"attn_layer_period": 64, "attn_layer_offset": 40}),
        (70, "minimax_text_01", {}),
    ],
)
def test_layers_keep_a_state_as_the_family_says(
    wanted: int, name: str, changed: dict[str, Any]
) -> None:
    assert wanted == value("recurrent_layers", name, **changed)


def test_a_mamba_model_has_nothing_but_states(tmp_path: Path) -> None:
    found = imported(tmp_path, config("mamba_2_8b"))
    assert 64 * 5120 * (16 + 3) * 2 == found.totals.cache_bytes


def test_a_rank_called_auto_is_a_sixteenth_of_the_width_rounded_up() -> None:
    rest = dict.fromkeys(("d_model", "d_inner", "intermediate_size"), ABSENT)
    assert 161 == value("step_rank", "mamba_2_8b", time_step_rank="auto", hidden_size=2570, **rest)
    assert 256 == value("step_rank", "jamba_v0_1", mamba_dt_rank="auto")
    assert 160 == value("step_rank", "mamba_2_8b", time_step_rank=ABSENT)


def test_a_single_expert_is_an_mlp() -> None:
    assert 32 == value("dense_layers", "jamba_v0_1", num_experts=1, num_experts_per_tok=1)
    assert value("experts", "jamba_v0_1", num_experts=1, num_experts_per_tok=1) is None


@pytest.mark.parametrize(
    ("code", "name", "changed"),
    [
        ("unsupported-field", "jamba_v0_1", {"mamba_conv_bias": False}),
        ("unsupported-field", "jamba_v0_1", {"mamba_proj_bias": True}),
        ("unsupported-field", "jamba_v0_1", {"sliding_window": 4096}),
        ("missing-field", "jamba_v0_1", {"attn_layer_offset": 8}),
        ("wrong-field", "jamba_v0_1", {"mamba_dt_rank": "wide"}),
        ("wrong-field", "jamba_v0_1", {"mamba_expand": 1.5}),
        ("unsupported-field", "mamba_2_8b", {"intermediate_size": 5121}),
        ("unsupported-field", "mamba_2_8b", {"use_bias": True}),
        ("unsupported-field", "minimax_text_01", {"shared_intermediate_size": 512}),
        ("unsupported-field", "minimax_text_01", {"attn_type_list": [0] * 79}),
        ("missing-field", "minimax_text_01", {"attn_type_list": ABSENT}),
        ("unsupported-field", "qwen3_next_80b_a3b", {"attention_bias": True}),
        ("unsupported-field", "qwen3_next_80b_a3b", {"layer_types": ["sliding_attention"] * 48}),
    ],
)
def test_a_state_of_another_make_is_refused(code: str, name: str, changed: dict[str, Any]) -> None:
    assert [code] == codes(described(config(name, **changed)))
