"""What is solved in a file holds when it is put back, and what is left out does not."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from costlang.answer import Answer
from costlang.pipeline import run
from costlang.text import Source

LAST = 40
WHOLE = st.integers(1, 12)


@st.composite
def expressions(draw: st.DrawFn, depth: int = 2) -> str:
    """An expression in the count `n`, whose value is rational at every whole number."""
    if depth == 0 or draw(st.booleans()):
        a, b = draw(WHOLE), draw(st.integers(0, 30))
        return draw(st.sampled_from([f"({a} * n + {b})", f"({b} + {a} / n)", f"{b + a}", "n"]))
    left, right = draw(expressions(depth - 1)), draw(expressions(depth - 1))
    form = draw(
        st.sampled_from(
            [
                "({} + {})",
                "max({}, {})",
                "min({}, {})",
                "(ceil({} / 3) + {})",
                "({} * {})",
                "(if n < 9 then {} else {})",
                "({} / (1 + {}))",
            ]
        )
    )
    return form.format(left, right)


def answers(*questions: str) -> tuple[Answer, ...]:
    lines = "".join(f"  query q{at}: {question}\n" for at, question in enumerate(questions))
    text = f"cost 1\nscenario s {{\n  param n : count in 1..{LAST}\n{lines}}}\n"
    report = run(Source("s.cost", text))
    assert () == report.diagnostics
    return report.answers


def holding(left: str, sign: str, right: str) -> list[int]:
    """Return the whole numbers for which a comparison holds, each worked out by itself."""
    found = answers(*(f"{left} {sign} {right} at n = {n}" for n in range(1, LAST + 1)))
    return [n for n, answer in enumerate(found, start=1) if answer.value is True]


@settings(max_examples=25, deadline=None)
@given(expressions(), st.sampled_from(["<=", "<", ">=", ">"]), expressions())
def test_an_inequality_holds_just_where_it_is_said_to(left: str, sign: str, right: str) -> None:
    (found,) = answers(f"solve {left} {sign} {right} for n")
    solved = found.solved
    assert solved is not None
    if solved.outcome == "undecided":
        return
    expected = holding(left, sign, right)
    if solved.outcome == "everywhere":
        assert list(range(1, LAST + 1)) == expected
        return
    inside = {
        n
        for n in range(1, LAST + 1)
        for span in solved.spans
        if (span.low is None or span.low.low < n or (span.low_in and span.low.low == n))
        and (span.high is None or n < span.high.high or (span.high_in and n == span.high.high))
    }
    assert set(expected) == inside


@settings(max_examples=25, deadline=None)
@given(expressions(), expressions())
def test_a_solution_holds_when_it_is_put_back(left: str, right: str) -> None:
    (found,) = answers(f"solve {left} == {right} for n")
    solved = found.solved
    assert solved is not None
    expected = holding(left, "==", right)
    if solved.outcome in ("undecided", "everywhere"):
        return
    values = {case.value.exact for case in solved.cases if case.value is not None}
    spans = [(s.low, s.high) for s in solved.spans if s.low is not None and s.high is not None]
    told = [
        n
        for n in expected
        if Fraction(n) in values or any(low.low <= n <= high.high for low, high in spans)
    ]
    assert expected == told
    whole = [int(value) for value in values if value is not None and value.denominator == 1]
    assert all(n in expected for n in whole if 1 <= n <= LAST)


@settings(max_examples=25, deadline=None)
@given(expressions(), expressions(), st.sampled_from(["largest", "smallest"]))
def test_a_boundary_is_that_of_brute_force(left: str, right: str, word: str) -> None:
    (found,) = answers(f"{word} n with {left} <= {right}")
    solved = found.solved
    assert solved is not None
    expected = holding(left, "<=", right)
    if solved.outcome == "undecided":
        return
    if not expected:
        assert "none" == solved.outcome
    elif solved.outcome == "one":
        assert (max(expected) if word == "largest" else min(expected)) == solved.whole
    else:
        assert "unbounded" == solved.outcome
        assert list(range(1, LAST + 1)) == expected
