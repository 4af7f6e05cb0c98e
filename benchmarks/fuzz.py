"""
How costlang stands up to files that nobody would write: grown, mutated and scrambled specs.

Each input goes through the real pipeline in a process that can be stopped: no traceback, no hang,
at most 5 s of the processor and 512 MB. Run it with `python benchmarks/fuzz.py --inputs 100000`;
input number N of seed S is the same on every machine. `--one N` runs one alone and shows it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.safety.fed import written
from tests.safety.large import FILES
from tests.safety.watched import FORK, LARGE_SEED, Result, results


def lane(numbers: list[int], seed: int, deep: int, answer: Connection) -> None:
    """Pass on the results of a part of the inputs."""
    for found in results(numbers, seed, deep):
        answer.send(found)
    answer.send(None)


# ---- the whole


@dataclass
class Tally:
    """The counts of a run."""

    total: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    slowest: Result | None = None
    largest: Result | None = None
    faults: list[Result] = field(default_factory=list)

    def take(self, found: Result) -> None:
        """Count one result."""
        self.total += 1
        if found.outcome is not None:
            self.counts["parsed"] += found.outcome.parsed
            self.counts["without errors"] += found.outcome.usable
            self.counts["answered"] += found.outcome.answered
        if self.slowest is None or found.seconds > self.slowest.seconds:
            self.slowest = found
        if self.largest is None or found.megabytes > self.largest.megabytes:
            self.largest = found
        if found.fault:
            self.faults.append(found)

    def lines(self) -> Iterator[str]:
        """Yield the counts in words."""
        yield f"inputs          {self.total:>9,}"
        for name in ("parsed", "without errors", "answered"):
            share = 100 * self.counts[name] / max(self.total, 1)
            yield f"{name:<15} {self.counts[name]:>9,}  {share:.1f} %"
        if self.slowest is not None and self.largest is not None:
            yield f"slowest         {self.slowest.seconds:>9.2f} s   input {self.slowest.number}"
            yield f"most memory     {self.largest.megabytes:>9.0f} MB  input {self.largest.number}"
        yield f"faults          {len(self.faults):>9,}"


def run(options: argparse.Namespace) -> Tally:
    """Run all inputs in as many lanes as there are jobs."""
    numbers = range(options.first, options.first + options.inputs)
    ours, theirs = zip(*(FORK.Pipe(duplex=False) for _ in range(options.jobs)), strict=True)
    lanes = [
        FORK.Process(
            target=lane, args=([*numbers[at :: options.jobs]], options.seed, options.deep, end)
        )
        for at, end in enumerate(theirs)
    ]
    for process in lanes:
        process.start()
    tally, waiting = Tally(), list(ours)
    while waiting:
        for end in wait(waiting):
            found = end.recv()  # type: ignore[union-attr]
            if found is None:
                waiting.remove(end)
                continue
            tally.take(found)
            _tell(found, tally, options)
    return tally


def _tell(found: Result, tally: Tally, options: argparse.Namespace) -> None:
    if options.large:
        name, seconds = [*FILES][found.number], f"{found.seconds:6.2f} s {found.megabytes:6.0f} MB"
        print(f"{name:40} {seconds}  {found.fault.strip()[-60:]}", flush=True)
    elif found.fault:
        last = found.fault.strip().splitlines()[-1]
        print(f"input {found.number}: {last}", flush=True)
        if options.save is not None:
            options.save.mkdir(parents=True, exist_ok=True)
            data = written(found.number, options.seed)
            (options.save / f"{found.number}.cost").write_bytes(data)
            (options.save / f"{found.number}.txt").write_text(found.fault, encoding="utf-8")
    if tally.total % 5000 == 0:
        print(*tally.lines(), sep="\n", flush=True)


def main() -> int:
    """Run what the command line asks for; 1 when there are faults."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--deep", type=int, default=50, help="one in so many also as formulas")
    parser.add_argument("--save", type=Path, help="a folder for inputs that have a fault")
    parser.add_argument("--large", action="store_true", help="the files of the greatest size")
    parser.add_argument("--one", type=int, help="show one input, and run it in this process")
    options = parser.parse_args()
    if options.one is not None:
        print(written(options.one, options.seed).decode("utf-8", "replace"))
        options.inputs, options.first = 1, options.one
    if options.large:
        options.seed, options.inputs, options.deep = LARGE_SEED, len(FILES), 0
    start = time.perf_counter()
    tally = run(options)
    print(*tally.lines(), sep="\n")
    for found in tally.faults if options.one is not None else []:
        print(found.fault)
    print(f"time            {time.perf_counter() - start:>9.0f} s")
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
