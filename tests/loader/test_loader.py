"""A program is its entry file and all that it imports, and every mistake about that has a place."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from costlang.loader import Program, library, library_index, load
from costlang.loader.shipped import import_path, library_files
from costlang.syntax import parse
from costlang.text import Diagnostic, Source

Files = dict[str, str]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty project, which is the working folder."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a small library that stands for the shipped one."""
    folder = tmp_path / "package" / "specs"
    files = {
        "std/format.cost": "cost 1\nlet width = 2 B\n",
        "std/ops.cost": "cost 1\nimport std.format (width)\nlet share = width\n",
        "models/llama.cost": "cost 1\nlet llama_2_70b = 1\n",
        "guide/lesson.cost": "cost 1\nlet lesson = 1\n",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    monkeypatch.setattr("costlang.loader.shipped.PACKAGE", folder.parent)
    _forget_library()
    yield folder
    _forget_library()


def _forget_library() -> None:
    library.cache_clear()
    library_index.cache_clear()


def write(files: Files) -> None:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


def keys(program: Program) -> list[str]:
    return [file.key for file in program.files]


def told(diagnostic: Diagnostic) -> dict[str, object]:
    """Return all of a message but its code's severity, with places as `file:line:column word`."""
    at = [(x.span.place, x.span.text, x.text) for x in (diagnostic.primary, *diagnostic.labels)]
    return {
        "code": diagnostic.code,
        "message": diagnostic.message,
        "at": at,
        "notes": diagnostic.notes,
        "help": diagnostic.help,
    }


def only(program: Program) -> dict[str, object]:
    assert 1 == len(program.diagnostics), program.diagnostics
    return told(program.diagnostics[0])


# ---- what is loaded


def test_the_entry_is_first_and_each_file_is_there_once(project: Path) -> None:
    write(
        {
            "plan.cost": 'cost 1\nimport "./a.cost" (a)\nimport "./sub/b.cost" (b)\n',
            "a.cost": 'cost 1\nimport "./sub/b.cost" (b)\nlet a = b\n',
            "sub/b.cost": "cost 1\nlet b = 1\n",
        }
    )
    program = load(Path("plan.cost"))
    assert () == program.diagnostics
    assert ["plan.cost", "a.cost", "sub/b.cost"] == keys(program)
    assert ["a.cost", "sub/b.cost"] == [item.key for item in program.entry.imports]


def test_an_import_is_looked_for_beside_the_file_in_which_it_stands(project: Path) -> None:
    write(
        {
            "sub/plan.cost": 'cost 1\nimport "../shared/a.cost" (a)\n',
            "shared/a.cost": 'cost 1\nimport "./b.cost" (b)\nlet a = b\n',
            "shared/b.cost": "cost 1\nlet b = 1\n",
        }
    )
    program = load(Path("sub/plan.cost"))
    assert () == program.diagnostics
    assert ["sub/plan.cost", "shared/a.cost", "shared/b.cost"] == keys(program)


def test_a_path_without_quotes_is_one_of_the_library(project: Path, shipped: Path) -> None:
    program = load(Source("<text>", "cost 1\nimport std.ops (share)\n"))
    assert () == program.diagnostics
    assert ["<text>", "specs/std/ops.cost", "specs/std/format.cost"] == keys(program)


def test_a_file_of_the_library_is_the_same_file_by_whatever_way_it_comes(shipped: Path) -> None:
    entry = shipped / "std" / "ops.cost"
    program = load(entry)
    assert ["specs/std/ops.cost", "specs/std/format.cost"] == keys(program)
    assert str(entry) == program.entry.source.name


def test_a_file_of_the_library_is_parsed_once_a_process(project: Path, shipped: Path) -> None:
    text = "cost 1\nimport std.format (width)\n"
    first, second = (load(Source("<text>", text)).files[1] for _ in range(2))
    assert first.tree is second.tree
    (shipped / "std" / "format.cost").write_text("cost 1\nlet width = 3 B\n# changed\n")
    assert first.tree is not load(Source("<text>", text)).files[1].tree


def test_a_text_imports_from_the_folder_that_it_is_given(project: Path) -> None:
    write({"sub/a.cost": "cost 1\nlet a = 1\n"})
    program = load(Source("<text>", 'cost 1\nimport "./a.cost" (a)\n'), Path("sub"))
    assert () == program.diagnostics
    assert ["<text>", "sub/a.cost"] == keys(program)


def test_a_dash_is_standard_input(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO("\ufeffcost 1\r\nlet µ_ = 1\r\n".encode()))
    monkeypatch.setattr(sys, "stdin", stream)
    program = load("-")
    assert ["<stdin>"] == keys(program)
    assert "cost 1\r\nlet µ_ = 1\r\n" == program.entry.source.text


# ---- texts that cannot be used


@pytest.mark.parametrize(
    ("data", "code", "message", "at"),
    [
        (
            b"cost 1\nlet a = \xff\n",
            "not-utf8",
            "`a.cost` is not UTF-8",
            ("a.cost:2:9", "\ufffd", "here stands the byte 0xFF"),
        ),
        (
            b"\xef\xbb\xbfcost 1\n# \xc3\xa9\0\n",
            "nul-byte",
            "a NUL byte stands in this file",
            ("a.cost:2:4", "\0", ""),
        ),
        (
            b"#" * 10_000_000,
            "file-too-large",
            "`a.cost` is too large for a spec",
            ("a.cost:1:1", "", "more than 1 MB, the most that is read"),
        ),
    ],
)
def test_what_is_no_text_is_told_with_its_place(
    project: Path, data: bytes, code: str, message: str, at: tuple[str, str, str]
) -> None:
    Path("a.cost").write_bytes(data)
    program = load(Path("a.cost"))
    mend = "save the file as UTF-8" if code == "not-utf8" else None
    assert only(program) == {
        "code": code,
        "message": message,
        "at": [at],
        "notes": (),
        "help": mend,
    }
    assert () == program.entry.tree.declarations


def test_a_large_file_is_not_read_to_its_end(project: Path) -> None:
    program = load(Path("/dev/zero"))
    assert ["file-too-large"] == [item.code for item in program.diagnostics]


def test_an_entry_that_is_not_there_and_one_that_is_a_folder(project: Path) -> None:
    assert only(load(Path("no.cost"))) == {
        "code": "missing-file",
        "message": "there is no file `no.cost`",
        "at": [("no.cost:1:1", "", "not found")],
        "notes": (),
        "help": None,
    }
    Path("folder").mkdir()
    assert only(load(Path("folder"))) == {
        "code": "unreadable-file",
        "message": "`folder` cannot be read",
        "at": [("folder:1:1", "", "is a directory")],
        "notes": (),
        "help": None,
    }


def test_a_wrong_byte_in_an_imported_file_is_shown_there_with_the_import(project: Path) -> None:
    write({"plan.cost": 'cost 1\nimport "./a.cost" (a)\n'})
    Path("a.cost").write_bytes(b"cost 1\n\xc3\x28")
    program = load(Path("plan.cost"))
    assert only(program) == {
        "code": "not-utf8",
        "message": "`a.cost` is not UTF-8",
        "at": [
            ("a.cost:2:1", "\ufffd", "here stands the byte 0xC3"),
            ("plan.cost:2:8", '"./a.cost"', "imported here"),
        ],
        "notes": (),
        "help": "save the file as UTF-8",
    }
    assert [None] == [item.key for item in program.entry.imports]


def test_an_imported_file_that_is_too_large_is_told_at_its_import(project: Path) -> None:
    write({"plan.cost": 'cost 1\nimport "./a.cost" (a)\n', "a.cost": "#" * 1_000_001})
    assert only(load(Path("plan.cost"))) == {
        "code": "file-too-large",
        "message": "`a.cost` is too large for a spec",
        "at": [("plan.cost:2:8", '"./a.cost"', "more than 1 MB, the most that is read")],
        "notes": (),
        "help": None,
    }


def test_the_mistakes_of_all_files_come_in_one_run(project: Path) -> None:
    write(
        {
            "plan.cost": 'cost 1\nimport "./a.cost" (a)\nlet x = = 1\n',
            "a.cost": "cost 1\nlet a = 1\nlet b = ) 1\n",
        }
    )
    places = [item.span.place for item in load(Path("plan.cost")).diagnostics]
    assert ["plan.cost:3:9", "a.cost:3:9"] == places


# ---- imports that mean no file


def test_a_missing_file_offers_the_near_ones(project: Path) -> None:
    write({"plan.cost": 'cost 1\nimport "./chip.cost" (a)\n', "chips.cost": "cost 1\n"})
    assert only(load(Path("plan.cost"))) == {
        "code": "missing-import",
        "message": "there is no file `chip.cost`",
        "at": [("plan.cost:2:8", '"./chip.cost"', "not found")],
        "notes": (),
        "help": 'did you mean `"./chips.cost"`?',
    }


def test_a_missing_path_of_the_library_offers_the_near_ones(project: Path, shipped: Path) -> None:
    assert only(load(Source("<text>", "cost 1\nimport std.formats (width)\n"))) == {
        "code": "missing-import",
        "message": "the library has no `std.formats`",
        "at": [("<text>:2:8", "std.formats", "not found")],
        "notes": (),
        "help": "did you mean `std.format`?",
    }


NOTE = (
    "a project is the nearest folder with a `pyproject.toml` or a `.git`, "
    "or else the folder of the file that was asked for"
)


@pytest.mark.parametrize("path", ["../secret.cost", "/etc/passwd", "./link.cost", "../nothing"])
def test_an_import_never_leaves_the_project(project: Path, path: str) -> None:
    (project.parent / "secret.cost").write_text("cost 1\nlet a = 1\n")
    os.symlink("../secret.cost", "link.cost")
    write({"plan.cost": f'cost 1\nimport "{path}" (a)\n'})
    program = load(Path("plan.cost"))
    assert only(program) == {
        "code": "import-outside-root",
        "message": "an import cannot leave the project",
        "at": [("plan.cost:2:8", f'"{path}"', "outside the project and the library")],
        "notes": (NOTE,),
        "help": None,
    }
    assert ["plan.cost"] == keys(program)


def test_without_a_project_the_folder_of_the_entry_bounds_it(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.cost").write_text("cost 1\nlet a = 1\n")
    plan = tmp_path / "sub" / "plan.cost"
    plan.write_text('cost 1\nimport "../a.cost" (a)\n')
    assert ["import-outside-root"] == [item.code for item in load(plan).diagnostics]
    (tmp_path / ".git").mkdir()
    assert () == load(plan).diagnostics


def test_a_file_of_the_library_cannot_read_the_readers_project(
    project: Path, shipped: Path
) -> None:
    write({"mine.cost": "cost 1\nlet a = 1\n"})
    (shipped / "std" / "bad.cost").write_text(f'cost 1\nimport "{project}/mine.cost" (a)\n')
    program = load(Source("<text>", "cost 1\nimport std.bad (b)\n"))
    assert "import-outside-root" in [item.code for item in program.diagnostics]
    assert ["<text>", "specs/std/bad.cost"] == keys(program)


def test_a_program_has_at_most_200_files(project: Path) -> None:
    write({f"f{n}.cost": f"cost 1\nlet a{n} = 1\n" for n in range(205)})
    lines = "".join(f'import "./f{n}.cost" (a{n})\n' for n in range(205))
    write({"plan.cost": f"cost 1\n{lines}"})
    program = load(Path("plan.cost"))
    assert only(program) == {
        "code": "too-many-files",
        "message": "a program has at most 200 files",
        "at": [("plan.cost:201:8", '"./f199.cost"', "one file too many")],
        "notes": (),
        "help": None,
    }
    assert 200 == len(program.files)


# ---- circles


def test_a_circle_of_files_names_the_way_round(project: Path) -> None:
    write(
        {
            "plan.cost": 'cost 1\nimport "./a.cost" (a)\n',
            "a.cost": 'cost 1\nimport "./b.cost" (b)\nlet a = 1\n',
            "b.cost": 'cost 1\nimport "./a.cost" (a)\nlet b = 1\n',
        }
    )
    program = load(Path("plan.cost"))
    assert only(program) == {
        "code": "import-cycle",
        "message": "these files import each other",
        "at": [
            ("b.cost:2:8", '"./a.cost"', "this import closes the circle"),
            ("a.cost:2:8", '"./b.cost"', "on the way round"),
        ],
        "notes": ("the way round: a.cost → b.cost → a.cost",),
        "help": None,
    }
    assert [["a.cost"], ["b.cost"], [None]] == [
        [item.key for item in file.imports] for file in program.files
    ]


def test_a_file_cannot_import_itself(project: Path) -> None:
    write({"plan.cost": 'cost 1\nimport "./../project/plan.cost" (a)\nlet a = 1\n'})
    assert only(load(Path("plan.cost"))) == {
        "code": "import-cycle",
        "message": "this file imports itself",
        "at": [("plan.cost:2:8", '"./../project/plan.cost"', "this import closes the circle")],
        "notes": ("the way round: plan.cost → plan.cost",),
        "help": None,
    }


def test_a_long_chain_of_files_is_no_circle(project: Path) -> None:
    write({f"f{n}.cost": f'cost 1\nimport "./f{n + 1}.cost" (a)\nlet a = 1\n' for n in range(190)})
    write({"f190.cost": "cost 1\nlet a = 1\n"})
    codes = {item.code for item in load(Path("f0.cost")).diagnostics}
    assert {"name-conflict"} == codes


# ---- names


def test_a_name_that_the_file_does_not_declare_offers_the_near_ones(project: Path) -> None:
    write({"plan.cost": 'cost 1\nimport "./a.cost" (widht)\n', "a.cost": "cost 1\nlet width = 1\n"})
    assert only(load(Path("plan.cost"))) == {
        "code": "unknown-import",
        "message": "`a.cost` declares no `widht`",
        "at": [("plan.cost:2:20", "widht", "not declared there")],
        "notes": (),
        "help": "did you mean `width`?",
    }


def test_a_name_that_the_library_declares_elsewhere_is_shown_there(
    project: Path, shipped: Path
) -> None:
    assert only(load(Source("<text>", "cost 1\nimport std.format (llama_2_70b)\n"))) == {
        "code": "unknown-import",
        "message": "`specs/std/format.cost` declares no `llama_2_70b`",
        "at": [("<text>:2:20", "llama_2_70b", "not declared there")],
        "notes": (),
        "help": "the library declares it elsewhere: `import models.llama (llama_2_70b)`",
    }


def test_a_name_is_imported_from_where_it_is_declared(project: Path, shipped: Path) -> None:
    assert only(load(Source("<text>", "cost 1\nimport std.ops (width)\n"))) == {
        "code": "indirect-import",
        "message": "`width` is not declared in `specs/std/ops.cost`, only imported there",
        "at": [("<text>:2:17", "width", "not declared there")],
        "notes": (),
        "help": "import it from where it is declared: `import std.format (width)`",
    }


def test_the_place_of_a_declaration_is_told_relative_to_the_reader(project: Path) -> None:
    write(
        {
            "sub/plan.cost": 'cost 1\nimport "../a.cost" (b)\n',
            "a.cost": 'cost 1\nimport "./far/b.cost" (b)\n',
            "far/b.cost": "cost 1\nlet b = 1\n",
        }
    )
    expected = 'import it from where it is declared: `import "../far/b.cost" (b)`'
    assert expected == only(load(Path("sub/plan.cost")))["help"]


def test_what_a_faulty_file_lacks_is_not_told_again(project: Path) -> None:
    write({"plan.cost": 'cost 1\nimport "./a.cost" (a)\n', "a.cost": "cost 1\nlet a = )\n"})
    assert ["a.cost"] == [
        item.span.source.name for item in load(Path("plan.cost")).diagnostics if item.is_error
    ]


def test_a_name_imported_twice_shows_both_places(project: Path) -> None:
    write(
        {
            "plan.cost": 'cost 1\nimport "./a.cost" (x)\nimport "./b.cost" (x)\n',
            "a.cost": "cost 1\nlet x = 1\n",
            "b.cost": "cost 1\nlet x = 1\n",
        }
    )
    assert only(load(Path("plan.cost"))) == {
        "code": "name-conflict",
        "message": "`x` has two meanings in this file",
        "at": [
            ("plan.cost:3:20", "x", "imported again here"),
            ("plan.cost:2:20", "x", "first imported here"),
        ],
        "notes": (),
        "help": None,
    }


def test_a_name_imported_and_declared_shows_both_places(project: Path) -> None:
    write(
        {
            "plan.cost": 'cost 1\nimport "./a.cost" (x)\nlet x = 2\n',
            "a.cost": "cost 1\nlet x = 1\n",
        }
    )
    assert only(load(Path("plan.cost"))) == {
        "code": "name-conflict",
        "message": "`x` has two meanings in this file",
        "at": [
            ("plan.cost:2:20", "x", "imported here"),
            ("plan.cost:3:5", "x", "declared here"),
        ],
        "notes": (),
        "help": None,
    }


# ---- the library


def test_the_index_names_what_the_library_declares(shipped: Path) -> None:
    expected = {"width": "std.format", "share": "std.ops", "llama_2_70b": "models.llama"}
    assert expected == library_index()


def test_the_index_of_the_shipped_library_is_what_its_files_declare() -> None:
    library_index.cache_clear()
    declared: dict[str, str] = {}
    for path in library_files():
        tree = parse(Source(str(path), path.read_text(encoding="utf-8"))).tree
        for item in tree.declarations:
            declared.setdefault(item.name.text, import_path(path))
    assert declared == library_index()
    assert library().is_dir()
