"""The tables of `docs/models.md` and `docs/hardware.md`, made from the library by the program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from costlang.emit.library_text import figure_cell
from costlang.library import FIGURES, Figure
from costlang.library.shelves import Shelf, shelf
from costlang.library.worth import Reader
from costlang.model import declared as d
from costlang.units import Unit, UnitTable

CHIP = (
    Figure("peak_16_bit", "16 bit", ("peak[bf16]", "peak[fp16]"), "TFLOP/s"),
    Figure("peak_fp8", "fp8", ("peak[fp8]",), "TFLOP/s"),
    Figure("peak_int8", "int8", ("peak[int8]",), "TFLOP/s"),
    Figure("peak_fp4", "fp4", ("peak[fp4]",), "TFLOP/s"),
    Figure("hbm_capacity", "memory", ("hbm_capacity",), "GB"),
    Figure("visible_capacity", "visible", ("visible_capacity",), "GiB"),
    Figure("hbm_bandwidth", "bandwidth", ("hbm_bandwidth",), "GB/s"),
    Figure("node_size", "node", ("node_size",), ""),
    Figure("link_bandwidth", "link", ("link_bandwidth",), "GB/s"),
    Figure("network_bandwidth", "network", ("network_bandwidth",), "GB/s"),
    Figure("power", "power", ("power",), "W"),
    Figure("ridge_point", "ridge", ("ridge_point(bf16)", "ridge_point(fp16)"), "FLOP/B"),
)
"""All that a chip states, where a listing has the room of a terminal alone."""


@dataclass(frozen=True, eq=False)
class Family:
    """The things of one file of the library."""

    home: str
    decls: tuple[d.RecordDecl, ...]


def makers() -> Mapping[str, Callable[[], str]]:
    """Return what makes each part of the pages, by the name of the part."""
    return {
        "library: models": partial(_tables, "models", FIGURES["model"]),
        "library: hardware": partial(_tables, "hardware", CHIP),
        "library: counts": counts,
    }


def counts() -> str:
    """Return how many chips there are, and of how many what decides an answer is verified."""
    held = shelf("hardware")
    reader = Reader(held.model)
    sure = sum(_is_sure(reader, decl) for decl in _records(held))
    return (
        f"The library has {len(held.decls)} chips. Of {sure} of them the peak, the memory and its "
        "bandwidth have all been looked up; of the others some figure is marked.\n"
    )


DECIDING = ("peak_16_bit", "hbm_capacity", "hbm_bandwidth")


def _is_sure(reader: Reader, decl: d.RecordDecl) -> bool:
    ways = [figure.ways for figure in CHIP if figure.key in DECIDING]
    return not any(reader.first(decl, each).unverified for each in ways)


def _tables(kind: str, figures: tuple[Figure, ...]) -> str:
    held = shelf(kind)
    reader = Reader(held.model)
    return "\n".join(_family(reader, family, figures) for family in _families(held))


def _records(held: Shelf) -> Iterator[d.RecordDecl]:
    yield from (decl for decl in held.decls if isinstance(decl, d.RecordDecl))


def _families(held: Shelf) -> Iterator[Family]:
    for home, decls in groupby(_records(held), lambda decl: held.homes[decl.name]):
        yield Family(home, tuple(decls))


def _family(reader: Reader, family: Family, figures: tuple[Figure, ...]) -> str:
    """Return the heading of a file, its table, and the notes of what stands in it."""
    rows = [[f"`{x.name}`", *_cells(reader, x, figures)] for x in family.decls]
    titles = ["", *map(_title, figures)]
    marks = ["---", *("---:" if figure.is_number else "---" for figure in figures)]
    table = "".join(f"| {' | '.join(cells)} |\n" for cells in (titles, marks, *rows))
    notes = "".join(f"- `{x.name}`: {' '.join(x.docs)}\n" for x in family.decls if x.docs)
    return f"### {family.home}\n\n{table}" + (f"\n{notes}" if notes else "")


def _title(figure: Figure) -> str:
    return f"{figure.title}, {figure.unit}" if figure.unit else figure.title


def _cells(reader: Reader, decl: d.RecordDecl, figures: tuple[Figure, ...]) -> Iterator[str]:
    for figure in figures:
        yield figure_cell(reader.first(decl, figure.ways), _unit(figure))


def _unit(figure: Figure) -> Unit | None:
    found = UnitTable().parse(figure.unit) if figure.unit else None
    return found if isinstance(found, Unit) else None
