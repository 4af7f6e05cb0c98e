"""What the pages of the manual show is what the program makes and prints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from costlang.docs.host import HOSTS
from costlang.docs.page import page_files
from costlang.docs.report import FAILING
from costlang.docs.words import OPTIONS, VIEWS
from costlang.docs.work import work_on
from costlang.pipeline import facts, prove
from costlang.prove.effort import Effort
from costlang.syntax import parse
from costlang.syntax import tree as t
from costlang.text import Source
from costlang.text.catalogue import CODES
from docs.tools import language_page, refresh, units_page
from docs.tools.pages import BLOCK, MADE, Block, blocks, commands, filled

DOCS = refresh.ROOT / "docs"
PAGES = [DOCS / name for name in refresh.PAGES]
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(#[^)]*)?\)")
CODE = re.compile(r"^(?:error|warning|note)\[([\w-]+)\]", re.M)


def text_of(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


# ---- each page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_shows_what_its_blocks_give(page: Path) -> None:
    assert page.read_text(encoding="utf-8") == refresh.fresh(page)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_block_of_a_page_is_one_that_is_run(page: Path) -> None:
    prose = MADE.sub("", page.read_text(encoding="utf-8"))
    known = {"cost", "console", "json", "markdown", "python", "pycon", "math", "sh"}
    assert {block.language for block in blocks(prose)} <= known
    assert "```" not in BLOCK.sub("", prose)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    for place, anchor in LINK.findall(BLOCK.sub("", page.read_text(encoding="utf-8"))):
        target = page.parent / place if place else page
        assert target.exists(), place
        assert not anchor or anchor in anchors(target), anchor


def anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
    return {"#" + re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_messages_of_a_page_have_codes_that_there_are(page: Path) -> None:
    assert set(CODE.findall(page.read_text(encoding="utf-8"))) <= set(CODES)


# ---- the language


def test_the_page_of_the_language_has_every_rule_of_the_grammar() -> None:
    shown = {found["name"] for found in MADE.finditer(text_of("language.md"))}
    assert set(language_page.makers()) == shown
    names = [rule.name for rules in language_page.sections().values() for rule in rules]
    assert len(names) == len(set(names))
    assert {"file", "param", "question", "expr", "NAME"} <= set(names)


def test_a_rule_is_shown_without_the_plumbing_of_the_parser() -> None:
    assert '"{" member … "}"' == language_page.readable(
        '"{" [_members] "}"', {"_members": "(member (_NL+ member)* _NL*)"}
    )
    assert "arg, …" == language_page.readable('arg ("," arg)* ","?', {})
    assert "ask (at | show)*" == language_page.readable("ask _tail*", {"_tail": "(at | show)"})
    assert "/[A-Za-z_]+/" == language_page.readable("/[A-Za-z_]+/", {})


def trees(node: t.Node) -> Iterator[t.Node]:
    yield node
    for inner in t.children(node):
        yield from trees(inner)


def kinds(base: type[t.Node] = t.Node) -> Iterator[type[t.Node]]:
    for kind in base.__subclasses__():
        yield kind
        yield from kinds(kind)


def test_every_construct_of_the_language_stands_in_an_example_of_its_page() -> None:
    specs = [b.text for b in blocks(text_of("language.md")) if b.language == "cost"]
    files = [parse(Source("page.cost", text)).tree for text in specs]
    used = {type(node) for file in files for node in trees(file)}
    leaves = {kind for kind in kinds() if not kind.__subclasses__()}
    assert set() == {kind.__name__ for kind in leaves - used}


WRONG_LAW = """\
cost 1
record box {
  param users : count = 1
  law wrong: users <= 0
}
"""


def test_the_page_says_who_decides_a_law_that_is_wrong() -> None:
    report = facts(Source("law.cost", WRONG_LAW))
    assert report.true and not report.diagnostics
    (judged,) = prove(Source("law.cost", WRONG_LAW), Effort()).outcomes
    assert "refuted" == judged.status
    assert "costlang prove" in text_of("language.md")


# ---- the units


def test_the_page_of_units_has_every_table() -> None:
    shown = {found["name"] for found in MADE.finditer(text_of("units.md"))}
    assert set(units_page.makers()) == shown


def test_a_refused_spelling_stands_with_what_to_write() -> None:
    table = units_page.refused()
    assert "| `Tbps` | hides a division | `Tbit/s` for bits or `TB/s` for bytes |\n" in table
    assert "`toks`" in table


# ---- the machinery


def test_a_command_that_goes_on_in_the_next_line_is_one_command() -> None:
    assert ["$ costlang ask 'a' \\\n    plan.cost", "$ costlang run x"] == list(
        commands("$ costlang ask 'a' \\\n    plan.cost\nb = 3\n\n$ costlang run x\n")
    )


def test_a_block_knows_its_file() -> None:
    assert "a.cost" == Block(("cost", "file=a.cost", "wrong"), "").file
    assert Block(("cost",), "").file is None


def test_a_spec_that_is_not_what_its_fence_says_is_told() -> None:
    sound = "```cost file=a.cost wrong\ncost 1\nlet a = 1\n```\n"
    with pytest.raises(ValueError, match="nothing is wrong with it"):
        filled(sound, {})
    with pytest.raises(ValueError, match="nothing is called `b`"):
        filled("```cost\ncost 1\nlet a = b\n```\n", {})


def test_what_python_prints_is_shown_below_it() -> None:
    page = "```pycon\n>>> x = 2\n>>> print(x)\nold\n>>> 1 / 0\n```\n\n```math\nold\n```\n"
    error = "Traceback (most recent call last):\n    ...\nZeroDivisionError: division by zero\n"
    new = f"```pycon\n>>> x = 2\n>>> print(x)\n2\n>>> 1 / 0\n{error}```\n\n```math\n{error}```\n"
    assert new == filled(page, {})


def test_every_option_of_an_embed_is_in_the_manual() -> None:
    page = text_of("embedding.md")
    for name in OPTIONS:
        assert re.search(rf"`[^`\n]*\b{name}\b", page), name
    for view in VIEWS:
        assert view in page, view
    for host in HOSTS:
        assert f"`{host}`" in page, host


def test_the_pages_with_embeds_say_what_their_specs_say(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("babel")
    monkeypatch.chdir(refresh.ROOT)
    outcome = work_on(list(page_files(("docs", "README.md"))))
    assert () == outcome.diagnostics
    assert [] == [found.slot.embed.subject for _, found in outcome.found(*FAILING, "moved")]
