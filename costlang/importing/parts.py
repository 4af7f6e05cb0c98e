"""Which part of a model a tensor belongs to, by its name; and which part a term of a spec is."""

from __future__ import annotations

import re
from collections.abc import Mapping

from costlang.importing.description import NEXT_LAYERS, VISION

LAYER = re.compile(r"(?:^|\.)(?:layers|h|blocks)\.([0-9]{1,6})\.")

APART: Mapping[str, re.Pattern[str]] = {
    "frequencies of the rotary embedding, which are no parameters": re.compile(r"inv_freq$"),
    "masks of the attention, which are no parameters": re.compile(
        r"(^|\.)attn\.(masked_)?bias$|attention\.(masked_)?bias$"
    ),
    "corrections of routers, which are no parameters": re.compile(r"e_score_correction_bias$"),
    "decays of linear attention, which are no parameters": re.compile(
        r"self_attn\.(slope_rate|(query|key|diagonal)_decay)$"
    ),
}
"""Tensors that lie in files of weights and are no parameters, by how their names end."""

SCALES = re.compile(
    r"(_scale|_scale_inv|scale_2|scales|qzeros|g_idx|absmax|quant_map|_zero_point|SCB|weight_format|quant_state\.\w+)$"
)
"""What a format has beside the weights: its bytes count, and its numbers are no weights."""

_NEXT = re.compile(r"^(model\.)?mtp\.")
_PICTURES = re.compile(r"(^|\.)(vision\w*|visual|multi_modal_projector|audio\w*|embed_vision)\.")

_PARTS: Mapping[str, re.Pattern[str]] = {
    "last matrix": re.compile(r"(^|\.)(lm_head|embed_out)\."),
    "norms": re.compile(r"(^|\.)(word_embeddings_layernorm)\."),
    "table of positions": re.compile(r"(^|\.)(wpe|embed_positions)\."),
    "table of tokens": re.compile(
        r"(^|\.)(embed_tokens|wte|word_embeddings|embed_in|embeddings?)\."
    ),
    "attention": re.compile(
        r"\.(self_attn|attn|attention|self_attention|linear_attn|mamba|mixer)\."
    ),
    "experts": re.compile(
        r"\.(experts|router|block_sparse_moe|shared_experts?|shared_expert_gate|gate)\."
    ),
    "MLP": re.compile(r"\.(mlp|feed_forward|fc1|fc2)\."),
}
"""Parts of a model by what stands in the names of their tensors; the first that fits."""

_NORM = re.compile(r"(norm\w*|ln_\w+)\.(weight|bias)$")

_OF_TERMS: Mapping[str, str] = {
    "embedding": "table of tokens",
    "places": "table of positions",
    **dict.fromkeys(("first_norm", "norms", "norm"), "norms"),
    **dict.fromkeys(("full_layers", "attention", "window_layers", "local"), "attention"),
    **dict.fromkeys(("recurrent_layers", "recurrent"), "attention"),
    **dict.fromkeys(("dense_layers", "mlp"), "MLP"),
    **dict.fromkeys(("expert_layers", "mixture"), "experts"),
    **dict.fromkeys(("head", "head_bias"), "last matrix"),
}
"""Parts by the names of the terms, and of the numbers of layers that repeat them, in a spec."""

OTHERS = "others"


def part_of(name: str) -> str:
    """Return the part that the tensor *name* belongs to."""
    for part, sign in _PARTS.items():
        if sign.search(name):
            return part
    return "norms" if _NORM.search(name) else OTHERS


def part_of_term(label: str) -> str | None:
    """Return the part that the term *label* of a spec is, None where it holds several."""
    return _OF_TERMS.get(label)


def apart(name: str, layers: int, left_out: tuple[str, ...]) -> str | None:
    """
    Return why the tensor *name* is none of the *layers* and tables of the model, None where it is.

    What a configuration speaks of and its spec leaves out is told in *left_out*.
    """
    for words, sign in APART.items():
        if sign.search(name):
            return words
    if VISION in left_out and _PICTURES.search(name):
        return VISION
    layer = LAYER.search(name)
    beyond = _NEXT.search(name) or (layer is not None and int(layer[1]) >= layers)
    return NEXT_LAYERS if NEXT_LAYERS in left_out and beyond else None


def shows_pictures(name: str) -> bool:
    """Whether the tensor *name* is of a part for images or sound."""
    return _PICTURES.search(name) is not None


def kind(name: str) -> str:
    """Return *name* with stars for its numbers: the same in all layers, and for all experts."""
    return re.sub(r"(?<=\.)[0-9]{1,9}(?=\.)", "*", name)
