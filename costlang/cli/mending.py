"""`costlang check --fix` and `--diff`: the sure mends of a file, put in or only shown."""

from __future__ import annotations

import sys
from pathlib import Path

from costlang.cli.writing import Output
from costlang.emit.canvas import Style, paint
from costlang.emit.display import shown
from costlang.files import write_text
from costlang.text import Source
from costlang.text.mending import difference, mended

ROUNDS = 8
"""How often a file is checked again, since some mistakes only show when others are gone."""


def mend_files(paths: list[str], output: Output, *, write: bool) -> None:
    """
    Mend each of *paths* as far as the mend is sure.

    *write* puts the mended text in place of the old, whole or not at all; otherwise the difference
    is shown, and no file is touched. Standard input cannot be mended in place.
    """
    for path in paths:
        if path == "-" or not Path(path).is_file():
            continue
        before, after, count = _mend(path)
        if not count:
            continue
        if write:
            write_text(path, after)
            mistakes = "mistake" if count == 1 else "mistakes"
            print(f"mended {count} {mistakes} in {shown(path)}", file=sys.stderr)
        else:
            _show(path, before, after, output)


def _mend(path: str) -> tuple[str, str, int]:
    """Return the text of the file at *path*, its mended text, and how many mends there were."""
    from costlang import pipeline

    before = after = _text(path)
    total = 0
    for _ in range(ROUNDS if before else 0):
        source = Source(path, after)
        found = pipeline.facts(source).diagnostics
        after, count = mended(source, found)
        total += count
        if not count:
            break
    return before, after, total


def _text(path: str) -> str:
    """Return the text at *path* with its line ends, nothing where it cannot be read."""
    from costlang.loader import text_at

    return text_at(path) or ""


def _show(path: str, before: str, after: str, output: Output) -> None:
    colour = output.coloured(sys.stdout)
    for line in difference(path, before, after):
        style = {"+": Style.HELP, "-": Style.ERROR, "@": Style.FRAME}.get(line[:1])
        text = shown(line)
        sys.stdout.write((paint(text, style, colour) if style else text) + "\n")
