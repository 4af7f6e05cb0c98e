"""Several equations for several unknowns: numbers, or formulas where names are left free."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from costlang import solve as s
from costlang.answer.answers import Stood
from costlang.answer.seeking.conditions import parts_of
from costlang.answer.seeking.finding import real
from costlang.answer.seeking.settled import settled, stood_on, with_numbers
from costlang.answer.seeking.solved import Solved, Together
from costlang.answer.seeking.sought import (
    Above,
    Sought,
    dimension_of,
    domain_of,
    joined,
    sought,
    values_of,
)
from costlang.answer.seeking.unbound import is_short
from costlang.formula import graph as g
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.faults import Fault, fault
from costlang.text import Diagnostic, Label, Severity

Pair = tuple[g.Node, g.Node]


def not_yet(question: d.Question, why: str = "") -> Fault:
    """Return what is said of a question that is understood and not answered."""
    words = why or f"a `{question.kind}` of this form is understood, and not answered yet"
    label = Label(question.node.span, "checked, not answered")
    return Fault(Diagnostic("not-answered-yet", words, label, severity=Severity.NOTE))


@dataclass(frozen=True, eq=False)
class Several:
    """`solve a == b and c == d for x, y`, under bindings from outside."""

    scenario: d.ScenarioDecl
    question: d.Question
    above: Above
    stood: dict[str, tuple[Stood, ...]] = field(default_factory=dict)

    def solved(self) -> Solved:
        """Return all unknowns for which all equations hold."""
        question = self.question
        unknowns = list(zip(question.unknowns, question.unknown_types, strict=True))
        found = sought(self.scenario, question, self.above, unknowns, question.node.span)
        sides = list(self._equations(found))
        nodes = [side for pair in sides for side in pair]
        symbols = {path: found.symbol(nodes, path) for path, _ in unknowns}
        for path, symbol in symbols.items():
            if symbol is None:
                words = f"`{joined(path)[-1]}` stands in no equation"
                return self._blank(found, "undecided", words)
        sought_now = [symbol for symbol in symbols.values() if symbol is not None]
        values = {x: v for x, v in values_of(nodes, None).items() if x not in sought_now}
        self.stood.update(stood_on(nodes, None, found.lowering.trace))
        plain = [(self._put(found, a, values), self._put(found, b, values)) for a, b in sides]
        flat = [side for pair in plain for side in pair]
        domains = {x: domain_of(x, None, whole=False) for x in sought_now}
        if any(x not in values and x not in domains for node in flat for x in g.symbols(node)):
            return self._free(found, plain, domains, values)
        return self._numeric(found, plain, domains, values)

    def _put(self, found: Sought, side: g.Node, values: dict[g.Sym, Fraction]) -> g.Node:
        return settled(found.build, side, values)

    def _numeric(
        self,
        found: Sought,
        sides: list[Pair],
        domains: dict[g.Sym, s.Domain],
        values: dict[g.Sym, Fraction],
    ) -> Solved:
        answer = s.solve_system(found.build, sides, domains, values)
        dimensions = map(dimension_of, self.question.unknown_types)
        unknowns = list(zip(self._names(), dimensions, domains, strict=True))
        points = tuple(
            tuple((name, dimension, real(point.values[x])) for name, dimension, x in unknowns)
            for point in answer.points
        )
        return replace(self._blank(found, answer.kind.value, answer.reason), points=points)

    def _free(
        self,
        found: Sought,
        sides: list[Pair],
        domains: dict[g.Sym, s.Domain],
        values: dict[g.Sym, Fraction],
    ) -> Solved:
        """Return formulas, with the numbers put in where they would be long."""
        answer = s.solve_free_system(found.build, sides, domains, values)
        if values and not all(self._is_short(point) for point in answer.points):
            build = found.build
            sides = [
                (with_numbers(build, a, values), with_numbers(build, b, values)) for a, b in sides
            ]
            answer = s.solve_free_system(build, sides, domains)
        if not answer.decided:
            return self._blank(found, "undecided", answer.reason)
        names = self._names()
        together = tuple(
            Together(tuple(zip(names, point.formulas.values(), strict=True)), point.conditions)
            for point in answer.points
        )
        outcome = {0: "none", 1: "one"}.get(len(together), "many")
        return replace(self._blank(found, outcome, ""), together=together)

    def _is_short(self, point: s.FreePoint) -> bool:
        return all(is_short(formula, point.conditions) for formula in point.formulas.values())

    def _equations(self, found: Sought) -> Iterator[Pair]:
        (core,) = self.question.subjects
        for part in parts_of(core):
            if not isinstance(part, c.Comparison) or part.operator != "==":
                why = "several unknowns are solved for from equations alone"
                raise not_yet(self.question, why)
            left, right = found.lowered(part.left), found.lowered(part.right)
            if not isinstance(left, g.Node) or not isinstance(right, g.Node):
                raise fault("not-a-value", "a side of this has no value", part.span)
            yield left, right

    def _names(self) -> list[str]:
        return [joined(path)[-1] for path in self.question.unknowns]

    def _blank(self, found: Sought, outcome: str, reason: str) -> Solved:
        names = ", ".join(self._names())
        return Solved("solve", outcome, names, None, found.build, reason=reason)
