"""Why weights likely have another size than the model, by the names and types of tensors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from costlang.importing.description import Description
from costlang.importing.headers import BITS, Tensor, Weights
from costlang.importing.parts import LAYER, part_of, shows_pictures
from costlang.importing.weighing import Comparison


def causes(description: Description, weights: Weights, comparison: Comparison) -> tuple[str, ...]:
    """Return in sentences what likely makes the difference; nothing where all agrees."""
    if comparison.agrees or comparison.is_near:
        return ()
    tensors = weights.tensors
    found = [*_last_matrix(description, tensors), *_layers(description, tensors)]
    if any(shows_pictures(tensor.name) for tensor in tensors):
        found.append("the files have a part for images or sound, of which the spec has nothing")
    return (*found, *_types(description, comparison))


def _last_matrix(description: Description, tensors: tuple[Tensor, ...]) -> Iterator[str]:
    heads = [t for t in tensors if part_of(t.name) == "last matrix" and len(t.shape) > 1]
    tied = description.value("tied")
    if tied and heads:
        yield (
            f"`{heads[0].name}` is stored, although the configuration ties the last matrix to the "
            "table of tokens"
        )
    if tied is False and not heads:
        yield "no last matrix is stored: it may be tied to the table of tokens"


def _layers(description: Description, tensors: tuple[Tensor, ...]) -> Iterator[str]:
    """Yield whether layers are stored beyond those of the model, or are not stored."""
    wanted = description.layers
    numbers: dict[int, int] = defaultdict(int)
    for tensor in tensors:
        if found := LAYER.search(tensor.name):
            numbers[int(found[1])] += tensor.numbers
    beyond = [at for at in numbers if at >= wanted]
    if beyond:
        many = sum(numbers[at] for at in beyond)
        yield f"layers beyond the {wanted} of the model are stored, with {many:,} numbers"
    absent = wanted - (len(numbers) - len(beyond))
    if numbers and absent:
        yield f"{absent} of {wanted} layers are not stored"


def _types(description: Description, comparison: Comparison) -> Iterator[str]:
    """Yield the type that most bytes have, where the format of the weights is another."""
    stored = {"fp32": "F32", "bf16": "BF16", "fp16": "F16"}.get(str(description.value("weights")))
    most = max(comparison.held, key=lambda held: held.bytes, default=None)
    if stored and most is not None and most.name != stored:
        yield f"most weights are stored as {most.name}, {BITS[most.name]} bits each, not {stored}"
