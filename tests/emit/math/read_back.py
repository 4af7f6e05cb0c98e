"""Rendered mathematics, read and worked out again: plain text, and LaTeX as TeX groups it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from costlang.units import Unit, UnitTable
from tests.emit.math.exactly import COMPARE, STAND_INS, product, raised

Scope = Mapping[str, Fraction]
Meaning = Callable[[str, Scope], Fraction]
"""What a name is worth where some indices have values."""

Thunk = Callable[[Scope], Any]
UNITS = UnitTable()


def quantity(number: str, power: str, unit: str | None) -> Thunk:
    value = Fraction(number) * Fraction(10) ** int(power)
    if unit is not None:
        found = UNITS.parse(unit)
        assert isinstance(found, Unit), unit
        value *= found.scale
    return lambda scope: value


class Reader:
    """What both readers do: a row of tokens, and how much of it is read."""

    def __init__(self, tokens: list[str], meaning: Meaning) -> None:
        self.tokens, self.meaning, self.at = [*tokens, ""], meaning, 0

    @property
    def next(self) -> str:
        return self.tokens[self.at]

    def take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def accept(self, *texts: str) -> str | None:
        return self.take() if self.next in texts and self.next else None

    def expect(self, *texts: str) -> None:
        for text in texts:
            assert text == self.next, f"{text} is missing before {self.tokens[self.at :]}"
            self.at += 1

    def whole(self, read: Callable[[], Thunk]) -> Thunk:
        found = read()
        assert "" == self.next, self.tokens[self.at :]
        return found

    def product(self) -> Thunk:
        raise NotImplementedError

    def sum(self) -> Thunk:
        terms = [(False, self.product())]
        while sign := self.accept("+", "-"):
            terms.append((sign == "-", self.product()))
        return lambda s: sum((-t(s) if minus else t(s) for minus, t in terms), Fraction(0))

    def added_up(self, index: str, low: Thunk, high: Thunk, body: Thunk) -> Thunk:
        def value(scope: Scope) -> Fraction:
            span = range(int(low(scope)), int(high(scope)) + 1)
            return sum((body({**scope, index: Fraction(i)}) for i in span), Fraction(0))

        return value

    def named(self, name: str) -> Thunk:
        return lambda scope: scope[name] if name in scope else self.meaning(name, scope)


def choice(condition: Thunk, yes: Thunk, no: Thunk) -> Thunk:
    return lambda scope: yes(scope) if condition(scope) else no(scope)


# ---- plain text

_KEYWORD = r"(?!(?:then|else|and|or|if|in)\b)"
_PLAIN = re.compile(
    rf"\s*(\d[\d_]*(?:\.\d+)?(?:e-?\d+)?(?: {_KEYWORD}[A-Za-z$%µ][\w$%µ/*^]*)?"
    r"|[A-Za-z_][\w.]*(?:\[[^\]]*\])?|<=|>=|==|!=|\.\.|[-+*/^(),:<>])"
)
_NUMBER = re.compile(r"(\d[\d_]*(?:\.\d+)?)(?:e(-?\d+))?(?: (.*))?\Z")


class PlainReader(Reader):
    """The grammar of expressions, as the language has it."""

    def choice(self) -> Thunk:
        if not self.accept("if"):
            return self.either()
        condition = self.either()
        self.expect("then")
        yes = self.choice()
        self.expect("else")
        return choice(condition, yes, self.choice())

    def either(self) -> Thunk:
        parts = [self.both()]
        while self.accept("or"):
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else lambda s: any(part(s) for part in parts)

    def both(self) -> Thunk:
        parts = [self.denied()]
        while self.accept("and"):
            parts.append(self.denied())
        return parts[0] if len(parts) == 1 else lambda s: all(part(s) for part in parts)

    def denied(self) -> Thunk:
        if self.accept("not"):
            part = self.denied()
            return lambda s: not part(s)
        left = self.sum()
        if operator := self.accept(*COMPARE):
            right, compare = self.sum(), COMPARE[operator]
            return lambda s: compare(left(s), right(s))
        return left

    def product(self) -> Thunk:
        value = self.unary()
        while operator := self.accept("*", "/"):
            value = self._joined(operator, value, self.unary())
        return value

    def _joined(self, operator: str, left: Thunk, right: Thunk) -> Thunk:
        if operator == "*":
            return lambda s: left(s) * right(s)
        return lambda s: left(s) / right(s)

    def unary(self) -> Thunk:
        if self.accept("-"):
            inner = self.unary()
            return lambda s: -inner(s)
        base = self.atom()
        if self.accept("^"):
            exponent = self.unary()
            return lambda s: raised(base(s), exponent(s))
        return base

    def atom(self) -> Thunk:
        token = self.take()
        if token == "(":
            inner = self.choice()
            self.expect(")")
            return inner
        if number := _NUMBER.match(token):
            return quantity(number[1].replace("_", ""), number[2] or "0", number[3])
        assert re.match(r"[A-Za-z_]", token), f"{token} begins no expression"
        return self.call(token) if self.next == "(" else self.named(token)

    def call(self, name: str) -> Thunk:
        self.expect("(")
        if name == "sum":
            self.expect("over")
            index = self.take()
            self.expect("in")
            low = self.sum()
            self.expect("..")
            high = self.sum()
            self.expect(":")
            body = self.choice()
            self.expect(")")
            return self.added_up(index, low, high, body)
        arguments = [self.choice()]
        while self.accept(","):
            arguments.append(self.choice())
        self.expect(")")
        return called(name, arguments)


def called(name: str, arguments: list[Thunk]) -> Thunk:
    if name in ("max", "min"):
        pick = max if name == "max" else min
        return lambda s: pick(argument(s) for argument in arguments)
    (argument,) = arguments
    return lambda s: STAND_INS[name](argument(s))


def tokens(pattern: re.Pattern[str], text: str) -> list[str]:
    found, at = [], 0
    while at < len(text.rstrip()):
        match = pattern.match(text, at)
        assert match, f"no token begins at {text[at:]}"
        found.append(match[1])
        at = match.end()
    return found


def plain(text: str, meaning: Meaning) -> Thunk:
    reader = PlainReader(tokens(_PLAIN, text), meaning)
    return reader.whole(reader.choice)


# ---- LaTeX

_GROUP = r"\{(?:[^{}\\]|\\.|\{(?:[^{}\\]|\\.|\{[^{}]*\})*\})*\}"
_LATEX = re.compile(
    rf"\s*(\\(?:mathrm|text){_GROUP}|\\begin\{{cases\}}|\\end\{{cases\}}"
    r"|\\left\(|\\right\)|\\left\||\\right\||\\left\\lceil|\\right\\rceil"
    r"|\\left\\lfloor|\\right\\rfloor|\\\\|\\,|\\[A-Za-z]+|\d+(?:\.\d+)?|[A-Za-z]|[-+^_{}&=<>,])"
)
_OPERATORS = {r"\le": "<=", r"\ge": ">=", r"\ne": "!=", "=": "==", "<": "<", ">": ">"}
_COMMANDS = {r"\max", r"\min", r"\exp", r"\log", r"\sqrt", r"\frac", r"\sum", r"\lnot", r"\infty"}


class LatexReader(Reader):
    r"""TeX's own grouping: braces, `\left` and `\\right`; a sign of sum reaches over a product."""

    def cases(self) -> Thunk:
        rows: list[tuple[Thunk, Thunk]] = []
        while True:
            value = self.truth()
            self.expect("&")
            if self.accept(r"\text{otherwise}"):
                self.expect(r"\end{cases}")
                break
            self.expect(r"\text{if }")
            rows.append((value, self.truth()))
            self.expect(r"\\")
        for row, condition in reversed(rows):
            value = choice(condition, row, value)
        return value

    def truth(self) -> Thunk:
        parts = [self.both()]
        while self.accept(r"\text{ or }"):
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else lambda s: any(part(s) for part in parts)

    def both(self) -> Thunk:
        parts = [self.relation()]
        while self.accept(r"\text{ and }"):
            parts.append(self.relation())
        return parts[0] if len(parts) == 1 else lambda s: all(part(s) for part in parts)

    def relation(self) -> Thunk:
        if self.accept(r"\lnot"):
            part = self.relation()
            return lambda s: not part(s)
        left = self.sum()
        if operator := self.accept(*_OPERATORS):
            right, compare = self.sum(), COMPARE[_OPERATORS[operator]]
            return lambda s: compare(left(s), right(s))
        return left

    def product(self) -> Thunk:
        negative = bool(self.accept("-"))
        factors = [self.factor()]
        while self.accept(r"\cdot"):
            factors.append(self.factor())
        sign = -1 if negative else 1
        return lambda s: sign * product([factor(s) for factor in factors])

    def factor(self) -> Thunk:
        base = self.atom()
        if self.accept("^"):
            exponent = self.group()
            return lambda s: raised(base(s), exponent(s))
        return base

    def group(self) -> Thunk:
        self.expect("{")
        inner = self.truth()
        self.expect("}")
        return inner

    def atom(self) -> Thunk:
        token = self.take()
        match token:
            case r"\left(":
                return self.until(r"\right)")
            case r"\left|":
                return called("abs", [self.until(r"\right|")])
            case r"\left\lceil":
                return called("ceil", [self.until(r"\right\rceil")])
            case r"\left\lfloor":
                return called("floor", [self.until(r"\right\rfloor")])
            case r"\sqrt":
                return called("sqrt", [self.group()])
            case r"\frac":
                above, below = self.group(), self.group()
                return lambda s: above(s) / below(s)
            case r"\begin{cases}":
                return self.cases()
            case r"\sum":
                return self.sigma()
            case r"\max" | r"\min" | r"\exp" | r"\log":
                return self.function(token[1:])
        return self.number(token) if token[0].isdigit() else self.symbol(token)

    def until(self, closing: str) -> Thunk:
        inner = self.truth()
        self.expect(closing)
        return inner

    def function(self, name: str) -> Thunk:
        if name == "log":
            self.expect("_", "{", "2", "}")
            name = "log2"
        self.expect(r"\left(")
        arguments = [self.truth()]
        while self.accept(","):
            arguments.append(self.truth())
        self.expect(r"\right)")
        return called(name, arguments)

    def sigma(self) -> Thunk:
        self.expect("_", "{")
        index = self.name(self.take())
        self.expect("=")
        low = self.truth()
        self.expect("}", "^")
        high = self.group()
        return self.added_up(index, low, high, self.product())

    def number(self, digits: str) -> Thunk:
        power, unit = "0", None
        while self.next == r"\," and self.tokens[self.at + 1][0].isdigit():
            self.take()
            digits += self.take()
        if self.next == r"\times":
            self.expect(r"\times", "10", "^", "{")
            sign = self.accept("-") or ""
            power = sign + self.take()
            self.expect("}")
        if self.accept(r"\,"):
            unit = unit_of(self.take())
        return quantity(digits, power, unit)

    def symbol(self, token: str) -> Thunk:
        return self.named(self.name(token))

    def name(self, token: str) -> str:
        """Return a symbol with what stands below it, as the text has it."""
        assert re.match(r"\\?[A-Za-z]", token) and token not in _COMMANDS, token
        if not self.accept("_"):
            return token
        text, depth = "", 0
        while True:
            part = self.take()
            depth += {"{": 1, "}": -1}.get(part, 0)
            text += part
            if depth == 0:
                return f"{token}_{text}"


def unit_of(token: str) -> str:
    inner = token.removeprefix(r"\mathrm{").removesuffix("}")
    inner = inner.replace(r"\cdot ", "*").replace(r"{\mu}", "µ")
    return re.sub(r"\^\{(\d+)\}", r"^\1", inner).replace("\\", "")


def latex(text: str, meaning: Meaning) -> Thunk:
    reader = LatexReader(tokens(_LATEX, text), meaning)
    return reader.whole(reader.truth)
