"""What lies on a disk and is no plain file of a project: links, pipes, circles, sizes, bytes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from costlang import pipeline
from costlang.cli.paths import spec_files
from costlang.emit.message import render
from costlang.loader.loading import MAX_FILES, MAX_WORDS
from costlang.loader.reading import MAX_BYTES
from costlang.text import Source

GOOD = "cost 1\nlet a = 1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty project, which is the working folder."""
    place = tmp_path / "project"
    place.mkdir()
    (place / "pyproject.toml").touch()
    monkeypatch.chdir(place)
    return place


def said(name: str) -> str:
    """Return what is said of the file *name*, with every message of it."""
    return render(pipeline.run(name).diagnostics)


def importing(path: str) -> str:
    return f'cost 1\nimport "{path}" (a)\n'


# ---- links


def test_a_link_out_of_the_project_is_not_imported(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.cost").write_text("cost 1\nlet a = top_secret\n")
    (folder / "link.cost").symlink_to(tmp_path / "secret.cost")
    (folder / "x.cost").write_text(importing("./link.cost"))
    expected = """\
error[import-outside-root]: an import cannot leave the project
  --> x.cost:2:8
   |
 2 | import "./link.cost" (a)
   |        ^^^^^^^^^^^^^ outside the project and the library
   |
   = a project is the nearest folder with a `pyproject.toml` or a `.git`, or else \
the folder of the file that was asked for
"""
    assert expected == said("x.cost")


def test_a_linked_folder_that_leads_out_is_not_imported_from(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.cost").write_text(GOOD)
    (folder / "inner").symlink_to(tmp_path / "other")
    (folder / "x.cost").write_text(importing("./inner/a.cost"))
    assert said("x.cost").startswith("error[import-outside-root]: ")


def test_a_link_inside_the_project_is_the_file_it_leads_to(folder: Path) -> None:
    (folder / "a.cost").write_text(GOOD)
    (folder / "link.cost").symlink_to("a.cost")
    (folder / "x.cost").write_text(importing("./link.cost"))
    assert "" == said("x.cost")


def test_a_link_to_itself_is_no_file(folder: Path) -> None:
    (folder / "loop.cost").symlink_to("loop.cost")
    (folder / "x.cost").write_text(importing("./loop.cost"))
    assert said("x.cost").startswith("error[missing-import]: there is no file `loop.cost`")
    assert said("loop.cost").startswith("error[unreadable-file]: `loop.cost` cannot be read")


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there is no such device")
def test_a_link_to_a_device_without_end_is_not_read(folder: Path) -> None:
    (folder / "zero.cost").symlink_to("/dev/zero")
    (folder / "x.cost").write_text(importing("./zero.cost"))
    assert said("x.cost").startswith("error[import-outside-root]: ")
    assert said("zero.cost").startswith("error[file-too-large]: ")
    assert ["x.cost"] == list(spec_files((".",)))


# ---- what is called so and is no file


def test_a_folder_is_searched_for_files_alone(folder: Path, tmp_path: Path) -> None:
    (folder / "a.cost").write_text(GOOD)
    (folder / "b.cost").mkdir()
    (folder / "b.cost" / "c.cost").write_text(GOOD)
    (folder / "gone.cost").symlink_to("nothing")
    (folder / "loop.cost").symlink_to("loop.cost")
    (tmp_path / "secret.cost").write_text("cost 1\n? secret\n")
    (folder / "out.cost").symlink_to(tmp_path / "secret.cost")
    (folder / "same.cost").symlink_to("a.cost")
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe.cost")
    expected = ["a.cost", str(Path("b.cost", "c.cost")), "same.cost"]
    assert expected == list(spec_files((".",)))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_is_no_file_to_import(folder: Path) -> None:
    os.mkfifo(folder / "pipe.cost")
    (folder / "x.cost").write_text(importing("./pipe.cost"))
    assert said("x.cost").startswith("error[missing-import]: there is no file `pipe.cost`")


def test_a_folder_is_no_file(folder: Path) -> None:
    (folder / "a.cost").mkdir()
    (folder / "x.cost").write_text(importing("./a.cost"))
    assert said("x.cost").startswith("error[missing-import]: there is no file `a.cost`")
    assert said("a.cost").startswith("error[unreadable-file]: `a.cost` cannot be read")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all")
def test_a_file_that_may_not_be_read_says_so(folder: Path) -> None:
    (folder / "a.cost").write_text(GOOD)
    (folder / "a.cost").chmod(0)
    assert said("a.cost").startswith("error[unreadable-file]: `a.cost` cannot be read")


# ---- circles and sizes


def test_files_that_import_each_other_are_a_circle(folder: Path) -> None:
    for name, other in (("a", "b"), ("b", "c"), ("c", "a")):
        text = f'cost 1\nimport "./{other}.cost" ({other})\nlet {name} = {other}\n'
        (folder / f"{name}.cost").write_text(text)
    assert "error[import-cycle]: these files import each other\n" in said("a.cost")


def test_a_program_has_so_many_files_and_no_more(folder: Path) -> None:
    for n in range(MAX_FILES):
        (folder / f"f{n}.cost").write_text(f"cost 1\nlet a{n} = {n}\n")
    lines = [f'import "./f{n}.cost" (a{n})' for n in range(MAX_FILES)]
    (folder / "x.cost").write_text("\n".join(["cost 1", *lines[:-1], ""]))
    assert "" == said("x.cost")
    (folder / "x.cost").write_text("\n".join(["cost 1", *lines, ""]))
    expected = """\
error[too-many-files]: a program has at most 200 files
   --> x.cost:201:8
    |
201 | import "./f199.cost" (a199)
    |        ^^^^^^^^^^^^^ one file too many
"""
    assert expected == said("x.cost")


def test_a_program_has_so_many_words_and_no_more(folder: Path) -> None:
    """The main file has twelve words and signs, a file with an enum of n members 2 n + 5."""
    (folder / "x.cost").write_text('cost 1\nimport "./a.cost" (a)\nimport "./b.cost" (b)\n')
    members = (MAX_WORDS - 12 - 2 * 5) // 2
    for name, count in (("a", members // 2), ("b", members - members // 2)):
        names = ", ".join(f"{name}{n}" for n in range(count))
        (folder / f"{name}.cost").write_text(f"cost 1\nenum {name} {{ {names} }}\n")
    assert "" == said("x.cost")
    with (folder / "b.cost").open("a") as stream:
        stream.write("enum c { d }\n")
    expected = """\
error[too-many-tokens]: the files of a program have at most 60,000 words, numbers and signs
  --> x.cost:3:8
   |
 3 | import "./b.cost" (b)
   |        ^^^^^^^^^^ too many with this file
"""
    assert expected == said("x.cost")


def test_a_file_has_so_many_bytes_and_no_more(folder: Path) -> None:
    text = "cost 1\n#"
    (folder / "x.cost").write_text(text + "x" * (MAX_BYTES - len(text)))
    assert "" == said("x.cost")
    (folder / "x.cost").write_text(text + "x" * (MAX_BYTES - len(text) + 1))
    expected = """\
error[file-too-large]: `x.cost` is too large for a spec
  --> x.cost:1:1
   = more than 1 MB, the most that is read
"""
    assert expected == said("x.cost")


@pytest.mark.parametrize("piece", ["§", "a ", '"', "{", "\n\n", "1e9 ", "€", "let = 1\n", "\t"])
def test_ten_megabytes_are_refused_before_they_are_read(folder: Path, piece: str) -> None:
    (folder / "x.cost").write_text("cost 1\n" + piece * (10_000_000 // len(piece)))
    assert said("x.cost").startswith("error[file-too-large]: ")


@pytest.mark.parametrize("piece", ["x", "§", '"', "1", "# x ", "'", "\\", " ", "{"])
def test_a_line_of_a_megabyte_is_read_or_refused_in_a_few_words(folder: Path, piece: str) -> None:
    (folder / "x.cost").write_text("cost 1\n" + piece * (1_000_000 // len(piece)) + "\n")
    assert len(said("x.cost")) < 3_000


def test_of_thousands_of_imports_that_are_not_there_some_get_help(folder: Path) -> None:
    """The look for names that look alike takes longer than all the rest."""
    (folder / "x.cost").write_text("cost 1\n" + "import std.opz (params)\n" * 60)
    found = [item for item in pipeline.run("x.cost").diagnostics if item.code == "missing-import"]
    helped = [item.help for item in found]
    assert ["did you mean `std.ops`?"] * 50 + [None] * 10 == helped


# ---- bytes


def test_a_nul_byte_is_refused(folder: Path) -> None:
    (folder / "x.cost").write_bytes(b"cost 1\nlet a\0 = 1\n")
    expected = """\
error[nul-byte]: a NUL byte stands in this file
  --> x.cost:2:6
   |
 2 | let a␀ = 1
   |      ^
"""
    assert expected == said("x.cost")


@pytest.mark.parametrize("data", [b"\xff\xfe", b"\xed\xa0\x80", b"\xc0\x80", b"\xf5\x80\x80\x80"])
def test_bytes_that_are_no_text_are_refused(folder: Path, data: bytes) -> None:
    """Another encoding, half a character, an overlong NUL, and what lies beyond Unicode."""
    (folder / "x.cost").write_bytes(b"cost 1\n# " + data + b"\n")
    expected = """\
error[not-utf8]: `x.cost` is not UTF-8
  --> x.cost:2:3
"""
    assert expected == said("x.cost")[: len(expected)]


@pytest.mark.parametrize("path", ["./\ud800.cost", "./a\0.cost", "./" + "a" * 5000, "./a/" * 900])
def test_a_path_that_no_file_can_have_is_not_found(path: str) -> None:
    found = pipeline.run(Source("x.cost", f'cost 1\nimport "{path}" (a)\n'))
    assert {"missing-import", "nul-byte"} > {item.code for item in found.diagnostics} > set()
    assert "" != render(found.diagnostics)


def test_half_a_character_in_a_text_given_by_python_is_a_stray_one() -> None:
    found = pipeline.run(Source("x.cost", "cost 1\nlet a = \ud800\n"))
    assert "\ud800" not in render(found.diagnostics)
    assert sys.getrecursionlimit() < 5_000
