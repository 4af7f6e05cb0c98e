"""
How many configurations are imported, and whether each has the parameters that it should.

`python benchmarks/import_configs.py FOLDER COUNTS.csv` imports every `*.json` in FOLDER and prints
a row for each: the parameters, what the table has for it, or every reason of a refusal. The table
has a column with names, which are those of the files without `.json` (capitals and signs make no
difference), and one with counts; `--name` and `--count` say which. Without a table the parameters
are printed alone. The last line has the share; the status is 1 where a count is another.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from costlang.importing import Refusal, import_model

SAME, OTHER, UNCOUNTED, REFUSED = "same", "OTHER", "no count", "refused"


@dataclass(frozen=True)
class Row:
    """What became of one configuration, and in a sentence what is to be said of it."""

    name: str
    outcome: str
    words: str


def plain(name: str) -> str:
    """Return *name* without what different tables write differently."""
    return re.sub(r"[^a-z0-9.]", "", name.lower().replace("+", "plus"))


def counts(path: Path, name: str, count: str) -> Mapping[str, int]:
    """Return the counts of the table at *path*, by plain names."""
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    if rows and not {name, count} <= set(rows[0]):
        raise SystemExit(f"{path} has no column `{name}` or none `{count}`")
    return {plain(row[name]): int(row[count]) for row in rows if row[count].strip().isdecimal()}


def rows(folder: Path, wanted: Mapping[str, int]) -> Iterator[Row]:
    """Yield what becomes of each configuration in *folder*."""
    for path in sorted(folder.glob("*.json")):
        found = import_model(str(path))
        if isinstance(found, Refusal):
            why = "; ".join(f"{item.code}: {item.message}" for item in found.diagnostics)
            yield Row(path.stem, REFUSED, why)
            continue
        yield _counted(path.stem, found.totals.params, wanted.get(plain(path.stem)))


def _counted(name: str, params: int, wanted: int | None) -> Row:
    if wanted is None:
        return Row(name, UNCOUNTED, f"{params:,}")
    if params == wanted:
        return Row(name, SAME, f"{params:,}")
    return Row(name, OTHER, f"{params:,}, and the table has {wanted:,} ({params - wanted:+,})")


def main() -> int:
    """Print the table and the share; return 1 where a count is another."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("table", type=Path, nargs="?")
    parser.add_argument("--name", default="name", help="the column with names")
    parser.add_argument("--count", default="params", help="the column with counts")
    given = parser.parse_args()
    wanted = counts(given.table, given.name, given.count) if given.table else {}
    outcomes: Counter[str] = Counter()
    for row in rows(given.folder, wanted):
        outcomes[row.outcome] += 1
        print(f"{row.name:24} {row.outcome:9} {row.words}")
    every = sum(outcomes.values())
    imported = every - outcomes[REFUSED]
    print(
        f"{imported} of {every} are imported, {outcomes[SAME]} with the count of the table, "
        f"{outcomes[OTHER]} with another; {outcomes[REFUSED]} are refused"
    )
    return 1 if outcomes[OTHER] else 0


if __name__ == "__main__":
    sys.exit(main())
