"""What an author writes cannot act on a terminal, on a page, or in a formula."""

from __future__ import annotations

import json
import unicodedata

import pytest

import costlang
from costlang.emit.message import render
from costlang.emit.report_json import report_json
from costlang.emit.report_text import Paper, report_text
from tests.safety.asked import report, spec

SIGNS = {
    "a colour": "\x1b[31m",
    "a title of the window": "\x1b]0;owned\x07",
    "a bare escape": "\x1b",
    "an eight-bit control": "\x9b31m",
    "a step back": "safe\b\b\b\b",
    "a new page": "safe\x0cunsafe",
    "a bell": "\x07",
    "the other direction": "\u202etxt.exe",
    "an isolate": "\u2066x\u2069",
    "a mark of direction": "\u200f",
    "a line of its own": "\u2028x",
    "nothing to see": "\u200b\ufeff",
    "delete": "\x7f",
}
ACTS = ("Cc", "Cf", "Zl", "Zp", "Cs")


def active(text: str) -> set[str]:
    """Return the signs of *text* that would act on a terminal."""
    return {char for char in text if unicodedata.category(char) in ACTS and char != "\n"}


def everywhere(sign: str) -> str:
    """Return a file with *sign* wherever a text may stand that is shown."""
    things = f"""\
## {sign}
interface t {{
  ## {sign}
  param x : ratio = 1 source "{sign}"
  require low: x < # {sign}
    1
}}
model m is t {{ x = 2 source "{sign}" }}
"""
    return spec(
        "use u = m",
        f"query q: u.x + # {sign}\n  1",
        "query r: breakdown u.x + u.x",
        f"query v: sweep u.x * # {sign}\n 2 over u.x in {{1, 2}}",
        f"query w: max(u.x, # {sign}\n 3)",
        f"query y: u.x > # {sign}\n 3",
        f'check c: u.x == # {sign}\n 7 source "{sign}"',
        f"check d: u.x / 0 # {sign}\n == 1",
        before=things,
    )


@pytest.mark.parametrize("name", SIGNS)
def test_a_report_has_no_sign_that_acts(name: str) -> None:
    found = report(everywhere(SIGNS[name]))
    assert () == tuple(item for item in found.diagnostics if item.is_error)
    assert 6 == len(found.answers) + 1 and 2 == len(found.checks)
    text = report_text(found, Paper(colour=False))
    assert set() == active(text)
    notes = [x.note for x in (*found.answers, *found.checks) if x.note is not None]
    assert set() == active(render(notes))


@pytest.mark.parametrize("name", SIGNS)
def test_colour_is_the_only_thing_that_acts(name: str) -> None:
    text = report_text(report(everywhere(SIGNS[name])), Paper(colour=True))
    assert {"\x1b"} == active(text)
    assert "\x1b[31m" not in text and "\x1b]" not in text


@pytest.mark.parametrize("name", SIGNS)
def test_a_message_has_no_sign_that_acts(name: str) -> None:
    sign = SIGNS[name]
    for text in (f"cost 1\nlet a = {sign}\n", f"cost 1\nlet {sign} = 1\n", f'cost 1\n"{sign}\n'):
        found = render(report(text).diagnostics)
        assert "" != found and set() == active(found)


@pytest.mark.parametrize("name", SIGNS)
def test_json_gives_the_words_of_the_author_back(name: str) -> None:
    sign = SIGNS[name]
    data = report_json(report(everywhere(sign)), "0")
    assert sign == data["checks"][0]["source"]
    assert data == json.loads(json.dumps(data, ensure_ascii=False))


# ---- pages and formulas


MARKUP = "<script>alert(1)</script>&lt;'"


def test_markup_in_a_file_is_no_markup_of_a_formula() -> None:
    """Names have letters and digits alone; a text of the author's is in no formula."""
    text = spec(
        "param p : ratio",
        f'let y = p * # {MARKUP}\n  2 source "{MARKUP}"',
        "query q: y",
    )
    spec_ = costlang.loads(text)
    formula = spec_.scenario("s").formula(f"y + # {MARKUP}\n 1")
    for written in (formula.mathml(), formula.latex(), formula.unicode(), repr(formula)):
        assert "script" not in written and "alert" not in written
    assert "<math" in formula.mathml()


@pytest.mark.parametrize("name", ["a_b", "__class__", "x_1_2", "_", "__", "a__b", "beta", "E_"])
def test_a_name_is_escaped_where_it_would_mean_something_in_latex(name: str) -> None:
    text = spec(f"param {name} : ratio", f"let y = {name} ^ 2", "query q: y")
    formula = costlang.loads(text).scenario("s").formula("y")
    latex = formula.latex()
    assert latex.count("{") == latex.count("}")
    assert "__" not in latex.replace(r"\_", "")
    assert "<mi" in formula.mathml()
