"""
Python-Markdown, and with it MkDocs: the marks of a page are filled before it is rendered.

    markdown_extensions:
      - costlang.docs.markdown:
          specs: [docs/plan.cost]

Formulas are kept from the renderer, which would take their backslashes and underscores for its own,
and come out as `pymdownx.arithmatex` writes them with `generic: true`, for MathJax or KaTeX.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor

from costlang.docs.host import HOSTS, Host
from costlang.docs.within import Filling, Settings
from costlang.emit.message import render as message_text

BEFORE_CODE = 27
"""After line ends are made plain, and before fences of code and HTML are taken out of the text."""


class Unanswered(ValueError):
    """A page asks its specs for what is not there, or says what is not so."""


@dataclass(frozen=True)
class _Keeping(Host):
    """Puts formulas and money aside, each under a sign of its own that stands in the text."""

    kept: Any = None

    def formula(self, text: str) -> str:
        """Return the sign of a formula within a line."""
        return self._keep(f'<span class="arithmatex">\\({escape(text, quote=False)}\\)</span>')

    def display(self, text: str) -> list[str]:
        """Return the lines with the sign of a formula that stands by itself."""
        html = f'<div class="arithmatex">\\[{escape(text, quote=False)}\\]</div>'
        return ["", self._keep(html), ""]

    def money(self, text: str, *, beside_mathematics: bool) -> str:
        """Return *text*, each dollar as what no formula begins with."""
        return text.replace("$", self._keep("<span>$</span>")) if "$" in text else text

    def _keep(self, html: str) -> str:
        return str(self.kept.store(html))


class CostPreprocessor(Preprocessor):
    """Fills the marks of the text of a page."""

    def __init__(self, md: markdown.Markdown, config: dict[str, Any]) -> None:
        super().__init__(md)
        self.config = config
        specs = config["specs"]
        folder = Path(config["folder"])
        listed = [specs] if isinstance(specs, str) else specs
        settings = Settings(
            tuple(str((folder / spec).resolve()) for spec in listed),
            config["scenario"] or None,
            config["locale"] or None,
        )
        mkdocs = HOSTS["mkdocs"]
        host = _Keeping("mkdocs", mkdocs.inline, mkdocs.block, spaced=True, kept=md.htmlStash)
        self.filling = Filling(host, settings, self._shown)
        self.page = folder / "page.md"

    def run(self, lines: list[str]) -> list[str]:
        """Return the page; raises `Unanswered` with all that is wrong in it."""
        found = self.filling.filled("\n".join(lines), self.page, "page")
        if found.faults:
            raise Unanswered("\n" + message_text(found.faults))
        return found.text.split("\n")

    def _shown(self, svg: str, link: str) -> str:
        """Return a picture within the page, so that no file beside it can be out of date."""
        return "\n" + str(self.md.htmlStash.store(f"<figure>{_one_line(svg)}</figure>")) + "\n"


def _one_line(svg: str) -> str:
    return re.sub(r"\n+", "", svg)


class CostExtension(Extension):
    """The extension; `specs` are those of pages without front matter, seen from `folder`."""

    def __init__(self, **kwargs: Any) -> None:
        self.config = {
            "specs": [[], "the specs that pages ask, seen from the folder"],
            "folder": [".", "from where specs are seen"],
            "scenario": ["", "the scenario that is meant where none is named"],
            "locale": ["", "how numbers are written"],
        }
        super().__init__(**kwargs)

    def extendMarkdown(self, md: markdown.Markdown) -> None:
        """Let the pages be filled."""
        config = self.getConfigs()
        md.preprocessors.register(CostPreprocessor(md, config), "costlang", BEFORE_CODE)


def makeExtension(**kwargs: Any) -> CostExtension:
    """Return the extension."""
    return CostExtension(**kwargs)
