"""Formulas of a page: symbolic, with what its names stand for, with numbers, or step by step."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from costlang.answer import Answer
from costlang.answer.explain import Branch, explain
from costlang.docs.host import Host
from costlang.docs.numbers import Wanted, localized, number_text
from costlang.emit.math import (
    Style,
    body_text,
    equation,
    latex,
    legend,
    mathml,
    numeric,
    unicode,
    where_list,
)
from costlang.emit.math import boxes as b
from costlang.emit.why_text import dimension_of, numbers_of
from costlang.formula import graph as g
from costlang.pipeline import ASKED

_POINT = re.compile(r"(?<=\d)\.(?=\d)")


@dataclass(frozen=True)
class Subject:
    """The formula of an answer, and what it is called."""

    node: g.Node
    name: str | None


def subject_of(answer: Answer) -> Subject | None:
    """Return the formula behind *answer*; None where it has none in closed form."""
    if answer.solved is not None:
        cases = answer.solved.cases
        node = cases[0].formula if len(cases) == 1 else None
        return Subject(node, answer.solved.unknown or None) if node is not None else None
    if answer.formula is None:
        return None
    return Subject(answer.formula.node, called(answer))


def called(answer: Answer) -> str:
    """Return what the formula of *answer* is called: its own name, else that of the question."""
    own = answer.formula.name if answer.formula is not None else ""
    return own if own.replace(".", "_").isidentifier() or answer.name == ASKED else answer.name


@dataclass(frozen=True)
class Writer:
    """Writes formulas for one host in one language."""

    host: Host
    wanted: Wanted

    @property
    def style(self) -> Style:
        """How the host wants formulas."""
        return self.host.style

    def symbolic(self, subject: Subject) -> str:
        """Return `latency = …` in the author's symbols."""
        return self.local(equation(subject.node, self.style, subject.name))

    def where(self, subject: Subject) -> list[str]:
        """Return an equation for each name in the formula."""
        return [self.local(line) for line in where_list(subject.node, self.style)]

    def local(self, text: str) -> str:
        """Return *text* with the points in its numbers as the language has them."""
        point = localized("0.5", self.wanted.locale)[1]
        if point == ".":
            return text
        return _POINT.sub("{,}" if point == "," and self.style == "latex" else point, text)

    def symbols(self, subject: Subject) -> list[tuple[str, str, g.Sym]]:
        """Return each symbol of the formula, what its value is, and itself."""
        return [
            (text, self._known(symbol), symbol) for text, symbol in legend(subject.node, self.style)
        ]

    def _known(self, symbol: g.Sym) -> str:
        info = symbol.info
        if info.known is None:
            return ""
        return number_text(info.known, info.dimension, Wanted(locale=self.wanted.locale))

    # ---- with numbers

    def steps(self, answer: Answer, depth: int) -> list[list[str]]:
        """
        Return the way to the number of *answer*, the definitions first that it is made of.

        Each is a name, its formula, the formula in numbers, and the number.
        """
        if answer.formula is None:
            return []
        tree = explain(answer, answer.formula).tree
        below = list(self._below(tree, depth - 1, set()))
        name = self._name(replace(tree, name=called(answer)))
        return [*below, self._step(tree, name, self._result(answer))]

    def _below(self, tree: Branch, depth: int, seen: set[g.Node]) -> Iterator[list[str]]:
        for branch in tree.below if depth > 0 else ():
            if isinstance(branch.node, g.Def) and branch.node not in seen:
                seen.add(branch.node)
                yield from self._below(branch, depth - 1, seen)
                value = self.quantity(branch.value, branch.node)
                yield self._step(branch, self._name(branch), value)

    def _step(self, tree: Branch, name: str, value: str) -> list[str]:
        numbers = numbers_of(tree)
        formula = self.local(body_text(tree.node, self.style))
        inside = self.local(numeric(tree.node, numbers, self.style)) if numbers else ""
        return [part for part in (name, formula, inside, value) if part]

    def _name(self, tree: Branch) -> str:
        text = equation(tree.node, self.style, tree.name)
        return text[: text.index(" = ")] if self.style != "mathml" and " = " in text else ""

    def _result(self, answer: Answer) -> str:
        wanted = number_text(answer.value, answer.dimension, self.wanted)
        return self.drawn(wanted)

    def quantity(self, value: object, node: g.Node) -> str:
        """Return the value of a definition in its unit."""
        if not isinstance(value, Fraction):
            return ""
        plain = Wanted(locale=self.wanted.locale)
        return self.drawn(number_text(value, dimension_of(node), plain))

    def drawn(self, text: str) -> str:
        """Return a quantity, `23.93 tok/s`, as the host draws it in a formula."""
        number, _, unit = text.partition(" ")
        box = b.Quantity(b.Number(number), unit) if unit else b.Number(number)
        match self.style:
            case "latex":
                written = latex.write(box)
                return written.replace(",", "{,}").replace(r"\{,}", r"\,")
            case "mathml":
                return mathml.page(box)
            case _:
                return unicode.write(box)


def stacked(style: str, chain: list[str]) -> str:
    """Return `name = formula = numbers = value`, a line for each sign."""
    if style == "mathml":
        return "\n".join(chain)
    first, *others = chain
    if style != "latex":
        lead = f"{first} = {others[0]}" if others else first
        return "\n".join([lead, *(f"{' ' * len(first)} = {other}" for other in others[1:])])
    lines = " \\\\\n".join(f"&= {other}" for other in others)
    return f"\\begin{{aligned}}\n{first} {lines}\n\\end{{aligned}}"
