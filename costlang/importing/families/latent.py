"""DeepSeek and its kin: latent attention, many small experts, some of them shared."""

from __future__ import annotations

from costlang.importing.description import NEXT_LAYERS
from costlang.importing.families.experts import CORRECTIONS, OWN_ROUTER, FirstDense, Shared, experts
from costlang.importing.families.shapes import HEADS, never, tied
from costlang.importing.family import Family
from costlang.importing.harmless import ROUTING
from costlang.importing.rules import Always, Count, Only, Rule, of_class
from costlang.importing.taking import Taking

_FROM_HIDDEN = "queries come straight from the hidden vector"


class _QueryRank:
    """The rank of the queries: null has none, and then they come from the hidden vector."""

    def take(self, taking: Taking) -> None:
        """Take the rank, 0 for none."""
        member = taking.member("q_lora_rank")
        if member is not None and member.value.value is None:
            Always("q_rank", 0, f"`q_lora_rank` is null: {_FROM_HIDDEN}").take(taking)
            return
        Count("q_rank", ("q_lora_rank",), of_class(1536)).take(taking)


class _KeyWidth:
    """The width of a key, which a configuration repeats: that of both its parts together."""

    def take(self, taking: Taking) -> None:
        """Refuse another width, which transformers would take for that of the queries."""
        member = taking.member("qk_head_dim")
        nope, rope = taking.number("nope"), taking.number("rope")
        if member is None or member.value.value is None or nope is None or rope is None:
            return
        if taking.count(member) not in (None, nope + rope):
            taking.refuse(member, "it is not `qk_nope_head_dim` and `qk_rope_head_dim` together")


_ATTENTION: tuple[Rule, ...] = (
    Count("layers", ("num_hidden_layers",)),
    Count("d_model", ("hidden_size",)),
    Count("heads", (HEADS,)),
    _QueryRank(),
    Count("kv_rank", ("kv_lora_rank",), of_class(512)),
    Count("nope", ("qk_nope_head_dim",), of_class(128)),
    Count("rope", ("qk_rope_head_dim",), of_class(64)),
    Count("v_head", ("v_head_dim",), of_class(128)),
    _KeyWidth(),
    Count("d_ff", ("intermediate_size",)),
    Count("vocab", ("vocab_size",)),
    tied(False),
    *never("biases around a latent attention", "attention_bias", "mlp_bias"),
    *experts("n_routed_experts", ("num_experts_per_tok",), "moe_intermediate_size"),
    Only("moe_layer_freq", (1,), "experts in only some of the later layers"),
)
_HARMLESS = {
    **ROUTING,
    **dict.fromkeys(
        ("num_key_value_heads", "head_dim"),
        "latent attention has one latent vector for all heads",
    ),
}
_NEXT = {"num_nextn_predict_layers": NEXT_LAYERS}

DEEPSEEK_2 = Family(
    ("deepseek_v2",),
    ("DeepseekV2ForCausalLM",),
    (
        *_ATTENTION,
        FirstDense("first_k_dense_replace", 0),
        Shared("n_shared_experts", 2, may_be_null=True),
    ),
    _HARMLESS,
    kept=OWN_ROUTER,
)

DEEPSEEK_3 = Family(
    ("deepseek_v3", "kimi_k2"),
    ("DeepseekV3ForCausalLM",),
    (
        *_ATTENTION,
        FirstDense("first_k_dense_replace", 3),
        Shared("n_shared_experts", 1, may_be_null=True),
    ),
    _HARMLESS,
    _NEXT,
    (CORRECTIONS,),
    OWN_ROUTER,
)

FAMILIES = (DEEPSEEK_2, DEEPSEEK_3)
