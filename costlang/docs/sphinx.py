"""
Sphinx: figures, formulas, tables and pictures of specs in its pages, numbered and linked.

With `extensions = ["myst_parser", "costlang.docs.sphinx"]` the marks of a page are filled while it
is read, and there are the roles and directives of the domain `cost`. A page is read again when a
spec that it was made of has changed, and a build with an unknown name fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.addnodes import pending_xref
from sphinx.directives.patches import MathDirective
from sphinx.domains import Domain, ObjType
from sphinx.errors import SphinxError
from sphinx.roles import XRefRole
from sphinx.util.docutils import SphinxDirective, SphinxRole
from sphinx.util.logging import getLogger
from sphinx.util.nodes import make_id, make_refnode

from costlang.docs.book import Book, Found, Place
from costlang.docs.highlight import CostLexer
from costlang.docs.host import HOSTS, Host
from costlang.docs.page import page_in
from costlang.docs.render import Rendered, render
from costlang.docs.within import Filling, Settings
from costlang.docs.words import Embed, embed_of
from costlang.emit.message import render as message_text
from costlang.model.work import roomy
from costlang.text import Diagnostic, Source

BARE = Host("sphinx", ("", ""), ("", ""))
"""Formulas as LaTeX and nothing around them: Sphinx has nodes of its own for them."""
INDENT = "    "
log = getLogger(__name__)


# ---- what every page shares


def filling(env: Any) -> Filling:
    """Return what fills the pages of this build."""
    config = env.config
    given = config.cost_specs
    specs = tuple([given] if isinstance(given, str) else given)
    found: Filling | None = env.temp_data.get("cost_filling")
    if found is None:
        settings = Settings(specs, config.cost_scenario, config.cost_locale)
        found = Filling(HOSTS["myst"], settings, _raw)
        env.temp_data["cost_filling"] = found
    return found


def _raw(svg: str, link: str) -> str:
    """Return a picture in MyST: within the page, so that no file beside it can be out of date."""
    longest = max((len(run) for run in svg.split() if set(run) == {"`"}), default=0)
    fence = "`" * max(4, longest + 1)
    return f"{fence}{{raw}} html\n{svg.rstrip()}\n{fence}"


def fill(app: Any, docname: str, content: list[str]) -> None:
    """Fill the marks of a page that Sphinx has read."""
    path = Path(app.env.doc2path(docname))
    if path.suffix not in (".md", ".markdown"):
        return
    work = filling(app.env)
    specs = work.settings.specs
    work.settings = replace(work.settings, specs=_in_full(app.env, specs))
    found = work.filled(content[0], path, app.env.doc2path(docname, base=False))
    content[0] = found.text
    note(app.env, found.files)
    app.env.get_domain("cost").blame(docname, found.faults)


def _in_full(env: Any, specs: Sequence[str]) -> tuple[str, ...]:
    """Return the specs of the configuration, seen from the top of the sources, in full."""
    top = Path(env.srcdir)
    return tuple(str((top / spec).resolve()) for spec in specs)


def note(env: Any, files: Sequence[Path]) -> None:
    """Let the page that is being read be read again when one of *files* has changed."""
    for file in files:
        env.note_dependency(str(file))


# ---- the domain


class CostDomain(Domain):
    """Questions of specs: where a page tells of them, and what is wrong with those it asks."""

    name = "cost"
    label = "costlang"
    object_types: ClassVar[dict[str, ObjType]] = {"question": ObjType("question", "ref")}
    initial_data: ClassVar[dict[str, Any]] = {"objects": {}, "faults": {}, "asked": {}}
    data_version = 1

    @property
    def objects(self) -> dict[str, tuple[str, str]]:
        """The page and the place in it at which each question is told of."""
        found: dict[str, tuple[str, str]] = self.data["objects"]
        return found

    def blame(self, docname: str, faults: Sequence[Diagnostic]) -> None:
        """Remember what is wrong in a page: no page is written then."""
        if faults:
            self.data["faults"].setdefault(docname, []).append(message_text(tuple(faults)))

    def tell(self, name: str, docname: str, place: str) -> None:
        """Remember where the question *name* is told of."""
        if name in self.objects and self.objects[name][0] != docname:
            log.warning("`%s` is told of in %s as well", name, self.objects[name][0])
        self.objects[name] = (docname, place)

    def ask(self, docname: str, target: str) -> None:
        """Remember that a page refers to *target*."""
        self.data["asked"].setdefault(docname, []).append(target)

    def clear_doc(self, docname: str) -> None:
        """Forget a page."""
        self.data["faults"].pop(docname, None)
        self.data["asked"].pop(docname, None)
        for name in [n for n, (where, _) in self.objects.items() if where == docname]:
            del self.objects[name]

    def merge_domaindata(self, docnames: Any, otherdata: dict[str, Any]) -> None:
        """Take in what was read elsewhere."""
        for key in ("faults", "asked"):
            self.data[key].update({k: v for k, v in otherdata[key].items() if k in docnames})
        told = otherdata["objects"].items()
        self.objects.update({name: place for name, place in told if place[0] in docnames})

    def resolve_xref(
        self,
        env: Any,
        fromdocname: str,
        builder: Any,
        typ: str,
        target: str,
        node: pending_xref,
        contnode: nodes.Element,
    ) -> Any:
        """Return the link to where a question is told of."""
        if target not in self.objects:
            return None
        docname, place = self.objects[target]
        return make_refnode(builder, fromdocname, docname, place, contnode, target)

    def resolve_any_xref(self, *args: Any) -> list[Any]:
        """Return nothing: a question is referred to by its own role."""
        return []

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """Yield each question for the index of the site."""
        for name, (docname, place) in self.objects.items():
            yield name, name, "question", docname, place, 1

    def check_consistency(self) -> None:
        """Stop the build when a page asks for what there is not."""
        texts = [text for each in self.data["faults"].values() for text in each]
        for docname, targets in self.data["asked"].items():
            texts += [
                f"{docname}: no page tells of `{target}`"
                for target in dict.fromkeys(targets)
                if target not in self.objects
            ]
        if texts:
            raise Unanswered("\n".join(dict.fromkeys(texts)))


class Unanswered(SphinxError):
    """A page asks its specs for what is not there, or says what is not so."""

    category = "costlang cannot fill the pages"


# ---- one embed in a role or a directive


class _Asking:
    """What roles and directives share; *env* is the one of the build."""

    env: Any

    def rendered(self, words: str, host: Host, *, inline: bool, view: str = "") -> Rendered | None:
        """Return what *words* come to; None where something is wrong, which is remembered."""
        embed = embed_of(words, inline=inline)
        if not isinstance(embed, Embed):
            self._blame(embed)
            return None
        if view and embed.options.view == "value":
            embed = replace(embed, options=replace(embed.options, view=view))
        with roomy():
            found = render(embed, self.book(), host)
        self.noted()
        if not isinstance(found, Rendered):
            self._blame(found)
            return None
        return found

    def book(self) -> Book:
        """Return the specs of the page that is being read."""
        kept: Book | None = self.env.temp_data.get("cost_book")
        if kept is None:
            work = filling(self.env)
            path = Path(self.env.doc2path(self.env.docname))
            work.settings = replace(work.settings, specs=_in_full(self.env, work.settings.specs))
            kept = work.book(path, self._page(path))
            self.env.temp_data["cost_book"] = kept
        return kept

    def _page(self, path: Path) -> Any:
        from costlang.docs.page import page_of

        return (
            page_of(path, str(path))[0]
            if path.suffix == ".md"
            else page_in(path, Source("", ""))[0]
        )

    def noted(self) -> None:
        """Let the page be read again when its specs have changed."""
        note(self.env, filling(self.env).files(self.book()))

    def _blame(self, faults: Sequence[Diagnostic]) -> None:
        self.env.get_domain("cost").blame(self.env.docname, faults)


class ValueRole(SphinxRole, _Asking):
    """`` {cost:value}`plan.rate digits=1` ``: the answer as text."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the text."""
        found = self.rendered(self.text, BARE, inline=True)
        return ([nodes.inline(self.text, found.text, classes=["cost-value"])] if found else []), []


class FormulaRole(SphinxRole, _Asking):
    """`` {cost:formula}`plan.rate` ``: the formula, within a line."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return a node of mathematics."""
        found = self.rendered(self.text, BARE, inline=True, view="symbolic")
        return ([nodes.math(self.text, found.text)] if found else []), []


class QuestionRole(XRefRole):
    """`` {cost:ref}`plan.rate` ``: a link to where the question is told of."""

    def process_link(
        self, env: Any, refnode: nodes.Element, has_explicit_title: bool, title: str, target: str
    ) -> tuple[str, str]:
        """Remember that the page refers to *target*."""
        env.get_domain("cost").ask(env.docname, target)
        return title, target


class FormulaDirective(SphinxDirective, _Asking):
    """A formula by itself, numbered when it is given a `:label:`, and told of by its name."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Any]] = {
        "label": directives.unchanged_required,
        "nowrap": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        """Return what `math` makes of the formula."""
        words = self.arguments[0]
        found = self.rendered(words, BARE, inline=False, view="symbolic")
        if found is None:
            return []
        options = {"label": self.options["label"]} if "label" in self.options else {}
        content = StringList(found.text.splitlines(), source="<costlang>")
        made = MathDirective(
            "math",
            [],
            options,
            content,
            self.lineno,
            self.content_offset,
            "",
            self.state,
            self.state_machine,
        )
        return list(made.run())


class MarkdownDirective(SphinxDirective, _Asking):
    """A view that is Markdown: a table, a derivation, a formula with what its names stand for."""

    required_arguments = 1
    final_argument_whitespace = True
    view = "table"

    def run(self) -> list[nodes.Node]:
        """Return what the page's own parser makes of it."""
        found = self.rendered(self.arguments[0], HOSTS["myst"], inline=False, view=self.view)
        if found is None:
            return []
        holder = nodes.container(classes=["cost-view"])
        lines = StringList(found.text.splitlines(), source="<costlang>")
        self.state.nested_parse(lines, self.content_offset, holder)
        return [holder]


class DerivationDirective(MarkdownDirective):
    """The way to a number, step by step."""

    view = "derivation"


class PictureDirective(SphinxDirective, _Asking):
    """A curve, bars or a roofline, within the page."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the picture; for who prints no HTML, its words."""
        found = self.rendered(self.arguments[0], BARE, inline=False, view="picture")
        if found is None:
            return []
        svg = found.files[0][1]
        words = svg.split("<desc", 1)[1].split(">", 1)[1].split("</desc>", 1)[0]
        return [nodes.raw("", svg, format="html"), nodes.raw("", words, format="text")]


class ScenarioDirective(SphinxDirective, _Asking):
    """The questions of a scenario with their answers; `cost:ref` leads to each."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return a list of definitions."""
        name = self.arguments[0]
        embed = embed_of(name)
        places = self.book().scenarios(embed) if isinstance(embed, Embed) else embed
        self.noted()
        (place, *_) = places
        if not isinstance(place, Place):
            self._blame([item for item in places if isinstance(item, Diagnostic)])
            return []
        items = (self._item(f"{name}.{slot.name}", slot) for slot in place.scenario.queries())
        return [nodes.definition_list("", *items)]

    def _item(self, name: str, slot: Any) -> nodes.Node:
        term = nodes.term("", "", nodes.literal("", name))
        place = make_id(self.env, self.state.document, "cost", name)
        term["ids"].append(place)
        self.env.get_domain("cost").tell(name, self.env.docname, place)
        body = nodes.paragraph("", "", *self._said(name, slot.question))
        return nodes.definition_list_item("", term, nodes.definition("", body))

    def _said(self, name: str, question: Any) -> Iterator[nodes.Node]:
        """Yield what the answer is: in numbers where it has a formula, a table by its question."""
        if question.kind in ("sweep", "breakdown", "sensitivity"):
            yield nodes.literal("", " ".join(question.node.span.text.split()))
            return
        numeric = question.kind == "eval" and len(question.subjects) == 1
        view = " view=numeric" if numeric and self._is_number(name) else ""
        found = self.rendered(f"{name}{view}", BARE, inline=True)
        if found is not None:
            yield nodes.math("", found.text) if view else nodes.Text(found.text)

    def _is_number(self, name: str) -> bool:
        embed = embed_of(name)
        assert isinstance(embed, Embed)
        with roomy():
            found = self.book().ask(embed)
        return all(isinstance(each, Found) and each.answer.formula is not None for each in found)


CostDomain.roles = {
    "value": ValueRole(),
    "formula": FormulaRole(),
    "ref": QuestionRole(),
}
CostDomain.directives = {
    "formula": FormulaDirective,
    "table": MarkdownDirective,
    "derivation": DerivationDirective,
    "picture": PictureDirective,
    "scenario": ScenarioDirective,
}


def setup(app: Any) -> dict[str, Any]:
    """Add the domain, what fills pages, and three settings for pages without front matter."""
    app.add_domain(CostDomain)
    app.add_lexer("cost", CostLexer)
    app.add_config_value("cost_specs", (), "env", (str, list, tuple))
    app.add_config_value("cost_scenario", None, "env", (str, type(None)))
    app.add_config_value("cost_locale", None, "env", (str, type(None)))
    app.connect("source-read", fill)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
