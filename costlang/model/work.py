"""How much work one sentence may take, in steps of about a microsecond, and how deep it nests."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock

MOST_STEPS = 2_000_000
"""For all questions and checks of one run together; a machine takes two to four seconds."""

DEEP = 5_000
"""Frames for a sum of a thousand terms, which the tree holds one inside the other."""


class TooMuchWork(ArithmeticError):
    """A sentence takes more steps than it may."""


class Work:
    """
    The steps that are left of a budget; once it is spent it stays so.

    *found* keeps what was found on the way and is asked for again before the sentence ends.
    """

    __slots__ = ("found", "left")

    def __init__(self, steps: int = MOST_STEPS) -> None:
        self.left = steps
        self.found: dict[object, object] = {}

    def spend(self, steps: int) -> None:
        """Take *steps* off; raises `TooMuchWork` when there are not so many."""
        self.left -= steps
        if self.left < 0:
            raise TooMuchWork

    def note(self, steps: int) -> None:
        """Take *steps* off, and leave it to the next one who spends to say that it is too much."""
        self.left -= steps

    @property
    def spent(self) -> bool:
        """Whether nothing is left, so that what came of it is not to be trusted."""
        return self.left < 0


_SENTENCE: ContextVar[Work | None] = ContextVar("sentence", default=None)


@contextmanager
def sentence(steps: int | None = None) -> Iterator[Work]:
    """
    Open the budget of one sentence: a run, a question, a formula. `MOST_STEPS` if it is not given.

    Inside another one it is that one's, so that all questions of a file share a budget. Serves as
    a decorator as well.
    """
    outer = _SENTENCE.get()
    if outer is not None:
        yield outer
        return
    work = Work(MOST_STEPS if steps is None else steps)
    token = _SENTENCE.set(work)
    try:
        yield work
    finally:
        _SENTENCE.reset(token)


def current() -> Work:
    """Return the budget of the sentence around, a budget of its own where there is none."""
    return _SENTENCE.get() or Work()


def spend(steps: int) -> None:
    """Take *steps* off the budget of the sentence around; outside of any, nothing is counted."""
    work = _SENTENCE.get()
    if work is not None:
        work.spend(steps)


# ---- depth

_LOCK = Lock()
_LIMITS: list[int] = []
"""The limits to go back to, one for each that is inside `roomy` now."""


@contextmanager
def roomy() -> Iterator[None]:
    """
    Let calls nest as deep as a legal spec needs them, and give Python's limit back.

    The limit is one for all threads: the last that leaves gives it back.
    """
    with _LOCK:
        _LIMITS.append(_LIMITS[0] if _LIMITS else sys.getrecursionlimit())
        sys.setrecursionlimit(max(DEEP, sys.getrecursionlimit()))
    try:
        yield
    finally:
        with _LOCK:
            before = _LIMITS.pop()
            if not _LIMITS:
                sys.setrecursionlimit(before)
