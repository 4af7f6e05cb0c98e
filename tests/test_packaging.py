"""A wheel, a source distribution and an editable install each do the main job from anywhere."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.packaging

ROOT = Path(__file__).resolve().parent.parent
SKIPPED = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "*.egg-info")

TINY = """\
cost 1
import std.format (bf16)

record box {
  let width = bf16.width
  check two: width == 2 B
}

scenario tiny {
  use one = box
  query twice: 2 * one.width
}
"""


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run *command* in *cwd*, where nothing of the repository can be found by chance."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def must(*command: str | Path, cwd: Path) -> str:
    done = run(*command, cwd=cwd)
    assert 0 == done.returncode, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the repository, so that building leaves nothing in it."""
    return Path(shutil.copytree(ROOT, tmp_path_factory.mktemp("repo") / "costlang", ignore=SKIPPED))


@pytest.fixture(scope="module")
def distributions(checkout: Path) -> Path:
    """Return the folder with a source distribution, and the wheel that is made from it."""
    must(sys.executable, "-m", "build", "--outdir", "made", ".", cwd=checkout)
    return checkout / "made"


def only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


def shipped() -> set[str]:
    """Return the files that are no Python and that the package cannot do without."""
    files = [*(ROOT / "grammars").rglob("*.lark"), *(ROOT / "specs").rglob("*.cost")]
    return {path.relative_to(ROOT).as_posix() for path in files}


def test_a_wheel_carries_the_grammar_the_specs_and_the_mark_of_its_types(
    distributions: Path,
) -> None:
    names = set(zipfile.ZipFile(only(distributions, "*.whl")).namelist())
    expected = {f"costlang/{name}" for name in shipped()} | {"costlang/py.typed"}
    assert set() == expected - names
    assert [] == [name for name in names if name.startswith(("tests/", "docs/"))]


def test_a_source_distribution_carries_what_its_own_tests_need(distributions: Path) -> None:
    archive = only(distributions, "*.tar.gz")
    top = archive.name.removesuffix(".tar.gz")
    with tarfile.open(archive) as stream:
        names = {name.removeprefix(f"{top}/") for name in stream.getnames()}
    expected = shipped() | {"pyproject.toml", "LICENSE", "README.md", "ARCHITECTURE.md"}
    assert set() == (expected | {"tests/test_packaging.py", "costlang/py.typed"}) - names


@pytest.mark.parametrize("kind", ["wheel", "sdist", "editable"])
def test_what_is_installed_does_the_main_job_from_another_folder(
    kind: str, checkout: Path, distributions: Path, tmp_path: Path
) -> None:
    must(sys.executable, "-m", "venv", "venv", cwd=tmp_path)
    scripts = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    given = {
        "wheel": [only(distributions, "*.whl")],
        "sdist": [only(distributions, "*.tar.gz")],
        "editable": ["--editable", checkout],
    }[kind]
    must(scripts / "python", "-m", "pip", "install", "--quiet", *given, cwd=tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "tiny.cost").write_text(TINY, encoding="utf-8")

    assert "0.1.0" in must(scripts / "python", "-m", "costlang", "--version", cwd=elsewhere)
    assert "4 B" in must(scripts / "costlang", "run", "tiny.cost", cwd=elsewhere)
    for lesson in sorted((checkout / "specs" / "guide").glob("*.cost")):
        must(scripts / "costlang", "run", lesson, cwd=elsewhere)
