"""Many choices at once: a hundred operators with a maximum each, and ten without any numbers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import pytest

from costlang.model.work import MOST_STEPS, sentence
from costlang.solve.certified import signs
from tests.answer.asked import asked, cases, conditions, form, holds, line, one, solved, worth

HEAD = """
import std.decoder (decoder)
import hardware.nvidia (H100_SXM)
import std.ops (attend, cache_moved, flops, linear, weights_moved)
import std.phases (decode)

model many is decoder {
ROWS}
"""
BODY = """
  use one = decode(many, H100_SXM, context = 500)
  ## A roofline for each operator, added up.
  let each = model.total(max(flops / peak[bf16], (weights_moved + cache_moved) / hbm_bandwidth))
"""
PEAK, BANDWIDTH = Fraction(9894 * 10**11), Fraction(335 * 10**10)
TARGET = Fraction(4, 1000)


def shapes(count: int) -> Iterator[tuple[int, int]]:
    for at in range(count):
        yield 1000 + 37 * at, 2000 + 91 * at


def model(count: int) -> str:
    rows = ""
    for at, (wide, high) in enumerate(shapes(count)):
        rows += f"  term t{at} = linear({wide}, {high})\n"
        if at % 3 == 2:
            rows += f"  term a{at} = attend({8 * (at + 1)}, {at + 1}, 64)\n"
    return HEAD.replace("ROWS", rows)


def times(count: int) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Return slope of compute, constant and slope of memory for each operator."""
    found = []
    for at, (wide, high) in enumerate(shapes(count)):
        size = wide * high
        found.append((2 * size / PEAK, 2 * size / BANDWIDTH, Fraction(0)))
        if at % 3 == 2:
            pairs, slot = 4 * 501 * 8 * (at + 1) * 64, 2 * (at + 1) * 64 * 2
            found.append((pairs / PEAK, Fraction(0), 501 * slot / BANDWIDTH))
    return found


def by_hand(rows: list[tuple[Fraction, Fraction, Fraction]], level: Fraction) -> Fraction:
    """Return where the sum of the greater of both lines reaches *level*."""
    corners = {held / (c - m) for c, held, m in rows if c > m}
    for low, high in pairwise(sorted({Fraction(0), Fraction(10**9)} | corners)):
        first, last = (sum(max(c * x, h + m * x) for c, h, m in rows) for x in (low, high))
        if first <= level <= last:
            return low + (level - first) * (high - low) / (last - first)
    raise AssertionError("the level is not reached")


@pytest.fixture
def boxes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count how often a formula is worked out over an interval."""
    counted = [0]
    enclose = signs.enclose

    def counting(*given: object) -> object:
        counted[0] += 1
        return enclose(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(signs, "enclose", counting)
    return counted


@pytest.mark.parametrize("count", [10, 75])
def test_a_roofline_for_each_operator_is_solved_in_one_formula(
    count: int, boxes: list[int]
) -> None:
    rows = times(count)
    found = asked("solve each == 4 ms for batch", BODY, model(count))
    assert by_hand(rows, TARGET) == one(found)
    (case,) = cases(found)
    assert len(rows) == len(case.regime) >= 4 * count // 3 - 1
    assert case.formula is not None
    assert one(found) == worth(case.formula, {})
    (reach,) = case.ranges
    assert reach.low is not None
    assert reach.low.low <= one(found)
    assert boxes[0] <= 2 * len(rows)


def test_the_count_of_intervals_grows_with_the_operators_alone(boxes: list[int]) -> None:
    counts = []
    for count in (12, 24, 48):
        boxes[0] = 0
        asked("solve each == 4 ms for batch", BODY, model(count))
        counts.append(boxes[0])
    assert counts[1] <= 3 * counts[0]
    assert counts[2] <= 3 * counts[1]


# ---- without numbers


def choices(count: int) -> tuple[str, str]:
    """Return names without numbers, and a sum of maxima with a ridge each."""
    body = "  param x : [tok] in 0..\n  param t : [s]\n"
    for at in range(count):
        body += f"  param a{at} : [s]\n  param b{at} : [s/tok]\n  param c{at} : [s/tok]\n"
    return body, " + ".join(f"max(a{i} + b{i} * x, c{i} * x)" for i in range(count))


def test_three_ridges_have_eight_regimes_each_with_its_condition() -> None:
    body, total = choices(3)
    found = cases(asked(f"solve {total} == t for x", body))
    assert 8 == len(found)
    numbers = [(3, 1, 4), (5, 2, 9), (1, 6, 7)]
    values = {
        f"{name}{at}": Fraction(number)
        for at, row in enumerate(numbers)
        for name, number in zip("abc", row, strict=True)
    }
    for t in (10, 14, 19, 30, 200):
        known = {**values, "t": Fraction(t)}
        (active,) = [case for case in found if holds(case, known)]
        assert active.formula is not None
        root = worth(active.formula, known)
        assert isinstance(root, Fraction)
        assert t == sum(max(a + b * root, c * root) for a, b, c in numbers)
        assert all("x" not in condition.split() for condition in conditions(active))


@pytest.mark.parametrize("count", [7, 10, 40])
def test_ten_ridges_without_numbers_end_honestly_within_their_steps(count: int) -> None:
    body, total = choices(count)
    with sentence() as work:
        found = asked(f"solve {total} == t for x", body)
    assert MOST_STEPS / 2 < work.left
    assert "undecided" == solved(found).outcome
    assert line(found).startswith("undecided: not solved in closed form; there are more than ")


def test_with_numbers_the_same_ten_have_their_formula() -> None:
    body, total = choices(10)
    at = ", ".join(
        f"a{i} = {3 * i + 3} s, b{i} = {i + 1} s/tok, c{i} = {2 * i + 7} s/tok" for i in range(10)
    )
    found = asked(f"solve {total} == t for x at t = 1100 s, {at}", body)
    rows = [(Fraction(2 * i + 7), Fraction(3 * i + 3), Fraction(i + 1)) for i in range(10)]
    assert by_hand(rows, Fraction(1100)) == one(found)
    (case,) = cases(found)
    assert (10, True) == (len(case.regime), "t" in (form(case) or ""))


def test_what_has_no_closed_form_has_a_certified_value() -> None:
    from costlang.emit.solved_text import solved_lines

    body = "  param x : ratio in 0..\n"
    found = asked("solve x ^ 5 + x == 3 for x", body)
    assert ["not solved in closed form; certified value 1.13299756589"] == list(solved_lines(found))
    (case,) = cases(found)
    assert case.value is not None
    low, high = Fraction(case.value.low), Fraction(case.value.high)
    assert low**5 + low < 3 < high**5 + high
