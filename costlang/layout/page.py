"""Statements as the lines of a file: blocks stood in, neighbours lined up, empty lines kept."""

from __future__ import annotations

from collections.abc import Iterator

from costlang.layout.columns import NONE, REMARK_GAP, Columns, cells_of, columns_of, line_of
from costlang.layout.lines import STEP, lines_of
from costlang.layout.roles import Roles
from costlang.layout.statements import Block, Item, Remark, Statement


def page(items: tuple[Item, ...], roles: Roles) -> str:
    """Return the text of a file that is made of *items*."""
    return "".join(f"{line}\n" for line in _lines(items, roles, 0))


def _lines(items: tuple[Item, ...], roles: Roles, margin: int) -> Iterator[str]:
    columns = columns_of(items, roles, margin)
    for at, item in enumerate(items):
        if item.blank and at > 0:
            yield ""
        if isinstance(item, Remark):
            yield " " * margin + item.text
        else:
            yield from _statement(item, roles, columns.get(at, NONE), margin)


def _statement(item: Statement, roles: Roles, columns: Columns, margin: int) -> Iterator[str]:
    if item.one_line:
        yield line_of(cells_of(item, roles), columns, margin)
        return
    lines = lines_of(item, roles, columns, margin)
    if item.block is not None:
        lines = list(_with_block(lines, item.block, roles, margin))
    yield from lines[:-1]
    yield _remarked(lines[-1], item.remark)


def _with_block(lines: list[str], block: Block, roles: Roles, margin: int) -> Iterator[str]:
    yield from lines[:-1]
    if block.inline:
        yield lines[-1] + _inline(block, roles) + "}"
        return
    yield _remarked(lines[-1], block.remark)
    yield from _lines(block.items, roles, margin + STEP)
    yield " " * margin + "}"


def _inline(block: Block, roles: Roles) -> str:
    """Return what stands between the braces of a block on one line, with its spaces."""
    inner = [line for item in block.items for line in _lines((item,), roles, 0)]
    return f" {inner[0]} " if inner else ""


def _remarked(line: str, remark: str | None) -> str:
    return line if remark is None else line + " " * REMARK_GAP + remark
