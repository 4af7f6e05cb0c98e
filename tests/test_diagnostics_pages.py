"""Each code has a page, whose spec has that one fault, shows its whole message, and is mended."""

from __future__ import annotations

import re

import pytest

from costlang.text.catalogue import CODES
from docs.tools import diagnostics_pages as pages

WRITTEN = {path.stem: path for path in sorted(pages.FOLDER.glob("*.md")) if path.stem != "index"}
LINK = re.compile(r"\]\(([^)]+)\)")


def text_of(code: str) -> str:
    return WRITTEN[code].read_text(encoding="utf-8")


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert sorted(CODES) == sorted(WRITTEN)


def test_the_groups_of_the_index_hold_every_code_once() -> None:
    assert list(CODES) == [code for group in pages.GROUPS.values() for code in group]


def test_the_index_is_the_one_that_the_catalogue_makes() -> None:
    assert pages.index() == (pages.FOLDER / "index.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("code", WRITTEN)
def test_a_page_has_its_one_fault_and_its_mended_spec_has_none(code: str) -> None:
    assert [] == list(pages.slips(code, text_of(code)))


@pytest.mark.parametrize("code", WRITTEN)
def test_a_page_shows_the_whole_message(code: str) -> None:
    assert text_of(code) == pages.filled(text_of(code))


@pytest.mark.parametrize("code", WRITTEN)
def test_a_page_shows_both_specs_one_message_and_leads_to_pages_that_are_there(code: str) -> None:
    text = text_of(code)
    assert 1 == len(pages.MESSAGE.findall(text))
    for state in ("fault", "mended"):
        assert any(pages.blocks(text, word, state) for word in ("console", *pages.FILES))
    links = {link.removesuffix(".md") for link in LINK.findall(text)}
    assert code not in links and links <= set(CODES)


def test_what_stands_in_angles_is_written_as_often_as_the_fence_says() -> None:
    assert "let a = (((1)))\nb1\nb2\nb3\n" == pages.repeated("let a = ⟨(⟩1⟨)⟩\n⟨b{n}⟩\n", 3)
