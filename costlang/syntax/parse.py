"""From a text to its tree, with every mistake in one run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from costlang.syntax import tree as t
from costlang.syntax.budgets import over_budget
from costlang.syntax.cache import keep, recall
from costlang.text import Diagnostic, Edit, Label, Source, Span

EDITION = 1


@dataclass(frozen=True)
class Parsed:
    """
    A tree and the mistakes on the way to it.

    After mistakes the tree holds the sound statements; *lost* are names that faulty ones declared,
    *damaged* declarations whose first line was faulty.
    """

    tree: t.Tree
    diagnostics: tuple[Diagnostic, ...]
    lost: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()


def parse(source: Source) -> Parsed:
    """Return the tree of the file *source*, the one that was kept if its text was read before."""
    kept = recall(source)
    if kept is not None:
        return Parsed(kept, ())
    found = _parsed(source)
    if not found.diagnostics:
        keep(found.tree)
    return found


def _parsed(source: Source) -> Parsed:
    over = over_budget(source)
    if over:
        return Parsed(_nothing(source), over)
    from costlang.syntax.recover import parse_all

    try:
        read = parse_all(source)
    except RecursionError:
        return Parsed(_nothing(source), (_too_deep(source),))
    tree = read.tree if read.tree is not None else _nothing(source)
    found = (*read.diagnostics, *_edition(source, tree, read.diagnostics))
    return Parsed(tree, found, read.lost, read.damaged)


def _nothing(source: Source) -> t.Tree:
    return t.Tree(Span(source, 0, len(source.text)), source, EDITION, (), ())


def _too_deep(source: Source) -> Diagnostic:
    label = Label(Span(source, 0, 0), "somewhere in this file")
    return Diagnostic("nesting-too-deep", "this nests deeper than can be read", label)


def _edition(source: Source, tree: t.Tree, found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    start = Label(Span(source, 0, 0), "the edition belongs here")
    if tree.edition is None:
        if any(item.span.line == 1 for item in found):
            return ()
        words = "a file begins with its edition"
        edit = Edit(start.span, f"cost {EDITION}\n")
        mend = f"write `cost {EDITION}` first"
        return (Diagnostic("missing-edition", words, start, help=mend, edit=edit),)
    if tree.edition != EDITION:
        words = f"edition {tree.edition} of the language is not known"
        label = Label(start.span, f"this program reads edition {EDITION}")
        return (Diagnostic("unknown-edition", words, label, help="write `cost 1`"),)
    return ()


def parse_question(source: Source) -> tuple[t.Question | None, tuple[Diagnostic, ...]]:
    """Return the question that *source* asks."""
    return _piece(source, "question")


def parse_expression(source: Source) -> tuple[t.Expr | None, tuple[Diagnostic, ...]]:
    """Return the expression that *source* writes."""
    return _piece(source, "expr")


def parse_binding(source: Source) -> tuple[t.Binding | None, tuple[Diagnostic, ...]]:
    """Return the binding that *source* writes: `batch = 4`, `price = 4 .. 8 $/h`."""
    return _piece(source, "binding")


def _piece(source: Source, start: str) -> tuple[Any, tuple[Diagnostic, ...]]:
    over = over_budget(source)
    if over:
        return None, over
    from costlang.syntax.builder import Builder
    from costlang.syntax.messages import explain
    from costlang.syntax.parser import Stop, parse_text

    try:
        raw = parse_text(source.text, start)
    except Stop as stop:
        return None, (explain(stop, source),)
    except RecursionError:
        return None, (_too_deep(source),)
    builder = Builder(source)
    make = {"question": builder.question, "binding": builder.binding}.get(start, builder.expr)
    return make(raw), ()
