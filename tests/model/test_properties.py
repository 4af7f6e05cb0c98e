"""Laws of the exact interpreter: units only scale, ranges hold their samples, numbers are exact."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from costlang.answer import Answer, Bounds
from costlang.pipeline import run
from costlang.text import Source

QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
Scope = dict[str, Fraction]


def answered(text: str) -> Answer:
    """Return the only answer of *text*."""
    report = run(Source("drawn.cost", text))
    assert report.usable, text
    (found,) = report.answers
    return found


# ---- expressions that print themselves, and are reckoned here a second time


class OutsideItsDomain(Exception):
    """A division by zero, or a power of it to a negative exponent."""


@dataclass(frozen=True)
class Written:
    """An expression: its text in the language, and what it is worth where names have values."""

    text: str
    worth: Callable[[Scope], Fraction]


def literal(value: Fraction) -> Written:
    digits = f"{value.numerator}" if value.denominator == 1 else f"{float(value)}"
    return Written(digits, lambda scope: value)


def name(text: str) -> Written:
    return Written(text, lambda scope: scope[text])


def quotient(a: Fraction, b: Fraction) -> Fraction:
    if b == 0:
        raise OutsideItsDomain
    return a / b


BINARY: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "{} + {}": lambda a, b: a + b,
    "{} - {}": lambda a, b: a - b,
    "{} * {}": lambda a, b: a * b,
    "{} / {}": quotient,
    "min({}, {})": min,
    "max({}, {})": max,
}
UNARY: dict[str, Callable[[Fraction], Fraction]] = {
    "-{}": lambda a: -a,
    "abs({})": abs,
    "ceil({})": lambda a: Fraction(math.ceil(a)),
    "floor({})": lambda a: Fraction(math.floor(a)),
}
COMPARE: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
}


def power(base: Written, exponent: int) -> Written:
    def worth(scope: Scope) -> Fraction:
        value = base.worth(scope)
        if value == 0 and exponent < 0:
            raise OutsideItsDomain
        return value**exponent

    return Written(f"({base.text}) ^ {exponent}", worth)


def unary(shape: str, a: Written) -> Written:
    return Written(f"({shape.format(a.text)})", lambda scope: UNARY[shape](a.worth(scope)))


def binary(shape: str, a: Written, b: Written) -> Written:
    def worth(scope: Scope) -> Fraction:
        return BINARY[shape](a.worth(scope), b.worth(scope))

    return Written(f"({shape.format(a.text, b.text)})", worth)


def choice(sign: str, a: Written, b: Written, yes: Written, no: Written) -> Written:
    def worth(scope: Scope) -> Fraction:
        taken = yes if COMPARE[sign](a.worth(scope), b.worth(scope)) else no
        return taken.worth(scope)

    return Written(f"(if {a.text} {sign} {b.text} then {yes.text} else {no.text})", worth)


def total(index: str, low: int, high: int, body: Written) -> Written:
    def worth(scope: Scope) -> Fraction:
        steps = range(low, high + 1)
        return sum((body.worth({**scope, index: Fraction(i)}) for i in steps), Fraction(0))

    return Written(f"sum(over {index} in {low}..{high}: {body.text})", worth)


NUMBERS = st.one_of(
    st.integers(0, 9).map(Fraction),
    st.integers(1, 999).map(lambda n: Fraction(n, 8)),
    st.sampled_from([Fraction(10**9), Fraction(1, 1024), Fraction(28_672)]),
)


@st.composite
def expressions(draw: st.DrawFn, names: tuple[str, ...], depth: int = 3) -> Written:
    """Draw an expression over *names*."""
    if depth == 0 or draw(st.integers(0, 5)) == 0:
        leaves = [NUMBERS.map(literal)]
        if names:
            leaves.append(st.sampled_from(names).map(name))
        return draw(st.one_of(leaves))

    def part(also: tuple[str, ...] = ()) -> Written:
        return draw(expressions((*names, *also), depth - 1))

    match draw(st.sampled_from(["unary", "binary", "binary", "power", "if", "sum"])):
        case "unary":
            return unary(draw(st.sampled_from(list(UNARY))), part())
        case "binary":
            return binary(draw(st.sampled_from(list(BINARY))), part(), part())
        case "power":
            return power(part(), draw(st.integers(-2, 3)))
        case "if":
            sign = draw(st.sampled_from(list(COMPARE)))
            return choice(sign, part(), part(), part(), part())
        case _:
            index = f"i{depth}"
            low = draw(st.integers(0, 3))
            return total(index, low, low + draw(st.integers(-1, 4)), part((index,)))


@st.composite
def chains(draw: st.DrawFn) -> list[Written]:
    """Draw definitions `x0`, `x1`, …, each of which may read those before it."""
    count = draw(st.integers(1, 4))
    return [draw(expressions(tuple(f"x{k}" for k in range(n)))) for n in range(count)]


def in_record(chain: list[Written]) -> str:
    lets = "\n".join(f"  let x{n} = {item.text}" for n, item in enumerate(chain))
    last = f"x{len(chain) - 1}"
    scenario = f"scenario s {{\n  use it = chain\n  query q: it.{last}\n}}\n"
    return f"cost 1\nrecord chain {{\n{lets}\n}}\n{scenario}"


def in_scenario(chain: list[Written]) -> str:
    """Return the chain as definitions of a scenario, the last one first: order does not matter."""
    lets = "\n".join(f"  let x{n} = {item.text}" for n, item in reversed([*enumerate(chain)]))
    return f"cost 1\nscenario s {{\n{lets}\n  query q: x{len(chain) - 1}\n}}\n"


def reckoned(chain: list[Written]) -> Fraction:
    scope: Scope = {}
    for n, item in enumerate(chain):
        scope[f"x{n}"] = item.worth(scope)
    return scope[f"x{len(chain) - 1}"]


@QUICK
@given(chains(), st.sampled_from([in_record, in_scenario]))
def test_a_chain_of_definitions_is_worth_what_fractions_say(
    chain: list[Written], place: Callable[[list[Written]], str]
) -> None:
    try:
        expected = reckoned(chain)
    except OutsideItsDomain:
        assume(False)
    assume(expected.numerator.bit_length() + expected.denominator.bit_length() < 20_000)
    assert expected == answered(place(chain)).value


@QUICK
@given(chains())
def test_a_division_by_zero_is_an_answer_with_a_note_and_no_value(chain: list[Written]) -> None:
    zero = Written("x0 - x0", lambda scope: Fraction(0))
    broken = [*chain, Written("x0 / (x0 - x0)", lambda scope: quotient(scope["x0"], Fraction(0)))]
    try:
        reckoned(chain)
    except OutsideItsDomain:
        assume(False)
    found = answered(in_record(broken))
    assert (None, True) == (found.value, found.note is not None)
    assert 0 == answered(in_record([*chain, zero])).value


# ---- dimensions are homogeneous: the unit of a literal only scales

UNITS = {
    "B": {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "GiB": 2**30, "bit": 0.125},
    "B/s": {"B/s": 1, "GB/s": 10**9, "TB/s": 10**12, "MiB/ms": 2**20 * 1000},
    "FLOP": {"FLOP": 1, "GFLOP": 10**9, "MAC": 2, "TMAC": 2 * 10**12},
    "FLOP/s": {"FLOP/s": 1, "TFLOP/s": 10**12, "GMAC/ms": 2 * 10**12},
    "s": {"s": 1, "ms": Fraction(1, 1000), "us": Fraction(1, 10**6), "min": 60, "h": 3600},
}


def respelled(value: Fraction, base: str, unit: str) -> str:
    """Return *value*, in base units, as a quantity in *unit*, over a number if it has no end."""
    scaled = value / Fraction(UNITS[base][unit])
    if scaled.denominator == 1:
        return f"({scaled.numerator} {unit})"
    return f"({scaled.numerator} {unit} / {scaled.denominator})"


@st.composite
def spelled_twice(draw: st.DrawFn, base: str) -> tuple[str, str]:
    value = draw(st.integers(1, 10**15).map(Fraction))
    first, second = (draw(st.sampled_from(list(UNITS[base]))) for _ in range(2))
    return respelled(value, base, first), respelled(value, base, second)


@QUICK
@given(
    spelled_twice("B"),
    spelled_twice("B/s"),
    spelled_twice("FLOP"),
    spelled_twice("FLOP/s"),
    spelled_twice("s"),
)
def test_other_units_of_the_same_literals_leave_the_answer_as_it_is(
    size: tuple[str, str],
    bandwidth: tuple[str, str],
    work: tuple[str, str],
    peak: tuple[str, str],
    overhead: tuple[str, str],
) -> None:
    def time(which: int) -> Answer:
        return answered(
            "cost 1\nscenario s {\n"
            f"  let t_memory = {size[which]} / {bandwidth[which]}\n"
            f"  let t_compute = {work[which]} / {peak[which]}\n"
            f"  query t: {overhead[which]} + max(t_memory, t_compute)\n}}\n"
        )

    first, second = time(0), time(1)
    assert (first.value, first.dimension) == (second.value, second.dimension)


@QUICK
@given(st.integers(1, 10**6), st.integers(1, 64), st.integers(0, 10**6))
def test_twice_all_bytes_and_twice_all_rates_leave_a_time_as_it_is(
    held: int, batch: int, context: int
) -> None:
    def time(scale: int) -> Answer:
        return answered(
            "cost 1\nscenario s {\n"
            f"  let slot = {3 * scale} kB/tok\n"
            f"  let moved = {held * scale} MB + {batch} * {context} tok * slot\n"
            f"  query t: moved / {scale} TB/s\n}}\n"
        )

    assert time(1).value == time(2).value == time(1000).value


# ---- a range holds the answer of each of its points

RANGED = """cost 1
interface load {{
  param x : ratio in 0..100
  param y : ratio in 0..100
}}
record drawn is load {{
  let value = {body}
}}
scenario s {{
  use it = drawn
  it.x = {x}
  it.y = {y}
  query q: it.value
}}
"""


@st.composite
def sampled(draw: st.DrawFn) -> tuple[Fraction, Fraction, Fraction]:
    """Draw the two ends of a range and a point in it."""
    low, high = sorted(draw(st.integers(0, 800)) for _ in range(2))
    return Fraction(low, 8), Fraction(high, 8), Fraction(draw(st.integers(low, high)), 8)


@QUICK
@given(expressions(("x", "y")), sampled(), sampled())
def test_an_interval_holds_the_answer_of_each_point(
    body: Written, x: tuple[Fraction, ...], y: tuple[Fraction, ...]
) -> None:
    try:
        expected = body.worth({"x": x[2], "y": y[2]})
    except OutsideItsDomain:
        assume(False)
    spans = {
        "x": f"{float(x[0])} .. {float(x[1])}",
        "y": f"{float(y[0])} .. {float(y[1])}",
    }
    found = answered(RANGED.format(body=body.text, **spans))
    point = {"x": f"{float(x[2])}", "y": f"{float(y[2])}"}
    assert expected == answered(RANGED.format(body=body.text, **point)).value
    match found.value:
        case Bounds(low, high):
            assert low <= expected <= high
        case Fraction():
            assert expected == found.value
        case _:
            # Somewhere in the range the value is unknown, and the answer says why.
            assert found.note is not None


@QUICK
@given(sampled())
def test_the_ends_of_a_range_are_reached_where_a_value_grows_with_it(
    x: tuple[Fraction, ...],
) -> None:
    spans = {"x": f"{float(x[0])} .. {float(x[1])}", "y": "2"}
    found = answered(RANGED.format(body="3 * x + max(x, y) + x ^ 2", **spans)).value
    low, high = (3 * e + max(e, Fraction(2)) + e * e for e in x[:2])
    ends = (found.low, found.high) if isinstance(found, Bounds) else (found, found)
    assert (low, high) == ends
