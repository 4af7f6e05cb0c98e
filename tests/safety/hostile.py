"""Files that want to keep a reader busy for ever, each of a permitted size."""

from __future__ import annotations

from tests.safety.asked import spec

THING = "interface t {\n  param x : ratio = 1\n}\nmodel m is t {}\n"
OPERATOR = "resource w : count\nop o0(a: ratio) { let w = a }\n"


def chain(step: str, length: int = 60, start: str = "3") -> list[str]:
    """Return definitions of which each uses the one before it: `step` with `{0}` for its name."""
    lets = [f"let a{n} = {step.format(f'a{n - 1}')}" for n in range(1, length)]
    return [f"let a0 = {start}", *lets]


def doubling(step: str, question: str = "a59", start: str = "3") -> str:
    """Return sixty definitions that each use the one before it twice, say."""
    return spec("param p : ratio = 2", *chain(step, start=start), f"query q: {question}")


def functions(question: str) -> str:
    """Return forty functions that each call the one before it twice."""
    lines = ["let f0(x: ratio) = x + 1"]
    lines += [f"let f{n}(x: ratio) = f{n - 1}(x) + f{n - 1}(x)" for n in range(1, 40)]
    return spec(f"query q: {question}", before="\n".join(lines) + "\n")


def phases() -> str:
    """Return forty phases that each read the one before it twice, with other arguments."""
    head = f"{THING}phase p0(m: t) {{\n  param k : ratio = 1\n  let y = m.x * k\n}}\n"
    for n in range(1, 40):
        body = " + ".join(f"p{n - 1}(m, k = k + {at}).y" for at in (1, 2))
        head += f"phase p{n}(m: t) {{\n  param k : ratio = 1\n  let y = {body}\n}}\n"
    return spec("use u = p39(m)", "query q: u.y", before=head)


def overrides() -> str:
    """Return sixty records that each amend the one before it, and use its definition twice."""
    head = "interface t {\n  let y = 1\n}\nmodel m0 is t {}\n"
    for n in range(1, 60):
        head += f"model m{n} is m{n - 1} {{\n  override let y = y + y\n}}\n"
    return spec("query q: m59.y", before=head)


def repeats() -> str:
    """Return eight repeats inside each other, each of three hundred copies."""
    opening = "".join(f"repeat 300 as i{n} {{\n" for n in range(8))
    term = f"term x = o0({' + '.join(f'i{n}' for n in range(8))})\n"
    body = f"interface t {{\n{opening}{term}{'}' * 8}\n}}\nmodel m is t {{}}\n"
    return spec("query q: m.total(w)", before=OPERATOR + body.replace("}}", "}\n}"))


def many(question: str, count: int = 300) -> str:
    """Return so many questions, none of which is too much by itself."""
    return spec(*(f"query q{n}: {question}" for n in range(count)))


def wide_choice(count: int = 1000) -> str:
    """Return the greatest of a thousand."""
    return spec(f"query q: max({', '.join(f'{n} * 2' for n in range(count))})")


SLOW = {
    "functions that double": functions("f39(1)"),
    "phases that double": phases(),
    "overrides that double": overrides(),
    "repeats inside repeats": repeats(),
    "a sum of sums": spec("query q: sum(over i in 1..200_000: sum(over j in 1..200_000: i * j))"),
    "exponentials": spec("query q: sum(over i in 1..200_000: exp(1 / i))"),
    "roots": spec("query q: sum(over i in 1..200_000: sqrt(i))"),
    "long powers": spec("query q: sum(over i in 1..200_000: (2^(50_000) + i)^2 / 3)"),
    "long quotients": spec(
        "let x = (7/3)^(35_000)", "query q: sum(over i in 1..200_000: x / (x + i))"
    ),
    "long roots": spec(
        "let x = (7/3)^(35_000)", "query q: sum(over i in 1..200_000: x^(1/63) + i)"
    ),
    "many sums": many("sum(over i in 1..100_000: i)", 20),
    "parts of what doubles": doubling("{0} + {0}", "breakdown a59", start="p"),
}
"""Each takes more work than is done."""

LARGE = {
    "a tower": spec("query q: 9^9^9^9"),
    "a taller tower": spec("query q: 2^2^2^2^2^2"),
    "a sum of so many": spec("query q: sum(over i in 1..3^(20_000): i)"),
    "a count that is none": spec("query q: sum(over i in 1..1 / 3^(20_000): i)"),
    "squares of squares": doubling("{0} * {0}"),
    "powers of powers": doubling("{0} ^ {0}"),
    "exponentials of exponentials": doubling("exp({0})"),
}
"""Each has no value, for a number in it is beyond all measure or is none."""

FINE = {
    "a wide sum": (spec(f"query q: 1{' + 1' * 1000}"), 1001),
    "a wide choice": (wide_choice(), 1998),
    "sums that double": (doubling("{0} + {0}"), 3 * 2**59),
    "what is never worked out": (doubling("{0} * {0}", "if p > 3 then a59 else 7"), 7),
}
"""Each looks like much work, and is little."""
