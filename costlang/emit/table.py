"""A sweep as a table for a person, as CSV, as JSON lines, and as an xarray dataset."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from costlang.answer.answers import Bounds
from costlang.answer.sweep import Bend, Column, Line, Sweep
from costlang.emit.values import value_text
from costlang.units import NONE, Unit, choose_unit, digits_of


def table_lines(sweep: Sweep) -> Iterator[str]:
    """Yield the table in aligned columns, its bends, and how its points were chosen."""
    units = [column_unit(sweep, at) for at in range(len(sweep.columns))]
    heads = [_head(column, unit) for column, unit in zip(sweep.columns, units, strict=True)]
    rows = [_texts(sweep, line, units) for line in sweep.lines]
    remarks = [_remark(line) for line in sweep.lines]
    widths = [max(len(head), *(len(row[at]) for row in rows)) for at, head in enumerate(heads)]
    yield _row(heads, widths, sweep)
    yield "  ".join("-" * width for width in widths)
    for row, remark in zip(rows, remarks, strict=True):
        yield f"{_row(row, widths, sweep)}  {remark}".rstrip()
    for bend in sweep.bends:
        yield bend_text(bend, sweep)
    yield from sweep.sampling


def _row(cells: list[str], widths: list[int], sweep: Sweep) -> str:
    parts = []
    for cell, width, column in zip(cells, widths, sweep.columns, strict=True):
        words = column.dimension is None
        parts.append(cell.ljust(width) if words else cell.rjust(width))
    return "  ".join(parts).rstrip()


def _head(column: Column, unit: Unit | None) -> str:
    named = unit is not None and unit.text not in ("", "1")
    return f"{column.title} [{unit.text}]" if named and unit is not None else column.title


def _texts(sweep: Sweep, line: Line, units: list[Unit | None]) -> list[str]:
    return [
        _cell(cell, column, unit)
        for cell, column, unit in zip(line.cells, sweep.columns, units, strict=True)
    ]


def _cell(value: object, column: Column, unit: Unit | None) -> str:
    if isinstance(value, Fraction):
        return digits_of(value / unit.scale if unit is not None else value)
    if value is None:
        return "-"
    if column.is_axis and isinstance(value, str):
        return value
    return value_text(value, column.dimension, unit)


def _remark(line: Line) -> str:
    words = [f"{c.side} in {c.definition}" for c in line.regime if c.side is not None]
    words += [f"infeasible: {b.name}" for b in line.infeasible]
    if line.note is not None:
        words.append(line.note)
    return "; ".join(words)


def bend_text(bend: Bend, sweep: Sweep) -> str:
    """Return where a choice changes sides."""
    column = next(c for c in sweep.columns if c.title == bend.title)
    near = "" if bend.at.exact else "about "
    place = value_text(bend.at.middle, column.dimension, column.unit, 6)
    others = f" for {', '.join(bend.others)}" if bend.others else ""
    return f"{bend.words} at {bend.title} = {near}{place}{others}"


def column_unit(sweep: Sweep, at: int) -> Unit | None:
    """Return the one unit of a column: the one asked for, else one that suits its greatest."""
    column = sweep.columns[at]
    if column.dimension is None:
        return None
    if column.unit is not None:
        return column.unit
    numbers = [c for line in sweep.lines if isinstance(c := line.cells[at], Fraction)]
    if not numbers or column.dimension == NONE:
        return None
    return choose_unit(max(numbers, key=abs), column.dimension)


# ---- for programs


def records(sweep: Sweep) -> Iterator[dict[str, Any]]:
    """Yield each row as plain data, numbers as floats in the unit of their column."""
    units = [column_unit(sweep, at) for at in range(len(sweep.columns))]
    heads = [_head(column, unit) for column, unit in zip(sweep.columns, units, strict=True)]
    for line in sweep.lines:
        cells = [_plain(c, u) for c, u in zip(line.cells, units, strict=True)]
        row: dict[str, Any] = dict(zip(heads, cells, strict=True))
        row["regime"] = {c.definition: c.side for c in line.regime}
        row["infeasible"] = [b.name for b in line.infeasible]
        yield row


LARGEST_WHOLE = 10**300
"""Whole numbers above it are given as floats, where those are as large."""


def _plain(value: object, unit: Unit | None) -> object:
    scale = unit.scale if unit is not None else Fraction(1)
    match value:
        case bool() | str() | None:
            return value
        case Fraction():
            return _number(value / scale)
        case Bounds(low, high):
            return [_end(low, scale), _end(high, scale)]
        case _:
            return str(value)


def _end(value: Fraction | float, scale: Fraction) -> int | float | None:
    return _number(value / scale) if isinstance(value, Fraction) else value / float(scale)


def _number(value: Fraction) -> int | float | None:
    """Return *value* as other programs read it: null where no float is so large."""
    try:
        close = float(value)
    except OverflowError:
        return None
    whole = value.denominator == 1 and abs(value) < LARGEST_WHOLE
    return int(value) if whole else close


def json_lines(sweep: Sweep) -> str:
    """Return one JSON object a row."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in records(sweep))


def csv_text(sweep: Sweep) -> str:
    """Return the table as CSV: the unit of each column stands in its title."""
    out = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for row in records(sweep):
        flat = {**row, "regime": _joined(row["regime"]), "infeasible": " ".join(row["infeasible"])}
        if writer is None:
            writer = csv.DictWriter(out, list(flat), lineterminator="\n")
            writer.writeheader()
        writer.writerow(flat)
    return out.getvalue()


def _joined(regime: dict[str, str | None]) -> str:
    return " ".join(f"{name}={side}" for name, side in regime.items())


def to_xarray(sweep: Sweep) -> Any:
    """
    Return the table as an `xarray.Dataset`, units as attributes.

    Raises `ImportError` where xarray is not installed.
    """
    try:
        import xarray
    except ImportError:
        raise ImportError("a dataset needs xarray: pip install xarray") from None
    axes = [at for at, column in enumerate(sweep.columns) if column.is_axis]
    rest = [at for at, column in enumerate(sweep.columns) if not column.is_axis]
    units = [column_unit(sweep, at) for at in range(len(sweep.columns))]
    names = [sweep.columns[at].title for at in axes]
    coords = {
        name: list(dict.fromkeys(_plain(line.cells[at], units[at]) for line in sweep.lines))
        for name, at in zip(names, axes, strict=True)
    }
    shape = [len(coords[name]) for name in names]
    import numpy as np

    data = {}
    for at in rest:
        cells = np.array([_plain(line.cells[at], units[at]) for line in sweep.lines])
        unit = units[at]
        attributes = {"units": unit.text if unit is not None else ""}
        data[sweep.columns[at].title] = (names, cells.reshape(shape), attributes)
    return xarray.Dataset(data, coords=coords)
