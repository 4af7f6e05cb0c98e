"""Each family gives the parameters that the real implementation has, to the last one."""

from __future__ import annotations

from pathlib import Path

import pytest

from costlang.emit.message import render
from costlang.importing import Imported, import_model
from tests.importing.given import FOLDER, config, imported

PARAMETERS = {
    "baichuan2_7b": 7_505_973_248,
    "bloom_176b": 176_247_271_424,
    "command_r_plus": 103_810_674_688,
    "deepseek_v2_lite": 15_706_484_224,
    "deepseek_v3": 671_026_404_352,
    "falcon_40b": 41_303_293_952,
    "falcon_7b": 6_921_720_704,
    "gemma_2_2b": 2_614_341_888,
    "gemma_2b": 2_506_172_416,
    "gemma_3_1b": 999_885_952,
    "gemma_3_4b": 3_880_263_168,
    "gpt2": 124_439_808,
    "gpt_oss_20b": 20_914_757_184,
    "jamba_v0_1": 51_570_323_328,
    "llama_2_7b": 6_738_415_616,
    "llama_3_2_1b": 1_235_814_400,
    "llama_3_70b": 70_553_706_496,
    "llama_3_8b": 8_030_261_248,
    "llama_4_maverick": 400_711_848_960,
    "mamba_2_8b": 2_768_345_600,
    "minimax_text_01": 456_089_655_296,
    "mistral_7b_v0_1": 7_241_732_096,
    "mistral_7b_v0_3": 7_248_023_552,
    "mixtral_8x7b": 46_702_792_704,
    "olmo_2_7b": 7_298_617_344,
    "olmo_7b": 6_888_095_744,
    "opt_1_3b": 1_315_758_080,
    "phi_2": 2_779_683_840,
    "phi_3_medium": 13_960_238_080,
    "qwen1_5_moe_a2_7b": 14_315_784_192,
    "qwen2_0_5b": 494_032_768,
    "qwen2_7b": 7_615_616_512,
    "qwen3_30b_a3b": 30_532_122_624,
    "qwen3_4b": 4_022_468_096,
    "qwen3_next_80b_a3b": 79_674_391_296,
    "qwen3_8b": 8_190_735_360,
    "smollm2_135m": 134_515_008,
    "starcoder2_7b": 7_173_923_840,
}
"""Counts of the classes of transformers without weights."""

CACHE_OF_A_TOKEN = {
    "deepseek_v3": 70_272,
    "falcon_7b": 8_192,
    "llama_2_7b": 524_288,
    "llama_3_8b": 131_072,
    "llama_3_70b": 327_680,
    "qwen3_4b": 147_456,
}
"""Bytes in all layers, with two bytes a number."""


def test_each_configuration_has_a_count_and_each_count_a_configuration() -> None:
    assert sorted(PARAMETERS) == sorted(path.stem for path in FOLDER.glob("*.json"))


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_configuration_gives_the_parameters_of_the_model(name: str) -> None:
    found = import_model(str(FOLDER / f"{name}.json"))
    assert isinstance(found, Imported), render(found.diagnostics)
    assert PARAMETERS[name] == found.totals.params


@pytest.mark.parametrize("name", CACHE_OF_A_TOKEN)
def test_a_configuration_gives_the_cache_of_a_token(tmp_path: Path, name: str) -> None:
    assert CACHE_OF_A_TOKEN[name] == imported(tmp_path, config(name)).totals.cache_bytes


def test_the_published_files_of_gpt_oss_have_the_bytes_of_its_import(tmp_path: Path) -> None:
    found = imported(tmp_path, config("gpt_oss_20b"))
    assert pytest.approx(13.76e9, rel=1e-3) == float(found.totals.weight_bytes)
