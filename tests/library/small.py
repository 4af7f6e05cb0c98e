"""A small library of invented things, which stands in the place of the shipped one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from costlang.loader import library, library_index

STD = """cost 1

resource params : count
resource active : count = params
resource weights_held : [B]
resource slot : [B/tok]

enum arithmetic { bf16, fp16, fp8 }

interface format {
  param width : [B]
}

record two is format {
  width = 2 B    source "two bytes"
}

op linear(inputs: count, outputs: count, given weights: format) {
  let params       = inputs * outputs
  let weights_held = params * weights.width
}

## Of `n` matrices, `used` meet a token. The rest wait.
op experts(n: count, used: count, size: count, given weights: format) {
  let params       = n * size
  let active       = used * size
  let weights_held = params * weights.width
}

op attend(heads: count) {
  let slot = heads * 4 B/tok
}

## Layers of experts.
interface sparse {
  param layers as L : count
  param width as d : count
  param weights : format = two
  ## A block of the cache.
  param block : [tok]
  param blocks : count
  let room = block * blocks

  term embedding = linear(1000, width)
  repeat layers {
    term attention = attend(1024)
    term mlp       = experts(8, 2, width * width)
  }
}

interface chip {
  table peak : arithmetic -> [FLOP/s]
  param hbm_bandwidth : [B/s]
  param power : [W]
  let ridge_point(a: arithmetic) = peak[a] / hbm_bandwidth
}

## One pass.
phase pass(model: sparse, hardware: chip) {
  ## How often.
  param times : count = 1
  model.layers = 2
  let bytes = model.total(weights_held) * times
  ## Until it is done.
  let latency as t = bytes / hardware.hbm_bandwidth
  require some: bytes > 0
  law longer: latency increasing in times
}

phase twice is pass {
  override let latency = 2 * latency
}
"""
MODELS = """cost 1
import std.all (sparse)
import std.all (params)

## A model of two layers. It is small.
model tiny is sparse {
  layers = 2          source "its paper"
  width  = 10_000     source "unverified: a talk"
  blocks = 5 * 2      source "its paper"

  check size: total(params) == 1_610_000_000    source "counted by hand"
}

model tiny_wide is tiny {
  width = 30_000    source "its paper"
}
"""
CHIPS = """cost 1
import std.all (chip, arithmetic)

hardware fast is chip {
  peak[fp16]    = 100 TFLOP/s    source "its data sheet"
  hbm_bandwidth = 1 TB/s         source "unverified: a slide"
}

## A chip with a note.
hardware slow is chip {
  peak[bf16]    = 10 TFLOP/s     source "its data sheet"
  peak[fp8]     = 20 TFLOP/s     source "its data sheet"
  hbm_bandwidth = 250 GB/s       source "its data sheet"
  power         = 75 W           source "its data sheet"
}
"""


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Put the small library in the place of the shipped one."""
    with small_library(tmp_path, monkeypatch) as specs:
        yield specs


@contextmanager
def small_library(top: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    specs = top / "package" / "specs"
    for name, text in (("std/all", STD), ("models/tiny", MODELS), ("hardware/made_up", CHIPS)):
        path = specs / f"{name}.cost"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setattr("costlang.loader.shipped.PACKAGE", specs.parent)
    library.cache_clear()
    library_index.cache_clear()
    yield specs
    library.cache_clear()
    library_index.cache_clear()
