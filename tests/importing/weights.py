"""Safetensors files for tests: headers with the tensors that a small model has, and no weights."""

from __future__ import annotations

import json
from math import prod
from pathlib import Path
from typing import Any

from costlang.importing.headers import BITS

SMALL: dict[str, Any] = {
    "model_type": "llama",
    "hidden_size": 64,
    "intermediate_size": 160,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "num_key_value_heads": 2,
    "vocab_size": 1000,
    "tie_word_embeddings": True,
    "torch_dtype": "bfloat16",
}

Shapes = dict[str, tuple[str, tuple[int, ...]]]


def shapes(layers: int = 2, dtype: str = "BF16") -> Shapes:
    """Return the tensors of the small model."""
    inside = {
        "self_attn.q_proj": (64, 64),
        "self_attn.k_proj": (32, 64),
        "self_attn.v_proj": (32, 64),
        "self_attn.o_proj": (64, 64),
        "mlp.gate_proj": (160, 64),
        "mlp.up_proj": (160, 64),
        "mlp.down_proj": (64, 160),
        "input_layernorm": (64,),
        "post_attention_layernorm": (64,),
    }
    found: Shapes = {"model.embed_tokens.weight": (dtype, (1000, 64))}
    for at in range(layers):
        found |= {f"model.layers.{at}.{n}.weight": (dtype, s) for n, s in inside.items()}
    return found | {"model.norm.weight": (dtype, (64,))}


def header(tensors: Shapes) -> dict[str, Any]:
    """Return the header of a file with *tensors*, one behind the other."""
    found: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    at = 0
    for name, (dtype, shape) in tensors.items():
        end = at + prod(shape) * BITS[dtype] // 8
        found[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [at, end]}
        at = end
    return found


def write(path: Path, tensors: Shapes, *, whole: bool = False) -> None:
    """Write the header of a file of weights, and zeros behind it where it is to be *whole*."""
    found = header(tensors)
    data = json.dumps(found).encode()
    ends = [entry["data_offsets"][1] for name, entry in found.items() if name[0] != "_"]
    rest = bytes(max(ends, default=0)) if whole else b""
    path.write_bytes(len(data).to_bytes(8, "little") + data + rest)


def folder(path: Path, tensors: Shapes, **changed: Any) -> Path:
    """Make a folder with the small configuration and one file of weights."""
    path.mkdir(exist_ok=True)
    (path / "config.json").write_text(json.dumps({**SMALL, **changed}))
    write(path / "model.safetensors", tensors)
    return path
