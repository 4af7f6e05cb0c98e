"""
The tables of `docs/laws.md`: each law of the library, how it ends, and by what.

`python -m docs.tools.laws_page` makes them anew, which takes some minutes. z3 is not asked, so that
the page is the same wherever it is made.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from costlang import pipeline
from costlang.loader.shipped import import_path, library_files
from costlang.prove import PROVED, TESTED, Effort, Outcome

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "laws.md"
BEGIN, END = "<!-- laws -->", "<!-- end of laws -->"
EFFORT = Effort(cases=200, outside=False, own=True)


def outcomes() -> Iterator[tuple[str, Outcome]]:
    """Yield each law of the library that is looked at where it is stated, with its file."""
    for file in library_files():
        if "law " in file.read_text(encoding="utf-8"):
            for outcome in pipeline.prove(file, EFFORT).outcomes:
                yield import_path(file), outcome


def tables() -> str:
    """Return the share that is proved, and a table for each file."""
    found = list(outcomes())
    counted = [each for _, each in found if not each.repeats]
    proved = sum(each.status == PROVED for each in counted)
    tested = sum(each.status == TESTED for each in counted)
    share = round(100 * proved / len(counted))
    lines = [
        f"Of {len(counted)} laws {proved} are proved ({share} %) and {tested} are tested.",
        "",
    ]
    for home, group in groupby(found, key=lambda each: each[0]):
        lines += [f"### `{home}`", "", "| law | says | ends |", "| --- | --- | --- |"]
        lines += [_row(outcome) for _, outcome in group]
        lines.append("")
    return "\n".join(lines)


def _row(item: Outcome) -> str:
    words = item.text.replace("|", "\\|")
    return f"| `{item.owner}.{item.name}` | `{words}` | {_end(item)} |"


def _end(item: Outcome) -> str:
    if item.repeats:
        return "repeats its definition"
    if item.status == TESTED:
        sides = item.coverage
        met = f", {sides.met} of {sides.sides} sides of choices met" if sides.sides else ""
        return f"tested, {item.cases} cases{met}"
    return item.status


def main() -> int:
    """Write the tables anew; return 0."""
    sys.setrecursionlimit(5000)
    text = PAGE.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    PAGE.write_text(f"{head}{BEGIN}\n\n{tables()}\n{END}{rest.split(END)[1]}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
