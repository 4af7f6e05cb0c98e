"""
How much of the library is held by its own units, laws and sourced checks.

Slips that people make are put into a copy of the library, one at a time: which of them is noticed,
and by what. `python benchmarks/mutations.py --mutants 300 --jobs 2` takes as many of each kind;
`--write` puts the counts and what survived into docs/laws.md.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.specs.mutants import KINDS, Mutant, mutants
from tests.specs.slipped import Copy, Noticed

SPECS = Path(__file__).resolve().parents[1] / "specs"
_copy: list[Copy] = []


def all_mutants() -> list[Mutant]:
    """Return every slip that can be made in the library, but for the file that has only laws."""
    found: list[Mutant] = []
    for file in sorted(set(SPECS.rglob("*.cost")) - {SPECS / "std" / "layers.cost"}):
        found += mutants(file.relative_to(SPECS), file.read_text(encoding="utf-8"))
    return found


def spread(found: list[Mutant], seed: int) -> Iterator[Mutant]:
    """Yield the mutants in an order by chance, one of each kind after the other."""
    chance = Random(seed)
    lines = [[each for each in found if each.kind == kind] for kind in KINDS]
    for line in lines:
        chance.shuffle(line)
    while any(lines):
        for line in lines:
            if line:
                yield line.pop()


def begin() -> None:
    """Give a process a copy of the library of its own."""
    sys.setrecursionlimit(5000)
    copy = Copy(Path(tempfile.mkdtemp()))
    copy.take_over()
    _copy.append(copy)


def tried(asked: tuple[Mutant, bool]) -> Noticed | None:
    """Return what speaks against one slip, by laws beside checks where both are asked for."""
    mutant, both = asked
    return _copy[0].noticed(mutant, both=both)


def main() -> int:
    """Try the mutants, print each that survives, and the counts; return 0."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--mutants", type=int, default=300)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--jobs", type=int, default=2)
    asked.add_argument("--not", dest="but", default="~")
    asked.add_argument("--only", default="", help="a part of a file's name")
    asked.add_argument("--first", action="store_true", help="no laws where a check fails")
    asked.add_argument("--out", type=Path, help="a file for one JSON line each")
    given = asked.parse_args()
    order = [
        each
        for each in spread(all_mutants(), given.seed)
        if given.only in str(each.file) and given.but not in str(each.file)
    ]
    found: list[Noticed] = []
    with get_context("fork").Pool(given.jobs, begin) as pool:
        for each in pool.imap(tried, [(each, not given.first) for each in order]):
            if each is None:
                continue
            found.append(each)
            if given.out:
                with given.out.open("a") as stream:
                    stream.write(json.dumps(asdict(each), default=str) + "\n")
            if each.survives:
                print(f"survives: {each.mutant.file}:{each.line}: {each.mutant.kind}", flush=True)
            if len(found) == given.mutants:
                pool.terminate()
                break
    return 0


if __name__ == "__main__":
    sys.exit(main())
