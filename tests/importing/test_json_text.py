"""JSON is read strictly, with the place of each value, and ends for every text."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costlang.emit.message import render
from costlang.importing.json_text import DEEPEST, Json, Members, parse_json
from costlang.text import Diagnostic, Source

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def plain(found: Json) -> Any:
    match found.value:
        case tuple():
            return [plain(item) for item in found.value]
        case Members():
            return {member.name: plain(member.value) for member in found.value.items}
        case value:
            return value


def read(text: str) -> Json | Diagnostic:
    return parse_json(Source("config.json", text))


@given(VALUES, st.booleans(), st.sampled_from([None, 2]))
def test_what_is_written_is_read(value: Any, ascii_only: bool, indent: int | None) -> None:
    found = read(json.dumps(value, ensure_ascii=ascii_only, indent=indent))
    assert isinstance(found, Json)
    assert value == plain(found)


@given(st.text(alphabet='{}[]",:\\u0123456789eE.-+truefalsn \n"', max_size=40))
def test_any_text_is_a_value_or_a_message_and_agrees_with_the_standard_library(text: str) -> None:
    found = read(text)
    try:
        wanted = json.loads(text, parse_float=Fraction)
    except (ValueError, ZeroDivisionError, OverflowError):
        assert isinstance(found, Diagnostic)
        return
    if isinstance(found, Json):
        assert wanted == plain(found)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this is empty"),
        ('{"a": 1} {}', "something follows the value"),
        ('{"a": 1,}', "a name in quotes is missing"),
        ("{'a': 1}", "a name in quotes is missing"),
        ('{"a" 1}', "a colon is missing"),
        ("[1 2]", "two parts have no comma between them"),
        ("[1", "two parts have no comma between them"),
        ('{"a": 1, "a": 1}', "`a` stands twice in one object"),
        ("NaN", "`NaN` is no number of JSON"),
        ("[-Infinity]", "`-Infinity` is no number of JSON"),
        ("1e400", "a number is beyond what any machine holds"),
        ("1e-9999999999", "a number is beyond what any machine holds"),
        ("1" * 41, "a number has more than 40 characters"),
        ("0x10", "this is no value of JSON"),
        ("007", "this is no value of JSON"),
        ("True", "this is no value of JSON"),
        ('"open', "a text in quotes does not end on its line"),
        ('"\\x41"', "a backslash stands before what it cannot escape"),
        ("[" * 5000, f"lists and objects stand more than {DEEPEST} deep in each other"),
    ],
)
def test_what_is_no_json_is_a_message(text: str, message: str) -> None:
    found = read(text)
    assert isinstance(found, Diagnostic)
    assert ("json-fault", message) == (found.code, found.message)


def test_a_number_is_exact() -> None:
    assert Fraction(1, 10) == plain(read("0.1"))  # type: ignore[arg-type]
    assert 10**300 == plain(read("1e300"))  # type: ignore[arg-type]


TWICE = """\
error[json-fault]: `a` stands twice in one object
  --> config.json:2:3
   |
 1 | {"a": 1,
   |  --- first here
 2 |   "a": 2}
   |   ^^^ and again here
"""


def test_a_message_shows_the_place() -> None:
    found = read('{"a": 1,\n  "a": 2}')
    assert isinstance(found, Diagnostic)
    assert TWICE == render([found])
