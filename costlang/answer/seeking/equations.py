"""`solve` of one equation or inequality: numbers, or formulas where names are left free."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from costlang import solve as s
from costlang.answer.seeking.finding import (
    case_of,
    elastic,
    number,
    side_words,
    stretches,
    whole_numbers,
)
from costlang.answer.seeking.naming import named
from costlang.answer.seeking.openings import Opened
from costlang.answer.seeking.settled import settled, stood_on, with_numbers
from costlang.answer.seeking.solved import Elastic, Solved, SolvedCase
from costlang.answer.seeking.sought import (
    Sought,
    dimension_of,
    domain_of,
    free_of,
    is_counted,
    values_of,
)
from costlang.answer.seeking.unbound import (
    BOUND_IT,
    inequality,
    is_short,
    may_be_negative,
    on_a_line,
)
from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation
from costlang.model import core as c
from costlang.model.faults import fault
from costlang.model.types import NumberType, Type
from costlang.model.work import current

NO_CLOSED_FORM = "not solved in closed form"
MOST_MOVES = 24
A_MOVE = 1_500
"""What an elasticity takes of the work of a run."""


@dataclass(frozen=True, eq=False)
class Equation(Opened):
    """`solve a == b for x`, or an inequality."""

    def solved(self) -> Solved:
        """Return all values for which it holds; raises `Fault` where it cannot be read."""
        path, kind = self._unknown()
        if not isinstance(kind, NumberType):
            return self._named(path, kind)
        found = self._sought()
        (core,) = self.question.subjects
        if not isinstance(core, c.Comparison):
            raise self._not_yet("one comparison is solved; join conditions in a `largest`")
        left, right = found.lowered(core.left), found.lowered(core.right)
        if not isinstance(left, g.Node) or not isinstance(right, g.Node):
            raise fault("not-a-value", "a side of this has no value", core.span)
        symbol = found.symbol([left, right])
        if symbol is None:
            return self._without(found, core, left, right)
        values = values_of([left, right], symbol)
        self.stood.update(stood_on([left, right], symbol, found.lowering.trace))
        plain = [settled(found.build, side, values) for side in (left, right)]
        if not free_of(plain, symbol, values):
            left, right = plain
        else:
            return self._symbolic(found, core, left, right, symbol, values)
        return self._numeric(found, core, left, right, symbol, values)

    def _named(self, path: c.Path, kind: Type) -> Solved:
        """Return for which records, members or truths the condition holds."""
        told = named(self.scenario, self.question, self.above, path, kind)
        outcome = {0: "none", 1: "one"}.get(len(told.holds), "many")
        if told.untold and not told.holds:
            outcome = "undecided"
        elif not told.fails and not told.untold and told.holds:
            outcome = "everywhere"
        reason = f"it has no value for {', '.join(told.untold)}" if told.untold else ""
        if not told.fails and not told.holds and not told.untold:
            reason = f"the file knows no {kind.words}"
        return Solved(
            "solve", outcome, path[-1], None, g.Builder(), reason=reason, names=told.holds
        )

    def _without(self, found: Sought, core: c.Comparison, left: g.Node, right: g.Node) -> Solved:
        """The unknown stands in neither side: the equation holds for all of it, or for none."""
        truth: object = found.build.cmp(core.operator, left, right)
        values = values_of([left, right], None)
        if isinstance(truth, g.Node) and not free_of([left, right], None, values):
            truth = Evaluation(dict(values)).truth(truth)
        words = f"`{self._name()}` stands in neither side"
        outcome = "undecided"
        if isinstance(truth, bool):
            outcome = "everywhere" if truth else "none"
        return self._blank(found, outcome, words)

    def _numeric(
        self,
        found: Sought,
        core: c.Comparison,
        left: g.Node,
        right: g.Node,
        symbol: g.Sym,
        values: dict[g.Sym, Fraction],
    ) -> Solved:
        domain = domain_of(symbol, self._slot(found, symbol), whole=False)
        solution = s.solve(found.build, left, core.operator, right, symbol, domain, values)
        counted = is_counted(symbol.info.kind, symbol.info.dimension)
        single = len(solution.cases) == len(solution.spans)
        stretched = core.operator != "==" or not solution.cases or not single
        solved = Solved(
            "solve",
            solution.kind.value,
            self._name(),
            dimension_of(found.kind),
            found.build,
            symbol,
            tuple(case_of(item, found.build, counted=counted) for item in solution.cases),
            tuple(number(place) for place in solution.outside),
            stretches(solution.spans) if stretched else (),
            whole_numbers(solution) if counted and stretched else solution.integers,
            reason=solution.reason,
            thresholds=tuple(
                self._thresholds(found, left, right, symbol, domain, values)
                if core.operator == "==" and solution.kind.value == "none"
                else ()
            ),
        )
        return replace(solved, elastic=tuple(self._moves(found, solved, values)))

    def _moves(
        self, found: Sought, solved: Solved, values: dict[g.Sym, Fraction]
    ) -> Iterator[Elastic]:
        """Yield by how many percent the one solution moves with each name in its formula."""
        formula = solved.cases[0].formula if len(solved.cases) == 1 else None
        if formula is None:
            return
        names = [x for x in g.symbols(formula) if x in values][:MOST_MOVES]
        current().spend(A_MOVE * len(names))
        try:
            told = s.elasticities(found.build, formula, names, values)
        except ArithmeticError:
            return
        yield from elastic(told)

    def _symbolic(
        self,
        found: Sought,
        core: c.Comparison,
        left: g.Node,
        right: g.Node,
        symbol: g.Sym,
        values: dict[g.Sym, Fraction],
    ) -> Solved:
        if core.operator != "==" and may_be_negative(symbol):
            return self._blank(found, "undecided", f"`{symbol.name}` may be negative: {BOUND_IT}")
        if core.operator != "==":
            return self._inequality(found, core.operator, (left, right), symbol, values)
        cases = on_a_line(found.build, left, right, symbol)
        if cases:
            outcome = "one" if len(cases) == 1 else "many"
            return replace(self._blank(found, outcome), symbol=symbol, cases=cases)
        domain = domain_of(symbol, None, whole=False)
        answer = s.solve_symbolic(found.build, left, right, symbol, domain, values)
        if values and not all(is_short(b.formula, b.conditions) for b in answer.branches):
            left, right = (with_numbers(found.build, side, values) for side in (left, right))
            answer = s.solve_symbolic(found.build, left, right, symbol, domain)
        cases = tuple(
            SolvedCase(
                None,
                branch.formula,
                branch.conditions,
                tuple(side_words(branch.regime, found.build)),
                count=branch.count if branch.count != "several" or branch.sure else "any",
                within=branch.within,
                steps=tuple(_way((left, right), branch, symbol)),
            )
            for branch in answer.branches
        )
        outcome = ("one" if len(cases) == 1 else "many") if cases else "none"
        reason = answer.reason
        if not answer.complete:
            outcome, reason = "undecided", f"{NO_CLOSED_FORM}; {answer.reason}"
        blank = self._blank(found, outcome, reason)
        return Solved(
            "solve",
            outcome,
            blank.unknown,
            blank.dimension,
            found.build,
            symbol,
            cases,
            reason=reason,
            thresholds=tuple(self._where_any(found, left, right, symbol)) if cases else (),
        )

    def _inequality(
        self,
        found: Sought,
        operator: str,
        sides: tuple[g.Node, g.Node],
        symbol: g.Sym,
        values: dict[g.Sym, Fraction],
    ) -> Solved:
        build = found.build
        answer = inequality(build, build.cmp(operator, *sides), symbol, values)
        if values and not answer.short:
            plain = (with_numbers(build, side, values) for side in sides)
            answer = inequality(build, build.cmp(operator, *plain), symbol, {})
        return self._unbound(found, symbol, answer)


def _way(
    asked: tuple[g.Node, g.Node], branch: s.Branch, unknown: g.Sym
) -> Iterator[tuple[str, g.Node, g.Node]]:
    """Yield the steps to a case in which names are left free."""
    if branch.count != "one" or branch.formula is None:
        return
    yield ("what is asked", *asked)
    if branch.regime:
        yield ("with the active side of every choice", branch.left, branch.right)
    yield ("solved", unknown, branch.formula)
