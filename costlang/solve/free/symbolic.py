"""
Equations whose other names have no numbers: each regime with its root and its condition.

The walk goes over the choices from the inside out; a regime that contradicts itself, by the
declared bounds of the names, is left at once. What remains of the equation is a polynomial in the
unknown, and the signs of its coefficients tell how many roots it has above zero (Descartes).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise, product
from math import prod

from costlang.formula import graph as g
from costlang.solve.closed import tidying
from costlang.solve.closed.forms import MOST_DEGREE, NoClosedForm, gathered, opposite, roots
from costlang.solve.closed.regimes import holds_unknown
from costlang.solve.free.conditions import above_zero, negated
from costlang.solve.free.implied import without_implied
from costlang.solve.free.poles import defined_when, strictly
from costlang.solve.free.positive import POSITIVE, Reaches, Signing
from costlang.solve.ground.budget import Budget, CannotTell
from costlang.solve.ground.domain import Domain
from costlang.solve.ground.prepare import substituted, without_sums
from costlang.solve.ground.program import Values
from costlang.solve.ground.solution import Side

MOST_WAYS = 256
"""So many ways to choose are walked to see which of them contradict themselves."""
MOST_REGIMES = 64
"""So many that do not are solved: six choices of two sides. More than that nobody reads."""
MOST_OPEN = 3
"""So many coefficients of unknown sign are told apart by conditions."""

Coefficients = tuple[g.Node, ...]


@dataclass(frozen=True, eq=False)
class Constraint:
    """`polynomial > 0`, or `>= 0` when it is not *strict*; coefficients from the constant on."""

    polynomial: Coefficients
    strict: bool


@dataclass(frozen=True, eq=False)
class Branch:
    """
    What the solution is under *conditions*, none of which holds the unknown.

    *count* is `one`, `several` (at least one where *sure*), or `all`: the sides are equal all over
    the regime, for the unknown that keeps *within*. *formula* is the closed form of the one;
    None when there is none, and then it is the only unknown above zero with `left == right`.
    *rising* is 1 where the left side of the equation is above the right one beyond the root.
    """

    count: str
    conditions: tuple[g.Node, ...]
    left: g.Node
    right: g.Node
    regime: tuple[Side, ...]
    formula: g.Node | None = None
    within: tuple[g.Node, ...] = ()
    rising: int = 0
    sure: bool = True


@dataclass(frozen=True, eq=False)
class Symbolic:
    """
    All *branches*; where none of their conditions holds, there is no solution.

    *combined* is one formula for all of them, such as a minimum over the sides, where there is
    one. When it is not *complete*, *reason* says what was not followed.
    """

    branches: tuple[Branch, ...]
    combined: g.Node | None = None
    complete: bool = True
    reason: str = ""


@dataclass(frozen=True, eq=False)
class _State:
    left: g.Node
    right: g.Node
    constraints: tuple[Constraint, ...]
    regime: tuple[Side, ...]
    conditions: tuple[g.Node, ...]


def symbolic(
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
    Return all *unknown* above zero in *domain* with `left == right`, by regimes.

    Names in *values* count with their numbers where a sign is asked for, and stay in what is
    returned; *reaches* are the bounds of the others, their declared ones where it says nothing.
    """
    budget = budget or Budget()
    bounds = {**reaches, unknown: POSITIVE}
    signing = Signing(build, bounds, values, budget)
    try:
        sides = [without_sums(build, side, values, signing.sign) for side in (left, right)]
        defined = defined_when(build, signing, unknown, *sides)
        sure = Signing(build, strictly(bounds, defined), values, budget)
        work = _Regimes(build, unknown, sure, domain)
        branches = tuple(work.branches(*sides))
    except CannotTell as fault:
        return Symbolic((), complete=False, reason=str(fault))
    return Symbolic(tuple(_with(branch, defined, signing) for branch in branches))


def _with(branch: Branch, defined: tuple[g.Node, ...], signing: Signing) -> Branch:
    """Return *branch* under the conditions for its formulas to have a value."""
    kept = without_implied(signing.build, signing, (*branch.conditions, *defined))
    return replace(branch, conditions=kept)


class _Regimes:
    def __init__(self, build: g.Builder, unknown: g.Sym, signing: Signing, domain: Domain) -> None:
        self.build, self.unknown, self.signing, self.domain = build, unknown, signing, domain
        self.regimes = 0

    def branches(self, left: g.Node, right: g.Node) -> Iterator[Branch]:
        """Yield what is left in each regime."""
        if self._possible(left, right) > MOST_WAYS:
            raise CannotTell(f"there are more than {MOST_WAYS} ways to choose")
        state = _State(left, right, tuple(self._domain()), (), ())
        for leaf in list(self._leaves(state)):
            yield from self._solved(leaf)

    def _domain(self) -> Iterator[Constraint]:
        build, one = self.build, self.build.num(1)
        low, high = self.domain.low, self.domain.high
        if low is not None and low > 0:
            yield Constraint((build.num(-low), one), self.domain.open_low)
        if high is not None:
            yield Constraint((build.num(high), build.num(-1)), self.domain.open_high)

    # ---- regimes

    def _possible(self, left: g.Node, right: g.Node) -> int:
        """Return how many ways there are to choose, whether or not they contradict each other."""
        ways: dict[g.Node, int] = {}
        for side in (left, right):
            holding = holds_unknown(side, self.unknown)
            for node in g.walk(side):
                if node in holding and isinstance(node, (g.Max, g.Min)):
                    ways[node] = len(node.sides)
                elif node in holding and (isinstance(node, g.Cond) or _is_abs(node)):
                    ways[node] = 2
        return prod(ways.values())

    def _leaves(self, state: _State) -> Iterator[_State]:
        stack = [state]
        while stack:
            at = stack.pop()
            choice = self._choice(at)
            if choice is not None:
                stack.extend(reversed(list(self._taken(at, choice))))
                continue
            self.regimes += 1
            if self.regimes > MOST_REGIMES:
                raise CannotTell(f"there are more than {MOST_REGIMES} regimes")
            yield at

    def _choice(self, state: _State) -> g.Node | None:
        """Return an innermost choice in the unknown."""
        for side in (state.left, state.right):
            holding = holds_unknown(side, self.unknown)
            for node in g.walk(side):
                choice = isinstance(node, (g.Max, g.Min, g.Cond)) or _is_abs(node)
                if choice and node in holding:
                    return node
        return None

    def _taken(self, state: _State, choice: g.Node) -> Iterator[_State]:
        match choice:
            case g.Max(sides=sides) | g.Min(sides=sides):
                direction = 1 if isinstance(choice, g.Max) else -1
                for at, side in enumerate(sides):
                    gaps = [
                        (self._gap(side, other, direction), n < at)
                        for n, other in enumerate(sides)
                        if n != at
                    ]
                    yield from self._with(state, choice, side, gaps)
            case g.Fn(argument=argument):
                zero = self.build.num(0)
                minus = self.build.neg(argument)
                yield from self._with(state, choice, argument, [((argument, zero), False)])
                yield from self._with(state, choice, minus, [((zero, argument), True)])
            case g.Cond(condition=condition, yes=yes, no=no):
                for branch, wanted in ((yes, True), (no, False)):
                    for gaps in self._ways(condition, wanted):
                        yield from self._with(state, choice, branch, gaps)
            case _:
                raise AssertionError("no choice")

    def _gap(self, side: g.Node, other: g.Node, direction: int) -> tuple[g.Node, g.Node]:
        return (side, other) if direction > 0 else (other, side)

    def _ways(
        self, condition: g.Node, wanted: bool
    ) -> Iterator[list[tuple[tuple[g.Node, g.Node], bool]]]:
        """Yield the ways in which a condition comes out as *wanted*, as gaps above zero."""
        match condition:
            case g.Not(part=part):
                yield from self._ways(part, not wanted)
            case g.All(parts=parts) | g.Any(parts=parts):
                if wanted is isinstance(condition, g.All):
                    for each in product(*(list(self._ways(p, wanted)) for p in parts)):
                        yield [gap for gaps in each for gap in gaps]
                else:
                    yield from self._first_that(parts, wanted)
            case g.Cmp():
                yield from self._comparison(condition, wanted)
            case _:
                raise CannotTell("a condition is not known")

    def _first_that(
        self, parts: tuple[g.Node, ...], wanted: bool
    ) -> Iterator[list[tuple[tuple[g.Node, g.Node], bool]]]:
        """Yield the ways in which one part decides, those before it not."""
        for at, part in enumerate(parts):
            before = [list(self._ways(p, not wanted)) for p in parts[:at]]
            for each in product(*before, list(self._ways(part, wanted))):
                yield [gap for gaps in each for gap in gaps]

    def _comparison(
        self, condition: g.Cmp, wanted: bool
    ) -> Iterator[list[tuple[tuple[g.Node, g.Node], bool]]]:
        made = condition if wanted else negated(self.build, condition)
        if made is True:
            yield []
        if isinstance(made, bool):
            return
        if not isinstance(made, g.Cmp):
            raise CannotTell("a condition is not known")
        left, right = made.left, made.right
        match made.operator:
            case ">" | ">=":
                yield [((left, right), made.operator == ">")]
            case "<" | "<=":
                yield [((right, left), made.operator == "<")]
            case "!=":
                yield [((left, right), True)]
                yield [((right, left), True)]
            case _:
                yield [((left, right), False), ((right, left), False)]

    def _with(
        self,
        state: _State,
        choice: g.Node,
        side: g.Node,
        gaps: list[tuple[tuple[g.Node, g.Node], bool]],
    ) -> Iterator[_State]:
        """Yield the state with a side taken, unless that contradicts the bounds of the names."""
        constraints, conditions = list(state.constraints), list(state.conditions)
        for (more, less), strict in gaps:
            polynomial = self._numerator(more, less)
            known = self._known(polynomial, strict)
            if known is False:
                return
            if known is None and len(polynomial) == 1:
                word = ">" if strict else ">="
                made = above_zero(self.build, self.signing, polynomial[0], word)
                conditions.extend([made] if isinstance(made, g.Node) else [])
            elif known is None:
                constraints.append(Constraint(polynomial, strict))
        if self._contradicts(constraints):
            return
        yield _State(
            substituted(self.build, state.left, {choice: side}),
            substituted(self.build, state.right, {choice: side}),
            tuple(constraints),
            (*state.regime, Side(choice, side)),
            tuple(dict.fromkeys(conditions)),
        )

    def _known(self, polynomial: Coefficients, strict: bool) -> bool | None:
        """Return whether a polynomial is above zero for all unknowns above zero, or for none."""
        signs: set[int] = set()
        for coefficient in polynomial:
            signs |= self.signing.signs(coefficient)
        sure = any(self.signing.sign(c) in (1, -1) for c in polynomial)
        if signs <= {0, 1}:
            return True if sure or not strict else None
        if signs <= {0, -1}:
            return False if sure or strict else None
        return None

    def _contradicts(self, constraints: list[Constraint]) -> bool:
        """Whether two constraints cannot hold together, since their sum is below zero."""
        if len(constraints) < 2:
            return False
        last = constraints[-1]
        for other in constraints[:-1]:
            longest = max(len(last.polynomial), len(other.polynomial))
            total = tuple(
                self.build.add(*(c.polynomial[at] for c in (last, other) if at < len(c.polynomial)))
                for at in range(longest)
            )
            if self._known(total, last.strict or other.strict) is False:
                return True
        return False

    def _numerator(self, more: g.Node, less: g.Node) -> Coefficients:
        """Return a polynomial in the unknown with the sign of `more - less`."""
        try:
            above, below = gathered(self.build, more, less, self.unknown)
        except NoClosedForm:
            raise CannotTell("a formula is no quotient of polynomials in the unknown") from None
        sign = self._sign_of(below)
        short = tidying.tidier(self.build, tidying.named)(above)
        turned = self._turned(above, short)
        kept, sign = (short, sign * turned) if turned else (above, sign)
        while len(kept) > 1 and g.is_zero(kept[0]):
            kept = kept[1:]  # the unknown is above zero
        return kept if sign > 0 else tuple(opposite(self.build, c) for c in kept)

    def _turned(self, before: Coefficients, after: Coefficients) -> int | None:
        """Return the sign of what was taken out as a common factor, where it is certain."""
        if g.is_zero(after[-1]):
            return 1
        return self.signing.sign(self.build.div(before[len(after) - 1], after[-1]))

    def _sign_of(self, polynomial: Coefficients) -> int:
        signs: set[int] = set()
        for coefficient in polynomial:
            signs |= self.signing.signs(coefficient)
        if signs <= {0, 1}:
            return 1
        if signs <= {0, -1}:
            return -1
        raise CannotTell("the sign of what is divided by hangs on the values of other names")

    # ---- one regime

    def _solved(self, leaf: _State) -> Iterator[Branch]:
        polynomial = self._numerator(leaf.left, leaf.right)
        defined = defined_when(self.build, self.signing, self.unknown, leaf.left, leaf.right)
        leaf = replace(leaf, conditions=tuple(dict.fromkeys((*leaf.conditions, *defined))))
        if len(polynomial) > MOST_DEGREE + 1:
            raise CannotTell("a polynomial is of too high a degree")
        for signs, conditions in self._patterns(polynomial):
            plain = Branch(
                "one", (*leaf.conditions, *conditions), leaf.left, leaf.right, leaf.regime
            )
            yield from self._counted(plain, leaf, polynomial, signs)

    def _patterns(
        self, polynomial: Coefficients
    ) -> Iterator[tuple[tuple[int, ...], tuple[g.Node, ...]]]:
        """Yield the signs that the coefficients may have, each with the conditions for them."""
        possible = [sorted(self.signing.signs(c), reverse=True) for c in polynomial]
        if sum(len(signs) > 1 for signs in possible) > MOST_OPEN:
            raise CannotTell("too many signs hang on the values of other names")
        for signs in product(*possible):
            made = [
                self._sign_condition(c, sign)
                for c, sign, options in zip(polynomial, signs, possible, strict=True)
                if len(options) > 1
            ]
            if False not in made:
                yield signs, tuple(c for c in made if isinstance(c, g.Node))

    def _sign_condition(self, coefficient: g.Node, sign: int) -> g.Node | bool:
        word = ">" if sign else "=="
        node = coefficient if sign >= 0 else opposite(self.build, coefficient)
        return above_zero(self.build, self.signing, node, word)

    def _counted(
        self, plain: Branch, leaf: _State, polynomial: Coefficients, signs: tuple[int, ...]
    ) -> Iterator[Branch]:
        met = [sign for sign in signs if sign]
        changes = sum(a != b for a, b in pairwise(met))
        if not met:
            within = tuple(self._as_node(c) for c in leaf.constraints)
            yield replace(plain, count="all", within=within)
        elif changes == 1:
            kept = tuple(
                c if s else self.build.num(0) for c, s in zip(polynomial, signs, strict=True)
            )
            yield from self._one(plain, leaf, kept, met[-1])
        elif changes == 2 and len(polynomial) == 3 and not leaf.constraints:
            yield from self._two(plain, polynomial, signs)
        elif changes > 1:
            sure = bool(changes % 2) and not leaf.constraints
            within = tuple(self._as_node(c) for c in leaf.constraints)
            yield replace(plain, count="several", within=within, sure=sure)

    def _two(
        self, plain: Branch, polynomial: Coefficients, signs: tuple[int, ...]
    ) -> Iterator[Branch]:
        """Yield both roots above zero of a quadratic, the one beyond which it rises first."""
        build, (c, b, a) = self.build, polynomial
        inside = build.sub(build.pow(b, build.num(2)), build.mul(build.num(4), a, c))
        made = above_zero(build, self.signing, inside, ">=")
        if made is False:
            return
        more = (made,) if isinstance(made, g.Node) else ()
        forms = list(roots(build, polynomial))
        conditions = (*plain.conditions, *more)
        for form, rising in zip(forms[:2] if signs[1] > 0 else forms[2:], (1, -1), strict=True):
            yield replace(plain, conditions=conditions, formula=form, rising=rising)

    def _as_node(self, constraint: Constraint) -> g.Node:
        build = self.build
        total = build.add(
            *(
                build.mul(c, build.pow(self.unknown, build.num(power)))
                for power, c in enumerate(constraint.polynomial)
            )
        )
        made = above_zero(build, self.signing, total, ">" if constraint.strict else ">=")
        return made if isinstance(made, g.Node) else build.truth(made)

    def _one(
        self, plain: Branch, leaf: _State, polynomial: Coefficients, rising: int
    ) -> Iterator[Branch]:
        polynomial = _short(polynomial)
        conditions: list[g.Node] = list(plain.conditions)
        for constraint in leaf.constraints:
            made = self._at_root(constraint, polynomial, rising)
            if made is False:
                return
            conditions.extend([made] if isinstance(made, g.Node) else [])
        yield replace(
            plain,
            conditions=tuple(dict.fromkeys(conditions)),
            formula=self._positive_root(polynomial, rising),
            rising=rising,
        )

    def _positive_root(self, polynomial: Coefficients, rising: int) -> g.Node | None:
        """
        Return the one root above zero of a polynomial with one change of sign.

        *rising* is the sign of its last coefficient.
        """
        while g.is_zero(polynomial[0]):
            polynomial = polynomial[1:]
        try:
            forms = list(roots(self.build, polynomial))
        except NoClosedForm:
            return None
        if len(polynomial) != 3 or g.is_zero(polynomial[1]):
            return tidying.simplest(self.build, forms[0], tidying.named)
        # 2 c / (b + sqrt(b^2 + 4 a c)) where a > 0; turned over, the signs of all three change.
        if rising < 0:
            turned = tuple(opposite(self.build, c) for c in polynomial)
            forms = list(roots(self.build, turned))
        return forms[0]

    # ---- a constraint at the root

    def _at_root(
        self, constraint: Constraint, polynomial: Coefficients, rising: int
    ) -> g.Node | bool:
        """Return when a constraint holds at the root, without the root itself."""
        word = ">" if constraint.strict else ">="
        own = constraint.polynomial
        if len(polynomial) > 2:
            own = self._remainder(own, polynomial, rising)
        if len(own) == 1:
            return above_zero(self.build, self.signing, own[0], word)
        if len(own) > 2:
            return self._at_higher(replace(constraint, polynomial=own), polynomial, rising)
        if len(polynomial) == 2:
            return self._at_line(own, polynomial, rising, word)
        return self._beyond(own, polynomial, rising, constraint.strict)

    def _remainder(self, own: Coefficients, polynomial: Coefficients, rising: int) -> Coefficients:
        """Return what a constraint leaves when what is zero at the root is divided out."""
        build, lead = self.build, polynomial[-1]
        size = lead if rising > 0 else opposite(build, lead)
        while len(own) >= len(polynomial) > 1:
            top, shift = own[-1], len(own) - len(polynomial)
            factor = top if rising > 0 else opposite(build, top)
            made = [build.mul(size, c) for c in own[:-1]]
            for at, c in enumerate(polynomial[:-1]):
                made[shift + at] = build.sub(made[shift + at], build.mul(factor, c))
            own = self._known_zeros(made)
        return own

    def _known_zeros(self, polynomial: list[g.Node]) -> Coefficients:
        """Return a polynomial without the terms that cancel out."""
        tidy = [tidying.simplest(self.build, c, tidying.opened) for c in polynomial]
        kept = [
            self.build.num(0) if g.is_zero(t) else c for t, c in zip(tidy, polynomial, strict=True)
        ]
        return _short(tuple(kept) or (self.build.num(0),))

    def _at_line(
        self, own: Coefficients, polynomial: Coefficients, rising: int, word: str
    ) -> g.Node | bool:
        """For a root `-c0 / c1`: the constraint times `c1`, turned over where that is negative."""
        build = self.build
        (p, q), (c0, c1) = own, polynomial
        cross = build.sub(build.mul(p, c1), build.mul(q, c0))
        node = cross if rising > 0 else opposite(build, cross)
        return above_zero(build, self.signing, node, word)

    def _beyond(
        self, own: Coefficients, polynomial: Coefficients, rising: int, strict: bool
    ) -> g.Node | bool:
        """For other roots: whether the polynomial has changed its sign where the line is zero."""
        build, (p, q) = self.build, own
        slope = self.signing.sign(q)
        if not slope:
            raise CannotTell("a sign hangs on the values of other names")
        up = opposite(build, p) if slope > 0 else p
        down = q if slope > 0 else opposite(build, q)
        scaled = self._scaled_value(polynomial, up, down)
        # The root lies beyond `up / down` where the polynomial there has the sign it began with.
        node = opposite(build, scaled) if rising * slope > 0 else scaled
        crossed = above_zero(build, self.signing, node, ">" if strict else ">=")
        if slope > 0:
            return build.some(above_zero(build, self.signing, p, ">="), crossed)
        return build.every(above_zero(build, self.signing, p, ">"), crossed)

    def _scaled_value(self, polynomial: Coefficients, up: g.Node, down: g.Node) -> g.Node:
        """Return a polynomial at `up / down`, times a power of *down*."""
        build, degree = self.build, len(polynomial) - 1
        return build.add(
            *(
                build.mul(
                    c, build.pow(up, build.num(power)), build.pow(down, build.num(degree - power))
                )
                for power, c in enumerate(polynomial)
                if not g.is_zero(c)
            )
        )

    def _at_higher(
        self, constraint: Constraint, polynomial: Coefficients, rising: int
    ) -> g.Node | bool:
        root = self._positive_root(polynomial, rising)
        if root is None:
            raise CannotTell("a condition of a regime cannot be stated without its root")
        return substituted(self.build, self._as_node(constraint), {self.unknown: root})


def _is_abs(node: g.Node) -> bool:
    return isinstance(node, g.Fn) and node.function == "abs"


def _short(polynomial: Coefficients) -> Coefficients:
    kept = list(polynomial)
    while len(kept) > 1 and g.is_zero(kept[-1]):
        kept.pop()
    return tuple(kept)
