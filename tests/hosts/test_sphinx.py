"""Sphinx with MyST: a page is built, read, built again, and refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

import costlang

from .conftest import run_module


def build(site: Path, *options: str) -> tuple[int, str]:
    done = run_module("sphinx", "-W", "-b", "html", *options, str(site), str(site / "out"))
    return done.returncode, done.stdout + done.stderr


def page(site: Path, name: str = "index") -> str:
    text = (site / "out" / f"{name}.html").read_text(encoding="utf-8")
    return text[text.index("<section") : text.rindex("</section>")]


def formulas(html: str) -> list[str]:
    """Return the LaTeX of each formula of a page, as MathJax gets it."""
    found = re.findall(r'<(?:span|div) class="math[^>]*>(.*?)</(?:span|div)>', html, re.S)
    return [unescape(re.sub(r"<[^>]*>", "", text)).strip() for text in found]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import shutil

    from .conftest import HERE

    place = tmp_path_factory.mktemp("sphinx") / "site"
    shutil.copytree(HERE / "site", place)
    assert (0, "") == (build(place, "-q"))
    return place


def test_figures_stand_in_the_text_and_in_tables(built: Path) -> None:
    html = page(built)
    assert "One step takes 9.61 ms, and a million tokens cost 0.209 $/Mtok: as" in html
    assert '<span class="cost-value">9.61 ms</span>' in html
    assert "<td><p>0.209 $/Mtok</p></td>" in html
    assert "</span> of $2 and $3,</p>" in html


LATEX: dict[str, Callable[[costlang.Scenario], costlang.Formula]] = {
    "underscores": lambda plan: plan.formula("token_price"),
    "bars": lambda plan: plan.formula("spare_room"),
    "a fraction in a list": lambda plan: plan.formula("rate"),
}


@pytest.mark.parametrize("formula", LATEX.values(), ids=list(LATEX))
def test_mathematics_comes_through_as_it_was_written(
    built: Path, formula: Callable[[costlang.Scenario], costlang.Formula]
) -> None:
    plan = costlang.load(built / "plan.cost").scenario("plan")
    written = formula(plan).latex().replace("|", r"\vert ")
    assert f"\\({written.strip()}" in " ".join(
        f.replace(" \\)", "\\)") for f in formulas(page(built))
    )


def test_every_formula_of_the_page_became_one(built: Path) -> None:
    html = page(built)
    assert "{math}" not in html and "```" not in html and "<!--" not in html
    assert all(text.startswith(("\\(", "\\[", "(1)")) for text in formulas(html))


def test_an_equation_has_a_number_and_is_referred_to(built: Path) -> None:
    html = page(built)
    assert '<span class="eqno">(1)' in html
    assert 'href="#equation-rate">(1)</a>' in html


def test_a_question_is_told_of_and_linked(built: Path) -> None:
    html = page(built)
    assert 'href="#cost-plan.speed"' in html
    assert '<dt id="cost-plan.speed">' in html
    inventory = (built / "out" / "objects.inv").read_bytes()
    assert b"Sphinx inventory" in inventory


def test_pictures_are_in_the_page_with_their_words(built: Path) -> None:
    pictures = re.findall(r"<svg.*?</svg>", page(built), re.S)
    assert 2 == len(pictures)
    for text in pictures:
        root = ElementTree.fromstring(text)
        assert "img" == root.get("role")
    assert "batch = 8: latency = 5.763 ms" in pictures[0]


def test_a_table_is_a_table(built: Path) -> None:
    assert '<td class="text-right"><p>5.763</p></td>' in page(built)


BROKEN = {
    "a mark": ("<!-- cost: speeed --><!-- /cost -->\n", "did you mean `speed`?"),
    "a role": ("{cost:value}`plan.speeed`\n", "no question is called `plan.speeed`"),
    "a directive": ("```{cost:formula} plan.speeed\n```\n", "no question is called"),
    "a reference": ("{cost:ref}`plan.speeed`\n", "no page tells of `plan.speeed`"),
    "a scenario": ("```{cost:scenario} plam\n```\n", "did you mean `plan`?"),
    "a sentence": (
        "It is <!-- cost: speed about -->12 tok/s<!-- /cost -->.\n",
        "error[false-sentence]",
    ),
}


@pytest.mark.parametrize(("text", "message"), BROKEN.values(), ids=list(BROKEN))
def test_a_name_that_is_not_there_fails_the_build(site: Path, text: str, message: str) -> None:
    index = site / "index.md"
    index.write_text(index.read_text(encoding="utf-8") + "\n" + text, encoding="utf-8")
    done = run_module("sphinx", "-q", "-b", "html", str(site), str(site / "out"))
    assert 0 != done.returncode
    assert message in done.stdout + done.stderr
    assert not (site / "out" / "index.html").exists()


def test_a_page_is_read_again_when_its_spec_has_changed_and_no_other_page(site: Path) -> None:
    (site / "other.md").write_text("---\norphan:\n---\n# Another page\n", encoding="utf-8")
    assert 0 == build(site)[0]
    code, again = build(site)
    assert 0 == code and "0 added, 0 changed, 0 removed" in again
    spec = site / "plan.cost"
    spec.write_text(spec.read_text(encoding="utf-8").replace("2.50", "5.00"), encoding="utf-8")
    code, changed = build(site)
    assert 0 == code and "0 added, 1 changed, 0 removed" in changed
    assert "0.417 $/Mtok" in page(site)


def test_pages_in_other_markup_use_the_specs_of_the_configuration(site: Path) -> None:
    (site / "conf.py").write_text(
        'extensions = ["myst_parser", "costlang.docs.sphinx"]\ncost_specs = "plan.cost"\n',
        encoding="utf-8",
    )
    (site / "old.rst").write_text(
        ":orphan:\n\nOld\n===\n\nA step takes :cost:value:`plan.itl digits=2`.\n\n"
        ".. cost:formula:: plan.speed\n   :label: old\n",
        encoding="utf-8",
    )
    assert 0 == build(site)[0]
    assert 'takes <span class="cost-value">9.61 ms</span>.' in page(site, "old")
    assert "\\[r = \\frac{B \\cdot n}{t}\\]" in page(site, "old")
