"""Texts to trees: no conflict, lines that go on, and every mistake told once."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import MonkeyPatch

from costlang.syntax import cache, parse, parse_expression, tables
from costlang.syntax import tree as t
from costlang.syntax.cache import decode, encode
from costlang.syntax.grammar import grammar_file
from costlang.syntax.parser import WordLexer, build_parser
from costlang.text import Source


def codes(text: str) -> list[tuple[str, int]]:
    return [(item.code, item.span.line) for item in parse(Source("x.cost", text)).diagnostics]


def tree(text: str) -> t.Tree:
    parsed = parse(Source("x.cost", text))
    assert () == parsed.diagnostics
    return parsed.tree


def value(text: str) -> Fraction:
    """Work out an expression of plain numbers as the tree has it."""
    node, wrong = parse_expression(Source("x", text))
    assert () == wrong and node is not None
    return worth(node)


def worth(node: t.Expr) -> Fraction:
    match node:
        case t.Number(value=number):
            return number
        case t.Unary(operand=operand):
            return -worth(operand)
        case t.Binary(operator=operator, left=left, right=right):
            a, b = worth(left), worth(right)
            return {"+": a + b, "-": a - b, "*": a * b}.get(operator) or (
                a / b if operator == "/" else a ** int(b)
            )
    raise AssertionError(node)


def test_the_grammar_has_no_conflict() -> None:
    build_parser(strict=True)


def test_operators_bind_as_in_mathematics() -> None:
    assert (-4, 512, 6, 7) == (value("-2^2"), value("2^3^2"), value("12/4*2"), value("1+2*3"))


def test_numbers_are_exact_and_units_one_token() -> None:
    node, _ = parse_expression(Source("x", "3.35 TB/s"))
    assert isinstance(node, t.Number) and node.unit is not None
    assert (Fraction(335, 100), "TB/s") == (node.value, node.unit.text)
    assert Fraction(1000) == value("1e3")
    assert Fraction(28672) == value("28_672")


@pytest.mark.parametrize(
    "text",
    [
        "let a = 1 +\n  2",
        "let a = 1\n  + 2",
        "let a = max(1,\n\n  # between\n  2)",
        "let a =\n  if true\n  then 1\n  else 2",
        "enum e { a,\n  b,\n}",
        "interface i { param x : ratio in 0..\n  param y : [B] in {\n 1 B,\n 2 B } }",
    ],
)
def test_a_statement_goes_on_over_lines(text: str) -> None:
    assert 1 == len(tree(f"cost 1\n{text}\n").declarations)


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\n\n# end"])
@pytest.mark.parametrize("head", ["cost 1\n", "# a\n\ncost 1\r\n", "\tcost 1\n"])
def test_line_ends_comments_and_tabs_do_not_matter(head: str, end: str) -> None:
    assert 1 == len(tree(f"{head}let\ta = 1{end}").declarations)


def test_keywords_are_names_where_a_name_stands() -> None:
    names = "model phase check table param repeat term show query use law at in E S N I beta lambda"
    sets = "".join(f"  {name} = 1\n" for name in names.split())
    record = tree(f"cost 1\nrecord r is q {{\n{sets}}}\n").declarations[0]
    assert isinstance(record, t.Record)
    assert names.split() == [m.target.span.text for m in record.members if isinstance(m, t.Setting)]


def test_documentation_belongs_to_what_follows_it() -> None:
    found = tree("cost 1\n## one\n# no\n## two\nlet a = 1 ## no\n## last\n")
    assert [("one", "two")] == [d.docs for d in found.declarations]


BAD = """cost 1
let a = 3 ** 2
let b = 28,672
let c = $2.50/h
let d = 3 × 4
let e = 1 < 2 < 3
let f = 4 5
let g = 80 Gi B
let h = .5
interface i {
  let j = 1 +
  let k = "open
  param l : count in
}
let ok = (1 + 2
scenario s { check m: 3 = 4 }
"""


def test_every_mistake_of_a_file_is_told_once_in_order() -> None:
    assert [
        ("double-star", 2),
        ("comma-in-number", 3),
        ("money-before-number", 4),
        ("unicode-operator", 5),
        ("chained-comparison", 6),
        ("juxtaposition", 7),
        ("spaced-unit", 8),
        ("leading-dot", 9),
    ] == codes(BAD)[:8]
    assert {"unclosed-bracket", "single-equals"} <= {code for code, _ in codes(BAD)}


def test_what_is_sound_is_kept_beside_a_mistake() -> None:
    parsed = parse(Source("x", "cost 1\nlet a = 1\nlet b = * 2\nlet c = 3\n"))
    assert ["a", "c"] == [d.name.text for d in parsed.tree.declarations]
    assert ("b",) == parsed.lost


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "missing-edition"),
        ("cost 2\n", "unknown-edition"),
        ("cost 1\nlet a = 1\0", "nul-byte"),
        ("cost 1\ninterface i {\n let a = 1\n", "unclosed-block"),
        ("cost 1\nlet a = " + "(" * 200 + "1" + ")" * 200, "nesting-too-deep"),
        ("cost 1\nlet a = " + "1" * 101, "literal-too-long"),
        ("cost 1\nlet a = 2 ^ 65", "exponent-too-large"),
        ("cost 1\n" + "let a = 1\n" * 12_000, "too-many-tokens"),
    ],
)
def test_a_limit_is_a_message(text: str, code: str) -> None:
    assert code in [found for found, _ in codes(text)]


def test_a_limit_holds_what_it_allows() -> None:
    assert [] == codes("cost 1\nlet a = " + "1" * 100 + "\nlet b = 2 ^ 64\n")
    assert [] == codes("cost 1\nlet a = " + "(" * 100 + "1" + ")" * 100 + "\n")


def test_a_kept_tree_is_the_tree() -> None:
    text = "cost 1\nlet a(x: [tok], given y: count = 2) = if x > 1 tok then 0.5 else inf\n"
    source = Source("x", text)
    made = parse(source).tree
    assert made == decode(encode(made), source)


@given(st.text(max_size=200))
def test_no_text_makes_the_parser_fail(text: str) -> None:
    parse(Source("x", text))


@given(
    st.lists(
        st.sampled_from(
            'cost 1 let a = ( ) { } [ ] + * ^ , : \n # ## model is term if then 3 GB "x" ..'.split(
                " "
            )
        ),
        max_size=60,
    )
)
def test_no_mixture_of_words_makes_the_parser_fail(words: list[str]) -> None:
    parse(Source("x", " ".join(words)))


def test_kept_tables_parse_as_those_made_anew(tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "folder", lambda: tmp_path)
    grammar = grammar_file().read_text(encoding="utf-8")
    made = build_parser(strict=False)
    assert tables.recall_tables(grammar, WordLexer) is None
    tables.keep_tables(grammar, made)
    kept = tables.recall_tables(grammar, WordLexer)
    text = "cost 1\nlet a = 1 + 2 * b\nmodel m is n { x = 3 GB }\n"
    assert kept is not None
    assert made.parse(text, start="file") == kept.parse(text, start="file")


def test_half_a_table_is_as_good_as_none(tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "folder", lambda: tmp_path)
    tables.keep_tables("grammar", build_parser(strict=False))
    (file,) = (tmp_path / "tables").iterdir()
    file.write_text(file.read_text(encoding="utf-8")[:1000], encoding="utf-8")
    assert tables.recall_tables("grammar", WordLexer) is None


def test_a_folder_that_cannot_be_written_is_no_fault(monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "folder", lambda: Path("/dev/null/nowhere"))
    monkeypatch.setattr(tables, "folder", lambda: Path("/dev/null/nowhere"))
    assert () == parse(Source("x", "cost 1\nlet a = 41\n")).diagnostics
    tables.keep_tables("grammar", build_parser(strict=False))
