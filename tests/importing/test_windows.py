"""Which layers see a window: the switches, patterns and lists of the families."""

from __future__ import annotations

from typing import Any

import pytest

from costlang.importing import Description
from tests.importing.given import ABSENT, codes, config, described

SLIDING, FULL = "sliding_attention", "full_attention"


def windows(name: str, **changed: Any) -> tuple[object, object] | None:
    """Return how many layers see a window and how long it is, None where all see everything."""
    found = described(config(name, **changed))
    assert isinstance(found, Description), found
    layers, window = found.value("window_layers"), found.value("window")
    assert (layers is None) == (window is None)
    return None if layers is None else (layers, window)


@pytest.mark.parametrize(
    ("wanted", "name", "changed"),
    [
        ((32, 4096), "mistral_7b_v0_1", {}),
        ((32, 4096), "mistral_7b_v0_1", {"sliding_window": ABSENT}),
        ((32, 1000), "mistral_7b_v0_1", {"sliding_window": 1000}),
        (None, "mistral_7b_v0_3", {}),
        ((32, 4096), "starcoder2_7b", {}),
        (None, "starcoder2_7b", {"sliding_window": ABSENT}),
        (None, "phi_3_medium", {}),
        ((40, 2047), "phi_3_medium", {"sliding_window": 2047}),
        ((13, 4096), "gemma_2_2b", {}),
        ((14, 4096), "gemma_2_2b", {"num_hidden_layers": 27}),
        ((22, 512), "gemma_3_1b", {}),
        ((22, 512), "gemma_3_1b", {"sliding_window_pattern": ABSENT}),
        ((13, 512), "gemma_3_1b", {"sliding_window_pattern": 2}),
        (None, "gemma_3_1b", {"sliding_window_pattern": 1}),
        ((29, 1024), "gemma_3_4b", {}),
        (None, "qwen2_7b", {}),
        (None, "qwen2_7b", {"use_sliding_window": ABSENT}),
        (None, "qwen2_7b", {"use_sliding_window": True}),
        ((8, 131_072), "qwen2_7b", {"use_sliding_window": True, "max_window_layers": 20}),
        ((28, 131_072), "qwen2_7b", {"use_sliding_window": True, "max_window_layers": 0}),
        (None, "qwen3_4b", {"use_sliding_window": True}),
        ((12, 128), "gpt_oss_20b", {}),
        ((12, 128), "gpt_oss_20b", {"layer_types": ABSENT}),
        ((20, 128), "gpt_oss_20b", {"layer_types": [SLIDING] * 20 + [FULL] * 4}),
        (None, "gpt_oss_20b", {"layer_types": [FULL] * 24}),
        ((36, 8192), "llama_4_maverick", {}),
        # what transformers writes today: the list, and beside it what it was made from
        (None, "qwen3_4b", {"layer_types": [FULL] * 36}),
        ((1, 512), "gemma_3_1b", {"layer_types": [SLIDING] + [FULL] * 25}),
        (
            (1, 512),
            "gemma_3_1b",
            {"layer_types": [SLIDING] + [FULL] * 25, "_sliding_window_pattern": 3},
        ),
        ((22, 512), "gemma_3_1b", {"_sliding_window_pattern": 6}),
        ((32, 4096), "mistral_7b_v0_1", {"layer_types": [SLIDING] * 32}),
        (None, "mistral_7b_v0_3", {"layer_types": [FULL] * 32}),
    ],
)
def test_layers_see_a_window_as_the_family_says(
    wanted: tuple[int, int] | None, name: str, changed: dict[str, Any]
) -> None:
    assert wanted == windows(name, **changed)


def llama_4(**changed: Any) -> dict[str, Any]:
    fields = config("llama_4_maverick")
    fields["text_config"].update(changed)
    return fields


def test_the_chunks_of_llama_4_are_told_apart_from_windows() -> None:
    found = described(llama_4())
    assert isinstance(found, Description)
    assert found.value("chunked") is True


def test_the_layers_without_positions_see_everything() -> None:
    marks = [1, 0] * 24
    found = described(llama_4(no_rope_layers=marks))
    assert isinstance(found, Description)
    assert 24 == found.value("window_layers")
    for wrong in ([1] * 47, [2] * 48):
        assert ["unsupported-field"] == codes(described(llama_4(no_rope_layers=wrong)))


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("unsupported-field", {"layer_types": ["linear_attention"] * 24}),
        ("wrong-field", {"layer_types": [SLIDING] * 23}),
        ("wrong-field", {"layer_types": [1] * 24}),
        ("wrong-field", {"layer_types": SLIDING}),
        ("wrong-field", {"sliding_window": "128"}),
        ("missing-field", {"sliding_window": None}),
    ],
)
def test_a_list_of_layers_that_cannot_be_is_refused(code: str, changed: dict[str, Any]) -> None:
    assert [code] == codes(described(config("gpt_oss_20b", **changed)))


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("gemma_3_1b", {"_sliding_window_pattern": 3}),
        ("mistral_7b_v0_1", {"layer_types": [SLIDING] * 31 + [FULL]}),
        ("gemma_2_2b", {"sliding_window": None}),
        ("qwen2_7b", {"use_sliding_window": True, "max_window_layers": None}),
    ],
)
def test_what_transformers_would_read_otherwise_is_refused(
    name: str, changed: dict[str, Any]
) -> None:
    assert 1 == len(codes(described(config(name, **changed))))


def test_a_switch_that_is_no_truth_is_refused() -> None:
    assert ["wrong-field"] == codes(described(config("qwen2_7b", use_sliding_window="yes")))
