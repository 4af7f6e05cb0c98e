"""What stands between the marks once a page is filled, and what is left alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from costlang.docs.work import work_on, write

Fill = Callable[..., str]


def test_a_question_is_filled_in_with_its_unit(fill: Fill) -> None:
    expected = "It takes <!-- cost: plan.step -->41.79 ms<!-- /cost -->.\n"
    assert expected == fill("It takes <!-- cost: plan.step --><!-- /cost -->.\n")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (": plan.step digits=1", "41.8 ms"),
        (": plan.step digits=3", "41.791 ms"),
        (": plan.step significant=2", "42 ms"),
        (": step unit=s significant=3", "0.0418 s"),
        (": step bare", "41.79"),
        (': step as="milliseconds"', "41.79 milliseconds"),
        (": plan.latency", "41.79 ms"),
        ("= latency at batch = 1000", "141.6 ms"),
        ("= latency at batch = 1000 | digits=0 unit=us", "141,557 us"),
        ("= latency at batch = 1000 show s", "0.1416 s"),
        ("= t_memory - t_compute | sign=always unit=ms", "+41.65 ms"),
        ("= t_compute - t_memory | unit=ms", "-41.65 ms"),
        ("= t_compute - t_memory | unit=ms sign=never", "41.65 ms"),
        ("= weights | unit=GiB digits=1", "130.4 GiB"),
        (": busy locale=pt_BR digits=2", "0,34 %"),
        ("= 1234567.5 | locale=de", "1.234.568"),
        (": price", "46.43 $/Mtok"),
        ("= weights / bandwidth\n  at batch = 1", "41.79 ms"),
    ],
)
def test_options_say_how_a_value_stands_there(fill: Fill, words: str, expected: str) -> None:
    if "locale" in words:
        pytest.importorskip("babel")
    text = fill(f"x <!-- cost{words} --><!-- /cost --> y\n")
    assert f"x <!-- cost{words} -->{expected}<!-- /cost --> y\n" == text


def test_the_spec_may_be_named_in_the_embed(fill: Fill) -> None:
    words = "<!-- cost: step spec=plan.cost -->"
    assert f"{words}41.79 ms<!-- /cost -->" == fill(f"{words}<!-- /cost -->", top="")


def test_a_front_matter_may_list_specs_and_settle_scenario_and_locale(
    fill: Fill, project: Path
) -> None:
    pytest.importorskip("babel")
    (project / "other.cost").write_text("cost 1\nscenario other {\n  query n: 5 / 2\n}\n")
    top = "---\ntitle: x\ncost:\n  - plan.cost\n  - other.cost # more\nlocale: fr\n---\n"
    text = fill("<!-- cost: other.n -->?<!-- /cost --> <!-- cost: busy -->?<!-- /cost -->", top)
    expected = "<!-- cost: other.n -->2,5<!-- /cost --> <!-- cost: busy -->0,339 %<!-- /cost -->"
    assert expected == text
    top = "---\ncost: [plan.cost, other.cost]\ncost-scenario: other\n---\n"
    assert "<!-- cost= n * 2 -->5<!-- /cost -->" == fill("<!-- cost= n * 2 --><!-- /cost -->", top)


CODE = """
```markdown
<!-- cost: plan.step -->
```
~~~~
```
<!-- cost: nothing -->
~~~
~~~~

Write `<!-- cost: plan.step -->` or ``a ` <!-- /cost -->`` here.
- item
  ```
  <!-- /cost -->
  ```
<!-- a comment that tells of `<!-- cost: plan.step` -->
\\<!-- cost: plan.step -->
"""


def test_code_and_other_comments_are_left_alone(fill: Fill) -> None:
    assert CODE == fill(CODE)


def test_a_tick_that_opens_no_code_hides_nothing(fill: Fill) -> None:
    text = "A tick ` alone.\n\n<!-- cost: step -->x<!-- /cost --> and `\n"
    assert "A tick ` alone.\n\n<!-- cost: step -->41.79 ms<!-- /cost --> and `\n" == fill(text)


def test_a_block_keeps_the_margin_of_its_list_or_quotation(fill: Fill) -> None:
    text = "> - x\n>   <!-- cost: step -->\n>   old\n>   <!-- /cost -->\n"
    expected = "> - x\n>   <!-- cost: step -->\n>   41.79 ms\n>   <!-- /cost -->\n"
    assert expected == fill(text)


def test_line_ends_and_the_mark_of_byte_order_stay(project: Path) -> None:
    page = project / "page.md"
    text = (
        "---\r\ncost: plan.cost\r\n---\r\n<!-- cost: step view=where -->\r\n<!-- /cost -->\r\nend"
    )
    page.write_bytes(b"\xef\xbb\xbf" + text.encode())
    write(work_on(["page.md"]))
    data = page.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf---\r\ncost: plan.cost\r\n")
    assert data.count(b"\n") == data.count(b"\r\n")
    assert data.endswith(b"<!-- /cost -->\r\nend")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "latin-1"])
def test_another_encoding_stays(project: Path, encoding: str) -> None:
    bom = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    top = "---\ncost: plan.cost\n# coding: latin-1\n---\n"
    text = top + "ça <!-- cost: step unit=us -->{}<!-- /cost -->"
    page = project / "page.md"
    page.write_bytes(bom + text.format("").encode(encoding))
    write(work_on(["page.md"]))
    assert bom + text.format("41,791 us").encode(encoding) == page.read_bytes()


def test_what_an_encoding_has_not_is_told_before_anything_is_written(project: Path) -> None:
    pytest.importorskip("babel")
    text = "coding: ascii <!-- cost= 12345 | locale=fr spec=plan.cost --><!-- /cost -->"
    (project / "page.md").write_text(text)
    outcome = work_on(["page.md"])
    assert ["not-utf8"] == [item.code for item in outcome.diagnostics]


def test_money_beside_mathematics_is_no_mathematics(fill: Fill) -> None:
    alone = fill("<!-- cost: price -->?<!-- /cost -->\n\n$x$\n")
    assert "<!-- cost: price -->46.43 $/Mtok<!-- /cost -->\n\n$x$\n" == alone
    beside = fill("$x$ <!-- cost: price -->?<!-- /cost -->\n")
    assert "$x$ <!-- cost: price -->46.43 <span>$</span>/Mtok<!-- /cost -->\n" == beside


def test_a_page_without_embeds_is_not_touched_and_has_no_lock(fill: Fill, project: Path) -> None:
    assert "nothing\n" == fill("nothing\n", top="")
    assert not (project / "costlang.lock").exists()
