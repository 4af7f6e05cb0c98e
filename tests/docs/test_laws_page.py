"""The page of laws has a row for each law of the library, and none beside them."""

from __future__ import annotations

import re
from pathlib import Path

from costlang.loader.shipped import library_files
from costlang.model import declared as d
from costlang.pipeline import model_of

PAGE = Path(__file__).parents[2] / "docs" / "laws.md"


def test_each_law_of_the_library_has_a_row() -> None:
    stated = [
        f"{owner.name}.{law.name}"
        for file in library_files()
        if "  law " in file.read_text(encoding="utf-8")
        for owner in model_of(file).main.own.values()
        if isinstance(owner, d.Owner)
        for law in owner.laws
    ]
    rows = re.findall(r"^\| `([^`]+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(stated) == sorted(rows)


def test_at_least_four_of_five_are_proved_and_none_is_refuted() -> None:
    text = PAGE.read_text(encoding="utf-8")
    share = re.search(r"are proved \((\d+) %\)", text)
    assert share is not None
    assert int(share[1]) >= 80
    assert "refuted |" not in text.split("<!-- laws -->")[1]
    assert "undecided |" not in text.split("<!-- laws -->")[1]
