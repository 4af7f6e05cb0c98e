"""A card: all that is known of one thing, worked out as far as it was declared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from costlang.answer.lowered import Formula
from costlang.answer.parts import Breakdown, NoParts, breakdown
from costlang.formula import graph as g
from costlang.formula.lower import Lowering
from costlang.library.figures import FIGURES, Figure
from costlang.library.shelves import shelf_of
from costlang.library.worth import NOTHING, Reader, Worth
from costlang.library.written import (
    CHECKS,
    DEFINES,
    REQUIRES,
    Written,
    arguments_of,
    one_line,
    statements_of,
)
from costlang.loader import load
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.check import check
from costlang.model.faults import Fault
from costlang.model.instances import Env
from costlang.model.work import sentence
from costlang.syntax import tree as t
from costlang.text import Diagnostic, Source
from costlang.units import NONE

PARTS = "total(params)"
"""What a model is taken apart by."""


@dataclass(frozen=True)
class Entry:
    """
    A name with its value, as it was set, taken by default, derived, or left open.

    *written* is the value in the words of its author, or the kind of a parameter that nothing
    sets; *as_written* says that those words are the value, with nothing to work out. *kind* is
    the interface that sets it for all of its kind, None where the thing itself does.
    """

    name: str
    worth: Worth
    written: str = ""
    docs: tuple[str, ...] = ()
    as_written: bool = False
    kind: str | None = None


@dataclass(frozen=True)
class Card:
    """
    What is known of one declaration.

    *word* is that by which it is declared, *home* the path of its import (None outside the
    library), *parents* what it amends, the nearest first. *figures* tell it from others of its
    kind. A record that stands for a thing has its *stated*, *assumed*, *derived* and *open*
    entries, and *parts* where it has operators; anything else has its *statements*.
    """

    name: str
    word: str
    home: str | None
    file: str
    line: int
    docs: tuple[str, ...]
    parents: tuple[str, ...]
    given: str
    figures: tuple[tuple[Figure, Worth], ...] = ()
    stated: tuple[Entry, ...] = ()
    assumed: tuple[Entry, ...] = ()
    derived: tuple[Entry, ...] = ()
    open: tuple[Entry, ...] = ()
    statements: tuple[Written, ...] = ()
    parts: Breakdown | None = None


def cards_of(name: str) -> tuple[Card, ...]:
    """Return the card of *name* in the library, none where the library has no such name."""
    held = shelf_of((name,))
    return tuple(_card(Reader(held.model), decl, held.homes[decl.name]) for decl in held.decls)


def cards_of_file(entry: Path | Source | str) -> tuple[tuple[Card, ...], tuple[Diagnostic, ...]]:
    """Return the cards of all that a file declares, in its order, and what is wrong with it."""
    model = check(load(entry))
    if not model.sound:
        return (), model.diagnostics
    reader = Reader(model)
    with sentence():  # one budget for all of them, as for the questions of a file
        cards = tuple(_card(reader, decl, None) for decl in model.main.own.values())
    return cards, model.diagnostics


def _card(reader: Reader, decl: d.Decl, home: str | None) -> Card:
    owners = list(decl.lineage()) if isinstance(decl, d.Owner) else []
    card = Card(
        decl.name,
        word_of(decl),
        home,
        decl.span.source.name,
        decl.span.line,
        decl.docs,
        tuple(owner.name for owner in owners[1:]),
        "" if isinstance(decl, d.RecordDecl) else arguments_of(decl),
    )
    if isinstance(decl, d.RecordDecl) and decl.kind != "interface":
        return _thing(reader, decl, card)
    return replace(card, statements=statements_of(decl))


WORDS: tuple[tuple[type[d.Decl], str], ...] = (
    (d.PhaseDecl, "phase"),
    (d.OpDecl, "op"),
    (d.ScenarioDecl, "scenario"),
    (d.EnumDecl, "enum"),
    (d.UnitDecl, "unit"),
    (d.ResourceDecl, "resource"),
    (d.FunctionDecl, "let"),
)


def word_of(decl: d.Decl) -> str:
    """Return the word by which *decl* is declared."""
    if isinstance(decl, d.RecordDecl):
        return decl.kind
    return next((word for kind, word in WORDS if isinstance(decl, kind)), "table")


# ---- a record that stands for a thing


def _thing(reader: Reader, decl: d.RecordDecl, card: Card) -> Card:
    entries = list(_entries(reader, decl))
    by_origin: dict[str, list[Entry]] = {"set": [], "default": [], "derived": [], "open": []}
    for origin, entry in entries:
        by_origin[origin].append(entry)
    return replace(
        card,
        figures=tuple((f, reader.first(decl, f.ways)) for f in FIGURES.get(decl.kind, ())),
        stated=tuple(by_origin["set"]),
        assumed=tuple(by_origin["default"]),
        derived=tuple(by_origin["derived"]),
        open=tuple(by_origin["open"]),
        statements=tuple(each for each in statements_of(decl) if _is_kept(each)),
        parts=_parts(reader, decl),
    )


def _is_kept(item: Written) -> bool:
    """Whether a statement of a record says more than the value of a member."""
    return item.title in (CHECKS, REQUIRES) or (item.title == DEFINES and "(" in item.name)


def _entries(reader: Reader, decl: d.RecordDecl) -> Iterator[tuple[str, Entry]]:
    """Yield the members of *decl* with their values, those of its first parent first."""
    for owner in list(decl.lineage())[::-1]:
        for slot in owner.slots.values():
            match slot:
                case d.Table():
                    yield from _rows(reader, decl, slot)
                case d.Param():
                    yield _param(reader, decl, slot)
                case d.Let(formals=None, replaced=None):
                    worth = reader.worth(decl, slot.name) or NOTHING
                    yield "derived", Entry(slot.name, worth, _definition(decl, slot), slot.docs)


def _param(reader: Reader, decl: d.RecordDecl, slot: d.Param) -> tuple[str, Entry]:
    worth = reader.worth(decl, slot.name) or NOTHING
    written = _kind_text(slot)
    if worth.value is None and worth.why is None:
        return "open", Entry(slot.name, worth, written, slot.docs)
    entry = _as_set(decl, Entry(slot.name, worth, "", slot.docs), (slot.name,))
    if worth.origin == "default" or not entry.written:
        return "default", replace(entry, written=written)
    return "set", entry


def _as_set(decl: d.RecordDecl, entry: Entry, path: tuple[str, ...]) -> Entry:
    """Return *entry* with the value of the nearest setting of *path*, in its author's words."""
    owner = next((owner for owner in decl.lineage() if path in owner.settings), None)
    if owner is None:
        return entry
    nearest = owner.settings[path]
    end = nearest.high if nearest.high is not None else nearest.value
    plain = isinstance(nearest.value, (c.Literal, c.Choice, c.Truth, c.RecordRef))
    of_kind = isinstance(owner, d.RecordDecl) and owner.kind == "interface"
    written = one_line(nearest.value.span.to(end.span))
    return replace(entry, written=written, as_written=plain, kind=owner.name if of_kind else None)


def _kind_text(slot: d.Param) -> str:
    return one_line(slot.node.type.span) if slot.node is not None else ""


def _definition(decl: d.RecordDecl, slot: d.Let) -> str:
    found = decl.find(slot.name)
    node = found.node if isinstance(found, d.Let) else None
    return one_line(node.value.span) if isinstance(node, t.Let) else ""


def _rows(reader: Reader, decl: d.RecordDecl, table: d.Table) -> Iterator[tuple[str, Entry]]:
    """Yield the rows of a table that *decl* has, in the order of their enum."""
    paths = {path for owner in decl.lineage() for path in owner.settings if len(path) == 2}
    named = {path[1][1:-1] for path in paths if path[0] == table.name} | set(table.rows)
    for key in table.key.members if table.key is not None else ():
        if key in named:
            name = f"{table.name}[{key}]"
            worth = reader.worth(decl, name) or NOTHING
            yield "set", _as_set(decl, Entry(name, worth), (table.name, f"[{key}]"))


def _parts(reader: Reader, decl: d.RecordDecl) -> Breakdown | None:
    """Return of which operators *decl* is made, None where it is made of none."""
    core = reader.meaning(decl, PARTS)
    if core is None:
        return None
    lowering = Lowering()
    with sentence():
        try:
            node = lowering.value(core, Env(lowering.record(decl)))
            if not isinstance(node, g.Node):
                return None
            found = breakdown(Formula(PARTS, node, NONE, lowering.build))
        except (Fault, NoParts, ArithmeticError):
            return None
    return found if found.whole.parts else None
