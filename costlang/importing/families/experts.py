"""Families with experts: how many there are, how many a token takes, and in which layers."""

from __future__ import annotations

from dataclasses import dataclass

from costlang.importing.description import NEXT_LAYERS, Figure, Origin
from costlang.importing.families.llama import BIASES, NO_BIAS, PER_HEAD, WHOLE
from costlang.importing.families.shapes import DERIVED_HEAD, always, flags, never, sizes, tied
from costlang.importing.family import Family
from costlang.importing.harmless import ROUTING
from costlang.importing.rules import (
    NEVER,
    Choice,
    Count,
    Default,
    Flag,
    Only,
    Rule,
    of_class,
)
from costlang.importing.taking import Taking, stated_count
from costlang.importing.windows import Windows, after, every_layer, one_in


def experts(
    count: str, top_k: tuple[str, ...], width: str, top_default: Default | None = None
) -> tuple[Rule, ...]:
    """Return the rules of the experts by the names of their fields."""
    return (
        Count("experts", (count,)),
        Count("top_k", top_k, top_default),
        Taken(),
        Count("expert_ff", (width,)),
    )


@dataclass(frozen=True)
class Taken:
    """A token takes no more experts than there are."""

    def take(self, taking: Taking) -> None:
        """Refuse a configuration in which it would."""
        there, taken = taking.number("experts"), taking.number("top_k")
        if there is not None and taken is not None and taken > there:
            title = f"a token cannot take {taken:,} of {there:,} experts"
            taking.at_odds(title, "top_k", "experts")


_PER_TOKEN = ("num_experts_per_tok",)
_WINDOW, _SWITCH = ("sliding_window",), "use_sliding_window"


# ---- which layers have experts


@dataclass(frozen=True)
class FirstDense:
    """The first layers have an MLP: as many as a field says."""

    name: str
    usual: int

    def take(self, taking: Taking) -> None:
        """Take how many layers are dense."""
        Count("dense_layers", (self.name,), of_class(self.usual), least=0).take(taking)
        layers, dense = taking.number("layers"), taking.number("dense_layers")
        if layers is not None and dense is not None and dense > layers:
            title = f"{dense:,} of {layers:,} layers cannot be dense"
            taking.at_odds(title, "dense_layers", "layers")


@dataclass(frozen=True)
class Stepped:
    """Every so many layers has experts, but for those that a list names."""

    step: str
    listed: str

    def take(self, taking: Taking) -> None:
        """Take how many layers are dense."""
        layers = taking.number("layers")
        step = stated_count(taking, self.step, 1)
        listed = self._listed(taking)
        if layers is None or step is None or listed is None:
            return
        apart = {at for at in listed if at < layers and (at + 1) % step == 0}
        dense = layers - layers // step + len(apart)
        stated = taking.says(self.step) or bool(listed)
        because = f"experts in every layer but {dense}" if dense else "experts in every layer"
        if not stated:
            because = f"`{self.step}` is absent, so each layer has experts"
        origin = Origin.FIELD if stated else Origin.DEFAULT
        fields = (self.step, self.listed) if listed else (self.step,)
        taking.figures["dense_layers"] = Figure("dense_layers", dense, origin, fields, because)

    def _listed(self, taking: Taking) -> tuple[int, ...] | None:
        member = taking.member(self.listed)
        if member is None or member.value.value is None:
            return ()
        return taking.counts(member)


@dataclass(frozen=True)
class Shared:
    """
    Experts that every token meets: a number of them, each as wide as the others.

    Without a *usual* number it has to be stated; null means none where it *may_be_null*.
    """

    name: str
    usual: int | None
    may_be_null: bool = False

    def take(self, taking: Taking) -> None:
        """Take the width of all of them together."""
        member = taking.member(self.name)
        width = taking.number("expert_ff")
        count: int | None = self.usual
        if member is not None:
            null = member.value.value is None and self.may_be_null
            count = 0 if null else taking.count(member, least=0)
        elif count is None:
            taking.missing(self.name)
        if count is None or width is None:
            return
        written = f"{count} * expert_ff" if count > 1 else "expert_ff" if count else ""
        fields = (self.name,)
        because = f"{count} shared expert{'s' if count != 1 else ''}"
        origin = Origin.FIELD
        if member is None:
            origin, because = Origin.DEFAULT, f"`{self.name}` is absent, so {count}, its default"
        taking.figures["shared_ff"] = Figure(
            "shared_ff", count * width, origin, fields, because, written
        )


# ---- the families

OWN_ROUTER = frozenset({"router"})
"""A router that is a class of its own, and no linear layer that a quantizer would replace."""

MIXTRAL = Family(
    ("mixtral",),
    ("MixtralForCausalLM",),
    (
        *sizes(of_class(8), mlp=None),
        tied(False),
        *experts("num_local_experts", _PER_TOKEN, "intermediate_size", of_class(2)),
        Windows(("sliding_window",), every_layer),
        *never("a Mixtral layer has no biases in transformers", *NO_BIAS),
    ),
    ROUTING,
)

_GATED = always("the shared experts have a gate", shared_gate=True)

QWEN_2_MOE = Family(
    ("qwen2_moe",),
    ("Qwen2MoeForCausalLM",),
    (
        *sizes(of_class(16), kv_if_null=NEVER, own_head=False),
        tied(False),
        Flag("qkv_bias", ("qkv_bias",), of_class(True)),
        *experts("num_experts", _PER_TOKEN, "moe_intermediate_size", of_class(4)),
        Stepped("decoder_sparse_step", "mlp_only_layers"),
        Count("shared_ff", ("shared_expert_intermediate_size",), of_class(5632)),
        *_GATED,
        Windows(_WINDOW, after("max_window_layers", 28), of_class(4096), _SWITCH),
    ),
    ROUTING,
)

QWEN_3_MOE = Family(
    ("qwen3_moe",),
    ("Qwen3MoeForCausalLM",),
    (
        *sizes(of_class(4), kv_if_null=NEVER),
        tied(False),
        *BIASES,
        *always(PER_HEAD, qk_norm="per_head"),
        *experts("num_experts", _PER_TOKEN, "moe_intermediate_size", of_class(8)),
        Stepped("decoder_sparse_step", "mlp_only_layers"),
        Windows(_WINDOW, every_layer, of_class(4096), _SWITCH),
    ),
    {**ROUTING, "max_window_layers": "it is read by no layer of this family"},
)

OLMOE = Family(
    ("olmoe",),
    ("OlmoeForCausalLM",),
    (
        *sizes(mlp=None, own_head=False),
        tied(False),
        *BIASES,
        *always(WHOLE, qk_norm="whole"),
        *experts("num_experts", _PER_TOKEN, "intermediate_size", of_class(8)),
    ),
    ROUTING,
)

GRANITE_MOE = Family(
    ("granitemoe",),
    ("GraniteMoeForCausalLM",),
    (
        *sizes(mlp=None, own_head=False),
        tied(False),
        *BIASES,
        *experts("num_local_experts", _PER_TOKEN, "intermediate_size", of_class(2)),
        Only("position_embedding_type", ("rope", "nope"), "a learned table of positions"),
    ),
    ROUTING,
)

PHI_MOE = Family(
    ("phimoe",),
    ("PhimoeForCausalLM", "PhiMoEForCausalLM"),
    (
        *sizes(of_class(8), mlp=None, own_head=False),
        tied(False),
        *flags("attention_bias", "qkv_bias out_bias", False),
        Flag("head_bias", ("lm_head_bias",), of_class(False)),
        *always("a norm has a gain and a bias", norm_vectors=2),
        *experts("num_local_experts", _PER_TOKEN, "intermediate_size", of_class(2)),
        Windows(("sliding_window",), every_layer),
    ),
    ROUTING,
)

GPT_OSS = Family(
    ("gpt_oss",),
    ("GptOssForCausalLM",),
    (
        *sizes(of_class(8), of_class(64), DERIVED_HEAD, mlp=None),
        tied(False),
        *flags("attention_bias", "qkv_bias out_bias", True),
        *always("each head has a learned score beside those of the tokens", sinks=True),
        *experts(
            "num_local_experts",
            ("num_experts_per_tok", "experts_per_token"),
            "intermediate_size",
            of_class(4),
        ),
        *always("router and experts have biases", router_bias=True, expert_bias=True),
        Windows(("sliding_window",), one_in(2), of_class(128)),
    ),
    ROUTING,
    kept=OWN_ROUTER,
)

CORRECTIONS = (
    "a correction of the router's score for each expert, a buffer and no parameter in transformers"
)
_NEXT = {"num_nextn_predict_layers": NEXT_LAYERS}

GLM_4_MOE = Family(
    ("glm4_moe",),
    ("Glm4MoeForCausalLM",),
    (
        *sizes(of_class(8), kv_if_null=NEVER),
        tied(False),
        *flags("attention_bias", "qkv_bias", False),
        Choice("qk_norm", "use_qk_norm", False, ("without", "per_head")),
        *experts("n_routed_experts", _PER_TOKEN, "moe_intermediate_size", of_class(8)),
        FirstDense("first_k_dense_replace", 1),
        Shared("n_shared_experts", 1),
    ),
    ROUTING,
    _NEXT,
    (CORRECTIONS,),
    OWN_ROUTER,
)

DOTS_1 = Family(
    ("dots1",),
    ("Dots1ForCausalLM",),
    (
        *sizes(of_class(32)),
        tied(False),
        *BIASES,
        *always(PER_HEAD, qk_norm="per_head"),
        *experts("n_routed_experts", _PER_TOKEN, "moe_intermediate_size"),
        FirstDense("first_k_dense_replace", 0),
        Shared("n_shared_experts", None),
        Only("moe_layer_freq", (1,), "experts in only some of the later layers"),
        Windows(_WINDOW, after("max_window_layers", 62), of_class(4096), may_be_null=True),
    ),
    ROUTING,
    besides=(CORRECTIONS,),
    kept=OWN_ROUTER,
)

FAMILIES = (
    *(MIXTRAL, QWEN_2_MOE, QWEN_3_MOE, OLMOE, GRANITE_MOE, PHI_MOE, GPT_OSS, GLM_4_MOE, DOTS_1),
)
