"""Mathematics on a page: a formula as plain text, Unicode, LaTeX or MathML, from one layout."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import Literal

from costlang.answer.explain import named_below
from costlang.emit.math import boxes, latex, mathml, plain, unicode
from costlang.emit.math.compose import Composer, Host
from costlang.emit.math.factor import factored
from costlang.emit.math.layout import Layout
from costlang.emit.math.letters import name_of
from costlang.emit.math.naming import Names, naming
from costlang.emit.math.plan import plan_for
from costlang.formula import graph as g

Style = Literal["text", "unicode", "latex", "mathml"]

__all__ = [
    "Names",
    "Style",
    "body_text",
    "equation",
    "factored",
    "legend",
    "numeric",
    "render",
    "where_list",
]

_HOSTS = {
    "text": Host(stacked=False, signs=False),
    "unicode": Host(stacked=False, signs=True),
    "latex": Host(stacked=True, signs=True),
    "mathml": Host(stacked=True, signs=True),
}
_WRITERS = {
    "text": plain.write,
    "unicode": unicode.write,
    "latex": latex.write,
    "mathml": mathml.page,
}
_NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*|\[\w+\])*", re.ASCII)


def render(
    node: g.Node,
    style: Style,
    opened: Collection[g.Node] | int = 0,
    numbers: bool = False,
    names: Names | None = None,
) -> str:
    """
    Return the formula of *node*; a definition is written out by its body.

    The definitions inside it stand by their names, but for those *opened*, or as many levels of
    them. With *numbers*, a symbol that has a value or a default stands by that. *names* says
    whether the author's symbols or the names are shown: text has names, all else symbols, unless
    it is given; where two symbols would read alike, names are shown for them.
    """
    values: dict[g.Node, Fraction] = {
        s: s.info.known for s in g.symbols(node) if s.info.known is not None
    }
    layout = _layout(node, style, opened, names, values if numbers else {})
    return _WRITERS[style](layout.formula(node))


def body_text(node: g.Node, style: Style, names: Names | None = None) -> str:
    """Return the formula of *node*, with all definitions inside it by their names."""
    return render(node, style, names=names)


def equation(
    node: g.Node, style: Style, name: str | None = None, names: Names | None = None
) -> str:
    """
    Return `latency = step_overhead + max(t_compute, t_memory) + t_link`.

    What is no definition is called *name*; where that is no name either, its formula stands alone.
    """
    layout = _layout(node, style, 0, names)
    right = layout.formula(node)
    if isinstance(node, g.Def):
        return _WRITERS[style](boxes.Relation("=", layout.naming.of(node), right))
    if name is not None and _NAME.fullmatch(name):
        return _WRITERS[style](boxes.Relation("=", name_of(name), right))
    return _WRITERS[style](right)


def where_list(node: g.Node, style: Style, names: Names | None = None) -> list[str]:
    """Return an equation for each name in the formula of *node*, one level deep."""
    layout = _layout(node, style, 0, names)
    return [_WRITERS[style](line) for line in _where(layout)]


def _where(layout: Layout) -> Iterator[boxes.Box]:
    for met in layout.plan.explained():
        yield boxes.Relation("=", layout.naming.of(met.node), layout.formula(met.node))


def legend(node: g.Node, style: Style, names: Names | None = None) -> list[tuple[str, g.Sym]]:
    """Return each symbol that stands in the formula of *node*, as it reads there."""
    layout = _layout(node, style, 0, names)
    body = node.body if isinstance(node, g.Def) else node
    return [
        (_WRITERS[style](layout.naming.of(met)), met)
        for met in named_below(body)
        if isinstance(met, g.Sym)
    ]


def numeric(
    node: g.Node, values: Mapping[g.Node, Fraction], style: Style, names: Names | None = None
) -> str:
    """
    Return the formula of *node* with *values* put in, in base units: `140 GB / (3.35 TB/s)`.

    The value of a symbol or an index is written to its last digit, that of a definition, which
    somebody worked out, rounded to four.
    """
    layout = _layout(node, style, 0, names, values)
    return _WRITERS[style](layout.formula(node))


def _layout(
    node: g.Node,
    style: Style,
    opened: Collection[g.Node] | int,
    names: Names | None,
    values: Mapping[g.Node, Fraction] | None = None,
) -> Layout:
    plan = plan_for(node, opened)
    shown = names or ("names" if style == "text" else "symbols")
    return Layout(plan, naming(plan, shown), Composer(_HOSTS[style]), dict(values or {}))
