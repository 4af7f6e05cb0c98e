"""Rules that many families share: the sizes of a decoder, under the names that are usual."""

from __future__ import annotations

from costlang.importing.description import Interface, Value
from costlang.importing.rules import (
    Always,
    Count,
    Default,
    Flag,
    Follows,
    Grouped,
    Matches,
    Only,
    Rule,
    of_class,
    quotient,
    same_as,
)
from costlang.importing.taking import Taking

HEADS = "num_attention_heads"
SAME: Default = same_as("heads", HEADS)
DERIVED_HEAD: Default = quotient("d_model", "heads", ("hidden_size", HEADS))


def sizes(
    kv_default: Default | None = SAME,
    head_default: Default = DERIVED_HEAD,
    head_if_null: Default | None = None,
    *,
    kv_if_null: Default = SAME,
    own_head: bool = True,
    mlp: str | None = "intermediate_size",
) -> tuple[Rule, ...]:
    """
    Return the rules of the sizes of a decoder.

    Null for the cache heads means as many as query heads, plain multi-head attention, unless
    *kv_if_null* says otherwise. A stated width of a head wins over any that is derived. *mlp* is
    the field of the width of an MLP, where layers have one. Without an *own_head* the class of the
    family does not read that width, and splits the hidden size.
    """
    return (
        Count("layers", ("num_hidden_layers",)),
        Count("d_model", ("hidden_size",)),
        Count("heads", (HEADS,)),
        Count("kv_heads", ("num_key_value_heads",), kv_default, kv_if_null),
        *(_own_head(head_default, head_if_null) if own_head else _SPLIT),
        Grouped(),
        *([Count("d_ff", (mlp,))] if mlp is not None else []),
        Count("vocab", ("vocab_size",)),
    )


def _own_head(default: Default, if_null: Default | None) -> tuple[Rule, ...]:
    return (Count("d_head", ("head_dim",), default, if_null),)


_SPLIT: tuple[Rule, ...] = (
    Follows("d_head", DERIVED_HEAD),
    Matches("head_dim", "d_head", "a width of a head that transformers does not read"),
)


def plain_sizes() -> tuple[Rule, ...]:
    """Return the rules of a family without shared cache heads, whose heads split the width."""
    return (
        Count("layers", ("num_hidden_layers",)),
        Count("d_model", ("hidden_size",)),
        Count("heads", (HEADS,)),
        Follows("kv_heads", SAME),
        Follows("d_head", DERIVED_HEAD),
        Count("d_ff", ("intermediate_size",)),
        Count("vocab", ("vocab_size",)),
    )


def tied(default: bool) -> Rule:
    """Return the rule of the last matrix, which is the table of the look-up or one of its own."""
    return Flag("tied", ("tie_word_embeddings",), of_class(default))


def flags(names: str, parameters: str, default: bool) -> tuple[Rule, ...]:
    """Return the rules of one truth that several *parameters* take."""
    return tuple(Flag(parameter, (names,), of_class(default)) for parameter in parameters.split())


def always(because: str, **values: Value) -> tuple[Rule, ...]:
    """Return a rule for each parameter that the family has always so."""
    return tuple(Always(parameter, value, because) for parameter, value in values.items())


def never(because: str, *names: str) -> tuple[Rule, ...]:
    """Return a rule for each field that is understood only while it is false."""
    return tuple(Only(name, (False,), because) for name in names)


def fitting(taking: Taking) -> Interface:
    """Return the narrowest interface of the library that has all figures that were taken."""
    for sign, name in (("kv_rank", "latent"), ("experts", "moe"), ("window", "windowed")):
        if sign in taking.figures:
            return Interface("std.stack", name)
    return Interface("std.decoder", "dense")
