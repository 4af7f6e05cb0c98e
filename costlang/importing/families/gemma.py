"""Gemma from the second on: four norms in a layer, and windows in most layers."""

from __future__ import annotations

from costlang.importing.description import VISION
from costlang.importing.families.llama import BIASES, PER_HEAD
from costlang.importing.families.shapes import HEADS, always, sizes, tied
from costlang.importing.family import Family, Wrapper
from costlang.importing.rules import NEVER, Count, Grouped, Only, of_class
from costlang.importing.windows import Windows, all_but_each, one_in

_FOUR = always("norms stand before and behind attention and MLP", layer_norms=4)
_WINDOW = ("sliding_window", "sliding_window_size")

GEMMA_2 = Family(
    ("gemma2",),
    ("Gemma2ForCausalLM",),
    (
        *sizes(of_class(4), of_class(256), NEVER, kv_if_null=NEVER),
        tied(True),
        *BIASES,
        *_FOUR,
        Windows(_WINDOW, one_in(2), of_class(4096)),
    ),
)

GEMMA_3 = Family(
    ("gemma3_text",),
    ("Gemma3ForCausalLM",),
    (
        Count("layers", ("num_hidden_layers",), of_class(26)),
        Count("d_model", ("hidden_size",), of_class(2304)),
        Count("heads", (HEADS,), of_class(8)),
        Count("kv_heads", ("num_key_value_heads",), of_class(4)),
        Count("d_head", ("head_dim",), of_class(256), NEVER),
        Grouped(),
        Count("d_ff", ("intermediate_size",), of_class(9216)),
        Count("vocab", ("vocab_size",), of_class(262_208)),
        tied(True),
        *BIASES,
        *_FOUR,
        *always(PER_HEAD, qk_norm="per_head"),
        Windows(_WINDOW, all_but_each("sliding_window_pattern", 6), of_class(4096)),
        Only("use_bidirectional_attention", (False,), "tokens that see later ones"),
    ),
)

GEMMA_3_WHOLE = Wrapper(
    ("gemma3",),
    ("Gemma3ForConditionalGeneration",),
    "gemma3_text",
    {"vision_config": VISION, "mm_tokens_per_image": VISION},
)

FAMILIES = (GEMMA_2, GEMMA_3)
WRAPPERS = (GEMMA_3_WHOLE,)
