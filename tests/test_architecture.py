"""The package is built as ARCHITECTURE.md says: its two tables are read here and held to."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "costlang"
MODULES = sorted(PACKAGE.rglob("*.py"))

READS = {"open", "fdopen", "read_text", "read_bytes"}
WRITES = {"write_text", "write_bytes", "mkdir", "unlink", "touch", "rename", "rmdir", "fdopen"}
FORBIDDEN_CALLS = {"eval", "exec", "compile", "__import__", "sympify", "parse_expr"}
FORBIDDEN_MODULES = {
    *("asyncio", "ctypes", "datetime", "dill", "http", "importlib.util", "marshal", "pickle"),
    *("random", "runpy", "shelve", "socket", "ssl", "subprocess", "time", "urllib"),
}


# ---- what the document says


def rows(header: str) -> list[list[str]]:
    """Return the cells of the table of ARCHITECTURE.md that begins with *header*."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    lines = text[text.index(header) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


@cache
def floors() -> dict[str, tuple[int, int]]:
    """Return each place with its floor and its rank on that floor."""
    return {
        place: (int(floor), rank)
        for floor, places, _ in rows("| floor | places |")
        for rank, place in enumerate(quoted(places))
    }


@cache
def allowed() -> dict[str, list[str]]:
    """Return what may be done or imported, each with the places where it may."""
    table = rows("| what | places |")
    return {what.strip("`"): quoted(places) for what, places, _ in table}


def stands_in(module: Path, places: list[str]) -> bool:
    name = module.relative_to(PACKAGE).as_posix()
    return any(name == place or (place[-1] == "/" and name.startswith(place)) for place in places)


def place_of(module: Path) -> str:
    found = [place for place in floors() if stands_in(module, [place])]
    assert 1 == len(found), f"{module.relative_to(ROOT)} stands on no floor of ARCHITECTURE.md"
    return found[0]


# ---- what the package does


@cache
def tree_of(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


def imported_names(module: Path) -> Iterator[str]:
    """Yield each dotted name that *module* imports, wherever in it the import stands."""
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert 0 == node.level, f"{module}:{node.lineno}: write the import in full"
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def file_of(name: str) -> Path | None:
    """Return the file of ours that the dotted *name*, or what it is a name in, stands for."""
    if name.split(".", maxsplit=1)[0] != "costlang":
        return None
    path = ROOT.joinpath(*name.split("."))
    for found in (path.with_suffix(".py"), path / "__init__.py"):
        if found.is_file():
            return found
    return file_of(name.rpartition(".")[0])


def own_imports(module: Path, *, run: bool = False) -> set[Path]:
    """Return our files that *module* imports; those alone that it imports when it *run*s."""
    names = set(imported_names(module)) - (set(names_for_types(module)) if run else set())
    return {found for name in names if (found := file_of(name)) is not None}


def names_for_types(module: Path) -> Iterator[str]:
    """Yield what *module* imports for its annotations alone, under `if TYPE_CHECKING`."""
    for node in ast.walk(tree_of(module)):
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                for found in ast.walk(node):
                    if isinstance(found, ast.ImportFrom):
                        yield from (f"{found.module}.{alias.name}" for alias in found.names)


def outside_imports(module: Path) -> set[str]:
    roots = {name.split(".")[0] for name in imported_names(module)}
    return roots - {"costlang", "__future__"} - sys.stdlib_module_names


def calls(module: Path) -> Iterator[tuple[str, bool, int]]:
    """Yield the name of what is called, whether after a dot, and the line."""
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Call):
            if node.args and ast.unparse(node.args[0]) == "os.devnull":
                continue  # nothing is read there, and nothing stays
            match node.func:
                case ast.Name(id=name):
                    yield name, False, node.lineno
                case ast.Attribute(attr=name):
                    yield name, True, node.lineno


def named(modules: list[Path]) -> list[str]:
    return [module.relative_to(PACKAGE).as_posix() for module in modules]


every_module = pytest.mark.parametrize("module", MODULES, ids=named(MODULES))


# ---- the floors


def test_every_place_of_the_table_is_there() -> None:
    empty = [p for p in floors() if not any(stands_in(module, [p]) for module in MODULES)]
    assert [] == empty


@every_module
def test_imports_run_down_the_floors(module: Path) -> None:
    here = place_of(module)
    upward = [
        other.relative_to(PACKAGE).as_posix()
        for other in own_imports(module)
        if place_of(other) != here and floors()[place_of(other)] >= floors()[here]
    ]
    assert [] == upward


def test_no_circle_of_imports() -> None:
    done: set[Path] = set()

    def walk(module: Path, way: tuple[Path, ...]) -> None:
        assert module not in way, " -> ".join(named([*way[way.index(module) :], module]))
        if module not in done:
            for other in sorted(own_imports(module, run=True)):
                walk(other, (*way, module))
            done.add(module)

    for module in MODULES:
        walk(module, ())


# ---- who may do what


@every_module
def test_what_comes_from_outside_is_imported_where_the_table_says(module: Path) -> None:
    found = outside_imports(module)
    assert [] == [name for name in found if not stands_in(module, allowed().get(name, []))]


def test_the_lower_floors_load_neither_sympy_nor_numpy() -> None:
    low = [module for module in MODULES if floors()[place_of(module)] < (4, 0)]
    names = [".".join(m.relative_to(ROOT).with_suffix("").parts) for m in low]
    script = f"import sys, {', '.join(n.removesuffix('.__init__') for n in names)}\n"
    script += "print([n for n in ('sympy', 'numpy', 'flint', 'rich') if n in sys.modules])"
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ("[]\n", "") == (run.stdout, run.stderr)


@every_module
def test_files_are_read_in_one_place_and_written_in_one(module: Path) -> None:
    reader = stands_in(module, allowed()["reads files"])
    writer = stands_in(module, allowed()["writes files"])
    reading = [line for name, _, line in calls(module) if name in READS]
    writing = [line for name, dotted, line in calls(module) if dotted and name in WRITES]
    assert [] == ([] if reader or writer else reading)
    assert [] == ([] if writer else writing)


@every_module
def test_nothing_runs_a_text_or_looks_at_the_world(module: Path) -> None:
    assert [] == [call for call in calls(module) if call[0] in FORBIDDEN_CALLS and not call[1]]
    assert [] == [
        name
        for name in imported_names(module)
        if any(name == bad or name.startswith(f"{bad}.") for bad in FORBIDDEN_MODULES)
    ]
