"""Llama and the families with its layers: a gated MLP, and norms that have a gain alone."""

from __future__ import annotations

from costlang.importing.description import VISION
from costlang.importing.families.shapes import (
    always,
    flags,
    never,
    plain_sizes,
    sizes,
    tied,
)
from costlang.importing.family import Family, Wrapper
from costlang.importing.rules import (
    NEVER,
    Choice,
    Only,
    of_class,
)
from costlang.importing.windows import Windows, after, all_but_each, every_layer, one_in

BIASES = flags("attention_bias", "qkv_bias out_bias", False)
"""One switch for the biases of all four matrices around an attention."""

NO_BIAS = ("attention_bias", "mlp_bias", "use_bias", "qkv_bias", "bias")

LLAMA = Family(
    ("llama",),
    ("LlamaForCausalLM",),
    (*sizes(), tied(False), *BIASES, *flags("mlp_bias", "mlp_bias", False)),
)

MISTRAL = Family(
    ("mistral",),
    ("MistralForCausalLM",),
    (
        *sizes(kv_default=of_class(8)),
        tied(False),
        Windows(("sliding_window", "sliding_window_size"), every_layer, of_class(4096)),
        *never("a Mistral layer has no biases in transformers", *NO_BIAS),
    ),
)

GRANITE = Family(
    ("granite",),
    ("GraniteForCausalLM",),
    (*sizes(), tied(False), *BIASES, *flags("mlp_bias", "mlp_bias", False)),
)

SMOLLM_3 = Family(
    ("smollm3",),
    ("SmolLM3ForCausalLM",),
    (
        *sizes(kv_default=of_class(4)),
        tied(True),
        *BIASES,
        *flags("mlp_bias", "mlp_bias", False),
        *never("windows in the layers without positions", "use_sliding_window"),
    ),
    harmless={
        **dict.fromkeys(
            ("no_rope_layers", "no_rope_layer_interval"), "which layers encode positions"
        ),
        **dict.fromkeys(
            ("layer_types", "sliding_window", "max_window_layers"),
            "a window that `use_sliding_window` switches off",
        ),
    },
)

BAICHUAN = Family(
    ("baichuan",),
    ("BaichuanForCausalLM", "BaiChuanForCausalLM"),
    (*plain_sizes(), tied(False)),
    harmless={"z_loss_weight": "a setting of training"},
)

PHI_3 = Family(
    ("phi3",),
    ("Phi3ForCausalLM",),
    (
        *sizes(),
        tied(False),
        Windows(("sliding_window",), every_layer),
        *never("a Phi-3 layer has no biases in transformers", *NO_BIAS, "lm_head_bias"),
        Only("full_attn_mod", (1,), "layers that attend otherwise"),
    ),
    {"interpolate_factor": "how positions are encoded, without weights"},
)

OLMO = Family(
    ("olmo",),
    ("OlmoForCausalLM",),
    (
        *sizes(),
        tied(False),
        *BIASES,
        *always("OlmoLayerNorm has neither gain nor bias", norm_vectors=0),
    ),
)

WHOLE = "queries and keys are normed over their whole width, with a gain for each number"

OLMO_2 = Family(
    ("olmo2",),
    ("Olmo2ForCausalLM",),
    (*sizes(), tied(False), *BIASES, *always(WHOLE, qk_norm="whole")),
)

OLMO_3 = Family(
    ("olmo3",),
    ("Olmo3ForCausalLM",),
    (
        *sizes(),
        tied(False),
        *BIASES,
        *always(WHOLE, qk_norm="whole"),
        Windows(("sliding_window",), one_in(4), of_class(4096)),
    ),
)

_QUERIES = "Qwen2 has biases on queries, keys and values, and on no other matrix"

QWEN_2 = Family(
    ("qwen2",),
    ("Qwen2ForCausalLM",),
    (
        *sizes(kv_default=of_class(32)),
        tied(False),
        *always(_QUERIES, qkv_bias=True),
        Windows(
            ("sliding_window",),
            after("max_window_layers", 28),
            of_class(4096),
            "use_sliding_window",
        ),
        *never(_QUERIES, "attention_bias", "mlp_bias"),
    ),
)

PER_HEAD = "the heads of queries and keys are normed, with one gain for all"

QWEN_3 = Family(
    ("qwen3",),
    ("Qwen3ForCausalLM",),
    (
        *sizes(of_class(32), of_class(128), NEVER),
        tied(False),
        *BIASES,
        *always(PER_HEAD, qk_norm="per_head"),
        Windows(
            ("sliding_window",),
            after("max_window_layers", 28),
            of_class(4096),
            "use_sliding_window",
        ),
    ),
)

COHERE = Family(
    ("cohere",),
    ("CohereForCausalLM",),
    (
        *sizes(),
        tied(True),
        *BIASES,
        Choice("qk_norm", "use_qk_norm", False, ("without", "whole")),
        *always("attention and MLP stand side by side, behind one norm", layer_norms=1),
    ),
)

_COHERE = dict.fromkeys(
    """use_embedding_sharing use_gated_activation use_parallel_block use_parallel_embedding
    order_of_interleaved_layers position_embedding_type""".split(),
    "what every model of the family has",
)

COHERE_2 = Family(
    ("cohere2",),
    ("Cohere2ForCausalLM",),
    (
        *sizes(own_head=False),
        tied(True),
        *BIASES,
        *always("attention and MLP stand side by side, behind one norm", layer_norms=1),
        Windows(("sliding_window",), all_but_each("sliding_window_pattern", 4), of_class(4096)),
    ),
    _COHERE,
)

GEMMA = Family(
    ("gemma",),
    ("GemmaForCausalLM",),
    (*sizes(of_class(16), of_class(256), NEVER, kv_if_null=NEVER), tied(True), *BIASES),
)

MISTRAL_3 = Wrapper(
    ("mistral3",),
    ("Mistral3ForConditionalGeneration",),
    "mistral",
    dict.fromkeys(
        """vision_config multimodal_projector_bias projector_hidden_act spatial_merge_size
        vision_feature_layer vision_feature_select_strategy""".split(),
        VISION,
    ),
)

WRAPPERS = (MISTRAL_3,)
FAMILIES = (
    *(LLAMA, MISTRAL, GRANITE, SMOLLM_3, BAICHUAN, PHI_3, OLMO, OLMO_2, OLMO_3),
    *(QWEN_2, QWEN_3, COHERE, COHERE_2, GEMMA),
)
