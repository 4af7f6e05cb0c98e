"""One input in a process that can be stopped: what became of it, in what time and memory."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from types import FrameType

from costlang import pipeline
from costlang.model.work import DEEP
from costlang.syntax.cache import folder
from costlang.text import Source
from tests.safety.fed import Outcome, feed, written
from tests.safety.large import FILES
from tests.safety.mutated import common

SECONDS = 5
"""What an input may take of a quiet machine: what the benchmark asks for."""
HANG = 60
"""What no input takes of any machine, unless it hangs: what the tests ask for."""
MEGABYTES = 512
ROUND = 1000
"""Inputs after which a worker makes room for a new one, so that nothing adds up."""
LARGE_SEED = -1
LARGEST = [text.encode() for text in FILES.values()]
"""The inputs of a seed of their own: the files of the greatest size."""
FORK = multiprocessing.get_context("fork")


class TimeUp(BaseException):
    """An input takes far longer than it may; its traceback says where."""


@dataclass(frozen=True)
class Result:
    """What became of one input: *fault* is empty where all is well."""

    number: int
    outcome: Outcome | None
    seconds: float
    megabytes: float
    fault: str = ""


# ---- in the worker


def work(numbers: list[int], seed: int, deep: int, seconds: float, answer: Connection) -> None:
    """Run the inputs *numbers*, and tell of each when it is done."""
    sys.setrecursionlimit(DEEP)
    os.environ["COSTLANG_CACHE_DIR"] = ""
    folder.cache_clear()
    resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))
    signal.signal(signal.SIGPROF, _time_is_up)
    with tempfile.TemporaryDirectory() as place:
        for number in numbers:
            answer.send(one(number, seed, deep, seconds, Path(place, "fuzz.cost")))
    answer.close()


def one(number: int, seed: int, deep: int, allowed: float, path: Path) -> Result:
    """Run one input, with every exception caught and written down."""
    data = LARGEST[number] if seed == LARGE_SEED else written(number, seed)
    _forget_peak()
    start, outcome, fault = time.process_time(), None, ""
    signal.setitimer(signal.ITIMER_PROF, 2 * allowed)
    try:
        outcome = feed(data, path, deep=bool(deep) and number % deep == 0)
    except BaseException:
        fault = traceback.format_exc(limit=-12)
    signal.setitimer(signal.ITIMER_PROF, 0)
    seconds, peak = time.process_time() - start, _peak()
    if not fault and seconds > allowed:
        fault = f"it takes {seconds:.1f} s"
    if not fault and peak > MEGABYTES:
        fault = f"it takes {peak:.0f} MB"
    return Result(number, outcome, seconds, peak, fault)


def _time_is_up(number: int, frame: FrameType | None) -> None:
    raise TimeUp


def _forget_peak() -> None:
    """Begin to measure the peak of the memory anew, where the system lets us."""
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return


def _peak() -> float:
    """Return the most memory that was resident, in megabytes."""
    try:
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1000
    except OSError:
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


# ---- beside it


def results(numbers: list[int], seed: int, deep: int, seconds: float = SECONDS) -> Iterator[Result]:
    """Yield what becomes of each input; a worker that hangs or dies is replaced."""
    pipeline.run(Source("warm.cost", common(Random(0))))  # a worker finds the library parsed
    left, each = list(numbers), 1 if seed == LARGE_SEED else ROUND
    while left:
        for found in _round(left[:each], seed, deep, seconds):
            yield found
            left.remove(found.number)


def _round(numbers: list[int], seed: int, deep: int, seconds: float) -> Iterator[Result]:
    ours, theirs = FORK.Pipe(duplex=False)
    worker = FORK.Process(target=work, args=(numbers, seed, deep, seconds, theirs))
    worker.start()
    theirs.close()
    for number in numbers:
        if not ours.poll(4 * max(seconds, 5 * SECONDS)):
            yield Result(number, None, seconds, 0, "it hangs, and cannot be interrupted")
            break
        try:
            yield ours.recv()
        except EOFError:
            yield Result(number, None, 0, 0, "the process dies")
            break
    worker.kill()
    worker.join()
