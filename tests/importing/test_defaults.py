"""What a configuration leaves out is taken by its documented default, and the spec says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from costlang.importing import Description
from costlang.importing.description import Origin
from tests.importing.given import ABSENT, codes, config, described, figure, imported


def test_a_stated_width_of_a_head_wins_over_the_derived_one(tmp_path: Path) -> None:
    stated = config("qwen3_4b")
    assert 2560 // 32 == 80
    assert (128, Origin.FIELD) == (
        figure("d_head", stated).value,
        figure("d_head", stated).origin,
    )
    assert 147_456 == imported(tmp_path, stated).totals.cache_bytes


@pytest.mark.parametrize("head_dim", [ABSENT, None])
def test_a_width_of_a_head_that_is_not_stated_is_derived(head_dim: object) -> None:
    found = figure("d_head", config("llama_3_2_1b", head_dim=head_dim))
    assert (64, "d_model / heads", Origin.DEFAULT) == (found.value, found.written, found.origin)


def test_a_width_that_cannot_be_derived_is_no_default() -> None:
    refused = described(config("llama_3_8b", num_attention_heads=31, num_key_value_heads=31))
    assert ["missing-field"] == codes(refused)
    assert (
        "`head_dim` cannot be worked out: `hidden_size` is no multiple of `num_attention_heads`"
        == refused.diagnostics[0].message  # type: ignore[union-attr]
    )


@pytest.mark.parametrize("kv_heads", [ABSENT, None])
def test_cache_heads_that_are_not_stated_are_as_many_as_query_heads(
    tmp_path: Path, kv_heads: object
) -> None:
    fields = config("llama_3_8b", num_key_value_heads=kv_heads)
    found = figure("kv_heads", fields)
    assert (32, "heads", Origin.DEFAULT) == (found.value, found.written, found.origin)
    assert 4 * 131_072 == imported(tmp_path, fields).totals.cache_bytes


def test_cache_heads_are_shared_evenly_or_refused() -> None:
    assert ["wrong-field"] == codes(described(config("llama_3_8b", num_key_value_heads=5)))


def test_a_family_that_documents_another_number_of_cache_heads_has_that() -> None:
    absent = figure("kv_heads", config("mistral_7b_v0_3", num_key_value_heads=ABSENT))
    null = figure("kv_heads", config("mistral_7b_v0_3", num_key_value_heads=None))
    assert (8, Origin.DEFAULT) == (absent.value, absent.origin)
    assert (32, Origin.DEFAULT) == (null.value, null.origin)


def test_an_untied_last_matrix_adds_the_vocabulary_times_the_width(tmp_path: Path) -> None:
    untied = imported(tmp_path, config("llama_3_8b", tie_word_embeddings=False)).totals
    tied = imported(tmp_path, config("llama_3_8b", tie_word_embeddings=True)).totals
    assert 128_256 * 4096 == 525_336_576 == untied.params - tied.params
    assert 1_050_673_152 == untied.weight_bytes - tied.weight_bytes


@pytest.mark.parametrize(("name", "tied"), [("llama_3_8b", False), ("gemma_2b", True)])
def test_whether_matrices_are_tied_is_a_default_of_the_family(name: str, tied: bool) -> None:
    found = figure("tied", config(name, tie_word_embeddings=ABSENT))
    assert (tied, Origin.DEFAULT) == (found.value, found.origin)


def test_the_shapes_may_stand_in_an_inner_object() -> None:
    found = described(config("gemma_3_4b"))
    assert isinstance(found, Description)
    assert (2560, 8, 4, 262_208) == tuple(
        found.value(name) for name in ("d_model", "heads", "kv_heads", "vocab")
    )
    assert ("the part that looks at images",) == found.left_out
    assert "bf16" == found.value("weights"), "which the outer object says"


def test_every_default_stands_in_the_spec_and_in_the_summary(tmp_path: Path) -> None:
    names = ("num_key_value_heads", "head_dim", "tie_word_embeddings", "torch_dtype")
    fields = config("llama_3_8b", **dict.fromkeys(names, ABSENT))
    found = imported(tmp_path, fields)
    defaults = {item.parameter: item for item in found.description.defaults}
    assert {"kv_heads", "d_head", "tied", "weights"} == set(defaults)
    for item in defaults.values():
        assert item.because in " ".join(found.spec.replace("  # ", "").split())


SPEC = """\
cost 1
import std.decoder (dense)
import std.format (bf16)

## Imported from small/config.json: `llama`, LlamaForCausalLM.
## Taken by default, as told below: kv_heads, d_head, tied.
model small is dense {
  layers   = 2         source "small/config.json, num_hidden_layers"
  d_model  = 64        source "small/config.json, hidden_size"
  heads    = 4         source "small/config.json, num_attention_heads"
  # Default: `num_key_value_heads` is null, so as `num_attention_heads`.
  kv_heads = heads
  # Default: `head_dim` is absent, so `hidden_size` over `num_attention_heads`.
  d_head   = d_model / heads
  d_ff     = 160       source "small/config.json, intermediate_size"
  vocab    = 32_000    source "small/config.json, vocab_size"
  # Default: `tie_word_embeddings` is absent, so false, the default of its class in
  # transformers.
  tied     = false     source "default, see above"
  qkv_bias = true      source "small/config.json, attention_bias"
  out_bias = true      source "small/config.json, attention_bias"
  mlp_bias = false     source "small/config.json, mlp_bias"
  weights  = bf16      source "small/config.json, torch_dtype"
}
"""


def test_the_spec_is_one_that_a_person_could_have_written(tmp_path: Path) -> None:
    fields: dict[str, Any] = {
        "model_type": "llama",
        "hidden_size": 64,
        "intermediate_size": 160,
        "num_attention_heads": 4,
        "num_hidden_layers": 2,
        "num_key_value_heads": None,
        "vocab_size": 32_000,
        "attention_bias": True,
        "mlp_bias": False,
        "torch_dtype": "bfloat16",
        "rope_theta": 1e4,
    }
    assert SPEC == imported(tmp_path, fields).spec
