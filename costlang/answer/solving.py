"""`solve`, `largest`, `smallest`, `limit` and `sensitivity`: the question put to the solver."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from costlang import solve as s
from costlang.answer.answers import Stood
from costlang.answer.choosing import Choosing
from costlang.answer.conditions import conditions_of
from costlang.answer.finding import (
    case_of,
    elastic,
    number,
    plain_case,
    side_words,
    stretches,
    weight,
    whole_numbers,
    whole_of,
)
from costlang.answer.naming import named
from costlang.answer.settled import settled, stood_on, with_numbers
from costlang.answer.several import Several, not_yet
from costlang.answer.solved import Elastic, Limit, Opening, Solved, SolvedCase
from costlang.answer.sought import (
    Above,
    Sought,
    dimension_of,
    domain_of,
    free_of,
    is_counted,
    joined,
    sought,
    values_of,
)
from costlang.answer.unbound import (
    BOUND_IT,
    Unbound,
    boundary,
    inequality,
    is_short,
    may_be_negative,
    on_a_line,
)
from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model import exact
from costlang.model.faults import fault
from costlang.model.lending import path_of
from costlang.model.types import NumberType, Type
from costlang.model.work import current
from costlang.solve.spans import without

MOST_THRESHOLDS = 3
NO_CLOSED_FORM = "not solved in closed form"
MOST_MOVES = 24
STEPS = 15_000
"""What a question in which something is sought takes of the work of a run, beside its steps."""


@dataclass(frozen=True, eq=False)
class _Known:
    """A question that was solved; what its key points to is kept with it."""

    solving: Solving
    solved: Solved


@dataclass(frozen=True, eq=False)
class Solving:
    """One question in which something is sought, under bindings from outside."""

    scenario: d.ScenarioDecl
    question: d.Question
    above: Above
    stood: dict[str, tuple[Stood, ...]] = field(default_factory=dict)

    def solved(self) -> Solved:
        """
        Return the answer; raises `Fault` where the question cannot be read.

        In one run a question is solved once under the same bindings, however many others read it.
        """
        found, key = current().found, self._key()
        known = found.get(key)
        if not isinstance(known, _Known):
            known = _Known(self, self._solved())
            found[key] = known
        self.stood.update(known.solving.stood)
        return known.solved

    def _key(self) -> object:
        """Return what tells this question from others, as long as all of it is kept."""
        above = ((each.path, id(each.value), id(each.high)) for each in self.above)
        return id(self.scenario), id(self.question), *above

    def _solved(self) -> Solved:
        current().spend(STEPS)
        match self.question.kind:
            case "solve" if len(self.question.unknowns) > 1:
                return Several(self.scenario, self.question, self.above, self.stood).solved()
            case "solve":
                return self._solve()
            case "largest" | "smallest" if not self.question.axes:
                return self._extreme()
            case "largest" | "smallest":
                choosing = Choosing(self.scenario, self.question, self.above)
                best = choosing.chosen()
                self.stood.update(choosing.stood())
                return best
            case "limit":
                return self._limit()
            case "sensitivity":
                return self._sensitivity()
            case _:
                raise self._not_yet()

    def _not_yet(self, why: str = "") -> Exception:
        return not_yet(self.question, why)

    def _sought(self) -> Sought:
        question = self.question
        path, kind = self._unknown()
        if not isinstance(kind, NumberType):
            raise self._not_yet("the boundary of a record or an enum is not sought; `solve` tells")
        return sought(self.scenario, question, self.above, [(path, kind)], question.node.span)

    def _unknown(self) -> tuple[c.Path, Type]:
        """Return what is sought, by the names that lead to it, and its kind."""
        question = self.question
        if question.kind in ("largest", "smallest"):
            (core,) = question.subjects
            path = path_of(core)
            if not path:
                words = "a boundary is that of a parameter; for the best value say `over` what"
                raise self._not_yet(words)
            return path, core.type
        if len(question.unknowns) != 1:
            raise self._not_yet("several unknowns are understood, and not answered yet")
        return question.unknowns[0], question.unknown_types[0]

    def _name(self) -> str:
        return joined(self._unknown()[0])[-1]

    # ---- solve

    def _solve(self) -> Solved:
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

    def _blank(self, found: Sought, outcome: str, reason: str = "") -> Solved:
        dimension = dimension_of(found.kind)
        return Solved(
            self.question.kind, outcome, self._name(), dimension, found.build, reason=reason
        )

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
        current().spend(STEPS // 10 * len(names))
        try:
            told = s.elasticities(found.build, formula, names, values)
        except ArithmeticError:
            return
        yield from sorted((elastic(item) for item in told), key=weight)

    def _thresholds(
        self,
        found: Sought,
        left: g.Node,
        right: g.Node,
        symbol: g.Sym,
        domain: s.Domain,
        values: dict[g.Sym, Fraction],
    ) -> Iterator[Opening]:
        """Yield for which values of the names after `at` there is a solution at all."""
        for other in self._set_for_this(values):
            current().spend(STEPS)
            rest = {name: value for name, value in values.items() if name is not other}
            about = domain_of(other, None, whole=False)
            try:
                told = s.threshold(found.build, left, right, symbol, domain, other, about, rest)
            except (ArithmeticError, KeyError):
                continue
            yield opening_of(other, told)

    def _set_for_this(self, values: dict[g.Sym, Fraction]) -> tuple[g.Sym, ...]:
        """Return the names after `at` that are one symbol, a few of them."""
        found: dict[g.Sym, None] = {}
        asked = (*self.question.at, *self.above) or tuple(self.scenario.settings.values())
        for setting in asked:
            path = joined(setting.path)
            spelt = [symbol for symbol in values if symbol.path[-1] == path[-1]]
            exact = [symbol for symbol in spelt if symbol.path[-len(path) :] == path]
            single = exact if len(exact) == 1 else spelt
            if len(single) == 1:
                found[single[0]] = None
        return tuple(found)[:MOST_THRESHOLDS]

    def _slot(self, found: Sought, symbol: g.Sym) -> d.Slot | None:
        """Return the declaration of the unknown; a namesake of another thing is none."""
        for holder in found.lowering.trace.instances.values():
            slot = holder.decl.find(found.path[-1])
            if isinstance(slot, d.Param) and slot.span == symbol.info.span:
                return slot
        return None

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

    def _where_any(
        self, found: Sought, left: g.Node, right: g.Node, symbol: g.Sym
    ) -> Iterator[Opening]:
        """Yield for which values of the one name that is left free there is a solution."""
        others = {x for side in (left, right) for x in g.symbols(side)} - {symbol}
        if len(others) == 1:
            (other,) = others
            domain, about = (domain_of(x, None, whole=False) for x in (symbol, other))
            try:
                told = s.threshold(found.build, left, right, symbol, domain, other, about, {})
            except (ArithmeticError, KeyError):
                return
            if without(about.spans, told.spans):
                yield opening_of(other, told)

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

    def _unbound(self, found: Sought, symbol: g.Sym, answer: Unbound) -> Solved:
        blank = self._blank(found, answer.outcome, answer.reason)
        return replace(blank, symbol=symbol, cases=answer.cases)

    # ---- largest and smallest

    def _extreme(self) -> Solved:
        found = self._sought()
        conditions = list(conditions_of(self.scenario, self.question, found))
        nodes = [node for _, node in conditions if isinstance(node, g.Node)]
        symbol = found.symbol([*nodes, *self._itself(found)])
        if symbol is None:
            raise self._not_yet(f"`{self._name()}` is no number that can be sought")
        values = values_of(nodes, symbol)
        self.stood.update(stood_on(nodes, symbol, found.lowering.trace))
        conditions = [
            (limit, settled(found.build, node, values) if isinstance(node, g.Node) else node)
            for limit, node in conditions
        ]
        nodes = [node for _, node in conditions if isinstance(node, g.Node)]
        if free_of(nodes, symbol, values):
            if may_be_negative(symbol):
                why = f"`{symbol.name}` may be negative: {BOUND_IT}"
                return self._blank(found, "undecided", why)
            return self._boundary(found, conditions, symbol, values)
        domain = domain_of(symbol, self._slot(found, symbol), whole=True)
        never = tuple(limit for limit, node in conditions if node is False)
        if never:
            return replace(self._blank(found, "none"), failing=never)
        kept = [(limit, node) for limit, node in conditions if node is not True]
        seek = s.largest if self.question.kind == "largest" else s.smallest
        truths = [node for _, node in kept if isinstance(node, (g.Node, bool))]
        answer = seek(found.build, symbol, truths, domain, values)
        return self._of_extreme(found, symbol, kept, answer)

    def _boundary(
        self,
        found: Sought,
        conditions: list[tuple[Limit, object]],
        symbol: g.Sym,
        values: dict[g.Sym, Fraction],
    ) -> Solved:
        """Return the boundary as a formula, with the numbers put in where it would be long."""
        largest = self.question.kind == "largest"
        whole = is_counted(symbol.info.kind, symbol.info.dimension)
        asked = [(limit.name, node) for limit, node in conditions]
        answer = boundary(found.build, asked, symbol, values, largest=largest, whole=whole)
        if values and not answer.short:
            asked = [
                (name, with_numbers(found.build, n, values) if isinstance(n, g.Node) else n)
                for name, n in asked
            ]
            answer = boundary(found.build, asked, symbol, {}, largest=largest, whole=whole)
        failing = tuple(limit for limit, _ in conditions if limit.name in answer.failing)
        return replace(self._unbound(found, symbol, answer), failing=failing)

    def _itself(self, found: Sought) -> Iterator[g.Node]:
        """Yield the unknown as a formula, for where no condition holds it."""
        node = found.lowered(self.question.subjects[0])
        if isinstance(node, g.Node):
            yield node

    def _of_extreme(
        self,
        found: Sought,
        symbol: g.Sym,
        kept: list[tuple[Limit, object]],
        answer: s.Extreme,
    ) -> Solved:
        names = [limit for limit, _ in kept]
        outcome = {"found": "one", "unbounded": "unbounded", "none": "none"}.get(
            answer.found.value, "undecided"
        )
        counted = is_counted(symbol.info.kind, symbol.info.dimension)
        case = case_of(answer.case, found.build, counted=False) if answer.case is not None else None
        value = number(answer.value) if answer.value is not None else None
        cases = (case,) if case is not None else ((SolvedCase(value),) if value else ())
        return Solved(
            self.question.kind,
            outcome,
            self._name(),
            dimension_of(found.kind),
            found.build,
            symbol,
            cases,
            binding=tuple(names[at] for at in answer.binding),
            next_value=number(answer.next_value) if answer.next_value is not None else None,
            next_binding=tuple(names[at] for at in answer.next_binding),
            whole=answer.whole if counted else None,
            attained=answer.attained,
            failing=tuple(names[at] for at in answer.failing),
            reason=answer.reason,
        )

    # ---- limit and sensitivity

    def _limit(self) -> Solved:
        found = self._sought()
        (core,) = self.question.subjects
        node = found.lowered(core)
        if not isinstance(node, g.Node):
            raise fault("not-a-value", "this has no value", core.span)
        dimension = dimension_of(core.type)
        symbol = found.symbol([node])
        if symbol is None:
            return Solved(
                "limit", "one", self._name(), dimension, found.build, None, (plain_case(node),)
            )
        values = values_of([node], symbol)
        self.stood.update(stood_on([node], symbol, found.lowering.trace))
        node = settled(found.build, node, values)
        try:
            tends = s.limit(found.build, node, symbol, self._point(found), values)
        except s.CannotTell as wrong:
            return Solved(
                "limit",
                "undecided",
                self._name(),
                dimension,
                found.build,
                symbol,
                reason=str(wrong),
            )
        if isinstance(tends, g.Inf):
            return Solved(
                "limit", "one", self._name(), dimension, found.build, symbol, infinite=tends.sign
            )
        return Solved(
            "limit", "one", self._name(), dimension, found.build, symbol, (plain_case(tends),)
        )

    def _point(self, found: Sought) -> s.Number:
        point = self.question.point
        if isinstance(point, c.Infinite):
            return exact.Infinity()
        value = found.lowered(point) if point is not None else None
        if isinstance(value, g.Num):
            return value.value
        if isinstance(value, g.Inf):
            return exact.Infinity(value.sign)
        raise fault(
            "not-a-value", "a limit is taken at a number or at `inf`", self.question.node.span
        )

    def _sensitivity(self) -> Solved:
        from costlang.answer.lowered import formula_of

        (core, *_) = self.question.subjects
        formula = formula_of(self.scenario, core, self.question.at, self.above)
        if formula is None:
            raise fault("not-a-number", "a sensitivity is that of a number", core.span)
        values = values_of([formula.node], None)
        self.stood.update(stood_on([formula.node], None))
        if free_of([formula.node], None, values):
            raise self._not_yet("a sensitivity needs a value for every name")
        symbols = list(values)
        try:
            told = s.elasticities(formula.build, formula.node, symbols, values)
        except s.CannotTell as wrong:
            return Solved("sensitivity", "undecided", "", None, formula.build, reason=str(wrong))
        rows = sorted((elastic(item) for item in told), key=weight)
        return Solved("sensitivity", "one", "", None, formula.build, elastic=tuple(rows))


def opening_of(other: g.Sym, told: s.Threshold) -> Opening:
    """Return for which values of *other* there is a solution."""
    whole = whole_of(other, told)
    return Opening(other.name, other.info.dimension, stretches(told.spans), whole, told.decided)


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
