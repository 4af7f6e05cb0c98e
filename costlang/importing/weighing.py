"""The model that was written, held against the headers of its weights."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from costlang.answer.parts import Piece
from costlang.face import SpecError, loads
from costlang.importing.description import Description
from costlang.importing.headers import Tensor, Weights
from costlang.importing.parts import OTHERS, SCALES, apart, kind, part_of, part_of_term
from costlang.importing.writing import Wording, measured

QUESTIONS = {
    "params": "breakdown total(params)",
    "weight_bytes": "total(weights_held)",
    "cache_bytes": "total(cache_held)",
}


@dataclass(frozen=True)
class Totals:
    """
    What the written model adds up to on one chip.

    Its parameters, and those of each part; the bytes of its weights, and the cache of the first
    token of one sequence.
    """

    params: int
    weight_bytes: Fraction
    cache_bytes: Fraction
    parts: Mapping[str, int]


def totals(description: Description, wording: Wording) -> Totals | SpecError:
    """Return what the written model adds up to, by the pipeline that runs every spec."""
    try:
        spec = loads(measured(description, wording, QUESTIONS), "imported.cost")
        scenario = spec.scenario(f"asked_of_{wording.name}")
        answers = {key: scenario.ask(f"{key}_of_{wording.name}")[0] for key in QUESTIONS}
    except SpecError as error:
        return error
    values = {key: answer.value for key, answer in answers.items()}
    exact = {name: value for name, value in values.items() if isinstance(value, Fraction | int)}
    params = Fraction(exact["params"])
    assert params.denominator == 1
    breakdown = answers["params"].breakdown
    parts = _by_part(breakdown.whole) if breakdown is not None else {}
    return Totals(
        int(params), Fraction(exact["weight_bytes"]), Fraction(exact["cache_bytes"]), parts
    )


def _by_part(whole: Piece) -> Mapping[str, int]:
    found: dict[str, int] = defaultdict(int)
    for part, value in _parts(whole):
        found[part] += value
    return found


def _parts(piece: Piece) -> Iterator[tuple[str, int]]:
    """Yield the parts of a model that are known by the label of *piece*, or of a piece in it."""
    part = part_of_term(piece.label)
    if part is None and piece.parts:
        for inner in piece.parts:
            yield from _parts(inner)
    else:
        yield part or OTHERS, int(piece.value)


# ---- the two beside each other


@dataclass(frozen=True)
class Held:
    """So many tensors of one type, or of one kind, with what they hold."""

    name: str
    tensors: int
    numbers: int
    bytes: int


@dataclass(frozen=True)
class Differing:
    """A part with *wanted* numbers in the model and others in the files, in *kinds* of tensors."""

    part: str
    wanted: int
    numbers: int
    kinds: tuple[Held, ...]


@dataclass(frozen=True)
class Comparison:
    """
    The sizes of a model beside those of its weights.

    *held* is what the files have, by type; *apart* is that part of it which is known to be none of
    the model, as a spec leaves it out or since it is no parameter, each with the reason. *scales*
    are numbers of a format. *packed* is whether the files hold several weights in a number, so that
    numbers tell nothing and bytes alone are compared; where they tell something, *differing* has
    the parts that differ.
    """

    held: tuple[Held, ...]
    totals: Totals
    packed: bool
    apart: tuple[Held, ...] = ()
    scales: int = 0
    differing: tuple[Differing, ...] = ()

    @property
    def numbers(self) -> int:
        """All numbers in the files that are weights of the model."""
        return sum(h.numbers for h in self.held) - sum(h.numbers for h in self.apart) - self.scales

    @property
    def bytes(self) -> int:
        """All bytes in the files that are those of the model, scales and all."""
        return sum(held.bytes for held in self.held) - sum(held.bytes for held in self.apart)

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

    @property
    def is_near(self) -> bool:
        """
        Whether only bytes differ, of a format with scales, by no more than a hundredth.

        A matrix whose side no group divides has a group more than its numbers.
        """
        formatted = self.packed or self.scales > 0
        few = abs(self.more_bytes) * 100 <= self.totals.weight_bytes
        return formatted and few and self.more_numbers == 0


def compare(description: Description, found: Totals, weights: Weights) -> Comparison:
    """Return the sizes of *weights* beside those that the model adds up to."""
    why = {
        tensor.name: apart(tensor.name, description.layers, description.left_out)
        for tensor in weights.tensors
    }
    own = [tensor for tensor in weights.tensors if why[tensor.name] is None]
    scales = [tensor for tensor in own if SCALES.search(tensor.name)]
    others = [tensor for tensor in own if not SCALES.search(tensor.name)]
    packed = any(_PACKED.search(tensor.name) for tensor in own)
    agree = packed or sum(tensor.numbers for tensor in others) == found.params
    return Comparison(
        _groups((tensor.dtype, tensor) for tensor in weights.tensors),
        found,
        packed,
        _groups((words, t) for t in weights.tensors if (words := why[t.name]) is not None),
        sum(tensor.numbers for tensor in scales),
        () if agree else tuple(_differing(found, others)),
    )


_PACKED = re.compile(r"\.(qweight|qzeros|weight_packed|absmax|quant_map|.*_blocks|weight_scale_2)$")


def _groups(named: Iterable[tuple[str, Tensor]]) -> tuple[Held, ...]:
    found: dict[str, list[Tensor]] = defaultdict(list)
    for name, tensor in named:
        found[name].append(tensor)
    return tuple(
        Held(name, len(group), sum(t.numbers for t in group), sum(t.bytes for t in group))
        for name, group in sorted(found.items())
    )


def _differing(found: Totals, tensors: list[Tensor]) -> Iterator[Differing]:
    """Yield the parts of the model that have other numbers in the files."""
    by_part: dict[str, list[Tensor]] = defaultdict(list)
    for tensor in tensors:
        by_part[part_of(tensor.name)].append(tensor)
    for part in dict.fromkeys([*found.parts, *by_part]):
        wanted, group = found.parts.get(part, 0), by_part.get(part, [])
        numbers = sum(tensor.numbers for tensor in group)
        if numbers != wanted:
            yield Differing(part, wanted, numbers, _groups((_of_kind(t), t) for t in group))


def _of_kind(tensor: Tensor) -> str:
    shape = ", ".join(str(side) for side in tensor.shape)
    return f"{kind(tensor.name)} [{shape}]"
