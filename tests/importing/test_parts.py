"""Tensors are sorted into the parts of a model by the names that many programs give them."""

from __future__ import annotations

import pytest

from costlang.importing.description import NEXT_LAYERS, VISION
from costlang.importing.parts import SCALES, apart, kind, part_of

NAMES = {
    "table of tokens": """model.embed_tokens.weight transformer.wte.weight gpt_neox.embed_in.weight
    transformer.word_embeddings.weight backbone.embeddings.weight""",
    "table of positions": "transformer.wpe.weight model.decoder.embed_positions.weight",
    "last matrix": "lm_head.weight lm_head.bias embed_out.weight language_model.lm_head.weight",
    "norms": """model.norm.weight transformer.ln_f.bias transformer.h.3.ln_1.weight
    model.layers.0.input_layernorm.weight model.layers.0.post_feedforward_layernorm.weight
    transformer.word_embeddings_layernorm.weight model.decoder.layers.1.self_attn_layer_norm.bias
    backbone.norm_f.weight model.layers.0.pre_ff_layernorm.weight""",
    "attention": """model.layers.0.self_attn.q_proj.weight model.layers.0.self_attn.q_norm.weight
    transformer.h.0.attn.c_attn.weight transformer.h.0.self_attention.query_key_value.weight
    gpt_neox.layers.0.attention.dense.bias model.layers.0.self_attn.kv_a_layernorm.weight
    model.layers.0.linear_attn.A_log model.layers.0.mamba.dt_layernorm.weight
    backbone.layers.0.mixer.D model.layers.0.self_attn.sinks""",
    "experts": """model.layers.0.mlp.experts.3.up_proj.weight model.layers.0.mlp.gate.weight
    model.layers.0.block_sparse_moe.experts.0.w1.weight model.layers.0.mlp.router.bias
    model.layers.0.mlp.shared_experts.up_proj.weight model.layers.0.mlp.shared_expert_gate.weight
    model.layers.0.feed_forward.shared_expert.down_proj.weight""",
    "MLP": """model.layers.0.mlp.gate_proj.weight transformer.h.0.mlp.c_fc.bias
    model.decoder.layers.0.fc1.weight model.layers.0.feed_forward.down_proj.weight""",
    "others": "something.weight model.layers.0.eh_proj.weight",
}


@pytest.mark.parametrize("part", NAMES)
def test_a_tensor_is_of_the_part_that_its_name_says(part: str) -> None:
    assert dict.fromkeys(NAMES[part].split(), part) == {
        name: part_of(name) for name in NAMES[part].split()
    }


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("model.layers.4.mlp.up_proj.weight", NEXT_LAYERS),
        ("model.layers.4.embed_tokens.weight", NEXT_LAYERS),
        ("mtp.layers.0.self_attn.q_proj.weight", NEXT_LAYERS),
        ("model.layers.3.mlp.up_proj.weight", None),
        ("vision_tower.blocks.0.attn.qkv.weight", VISION),
        ("multi_modal_projector.linear_1.weight", VISION),
        ("language_model.model.layers.0.mlp.up_proj.weight", None),
    ],
)
def test_what_a_spec_leaves_out_is_apart_where_the_configuration_speaks_of_it(
    name: str, why: str | None
) -> None:
    assert why == apart(name, 4, (NEXT_LAYERS, VISION))
    assert apart(name, 4, ()) is None


@pytest.mark.parametrize("name", ["a.weight_scale_inv", "a.scales", "a.g_idx", "a.SCB"])
def test_what_a_format_has_beside_its_weights_is_known(name: str) -> None:
    assert SCALES.search(name)
    assert not SCALES.search("model.layers.0.mlp.up_proj.weight")


def test_a_kind_is_a_name_without_the_numbers_of_layers_and_experts() -> None:
    assert "model.layers.*.mlp.experts.*.w1.weight" == kind(
        "model.layers.10.mlp.experts.3.w1.weight"
    )
