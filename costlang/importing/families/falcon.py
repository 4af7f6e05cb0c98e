"""Falcon: one cache head or groups of them, and one norm or two beside each other."""

from __future__ import annotations

from costlang.importing.description import Figure, Origin
from costlang.importing.families.gpt import CENTRED, PLAIN
from costlang.importing.families.shapes import HEADS, SAME, flags, tied
from costlang.importing.family import Family
from costlang.importing.rules import Count, Follows, Grouped, quotient, times
from costlang.importing.taking import Taking


def _truth(taking: Taking, name: str, usual: bool) -> bool:
    """Return what the field *name* says, *usual* where it is absent; null counts as false."""
    member = taking.member(name)
    if member is None or member.value.value is None:
        return usual and member is None
    return taking.flag(member) is not False


class _CacheHeads:
    """
    The cache heads of Falcon.

    The new architecture has as many as `num_kv_heads`, the old one either one or all of them.
    """

    def take(self, taking: Taking) -> None:
        """Take what the switches say."""
        new = _truth(taking, "new_decoder_architecture", False)
        single = _truth(taking, "multi_query", True)
        if new:
            Count("kv_heads", ("num_kv_heads",), SAME).take(taking)
            return
        taking.member("num_kv_heads")  # the old architecture does not look at it
        heads = taking.number("heads")
        if heads is None:
            return
        stated = taking.member("multi_query") is not None
        because = f"`multi_query` is {str(single).lower()}" if stated else "one for all queries"
        origin = Origin.FIELD if stated else Origin.DEFAULT
        value = 1 if single else heads
        taking.figures["kv_heads"] = Figure("kv_heads", value, origin, ("multi_query",), because)


class _Norms:
    """The norms of a layer of Falcon: two where attention and MLP have one each."""

    def take(self, taking: Taking) -> None:
        """Take what the switches say."""
        new = _truth(taking, "new_decoder_architecture", False)
        parallel = _truth(taking, "parallel_attn", True)
        member = taking.member("num_ln_in_parallel_attn")
        norms = 2 if new else 1
        if member is not None and member.value.value is not None:
            stated = taking.count(member)
            if stated is not None and stated > 2:
                taking.refuse(member, "a layer has one norm or two")
            norms = stated or norms
        if not parallel:
            because = "attention and MLP follow each other, each behind a norm"
            norms = 2
        else:
            because = f"attention and MLP stand side by side, behind {norms}"
        taking.figures["layer_norms"] = Figure(
            "layer_norms", norms, Origin.FAMILY, (), f"{because} (see `parallel_attn`)"
        )


FALCON = Family(
    ("falcon",),
    ("FalconForCausalLM",),
    (
        Count("layers", ("num_hidden_layers", "n_layer")),
        Count("d_model", ("hidden_size",)),
        Count("heads", (HEADS, "n_head")),
        _CacheHeads(),
        Follows("d_head", quotient("d_model", "heads", ("hidden_size", HEADS))),
        Grouped(),
        Count("d_ff", ("ffn_hidden_size",), times(4, "d_model", "hidden_size")),
        Count("vocab", ("vocab_size",)),
        tied(True),
        _Norms(),
        *PLAIN,
        *CENTRED,
        *flags("bias", "qkv_bias out_bias mlp_bias", False),
    ),
    harmless={
        "alibi": "how positions are encoded, without weights",
        "apply_residual_connection_post_layernorm": "the order of additions, without weights",
    },
)

FAMILIES = (FALCON,)
