"""LaTeX: the macros of a spec, and a paper that is set with them where there is an engine."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from costlang.cli.main import cli
from costlang.docs.latex import text_of

ENGINE = shutil.which("pdflatex")
PAPER = r"""\documentclass{article}
\input{costs}
\begin{document}
\section{A rate of \costvalue{plan.speed}}
A step takes \costvalue{plan.itl}, a million tokens \costvalue{plan.cost}
(\costnumber{cost} in \costunit{cost}), since \costformula{plan.cost} and \(\costformula{speed}\).
\[ \costnumeric{plan.width} \]
\costtable{curve} \costtable{plan.parts}
\end{document}
"""


def macros(site: Path) -> Path:
    path = site / "costs.tex"
    words = ["doc", "--to", "latex", str(site / "plan.cost"), "-o", str(path)]
    result = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert (0, "") == (result.exit_code, result.output)
    return path


def test_every_answer_has_its_macros(site: Path) -> None:
    text = macros(site).read_text(encoding="utf-8")
    assert r"\@namedef{cost@value@plan.cost}{0.2086\,\$/Mtok}" in text
    assert r"\@namedef{cost@unit@cost}{\$/Mtok}" in text
    assert r"\@namedef{cost@formula@speed}{r = \frac{B \cdot n}{t}}" in text
    assert r"1 & 4.641 \\" in text


def test_the_file_is_sound_without_an_engine_to_say_so(site: Path) -> None:
    text = macros(site).read_text(encoding="utf-8")
    bare = re.sub(r"%.*", "", text.replace(r"\%", "").replace(r"\{", "").replace(r"\}", ""))
    assert bare.count("{") == bare.count("}")
    assert text.isascii()
    for name in ("aligned", "cases", "tabular"):
        assert text.count(f"\\begin{{{name}}}") == text.count(f"\\end{{{name}}}")
    assert text.count(r"\left") == text.count(r"\right")


@pytest.mark.parametrize(
    ("words", "latex"),
    [
        ("50 % of $2 & a_b #1", r"50 \% of \$2 \& a\_b \#1"),
        ("4 FLOP/tok^2", r"4 FLOP/tok\textsuperscript{2}"),
        ("2 × 10^-6", r"2 \ensuremath{\times} 10\textsuperscript{--6}"),
        ("\\input{x}", r"\textbackslash{}input\{x\}"),
    ],
)
def test_words_are_set_as_they_stand(words: str, latex: str) -> None:
    assert latex == text_of(words)


def test_a_mistake_is_a_message_and_no_file(site: Path) -> None:
    spec = site / "wrong.cost"
    spec.write_text("cost 1\nscenario s { query a: b }\n", encoding="utf-8")
    words = ["doc", "--to", "latex", str(spec), "-o", str(site / "wrong.tex")]
    result = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert 2 == result.exit_code and "nothing is called `b`" in result.stderr
    assert not (site / "wrong.tex").exists()
    page = CliRunner().invoke(cli, ["doc", "--to", "latex", "page.md"])
    assert 2 == page.exit_code and "takes specs" in page.stderr


def typeset(site: Path, text: str) -> subprocess.CompletedProcess[bytes]:
    assert ENGINE is not None
    (site / "paper.tex").write_text(text, encoding="utf-8")
    words = [ENGINE, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    return subprocess.run(words, cwd=site, capture_output=True, check=False, timeout=120)


@pytest.mark.skipif(ENGINE is None, reason="no pdflatex: apt-get install texlive-latex-base")
def test_a_paper_is_set(site: Path) -> None:
    macros(site)
    done = typeset(site, PAPER)
    assert 0 == done.returncode, done.stdout.decode("latin-1")[-2000:]
    if (reader := shutil.which("pdftotext")) is not None:
        text = subprocess.run([reader, "paper.pdf", "-"], cwd=site, capture_output=True, check=True)
        assert "A step takes 9.61 ms, a million tokens 0.2086 $/Mtok" in text.stdout.decode()


@pytest.mark.skipif(ENGINE is None, reason="no pdflatex: apt-get install texlive-latex-base")
def test_a_paper_with_an_unknown_name_is_not_set(site: Path) -> None:
    macros(site)
    done = typeset(site, PAPER.replace("plan.itl", "plan.itll"))
    assert 0 != done.returncode
    assert b"There is no value of `plan.itll'" in done.stdout
