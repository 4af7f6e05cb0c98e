"""The headers of safetensors files: what each tensor is called, its type, its shape; no weights."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

from costlang.text import Diagnostic, Label, Source, Span

MOST_HEADER = 16 * 1024 * 1024
"""Bytes of one header; the largest published model has a fiftieth of it in each file."""
MOST_TENSORS = 400_000
"""Tensors of a folder."""
LARGEST = 10**15

BITS = {
    **dict.fromkeys(["F64", "I64", "U64", "C64"], 64),
    **dict.fromkeys(["F32", "I32", "U32"], 32),
    **dict.fromkeys(["F16", "BF16", "I16", "U16"], 16),
    **dict.fromkeys(["F8_E4M3", "F8_E5M2", "F8_E8M0", "I8", "U8", "BOOL"], 8),
    **dict.fromkeys(["F8_E4M3FNUZ", "F8_E5M2FNUZ"], 8),
    **dict.fromkeys(["F6_E2M3", "F6_E3M2"], 6),
    "F4": 4,
}
"""Bits of a number of each type that the format knows."""


@dataclass(frozen=True)
class Tensor:
    """A tensor of a file: how many *numbers* of which type, and in how many *bytes*."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    bytes: int

    @property
    def numbers(self) -> int:
        """How many numbers it holds; a packed one holds several weights in each."""
        return prod(self.shape)


@dataclass(frozen=True)
class Weights:
    """The tensors of a model, and the files whose weights are not all there, as in a download."""

    tensors: tuple[Tensor, ...]
    cut_short: tuple[str, ...] = ()


class HeaderFault(Exception):
    """Why the header of a file cannot be used."""


def read_headers(paths: tuple[Path, ...], index: Path | None) -> Weights | Diagnostic:
    """Return the tensors of all *paths*; a file that the *index* names and is not there is told."""
    found: dict[str, Tensor] = {}
    cut: list[str] = []
    for path in paths:
        try:
            tensors, whole = _tensors(path)
            cut.extend([] if whole else [path.name])
            for tensor in tensors:
                if tensor.name in found:
                    raise HeaderFault(f"`{tensor.name}` lies in two files")
                found[tensor.name] = tensor
                if len(found) > MOST_TENSORS:
                    raise HeaderFault(f"more than {MOST_TENSORS:,} tensors")
        except (HeaderFault, OSError) as fault:
            return _broken(path, getattr(fault, "strerror", None) or str(fault))
    if index is not None:
        try:
            _ensure_complete(index, {path.name for path in paths})
        except (HeaderFault, OSError) as fault:
            return _broken(index, getattr(fault, "strerror", None) or str(fault))
    return Weights(tuple(found.values()), tuple(cut))


def _broken(path: Path, why: str) -> Diagnostic:
    place = Span(Source(str(path), ""), 0, 0)
    return Diagnostic("broken-weights", f"`{path.name}` cannot be used", Label(place, why))


def _tensors(path: Path) -> tuple[tuple[Tensor, ...], bool]:
    """Return the tensors of a file, and whether their weights are all in it."""
    with path.open("rb") as stream:
        data = _header(stream)
        size = os.fstat(stream.fileno()).st_size
    entries = _object(data)
    entries.pop("__metadata__", None)
    found = [_tensor(name, entry) for name, entry in entries.items()]
    last = _ensure_side_by_side(sorted((end - tensor.bytes, end) for tensor, end in found))
    if size > 8 + len(data) + last:
        raise HeaderFault("it has more bytes than its header says")
    return tuple(tensor for tensor, _ in found), size == 8 + len(data) + last


def _header(stream: BinaryIO) -> bytes:
    start = stream.read(8)
    size = int.from_bytes(start, "little")
    if len(start) < 8 or size < 2:
        raise HeaderFault("it is too short to have a header")
    if size > MOST_HEADER:
        raise HeaderFault(f"its header would have {size:,} bytes; {MOST_HEADER:,} are read at most")
    data = stream.read(size)
    if len(data) < size:
        raise HeaderFault(f"its header ends after {len(data):,} of {size:,} bytes")
    return data


def _object(data: bytes) -> dict[str, Any]:
    """Return the object that *data* writes; no name may stand in it twice."""
    try:
        found = json.loads(data, object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise HeaderFault("its header is no JSON") from error
    if not isinstance(found, dict):
        raise HeaderFault("its header is no object")
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise HeaderFault("a name stands twice in its header")
    return found


def _no_number(word: str) -> Any:
    raise HeaderFault(f"its header has the word {word}")


def _tensor(name: str, entry: Any) -> tuple[Tensor, int]:
    match entry:
        case {"dtype": str(dtype), "shape": list(shape), "data_offsets": [start, end]}:
            sizes = (*shape, start, end)
            if all(type(n) is int and 0 <= n <= LARGEST for n in sizes) and start <= end:
                return _measured(Tensor(name, dtype, tuple(shape), end - start)), end
    raise HeaderFault(f"the entry of `{name}` is not what the format asks for")


def _measured(tensor: Tensor) -> Tensor:
    bits = BITS.get(tensor.dtype)
    if bits is None:
        raise HeaderFault(f"`{tensor.name}` has the type {tensor.dtype}, which is not known")
    if len(tensor.shape) > 16 or tensor.numbers * bits != tensor.bytes * 8:
        raise HeaderFault(f"`{tensor.name}` has another size than its shape")
    return tensor


def _ensure_side_by_side(stretches: list[tuple[int, int]]) -> int:
    """Return where the last of *stretches* ends; they follow each other without a gap."""
    at = 0
    for start, end in stretches:
        if start != at:
            raise HeaderFault("its tensors overlap, or have a gap between them")
        at = end
    return at


def _ensure_complete(index: Path, names: set[str]) -> None:
    with index.open("rb") as stream:
        data = stream.read(MOST_HEADER + 1)
    if len(data) > MOST_HEADER:
        raise HeaderFault("it is too large for an index")
    files = _object(data).get("weight_map")
    if not isinstance(files, dict):
        raise HeaderFault("it has no `weight_map`")
    absent = sorted({str(file) for file in files.values()} - names)
    if absent:
        rest = f" and {len(absent) - 1} more" if len(absent) > 1 else ""
        raise HeaderFault(f"the file `{absent[0]}`{rest} is not there, so sizes cannot be compared")
