"""Families in which layers keep a state of constant size: a few layers attend, or none does."""

from __future__ import annotations

from dataclasses import dataclass

from costlang.importing.description import NEXT_LAYERS, Figure, Interface, Origin
from costlang.importing.families.experts import Stepped, experts
from costlang.importing.families.shapes import SAME, never, sizes, tied
from costlang.importing.family import Family
from costlang.importing.harmless import ROUTING
from costlang.importing.rules import (
    NEVER,
    Always,
    Count,
    Default,
    Matches,
    Only,
    Rule,
    of_class,
)
from costlang.importing.taking import Taking, stated_count
from costlang.importing.windows import Pattern, Some, all_but_each, listed


@dataclass(frozen=True)
class States:
    """
    How many layers keep a state: those that `layer_types` lists so, or that the *pattern* says.

    A pattern counts layers that are not of the usual kind, which see everything.
    """

    pattern: Pattern
    kind: str = "linear_attention"

    def take(self, taking: Taking) -> None:
        """Take the number of layers with a state."""
        layers = taking.number("layers")
        if layers is None:
            return
        before = len(taking.faults)
        usual = self.pattern(taking, layers)
        some = listed(taking, layers, self.kind, "keep a state") or usual
        if some is None or len(taking.faults) > before:
            return
        origin = Origin.FIELD if some.fields else Origin.DEFAULT
        taking.figures["recurrent_layers"] = Figure(
            "recurrent_layers", some.layers, origin, some.fields, some.because
        )


# ---- Qwen3-Next

QWEN_3_NEXT = Family(
    ("qwen3_next",),
    ("Qwen3NextForCausalLM",),
    (
        *sizes(of_class(2), of_class(256), NEVER, kv_if_null=NEVER),
        tied(False),
        *never("its gate would have a bias as well", "attention_bias"),
        States(all_but_each("full_attention_interval", 4)),
        Count("key_heads", ("linear_num_key_heads",), of_class(16)),
        Count("value_heads", ("linear_num_value_heads",), of_class(32)),
        Count("d_key", ("linear_key_head_dim",), of_class(128)),
        Count("d_value", ("linear_value_head_dim",), of_class(128)),
        Count("kernel", ("linear_conv_kernel_dim",), of_class(4)),
        *experts("num_experts", ("num_experts_per_tok",), "moe_intermediate_size", of_class(10)),
        Stepped("decoder_sparse_step", "mlp_only_layers"),
        Count("shared_ff", ("shared_expert_intermediate_size",), of_class(512)),
    ),
    ROUTING,
    besides=(NEXT_LAYERS,),
    interface=Interface("models.qwen_next", "qwen_3_next"),
)


# ---- Jamba


def _placed(period: str, offset: str, usual: tuple[int, int], words: str) -> Pattern:
    """Return the pattern in which layers that do as *words* say stand so far apart."""

    def pattern(taking: Taking, layers: int) -> Some | None:
        apart = stated_count(taking, period, usual[0])
        first = stated_count(taking, offset, usual[1], least=0)
        if apart is None or first is None:
            return None
        if first >= apart:
            taking.lacking(f"`{offset}` is not below `{period}`")
            return None
        several = len(range(first, layers, apart))
        because = f"{several} of {layers} layers {words}"
        stated = tuple(name for name in (period, offset) if taking.says(name))
        return Some(layers - several, because, stated)

    return pattern


_TWO = of_class(2)
_PER_TOKEN = ("num_experts_per_tok",)
_EXPERTS = (
    Count("experts", ("num_experts",), of_class(16)),
    *experts("num_experts", _PER_TOKEN, "intermediate_size", _TWO)[1:],
)


class _SomeExperts:
    """Experts in layers that stand so far apart; a single expert is an MLP."""

    def take(self, taking: Taking) -> None:
        """Take the experts, and how many layers have an MLP instead."""
        layers = taking.number("layers")
        placed = _placed("expert_layer_period", "expert_layer_offset", (2, 1), "have experts")
        some = placed(taking, layers) if layers is not None else None
        if stated_count(taking, "num_experts", 16) == 1:
            taking.says("num_experts_per_tok")
            Always("dense_layers", layers or 0, "`num_experts` is 1: an MLP").take(taking)
            return
        for rule in _EXPERTS:
            rule.take(taking)
        if some is not None:
            origin = Origin.FIELD if some.fields else Origin.DEFAULT
            taking.figures["dense_layers"] = Figure(
                "dense_layers", some.layers, origin, some.fields, some.because
            )


@dataclass(frozen=True)
class _StepRank:
    """The rank of the steps of a Mamba layer: `auto` is a sixteenth of the width, rounded up."""

    name: str

    def take(self, taking: Taking) -> None:
        """Take the rank."""
        member = taking.member(self.name)
        width = taking.number("d_model")
        if member is not None and member.value.value != "auto":
            Count("step_rank", (self.name,)).take(taking)
            return
        if width is not None:
            said = f"`{self.name}` is {'absent' if member is None else '`auto`'}"
            origin = Origin.DEFAULT if member is None else Origin.FIELD
            because = f"{said}, so `hidden_size` over 16, rounded up"
            taking.figures["step_rank"] = Figure(
                "step_rank", -(-width // 16), origin, (self.name,), because
            )


@dataclass(frozen=True)
class _Widened:
    """Channels as a multiple of the width of the model."""

    name: str

    def take(self, taking: Taking) -> None:
        """Take the product."""
        factor, width = stated_count(taking, self.name, 2), taking.number("d_model")
        if factor is None or width is None:
            return
        stated = taking.says(self.name)
        origin = Origin.FIELD if stated else Origin.DEFAULT
        because = f"{factor} times `hidden_size`"
        if not stated:
            because = f"`{self.name}` is absent, so {because}"
        taking.figures["channels"] = Figure(
            "channels", factor * width, origin, (self.name,), because, f"{factor} * d_model"
        )


JAMBA = Family(
    ("jamba",),
    ("JambaForCausalLM",),
    (
        *sizes(of_class(8), own_head=False),
        tied(False),
        States(_placed("attn_layer_period", "attn_layer_offset", (8, 4), "attend")),
        _SomeExperts(),
        _Widened("mamba_expand"),
        Count("state_size", ("mamba_d_state",), of_class(16)),
        _StepRank("mamba_dt_rank"),
        Count("kernel", ("mamba_d_conv",), of_class(4)),
        Only("mamba_conv_bias", (True,), "convolutions without a bias"),
        *never("biases around the state", "mamba_proj_bias"),
        Only("sliding_window", (), "a window in the layers that attend"),
    ),
    {
        **ROUTING,
        "use_mamba_kernels": "a setting of the program that runs the model",
        "num_logits_to_keep": "what a call hands back",
    },
    interface=Interface("models.jamba", "jamba"),
)


# ---- Mamba

MAMBA = Family(
    ("mamba",),
    ("MambaForCausalLM",),
    (
        Count("layers", ("num_hidden_layers", "n_layer")),
        Count("d_model", ("hidden_size", "d_model")),
        Count("vocab", ("vocab_size",)),
        tied(True),
        _Widened("expand"),
        Matches("intermediate_size", "channels", "it is not `expand` times `hidden_size`"),
        Matches("d_inner", "channels", "it is not `expand` times `hidden_size`"),
        Count("state_size", ("state_size",), of_class(16)),
        _StepRank("time_step_rank"),
        Count("kernel", ("conv_kernel",), of_class(4)),
        Only("use_conv_bias", (True,), "convolutions without a bias"),
        *never("biases around the state", "use_bias"),
    ),
    dict.fromkeys(
        """time_step_scale time_step_min time_step_max time_step_init_scheme time_step_floor
        rescale_prenorm_residual residual_in_fp32 use_mambapy fused_add_norm rms_norm ssm_cfg
        pad_vocab_size_multiple""".split(),
        "a setting of training, or of the program that runs the model",
    ),
    interface=Interface("models.mamba", "mamba_1"),
)


# ---- MiniMax


class _Marked:
    """Layers that attend, by a list of zeros and ones."""

    def __call__(self, taking: Taking, layers: int) -> Some | None:
        member = taking.member("attn_type_list")
        marks = taking.counts(member) if member is not None else None
        if member is None:
            taking.missing("attn_type_list")
        if member is None or marks is None:
            return None
        if len(marks) != layers or not set(marks) <= {0, 1}:
            taking.refuse(member, "it should have a 0 or a 1 for each layer")
            return None
        because = f"{marks.count(0)} of {layers} keep a state"
        return Some(marks.count(0), because, ("attn_type_list",))


def _every_other(_: Taking, layers: int) -> Some:
    return Some(layers // 2, "one layer in 2 keeps a state")


def _minimax(pattern: Pattern, kv_default: Default) -> tuple[Rule, ...]:
    return (
        *sizes(kv_default, mlp=None),
        tied(False),
        States(pattern),
        Always("dense_layers", 0, "experts in every layer"),
        *experts("num_local_experts", ("num_experts_per_tok",), "intermediate_size", _TWO),
        Only("sliding_window", (), "a window in the layers that attend"),
        Only("shared_intermediate_size", (0,), "experts that every token meets"),
    )


_FACTORS = dict.fromkeys(
    """block_size full_attn_alpha_factor full_attn_beta_factor linear_attn_alpha_factor
    linear_attn_beta_factor mlp_alpha_factor mlp_beta_factor layernorm_full_attention_alpha
    layernorm_full_attention_beta layernorm_linear_attention_alpha layernorm_mlp_alpha
    layernorm_linear_attention_beta layernorm_mlp_beta postnorm shared_moe_mode""".split(),
    "a constant in a formula, without weights",
)

MINIMAX = Family(
    ("minimax",),
    ("MiniMaxForCausalLM",),
    _minimax(_every_other, of_class(8)),
    {**ROUTING, **_FACTORS},
    interface=Interface("std.stack", "stack"),
)
MINIMAX_TEXT_01 = Family(
    ("minimax_text_01",),
    ("MiniMaxText01ForCausalLM",),
    _minimax(_Marked(), SAME),
    {**ROUTING, **_FACTORS},
    interface=Interface("std.stack", "stack"),
)

FAMILIES = (QWEN_3_NEXT, JAMBA, MAMBA, MINIMAX, MINIMAX_TEXT_01)
