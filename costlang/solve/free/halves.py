"""An equation without numbers on the whole line: above zero, at zero, and below it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from costlang.formula import graph as g
from costlang.formula.sums import rebuild
from costlang.solve.free.conditions import above_zero
from costlang.solve.free.implied import follows, holds, without_implied
from costlang.solve.free.poles import defined_when, divisors_in_choices, strictly
from costlang.solve.free.positive import ANY, Reaches, Signing
from costlang.solve.free.symbolic import Branch, Symbolic, symbolic
from costlang.solve.ground.budget import Budget, CannotTell
from costlang.solve.ground.domain import Domain
from costlang.solve.ground.prepare import without_sums
from costlang.solve.ground.program import Values
from costlang.solve.ground.solution import Side


def on_the_line(
    build: g.Builder,
    left: g.Node,
    right: g.Node,
    unknown: g.Sym,
    domain: Domain,
    values: Values,
    reaches: Reaches,
    budget: Budget | None = None,
) -> Symbolic:
    """
    Return all *unknown* in *domain* with `left == right`, by regimes.

    Names in *values* count with their numbers where a sign is asked for, and stay in what is
    returned; *reaches* are the bounds of the others, their declared ones where it says nothing.
    """
    budget = budget or Budget()
    found: list[tuple[str, Symbolic]] = []
    if domain.high is None or domain.high > 0:
        above = _above(domain)
        half = symbolic(build, left, right, unknown, above, values, reaches, budget)
        found.append((">", half))
    if domain.low is None or domain.low < 0:
        turn = _Turning(build, unknown)
        sides = turn.over(left), turn.over(right)
        half = symbolic(build, *sides, unknown, _below(domain), values, reaches, budget)
        found.append(("<", replace(half, branches=tuple(map(turn.branch, half.branches)))))
    faults = [half for _, half in found if not half.complete]
    if faults:
        return Symbolic((), complete=False, reason=faults[0].reason)
    near = domain.low is None or domain.low <= 0
    zero = _Zero(build, unknown, reaches, values, budget)
    try:
        own = zero.branch(left, right) if domain.holds(Fraction(0)) else None
    except CannotTell as fault:
        return Symbolic((), complete=False, reason=str(fault))
    if len(found) == 1 and own is not None:
        branches = found[0][1].branches
        if any(zero.covered(branch, own) for branch in branches):
            return Symbolic(branches)
    branches = tuple(
        branch if branch.count == "one" or not near else _on_its_side(build, unknown, branch, word)
        for word, half in found
        for branch in half.branches
    )
    return Symbolic(zero.among(branches, own) if own is not None else branches)


def _above(domain: Domain) -> Domain:
    """Return the part of *domain* above zero."""
    if domain.low is not None and domain.low > 0:
        return domain
    return replace(domain, low=Fraction(0), open_low=True)


def _below(domain: Domain) -> Domain:
    """Return the part of *domain* below zero, turned over."""
    low = -domain.high if domain.high is not None and domain.high < 0 else Fraction(0)
    high = -domain.low if domain.low is not None else None
    open_low = domain.open_high or low == 0
    return replace(domain, low=low, high=high, open_low=open_low, open_high=domain.open_low)


def _on_its_side(build: g.Builder, unknown: g.Sym, branch: Branch, word: str) -> Branch:
    """Return what was found on one side of zero, where more than one number is meant."""
    made = build.cmp(word, unknown, build.num(0, unknown.info.dimension))
    side = made if isinstance(made, g.Node) else build.truth(made)
    return replace(branch, within=(*branch.within, side))


# ---- below zero


class _Turning:
    """Puts `-x` in the place of the unknown `x`, and back."""

    def __init__(self, build: g.Builder, unknown: g.Sym) -> None:
        self.build = build
        self._memo: dict[g.Node, g.Node] = {unknown: build.neg(unknown)}

    def over(self, node: g.Node) -> g.Node:
        """Return *node* with the unknown turned over; what was written keeps its place."""
        for at in g.walk(node):
            if at not in self._memo:
                made = rebuild(self.build, at, lambda child: self._memo[child])
                self._memo[at] = made
                if at in self.build.places:
                    self.build.places.setdefault(made, self.build.places[at])
        return self._memo[node]

    def branch(self, branch: Branch) -> Branch:
        """Return a branch that was found for `-x` as one for `x`."""
        formula = self.build.neg(branch.formula) if branch.formula is not None else None
        return replace(
            branch,
            formula=formula,
            left=self.over(branch.left),
            right=self.over(branch.right),
            within=tuple(map(self.over, branch.within)),
            regime=tuple(Side(self.over(s.choice), self.over(s.active)) for s in branch.regime),
            rising=-branch.rising,
        )


# ---- at zero


class _Zero:
    """Tells when zero itself is a solution."""

    def __init__(
        self, build: g.Builder, unknown: g.Sym, reaches: Reaches, values: Values, budget: Budget
    ) -> None:
        self.build, self.unknown = build, unknown
        self.reaches, self.values, self.budget = reaches, values, budget
        self.zero = build.num(0, unknown.info.dimension)
        self.plain = self.signing = Signing(build, reaches, values, budget)

    def branch(self, left: g.Node, right: g.Node) -> Branch | None:
        """Return the branch of zero, None where it never is a solution."""
        try:
            self._chosen_away(left, right)
            sides = [self._at(side) for side in (left, right)]
        except ZeroDivisionError:
            return None
        defined = defined_when(self.build, self.signing, self.unknown, left, right, *sides)
        bounds = strictly(self.reaches, defined)
        self.signing = Signing(self.build, bounds, self.values, self.budget)
        equal = above_zero(self.build, self.signing, self.build.sub(*sides), "==")
        if equal is False:
            return None
        conditions = tuple(c for c in (equal, *defined) if isinstance(c, g.Node))
        return Branch("one", conditions, left, right, (), self.zero)

    def _chosen_away(self, *formulas: g.Node) -> None:
        """Raise `CannotTell` where a choice may put aside what divides by zero."""
        for formula in formulas:
            for divisor in divisors_in_choices(formula):
                try:
                    signs = self.signing.signs(self._at(divisor))
                except ZeroDivisionError:
                    signs = ANY
                if 0 in signs:
                    raise CannotTell("whether it has a value at zero hangs on other names")

    def _at(self, node: g.Node) -> g.Node:
        memo: dict[g.Node, g.Node] = {self.unknown: self.zero}
        for at in g.walk(node):
            if at not in memo:
                memo[at] = self._simpler(rebuild(self.build, at, lambda child: memo[child]))
        return without_sums(self.build, memo[node], self.values, self.signing.sign)

    def _simpler(self, node: g.Node) -> g.Node:
        """Return a maximum or a minimum without the sides that never are the active one."""
        if not isinstance(node, (g.Max, g.Min)):
            return node
        kept: list[g.Node] = []
        for side in node.sides:
            if not any(self._beats(other, side, node) for other in kept):
                kept = [other for other in kept if not self._beats(side, other, node)]
                kept.append(side)
        return self.build.max(*kept) if isinstance(node, g.Max) else self.build.min(*kept)

    def _beats(self, side: g.Node, other: g.Node, choice: g.Node) -> bool:
        """Whether *side* is certainly no less than *other*, or no more in a minimum."""
        more, less = (side, other) if isinstance(choice, g.Max) else (other, side)
        return self.signing.signs(self.build.sub(more, less)) <= {0, 1}

    def among(self, branches: tuple[Branch, ...], own: Branch) -> tuple[Branch, ...]:
        """Return *branches* with zero: inside one of them where it is a case of it, or apart."""
        for at, branch in enumerate(branches):
            closed = self._closed(branch, own)
            if closed is not None:
                return (*branches[:at], closed, *branches[at + 1 :])
        return (own, *branches)

    def covered(self, branch: Branch, own: Branch) -> bool:
        """Whether both sides are equal all over a regime to which zero belongs."""
        if branch.count != "all" or set(branch.conditions) != set(own.conditions):
            return False
        return all(
            holds(self.build, self.signing, self._at(condition)) for condition in branch.within
        )

    def _closed(self, branch: Branch, own: Branch) -> Branch | None:
        """Return *branch* with `>=` for a `>`, where equality makes its root zero."""
        if branch.count != "one" or branch.formula is None or _has_root(branch.formula):
            return None
        equal, others = own.conditions[:1], own.conditions[1:]
        for at, condition in enumerate(branch.conditions):
            rest = (*branch.conditions[:at], *branch.conditions[at + 1 :])
            if equal and _is_edge(condition, equal[0]):
                asked = (each for each in rest if each not in others)
                if all(follows(self.build, self.signing, each, equal[0]) for each in asked):
                    made = self._reached(condition)
                    before, after = branch.conditions[:at], branch.conditions[at + 1 :]
                    conditions = (*before, *made, *after, *others)
                    kept = without_implied(self.build, self.plain, conditions)
                    return replace(branch, conditions=kept)
        return None

    def _reached(self, condition: g.Node) -> tuple[g.Node, ...]:
        """Return a strict condition with its edge, none where it then always holds."""
        assert isinstance(condition, g.Cmp)
        made = self.build.cmp(">=", condition.left, condition.right)
        sure = not isinstance(made, g.Node) or holds(self.build, self.plain, made)
        return () if sure or not isinstance(made, g.Node) else (made,)


def _is_edge(condition: g.Node, equal: g.Node) -> bool:
    """Whether *equal* is just what a strict *condition* leaves out."""
    if not isinstance(condition, g.Cmp) or not isinstance(equal, g.Cmp):
        return False
    same = {condition.left, condition.right} == {equal.left, equal.right}
    return same and condition.operator == ">" and equal.operator == "=="


def _has_root(formula: g.Node) -> bool:
    """Whether a root is taken in *formula*, which may then be no value at zero."""
    return any(
        (isinstance(at, g.Fn) and at.function == "sqrt")
        or (isinstance(at, g.Pow) and isinstance(at.exponent, g.Num) and at.exponent.value < 1)
        for at in g.walk(formula)
    )
