"""What is not understood is refused, with the reason and the place, and never guessed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from costlang.emit.message import render
from costlang.importing import Description, Refusal, import_model
from costlang.importing.harmless import HARMLESS
from tests.importing.given import ABSENT, codes, config, described

WRONG: dict[str, Any] = {
    "a text for a number": {"hidden_size": "4096"},
    "a truth for a number": {"num_hidden_layers": True},
    "a point in a number": {"hidden_size": 4096.0},
    "nothing": {"vocab_size": 0},
    "less than nothing": {"intermediate_size": -1},
    "more than anything": {"hidden_size": 10**30},
    "a list for a number": {"vocab_size": [128_256]},
    "a number for a truth": {"tie_word_embeddings": 1},
    "a text for a truth": {"attention_bias": "false"},
    "a number for a type": {"torch_dtype": 16},
}


@pytest.mark.parametrize("what", WRONG)
def test_a_value_of_another_kind_is_refused(what: str) -> None:
    assert ["wrong-field"] == codes(described(config("llama_3_8b", **WRONG[what])))


@pytest.mark.parametrize(
    "name", ["hidden_size", "intermediate_size", "num_attention_heads", "num_hidden_layers"]
)
@pytest.mark.parametrize("value", [ABSENT, None])
def test_a_size_without_a_default_is_missed(name: str, value: object) -> None:
    assert ["missing-field"] == codes(described(config("llama_3_8b", **{name: value})))


def test_two_names_of_one_thing_must_agree() -> None:
    assert ["wrong-field"] == codes(described(config("falcon_40b", n_layer=61)))


@pytest.mark.parametrize(
    "changed",
    [
        {"is_encoder_decoder": True},
        {"pruned_heads": {"0": [1]}},
        {"torchscript": True},
        {"torch_dtype": "float8_e5m2"},
    ],
)
def test_what_the_library_cannot_say_is_refused(changed: dict[str, Any]) -> None:
    assert ["unsupported-field"] == codes(described(config("llama_3_8b", **changed)))


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("opt_1_3b", {"word_embed_proj_dim": 512}),
        ("opt_1_3b", {"do_layer_norm_before": False}),
        ("mistral_7b_v0_3", {"attention_bias": True}),
        ("phi_2", {"qk_layernorm": True}),
        ("deepseek_v2_lite", {"moe_layer_freq": 2}),
        ("deepseek_v2_lite", {"attention_bias": True}),
        ("starcoder2_7b", {"mlp_type": "gated"}),
        ("bloom_176b", {"n_inner": 1000}),
        ("gpt2", {"n_special": 3}),
        ("gemma_3_1b", {"use_bidirectional_attention": True}),
    ],
)
def test_a_variant_that_a_family_does_not_have_is_refused(
    name: str, changed: dict[str, Any]
) -> None:
    assert ["unsupported-field"] == codes(described(config(name, **changed)))


def test_every_reason_is_told_at_once_in_the_order_of_the_text() -> None:
    fields = config("llama_3_8b", hidden_size="4096", vocab_size=ABSENT, alpha=1, beta=2)
    found = described(fields)
    assert ["missing-field", "wrong-field", "unknown-field", "unknown-field"] == codes(found)


# ---- fields that are not known


def test_a_field_that_nobody_knows_is_refused_by_name() -> None:
    found = described(config("llama_3_8b", memory_slots=64))
    assert isinstance(found, Refusal)
    assert UNKNOWN == render(found.diagnostics)


UNKNOWN = """\
error[unknown-field]: `memory_slots` is not understood, and could change what the model costs
  --> config.json:17:3
   |
17 |   "memory_slots": 64
   |   ^^^^^^^^^^^^^^ no field of a `llama` configuration
   |
   = help: if it surely does not matter, pass `--ignore memory_slots`
"""


def test_a_field_that_is_nearly_known_is_asked_about() -> None:
    found = described(config("llama_3_8b", num_key_value_head=8))
    assert isinstance(found, Refusal)
    assert "did you mean `num_key_value_heads`?" == found.diagnostics[0].help


def test_a_field_may_be_passed_over_on_request_and_the_spec_says_so(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config("llama_3_8b", memory_slots=64)))
    found = import_model(str(path), ignore=("memory_slots",))
    assert not isinstance(found, Refusal)
    assert "## Passed over on request: `memory_slots`.\n" in found.spec


def test_a_field_that_is_known_cannot_be_passed_over() -> None:
    fields = config("llama_3_8b", hidden_size="4096")
    assert ["wrong-field"] == codes(described(fields, "hidden_size"))


def test_null_says_nothing_and_is_passed_over() -> None:
    assert isinstance(described(config("llama_3_8b", memory_slots=None)), Description)


@pytest.mark.parametrize("name", sorted(HARMLESS))
def test_each_harmless_field_has_a_reason_of_a_few_words(name: str) -> None:
    assert HARMLESS[name] and not HARMLESS[name].endswith(".")


def test_fields_of_a_router_are_no_fields_of_a_model_without_one() -> None:
    assert ["unknown-field"] == codes(described(config("llama_3_8b", norm_topk_prob=True)))


# ---- families that are not known


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"model_type": "rwkv"}, "unknown-architecture"),
        ({"architectures": ["LlamaForSequenceClassification"]}, "unknown-architecture"),
        ({"architectures": ["MistralForCausalLM"]}, "unknown-architecture"),
        ({"model_type": ABSENT, "architectures": ["Nobody"]}, "unknown-architecture"),
        ({"model_type": ABSENT, "architectures": ABSENT}, "not-a-config"),
        ({"model_type": ABSENT, "architectures": None}, "not-a-config"),
        ({"model_type": 7, "architectures": ABSENT}, "not-a-config"),
    ],
)
def test_a_family_that_is_not_known_is_refused(changed: dict[str, Any], code: str) -> None:
    assert [code] == codes(described(config("llama_3_8b", **changed)))


def test_the_architecture_alone_names_the_family() -> None:
    found = described(config("llama_3_8b", model_type=ABSENT))
    assert isinstance(found, Description)
    assert "llama" == found.family


def test_a_wrapper_without_its_inner_object_is_refused() -> None:
    assert ["missing-field"] == codes(described(config("gemma_3_4b", text_config=ABSENT)))
    assert ["missing-field"] == codes(described(config("gemma_3_4b", text_config=[1])))


def test_a_wrapper_of_another_family_is_refused() -> None:
    inner = {"model_type": "gemma3", "text_config": {}}
    assert ["not-a-config"] == codes(described(config("gemma_3_4b", text_config=inner)))


def test_the_outer_object_is_read_as_strictly_as_the_inner_one() -> None:
    assert ["unknown-field"] == codes(described(config("gemma_3_4b", adapters=4)))


def test_what_inner_and_outer_object_say_must_agree() -> None:
    fields = config("gemma_3_4b", tie_word_embeddings=False)
    fields["text_config"]["tie_word_embeddings"] = True
    assert ["wrong-field"] == codes(described(fields))


# ---- files that nobody would write


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "json-fault"),
        (b"\xff\xfe{}", "not-utf8"),
        (b"[" * 100_000, "json-fault"),
        (b'{"a":' * 100_000, "json-fault"),
        (b" " * 1_000_001, "file-too-large"),
        (b"[]", "not-a-config"),
        (b"7", "not-a-config"),
        (b"null", "not-a-config"),
        (b'{"model_type": "llama", "hidden_size": 1e400}', "json-fault"),
        (b'{"model_type": "llama", "hidden_size": NaN}', "json-fault"),
        (b'{"model_type": "llama", "x": 1, "x": 2}', "json-fault"),
        (b'{"model_type": "llama", "hidden_size": ' + b"9" * 5000 + b"}", "json-fault"),
    ],
)
def test_a_file_that_nobody_would_write_is_a_message(
    tmp_path: Path, data: bytes, code: str
) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(data)
    assert [code] == codes(import_model(str(path)))


def test_a_mark_of_byte_order_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(config("llama_3_8b")).encode())
    assert not isinstance(import_model(str(path)), Refusal)


def test_a_pipe_is_no_file_and_nobody_waits_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "config.json")
    assert ["unreadable-file"] == codes(import_model(str(tmp_path / "config.json")))
    assert ["missing-file"] == codes(import_model(str(tmp_path)))
    assert ["unreadable-file"] == codes(import_model("/dev/zero"))


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("none.json", "missing-file"),
        (".", "missing-file"),
        ("a\0b", "unreadable-file"),
        ("x" * 5000, "unreadable-file"),
        ("https://example.org/config.json", "import-from-network"),
        ("hf://meta-llama/Llama-3.1-8B", "import-from-network"),
    ],
)
def test_a_path_that_leads_nowhere_is_a_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, code: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert [code] == codes(import_model(path))


def test_an_address_is_refused_with_the_way_to_download_it() -> None:
    found = import_model("https://huggingface.co/Qwen/Qwen3-4B/blob/main/config.json")
    assert (
        "download it first: `hf download Qwen/Qwen3-4B config.json --local-dir .`, "
        "then `costlang import config.json`"
    ) == found.diagnostics[0].help


def test_strange_names_of_files_stay_inside_their_quotes(tmp_path: Path) -> None:
    folder = tmp_path / 'a"b\\c\nd\x1b[1m'
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(config("llama_3_8b")))
    found = import_model(str(folder))
    assert not isinstance(found, Refusal)
    assert 'source "a_b_c_d_[1m/config.json, num_hidden_layers"' in found.spec
    assert "a_b_c_d_1m" == found.name
