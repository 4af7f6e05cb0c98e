"""From a path to a spec that was loaded and counted: the whole of an import."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from costlang.importing.causes import causes
from costlang.importing.describing import describe
from costlang.importing.description import Description, Refusal
from costlang.importing.differing import difference, title
from costlang.importing.headers import Weights, read_headers
from costlang.importing.naming import name_fault
from costlang.importing.reading import Found, find
from costlang.importing.weighing import Comparison, Totals, compare, totals
from costlang.importing.writing import Wording, number, written
from costlang.text import Diagnostic, Source, Span


@dataclass(frozen=True)
class Imported:
    """
    A model that was imported: what it is, its spec, and what the spec adds up to.

    *comparison* is None where no weights lie beside the configuration. *likely* says why they
    differ from the model and *diagnostics* how; the spec can be used all the same.
    """

    name: str
    description: Description
    spec: str
    totals: Totals
    comparison: Comparison | None = None
    likely: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    cut_short: tuple[str, ...] = ()


def import_model(
    path: str, name: str | None = None, ignore: tuple[str, ...] = ()
) -> Imported | Refusal:
    """
    Return the model whose configuration lies at *path*, or every reason against importing it.

    *name* is what the spec calls the model; otherwise the file or its folder says it. *ignore*
    names fields that the caller vouches for.
    """
    found = find(path)
    if isinstance(found, Diagnostic):
        return Refusal((found,))
    description = describe(found.config, ignore)
    if isinstance(description, Refusal):
        return description
    weights = read_headers(found.weights, found.index) if found.weights else None
    if isinstance(weights, Diagnostic):
        return Refusal((weights,))
    return _named(found, description, weights, name)


def _named(
    found: Found, description: Description, weights: Weights | None, name: str | None
) -> Imported | Refusal:
    """Return the model under *name*, or under one that the file or its folder gives it."""
    chosen = name or _name(found.hint)
    fault = name_fault(description, chosen)
    if fault is not None and name is not None:
        return Refusal((fault,))
    return _imported(found, description, weights, f"model_{chosen}" if fault else chosen)


def _imported(
    found: Found, description: Description, weights: Weights | None, name: str
) -> Imported | Refusal:
    wording = Wording(name, found.cited)
    counted = totals(description, wording)
    if not isinstance(counted, Totals):
        return Refusal(counted.diagnostics)
    if weights is None:
        return Imported(name, description, written(description, wording), counted)
    comparison = compare(description, counted, weights)
    wording = _with_weights(wording, comparison)
    likely = causes(description, weights, comparison)
    place = Span(Source(found.config.name, ""), 0, 0)
    told = () if comparison.agrees else (difference(place, comparison, likely),)
    spec = written(description, wording)
    return Imported(name, description, spec, counted, comparison, likely, told, weights.cut_short)


def _with_weights(wording: Wording, comparison: Comparison) -> Wording:
    """Return *wording* with what the headers of the weights say of the model."""
    if comparison.more_numbers == 0 and not comparison.packed:
        return replace(wording, stored=comparison.numbers)
    return replace(wording, remarks=(f"The weights differ: {title(comparison)}.",))


def _name(hint: str) -> str:
    """Return *hint* as a name of the language: `Qwen3-4B` is `qwen3_4b`."""
    plain = re.sub(r"[^a-z0-9]+", "_", hint.lower()).strip("_")[:60]
    if not plain:
        return "imported"
    return plain if plain[0].isalpha() else f"model_{plain}"


# ---- what is said of it


def words_of(imported: Imported) -> tuple[str, ...]:
    """Return what is said of an import beside its spec: its size, its defaults, what was left."""
    found = imported.totals
    lines = [
        f"{imported.name}: {found.params:,} parameters, {float(found.weight_bytes):,.0f} B of "
        f"weights, {float(found.cache_bytes):,.0f} B of cache for the first token"
    ]
    for figure in imported.description.defaults:
        value = figure.written or number(figure.value)
        lines.append(f"  default: {figure.parameter} = {value}, since {figure.because}")
    lines += [f"  left out: {part}" for part in imported.description.left_out]
    lines += [
        f"  {name}: weights are cut short, its header is whole" for name in imported.cut_short
    ]
    if imported.comparison is not None:
        lines += _compared(imported.comparison)
    return tuple(lines)


def _compared(comparison: Comparison) -> Iterator[str]:
    for held in comparison.apart:
        yield f"  not compared: {held.numbers:,} stored numbers, {held.name}"
    if comparison.agrees:
        yield "  the headers of the weights agree, to the byte"
