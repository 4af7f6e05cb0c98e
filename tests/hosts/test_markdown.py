"""Python-Markdown, and the two tools that build sites with it."""

from __future__ import annotations

import re
import shutil
from html import unescape
from importlib.util import find_spec
from pathlib import Path

import markdown
import pytest

import costlang

from .conftest import run_module

PAGE = """\
# A plan

A step takes <!-- cost: itl digits=2 --><!-- /cost -->,
for <!-- cost: cost digits=3 --><!-- /cost --> a million,
by <!-- cost: cost view=symbolic --><!-- /cost -->, and $2 or $3 stay money.

- in a list, <!-- cost: speed view=symbolic --><!-- /cost -->

| how much | why |
| --- | --- |
| <!-- cost: cost digits=3 --><!-- /cost --> | <!-- cost: width view=symbolic --><!-- /cost --> |

<!-- cost: itl view=numeric -->
<!-- /cost -->

<!-- cost: curve view=curve -->
<!-- /cost -->

`<!-- cost: itl --><!-- /cost -->`
"""
NAME = "costlang.docs.markdown"


def rendered(site: Path, text: str = PAGE) -> str:
    config = {NAME: {"specs": ["plan.cost"], "folder": str(site)}}
    return markdown.markdown(
        text, extensions=["tables", "fenced_code", NAME], extension_configs=config
    )


def formulas(html: str) -> list[str]:
    found = re.findall(r'class="arithmatex">(.*?)</(?:span|div)>', html, re.S)
    return [unescape(text) for text in found]


def test_figures_and_money_stand_in_the_text(site: Path) -> None:
    html = rendered(site)
    assert "takes 9.61 ms,\nfor 0.209 <span>$</span>/Mtok a million,\nby <span" in html
    assert "and $2 or $3 stay money." in html
    assert "<td>0.209 <span>$</span>/Mtok</td>" in html


def test_mathematics_comes_through_as_it_was_written(site: Path) -> None:
    plan = costlang.load(site / "plan.cost").scenario("plan")
    for name in ("token_price", "rate", "spare_room"):
        assert f"\\({plan.formula(name).latex()}\\)" in formulas(rendered(site))


def test_a_formula_by_itself_keeps_its_lines(site: Path) -> None:
    (block,) = [text for text in formulas(rendered(site)) if text.startswith("\\[")]
    assert (
        "\\begin{aligned}\nt &= t_{0} + \\max\\left(t_{c}, t_{m}\\right) + t_{l} \\\\\n&=" in block
    )


def test_a_picture_is_in_the_page_and_code_is_left_alone(site: Path) -> None:
    html = rendered(site)
    assert "<figure><svg" in html and "latency = 5.763 ms" in html
    assert "<code>&lt;!-- cost: itl --&gt;&lt;!-- /cost --&gt;</code>" in html


def test_a_name_that_is_not_there_raises(site: Path) -> None:
    with pytest.raises(ValueError, match="did you mean `speed`"):
        rendered(site, "<!-- cost: speeed --><!-- /cost -->")


MKDOCS = """\
site_name: plan
use_directory_urls: false
markdown_extensions:
  - tables
  - costlang.docs.markdown:
      specs: [docs/plan.cost]
"""


def project(site: Path, text: str = PAGE) -> Path:
    top = site.parent / "project"
    (top / "docs").mkdir(parents=True)
    shutil.copy(site / "plan.cost", top / "docs")
    (top / "docs" / "index.md").write_text(text, encoding="utf-8")
    (top / "mkdocs.yml").write_text(MKDOCS, encoding="utf-8")
    return top


BUILDERS = [name for name in ("mkdocs", "zensical") if find_spec(name)]


@pytest.mark.parametrize("builder", BUILDERS)
def test_a_site_is_built_with_its_figures(site: Path, builder: str) -> None:
    top = project(site)
    done = run_module(builder, "build", cwd=top)
    assert 0 == done.returncode, done.stdout + done.stderr
    html = (top / "site" / "index.html").read_text(encoding="utf-8")
    assert "A step takes 9.61 ms" in html
    plan = costlang.load(site / "plan.cost").scenario("plan")
    assert f"\\({plan.formula('token_price').latex()}\\)" in formulas(html)


@pytest.mark.parametrize("builder", BUILDERS)
def test_a_site_with_an_unknown_name_is_not_built(site: Path, builder: str) -> None:
    top = project(site, "<!-- cost: speeed --><!-- /cost -->\n")
    done = run_module(builder, "build", cwd=top)
    assert 0 != done.returncode
    assert "no question is called `speeed`" in done.stdout + done.stderr
