"""How far a long table is, or a run over many pages, on a terminal; nothing in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

LONG = 200
"""Rows from which a table is long enough for a bar."""


@contextmanager
def shown_progress(
    what: str = "rows", long: int = LONG
) -> Iterator[Callable[[int, int], None] | None]:
    """
    Yield what draws a bar on the terminal, None where there is none.

    It counts *what*, and is drawn where there are as many as is *long*.
    """
    if not sys.stderr.isatty():
        yield None
        return
    bar = _Bar(what, long)
    try:
        yield bar.tell
    finally:
        bar.close()


class _Bar:
    """A bar of rich, made with the first of many."""

    def __init__(self, what: str, long: int) -> None:
        self._what, self._long = what, long
        self._progress: Any = None
        self._task: Any = None

    def tell(self, done: int, total: int) -> None:
        if total < self._long:
            return
        if self._progress is None:
            self._open(total)
        self._progress.update(self._task, completed=done, total=total)
        if done == total:
            self.close()

    def _open(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import Progress

        self._progress = Progress(console=Console(stderr=True), transient=True)
        self._task = self._progress.add_task(self._what, total=total)
        self._progress.start()

    def close(self) -> None:
        if self._progress is not None:
            self._progress.stop()
            self._progress = None
