"""Faults of reading that hostile texts once found, each mended and kept here."""

from __future__ import annotations

import pytest

from costlang.syntax import parse
from costlang.text import Source


def messages(*lines: str) -> list[tuple[str, str, int, str | None]]:
    text = "\n".join(["cost 1", "scenario s {", *lines, "}", ""])
    found = parse(Source("s.cost", text)).diagnostics
    return [(item.code, item.message, item.span.line, item.help) for item in found]


def test_a_number_that_ends_with_its_point_is_named_on_its_own_line() -> None:
    expected = ("stray-character", "a number does not end with its point", 3, "write `1`")
    assert [expected] == messages("query a: 1.", "query b: 2")


@pytest.mark.parametrize(
    "line",
    [
        "query q: 28,672",
        "query q: 28,672 show B",
        "query q: 1 at x = 28,672",
        "query q: 1 + 28,672",
        "let x = 28,672",
    ],
)
def test_a_comma_in_a_number_is_no_second_question(line: str) -> None:
    expected = ("comma-in-number", "a number has no commas", 3, "write `28_672`")
    assert [expected] == messages(line)


def test_a_comma_parts_two_numbers_in_brackets_and_in_sets() -> None:
    assert [] == messages(
        "param x : count in {1,128} = 1",
        "query q: max(28,672)",
        "query r: sweep x over x in {1,128}",
    )


def test_a_brace_that_closes_its_block_too_early_is_not_called_unopened() -> None:
    expected = ("unexpected-end", "this line ends too early", 3, None)
    assert [expected] == messages("query a: x.")


@pytest.mark.parametrize(
    "text",
    [
        "-" * 5000 + "1",
        "not " * 5000 + "true",
        "1^" * 5000 + "1",
        "1 + " * 5000 + "1",
        "if true then 1 else " * 3000 + "1",
        "a" + ".a" * 5000,
        "a" + "[1]" * 5000,
        "a" + "(1)" * 5000,
        "true and " * 5000 + "true",
    ],
)
def test_a_chain_of_thousands_of_operators_is_counted_before_it_is_read(text: str) -> None:
    expected = ("nesting-too-deep", "an expression has at most 1,000 operators", 3, None)
    assert [expected] == messages(f"query q: {text}")


def test_operators_are_counted_for_each_expression_and_not_for_a_file() -> None:
    assert [] == messages(*[f"let x{i} = 1 + 2 + 3" for i in range(1000)])
    assert [] == messages("let x = max(" + ", ".join(["1 + 2"] * 1500) + ")")


def test_an_expression_over_many_lines_is_counted_as_one() -> None:
    expected = "an expression has at most 1,000 operators"
    for text in ("let x = 1" + " +\n 2" * 1500, "let x = 1" + "\n + 2" * 1500):
        assert [expected] == [message for _, message, _, _ in messages(text)]
