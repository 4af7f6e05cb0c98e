"""What other grammars stumble over: names, comments, ends of files, precedence, brackets."""

from __future__ import annotations

from fractions import Fraction

import pytest

from costlang.loader import load
from costlang.model.check import check
from costlang.pipeline import Sentence, ask, run
from costlang.text import Source


def messages(text: str) -> list[tuple[str, int, int]]:
    """Return code, line and column of each message on *text*."""
    found = check(load(Source("s.cost", text))).diagnostics
    return [(item.code, item.span.line, item.span.column) for item in found]


def value(expression: str, *lines: str) -> object:
    body = "\n".join(f"  {line}" for line in lines)
    text = f"cost 1\nscenario s {{\n{body}\n  query q: {expression}\n}}\n"
    (answer,) = run(Source("s.cost", text)).answers
    return answer.value


NAMES = (
    "N B S E I Q beta gamma pi zeta lambda import eval exec lamda Symbol None True self os "
    "sys open print __class__ __import__ __builtins__ O oo nan zoo re im Integer Max Sum"
).split()


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_other_tools_take_for_something_is_a_plain_name(name: str) -> None:
    assert 42 == value(f"2 * {name}", f"let {name} = 21")


@pytest.mark.parametrize("name", NAMES)
def test_such_a_name_stays_a_symbol_in_a_formula(name: str) -> None:
    text = f"cost 1\nscenario s {{\n  param {name} : count\n  query q: 2 * {name} + 1\n}}\n"
    (answer,) = run(Source("s.cost", text)).answers
    assert answer.formula is not None or answer.free == (name,)
    assert (name,) == answer.free


@pytest.mark.parametrize("word", ["if", "then", "else", "and", "or", "not", "true", "inf"])
def test_a_word_of_every_expression_is_no_name(word: str) -> None:
    assert [("reserved-word", 2, 5)] == messages(f"cost 1\nlet {word} = 3\n")


WORDS = "model phase check table query use show at in over with source let import op".split()


@pytest.mark.parametrize("word", WORDS)
def test_a_keyword_is_a_name_where_a_name_stands(word: str) -> None:
    assert 42 == value(f"2 * {word}", f"let {word} = 21")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("-2^2", -4),
        ("2^3^2", 512),
        ("12 / 2 * 3", 18),
        ("1e9", 10**9),
        ("3.35e12", Fraction(3_350_000_000_000)),
        ("80GiB / 1 B", 80 * 2**30),
        ("4k", 4000),
        ("2 - 3 - 4", -5),
        ("not 1 > 2 and 3 > 2", True),
    ],
)
def test_operators_bind_as_in_mathematics(written: str, expected: object) -> None:
    assert expected == value(written)


SOUND = "cost 1\nmodel m {{\n{0}  let a = 1{1}\n{2}  let b = 2\n{3}}}\n"


@pytest.mark.parametrize("comment", ["# at the margin\n", "  # indented\n", "\t# by a tab\n"])
@pytest.mark.parametrize("place", range(4))
def test_a_comment_may_stand_on_any_line_of_a_block(comment: str, place: int) -> None:
    parts = ["", "", "", ""]
    parts[place] = comment if place != 1 else " # behind a statement"
    assert [] == messages(SOUND.format(*parts))


@pytest.mark.parametrize(
    "text",
    [
        "cost 1\nlet a = 1",
        "cost 1\r\nlet a = 1\r\n",
        "\ufeffcost 1\nlet a = 1\n",
        "cost 1\nlet a = (1 +\n  # inside brackets\n  2)\n",
        "cost 1 # the edition\n# the end",
        "# a comment first\n\ncost 1\n",
        "cost 1\n\n\n\tlet a\t=\t1\n",
        "cost 1\rlet a = 1\r",
    ],
)
def test_the_end_of_a_file_and_of_its_lines_may_be_any(text: str) -> None:
    assert [] == messages(text.removeprefix("\ufeff"))


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing but a comment\n"])
def test_a_file_without_anything_lacks_its_edition(text: str) -> None:
    assert [("missing-edition", 1, 1)] == messages(text)


def test_a_bracket_left_open_is_named_where_it_was_opened() -> None:
    assert [("unclosed-bracket", 2, 9)] == messages("cost 1\nlet a = (1 + 1\nlet b = 2\n")
    assert [("unclosed-bracket", 2, 9)] == messages("cost 1\nlet a = (1 + 1")


def test_a_text_that_ends_too_early_is_told_past_its_last_word() -> None:
    assert [("missing-expression", 2, 8)] == messages("cost 1\nlet a =")
    assert [("unexpected-end", 2, 6)] == messages("cost 1\nlet a")


def test_a_block_without_its_brace_is_told_at_its_opening() -> None:
    text = "cost 1\nmodel a {\n  let x = 1\n\nmodel b {\n  let y = 2\n}\n"
    assert [("unclosed-block", 2, 9)] == messages(text)


def test_a_missing_word_is_told_without_a_word_of_the_grammar() -> None:
    (found,) = check(load(Source("s.cost", "cost 1\ninterface a {\n  param x\n}\n"))).diagnostics
    assert "this line ends too early" == found.message
    assert "expected `:` or `as` or `in`" != found.primary.text
    assert found.primary.text == found.primary.text.replace("_NL", "").replace("RBRACE", "")


def test_a_misspelt_binding_is_a_mistake_and_never_passed_over() -> None:
    text = "cost 1\nscenario s {\n  param x : count\n  query q: 2 * x\n}\n"
    found = ask(Sentence("q at xx = 2", Source("s.cost", text), None, ()))
    assert ["unknown-name"] == [item.code for item in found.diagnostics]


def test_two_imports_of_one_name_from_two_files_show_both_places() -> None:
    text = "cost 1\nimport std.ops (linear)\nlet linear = 3\n"
    (found,) = check(load(Source("s.cost", text))).diagnostics
    assert "name-conflict" == found.code
    assert 2 == len([found.primary, *found.labels])
