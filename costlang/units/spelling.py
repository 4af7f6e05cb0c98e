"""Spellings that people use and costlang does not read, and what each probably meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches

from costlang.units.table import IEC, SI, readings, symbols


@dataclass(frozen=True)
class Meaning:
    """A unit that may have been meant, and when: `Gbit` *for bits*; no words where it is sure."""

    unit: str
    when: str = ""

    def __str__(self) -> str:
        """Return the unit in code marks, with the words that tell it from the others."""
        return f"`{self.unit}` for {self.when}" if self.when else f"`{self.unit}`"


@dataclass(frozen=True)
class Slip:
    """Why a word is refused, as the end of a sentence that begins with it, and what it meant."""

    reason: str
    meanings: tuple[Meaning, ...]


_BITS = (Meaning("bit", "bits"), Meaning("B", "bytes"))
_RATE_OR_COUNT = "can be read as a count or as a rate"
_OPERATIONS = "counts operations, which are written as FLOP"


def _rate_or_count(unit: str) -> tuple[Meaning, ...]:
    return Meaning(f"{unit}/s", "a rate"), Meaning(unit, "a count")


def _named(unit: str, words: str) -> Iterator[tuple[str, Slip]]:
    for word in words.split():
        yield word, Slip("is not how this unit is written", (Meaning(unit),))


_AFTER_PREFIX: Mapping[str, Slip] = {
    "b": Slip("can be read as bits or as bytes", _BITS),
    "bps": Slip("hides a division", (Meaning("bit/s", "bits"), Meaning("B/s", "bytes"))),
    "Bps": Slip("hides a division", (Meaning("B/s"),)),
    **dict.fromkeys(
        ("FLOPS", "FLOPs", "Flops", "flops"), Slip(_RATE_OR_COUNT, _rate_or_count("FLOP"))
    ),
    **dict.fromkeys(("MACS", "MACs", "macs"), Slip(_RATE_OR_COUNT, _rate_or_count("MAC"))),
    **dict.fromkeys(("OPS", "OPs", "Ops", "ops"), Slip(_OPERATIONS, _rate_or_count("FLOP"))),
    **dict.fromkeys(("OP", "Op", "op"), Slip(_OPERATIONS, (Meaning("FLOP"),))),
    **dict(_named("FLOP", "flop Flop")),
    **dict(_named("MAC", "mac Mac")),
    **dict(_named("B", "byte bytes Byte Bytes")),
    **dict(_named("bit", "bits Bit Bits")),
    **dict(_named("tok", "token tokens toks Token Tokens Tok Toks")),
    **dict(_named("req", "request requests reqs Request Requests Req Reqs")),
    **dict(_named("s", "sec secs second seconds")),
    **dict(_named("J", "joule joules Joule Joules")),
    **dict(_named("W", "watt watts Watt Watts")),
    **dict(_named("Wh", "wh WH")),
    **dict(_named("tok/s", "tps")),
}

_ALONE: Mapping[str, Slip] = {
    **dict(_named("h", "hr hrs hour hours")),
    **dict(_named("min", "mins minute minutes")),
    **dict(_named("day", "days")),
    **dict(_named("month", "months")),
    **dict(_named("year", "years yr yrs")),
    **dict(_named("$", "USD usd dollar dollars")),
    **dict(_named("%", "percent pct")),
    **dict(_named("tok/s", "TPS")),
    **dict(_named("req/s", "rps qps RPS QPS")),
    **dict(_named("k", "thousand")),
    **dict(_named("M", "million mn")),
    **dict(_named("G", "billion bn")),
    **dict(_named("T", "trillion")),
}

_LOWER = {"m": "M", "g": "G", "t": "T", "p": "P"}
_PREFIXES = ("", "K", *IEC, *SI)


def slip(word: str) -> Slip | None:
    """Return what is known of the refused spelling *word*; None where nothing is."""
    if word in _ALONE:
        return _ALONE[word]
    if word[:1] in _LOWER and word[1:] in ("b", "bps"):
        word = _LOWER[word[0]] + word[1:]
    return _large_k(word) or _wrong_family(word) or _after_prefix(word)


def near(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return those of *known* that *word* may have been meant for, at most two."""
    names = tuple(dict.fromkeys(known))
    alike = tuple(name for name in names if name.lower() == word.lower() and len(name) > 1)
    if alike or len(word) < 3 or "_" in word:
        return alike[:2]
    lower = {name.lower(): name for name in reversed(names) if len(name) > 2}
    same_start = [name for name in lower if name[0] == word[0].lower()]
    close = get_close_matches(word.lower(), same_start, n=1, cutoff=0.65)
    return tuple(lower[name] for name in close)


def _large_k(word: str) -> Slip | None:
    rest = word[1:]
    if not word.startswith("K"):
        return None
    if rest and not (rest in symbols() and symbols()[rest].si):
        return None
    meanings = [Meaning(f"k{rest}", "1000")]
    if not rest or symbols()[rest].iec:
        meanings.append(Meaning(f"Ki{rest}", "1024"))
        return Slip("can be read as 1000 or as 1024", tuple(meanings))
    return Slip("has a prefix that is written small", (Meaning(f"k{rest}"),))


def _wrong_family(word: str) -> Slip | None:
    rest = word[2:]
    if word[:2] not in IEC or rest not in symbols() or not symbols()[rest].si:
        return None
    return Slip(
        "has a binary prefix, which only `B`, `bit`, `tok` and `req` take",
        (Meaning(f"{word[0].replace('K', 'k')}{rest}"),),
    )


def _after_prefix(word: str) -> Slip | None:
    for prefix in _PREFIXES:
        found = _AFTER_PREFIX.get(word[len(prefix) :]) if word.startswith(prefix) else None
        if found is not None:
            return replace(found, meanings=tuple(_prefixed(prefix, found.meanings)))
    return None


def _prefixed(prefix: str, meanings: tuple[Meaning, ...]) -> Iterator[Meaning]:
    for meaning in meanings:
        unit = ("k" if prefix == "K" else prefix) + meaning.unit
        if prefix in IEC and unit.split("/")[0] not in readings():
            unit = prefix[0].replace("K", "k") + meaning.unit
        yield replace(meaning, unit=unit)
