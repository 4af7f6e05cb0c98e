"""A listing and a card for programs: the contract of docs/json.md, schema 1."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from costlang.answer import Bounds
from costlang.emit.diagnostics_json import diagnostic_json
from costlang.emit.report_json import SCHEMA, Json, as_float
from costlang.emit.values import value_text
from costlang.library import Card, Entry, Listing, Row, Worth
from costlang.text import Diagnostic
from costlang.units import choose_unit


def listing_json(found: Listing, version: str) -> Json:
    """Return the rows of a listing as plain data."""
    rows = [_row(row, found) for row in found.rows]
    return {"schema": SCHEMA, "version": version, "kind": found.kind, "entries": rows}


def _row(row: Row, found: Listing) -> Json:
    plain: Json = {"name": row.name, "import": row.home, "doc": " ".join(row.docs)}
    if found.figures:
        pairs = zip(found.figures, row.worths, strict=True)
        return plain | {figure.key: worth_json(worth) for figure, worth in pairs}
    return plain | {"is" if found.kind == "records" else "given": row.words[0]}


def worth_json(worth: Worth) -> Json:
    """
    Return a value as plain data.

    *unit* is the same for all values of a dimension: B, B/s, FLOP/s, B/tok, W, and 1 for a number.
    """
    return {
        **_value(worth),
        "text": value_text(worth.value, worth.dimension) if worth.value is not None else None,
        "source": worth.source,
        "unverified": [item.name for item in worth.unverified],
        "needs": [item.name for item in worth.missing],
        "why": worth.why,
    }


def _value(worth: Worth) -> Json:
    unit = choose_unit(Fraction(1), worth.dimension) if worth.dimension is not None else None
    found: Json = {"value": None, "unit": unit.text if unit is not None else None, "exact": None}
    match worth.value:
        case bool() | str():
            return found | {"value": worth.value}
        case Fraction():
            return found | {"value": as_float(worth.value, unit), "exact": str(worth.value)}
        case Bounds(low, high, "certified"):
            return found | {"value": as_float((Fraction(low) + Fraction(high)) / 2, unit)}
        case _:
            return found


def cards_json(cards: Sequence[Card], faults: Sequence[Diagnostic], version: str) -> Json:
    """
    Return cards as plain data, and what is wrong with the file that they are of.

    Where there is one card, or one of a model among others, its keys stand at the top as well.
    """
    found = {"schema": SCHEMA, "version": version}
    main = [card for card in cards if card.word == "model"] if len(cards) > 1 else list(cards)
    lifted = card_json(main[0]) if len(main) == 1 else {}
    return {
        **found,
        **lifted,
        "entries": [card_json(card) for card in cards],
        "diagnostics": [diagnostic_json(item) for item in faults],
    }


def card_json(card: Card) -> Json:
    """Return one card as plain data."""
    return {
        "name": card.name,
        "kind": card.word,
        "import": card.home,
        "file": card.file,
        "line": card.line,
        "doc": " ".join(card.docs),
        "parents": list(card.parents),
        "given": card.given,
        **{figure.key: worth_json(worth) for figure, worth in card.figures},
        "set": _entries(card.stated),
        "assumed": _entries(card.assumed),
        "derived": _entries(card.derived),
        "open": _entries(card.open),
        "statements": [
            {
                "section": item.title,
                "name": item.name,
                "text": item.text,
                "doc": " ".join(item.docs),
                "source": item.source,
            }
            for item in card.statements
        ],
    }


def _entries(entries: Sequence[Entry]) -> Json:
    return {
        entry.name: {
            **worth_json(entry.worth),
            "written": entry.written,
            "by": entry.kind,
            "doc": " ".join(entry.docs),
        }
        for entry in entries
    }
