"""An explanation for a person: value, formula, where, choices, what was taken, what is idle."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from costlang.answer.answers import Bounds, Stood
from costlang.answer.explain import Branch, Explanation, Ridge
from costlang.emit.answer_line import answer_text
from costlang.emit.canvas import Style
from costlang.emit.display import shown
from costlang.emit.math import body_text, equation, numeric
from costlang.emit.report_text import Paper, broken_text
from costlang.emit.values import stood_text, value_text
from costlang.formula import graph as g
from costlang.model import exact
from costlang.model.exact import Real
from costlang.units import NONE, Dimension, digits_of

DEPTH = 3


def why_lines(item: Explanation, paper: Paper, depth: int = DEPTH) -> Iterator[str]:
    """Yield the explanation, the tree of definitions as deep as *depth*."""
    answer = item.answer
    yield f"{shown(answer.expression)} = {paper.paint(answer_text(answer), Style.VALUE)}"
    yield ""
    yield f"  {equation(item.formula.node, 'text', item.formula.name)}"
    numbers = numbers_of(item.tree)
    if numbers:
        yield f"  = {numeric(item.formula.node, numbers, 'text')}"
    yield from _tree(item.tree, paper, depth)
    yield from _choices(item, paper)
    yield from _taken(item, paper)
    for broken in answer.infeasible:
        yield f"  {paper.paint('infeasible', Style.WARNING)}: {broken_text(broken)}"


def numbers_of(tree: Branch) -> dict[g.Node, Fraction]:
    """Return the exact numbers of what a formula is directly made of, none when one is missing."""
    values = {branch.node: branch.value for branch in tree.below}
    known = {node: value for node, value in values.items() if isinstance(value, Fraction)}
    return known if len(known) == len(values) else {}


def _tree(tree: Branch, paper: Paper, depth: int) -> Iterator[str]:
    rows = list(_rows(tree, 1, depth, set()))
    if not rows:
        return
    yield f"  {paper.paint('where', Style.FAINT)}"
    wide = max(len(name) + 2 * level for level, name, _, _ in rows)
    right = max(len(value) for _, _, value, _ in rows)
    for level, name, value, words in rows:
        label = f"  {('  ' * level + name).ljust(wide)}  {value.rjust(right)}  "
        yield f"{label}{paper.paint(_cut(words, paper.width - len(label)), Style.FAINT)}".rstrip()


def _rows(
    tree: Branch, level: int, depth: int, seen: set[g.Node]
) -> Iterator[tuple[int, str, str, str]]:
    for branch in tree.below:
        again = branch.node in seen
        seen.add(branch.node)
        yield level, branch.name, _value(branch), "see above" if again else _words(branch)
        if not again and level < depth:
            yield from _rows(branch, level + 1, depth, seen)


def _cut(words: str, room: int) -> str:
    """Return *words* within *room*, never less than forty signs of them."""
    room = max(room, 40)
    return words if len(words) <= room else words[: room - 1].rstrip() + "…"


def _value(branch: Branch) -> str:
    return real_text(branch.value, dimension_of(branch.node))


def _words(branch: Branch) -> str:
    node = branch.node
    if isinstance(node, g.Def):
        return f"= {body_text(node, 'text')}"
    if isinstance(node, g.Sym):
        info = node.info
        if info.value is not None:
            return shown(info.source or "")
        return "assumed" if info.default is not None else "nothing sets it"
    return ""


def dimension_of(node: g.Node) -> Dimension:
    """Return the dimension of a definition or a symbol."""
    if isinstance(node, g.Def):
        return node.dimension
    return node.info.dimension if isinstance(node, g.Sym) else NONE


def real_text(value: Real, dimension: Dimension) -> str:
    """Return a number of the evaluation for a person."""
    match value:
        case Fraction():
            return value_text(value, dimension)
        case exact.Interval(low, high, slopes):
            return value_text(Bounds(low, high, "outer" if slopes else "certified"), dimension)
        case exact.Infinity(sign):
            return "inf" if sign > 0 else "-inf"
        case exact.Unknown():
            return "?"


def _choices(item: Explanation, paper: Paper) -> Iterator[str]:
    for ridge in item.ridges:
        if ridge.active not in (None, "rest", "constant"):
            yield f"  {paper.paint('active', Style.FAINT)}: {ridge_text(ridge)}"


def ridge_text(ridge: Ridge) -> str:
    """Return which side of a choice is active, and how far the next one is."""
    words = f"{ridge.active} is the {ridge.function} in {ridge.owner}"
    if ridge.ratio is None or ridge.next is None:
        return words
    how = "times" if ridge.ratio >= 1 else "of"
    return f"{words}, {digits_of(ridge.ratio)} {how} {ridge.next}"


def _taken(item: Explanation, paper: Paper) -> Iterator[str]:
    answer = item.answer
    groups: tuple[tuple[str, list[str]], ...] = (
        ("given", [_placed(s) for s in answer.given]),
        ("set", [_placed(s) for s in answer.used if s.origin in ("at", "scenario", "argument")]),
        ("overridden", [_placed(s) for s in answer.overridden]),
        ("assumed", [f"{s.name} = {stood_text(s)}" for s in answer.assumed]),
        ("unverified", [f"{s.name} = {stood_text(s)}" for s in answer.unverified]),
        ("idle here", [s.name for s in item.dead]),
        ("free", list(answer.free)),
    )
    for title, words in groups:
        if words:
            yield from _wrapped(title, words, paper)


def _placed(item: Stood) -> str:
    place = f" ({item.span.place})" if item.span is not None else ""
    return shown(f"{item.name} = {stood_text(item)}{place}")


def _wrapped(title: str, words: list[str], paper: Paper) -> Iterator[str]:
    indent = " " * (len(title) + 4)
    line = ""
    first = True
    for at, word in enumerate(words):
        piece = word + (", " if at < len(words) - 1 else "")
        if line and len(indent) + len(line) + len(piece.rstrip()) > paper.width:
            yield _titled(title, line, indent, paper, first=first)
            first, line = False, ""
        line += piece
    yield _titled(title, line, indent, paper, first=first)


def _titled(title: str, line: str, indent: str, paper: Paper, *, first: bool) -> str:
    head = f"  {paper.paint(title, Style.FAINT)}: " if first else indent
    return f"{head}{line}".rstrip()
