"""How the numbers of a checkpoint are stored: its type, and what a quantization section says."""

from __future__ import annotations

from collections.abc import Mapping

from costlang.importing.description import Figure, Interface, Origin
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


def take_formats(taking: Taking) -> tuple[Interface, ...]:
    """Take the format of the weights, and return the formats that the spec has to import."""
    stored = _stored(taking)
    if taking.says("quantization_config"):
        member = taking.member("quantization_config")
        assert member is not None
        taking.refuse(member, "the library has no format for it yet")
        return ()
    if stored is None:
        return ()
    taking.figures["weights"] = stored
    return (Interface(FORMATS, str(stored.value)),)


def _stored(taking: Taking) -> Figure | None:
    member = taking.member("torch_dtype", "dtype")
    if member is None or member.value.value in (None, "auto"):
        silent = "`torch_dtype` is absent" if member is None else f"`{member.name}` does not say it"
        because = f"{silent}, so as the library has it"
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
