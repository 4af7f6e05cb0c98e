"""The tables of `docs/units.md`, made from the tables by which costlang reads a unit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction

from costlang.units import Unit, UnitTable
from costlang.units.spelling import _AFTER_PREFIX, _ALONE  # this page is their only other reader
from costlang.units.table import IEC, NUMBERS, SI, SYMBOLS, Symbol

TABLE = UnitTable()

ALIKE = {"µ", "u", "\N{GREEK SMALL LETTER MU}"}
"""Three ways to write one prefix; the page says so once."""

MALFORMED = ("KB", "K", "KW", "GiFLOP", "tok²", "TB·s", "tok**2", "FLOP/(s*B)", "TB/2", "$2.50/h")
"""Spellings that go wrong by their form or their prefix, which no list holds."""

Cells = tuple[str, ...]


def makers() -> Mapping[str, Callable[[], str]]:
    """Return what makes each part of the page, by the name of the part."""
    return {
        "units: names": units,
        "units: prefixes": prefixes,
        "units: numbers": numbers,
        "units: refused": refused,
        "units: refused by form": refused_by_form,
    }


def units() -> str:
    """Return the table of the units that have names of their own."""
    rows = ((f"`{s.name}`", s.meaning, _base(s), _takes(s)) for s in SYMBOLS)
    return _table(("unit", "what it is", "in base units", "prefixes"), rows)


def _base(symbol: Symbol) -> str:
    dimension = str(symbol.reading.dimension)
    scale = _number(symbol.reading.scale)
    return scale if dimension == "1" else f"{scale} {dimension}"


def _takes(symbol: Symbol) -> str:
    families = [name for name, has in (("SI", symbol.si), ("IEC", symbol.iec)) if has]
    return ", ".join(families) or "none"


def prefixes() -> str:
    """Return the table of the prefixes, the small ones first."""
    decimal = [("/".join(f"`{p}`" for p in _spellings(p)), "SI", _power(SI[p])) for p in _decimal()]
    binary = [(f"`{p}`", "IEC", _power(IEC[p])) for p in IEC]
    return _table(("prefix", "family", "times"), [*decimal, *binary])


def _decimal() -> Iterator[str]:
    yield from (prefix for prefix in SI if prefix not in ALIKE or prefix == "µ")


def _spellings(prefix: str) -> list[str]:
    return [other for other in SI if SI[other] == SI[prefix] and other in ("µ", "u", prefix)]


def numbers() -> str:
    """Return the prefixes that are numbers where they stand alone."""
    rows = ((f"`{name}`", _power(scale), f"{scale.numerator:,}") for name, scale in NUMBERS.items())
    return _table(("alone", "is", "in full"), rows)


def refused() -> str:
    """Return each refused word with why, and what to write instead."""
    groups: dict[tuple[str, str], list[str]] = {}
    for word in _listed_words():
        why, mend = _fault(word)
        groups.setdefault((why, mend), []).append(f"`{word}`")
    rows = ((" ".join(words), why, mend) for (why, mend), words in groups.items())
    return _table(("written", "why it is refused", "what to write"), rows)


def _listed_words() -> Iterator[str]:
    """Yield the words in order; those that are met with a prefix, with one."""
    for word, slip in _AFTER_PREFIX.items():
        yield word if slip.reason.startswith("is not how") else f"T{word}"
    yield from _ALONE


def refused_by_form() -> str:
    """Return spellings that are refused for their form, each with what to write instead."""
    rows = ((f"`{text}`", *_fault(text)) for text in MALFORMED)
    return _table(("written", "why it is refused", "what to write"), rows)


def _fault(text: str) -> tuple[str, str]:
    """Return why *text* is refused, its own name left out, and the mend."""
    found = TABLE.parse(text)
    if isinstance(found, Unit) or found.help is None:
        raise ValueError(f"`{text}` is a unit, or nobody knows what it meant")
    return found.message.removeprefix(f"`{text}` "), found.help.removeprefix("write ")


def _number(value: Fraction) -> str:
    return f"{value.numerator:,}" + (f"/{value.denominator:,}" if value.denominator != 1 else "")


def _power(value: Fraction) -> str:
    for base in (10, 2):
        for power in (p for size in range(1, 70) for p in (size, -size)):
            if Fraction(base) ** power == value:
                return f"{base}^{power}"
    raise ValueError(f"{value} is no power of 10 or 2")


def _table(head: Cells, rows: Iterable[Cells]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
