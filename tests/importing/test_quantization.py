"""Quantization sections become formats of the library, or are refused with the reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from costlang.importing import Description
from costlang.importing.formats import TYPES
from costlang.importing.quantization import GROUPED, SYMMETRIC
from costlang.loader import library_index
from tests.importing.given import ABSENT, codes, config, described, imported

GPTQ = {"quant_method": "gptq", "bits": 4, "group_size": 128, "desc_act": False, "sym": True}
AWQ = {
    "quant_method": "awq",
    "bits": 4,
    "group_size": 128,
    "zero_point": True,
    "version": "gemm",
    "modules_to_not_convert": None,
}
FP8 = {"quant_method": "fp8", "activation_scheme": "dynamic", "fmt": "e4m3"}
FOUR = {"quant_method": "bitsandbytes", "load_in_4bit": True, "bnb_4bit_quant_type": "nf4"}
EIGHT = {"quant_method": "bitsandbytes", "load_in_8bit": True, "llm_int8_threshold": 6.0}


def compressed(weights: dict[str, Any], **changed: Any) -> dict[str, Any]:
    group = {"targets": ["Linear"], "weights": weights, "input_activations": None}
    section = {
        "quant_method": "compressed-tensors",
        "format": "pack-quantized",
        "config_groups": {"group_0": {**group, **changed.pop("group", {})}},
        "ignore": ["lm_head"],
        "quantization_status": "compressed",
    }
    return {**section, **changed}


INT_4 = {"num_bits": 4, "type": "int", "strategy": "group", "group_size": 128, "symmetric": True}
FLOAT_8 = {"num_bits": 8, "type": "float", "strategy": "channel", "symmetric": True}
INT_8 = {"num_bits": 8, "type": "int", "strategy": "channel", "symmetric": True}


def quantized(section: object, name: str = "llama_3_8b", **changed: Any) -> object:
    return described(config(name, quantization_config=section, **changed))


@pytest.mark.parametrize(
    ("form", "section"),
    [
        ("int4_group_128", GPTQ),
        ("int4_group_32", {**GPTQ, "group_size": 32}),
        ("int8_group_128", {**GPTQ, "bits": 8}),
        ("int4_group_128", AWQ),
        ("int4_group_64", {**AWQ, "bits": ABSENT, "w_bit": 4, "group_size": 64}),
        ("fp8", FP8),
        ("fp8_block", {**FP8, "weight_block_size": [128, 128]}),
        ("nf4", FOUR),
        ("nf4_double", {**FOUR, "bnb_4bit_use_double_quant": True}),
        ("int8", EIGHT),
        ("int4_symmetric_128", compressed(INT_4)),
        ("int4_group_128", compressed({**INT_4, "symmetric": False})),
        ("fp8", compressed(FLOAT_8, group={"input_activations": {"num_bits": 8}})),
        ("int8_weights", compressed(INT_8)),
        ("int8", compressed(INT_8, group={"input_activations": {"num_bits": 8}})),
        (
            "nvfp4",
            compressed(
                {"num_bits": 4, "type": "float", "strategy": "tensor_group", "group_size": 16}
            ),
        ),
    ],
)
def test_a_section_becomes_a_format(form: str, section: dict[str, Any]) -> None:
    plain = {key: value for key, value in section.items() if value is not ABSENT}
    found = quantized(plain)
    assert isinstance(found, Description), found
    names = ("weights", "embedding_weights", "head_weights", "expert_weights")
    assert (form, "bf16", "bf16", None) == tuple(found.value(name) for name in names)


@pytest.mark.parametrize(
    "section",
    [
        {"quant_method": "aqlm"},
        {"bits": 4},
        {"quant_method": 4},
        {**GPTQ, "group_size": -1},
        {**GPTQ, "bits": 3},
        {**GPTQ, "bits": 4.0},
        {**GPTQ, "lm_head": True},
        {**GPTQ, "modules_in_block_to_quantize": [["self_attn.q_proj"]]},
        {**AWQ, "zero_point": False},
        {**AWQ, "modules_to_not_convert": ["model.layers.3.mlp.down_proj"]},
        {**FP8, "fmt": "e5m2"},
        {**FP8, "weight_block_size": [64, 64]},
        {**FP8, "modules_to_not_convert": ["model.layers.0.self_attn"]},
        {**FP8, "modules_to_not_convert": ["self_attn"]},
        {"quant_method": "bitsandbytes"},
        {**FOUR, "load_in_8bit": True},
        compressed({**INT_4, "group_size": 100}),
        compressed({**INT_4, "num_bits": 3}),
        compressed(INT_4, group={"targets": ["Linear", "Conv"]}),
        compressed(INT_4, config_groups={}),
        compressed(INT_4, kv_cache_scheme={"num_bits": 8}),
        compressed(INT_4, sparsity_config={"format": "sparse"}),
        {"quant_method": "mxfp4"},
    ],
)
def test_what_has_no_format_is_refused(section: dict[str, Any]) -> None:
    found = codes(quantized(section))
    assert found and {"unsupported-field"} == set(found)


def test_a_field_of_a_section_that_nobody_knows_is_refused() -> None:
    assert ["unknown-field"] == codes(quantized({**GPTQ, "outliers": 128}))


@pytest.mark.parametrize("section", [7, "gptq", ["gptq"]])
def test_a_section_that_is_no_object_is_refused(section: object) -> None:
    assert ["wrong-field"] == codes(quantized(section))


def test_no_section_is_no_quantization() -> None:
    found = quantized(None)
    assert isinstance(found, Description)
    assert ("bf16", None) == (found.value("weights"), found.value("head_weights"))


def test_the_experts_of_gpt_oss_alone_are_quantized() -> None:
    found = described(config("gpt_oss_20b"))
    assert isinstance(found, Description)
    names = ("weights", "embedding_weights", "router_weights", "expert_weights")
    assert ("bf16", None, None, "mxfp4") == tuple(found.value(name) for name in names)


def test_routers_that_are_kept_in_all_layers_have_a_format_of_their_own() -> None:
    gates = [f"model.layers.{at}.mlp.gate" for at in range(48)]
    norms = ["model.layers.0.input_layernorm"]
    kept = {**FP8, "modules_to_not_convert": ["lm_head", *gates, *norms]}
    found = quantized(kept, "qwen3_30b_a3b")
    assert isinstance(found, Description)
    assert ("fp8", "bf16") == (found.value("weights"), found.value("router_weights"))
    kept = {**FP8, "modules_to_not_convert": ["lm_head", *gates[1:]]}
    assert ["unsupported-field"] == codes(quantized(kept, "qwen3_30b_a3b"))


def test_groups_that_do_not_tell_of_routers_are_refused() -> None:
    assert ["unsupported-field"] == codes(quantized(GPTQ, "mixtral_8x7b"))
    told = {**AWQ, "modules_to_not_convert": ["gate"]}
    assert isinstance(quantized(told, "mixtral_8x7b"), Description)


@pytest.mark.parametrize(
    "section",
    [
        {**FP8, "modules_to_not_convert": ["model.embed_tokens"]},
        {**FOUR, "llm_int8_skip_modules": []},
        compressed(INT_4, ignore=[]),
        compressed(INT_4, ignore=ABSENT),
    ],
)
def test_a_list_has_to_tell_of_the_last_matrix_where_it_is_one_of_its_own(
    section: dict[str, Any],
) -> None:
    section = {key: value for key, value in section.items() if value is not ABSENT}
    assert ["unsupported-field"] == codes(quantized(section))
    assert isinstance(quantized(section, tie_word_embeddings=True), Description)


@pytest.mark.parametrize(
    "section",
    [
        compressed(INT_4, group={"lora": {"rank": 4}}),
        compressed({**INT_4, "outliers": 0.01}),
    ],
)
def test_what_is_not_known_of_a_group_is_refused(section: dict[str, Any]) -> None:
    assert ["unsupported-field"] == codes(quantized(section))


def test_a_group_is_symmetric_where_it_does_not_say() -> None:
    found = quantized(compressed({k: v for k, v in INT_4.items() if k != "symmetric"}))
    assert isinstance(found, Description)
    assert "int4_symmetric_128" == found.value("weights")


@pytest.mark.parametrize("stored", ["float32", "bfloat16", "float16", "torch.float16"])
def test_the_type_of_the_weights_is_a_format(stored: str) -> None:
    found = described(config("llama_3_8b", torch_dtype=stored))
    assert isinstance(found, Description)
    assert TYPES[stored.removeprefix("torch.")] == found.value("weights")


def test_the_newer_name_of_the_type_is_read_as_well() -> None:
    found = described(config("llama_3_8b", torch_dtype=ABSENT, dtype="float16"))
    assert isinstance(found, Description)
    assert "fp16" == found.value("weights")
    both = config("llama_3_8b", torch_dtype="bfloat16", dtype="float16")
    assert ["wrong-field"] == codes(described(both))


def test_every_format_is_in_the_library() -> None:
    index = library_index()
    for name in (*GROUPED, *SYMMETRIC, "fp8_block", "nf4", "nf4_double", "nvfp4"):
        assert "std.quantized" == index[name]
    for name in (*TYPES.values(), "fp8", "int8", "int8_weights", "mxfp4"):
        assert "std.format" == index[name]


def test_deepseek_v3_takes_a_byte_a_weight_and_its_scales(tmp_path: Path) -> None:
    found = imported(tmp_path, config("deepseek_v3"))
    assert 671e9 < float(found.totals.weight_bytes) < 675e9
