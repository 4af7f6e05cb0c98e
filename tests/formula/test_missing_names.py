"""A compiled formula needs just those names on which a point hangs."""

from __future__ import annotations

import math

import pytest

import costlang
from costlang.formula.compiled import Compiled

SPEC = """cost 1
scenario s {
  param n : count = 1
  param a : [s]
  param b : [s]
  param m : count
  query q: 1
  let t = a + (if n > 1 then b else 0 s)
  let u = a + (if b > a then a else 2 * a)
  let v = a + (if n > 1 then sum(over i in 1..m: a) else a)
}
"""


def compiled(name: str) -> Compiled:
    return costlang.loads(SPEC).scenario("s").formula(name).compile()


def test_a_name_on_a_side_that_is_not_taken_may_be_left_out() -> None:
    assert [3.0, 4.0] == list(compiled("t")(a=[3.0, 4.0]))


def test_a_name_on_a_side_that_one_point_takes_is_missed() -> None:
    with pytest.raises(TypeError, match="nothing sets b"):
        compiled("t")(a=3.0, n=[1.0, 2.0])


def test_a_name_in_a_condition_is_missed_whatever_side_it_chose() -> None:
    with pytest.raises(TypeError, match="nothing sets b"):
        compiled("u")(a=3.0)


def test_the_bounds_of_a_sum_are_missed_only_where_it_is_taken() -> None:
    assert 6.0 == float(compiled("v")(a=3.0))
    with pytest.raises(TypeError, match="nothing sets m"):
        compiled("v")(a=3.0, n=2.0)
    assert not math.isnan(float(compiled("v")(a=3.0, n=2.0, m=2.0)))
