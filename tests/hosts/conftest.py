"""Real pages, built by the real tools: run by `tests/hosts/run.sh`, where all of them are there."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
NEEDED = ("sphinx", "myst_parser", "furo", "markdown", "mkdocs", "nbclient", "ipykernel")

# Who works on the language alone need not have every host of pages.
collect_ignore_glob = [] if all(find_spec(name) for name in NEEDED) else ["test_*.py"]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a copy of the small site, which a test may change."""
    place = tmp_path / "site"
    shutil.copytree(HERE / "site", place)
    return place


def run_module(*words: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a tool of this Python, and return what it printed."""
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
