"""The headers of the weights hold the written model to their size; what differs is told."""

from __future__ import annotations

import json
import os
from math import prod
from pathlib import Path
from typing import Any

import pytest

from costlang.importing import Imported, import_model, words_of
from tests.importing.given import codes
from tests.importing.weights import Shapes, folder, header, shapes, write


def compared(path: Path) -> Imported:
    found = import_model(str(path))
    assert isinstance(found, Imported), found
    assert found.comparison is not None
    return found


def likely(found: Imported) -> list[str]:
    return list(found.likely)


def test_weights_that_agree_become_a_check_of_the_spec(tmp_path: Path) -> None:
    found = compared(folder(tmp_path / "small", shapes()))
    assert ((), True) == (found.diagnostics, found.comparison.agrees)  # type: ignore[union-attr]
    numbers = 1000 * 64 + 2 * (2 * 64 * 64 + 2 * 32 * 64 + 3 * 160 * 64 + 2 * 64) + 64
    assert numbers == found.totals.params
    assert f"check size: total(params) == {numbers:_}" in found.spec


def test_weights_may_lie_in_several_files_with_an_index(tmp_path: Path) -> None:
    path = folder(tmp_path / "small", shapes())
    tensors = list(shapes().items())
    write(path / "model.safetensors", dict(tensors[:7]))
    write(path / "model-2.safetensors", dict(tensors[7:]))
    index = dict.fromkeys(dict(tensors), "model.safetensors")
    (path / "model.safetensors.index.json").write_text(json.dumps({"weight_map": index}))
    assert () == compared(path).diagnostics


def test_a_file_that_the_index_names_must_be_there(tmp_path: Path) -> None:
    path = folder(tmp_path / "small", shapes())
    index = {"weight_map": {"a": "model.safetensors", "b": "model-2.safetensors"}}
    (path / "model.safetensors.index.json").write_text(json.dumps(index))
    found = import_model(str(path))
    assert ["broken-weights"] == codes(found)
    assert (
        "the file `model-2.safetensors` is not there, so sizes cannot be compared"
        == found.diagnostics[0].primary.text
    )


def test_a_configuration_alone_compares_nothing(tmp_path: Path) -> None:
    path = folder(tmp_path / "small", shapes())
    found = import_model(str(path / "config.json"))
    assert isinstance(found, Imported)
    assert found.comparison is None


def test_weights_that_are_cut_short_are_told(tmp_path: Path) -> None:
    path = folder(tmp_path / "small", shapes())
    assert ("model.safetensors",) == compared(path).cut_short
    write(path / "model.safetensors", shapes(), whole=True)
    assert () == compared(path).cut_short


# ---- what differs

HEAD: Shapes = {"lm_head.weight": ("BF16", (1000, 64))}
MORE: dict[str, tuple[Shapes, int, str]] = {
    "a tied matrix": (
        HEAD,
        64_000,
        "`lm_head.weight` is stored, although the configuration ties the last matrix to the table "
        "of tokens",
    ),
    "a layer": (
        {"model.layers.2.mlp.up_proj.weight": ("BF16", (64, 128))},
        64 * 128,
        "layers beyond the 2 of the model are stored, with 8,192 numbers",
    ),
    "eyes": (
        {"vision_tower.patch.weight": ("BF16", (3, 5))},
        15,
        "the files have a part for images or sound, of which the spec has nothing",
    ),
}


@pytest.mark.parametrize("what", MORE)
def test_more_than_the_model_has_is_told_with_the_likely_cause(tmp_path: Path, what: str) -> None:
    tensors, numbers, words = MORE[what]
    found = compared(folder(tmp_path / "small", shapes() | tensors))
    assert ["size-differs"] == [item.code for item in found.diagnostics]
    assert numbers == found.comparison.more_numbers  # type: ignore[union-attr]
    assert [words] == likely(found)
    assert "check size" not in found.spec
    assert f"The weights differ: {numbers:,} numbers more" in found.spec


def test_fewer_than_the_model_has_is_told_with_the_likely_cause(tmp_path: Path) -> None:
    untied = compared(folder(tmp_path / "untied", shapes(), tie_word_embeddings=False))
    assert -64_000 == untied.comparison.more_numbers  # type: ignore[union-attr]
    assert ["no last matrix is stored: it may be tied to the table of tokens"] == likely(untied)
    half = compared(folder(tmp_path / "half", shapes(layers=1)))
    assert ["1 of 2 layers are not stored"] == likely(half)


def notes(found: Imported) -> str:
    (told,) = found.diagnostics
    (text,) = told.notes
    return text


def test_each_part_that_differs_is_told_with_its_tensors_and_their_shapes(tmp_path: Path) -> None:
    found = compared(folder(tmp_path / "small", shapes(), num_key_value_heads=4))
    assert (
        "BF16: 20 tensors, 150,336 numbers, 300,672 B\n"
        "attention: 32,768 numbers in the model, 24,576 stored\n"
        "  model.layers.*.self_attn.k_proj.weight [32, 64], 2 times\n"
        "  model.layers.*.self_attn.o_proj.weight [64, 64], 2 times\n"
        "  model.layers.*.self_attn.q_proj.weight [64, 64], 2 times\n"
        "  model.layers.*.self_attn.v_proj.weight [32, 64], 2 times"
    ) == notes(found)


def test_a_part_that_only_the_model_has_is_told_without_tensors(tmp_path: Path) -> None:
    found = compared(folder(tmp_path / "small", shapes(), attention_bias=True))
    assert notes(found).splitlines()[1] == "attention: 24,960 numbers in the model, 24,576 stored"
    untied = compared(folder(tmp_path / "small", shapes(), tie_word_embeddings=False))
    assert "last matrix: 64,000 numbers in the model, 0 stored" == notes(untied).splitlines()[1]


def test_a_long_list_of_kinds_is_cut(tmp_path: Path) -> None:
    odd: Shapes = {f"odd.{name}.weight": ("BF16", (2,)) for name in "abcdefghijk"}
    found = compared(folder(tmp_path / "small", shapes() | odd))
    lines = notes(found).splitlines()[1:]
    assert "others: 0 numbers in the model, 22 stored" == lines[0]
    assert ["  odd.a.weight [2]", "  and 3 more kinds of tensors"] == [lines[1], lines[-1]]


def test_numbers_of_another_type_are_told_by_their_bytes(tmp_path: Path) -> None:
    found = compared(folder(tmp_path / "small", shapes(dtype="F32")))
    comparison = found.comparison
    assert comparison is not None
    assert (0, comparison.totals.weight_bytes) == (
        comparison.more_numbers,
        comparison.more_bytes,
    )
    assert ["most weights are stored as F32, 32 bits each, not BF16"] == likely(found)


def test_what_no_name_explains_is_told_as_well(tmp_path: Path) -> None:
    found = compared(folder(tmp_path / "small", shapes() | {"strange": ("BF16", (7,))}))
    assert [] == likely(found)
    (told,) = found.diagnostics
    assert "the weights have another size than the model: 7 numbers more (150,343 are stored)" == (
        told.message
    )
    assert (
        "BF16: 21 tensors, 150,343 numbers, 300,686 B\n"
        "others: 0 numbers in the model, 7 stored\n  strange [7]"
    ) == notes(found)


# ---- what is no part of the model

NO_PARTS: dict[str, Shapes] = {
    "frequencies of the rotary embedding, which are no parameters": {
        "model.layers.0.self_attn.rotary_emb.inv_freq": ("F32", (8,))
    },
    "masks of the attention, which are no parameters": {"h.0.attn.bias": ("U8", (1, 1, 16, 16))},
    "corrections of routers, which are no parameters": {
        "model.layers.1.mlp.gate.e_score_correction_bias": ("F32", (8,))
    },
}


@pytest.mark.parametrize("why", NO_PARTS)
def test_what_is_no_parameter_is_not_compared(tmp_path: Path, why: str) -> None:
    found = compared(folder(tmp_path / "small", shapes() | NO_PARTS[why]))
    assert () == found.diagnostics
    assert [why] == [held.name for held in found.comparison.apart]  # type: ignore[union-attr]
    assert "check size: total(params) == 150_336" in found.spec
    size = sum(prod(shape) for _, shape in NO_PARTS[why].values())
    assert f"  not compared: {size:,} stored numbers, {why}" in words_of(found)


# ---- packed weights

GPTQ = {"quant_method": "gptq", "bits": 4, "group_size": 32}


def packed() -> Shapes:
    """Return the tensors of the small model as GPTQ packs them."""
    found: Shapes = {}
    for name, (dtype, shape) in shapes().items():
        if "proj" not in name:
            found[name] = (dtype, shape)
            continue
        stem, (out, into) = name.removesuffix("weight"), shape
        found[f"{stem}qweight"] = ("I32", (into // 8, out))
        found[f"{stem}qzeros"] = ("I32", (into // 32, out // 8))
        found[f"{stem}scales"] = ("F16", (into // 32, out))
    return found


def test_packed_weights_are_compared_by_bytes(tmp_path: Path) -> None:
    found = compared(folder(tmp_path / "small", packed(), quantization_config=GPTQ))
    comparison = found.comparison
    assert comparison is not None
    assert (True, 0) == (comparison.packed, comparison.more_numbers)
    assert 0 == comparison.more_bytes
    assert () == found.diagnostics


def test_packed_weights_of_another_size_are_an_error(tmp_path: Path) -> None:
    section = {**GPTQ, "bits": 8, "group_size": 128}
    found = compared(folder(tmp_path / "small", packed(), quantization_config=section))
    assert ["error"] == [str(item.severity) for item in found.diagnostics]


# ---- headers that cannot be


def broken(path: Path, data: bytes) -> str:
    folder(path, shapes())
    (path / "model.safetensors").write_bytes(data)
    found = import_model(str(path))
    assert ["broken-weights"] == codes(found)
    return found.diagnostics[0].primary.text


def framed(text: str) -> bytes:
    return len(text.encode()).to_bytes(8, "little") + text.encode()


def entry(**changed: Any) -> str:
    whole = {"dtype": "BF16", "shape": [2, 3], "data_offsets": [0, 12]}
    return json.dumps({"a": {**whole, **changed}})


@pytest.mark.parametrize(
    ("why", "data"),
    [
        ("it is too short to have a header", b""),
        ("it is too short to have a header", b"\x05"),
        ("its header ends after 2 of 9 bytes", (9).to_bytes(8, "little") + b"{}"),
        ("its header would have 18,446,744,073,709,551,615 bytes; 16,777,216 are read at most",
         b"\xff" * 8),
        ("its header is no JSON", framed("{]")),
        ("its header is no JSON", framed("[" * 100_000)),
        ("its header is no JSON", framed('{"a": ' + "9" * 5000 + "}")),
        ("its header is no object", framed("[1]")),
        ("its header has the word NaN", framed('{"a": NaN}')),
        ("a name stands twice in its header", framed('{"a": 1, "a": 1}')),
        ("the entry of `a` is not what the format asks for", framed('{"a": 1}')),
        ("the entry of `a` is not what the format asks for", framed(entry(shape=[2, -3]))),
        ("the entry of `a` is not what the format asks for", framed(entry(shape=[True, 3]))),
        ("the entry of `a` is not what the format asks for", framed(entry(shape=[2.0, 3]))),
        ("the entry of `a` is not what the format asks for", framed(entry(shape=[10**20]))),
        ("the entry of `a` is not what the format asks for", framed(entry(data_offsets=[12, 0]))),
        ("`a` has another size than its shape", framed(entry(shape=[2, 4]))),
        ("`a` has another size than its shape", framed(entry(shape=[10**15] * 3))),
        ("`a` has the type X7, which is not known", framed(entry(dtype="X7"))),
        ("its tensors overlap, or have a gap between them", framed(entry(data_offsets=[1, 13]))),
        ("it has more bytes than its header says", framed("{}") + b"x"),
    ],
)  # fmt: skip
def test_a_header_that_contradicts_itself_is_a_message(
    tmp_path: Path, why: str, data: bytes
) -> None:
    assert why == broken(tmp_path / "small", data)


def test_one_tensor_in_two_files_is_a_message(tmp_path: Path) -> None:
    path = folder(tmp_path / "small", shapes())
    write(path / "other.safetensors", {"model.norm.weight": ("BF16", (64,))})
    assert ["broken-weights"] == codes(import_model(str(path)))


def test_a_pipe_beside_the_configuration_is_not_read(tmp_path: Path) -> None:
    path = folder(tmp_path / "small", shapes())
    os.mkfifo(path / "pipe.safetensors")
    assert () == compared(path).diagnostics


def test_a_file_of_weights_alone_is_no_configuration(tmp_path: Path) -> None:
    path = folder(tmp_path / "small", shapes())
    found = import_model(str(path / "model.safetensors"))
    assert ["not-a-config"] == codes(found)


def test_a_header_lists_tensors_one_behind_the_other() -> None:
    found = header({"a": ("F4", (4, 3)), "b": ("I8", (2,))})
    assert [[0, 6], [6, 8]] == [found[name]["data_offsets"] for name in ("a", "b")]
