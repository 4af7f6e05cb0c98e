"""Files of the greatest permitted size: one construct each, as often as there is room for it."""

from __future__ import annotations

from collections.abc import Callable

from costlang.syntax.budgets import TOKENS
from tests.safety.asked import spec
from tests.safety.hostile import LARGE, SLOW

THING = "interface t {\n  param x : ratio in 0.. = 1\n  param n : count = 1\n}\nmodel m is t {}\n"
OPERATOR = "resource w : count\nop o(a: ratio = 1) { let w = a }\n"


def lines(write: Callable[[int], str], words: int, around: int = 100) -> list[str]:
    """Return as many lines as there is room for, each of so many *words*."""
    return [write(n) for n in range((TOKENS - around) // words)]


def top(write: Callable[[int], str], words: int, before: str = "") -> str:
    return "cost 1\n" + before + "\n".join(lines(write, words)) + "\n"


def inside(write: Callable[[int], str], words: int, after: str = "model m is t {}\n") -> str:
    body = "\n".join(lines(write, words))
    return f"cost 1\n{OPERATOR}interface t {{\n  param x : ratio = 1\n{body}\n}}\n{after}"


def asking(write: Callable[[int], str], words: int) -> str:
    return spec("use u = m", *lines(write, words), before=THING)


def doubled() -> str:
    """Return thirty operators of which each is made of the one before it, twice."""
    made = "op o0() { term a = o() }\n"
    for n in range(1, 30):
        made += f"op o{n}() {{\n  term a = o{n - 1}()\n  term b = o{n - 1}()\n}}\n"
    return f"{OPERATOR}{made}interface t {{ term x = o29() }}\nmodel m is t {{}}\n"


FILES: dict[str, str] = {
    "definitions": top(lambda n: f"let a{n} = {n}", 4),
    "functions": top(lambda n: f"let f{n}(x: ratio) = x", 9),
    "one name again and again": top(lambda n: f"let a = {n}", 4),
    "interfaces": top(lambda n: f"interface t{n} {{ }}", 4),
    "records": top(
        lambda n: f"model m{n} is m{n - 1} {{ x = {n} }}", 9, THING.replace("m is", "m0 is")
    ),
    "operators": top(lambda n: f"op o{n}() {{ }}", 6),
    "units": top(lambda n: f"unit u{n} = 2 B", 4),
    "units of units": top(lambda n: f"unit u{n + 1} = 2 u{n}", 4, "unit u0 = 2 B\n"),
    "scenarios": top(lambda n: f"scenario s{n} {{ }}", 4),
    "members of an enum": f"cost 1\nenum e {{ {', '.join(lines(lambda n: f'a{n}', 2))} }}\n",
    "imports that are not there": top(lambda n: f"import zz{n} (a)", 5),
    "parameters": inside(lambda n: f"param p{n} : ratio", 4),
    "members one after the other": inside(lambda n: f"let y{n} = y{n + 1}", 4),
    "checks": inside(lambda n: f"check c{n}: 1 == 1", 6),
    "requirements": inside(lambda n: f"require c{n}: x > {n}", 6),
    "laws": inside(lambda n: f"law c{n}: x >= 1", 6),
    "terms": inside(lambda n: f"term x{n} = o()", 6),
    "repeats": inside(lambda n: f"repeat 2 {{ term x{n} = o() }}", 10),
    "questions": asking(lambda n: f"query q{n}: u.x at u.x = {n}", 12),
    "questions of unknown names": asking(lambda n: f"query q{n}: zz{n}", 4),
    "questions of unknown members": asking(lambda n: f"query q{n}: u.zz{n}", 6),
    "settings of unknown names": asking(lambda n: f"zz{n} = 1", 3),
    "settings that nothing reads": asking(lambda n: f"use v{n} = m\nv{n}.x = {n}", 9),
    "tables": asking(lambda n: f"query q{n}: sweep u.x over u.x in {{1, 2}}", 17),
    "equations": asking(lambda n: f"query q{n}: solve u.x^3 + u.x == {n} for u.x", 20),
    "boundaries": asking(lambda n: f"query q{n}: largest u.n with u.n^2 <= {n}", 16),
    "limits": asking(lambda n: f"query q{n}: limit u.x / (u.x + {n}) as u.x -> inf", 22),
    "sensitivities": asking(lambda n: f"query q{n}: sensitivity u.x^2 + {n}", 11),
    "statements that are none": top(lambda n: "let =", 2),
    "strings that do not end": top(lambda n: '"', 1),
    "braces": "cost 1\n" + "}" * (TOKENS - 10),
    "one operator made of two, thirty times": spec("query q: m.total(w)", before=doubled()),
    "bends of a table over a long axis": spec(
        "use u = m",
        f"query q: sweep max(u.n, u.x, u.x^2, 1 / u.x) over u.x in 1..1000, "
        f"u.n in {{{', '.join(map(str, range(1, 3000)))}}}",
        before=THING,
    ),
    "an equation of two hundred roots": spec(
        "use u = m",
        f"query q: solve {' * '.join(f'(u.x - {n}/7)' for n in range(200))} == 0 for u.x",
        before=THING,
    ),
    "empty lines": "cost 1\n" + "\n" * 999_000,
    "comments": "cost 1\n" + "#\n" * 499_000,
    "a line of one letter": "cost 1\n" + "x" * 999_000,
    **SLOW,
    **LARGE,
}
