from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from costlang.docs.work import Outcome, work_on, write

SPEC = """cost 1

scenario plan {
  let weights = 140 GB
  param bandwidth : [B/s] = 3.35 TB/s    source "a data sheet"
  param peak : [FLOP/s] = 989 TFLOP/s    source "a data sheet"
  param batch : count = 1
  let t_memory = weights / bandwidth
  let t_compute = batch * 140 GFLOP / peak
  let latency = max(t_compute, t_memory)
  query step: latency    show ms
  query busy: t_compute / latency    show %
  query price: 4 $/h * latency / (batch * 1 tok)
  query curve: sweep latency over batch in {1, 100, 400}
}
"""
TOP = "---\ncost: plan.cost\n---\n"

Fill = Callable[..., Outcome]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of its own with the spec `plan.cost`, as the working folder."""
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "plan.cost").write_text(SPEC, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def fill(project: Path) -> Callable[[str], str]:
    """Write a page with a text below the front matter, fill it in, and return what stands there."""

    def filled(text: str, top: str = TOP) -> str:
        page = project / "page.md"
        page.write_bytes((top + text).encode())
        outcome = work_on(["page.md"])
        assert outcome.usable, [item.message for item in outcome.diagnostics]
        write(outcome)
        return page.read_bytes().decode().removeprefix(top)

    return filled


@pytest.fixture
def faults(project: Path) -> Callable[[str], list[tuple[str, str]]]:
    """Write such a page, and return the code and the place of each message about it."""

    def told(text: str, top: str = TOP) -> list[tuple[str, str]]:
        (project / "page.md").write_bytes((top + text).encode())
        found = work_on(["page.md"]).diagnostics
        return [(item.code, item.span.text) for item in found]

    return told
