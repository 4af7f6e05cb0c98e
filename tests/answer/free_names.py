"""Random equations with names left free, and whether their cases agree with numbers put in."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random

from costlang.answer import Answer
from costlang.answer.seeking.solved import SolvedCase
from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation
from costlang.model import exact
from tests.answer.asked import all_asked

NAMES = ("a", "b", "c", "d")
DOMAINS = ("", " in 0..", " in 0..", " in 1..", " in 0..6", " in 2..9")
COEFFICIENTS = (" in 0..", " in 0..", " in 1..", " in 0..1", "")


@dataclass(frozen=True)
class Problem:
    """An equation in `x`, what declares its names, and numbers to put in for the others."""

    equation: str
    body: str
    numbers: tuple[dict[str, Fraction], ...]

    @property
    def questions(self) -> tuple[str, ...]:
        """The equation with names left free, and with each set of numbers."""
        asked = f"solve {self.equation} for x"
        known = (", ".join(f"{k} = {v}" for k, v in each.items()) for each in self.numbers)
        return (asked, *(f"{asked} at {at}" for at in known))


class Grown:
    """Grows problems from a seed."""

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)

    def name(self) -> str:
        return self.dice.choice(NAMES)

    def line(self) -> str:
        dice = self.dice
        made = dice.choice(
            ["x", f"{self.name()} * x", f"{self.name()} * x", f"x * {self.name()} * 2"]
        )
        if dice.random() < 0.15:
            made = f"x * {made}"
        draw = dice.random()
        if draw < 0.45:
            made = f"({made} {dice.choice('++-')} {self.name()})"
        elif draw < 0.55:
            made = f"({self.name()} - {made})"
        draw = dice.random()
        if draw < 0.15:
            made = f"{made} / {self.name()}"
        elif draw < 0.25:
            made = f"{self.name()} / (1 + {made})" if dice.random() < 0.5 else f"{self.name()} / x"
        return made

    def term(self) -> str:
        dice = self.dice
        draw = dice.random()
        if draw < 0.35:
            return self.line()
        if draw < 0.7:
            sides = [dice.choice([self.line, self.line, self.name])() for _ in range(2)]
            return f"{dice.choice(['max', 'max', 'min'])}({', '.join(sides)})"
        if draw < 0.85:
            sign = dice.choice(["<", "<=", ">", ">="])
            return f"(if x {sign} {self.name()} then {self.line()} else {self.line()})"
        return f"abs({self.line()} - {self.name()})"

    def problem(self) -> Problem:
        dice = self.dice
        left = self.term()
        if dice.random() < 0.4:
            left += f" {dice.choice('++-')} {self.term()}"
        right = dice.choice([self.name, self.name, self.line, lambda: "0", lambda: "3"])()
        bounds = {name: dice.choice(COEFFICIENTS) for name in NAMES}
        body = f"  param x : ratio{dice.choice(DOMAINS)}\n"
        body += "".join(f"  param {name} : ratio{bounds[name]}\n" for name in NAMES)
        numbers = tuple({name: self.number(bounds[name]) for name in NAMES} for _ in range(4))
        return Problem(f"{left} == {right}", body, numbers)

    def number(self, bounds: str) -> Fraction:
        dice = self.dice
        value = Fraction(dice.choice([0, 0, 1, 1, 2, 3, 5, 8]), dice.choice([1, 1, 2, 4]))
        if bounds == " in 1..":
            return 1 + value
        if bounds == " in 0..1":
            return min(value, Fraction(1))
        return value


# ---- what the cases claim


def claimed(case: SolvedCase, numbers: dict[str, Fraction]) -> bool:
    """Whether the conditions of a case hold for *numbers*; one without a value does not."""
    for node in case.when:
        known = {s: numbers[s.name] for s in g.symbols(node)}
        try:
            truth = Evaluation(known).truth(node)
        except exact.OutOfDomain:
            return False
        assert isinstance(truth, bool)
        if not truth:
            return False
    return True


def root(case: SolvedCase, numbers: dict[str, Fraction]) -> float:
    """Return the number of the closed form."""
    assert case.formula is not None
    known = {s: numbers[s.name] for s in g.symbols(case.formula)}
    low, high = exact.ends(Evaluation(known).number(case.formula))
    return round(float((Fraction(low) + Fraction(high)) / 2), 9)


def roots(answer: Answer) -> set[float]:
    """Return the solutions of an answer with numbers."""
    assert answer.solved is not None
    values = (case.value for case in answer.solved.cases if case.value is not None)
    return {round(float((Fraction(v.low) + Fraction(v.high)) / 2), 9) for v in values}


def disagreement(problem: Problem) -> tuple[str | None, int]:
    """Return how the cases of a problem differ from the numbers, and how often both were told."""
    free, *known = all_asked(*problem.questions, body=problem.body)
    if free.solved is None or free.solved.outcome in ("undecided", "everywhere"):
        return None, 0
    told = 0
    for numbers, answer in zip(problem.numbers, known, strict=True):
        if answer.solved is None or answer.solved.outcome == "undecided":
            continue
        active = [case for case in free.solved.cases if claimed(case, numbers)]
        told += 1
        wrong = _differs(active, numbers, answer)
        if wrong:
            shown = ", ".join(f"{k} = {v}" for k, v in numbers.items())
            return f"{problem.body}{problem.equation}\nat {shown}: {wrong}", told
    return None, told


def _differs_within(
    active: list[SolvedCase], numbers: dict[str, Fraction], answer: Answer
) -> str | None:
    """Hold what is claimed of every unknown in a regime against numbers of the domain."""
    solved = answer.solved
    assert solved is not None and solved.symbol is not None
    info, found = solved.symbol.info, roots(answer)
    for x in (Fraction(n, 4) for n in range(-40, 41)):
        low = info.floor is None or info.floor <= x
        if not low or (info.ceiling is not None and x > info.ceiling):
            continue
        said = any(
            case.count == "all" and all(_true(node, {**numbers, "x": x}) for node in case.within)
            for case in active
        )
        inside = (
            solved.outcome == "everywhere"
            or x in found
            or any(
                (s.low is None or s.low.low <= x) and (s.high is None or x <= s.high.high)
                for s in solved.spans
            )
        )
        if said and not inside:
            return f"all, {x} among them, and {solved.outcome} {found}"
    return None


def _true(node: g.Node, numbers: dict[str, Fraction]) -> bool:
    known = {s: numbers[s.name] for s in g.symbols(node)}
    return Evaluation(known).truth(node) is True


def _differs(active: list[SolvedCase], numbers: dict[str, Fraction], answer: Answer) -> str | None:
    assert answer.solved is not None
    outcome, found = answer.solved.outcome, roots(answer)
    if any(case.count == "all" for case in active):
        return _differs_within(active, numbers, answer)
    if outcome in ("intervals", "everywhere"):
        return f"{outcome}, and not all"
    try:
        formulas = {root(case, numbers) for case in active if case.formula is not None}
    except exact.OutOfDomain as fault:
        return f"a formula has no value: {fault}"
    open_ = [case for case in active if case.formula is None]
    if not formulas <= found:
        return f"formulas {formulas}, found {found}"
    if not open_ and formulas != found:
        return f"formulas {formulas}, found {found}"
    if any(case.count in ("one", "several") for case in open_) and len(found) == len(formulas):
        return f"one more is claimed than {found}"
    return None
