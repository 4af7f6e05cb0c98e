"""What an answer was made of: each value that was read for it, and which of them moved it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from costlang.answer import Answer, Bounds, Stood
from costlang.docs.exactly import digest, exactly
from costlang.emit.math import body_text, where_list
from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation, Values
from costlang.loader.shipped import PREFIX, library
from costlang.model import exact
from costlang.text import Span
from costlang.units import NONE, Dimension, Unit, UnitTable


@dataclass(frozen=True)
class Input:
    """
    A value that was read: its full name, all of it in words, and where it is from.

    *number* is the value in base units where it is one, and *dimension* what that measures.
    """

    name: str
    text: str
    place: Span | None
    number: Fraction | None = None
    dimension: Dimension | None = None


@dataclass(frozen=True)
class Change:
    """
    An input that is no longer what it was.

    *before* is None for one that was not read before, *now* for one that is read no longer.
    """

    name: str
    before: str | None
    now: str | None
    place: Span | None = None


def inputs_of(answer: Answer) -> tuple[Input, ...]:
    """Return what was read for *answer*, by name."""
    reads = answer.reads or (*answer.used, *answer.assumed, *answer.given)
    found: dict[str, Input] = {}
    for item in reads:
        found.setdefault(".".join(item.path), _input(item))
    return tuple(found[name] for name in sorted(found))


def _input(item: Stood) -> Input:
    dimension = item.dimension if item.dimension is not None else NONE
    number = item.value if isinstance(item.value, Fraction) else None
    name = ".".join(item.path)
    return Input(name, exactly(item.value, dimension), item.span, number, dimension)


def is_shipped(place: Span) -> bool:
    """Whether *place* is in the shipped library."""
    name = place.source.name
    if os.path.isabs(name) or os.path.isfile(name):
        return Path(os.path.realpath(name)).is_relative_to(library())
    return name.startswith(PREFIX) and (library() / name.removeprefix(PREFIX)).is_file()


def shape_of(answer: Answer) -> str:
    """Return a digest of the formula behind *answer*, empty where there is none to be had."""
    if answer.formula is None:
        return ""
    node = answer.formula.node
    return digest("\n".join([body_text(node, "text"), *where_list(node, "text")]))


# ---- what changed


def changes(
    before: Mapping[str, str], now: Iterable[Input], answer: Answer | None
) -> tuple[Change, ...]:
    """
    Return the inputs of *answer* that differ from those *before* and on which it depends.

    An input is told by its name, and where that is not there any more by its last part: what a
    chip states may be set by a scenario. It does not count where putting its old value back, alone,
    into the present numbers, or the new one into the old numbers, moves nothing.
    """
    found = list(_differing(before, tuple(now)))
    return tuple(each for each in found if answer is None or _counts(each, found, answer))


def _differing(before: Mapping[str, str], now: tuple[Input, ...]) -> Iterator[Change]:
    present = {item.name: item for item in now}
    gone = {name: text for name, text in before.items() if name not in present}
    for item in now:
        old = before.get(item.name)
        if old is None:
            alike = [name for name in gone if _likeness(name) == _likeness(item.name)]
            old = gone.pop(alike[0]) if len(alike) == 1 else None
        if old != item.text:
            yield Change(item.name, old, item.text, item.place)
    for name, text in gone.items():
        yield Change(name, text, None)


def _likeness(name: str) -> tuple[str, str]:
    """Return the last part of a name, and the column of a comparison that it belongs to."""
    return name.rpartition("/")[0], name.rpartition(".")[2]


def _counts(change: Change, found: list[Change], answer: Answer) -> bool:
    """Whether *change* moves the number; what is no symbol of its formula is taken to."""
    formula = answer.formula
    if formula is None or not isinstance(answer.value, (Fraction, Bounds)):
        return True
    symbols = {".".join(symbol.path): symbol for symbol in formula.symbols}
    old: dict[g.Sym, exact.Real] = {}
    for each in found:
        symbol = symbols.get(each.name)
        number = number_of(each.before) if each.before is not None else None
        if symbol is not None and number is not None:
            old[symbol] = number
    mine = symbols.get(change.name)
    if mine is None or mine not in old:
        return True
    others = {symbol: value for symbol, value in old.items() if symbol is not mine}
    back, forth = {mine: old[mine]}, others
    return _differ(formula.node, {}, back) or _differ(formula.node, old, forth)


def _differ(node: g.Node, some: Values, others: Values) -> bool:
    """Whether *node* has another value under *some* than under *others*."""
    try:
        return Evaluation(some).number(node) != Evaluation(others).number(node)
    except ArithmeticError:
        return True


def number_of(text: str) -> Fraction | None:
    """Return the number of base units that a recorded *text* says, None where it says none."""
    number, _, unit_text = text.partition(" ")
    try:
        value = Fraction(number)
    except (ValueError, ZeroDivisionError):
        return None
    if not unit_text:
        return value
    unit = UnitTable().parse(unit_text)
    return value * unit.scale if isinstance(unit, Unit) else None
