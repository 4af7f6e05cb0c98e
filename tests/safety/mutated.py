"""Shipped specs with something wrong in them: tokens deleted, swapped, doubled, replaced."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

from tests.safety.grown import LARGE, ODD_NAMES, WRONG, grown

SPECS = Path(__file__).parents[2] / "specs"
_TOKEN = re.compile(r'"[^"\n]*"|#[^\n]*|\d[\d_.]*|\w+|\s+|[<>=!]=|\.\.|->|.')
NOISE = (
    *("\0", "\x1b[31m", "\u202e", "\ud800", "\u200b", "\ufdfa", "\u2028", "\x9b", "\t", "\r"),
    *('"', "{", "(" * 120, "²", "×"),
)
"""NUL, a colour, a turn of the direction, half a character, signs without width, open brackets."""
UNITS = ("GB", "GiB", "KB", "s", "ms", "tok", "TFLOP/s", "$/h", "B/tok", "%", "Ki", "FLOP/tok^2")
COMMON = """cost 1
import std.phases (decode)
import std.ops (params, weights_held)
import std.format (fp8)
import hardware.nvidia (H100_SXM)
import models.llama (llama_2_70b)
scenario asked {
  use d = decode(llama_2_70b, H100_SXM, batch = 4)
  d.context = 2000
"""
ASKED = """
  query q0: latency show ms
  query q1: breakdown latency at batch = 32
  query q2: sweep rate, token_price over batch in 1..8 at price = 4 .. 8 $/h
  query q3: d.model.total(params)
  query q4: intensity at weights = fp8, kv = fp8
  query q5: solve t_compute == t_memory for batch
  query q6: rate >= 24 tok/s within 1 %
  query q7: largest batch with resident <= hbm_capacity
  query q8: d.model.layers.attention.weights_held
  check fits: resident <= hbm_capacity
""".strip("\n").splitlines()


def common(rng: Random) -> str:
    """Return a small spec that uses the library and asks two or three things."""
    lines = rng.sample(ASKED, rng.choice((2, 3)))
    return COMMON + "\n".join(lines) + "\n}\n"


@cache
def shipped() -> tuple[str, ...]:
    """Return the shorter files of the library and of the guide."""
    found = [file.read_text(encoding="utf-8") for file in sorted(SPECS.rglob("*.cost"))]
    return tuple(text for text in found if len(text) < 4000)


def original(rng: Random) -> str:
    """Return a spec without a fault."""
    form = rng.random()
    if form < 0.2:
        return grown(rng)
    return common(rng) if form < 0.75 else rng.choice(shipped())


def tokens(text: str) -> list[str]:
    """Return *text* in pieces that give it again."""
    return _TOKEN.findall(text)


def delete(rng: Random, parts: list[str], at: int) -> None:
    del parts[at : at + rng.choice((1, 1, 1, 2, 5))]


def double(rng: Random, parts: list[str], at: int) -> None:
    piece = parts[at : at + rng.choice((1, 2, 5, 20))]
    parts[at:at] = piece * rng.choice((1, 1, 1, 2, 40))


def swap(rng: Random, parts: list[str], at: int) -> None:
    other = rng.randrange(len(parts))
    parts[at], parts[other] = parts[other], parts[at]


def exchange(rng: Random, parts: list[str], at: int) -> None:
    """Replace a token by one of its kind: a number, a unit or a name."""
    old = parts[at]
    if old[0].isdigit():
        parts[at] = rng.choice((*LARGE, "0", "1", "64", str(rng.randrange(10**6)), "1e9"))
    elif old.isidentifier():
        others = [part for part in parts if part.isidentifier()]
        parts[at] = rng.choice((*others, *UNITS, *ODD_NAMES))
    else:
        parts[at] = rng.choice((*WRONG, "+", "*", "/", "^", "..", "==", ",", "\n"))


def noise(rng: Random, parts: list[str], at: int) -> None:
    parts.insert(at, rng.choice((*NOISE, chr(rng.randrange(32, 0x3000)))))


def nest(rng: Random, parts: list[str], at: int) -> None:
    times = rng.choice((1, 3, 30, 300))
    opening, closing = rng.choice((("(", ")"), ("-", ""), ("abs(", ")"), ("1 + ", ""), ("2^", "")))
    parts[at] = opening * times + parts[at] + closing * times


CHANGES: tuple[Callable[[Random, list[str], int], None], ...] = (
    *(delete, double, swap, exchange, exchange, exchange),
    *(noise, nest),
)


def mutated(rng: Random) -> str:
    """Return a spec with a few changes to its tokens."""
    parts = tokens(original(rng))
    for _ in range(rng.choice((1, 1, 1, 2, 3, 10))):
        solid = [at for at, part in enumerate(parts) if not part.isspace()]
        if not solid:
            break
        rng.choice(CHANGES)(rng, parts, rng.choice(solid))
    return "".join(parts)


def scrambled(rng: Random) -> bytes:
    """Return bytes that are hardly a spec: random ones, words in any order, half a file."""
    form = rng.randrange(3)
    if form == 0:
        return rng.randbytes(rng.choice((0, 1, 10, 100, 1000)))
    if form == 1:
        words = [part for part in tokens(original(rng)) if not part.isspace()]
        return " ".join(rng.choices(words, k=rng.choice((3, 30, 300)))).encode()
    text = original(rng).encode()
    return text[: rng.randrange(len(text))] + rng.randbytes(rng.choice((0, 1, 8)))
