"""The best of random formulas along an axis, each against trying the numbers of it one by one."""

from __future__ import annotations

from fractions import Fraction

import pytest

from costlang.formula import graph as g
from costlang.model import exact
from costlang.solve import Optimum, optimum
from costlang.solve.certified.question import Question
from tests.solve.problems import holds, problem, samples, shown, worth

CHUNK, COUNT = 40, 320
STEPS = 60_000


def sought(question: Question, seed: int) -> tuple[Optimum, bool, bool]:
    """Return the best of the left side: whether the least is asked for, and under a condition."""
    truth = question.build.cmp(question.relation, question.left, question.right)
    least, bound = seed % 2 == 0, seed % 3 == 0 and isinstance(truth, g.Node)
    conditions = [truth] if bound and isinstance(truth, g.Node) else []
    found = optimum(
        question.build,
        question.left,
        {},
        (question.unknown, question.domain),
        conditions,
        least=least,
        steps=STEPS,
    )
    return found, least, bound


def beaten(question: Question, found: Optimum, *, least: bool, bound: bool, seed: int) -> object:
    """Return a number of the domain that is better than what was found, None if none is."""
    sign = "<" if least else ">"
    for x in samples(question, seed, 12):
        value = worth(question.left, question.unknown, x)
        if value is None or (bound and holds(question, x) is not True):
            continue
        limits = (found.best.value if found.best is not None else None, found.approached)
        known = [limit for limit in limits if limit is not None]
        if not known or all(exact.compare(sign, value, limit) is True for limit in known):
            return x
    return None


@pytest.mark.parametrize("first", range(0, COUNT, CHUNK))
def test_no_number_that_is_tried_is_better_than_the_best(first: int) -> None:
    undecided = 0
    for seed in range(first, first + CHUNK):
        question = problem(seed)
        found, least, bound = sought(question, seed)
        if not found.decided:
            undecided += 1
            continue
        better = beaten(question, found, least=least, bound=bound, seed=seed)
        said = (
            f"seed {seed}, least {least}, bound {bound}: {shown(question.left)} {question.domain}"
        )
        assert better is None, f"{said} is better at {better} than {found}"
        if found.best is not None:
            at = found.best.where[question.unknown]
            if isinstance(at, Fraction):
                assert worth(question.left, question.unknown, at) == found.best.value, said
                assert not bound or holds(question, at) is not False, said
    assert undecided <= CHUNK // 2
