"""A message says what is wrong, where, what is there, and what would mend it."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from costlang.emit.message import render
from costlang.text import Diagnostic, Label, Severity, Source, Span

CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def at(source: Source, word: str, text: str = "", nth: int = 0) -> Label:
    """Return the label on the *nth* place of *word*."""
    start = -1
    for _ in range(nth + 1):
        start = source.text.index(word, start + 1)
    return Label(Span(source, start, start + len(word)), text)


def on_line(number: int, text: str, name: str = "llama.cost") -> Source:
    return Source(name, "\n" * (number - 1) + text)


def test_both_sides_of_a_line_are_marked_and_the_dimensions_lined_up() -> None:
    source = on_line(24, "  let footprint = w_bytes + kv_slot\n")
    message = Diagnostic(
        "dimension-mismatch",
        "these two cannot be added",
        at(source, "kv_slot", "B/tok, from llama.cost:21:7"),
        (at(source, "w_bytes", "B, from llama.cost:19:7"),),
        ("left side:  B", "right side: B · tok^-1"),
        "the right side lacks a factor in tok; in scope: context",
    )
    expected = """\
error[dimension-mismatch]: these two cannot be added
  --> llama.cost:24:29
   |
24 |   let footprint = w_bytes + kv_slot
   |                   -------   ^^^^^^^ B/tok, from llama.cost:21:7
   |                   B, from llama.cost:19:7
   |
   = left side:  B
     right side: B · tok^-1
   = help: the right side lacks a factor in tok; in scope: context
"""
    assert expected == render([message])


def test_a_fault_on_the_left_has_its_words_below() -> None:
    source = on_line(7, "let a = b + c + d\n")
    message = Diagnostic("x", "m", at(source, "b", "first"), (at(source, "d", "third"),))
    expected = """\
error[x]: m
  --> llama.cost:7:9
   |
 7 | let a = b + c + d
   |         ^       - third
   |         first
"""
    assert expected == render([message])


def test_three_marks_hang_by_threads() -> None:
    source = Source("a.cost", "let a = b + c + d\n")
    message = Diagnostic(
        "x", "m", at(source, "d", "third"), (at(source, "b", "first"), at(source, "c", "second"))
    )
    expected = """\
error[x]: m
  --> a.cost:1:17
   |
 1 | let a = b + c + d
   |         -   -   ^ third
   |         |   second
   |         first
"""
    assert expected == render([message])


def test_a_mark_inside_another_leaves_both_to_be_seen() -> None:
    source = Source("a.cost", "let y = f(a + b)\n")
    message = Diagnostic("x", "m", at(source, "a + b", "inner"), (at(source, "f(a + b)", "outer"),))
    expected = """\
error[x]: m
  --> a.cost:1:11
   |
 1 | let y = f(a + b)
   |         --^^^^^-
   |         | inner
   |         outer
"""
    assert expected == render([message])


def test_other_lines_are_shown_in_order_with_a_gap_where_lines_are_left_out() -> None:
    source = Source("a.cost", "cost 1\nlet a = 1\n\n\nlet b = 2\nlet a = 3\n")
    message = Diagnostic(
        "declared-twice",
        "`a` is declared twice",
        at(source, "a", "declared again here", nth=1),
        (at(source, "a", "first declared here"), at(source, "b", "between")),
    )
    expected = """\
error[declared-twice]: `a` is declared twice
  --> a.cost:6:5
   |
 2 | let a = 1
   |     - first declared here
...
 5 | let b = 2
   |     - between
 6 | let a = 3
   |     ^ declared again here
"""
    assert expected == render([message])


def test_another_file_has_a_picture_of_its_own() -> None:
    one = on_line(100, "import std.ops (share)\n", "plan.cost")
    other = on_line(3, "let share = 1\n", "specs/std/ops.cost")
    message = Diagnostic(
        "x", "m", at(one, "share", "here"), (at(other, "share", "there"),), help="mend"
    )
    expected = """\
error[x]: m
   --> plan.cost:100:17
    |
100 | import std.ops (share)
    |                 ^^^^^ here
   ::: specs/std/ops.cost:3:5
    |
  3 | let share = 1
    |     ----- there
    |
    = help: mend
"""
    assert expected == render([message])


def test_a_place_over_several_lines_is_marked_to_the_end_of_the_first() -> None:
    source = Source("a.cost", "let a = (1 +\n  2)\n")
    message = Diagnostic("x", "m", Label(Span(source, 8, 16), "all of this"))
    expected = """\
error[x]: m
  --> a.cost:1:9
   |
 1 | let a = (1 +
   |         ^^^^ all of this
"""
    assert expected == render([message])


def test_the_end_of_a_line_and_of_a_file_can_be_marked() -> None:
    source = Source("a.cost", "let a =\nlet b =")
    ends = [Label(Span(source, end, end), "a value is missing") for end in (7, 15)]
    expected = """\
error[x]: m
  --> a.cost:1:8
   |
 1 | let a =
   |        ^ a value is missing

error[x]: m
  --> a.cost:2:8
   |
 2 | let b =
   |        ^ a value is missing
"""
    assert expected == render([Diagnostic("x", "m", end) for end in ends])


def test_a_file_without_text_has_no_picture() -> None:
    source = Source("no.cost", "")
    message = Diagnostic(
        "missing-file", "there is no file `no.cost`", Label(Span(source, 0, 0), "not found")
    )
    expected = """\
error[missing-file]: there is no file `no.cost`
  --> no.cost:1:1
   = not found
"""
    assert expected == render([message])


def test_a_warning_and_a_note_say_so() -> None:
    source = Source("a.cost", "let a = 1\n")
    found = [
        Diagnostic("x", "m", at(source, "a"), severity=kind)
        for kind in (Severity.WARNING, Severity.NOTE)
    ]
    heads = [text for text in render(found).splitlines() if "[" in text]
    assert ["warning[x]: m", "note[x]: m"] == heads


def test_tabs_and_wide_letters_keep_the_marks_in_place() -> None:
    source = Source("a.cost", '\tlet a = 1 source "漢字 é e\u0301" + b\n')
    expected = """\
error[x]: m
  --> a.cost:1:31
   |
 1 |     let a = 1 source "漢字 é e\u0301" + b
   |                                   ^ here
"""
    assert expected == render([Diagnostic("x", "m", at(source, "b", "here"))])


def test_a_carriage_return_at_the_end_of_a_line_is_not_shown() -> None:
    source = Source("a.cost", "let a = b\r\nlet c = 1\r\n")
    expected = """\
error[x]: m
  --> a.cost:1:9
   |
 1 | let a = b
   |         ^ here
"""
    assert expected == render([Diagnostic("x", "m", at(source, "b", "here"))])


def test_what_an_author_wrote_does_not_act_on_the_terminal() -> None:
    source = Source("a\x1b.cost", "let \x1b[2J\u202e = b\n")
    message = Diagnostic("x", "no `\x07`", at(source, "b", "\x9b"), (), ("\u2066",), "\x00\x7f")
    expected = """\
error[x]: no `␇`
  --> a␛.cost:1:13
   |
 1 | let ␛[2J� = b
   |             ^ �
   |
   = �
   = help: ␀␡
"""
    assert expected == render([message])


def test_a_long_line_is_cut_around_the_place() -> None:
    source = Source("a.cost", "let a = " + "1 + " * 1250 + "oops" + " + 1" * 1250 + "\n")
    expected = f"""\
error[x]: m
  --> a.cost:1:5009
   |
 1 | …{"1 + " * 10}oops{" + 1" * 24}…
   |  {" " * 40}^^^^ here
"""
    assert expected == render([Diagnostic("x", "m", at(source, "oops", "here"))])


def test_two_places_far_apart_in_a_long_line_are_both_shown() -> None:
    source = Source("a.cost", "let a = first" + " + 1" * 2500 + " + second\n")
    message = Diagnostic("x", "m", at(source, "second", "here"), (at(source, "first", "there"),))
    expected = f"""\
error[x]: m
  --> a.cost:1:10017
   |
 1 | let a = first{" + 1" * 31} + …
   |         ----- there
 1 | …{"1 + " * 10}second
   |  {" " * 40}^^^^^^ here
"""
    assert expected == render([message])


def test_a_place_longer_than_what_is_shown_is_marked_as_far_as_it_is_shown() -> None:
    source = Source("a.cost", "x" * 10_000)
    expected = f"""\
error[x]: m
  --> a.cost:1:1
   |
 1 | {"x" * 140}…
   | {"^" * 140} long
"""
    assert expected == render([Diagnostic("x", "m", at(source, "x" * 10_000, "long"))])


def test_help_of_several_lines_is_lined_up() -> None:
    source = Source("a.cost", "a\n")
    message = Diagnostic("x", "m", at(source, "a"), help="write\nthis")
    expected = """\
error[x]: m
  --> a.cost:1:1
   |
 1 | a
   | ^
   |
   = help: write
           this
"""
    assert expected == render([message])


def test_colour_adds_codes_and_changes_nothing_else() -> None:
    source = Source("a.cost", "let a = b + c\n")
    message = Diagnostic(
        "x", "m", at(source, "c", "here"), (at(source, "b", "there"),), ("n",), "mend"
    )
    coloured = render([message], colour=True)
    assert coloured.startswith("\x1b[1;31merror[x]\x1b[0m\x1b[1m: m\x1b[0m\n")
    assert render([message]) == re.sub(r"\x1b\[[0-9;]*m", "", coloured)


def test_no_message_is_no_text() -> None:
    assert "" == render([])


@given(st.text(), st.data())
def test_any_place_in_any_text_can_be_shown(text: str, data: st.DataObject) -> None:
    source = Source("a.cost", text)
    ends = st.integers(0, len(text))
    spans = [sorted((data.draw(ends), data.draw(ends))) for _ in range(3)]
    first, *others = (Label(Span(source, a, b), f"l{a}") for a, b in spans)
    shown = render([Diagnostic("x", "m", first, tuple(others))])
    assert f"a.cost:{first.span.line}:{first.span.column}" in shown
    assert None is CONTROL.search(shown)
