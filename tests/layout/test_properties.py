"""Laws of laying out: a second time changes nothing, nothing is lost, and spaces never matter."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from costlang.layout import lay_out, same
from costlang.layout.pieces import Piece, pieces_of
from costlang.syntax import parse
from costlang.text import Source

SPECS = sorted((Path(__file__).parents[2] / "specs").rglob("*.cost"))
COMMENTS = ["# c", "#", "##", "## d", "# a  \t", '# " { (', "#é\t1"]
WORDS = re.compile(r'"[^"\n]*"|(#[^\r\n]*)')
BEFORE = {"+", "*", "/", "^", "<=", "==", "then", "else", "with", "at", "for", "where", "source"}
AFTER = {"{", ",", "=", ":", "+", "*", "/", "^", "->", "==", "<="}
slow = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])


def laid_out(text: str) -> str:
    found = lay_out(Source("s.cost", text))
    assert found.text is not None
    return found.text


def sound(text: str) -> bool:
    return not parse(Source("s.cost", text)).diagnostics


def comments(text: str) -> list[str]:
    return [found[1].rstrip() for found in WORDS.finditer(text) if found[1] is not None]


def assert_lawful(text: str) -> None:
    """A second time changes nothing; the tree and the comments are as they were; no line trails."""
    once = laid_out(text)
    assert once == laid_out(once)
    assert comments(text) == comments(once)
    assert same(parse(Source("a", text)).tree, parse(Source("b", once)).tree)
    assert once.endswith("\n")
    assert not re.search(r"[ \t]\n|\n\n\n|\n\n *\}|\{\n\n|\A\n", once)


# ---- specs of the library, written otherwise


@st.composite
def specs(draw: st.DrawFn) -> tuple[str, tuple[Piece, ...]]:
    """A shipped spec, and its pieces."""
    path = draw(st.sampled_from(SPECS))
    text = path.read_text(encoding="utf-8")
    return text, pieces_of(parse(Source(path.name, text)).tree)


@st.composite
def spaced_otherwise(draw: st.DrawFn) -> tuple[str, str]:
    """A spec, and the same with other spaces, indentation and line ends."""
    text, pieces = draw(specs())
    seed = draw(st.randoms(use_true_random=False))
    parts: list[str] = []
    before = 0
    for piece in pieces:
        gap = text[before : piece.start]
        parts += [_spaced(gap, seed.choice), piece.text]
        before = piece.end
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    made = "".join(parts).rstrip("\n") + draw(st.sampled_from(["", "\n", "\n \n\n"]))
    return text, made.replace("\n", end)


def _spaced(gap: str, choice: object) -> str:
    """Return the gap between two pieces with other blanks, its comments and breaks as they are."""
    assert callable(choice)
    if "\n" not in gap:
        return choice([" ", "  ", " \t"]) if gap else choice(["", "", " ", "\t "])
    lines = gap.split("\n")
    trail = [line.rstrip(" ") + choice(["", " ", "\t"]) for line in lines[:-1]]
    return "\n".join([*trail, choice(["", " ", "\t", "      "])])


@slow
@given(spaced_otherwise())
def test_spaces_and_line_ends_make_no_difference(pair: tuple[str, str]) -> None:
    text, made = pair
    assert laid_out(text) == laid_out(made)


@st.composite
def disturbed(draw: st.DrawFn) -> str:
    """A spec with comments, empty lines, spaces and breaks put in where they may stand."""
    text, pieces = draw(specs())
    chosen = draw(st.sets(st.integers(0, len(pieces) - 1), min_size=1, max_size=12))
    depths = _depths(pieces)
    parts: list[str] = []
    before = 0
    for at, piece in enumerate(pieces):
        gap = text[before : piece.start]
        if at in chosen:
            gap += draw(_gaps(_may_break(pieces, at, depths[at], gap)))
        parts += [gap, piece.text]
        before = piece.end
    return "".join(parts)


def _depths(pieces: tuple[Piece, ...]) -> list[int]:
    """Return in how many round and square brackets each piece stands."""
    found, depth = [], 0
    for piece in pieces:
        depth -= piece.text in (")", "]")
        found.append(depth)
        depth += piece.text in ("(", "[")
    return found


def _may_break(pieces: tuple[Piece, ...], at: int, depth: int, gap: str) -> bool:
    inside = depth > 0 and pieces[at].text not in ("(", "[")
    beside = pieces[at].text in BEFORE or (at > 0 and pieces[at - 1].text in AFTER)
    return inside or beside or "\n" in gap


def _gaps(may_break: bool) -> st.SearchStrategy[str]:
    blanks = st.sampled_from(["", " ", "   ", "\t"])
    if not may_break:
        return blanks
    line = st.one_of(st.just(""), st.sampled_from(COMMENTS))
    lines = st.lists(line, min_size=1, max_size=4)
    return st.builds(
        lambda first, all_, last: first + "\n".join([*all_, last]), blanks, lines, blanks
    )


@slow
@given(disturbed())
def test_a_spec_with_breaks_and_comments_anywhere_keeps_them(text: str) -> None:
    assume(sound(text))
    assert_lawful(text)


# ---- files from a small grammar

names = st.sampled_from(["a", "b", "model", "show", "check", "at_", "x1", "source_", "total"])
numbers = st.sampled_from(["0", "1", "28_672", "1.5e9", "80 GB", "80GB", "4 FLOP/tok^2", "85 %"])
units = st.sampled_from(["B", "B/s", "$/h", "FLOP/tok^2", "%"])
strings = st.sampled_from(['"a  page"', '"# no comment"', '"{ (é"', '""'])


def _operators(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    two = st.sampled_from(["+", "-", "*", "/", "^"])
    binary = st.builds("( {} {} {} )".format, inner, two, inner)
    return st.one_of(
        binary,
        st.builds("{} {} {}".format, inner, two, inner),
        st.builds("- {}".format, inner),
        st.builds("( {} )".format, inner),
        st.builds("f ( {} , a = {} )".format, inner, inner),
        st.builds("f ( {} , ) . flops".format, inner),
        st.builds("t [ {} ]".format, inner),
        st.builds("sum ( over i in 0 .. {} : {} )".format, inner, inner),
        st.builds("( if a <= {} then {} else {} )".format, inner, inner, inner),
        st.builds("( not a == {} and b or {} )".format, inner, inner),
    )


atoms = st.one_of(names, numbers, st.sampled_from(["inf", "?", "true"]))
exprs = st.recursive(atoms, _operators, max_leaves=6)
domains = st.one_of(
    st.builds("{} .. {}".format, exprs, exprs),
    st.builds("{} ..".format, names),
    st.builds("{{ {} , {} }}".format, exprs, exprs),
)
sources = st.one_of(st.just(""), st.builds(" source {}".format, strings))
members = st.one_of(
    st.builds("{} = {}{}".format, names, exprs, sources),
    st.builds("{} . y = {} .. {}{}".format, names, exprs, exprs, sources),
    st.builds("let {} = {}{}".format, names, exprs, sources),
    st.builds("let {} as L = {}".format, names, exprs),
    st.builds("let {} ( x : [{}] , given y : count = {} ) = {}".format, names, units, exprs, exprs),
    st.builds("param {} : [{}] in {}{}".format, names, units, domains, sources),
    st.builds("param {} as P : count = {}{}".format, names, exprs, sources),
    st.builds(
        "check {} : {} <= {} within 1 % at x = {}{}".format, names, exprs, exprs, exprs, sources
    ),
    st.builds("require {} : {} >= {}".format, names, exprs, exprs),
    st.builds("law {} : {} increasing in x where a > {}".format, names, exprs, exprs),
)
record_members = st.one_of(
    members,
    st.builds("term {} = f ( {} )".format, names, exprs),
    st.builds("override term {} = f ( {} )".format, names, exprs),
    st.builds("repeat {} as i {{ term x = f ( {} ) }}".format, names, exprs),
    st.builds("repeat {} {{\n{}\n}}".format, names, members),
    st.builds(
        "table {} as T : e -> [{}] {{\na = {}\n\nbcd = {}{}\n}}".format,
        names,
        units,
        exprs,
        exprs,
        sources,
    ),
)
scenario_members = st.one_of(
    members,
    st.builds("use {} = f ( {} )".format, names, exprs),
    st.builds("query {} : {} , {} show {} , $/h{}".format, names, exprs, exprs, units, sources),
    st.builds(
        "query {} : solve {} == {} for a , b show {} at x = {}".format,
        names,
        exprs,
        exprs,
        units,
        exprs,
    ),
    st.builds(
        "query {} : largest {} over x in {} with a < {}{}".format,
        names,
        exprs,
        domains,
        exprs,
        sources,
    ),
    st.builds("query {} : sweep {} over x in {}\nat y = {}".format, names, exprs, domains, exprs),
    st.builds("query {} : limit {} as x -> inf".format, names, exprs),
    st.builds("show {}".format, units),
)
remarks = st.sampled_from(["", "", "\n", *(f"{text}\n" for text in COMMENTS), "\n\n## d\n\n"])


@st.composite
def blocks(draw: st.DrawFn, head: str, inside: st.SearchStrategy[str]) -> str:
    """A declaration with statements, and remarks among them and behind them."""
    lines: list[str] = []
    for _ in range(draw(st.integers(0, 5))):
        behind = draw(st.sampled_from(["", "", " # r", "## r"]))
        lines.append(draw(remarks) + draw(inside) + behind)
    return "\n".join([head + "{" + draw(st.sampled_from(["", "# o", "## o"])), *lines, "}"])


declarations = st.one_of(
    blocks("model m is a . b ", record_members),
    blocks("phase p ( m : d )\n", members),
    blocks("op o(a: count,\n b: [tok] = 1 tok\n)", record_members),
    blocks("scenario s ", scenario_members),
    st.builds("enum e {{ a ,{}b }}".format, st.sampled_from(["", "\n", " # c\n", "\n\n# c\n"])),
    st.builds("resource {} : [{}]".format, names, units),
    st.builds("unit u = {}".format, exprs),
    st.builds("let {} =\n{}".format, names, exprs),
)


@st.composite
def files(draw: st.DrawFn) -> str:
    """A file of a few declarations, its words apart by other blanks, and breaks in brackets."""
    parts = draw(st.lists(st.tuples(remarks, declarations), max_size=4))
    text = "\n".join(["cost 1", *(remark + part for remark, part in parts)])
    return draw(remarks) + text + draw(st.sampled_from(["", "\n", "\n# end", "\n\n\n"]))


@slow
@given(files())
def test_a_file_of_any_shape_is_laid_out_lawfully(text: str) -> None:
    assume(sound(text))
    assert_lawful(text)
