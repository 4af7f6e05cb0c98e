"""Which figures tell one thing from the next: expressions in the language, by what it is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """
    A figure that a listing and a card show.

    *key* is how programs call it and *title* how a reader does; *ways* are expressions about the
    thing, of which the first that has a value counts; *unit* is that of its column, empty for a
    count and None for what is no number.
    """

    key: str
    title: str
    ways: tuple[str, ...]
    unit: str | None = None

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers, which stand right in a column."""
        return self.unit is not None


KV_A_TOKEN = ("total(slot)", "total(cache_held) / 1 tok")
"""What one more token takes; where operators do not say it, what the first one takes."""

MODEL = (
    Figure("params", "parameters", ("total(params)",), "G"),
    Figure("active_params", "active", ("total(active)",), "G"),
    Figure("layers", "layers", ("layers",), ""),
    Figure("kv_bytes_per_token", "KV a token", KV_A_TOKEN, "KiB/tok"),
    Figure("weight_bytes", "weights", ("total(weights_held)",), "GB"),
    Figure("weight_format", "in", ("weights",)),
)

HARDWARE = (
    Figure("peak_16_bit", "16 bit", ("peak[bf16]", "peak[fp16]"), "TFLOP/s"),
    Figure("peak_fp8", "fp8", ("peak[fp8]",), "TFLOP/s"),
    Figure("hbm_capacity", "memory", ("hbm_capacity",), "GB"),
    Figure("hbm_bandwidth", "bandwidth", ("hbm_bandwidth",), "GB/s"),
    Figure("link_bandwidth", "link", ("link_bandwidth",), "GB/s"),
    Figure("power", "power", ("power",), "W"),
    Figure("ridge_point", "ridge", ("ridge_point(bf16)", "ridge_point(fp16)"), "FLOP/B"),
)

FIGURES: Mapping[str, tuple[Figure, ...]] = {"model": MODEL, "hardware": HARDWARE}
"""By the word with which a thing is declared; what has none is told by its arguments."""
