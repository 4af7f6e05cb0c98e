"""
How often solving is right: random equations and inequalities against trying numbers one by one.

Each problem has a seed and is the same on every machine: maxima, conditions, roundings, sums,
powers and curves over real numbers, whole numbers or a finite set. A claim is wrong when a number
of the domain is a solution and is left out, or the other way round; the numbers are tried by the
evaluator, of which solving uses nothing. What is left undecided is printed, a problem a line. Run
it with `python benchmarks/solving_brute_force.py --problems 20000`; `--one N` shows one problem.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.solve.problems import Verdict, problem, shown, verdict

MOST_UNDECIDED = 0.02
SHOWN_EVERY = 2_000


def told(seed: int) -> str:
    """Return one problem as a line."""
    asked = problem(seed)
    return f"{shown(asked.left)} {asked.relation} {shown(asked.right)}"


def show(seed: int) -> None:
    """Print one problem and what became of it."""
    print(told(seed))
    print(problem(seed).domain)
    print(verdict(seed))


def run(first: int, problems: int) -> tuple[list[Verdict], list[int]]:
    """Return what became of all problems, and the seeds of those that are wrong."""
    verdicts: list[Verdict] = []
    wrong: list[int] = []
    for seed in range(first, first + problems):
        found = verdict(seed)
        verdicts.append(found)
        if found.word == "wrong":
            wrong.append(seed)
            print(f"seed {seed} is wrong at {found.at}", flush=True)
        if found.word == "undecided":
            print(f"seed {seed} is undecided: {told(seed)}", flush=True)
        if len(verdicts) % SHOWN_EVERY == 0:
            print(f"{len(verdicts)} done", flush=True)
    return verdicts, wrong


def main() -> int:
    """Try all, print the figures; the exit code is 1 when something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0].strip())
    parser.add_argument("--problems", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--one", type=int, help="show one problem")
    options = parser.parse_args()
    if options.one is not None:
        show(options.one)
        return 0
    start = time.perf_counter()
    verdicts, wrong = run(options.first, options.problems)
    seconds = time.perf_counter() - start
    words = Counter(found.word for found in verdicts)
    kinds = Counter(found.kind.value for found in verdicts)
    steps = sorted(found.steps for found in verdicts)
    share = words["undecided"] / len(verdicts)
    print(f"problems    {len(verdicts)} in {seconds:.0f} s")
    print(f"wrong       {len(wrong)} {wrong[:20]}")
    print(f"undecided   {words['undecided']} ({share:.2%}; at most {MOST_UNDECIDED:.0%})")
    print("kinds       " + ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))
    print(f"steps       median {steps[len(steps) // 2]}, most {steps[-1]}")
    return 1 if wrong or share > MOST_UNDECIDED else 0


if __name__ == "__main__":
    sys.exit(main())
