"""The colours of a picture, for light and for dark, and the rules that put them on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Ink:
    """The colours on one paper; each of *series* is read on it as well as a text is."""

    paper: str
    text: str
    faint: str
    grid: str
    series: tuple[str, ...]


LIGHT = Ink(
    "#ffffff",
    "#1f2328",
    "#59636e",
    "#d9dee3",
    ("#0b62c4", "#a84a00", "#1a7f37", "#8250df", "#c11c28", "#0e7078"),
)
DARK = Ink(
    "#0d1117",
    "#e6edf3",
    "#9aa4af",
    "#2b323a",
    ("#58a6ff", "#f0a04b", "#3fb950", "#bc8cff", "#ff7b72", "#39c5cf"),
)
COLOURS = len(LIGHT.series)
DASHES = ("", "7 4", "2 3", "9 3 2 3", "4 2", "1 2")


def _rules(ink: Ink) -> str:
    """Return what differs between the two papers."""
    each = "".join(
        f".cost-picture .s{n}{{stroke:{colour}}}.cost-picture .f{n}{{fill:{colour}}}"
        for n, colour in enumerate(ink.series)
    )
    return (
        f".cost-picture{{color:{ink.text}}}"
        f".cost-picture .paper{{fill:{ink.paper}}}"
        f".cost-picture .hollow{{fill:{ink.paper}}}"
        f".cost-picture .faint{{fill:{ink.faint}}}"
        f".cost-picture .mark{{stroke:{ink.faint}}}"
        f".cost-picture .grid{{stroke:{ink.grid}}}"
        f"{each}"
    )


_SHAPES = (
    '.cost-picture text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",'
    '"DejaVu Sans",sans-serif;font-size:13px;fill:currentColor}'
    ".cost-picture .head{font-size:16px;font-weight:600}"
    ".cost-picture .small{font-size:12px}"
    ".cost-picture polyline{fill:none;stroke-width:2;stroke-linejoin:round}"
    ".cost-picture .axis{stroke:currentColor;stroke-width:1}"
    ".cost-picture .grid{stroke-width:1}"
    ".cost-picture .mark{stroke-width:1.5;stroke-dasharray:5 4}"
    ".cost-picture .band{stroke:none;fill-opacity:.22}"
    ".cost-picture .roof{stroke:currentColor;stroke-width:2.5}"
    ".cost-picture .roofed{font-weight:600}"
    ".cost-picture .thin{stroke-width:1.2}"
    ".cost-picture .hollow{stroke-width:2}"
    ".cost-picture .pale{stroke-opacity:.5}"
)


def _dashes() -> str:
    return "".join(
        f".cost-picture .d{n}{{stroke-dasharray:{dash}}}" for n, dash in enumerate(DASHES) if dash
    )


STYLE = f"{_SHAPES}{_dashes()}{_rules(LIGHT)}@media (prefers-color-scheme:dark){{{_rules(DARK)}}}"
