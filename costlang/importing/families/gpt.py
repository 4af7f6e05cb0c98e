"""GPT-2 and the families after it: two matrices in an MLP, biases, norms with a bias."""

from __future__ import annotations

from costlang.importing.description import Figure, Origin
from costlang.importing.families.shapes import (
    DERIVED_HEAD,
    HEADS,
    SAME,
    always,
    flags,
    plain_sizes,
    sizes,
    tied,
)
from costlang.importing.family import Family
from costlang.importing.rules import (
    NEVER,
    Choice,
    Count,
    Flag,
    Follows,
    Matches,
    Only,
    Rule,
    of_class,
    quotient,
    same_as,
    times,
)
from costlang.importing.taking import Taking
from costlang.importing.windows import Windows, every_layer

PLAIN = always("the MLP has two matrices and no gate", gated=False)
CENTRED = always("a norm has a gain and a bias", norm_vectors=2)
ALL_BIASES = always("each matrix has a bias", qkv_bias=True, out_bias=True, mlp_bias=True)
SIDE_BY_SIDE = always("attention and MLP stand side by side, behind one norm", layer_norms=1)

_GPT_HEAD = quotient("d_model", "heads", ("n_embd", "n_head"))


def _gpt_sizes() -> tuple[Rule, ...]:
    """Return the rules of the sizes under the names of GPT-2."""
    return (
        Count("layers", ("n_layer", "num_hidden_layers")),
        Count("d_model", ("n_embd", "hidden_size")),
        Count("heads", ("n_head", HEADS)),
        Follows("d_head", _GPT_HEAD),
        Count("d_ff", ("n_inner",), times(4, "d_model", "n_embd")),
        Count("vocab", ("vocab_size",)),
    )


_TABLE = Count("positions", ("n_positions", "max_position_embeddings"))

GPT_2 = Family(
    ("gpt2",),
    ("GPT2LMHeadModel",),
    (
        *_gpt_sizes(),
        Follows("kv_heads", same_as("heads", "n_head")),
        _TABLE,
        tied(True),
        *PLAIN,
        *CENTRED,
        *ALL_BIASES,
        Only("n_special", (0,), "tokens beside the vocabulary"),
    ),
)


class _OneOrAll:
    """Cache heads of a family that has either one, or as many as query heads."""

    def __init__(self, switch: str) -> None:
        self.switch = switch

    def take(self, taking: Taking) -> None:
        """Take what the switch says; it is on where it is absent, and off where it is null."""
        member = taking.member(self.switch)
        heads = taking.number("heads")
        stated = member is not None
        null = member is not None and member.value.value is None
        one = not null if member is None or null else taking.flag(member)
        if one is None or heads is None:
            return
        because = f"`{self.switch}` is {'absent, so on' if not stated else str(one).lower()}"
        origin = Origin.FIELD if stated else Origin.DEFAULT
        value = 1 if one else heads
        taking.figures["kv_heads"] = Figure("kv_heads", value, origin, (self.switch,), because)


GPT_BIGCODE = Family(
    ("gpt_bigcode",),
    ("GPTBigCodeForCausalLM",),
    (
        *_gpt_sizes(),
        _OneOrAll("multi_query"),
        Matches("num_key_value_heads", "kv_heads", "`multi_query` says another number"),
        _TABLE,
        tied(True),
        *PLAIN,
        *CENTRED,
        *ALL_BIASES,
    ),
    harmless=dict.fromkeys(
        """attention_softmax_in_fp32 inference_runner validate_runner_input pre_allocate_kv_cache
        max_sequence_length max_batch_size pad_key_length""".split(),
        "a setting of the program that runs the model",
    ),
)

GPT_J = Family(
    ("gptj",),
    ("GPTJForCausalLM",),
    (
        *_gpt_sizes(),
        Follows("kv_heads", same_as("heads", "n_head")),
        tied(False),
        *PLAIN,
        *CENTRED,
        *SIDE_BY_SIDE,
        *always("the MLP and the last matrix have biases", mlp_bias=True, head_bias=True),
    ),
    harmless={"n_positions": "how far the rotary embedding reaches, without weights"},
)

GPT_NEOX = Family(
    ("gpt_neox",),
    ("GPTNeoXForCausalLM",),
    (
        *plain_sizes(),
        tied(False),
        *PLAIN,
        *CENTRED,
        *flags("attention_bias", "qkv_bias out_bias", True),
        *always("the MLP has biases", mlp_bias=True),
    ),
    harmless={"use_parallel_residual": "the order of additions, without weights"},
)

OPT = Family(
    ("opt",),
    ("OPTForCausalLM",),
    (
        Count("layers", ("num_hidden_layers",)),
        Count("d_model", ("hidden_size",)),
        Count("heads", (HEADS,)),
        Follows("kv_heads", SAME),
        Follows("d_head", DERIVED_HEAD),
        Count("d_ff", ("ffn_dim",)),
        Count("vocab", ("vocab_size",)),
        Count("positions", ("max_position_embeddings",), more=2),
        tied(True),
        *PLAIN,
        *CENTRED,
        *flags("enable_bias", "qkv_bias out_bias mlp_bias", True),
        Only("do_layer_norm_before", (True,), "norms behind the layers instead of before them"),
        Matches("word_embed_proj_dim", "d_model", "another width at the look-up than inside"),
        Only("layer_norm_elementwise_affine", (True,), "norms without a gain"),
        Only("_remove_final_layer_norm", (False,), "a model without a last norm"),
    ),
)

BLOOM = Family(
    ("bloom",),
    ("BloomForCausalLM",),
    (
        Count("layers", ("n_layer", "num_hidden_layers")),
        Count("d_model", ("hidden_size", "n_embed")),
        Count("heads", ("n_head", HEADS)),
        Follows("kv_heads", same_as("heads", "n_head")),
        Follows("d_head", quotient("d_model", "heads", ("hidden_size", "n_head"))),
        Follows("d_ff", times(4, "d_model", "hidden_size")),
        Count("vocab", ("vocab_size",)),
        tied(True),
        *PLAIN,
        *CENTRED,
        *ALL_BIASES,
        *always("the looked-up vectors are normed", embedding_norm=True),
        Only("n_inner", (), "its MLP is four times as wide as the model in transformers"),
    ),
    harmless=dict.fromkeys(
        """apply_residual_connection_post_layernorm bias_dropout_fusion masked_softmax_fusion
        offset_alibi skip_bias_add skip_bias_add_qkv""".split(),
        "how the program adds up, without weights",
    ),
)

PHI = Family(
    ("phi",),
    ("PhiForCausalLM",),
    (
        *sizes(),
        tied(False),
        *PLAIN,
        *CENTRED,
        *ALL_BIASES,
        *SIDE_BY_SIDE,
        *always("the last matrix has a bias", head_bias=True),
        Only("qk_layernorm", (False,), "norms of each head with a gain and a bias"),
    ),
)

STARCODER_2 = Family(
    ("starcoder2",),
    ("Starcoder2ForCausalLM",),
    (
        *sizes(kv_default=of_class(2), kv_if_null=NEVER),
        tied(True),
        *PLAIN,
        *CENTRED,
        *flags("use_bias", "qkv_bias out_bias mlp_bias", True),
        Windows(("sliding_window",), every_layer),
        Only("mlp_type", ("default",), "another MLP"),
        Only("norm_type", ("layer_norm",), "another norm"),
    ),
)

STABLE_LM = Family(
    ("stablelm",),
    ("StableLmForCausalLM",),
    (
        *sizes(of_class(32), kv_if_null=NEVER, own_head=False),
        tied(False),
        *CENTRED,
        Flag("qkv_bias", ("use_qkv_bias",), of_class(False)),
        Choice("layer_norms", "use_parallel_residual", False, (2, 1)),
        Only("qk_layernorm", (False,), "norms of each head with gains of its own"),
    ),
)

NEMOTRON = Family(
    ("nemotron",),
    ("NemotronForCausalLM",),
    (
        *sizes(kv_default=None, kv_if_null=NEVER),
        tied(False),
        *PLAIN,
        *CENTRED,
        *flags("attention_bias", "qkv_bias out_bias", False),
        *flags("mlp_bias", "mlp_bias", False),
    ),
)

FAMILIES = (
    *(GPT_2, GPT_BIGCODE, GPT_J, GPT_NEOX, OPT, BLOOM, PHI),
    *(STARCODER_2, STABLE_LM, NEMOTRON),
)
