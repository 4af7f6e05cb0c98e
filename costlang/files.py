"""The only place that writes a file: whole, or not at all."""

from __future__ import annotations

import os
import stat
from errno import EINVAL
from pathlib import Path
from secrets import token_hex


def write_text(path: Path | str, text: str) -> None:
    """
    Make *text* the content of the file at *path*, in UTF-8, with its line ends as they are.

    A reader sees the old content or the new, never a part, also when two writers race. A file that
    was there keeps its mode, and a link goes on pointing at it. Raises `OSError` where the folder
    is missing or cannot be written and where a device, a pipe or a folder is there, and leaves
    nothing behind.
    """
    write_data(path, text.encode("utf-8"))


def write_data(path: Path | str, data: bytes) -> None:
    """Make *data* the content of the file at *path*, as `write_text` does."""
    target = Path(os.path.realpath(path))
    _ensure_replaceable(target)
    draft = target.parent / f".costlang-{token_hex(8)}.tmp"
    try:
        _write_new(draft, data)
        _copy_mode(target, draft)
        os.replace(draft, target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def write_new_text(path: Path | str, text: str) -> None:
    """
    Make a new file at *path* with *text*, as `write_text` does.

    Raises `FileExistsError` where something is there already, a link that leads nowhere included;
    of two writers that race, one does.
    """
    target = Path(path)
    draft = target.parent / f".costlang-{token_hex(8)}.tmp"
    try:
        _write_new(draft, text.encode("utf-8"))
        os.link(draft, target)
    finally:
        draft.unlink(missing_ok=True)


def make_folder(path: Path) -> None:
    """Make the folder *path*, with those around it; raises `OSError` where that cannot be."""
    path.mkdir(parents=True, exist_ok=True)


def _write_new(path: Path, data: bytes) -> None:
    with open(path, "xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _ensure_replaceable(path: Path) -> None:
    """Raise `OSError` where something else than a file is at *path*: it would be gone."""
    if path.exists() and not path.is_file():
        raise OSError(EINVAL, "something is there that is no file", str(path))


def _copy_mode(source: Path, target: Path) -> None:
    """Give *target* the mode of *source*, if there is one."""
    try:
        mode = stat.S_IMODE(source.stat().st_mode)
    except FileNotFoundError:
        return
    target.chmod(mode)
