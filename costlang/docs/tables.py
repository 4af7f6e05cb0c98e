"""Tables of a page: a sweep, a breakdown, what a number hangs on, scenarios side by side."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from costlang.answer import Answer
from costlang.answer.parts import Breakdown, Piece
from costlang.answer.seeking.solved import Number
from costlang.answer.sweep import Column, Line, Sweep
from costlang.docs.numbers import Wanted, number_text, signed
from costlang.emit.answer_line import answer_text
from costlang.emit.table import column_unit
from costlang.units import Unit, choose_unit

Rows = tuple[list[list[str]], list[bool]]
"""The lines of a table, its head first, and which of its columns are numbers."""


def table_of(answer: Answer, wanted: Wanted, depth: int, remarks: str | None) -> Rows | None:
    """Return *answer* as a table; None where it is none."""
    if answer.sweep is not None:
        return sweep_rows(answer.sweep, wanted, remarks)
    if answer.breakdown is not None:
        return breakdown_rows(answer.breakdown, wanted, depth)
    if answer.solved is not None and answer.solved.kind == "sensitivity":
        return _elastic_rows(answer, wanted)
    return None


# ---- a sweep


def sweep_rows(sweep: Sweep, wanted: Wanted, remarks: str | None) -> Rows:
    """
    Return the rows of *sweep*, each column in its one unit.

    A last column says which rows cannot be had; under the title *remarks* it also says what each
    is bound by.
    """
    units = [column_unit(sweep, at) for at in range(len(sweep.columns))]
    head = [_title(column, unit) for column, unit in zip(sweep.columns, units, strict=True)]
    body = [_cells(sweep, line, units, wanted) for line in sweep.lines]
    notes = [_remark(line, named=remarks is not None) for line in sweep.lines]
    right = [column.dimension is not None for column in sweep.columns]
    if not any(notes):
        return [head, *body], right
    rows = [[*row, note] for row, note in zip(body, notes, strict=True)]
    return [[*head, remarks or ""], *rows], [*right, False]


def _title(column: Column, unit: Unit | None) -> str:
    named = unit is not None and unit.text not in ("", "1")
    return f"{column.title} [{unit.text}]" if named and unit is not None else column.title


def _cells(sweep: Sweep, line: Line, units: list[Unit | None], wanted: Wanted) -> list[str]:
    return [
        _cell(value, column, unit, wanted)
        for value, column, unit in zip(line.cells, sweep.columns, units, strict=True)
    ]


def _cell(value: object, column: Column, unit: Unit | None, wanted: Wanted) -> str:
    if value is None:
        return "-"
    if column.dimension is None:
        return str(value)
    one = unit or choose_unit(Fraction(1), column.dimension)
    digits = None if column.is_axis else wanted.digits
    plain = Wanted(digits, wanted.significant, one, bare=True, locale=wanted.locale)
    return number_text(value, column.dimension, plain)


def _remark(line: Line, *, named: bool) -> str:
    words = [c.side for c in line.regime if c.side is not None] if named else []
    words += [f"infeasible: {item.name}" for item in line.infeasible]
    if line.note is not None:
        words.append(line.note)
    return "; ".join(words)


# ---- a breakdown


def breakdown_rows(item: Breakdown, wanted: Wanted, depth: int) -> Rows:
    """Return a line for each part of *item*, as deep as *depth*, with its share of the whole."""
    unit = wanted.unit or choose_unit(item.whole.value, item.dimension)
    named = f" [{unit.text}]" if unit.text not in ("", "1") else ""
    rows = [["part", f"value{named}", "share [%]"]]
    for level, piece in _pieces(item.whole, 0, depth):
        number = signed(piece.value / unit.scale, unit, wanted)
        share = signed(piece.share * 100, unit, Wanted(significant=3, locale=wanted.locale))
        rows.append([f"{'· ' * level}{piece.label}", number, share])
    return rows, [False, True, True]


def _pieces(piece: Piece, level: int, depth: int) -> Iterator[tuple[int, Piece]]:
    yield level, piece
    for part in piece.parts if level < depth else ():
        yield from _pieces(part, level + 1, depth)


# ---- the others


def _elastic_rows(answer: Answer, wanted: Wanted) -> Rows:
    """Return how many percent the answer moves for each name; two numbers where it bends there."""
    assert answer.solved is not None
    rows = [["name", "value", "for +1 % [%]"]]
    plain = Wanted(wanted.digits, wanted.significant or 3, sign="always", locale=wanted.locale)
    for item in answer.solved.elastic:
        worth = Wanted(locale=wanted.locale)
        value = number_text(item.value, item.dimension, worth) if item.value is not None else "-"
        moves = [number_text(_middle(end), None, plain) for end in (item.before, item.after)]
        rows.append([item.name, value, " or ".join(dict.fromkeys(moves))])
    return rows, [False, True, True]


def _middle(number: Number) -> Fraction:
    return (Fraction(number.low) + Fraction(number.high)) / 2


def compared(columns: list[tuple[str, dict[str, Answer]]], wanted: Wanted) -> Rows:
    """Return the questions that all *columns* answer, a line each; a column is named and told."""
    shared = [name for name in columns[0][1] if all(name in answers for _, answers in columns)]
    rows = [["", *(title for title, _ in columns)]]
    for name in shared:
        rows.append([name, *(said(answers[name], wanted) for _, answers in columns)])
    return rows, [False, *(True for _ in columns)]


def said(answer: Answer, wanted: Wanted) -> str:
    """Return *answer* in a cell."""
    if answer.value is not None and answer.note is None and not answer.free:
        shown = Wanted(
            wanted.digits, wanted.significant, wanted.unit or answer.unit, locale=wanted.locale
        )
        return number_text(answer.value, answer.dimension, shown)
    return answer_text(answer)
