"""Formulas, tables and pictures in a page: right on each host, and unharmed by its Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from costlang import load
from costlang.docs.book import Book, Named
from costlang.docs.host import HOSTS
from costlang.docs.render import Rendered, render
from costlang.docs.words import Embed, embed_of
from costlang.docs.work import work_on, write

Fill = Callable[..., str]

SPEC = """cost 1

scenario signs {
  param _low_ as x_a : [$] = 3 $
  param high as y_b : [$] = 5 $
  param rate_per_h : [$/h] = 2 $/h
  let gap = abs(_low_ - high) * 2
  query gap_of_prices: gap
  query hours: max(gap, _low_ + high) / rate_per_h    show h
}
"""


@pytest.fixture
def signs(project: Path) -> Path:
    (project / "plan.cost").write_text(SPEC)
    return project


def text_of(words: str, host: str = "github", *, inline: bool = True) -> str:
    """Return what an embed shows, of the spec in the working folder."""
    embed = embed_of(words, inline=inline)
    assert isinstance(embed, Embed)
    found = render(embed, Book(Path(), (Named("plan.cost", None),)), HOSTS[host])
    assert isinstance(found, Rendered), [item.message for item in found]
    return found.text


def tokens(text: str) -> Iterator[Token]:
    """Yield what a reader of CommonMark with tables finds in *text*, down to pieces of lines."""
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        yield token
        yield from token.children or ()


def latex(question: str) -> str:
    return load("plan.cost").scenario("signs").formula(question).latex()


# ---- formulas


def test_each_host_has_its_own_signs_around_a_formula(signs: Path) -> None:
    body = latex("hours")
    assert {
        "github": f"$`{body}`$",
        "gitlab": f"$`{body}`$",
        "pandoc": f"${body}$",
        "jupyter": f"${body}$",
        "mkdocs": f"\\({body}\\)",
        "kramdown": f"$${body}$$",
        "myst": f"{{math}}`{body}`",
    } == {
        host: text_of("hours view=symbolic", host) for host in HOSTS if HOSTS[host].style == "latex"
    }


def test_a_page_for_html_has_mathml_and_a_plain_one_has_code(signs: Path) -> None:
    assert text_of("hours view=symbolic", "html").startswith("<math ")
    plain = text_of("hours view=symbolic", "plain")
    assert "`" == plain[0] == plain[-1]
    assert "max(" in plain


@pytest.mark.parametrize("words", ["hours view=symbolic", "gap_of_prices view=symbolic"])
@pytest.mark.parametrize(
    "around", ["{}", "a _b_ {} c_d_ *e*", "- {}", "> {}", "| x | y |\n|---|---|\n| {} | z |"]
)
def test_markdown_leaves_a_formula_as_it_is(signs: Path, words: str, around: str) -> None:
    formula = text_of(words)
    codes = [t.content for t in tokens(around.format(formula)) if t.type == "code_inline"]
    assert [formula.removeprefix("$`").removesuffix("`$")] == codes


@pytest.mark.parametrize("margin", ["", "   ", "> ", "> 1. "])
def test_markdown_finds_the_whole_of_a_formula_on_its_own_lines(signs: Path, margin: str) -> None:
    block = text_of("hours view=derivation depth=3", inline=False)
    first = margin.replace("   ", "1. ")
    rest = margin.replace("1. ", "   ")
    lines = [f"{rest if n else first}{line}" for n, line in enumerate(block.split("\n"))]
    fences = [t for t in tokens("\n".join(lines)) if t.type == "fence"]
    assert ["math"] * len(fences) == [t.info for t in fences]
    expected = block.replace("```math\n", "").split("\n```")
    assert [part.strip("\n") for part in expected if part.strip()] == [
        t.content.strip("\n") for t in fences
    ]


def test_a_formula_with_numbers_ends_in_the_number(signs: Path) -> None:
    expected = (
        r"$`\mathrm{hours} = \frac{\max\left(\mathrm{gap}, x_{a} + y_{b}\right)}"
        r"{\mathrm{rate\_per\_h}} = \frac{\max\left(4\,\mathrm{\$}, 3\,\mathrm{\$} + "
        r"5\,\mathrm{\$}\right)}{2\,\mathrm{\$/h}} = 4\,\mathrm{h}`$"
    )
    assert expected == text_of("hours view=numeric")


def test_a_formula_of_another_language_has_its_point(project: Path) -> None:
    pytest.importorskip("babel")
    text = text_of("step view=numeric locale=pt_BR")
    assert r"\frac{140\,\mathrm{GB}}{3{,}35\,\mathrm{TB/s}}" in text or "41{,}79" in text
    assert "41.79" not in text


def test_where_lists_what_the_names_stand_for(project: Path) -> None:
    lines = text_of("step view=where", inline=False).split("\n")
    assert ["```math", "```", ""] == [lines[0], lines[2], lines[3]]
    assert 2 == sum(line.startswith("- $`") for line in lines)


def test_a_formula_of_what_nothing_sets_can_be_shown(project: Path) -> None:
    (project / "plan.cost").write_text(
        "cost 1\nscenario plan {\n  param n : count\n  query twice: 2 * n\n}\n"
    )
    assert r"$`\mathrm{twice} = 2 \cdot n`$" == text_of("twice view=symbolic")


def test_a_closed_form_can_be_shown(project: Path) -> None:
    spec = project / "plan.cost"
    text = spec.read_text()
    spec.write_text(
        text.replace(
            "  query busy", "  query even: solve t_compute == t_memory for batch\n  query busy"
        )
    )
    assert "295.2" == text_of("even significant=4")
    assert text_of("even view=symbolic").startswith(r"$`\mathrm{batch} = ")


# ---- tables


def test_a_sweep_is_a_table_with_its_units_above(project: Path) -> None:
    expected = (
        "| batch | latency [ms] |\n"
        "| ----: | -----------: |\n"
        "|     1 |        41.79 |\n"
        "|   100 |        41.79 |\n"
        "|   400 |        56.62 |"
    )
    assert expected == text_of("curve view=table", inline=False)


def test_a_table_says_what_bounds_its_rows_under_a_title_of_ones_own(project: Path) -> None:
    pytest.importorskip("babel")
    words = 'curve view=table remarks="limite" titles="lote, ms, limite" locale=pt_BR digits=1'
    expected = (
        "| lote |   ms | limite    |\n"
        "| ---: | ---: | --------- |\n"
        "|    1 | 41,8 | t_memory  |\n"
        "|  100 | 41,8 | t_memory  |\n"
        "|  400 | 56,6 | t_compute |"
    )
    assert expected == text_of(words, inline=False)


def test_a_breakdown_is_a_table_of_parts(project: Path) -> None:
    words = "= breakdown t_memory + t_compute | view=table"
    assert (
        "| part                 | value [ms] | share [%] |\n"
        "| -------------------- | ---------: | --------: |\n"
        "| t_memory + t_compute |      41.93 |       100 |\n"
        "| · t_memory           |      41.79 |      99.7 |\n"
        "| · t_compute          |     0.1416 |     0.338 |"
    ) == text_of(words, inline=False)


def test_scenarios_stand_side_by_side(project: Path) -> None:
    spec = project / "plan.cost"
    other = spec.read_text().replace("cost 1\n", "").replace("scenario plan", "scenario slow")
    spec.write_text(spec.read_text() + other.replace("3.35", "2"))
    assert (
        "|       |         plan |         slow |\n"
        "| ----- | -----------: | -----------: |\n"
        "| step  |     41.79 ms |        70 ms |\n"
        "| busy  |      0.339 % |      0.202 % |\n"
        "| price | 46.43 $/Mtok | 77.78 $/Mtok |"
    ) == text_of("plan, slow view=compare", inline=False)


def test_every_row_of_a_table_has_as_many_cells_as_its_head(signs: Path) -> None:
    (signs / "plan.cost").write_text(
        "cost 1\nscenario plan {\n  param a : count = 1\n"
        "  query t: sweep abs(a - 3) over a in {1, 2}\n}\n"
    )
    text = text_of("t view=table", inline=False)
    rows = [t for t in tokens(text) if t.type in ("th_open", "td_open")]
    assert 6 == len(rows)


def test_a_table_within_a_line_is_refused(project: Path) -> None:
    embed = embed_of("curve view=table")
    assert isinstance(embed, Embed)
    found = render(embed, Book(Path(), (Named("plan.cost", None),)), HOSTS["github"])
    assert ["wrong-option"] == [item.code for item in found]  # type: ignore[union-attr]


# ---- pictures


def test_a_picture_is_written_beside_the_page_and_linked(fill: Fill, project: Path) -> None:
    text = fill(
        '<!-- cost: curve view=curve file=c.svg alt="Latency, by batch" -->\n<!-- /cost -->'
    )
    assert "\n![Latency, by batch](c.svg)\n" in text
    assert (project / "c.svg").read_text().startswith("<svg")
    assert {"right"} == {f.state for w in work_on(["page.md"]).works for f in w.findings}
    (project / "c.svg").unlink()
    assert {"stale"} == {f.state for w in work_on(["page.md"]).works for f in w.findings}
    write(work_on(["page.md"]))
    assert (project / "c.svg").is_file()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (": step view=curve", "wrong-option"),
        (": curve view=curve file=../c.svg", "outside-project"),
        (": curve view=curve file=c.png", "wrong-option"),
        (": curve view=curve file=no/c.svg", "wrong-option"),
        (": plan view=roofline", "wrong-option"),
        (": curve view=curve marks=nothing", "unknown-name"),
    ],
)
def test_a_picture_that_cannot_be_drawn_says_why(
    faults: Callable[..., list[tuple[str, str]]], words: str, code: str
) -> None:
    assert [code] == [c for c, _ in faults(f"<!-- cost{words} -->\n<!-- /cost -->\n")]


def test_two_pictures_of_one_name_are_refused(faults: Callable[..., list[tuple[str, str]]]) -> None:
    one = "<!-- cost: curve view=curve file=c.svg -->\n<!-- /cost -->\n"
    two = "<!-- cost= sweep busy over batch in {1, 8} | view=curve file=c.svg -->\n<!-- /cost -->\n"
    assert [("wrong-option", "file=c.svg")] == faults(one + two)


def test_a_roofline_has_the_phases_of_a_scenario(project: Path) -> None:
    (project / "plan.cost").write_text(
        "cost 1\nimport hardware.nvidia (H100_SXM)\nimport models.llama (llama_2_70b)\n"
        "import std.phases (decode, prefill)\n\nscenario plan {\n"
        "  use read = prefill(llama_2_70b, H100_SXM, prompt = 2000, batch = 1)\n"
        "  use step = decode(llama_2_70b, H100_SXM, context = 2000, batch = 1)\n}\n"
    )
    embed = embed_of("plan view=roofline", inline=False)
    assert isinstance(embed, Embed)
    found = render(embed, Book(Path(), (Named("plan.cost", None),)), HOSTS["github"])
    assert isinstance(found, Rendered)
    ((name, svg),) = found.files
    assert "plan-plan-roofline.svg" == name
    assert "read" in svg and "step" in svg
    assert any("hbm_bandwidth" in item.name for item in found.inputs)
