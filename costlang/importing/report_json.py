"""An import as other programs read it; `docs/json.md` is the contract."""

from __future__ import annotations

from fractions import Fraction

from costlang.emit.diagnostics_json import diagnostic_json
from costlang.importing.description import Figure, Refusal
from costlang.importing.importing import Imported
from costlang.importing.weighing import Comparison, Held

Json = dict[str, object]


def import_json(found: Imported | Refusal, version: str) -> Json:
    """Return what came of an import; all but `diagnostics` is null where it was refused."""
    head: Json = {"schema": 1, "version": version}
    diagnostics = [diagnostic_json(item) for item in found.diagnostics]
    if isinstance(found, Refusal):
        return {**head, "import": None, "diagnostics": diagnostics}
    return {**head, "import": _import(found), "diagnostics": diagnostics}


def _import(found: Imported) -> Json:
    description = found.description
    return {
        "name": found.name,
        "family": description.family,
        "architecture": description.architecture,
        "interface": f"{description.interface.path}.{description.interface.name}",
        "figures": [_figure(figure) for figure in description.figures],
        "ignored": [{"field": item.field, "because": item.because} for item in description.ignored],
        "left_out": list(description.left_out),
        "params": found.totals.params,
        "weight_bytes": _number(found.totals.weight_bytes),
        "cache_bytes_of_first_token": _number(found.totals.cache_bytes),
        "weights": None if found.comparison is None else _weights(found.comparison, found.likely),
        "cut_short": list(found.cut_short),
        "spec": found.spec,
    }


def _figure(figure: Figure) -> Json:
    return {
        "parameter": figure.parameter,
        "value": figure.value,
        "unit": figure.unit or None,
        "written": figure.written or None,
        "origin": figure.origin.value,
        "fields": list(figure.fields),
        "because": figure.because or None,
    }


def _weights(comparison: Comparison, likely: tuple[str, ...]) -> Json:
    return {
        "agrees": comparison.agrees,
        "packed": comparison.packed,
        "numbers": comparison.numbers,
        "bytes": comparison.bytes,
        "more_numbers": comparison.more_numbers,
        "more_bytes": _number(comparison.more_bytes),
        "by_type": [_held("type", held) for held in comparison.held],
        "not_compared": [_held("because", held) for held in comparison.apart],
        "differing": [
            {
                "part": part.part,
                "in_model": part.wanted,
                "stored": part.numbers,
                "tensors": [_held("kind", held) for held in part.kinds],
            }
            for part in comparison.differing
        ],
        "likely": list(likely),
    }


def _held(name: str, held: Held) -> Json:
    return {
        name: held.name,
        "tensors": held.tensors,
        "numbers": held.numbers,
        "bytes": held.bytes,
    }


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)
