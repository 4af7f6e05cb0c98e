"""The message that weights have another size than the model: which parts, and which tensors."""

from __future__ import annotations

from collections.abc import Iterator

from costlang.importing.weighing import Comparison, Differing
from costlang.text import Diagnostic, Label, Severity, Span

MOST_KINDS = 8
"""Kinds of tensors that are listed of one part."""


def title(comparison: Comparison) -> str:
    """Return in a few words by how much the weights differ."""
    numbers, size = comparison.more_numbers, comparison.more_bytes
    if numbers:
        word = "more" if numbers > 0 else "fewer"
        return f"{abs(numbers):,} numbers {word} ({comparison.numbers:,} are stored)"
    word = "more" if size > 0 else "fewer"
    return f"{_bytes(abs(size))} {word} ({comparison.bytes:,} B are stored)"


def difference(place: Span, comparison: Comparison, likely: tuple[str, ...]) -> Diagnostic:
    """Return the message of the configuration at *place*, with what *likely* is the cause."""
    counted = comparison.totals
    label = f"the model has {_amount(counted.params)}, {_bytes(counted.weight_bytes)}"
    lines = [*_types(comparison), *_parts(comparison), *(f"likely: {words}" for words in likely)]
    return Diagnostic(
        "size-differs",
        f"the weights have another size than the model: {title(comparison)}",
        Label(place, label),
        notes=("\n".join(lines),),
        severity=Severity.WARNING if comparison.is_near else Severity.ERROR,
    )


def _types(comparison: Comparison) -> Iterator[str]:
    for held in comparison.held:
        yield f"{held.name}: {held.tensors:,} tensors, {_amount(held.numbers)}, {held.bytes:,} B"
    for held in comparison.apart:
        yield f"not compared: {_amount(held.numbers)}, {held.name}"
    if comparison.is_near:
        yield "a spec counts scales by the number of weights, and a file by whole groups"


def _parts(comparison: Comparison) -> Iterator[str]:
    """Yield each part that differs, with its tensors: those of one kind and shape on one line."""
    for part in comparison.differing:
        yield f"{part.part}: {_amount(part.wanted)} in the model, {part.numbers:,} stored"
        yield from (f"  {line}" for line in _kinds(part))


def _kinds(part: Differing) -> Iterator[str]:
    shown = part.kinds[:MOST_KINDS]
    for held in shown:
        yield held.name + (f", {held.tensors:,} times" if held.tensors > 1 else "")
    if rest := len(part.kinds) - len(shown):
        yield f"and {rest:,} more kinds of tensors"


def _bytes(size: object) -> str:
    return f"{float(size):,.0f} B"  # type: ignore[arg-type]


def _amount(count: int) -> str:
    return f"{count:,} numbers"
