"""The shipped specs are laid out as `costlang fmt` lays them out."""

from pathlib import Path

import pytest

from costlang.layout import lay_out
from costlang.text import Source

SPECS = sorted((Path(__file__).parents[2] / "specs").rglob("*.cost"))


@pytest.mark.parametrize("file", SPECS, ids=lambda file: file.stem)
def test_a_shipped_spec_is_laid_out_in_the_one_style(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert text == lay_out(Source(file.name, text)).text
