"""A file is written whole, or not at all."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from costlang.files import write_new_text, write_text


def test_a_new_file_has_the_text_and_nothing_stands_beside_it(tmp_path: Path) -> None:
    write_text(tmp_path / "a.cost", "cost 1\n")
    assert ["a.cost"] == os.listdir(tmp_path)
    assert b"cost 1\n" == (tmp_path / "a.cost").read_bytes()


def test_line_ends_and_letters_are_kept_as_they_are(tmp_path: Path) -> None:
    write_text(str(tmp_path / "a.cost"), "# µ\r\n# é\n")
    assert "# µ\r\n# é\n".encode() == (tmp_path / "a.cost").read_bytes()


def test_a_file_that_was_there_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a.cost"
    path.write_text("old")
    path.chmod(0o640)
    write_text(path, "new")
    assert ("new", 0o640) == (path.read_text(), stat.S_IMODE(path.stat().st_mode))


def test_a_new_file_has_the_mode_that_any_new_file_has(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    write_text(tmp_path / "a.cost", "")
    assert (tmp_path / "plain").stat().st_mode == (tmp_path / "a.cost").stat().st_mode


def test_a_link_goes_on_pointing_at_its_file(tmp_path: Path) -> None:
    (tmp_path / "a.cost").write_text("old")
    (tmp_path / "link").symlink_to("a.cost")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert "new" == (tmp_path / "a.cost").read_text()


def test_a_folder_that_is_missing_raises(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_text(tmp_path / "none" / "a.cost", "")


def test_a_failure_leaves_the_old_content_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.cost"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise PermissionError("no")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(PermissionError):
        write_text(path, "new")
    assert (["a.cost"], "old") == (os.listdir(tmp_path), path.read_text())


def test_text_that_is_no_utf_8_touches_nothing(tmp_path: Path) -> None:
    with pytest.raises(UnicodeEncodeError):
        write_text(tmp_path / "a.cost", "\ud800")
    assert [] == os.listdir(tmp_path)


def test_writers_that_race_leave_one_whole_text(tmp_path: Path) -> None:
    path = tmp_path / "a.cost"
    texts = [letter * 50_000 for letter in "abcdefgh"]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda text: write_text(path, text), texts))
    assert path.read_text() in texts
    assert ["a.cost"] == os.listdir(tmp_path)


def test_a_new_file_is_only_made_where_there_is_none(tmp_path: Path) -> None:
    write_new_text(tmp_path / "a.cost", "first")
    (tmp_path / "loose.cost").symlink_to(tmp_path / "nowhere")
    for name in ("a.cost", "loose.cost"):
        with pytest.raises(FileExistsError):
            write_new_text(tmp_path / name, "second")
    assert "first" == (tmp_path / "a.cost").read_text()
    assert ["a.cost", "loose.cost"] == sorted(os.listdir(tmp_path))


def test_what_is_no_file_is_never_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder"):
        with pytest.raises(OSError, match="no file"):
            write_text(tmp_path / name, "new")
    assert ["folder", "pipe"] == sorted(os.listdir(tmp_path))
    assert (tmp_path / "pipe").is_fifo()
