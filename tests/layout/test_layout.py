"""Specs laid out: each case of `cases.md`, and what cannot be seen on a page of Markdown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from costlang.layout import LayoutFault, lay_out
from costlang.layout import layout as making
from costlang.syntax import parse
from costlang.text import Source

SPECS = sorted((Path(__file__).parents[2] / "specs").rglob("*.cost"))
CASES = re.findall(
    r"^## (.+?)\n\n```cost\n(.*?)```\n\n```cost\n(.*?)```\n",
    Path(__file__).with_name("cases.md").read_text(encoding="utf-8"),
    re.M | re.S,
)
SMALL = "cost 1\nmodel m is p {\n  a = 1\n}\n"


def laid_out(text: str) -> str:
    found = lay_out(Source("s.cost", text))
    assert () == found.diagnostics
    assert found.text is not None
    assert found.changed == (found.text != text)
    return found.text


@pytest.mark.parametrize(("before", "after"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_case(before: str, after: str) -> None:
    assert after == laid_out(before)
    assert after == laid_out(after)


def test_every_text_of_the_cases_is_in_a_case() -> None:
    text = Path(__file__).with_name("cases.md").read_text(encoding="utf-8")
    assert text.count("```cost\n") == 2 * len(CASES)


@pytest.mark.parametrize(
    "text",
    [
        SMALL.replace("\n", "\r\n"),
        SMALL.replace("\n", "\r"),
        SMALL.replace("  a", "\ta"),
        SMALL.replace("a = 1", "a\t=  1 \t "),
        SMALL.removesuffix("\n"),
        SMALL + "\n\n  \n",
        SMALL.replace("  a", "                a"),
        "\n \n" + SMALL,
    ],
    ids=["crlf", "cr", "tab", "tabs", "no-end", "many-ends", "far-in", "late"],
)
def test_line_ends_tabs_and_blanks_are_made_one(text: str) -> None:
    assert SMALL == laid_out(text)


def test_a_comment_may_be_the_last_thing_without_a_line_end() -> None:
    assert SMALL + "# end\n" == laid_out(SMALL + "# end")
    assert SMALL[:-1] + "  # end\n" == laid_out(SMALL[:-1] + "# end")


def test_a_comment_loses_the_blanks_behind_it_and_nothing_else() -> None:
    assert "cost 1  #\tx  y\n" == laid_out("cost 1 #\tx  y \t\r\n")


def test_a_line_end_of_old_inside_a_string_stays() -> None:
    text = 'cost 1\nmodel m is p {\n  a = 1    source "x\ry"\n}\n'
    assert text == laid_out(text)


def test_a_text_with_mistakes_is_not_laid_out_and_tells_them() -> None:
    found = lay_out(Source("s.cost", "cost 1\nlet x =\nlet  y = 2\n"))
    assert (None, False) == (found.text, found.changed)
    assert ["missing-expression"] == [item.code for item in found.diagnostics]


def test_an_empty_file_has_a_mistake() -> None:
    assert ["missing-edition"] == [d.code for d in lay_out(Source("s.cost", "")).diagnostics]


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (SMALL.replace("1\n}", "2\n}"), "it would say something else"),
        (SMALL.replace("a", "b"), "it would say something else"),
        (SMALL.replace("a = 1", "a ="), "it would say something else"),
        (SMALL.replace("a = 1", "a = (1)"), "a word would be lost"),
        (SMALL.replace("a = 1", "a = 1  # c"), "a comment would be lost"),
        (SMALL.replace("  a", "   a"), "it would be laid out otherwise a second time"),
    ],
)
def test_a_fault_of_ours_is_found_before_it_is_handed_out(
    made: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, faulty = making._text, [made]
    monkeypatch.setattr(making, "_text", lambda *given: faulty.pop() if faulty else text(*given))
    expected = f"this is a fault of ours: s.cost cannot be laid out, since {why}"
    with pytest.raises(LayoutFault, match=f"^{re.escape(expected)}$"):
        lay_out(Source("s.cost", SMALL))


@pytest.mark.parametrize("path", SPECS, ids=[path.stem for path in SPECS])
def test_a_shipped_spec_says_the_same_when_it_is_laid_out(path: Path) -> None:
    before = Source(path.name, path.read_text(encoding="utf-8"))
    after = Source(path.name, laid_out(before.text))
    assert making.same(parse(before).tree, parse(after).tree)


def test_trees_that_say_different_things_are_not_the_same() -> None:
    trees = [
        parse(Source(name, f"cost 1\nlet x = {value}\n")).tree
        for name, value in (("a", "1 "), ("b", " 1"), ("c", "2"), ("d", '1 source "y"'))
    ]
    assert [True, True, False, False] == [making.same(trees[0], other) for other in trees]
