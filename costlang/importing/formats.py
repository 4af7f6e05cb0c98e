"""How the numbers of a checkpoint are stored: its type, and what a quantization section says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from costlang.importing.description import Figure, Interface, Origin
from costlang.importing.quantization import Stored, stored_as
from costlang.importing.taking import Taking, kind_of, wrong

FORMATS = "std.format"

TYPES: Mapping[str, str] = {
    "float32": "fp32",
    "float": "fp32",
    "bfloat16": "bf16",
    "float16": "fp16",
    "half": "fp16",
}
"""Types of PyTorch, and the formats of the library that store the same."""


def take_formats(taking: Taking, kept: frozenset[str] = frozenset()) -> tuple[Interface, ...]:
    """
    Take the formats of the weights, and return the records that the spec has to import.

    *kept* are kinds of matrices that no quantization section changes.
    """
    stored = _stored(taking)
    packed = stored_as(taking, kept) if taking.says("quantization_config") else None
    if stored is None or taking.faults:
        return ()
    plain = Interface(FORMATS, str(stored.value))
    if packed is None:
        taking.figures["weights"] = stored
        return (plain,)
    if packed.experts_only:
        taking.figures["weights"] = stored
        _noted(taking, "expert_weights", packed.form.name, packed.because)
        return (plain, packed.form)
    _noted(taking, "weights", packed.form.name, packed.because)
    for parameter in _kept_parameters(taking, packed):
        taking.figures[parameter] = replace(stored, parameter=parameter)
    return (plain, packed.form)


def _noted(taking: Taking, parameter: str, name: str, because: str) -> None:
    fields = ("quantization_config",)
    taking.figures[parameter] = Figure(parameter, name, Origin.FIELD, fields, because)


def _kept_parameters(taking: Taking, packed: Stored) -> Iterator[str]:
    """Yield the groups of numbers that keep the type of the model."""
    yield "vector_weights"
    yield "embedding_weights"
    yield "head_weights"
    if "experts" in taking.figures and "router" in packed.kept:
        yield "router_weights"


def _stored(taking: Taking) -> Figure | None:
    member = taking.member("torch_dtype", "dtype")
    if member is None or member.value.value in (None, "auto"):
        silent = "`torch_dtype` is absent" if member is None else f"`{member.name}` does not say it"
        because = f"{silent}, so bf16, as the library has it"
        return Figure("weights", "bf16", Origin.DEFAULT, ("torch_dtype",), because)
    text = member.value.value
    if not isinstance(text, str):
        taking.faults.append(wrong(member, "is the name of a type", kind_of(member.value)))
        return None
    name = TYPES.get(text.removeprefix("torch."))
    if name is None:
        taking.refuse(member, f"the library has no format for `{text}`")
        return None
    return Figure("weights", name, Origin.FIELD, (member.name,))
