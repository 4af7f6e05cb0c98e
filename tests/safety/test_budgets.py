"""Each budget of a text to its last step, and the whole of what is said one step past it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from costlang.model.work import MOST_STEPS, sentence
from costlang.syntax.recover import MOST_MISTAKES, parse_all
from costlang.text import Source
from tests.safety.asked import messages, spec

OPERATOR = "resource w : count\nop o(a: ratio) { let w = a }\n"


def words(count: int) -> str:
    """Return a file of *count* words, numbers and signs."""
    many = count - len(["cost", "1", "enum", "e", "{", "}"])
    names = ", ".join(f"a{n}" for n in range((many + 1) // 2))
    return f"cost 1\nenum e {{ {names}{',' if many % 2 == 0 else ''} }}\n# a comment is none\n"


def repeated(count: int) -> str:
    """Return a model of *count* copies, each with a number of its own."""
    body = f"interface t {{\n  repeat {count} as i {{ term x = o(0 * i) }}\n}}\nmodel m is t {{}}\n"
    return spec("query q: m.total(w)", before=OPERATOR + body)


def added(count: int) -> str:
    """Return an expression of *count* operators, each on a line of its own."""
    return spec("query q: 1", *["  + 1"] * count)


@dataclass(frozen=True)
class Budget:
    """The most there may be, a file with so many, and what is said of one more."""

    most: int
    write: Callable[[int], str]
    past: str


BUDGETS = {
    "words of a file": Budget(
        30_000,
        words,
        """\
error[too-many-tokens]: a file has at most 30,000 words, numbers and signs
  --> x.cost:2:108883
   |
 2 | … a14993, a14994, a14995, a14996, a14997 }
   |                                          ^ one too many
""",
    ),
    "brackets": Budget(
        100,
        lambda n: spec(f"query q: {'(' * (n - 1)}", "1", ")" * (n - 1)),
        f"""\
error[nesting-too-deep]: this nests deeper than 100
  --> x.cost:3:111
   |
 3 |   query q: {"(" * 100}
   |            {" " * 99}^ too deep here
""",
    ),
    "operators": Budget(
        1_000,
        added,
        """\
error[nesting-too-deep]: an expression has at most 1,000 operators
    --> x.cost:1004:5
     |
1004 |     + 1
     |     ^ too deep here
""",
    ),
    "digits": Budget(
        100,
        lambda n: spec(f"query q: {'7' * n}"),
        f"""\
error[literal-too-long]: a number has at most 100 digits
  --> x.cost:3:12
   |
 3 |   query q: {"7" * 101}
   |            {"^" * 101} 101 digits
""",
    ),
    "exponent": Budget(
        64,
        lambda n: spec(f"query q: 3^{n}"),
        """\
error[exponent-too-large]: an exponent that is written out is at most 64
  --> x.cost:3:14
   |
 3 |   query q: 3^65
   |              ^^ too large
""",
    ),
    "power of ten": Budget(
        400,
        lambda n: spec(f"query q: 1e{n}"),
        """\
error[literal-too-long]: a number this large or small means nothing here
  --> x.cost:3:12
   |
 3 |   query q: 1e401
   |            ^^^^^ too far from 1
""",
    ),
    "power of a unit": Budget(
        64,
        lambda n: spec(f"query q: 1 B^{n}"),
        """\
error[refused-unit]: the power of a unit is at most 64
  --> x.cost:3:14
   |
 3 |   query q: 1 B^65
   |              ^^^^
""",
    ),
    "bits of a power": Budget(
        199_999,
        lambda n: spec(f"query q: 2^({n})"),
        """\
error[outside-domain]: this has no value here: its exponent is beyond all measure
  --> x.cost:3:12
   |
 3 |   query q: 2^(200000)
   |            ^^^^^^^^^^
""",
    ),
    "terms of a sum": Budget(
        200_000,
        lambda n: spec(f"query q: sum(over i in 1..{n}: 0)"),
        """\
error[too-many-steps]: this sum has 200_001 terms
  --> x.cost:3:12
   |
 3 |   query q: sum(over i in 1..200001: 0)
   |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^
""",
    ),
    "copies": Budget(
        100_000,
        repeated,
        """\
error[too-many-steps]: this repeats 100_001 times
  --> x.cost:5:3
   |
 5 |   repeat 100001 as i { term x = o(0 * i) }
   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""",
    ),
}


@pytest.mark.parametrize("name", BUDGETS)
def test_a_budget_can_be_used_to_its_end(name: str) -> None:
    """Whatever its steps: those are a budget of their own, of `test_budgets_of_work.py`."""
    budget = BUDGETS[name]
    with sentence(10 * MOST_STEPS):
        assert "" == messages(budget.write(budget.most))


@pytest.mark.parametrize("name", BUDGETS)
def test_one_past_a_budget_is_one_message(name: str) -> None:
    budget = BUDGETS[name]
    assert budget.past == messages(budget.write(budget.most + 1))


def test_a_file_of_five_thousand_mistakes_is_told_them_all_and_one_more_is_no_spec() -> None:
    most = "cost 1\n" + "let =\n" * MOST_MISTAKES
    codes = [item.code for item in parse_all(Source("x.cost", most)).diagnostics]
    assert [codes[0]] * MOST_MISTAKES == codes
    (told,) = parse_all(Source("x.cost", most + "let =\n")).diagnostics
    assert ("too-many-mistakes", 2) == (told.code, told.span.line)


def chain(count: int) -> str:
    """Return a model with *count* parents above it."""
    above = "interface t {\n  param x : ratio = 1\n}\nmodel m0 is t {}\n"
    return above + "".join(f"model m{n} is m{n - 1} {{}}\n" for n in range(1, count))


def test_a_model_of_a_hundred_parents_is_read_and_of_one_more_is_refused_once() -> None:
    assert "" == messages(spec(f"query q: m{99}.x", before=chain(100)))
    told = messages(spec("query q: m0.x", before=chain(130)))
    assert (
        """\
error[nesting-too-deep]: `m100` has more than 100 parents, one above the other
   --> x.cost:105:7
    |
105 | model m100 is m99 {}
    |       ^^^^ too deep here
"""
        == told
    )
