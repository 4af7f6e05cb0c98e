"""The model that was written, held against the headers of its weights."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from costlang.face import SpecError, loads
from costlang.importing.description import Description
from costlang.importing.headers import BITS, Tensor, Weights
from costlang.importing.writing import Wording, measured

QUESTIONS = {
    "params": "total(params)",
    "weight_bytes": "total(weights_held)",
    "cache_bytes": "total(cache_held)",
}


@dataclass(frozen=True)
class Totals:
    """
    What the written model adds up to on one chip.

    Its parameters, the bytes of its weights, and the cache of the first token of one sequence.
    """

    params: int
    weight_bytes: Fraction
    cache_bytes: Fraction


@dataclass(frozen=True)
class Held:
    """What the headers hold of one type."""

    dtype: str
    tensors: int
    numbers: int
    bytes: int


@dataclass(frozen=True)
class Cause:
    """What likely makes a difference: some tensors, and how many numbers they have."""

    words: str
    numbers: int
    bytes: int


@dataclass(frozen=True)
class Comparison:
    """
    The sizes of a model beside those of its weights.

    *packed* is whether the files hold several weights in a number, so that numbers tell nothing and
    bytes alone are compared. *causes* explain a difference as far as names of tensors can.
    """

    held: tuple[Held, ...]
    totals: Totals
    packed: bool
    causes: tuple[Cause, ...]

    @property
    def numbers(self) -> int:
        """All numbers in the files."""
        return sum(held.numbers for held in self.held)

    @property
    def bytes(self) -> int:
        """All bytes of weights in the files."""
        return sum(held.bytes for held in self.held)

    @property
    def more_numbers(self) -> int:
        """How many numbers the files have more than the model, below zero for fewer."""
        return 0 if self.packed else self.numbers - self.totals.params

    @property
    def more_bytes(self) -> Fraction:
        """How many bytes the files have more than the model."""
        return self.bytes - self.totals.weight_bytes

    @property
    def agrees(self) -> bool:
        """Whether the files and the model have the same size, to the byte."""
        return self.more_numbers == 0 and self.more_bytes == 0


def totals(description: Description, wording: Wording) -> Totals | SpecError:
    """Return what the written model adds up to, by the pipeline that runs every spec."""
    try:
        spec = loads(measured(description, wording, QUESTIONS), "imported.cost")
        scenario = spec.scenario(f"asked_of_{wording.name}")
        values = {key: scenario.ask(f"{key}_of_{wording.name}")[0].value for key in QUESTIONS}
    except SpecError as error:
        return error
    exact = {name: value for name, value in values.items() if isinstance(value, Fraction | int)}
    params = Fraction(exact["params"])
    assert params.denominator == 1
    return Totals(int(params), Fraction(exact["weight_bytes"]), Fraction(exact["cache_bytes"]))


def compare(description: Description, found: Totals, weights: Weights) -> Comparison:
    """Return the sizes of *weights* beside those that the model adds up to."""
    by_type: dict[str, list[Tensor]] = defaultdict(list)
    for tensor in weights.tensors:
        by_type[tensor.dtype].append(tensor)
    held = tuple(
        Held(dtype, len(group), sum(t.numbers for t in group), sum(t.bytes for t in group))
        for dtype, group in sorted(by_type.items())
    )
    packed = _is_packed(weights.tensors)
    return Comparison(held, found, packed, tuple(_causes(description, weights.tensors, by_type)))


def _is_packed(tensors: tuple[Tensor, ...]) -> bool:
    return any(_PACKED.search(tensor.name) for tensor in tensors)


_PACKED = re.compile(
    r"\.(qweight|qzeros|weight_packed|absmax|quant_map|.*_blocks|.*_scales|weight_scale_2)$"
)

_NAMED: Mapping[str, re.Pattern[str]] = {
    "frequencies of the rotary embedding, which are no parameters": re.compile(r"inv_freq$"),
    "masks of the attention, which are no parameters": re.compile(
        r"(^|\.)attn\.(masked_)?bias$|attention\.(masked_)?bias$"
    ),
    "corrections of the router, which are no parameters": re.compile(r"e_score_correction_bias$"),
    "scales of the quantization": re.compile(
        r"(_scale|_scale_inv|scale_2|scales|qzeros|g_idx|absmax|quant_map|_zero_point)$"
    ),
    "parts for images or sound, which are left out": re.compile(
        r"(^|\.)(vision\w*|visual|multi_modal_projector|audio\w*|embed_vision)\."
    ),
}
"""What tensors are whose names end or begin so."""


def _causes(
    description: Description, tensors: tuple[Tensor, ...], by_type: Mapping[str, list[Tensor]]
) -> Iterator[Cause]:
    rest = list(tensors)
    for words, name in _NAMED.items():
        some = [tensor for tensor in rest if name.search(tensor.name)]
        rest = [tensor for tensor in rest if not name.search(tensor.name)]
        yield from _cause(words, some)
    yield from _last_matrix(description, rest)
    yield from _layers(description, rest)
    yield from _types(description, by_type)


def _cause(words: str, tensors: list[Tensor]) -> Iterator[Cause]:
    if tensors:
        yield Cause(words, sum(t.numbers for t in tensors), sum(t.bytes for t in tensors))


def _last_matrix(description: Description, tensors: list[Tensor]) -> Iterator[Cause]:
    heads = [t for t in tensors if re.search(r"(^|\.)(lm_head|embed_out)\.weight$", t.name)]
    tied = description.value("tied")
    if tied and heads:
        yield from _cause("the last matrix, stored although it is the table of the look-up", heads)
    if tied is False and not heads:
        size = _product(description, "vocab", "d_model")
        yield Cause("no `lm_head.weight` is stored: the last matrix may be tied", -size, 0)


def _product(description: Description, *names: str) -> int:
    product = 1
    for name in names:
        value = description.value(name)
        product *= value if isinstance(value, int) else 0
    return product


def _layers(description: Description, tensors: list[Tensor]) -> Iterator[Cause]:
    """Yield the layers that are stored beyond those of the model, or that are not stored."""
    wanted = description.layers
    by_layer: dict[int, list[Tensor]] = defaultdict(list)
    for tensor in tensors:
        if found := re.search(r"(?:^|\.)(?:layers|h|blocks)\.([0-9]{1,6})\.", tensor.name):
            by_layer[int(found[1])].append(tensor)
    beyond = [tensor for at, group in by_layer.items() if at >= wanted for tensor in group]
    yield from _cause(f"layers beyond the {wanted} of the model", beyond)
    absent = wanted - len([at for at in by_layer if at < wanted])
    if by_layer and absent:
        yield Cause(f"{absent} of {wanted} layers are not stored", 0, 0)


def _types(description: Description, by_type: Mapping[str, list[Tensor]]) -> Iterator[Cause]:
    """Yield the type that most numbers have, where the format of the weights is another."""
    stored = {"fp32": "F32", "bf16": "BF16", "fp16": "F16"}.get(str(description.value("weights")))
    most = max(by_type, key=lambda dtype: sum(t.bytes for t in by_type[dtype]), default=stored)
    if stored and most and most != stored:
        words = f"most weights are stored as {most}, {BITS[most]} bits each, and not as {stored}"
        yield Cause(words, 0, sum(t.bytes for t in by_type[most]))
