"""Random equations and inequalities, and what trying every number says of them."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from random import Random

from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation
from costlang.model import exact
from costlang.solve.certified.question import Question, solved
from costlang.solve.ground import places, spans
from costlang.solve.ground.budget import Budget
from costlang.solve.ground.domain import Domain, integers, members, reals
from costlang.solve.ground.places import narrowed
from costlang.solve.ground.solution import Kind, Solution
from costlang.solve.ground.spans import Spans

STEPS = 400_000
MOST_ENDS = 30
"""Of so many stretches of a solution, evenly chosen, the ends are tried."""
RELATIONS = ("==", "==", "<", "<=", ">", ">=", "!=")


@dataclass(frozen=True)
class Verdict:
    """What became of a problem: `agrees`, `undecided` or `wrong`, with its kind and the place."""

    word: str
    kind: Kind
    steps: int
    at: Fraction | None = None


class Grown:
    """Grows formulas of one unknown from a seed; *kinds* counts what they hold."""

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)
        self.build = g.Builder()
        info = g.SymbolInfo("x", None, g.NONE, "real")
        self.x = self.build.sym(("x",), info)
        assert isinstance(self.x, g.Sym)
        self.curved = self.dice.random() < 0.3
        self.wide = self.dice.random() < 0.25

    def number(self) -> g.Node:
        """Return a coefficient; where they are *wide*, of one of twenty orders of magnitude."""
        dice = self.dice
        if self.wide and dice.random() < 0.6:
            size = Fraction(10) ** dice.randint(-10, 10)
            return self.build.num(dice.choice([1, 2, 3, 7, 41]) * size)
        value = Fraction(dice.choice([1, 2, 3, 5, 7, 10, 12, 40, 100, 365]))
        if dice.random() < 0.3:
            value /= dice.choice([2, 3, 8, 10])
        return self.build.num(value)

    def line(self) -> g.Node:
        """Return `a x + b`, or one over it."""
        build, dice = self.build, self.dice
        made = build.mul(self.number(), self.x)
        if dice.random() < 0.7:
            made = build.add(made, self.number())
        return build.div(self.number(), made) if dice.random() < 0.2 else made

    def formula(self, depth: int) -> g.Node:
        """Return a formula with at most *depth* operations in each other."""
        dice, build = self.dice, self.build
        if depth == 0 or dice.random() < 0.08:
            return dice.choice([self.line, self.line, self.number, lambda: self.x])()
        kinds = ["add", "add", "sub", "mul", "div", "max", "max", "min", "if", "step", "abs", "sum"]
        kinds += ["log2", "root", "exp", "power"] if self.curved else ["square"]
        return self._made(dice.choice(kinds), depth - 1, build)

    def _made(self, kind: str, depth: int, build: g.Builder) -> g.Node:
        dice, one = self.dice, lambda: self.formula(depth)
        match kind:
            case "add":
                return build.add(*(one() for _ in range(dice.choice([2, 2, 3]))))
            case "sub":
                return build.sub(one(), one())
            case "mul":
                return build.mul(one(), self.formula(0))
            case "div":
                below = self.formula(0)
                return one() if g.is_zero(below) else build.div(one(), below)
            case "max" | "min":
                sides = [one() for _ in range(dice.choice([2, 2, 3]))]
                return build.max(*sides) if kind == "max" else build.min(*sides)
            case "if":
                return build.cond(self.truth(depth), one(), one())
            case "step":
                word = dice.choice(["ceil", "ceil", "floor"])
                return build.mul(build.fn(word, build.div(one(), self.number())), self.number())
            case "abs":
                return build.fn("abs", one())
            case "sum":
                return self._sum()
            case "square":
                return build.pow(self.formula(0), build.num(dice.choice([2, 2, 3, -1])))
            case _:
                return self._curve(kind)

    def _sum(self) -> g.Node:
        build, dice = self.build, self.dice
        index = build.idx("i")
        body = build.add(build.mul(self.number(), index), build.mul(self.number(), self.x))
        if dice.random() < 0.6:
            choice = build.max if dice.random() < 0.5 else build.min
            body = choice(body, dice.choice([self.number, self.line])())
        return build.sum(index, build.num(1), build.num(dice.choice([2, 5, 30])), body)

    def _curve(self, kind: str) -> g.Node:
        build, dice = self.build, self.dice
        inner = dice.choice([lambda: self.x, self.line])()
        match kind:
            case "log2":
                return build.mul(self.number(), build.fn("log2", inner))
            case "root":
                power = Fraction(dice.choice([1, 1, 2, 3, 5]), dice.choice([2, 2, 3]))
                return build.mul(self.number(), build.pow(inner, build.num(power)))
            case "exp":
                part = build.div(self.x, build.num(dice.choice([-50, -9, 20])))
                return build.mul(self.number(), build.fn("exp", part))
            case _:
                base = build.num(Fraction(dice.choice([1, 3, 9, 11]), 10))
                return build.mul(self.number(), build.pow(base, self.x))

    def truth(self, depth: int) -> g.Node | bool:
        build, dice = self.build, self.dice
        word = dice.choice(["<", "<=", ">", ">=", "==", "!="])
        made = build.cmp(word, self.formula(min(depth, 1)), self.formula(0))
        draw = dice.random()
        if draw < 0.15:
            return build.no(made)
        if draw < 0.35:
            join = build.every if dice.random() < 0.5 else build.some
            return join(made, build.cmp("<", self.formula(0), self.formula(0)))
        return made


def problem(seed: int) -> Question:
    """Return the problem of a seed, the same on every machine."""
    grown = Grown(seed)
    dice = grown.dice
    left, right = grown.formula(dice.choice([1, 2, 2, 3])), grown.formula(dice.choice([0, 0, 1]))
    domain = _domain(dice)
    draw = dice.random()
    if draw < 0.4:
        edge = domain.high if dice.random() < 0.5 else domain.low
        met = Fraction(dice.randint(1, 60)) if draw < 0.3 or edge is None else edge
        right = _met(grown, left, right, met)
    elif draw < 0.55:
        left, right = _touching(grown, left, right)
    assert isinstance(grown.x, g.Sym)
    return Question(grown.build, left, dice.choice(RELATIONS), right, grown.x, domain, {})


def _met(grown: Grown, left: g.Node, right: g.Node, x: Fraction) -> g.Node:
    """Return what *left* is at *x*, so that the two certainly meet there."""
    value = worth(left, grown.x, x)
    return grown.build.num(value) if isinstance(value, Fraction) else right


def _touching(grown: Grown, left: g.Node, right: g.Node) -> tuple[g.Node, g.Node]:
    """Return sides that touch, are equal all along, or have slopes that cancel."""
    build, dice, x = grown.build, grown.dice, grown.x
    a, b = grown.number(), grown.number()
    match dice.choice(["tangent", "tie", "plateau", "slopes"]):
        case "tangent":
            return build.add(build.mul(x, x), build.mul(a, a)), build.mul(build.num(2), a, x)
        case "tie":
            return build.max(left, right), build.max(right, left, build.mul(a, x))
        case "plateau":
            return build.max(build.min(build.mul(a, x), b), build.div(b, build.num(2))), b
        case _:
            same = build.div(build.mul(x, a), a)
            return build.add(
                build.sub(build.div(build.mul(build.num(2), x), build.num(2)), same), left
            ), right


def _domain(dice: Random) -> Domain:
    draw = dice.random()
    low = dice.choice([0, 1, 1, 5])
    if draw < 0.4:
        return integers(low, dice.choice([None, None, 40, 200]))
    if draw < 0.5:
        return members(*(dice.randint(1, 300) for _ in range(6)))
    high = dice.choice([None, None, Fraction(41, 2), 100])
    return reals(low, high, dice.choice(["[]", "(]", "()", "[)"]))


# ---- what trying says


def worth(node: g.Node, unknown: g.Node, x: Fraction) -> exact.Real | None:
    """Return what a formula is at *x*, by the evaluator that solving does not use."""
    assert isinstance(unknown, g.Sym)
    try:
        return Evaluation({unknown: x}).number(node)
    except ArithmeticError:
        return None


def holds(question: Question, x: Fraction) -> bool | None:
    """Return whether the relation holds at *x*, None when that is not certain."""
    evaluation = Evaluation({question.unknown: x})
    try:
        left, right = evaluation.number(question.left), evaluation.number(question.right)
    except exact.OutOfDomain as fault:
        return None if "may" in str(fault) or "measure" in str(fault) else False
    except ArithmeticError:
        return None
    truth = exact.compare(question.relation, left, right)
    return truth if isinstance(truth, bool) else None


def samples(question: Question, seed: int, count: int) -> list[Fraction]:
    """Return numbers of the domain to try: all whole ones up to 60, and some broken ones."""
    dice = Random(seed)
    found = [Fraction(n) for n in range(61)]
    found += [Fraction(dice.randint(0, 3000), dice.choice([7, 16, 24])) for _ in range(count)]
    found += [Fraction(dice.randint(1, 10**6), 10 ** dice.randint(0, 7)) for _ in range(count)]
    found += [Fraction(10**n) for n in range(3, 10)]
    if question.domain.members:
        found = list(question.domain.members)
    return [x for x in found if question.domain.holds(x)]


def claimed(solution: Solution, question: Question, x: Fraction) -> bool:
    """Whether a solution claims that *x* is one."""
    if question.domain.whole:
        return any(
            (low is None or low <= x) and (high is None or x <= high)
            for low, high in solution.integers
        )
    return within(solution.spans, x)


def within(stretches: Spans, x: Fraction) -> bool:
    """Whether *x* lies in one of many stretches, which are in order."""
    at = places.at(x)
    first, last = 0, len(stretches)
    while first < last:
        middle = (first + last) // 2
        low = stretches[middle].low
        if low is not None and places.compare(low, at) > 0:
            last = middle
        else:
            first = middle + 1
    return any(stretches[n].holds(at) for n in (first - 1, first - 2) if n >= 0)


def near(solution: Solution, question: Question) -> list[Fraction]:
    """Return numbers of the domain at every end that a solution claims, and on both sides of it."""
    few = solution.spans[:: 1 + len(solution.spans) // MOST_ENDS]
    ends = [end for span in few for end in (span.low, span.high) if end is not None]
    found: list[Fraction] = []
    for end in ends:
        value = narrowed(end, 80).low
        if question.domain.whole:
            found += [Fraction(math.floor(value) + step) for step in (-1, 0, 1, 2)]
        else:
            gap = abs(value) / 10**9 or Fraction(1, 10**9)
            found += [value, value - gap, value + gap] if end.exact else [value - gap, value + gap]
    return [x for x in found if question.domain.holds(x)]


def crossed(solution: Solution, question: Question, tried: list[Fraction]) -> Fraction | None:
    """Return where both sides certainly cross and no solution is claimed, None if nowhere."""
    if question.relation != "==" or question.domain.whole or question.domain.members:
        return None
    if not (_is_continuous(question.left) and _is_continuous(question.right)):
        return None
    signs = [(x, side) for x in sorted(set(tried)) if (side := _side(question, x)) is not None]
    for (x, before), (y, after) in pairwise(signs):
        if before * after >= 0:
            continue
        between = (spans.span(x, y),)
        if not spans.meet(solution.spans, between) and not spans.meet(solution.doubtful, between):
            return x
    return None


def _side(question: Question, x: Fraction) -> int | None:
    """Return which side is greater at *x*, None when that is not certain."""
    left, right = (worth(side, question.unknown, x) for side in (question.left, question.right))
    if left is None or right is None:
        return None
    for sign, word in ((1, ">"), (-1, "<"), (0, "==")):
        if exact.compare(word, left, right) is True:
            return sign
    return None


def _is_continuous(node: g.Node) -> bool:
    """Whether a formula certainly has no jump and no pole."""
    return not any(
        isinstance(at, (g.Cond, g.Div, g.Pow))
        or (isinstance(at, g.Fn) and at.function in ("ceil", "floor", "log2"))
        for at in g.walk(node)
    )


def verdict(seed: int, count: int = 12) -> Verdict:
    """Solve the problem of a seed, and try numbers of its domain one by one."""
    question = problem(seed)
    solution = solved(question, Budget(STEPS))
    tried = [*samples(question, seed, count), *near(solution, question)]
    missed = crossed(solution, question, tried)
    if missed is not None:
        return Verdict("wrong", solution.kind, solution.steps, missed)
    for x in tried:
        if within(solution.doubtful, x):
            continue
        truth = holds(question, x)
        if truth is not None and truth is not claimed(solution, question, x):
            return Verdict("wrong", solution.kind, solution.steps, x)
    word = "undecided" if solution.kind is Kind.UNDECIDED else "agrees"
    return Verdict(word, solution.kind, solution.steps)


def shown(node: g.Node) -> str:
    """Return a formula in one line, for a message."""
    match node:
        case g.Num(value=value):
            return str(value)
        case g.Sym() | g.Idx():
            return node.name
        case g.Fn(function=function):
            return f"{function}({shown(node.argument)})"
        case g.Cmp(operator=operator):
            return f"{shown(node.left)} {operator} {shown(node.right)}"
        case _:
            return f"{type(node).__name__}({', '.join(map(shown, node.children))})"


def tally(verdicts: list[Verdict]) -> Counter[str]:
    """Count words and kinds."""
    return Counter([v.word for v in verdicts] + [v.kind.value for v in verdicts])
