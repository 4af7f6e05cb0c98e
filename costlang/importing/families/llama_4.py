"""Llama 4: chunks in most layers, experts in some, and one shared expert beside them."""

from __future__ import annotations

from costlang.importing.description import VISION, Figure, Origin
from costlang.importing.families.experts import experts
from costlang.importing.families.shapes import DERIVED_HEAD, never, sizes, tied
from costlang.importing.family import Family, Wrapper
from costlang.importing.harmless import ROUTING
from costlang.importing.rules import of_class
from costlang.importing.taking import Taking, stated_count
from costlang.importing.windows import CHUNKED, Some, Windows


class _Interleaved:
    """The layers with experts: those that a list names, or each so many."""

    def take(self, taking: Taking) -> None:
        """Take how many layers are dense."""
        layers = taking.number("layers")
        step = stated_count(taking, "interleave_moe_layer_step", 1)
        member = taking.member("moe_layers")
        listed = member is not None and member.value.value is not None
        named = taking.counts(member) if member is not None and listed else ()
        if layers is None or step is None or named is None:
            return
        sparse = len({at for at in named if at < layers}) if listed else layers // step
        fields = ("moe_layers",) if listed else ("interleave_moe_layer_step",)
        because = f"experts in {sparse} of {layers} layers"
        origin = Origin.FIELD if taking.says(*fields) else Origin.DEFAULT
        if origin is Origin.DEFAULT:
            because = f"`{fields[0]}` is absent, so {because}"
        dense = layers - sparse
        taking.figures["dense_layers"] = Figure("dense_layers", dense, origin, fields, because)


def _with_positions(taking: Taking, layers: int) -> Some | None:
    """Return the layers that encode positions, which see chunks; the others see everything."""
    member = taking.member("no_rope_layers")
    group = stated_count(taking, "no_rope_layer_interval", 4)
    if group is None:
        return None
    if member is None or member.value.value in (None, ()):
        return Some(layers - layers // group, f"one layer in {group} sees everything")
    marks = taking.counts(member)
    if marks is None:
        return None
    if len(marks) != layers or not set(marks) <= {0, 1}:
        taking.refuse(member, "it should have a 0 or a 1 for each layer")
        return None
    because = "the layers that encode positions see chunks"
    return Some(sum(marks), because, ("no_rope_layers",))


class _Shared:
    """One shared expert, as wide as the others."""

    def take(self, taking: Taking) -> None:
        """Take its width."""
        width = taking.number("expert_ff")
        if width is not None:
            because = "Llama 4 has one shared expert, as wide as the others"
            taking.figures["shared_ff"] = Figure(
                "shared_ff", width, Origin.FAMILY, (), because, "expert_ff"
            )


LLAMA_4 = Family(
    ("llama4_text",),
    ("Llama4ForCausalLM",),
    (
        *sizes(of_class(8), of_class(128), DERIVED_HEAD, mlp="intermediate_size_mlp"),
        tied(False),
        *never("a Llama 4 layer has no biases in transformers", "attention_bias"),
        *experts("num_local_experts", ("num_experts_per_tok",), "intermediate_size", of_class(1)),
        _Interleaved(),
        _Shared(),
        Windows(("attention_chunk_size",), _with_positions, of_class(8192), cut=CHUNKED),
    ),
    {
        **ROUTING,
        "use_qk_norm": "a norm of queries and keys without weights",
        "for_llm_compressor": "a setting of the program that compresses the model",
    },
)

LLAMA_4_WHOLE = Wrapper(
    ("llama4",),
    ("Llama4ForConditionalGeneration",),
    "llama4_text",
    {"vision_config": VISION},
)

FAMILIES = (LLAMA_4,)
WRAPPERS = (LLAMA_4_WHOLE,)
