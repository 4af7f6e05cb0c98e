"""Killed at any moment, each file is as it was or as it should be."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from costlang.docs.lock import NAME, read_lock
from costlang.docs.work import work_on, write

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import sys
from costlang.docs import work
sys.stdin.readline()
outcome = work.work_on(sys.argv[1:])
print("ready", flush=True)
work.write(outcome)
"""
PAGES = 12
TRIES = 12


def text_of(number: int, batch: int) -> str:
    embeds = "".join(
        f"<!-- cost= latency at batch = {batch + n} | unit=us -->?<!-- /cost -->\n"
        for n in range(3)
    )
    return f"---\ncost: plan.cost\n---\n# Page {number}\n{embeds}{'.' * 20_000}\n"


def test_killed_at_any_moment_each_file_is_old_or_new(project: Path) -> None:
    rng = random.Random(7)
    names = [f"page{number}.md" for number in range(PAGES)]
    whole = 0
    for turn in range(TRIES):
        for number, name in enumerate(names):
            (project / name).write_text(text_of(number, 400 + 10 * turn))
        old = {name: (project / name).read_text() for name in names}
        new = {work.page.path.name: work.text for work in work_on(names).works}
        whole += kill_writing(project, names, rng.random() * 0.03)
        for name in names:
            assert (project / name).read_text() in (old[name], new[name]), name
        assert () == read_lock(project)[1]
        write(work_on(names))
        assert new == {name: (project / name).read_text() for name in names}
        for draft in project.glob(".costlang-*"):
            draft.unlink()
    assert whole < TRIES, "it was never killed in time"
    assert (project / NAME).is_file()


def kill_writing(project: Path, names: list[str], delay: float) -> bool:
    """Start a run, kill it *delay* seconds after it begins to write, and say whether it ended."""
    command = [sys.executable, "-c", SCRIPT, *names]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    with subprocess.Popen(
        command,
        cwd=project,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("go\n")
        process.stdin.flush()
        assert "ready\n" == process.stdout.readline()
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        return process.wait() == 0
