"""The table of limits in `docs/safety.md` is that of the code, and so are the commands of it."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from costlang.text.catalogue import CODES

PAGE = (Path(__file__).parents[2] / "docs" / "safety.md").read_text(encoding="utf-8")
HEADER = "| what | most | past it | constant |"


def rows() -> list[list[str]]:
    """Return the cells of the table of limits."""
    table = PAGE[PAGE.index(HEADER) :].split("\n\n", maxsplit=1)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0])
def test_a_limit_of_the_page_is_that_of_the_code(row: list[str]) -> None:
    _, most, past, constant = row
    module, _, name = constant.strip("`").rpartition(".")
    assert int(most.replace(",", "")) == getattr(
        importlib.import_module(f"costlang.{module}"), name
    )
    assert past in ("a certified interval", "two decimals around it") or past.strip("`") in CODES


def test_the_table_has_every_limit() -> None:
    assert 21 == len(rows())


def test_the_counts_of_the_page_are_those_of_a_good_run() -> None:
    found = re.search(r"^```text\n\$ (.*?)\n(.*?)^```", PAGE, re.M | re.S)
    assert found is not None
    asked = re.search(r"benchmarks/fuzz\.py --inputs (\d+)", found.group(1))
    counts = dict(re.findall(r"^(\w[\w ]*?) {2,}([\d,]+)", found.group(2), re.M))
    numbers = {name: int(count.replace(",", "")) for name, count in counts.items()}
    assert asked is not None and int(asked.group(1)) == numbers["inputs"]
    assert 0 == numbers["faults"]
    assert numbers["parsed"] >= numbers["inputs"] / 3
    assert numbers["answered"] >= numbers["inputs"] / 10
