"""Formulas as forms over atoms: what is no sum or product of others, known by its range."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf

from costlang.formula import graph as g
from costlang.prove import laurent as l
from costlang.prove.ranges import (
    ANY,
    ZERO,
    End,
    Range,
    added,
    inverted,
    multiplied,
    negated,
    point,
    whole_power,
)

MOST_POWER = 8
FEW = 3
"""So many terms a sum has at most whose sign is looked at with what is known."""
UNIT = Range(ZERO, Fraction(1))
Key = frozenset[tuple[l.Mono, Fraction]]


@dataclass(frozen=True)
class Domain:
    """Where a symbol may lie; *whole* leaves the whole numbers, *members* are all there is."""

    range: Range
    whole: bool = False
    members: tuple[Fraction, ...] = ()


@dataclass(eq=False)
class Atom:
    """
    A factor that is not taken apart.

    *body* is what a named definition or a sum below a division line is worth, *sides* are the forms
    of a `max` or `min`, *argument* that of a `ceil` or `floor`.
    """

    node: g.Node
    range: Range
    height: int = 0
    body: l.Form | None = None
    sides: tuple[l.Form, ...] = ()
    argument: l.Form | None = None


@dataclass(eq=False)
class Atoms:
    """All atoms of one claim under its *domains*."""

    domains: Mapping[g.Sym, Domain]
    indices: dict[g.Idx, Domain] = field(default_factory=dict)
    known: list[Atom] = field(default_factory=list)
    probe: Callable[[g.Node], bool] | None = None
    _numbers: dict[object, int] = field(default_factory=dict)
    _forms: dict[g.Node, l.Form] = field(default_factory=dict)
    _ranges: dict[g.Node, Range] = field(default_factory=dict)

    def __getitem__(self, number: int) -> Atom:
        return self.known[number]

    def fresh(self, range_: Range, name: str) -> int:
        """Return a new atom, of which nothing is known but its range."""
        self.known.append(Atom(g.Idx(name, -len(self.known) - 1), range_))
        return len(self.known) - 1

    def sign(self, mono: l.Mono) -> int | None:
        """Return 1 where a product is never negative, -1 where never positive, else None."""
        sign = 1
        for number, power in mono:
            range_ = self.known[number].range
            if power.denominator == 1 and power % 2 == 0:
                continue
            if range_.never_negative:
                continue
            if power.denominator != 1 or not range_.never_positive:
                return None
            sign = -sign
        return sign

    def strict(self, mono: l.Mono) -> bool:
        """Whether a product is never 0."""
        return all(
            self.known[number].range.positive or self.known[number].range.negative or power < 0
            for number, power in mono
        )

    # ---- forms

    def form(self, node: g.Node) -> l.Form:
        """Return *node* as a form; definitions of several terms are atoms, to be opened."""
        node = g.bare(node) if isinstance(node, g.Part) else node
        if node not in self._forms:
            self._forms[node] = self._form(node)
        return self._forms[node]

    def _form(self, node: g.Node) -> l.Form:
        match node:
            case g.Num(value=value):
                return l.constant(value)
            case g.Sym() | g.Idx():
                return self._symbol(node)
            case g.Add(terms=terms):
                return l.plus(*(self.form(term) for term in terms))
            case g.Neg(operand=operand):
                return l.scaled(self.form(operand), -1)
            case g.Mul(factors=factors):
                return self._product(factors)
            case g.Div(above=above, below=below):
                return l.times(self.form(above), self._inverse(below))
            case g.Pow():
                return self._power(node)
            case g.Def(body=body):
                return self._named(node, body)
            case g.Fn(function="sqrt", argument=argument):
                return self._rooted(node, self.form(argument), Fraction(1, 2))
            case g.Fn(function="ceil" | "floor", argument=argument) if self._is_whole(argument):
                return self.form(argument)
            case _:
                return l.atom(self._atom(node))

    def _is_whole(self, node: g.Node) -> bool:
        return not rounded_by(self, self.form(node))

    def whole(self, number: int) -> bool:
        """Whether an atom is a whole number."""
        node = self.known[number].node
        if isinstance(node, g.Idx):
            return node in self.indices
        if isinstance(node, g.Sym):
            return node in self.domains and self.domains[node].whole
        return isinstance(node, g.Fn) and node.function in ("ceil", "floor")

    def _symbol(self, node: g.Sym | g.Idx) -> l.Form:
        if isinstance(node, g.Sym) and node.info.value is not None:
            return l.constant(node.info.value)
        return l.atom(self._number(node, lambda: Atom(node, self.range(node))))

    def _product(self, factors: tuple[g.Node, ...]) -> l.Form:
        found = l.constant(1)
        for factor in factors:
            found = l.times(found, self.form(factor))
        return found

    def _named(self, node: g.Def, body: g.Node) -> l.Form:
        form = self.form(body)
        if len(form) <= 1:
            return form
        return self._opaque(node, form)

    def _opaque(self, node: g.Node, form: l.Form) -> l.Form:
        """Return an atom that stands for *form*, with its common factor taken out."""
        factor, value, core = self.primitive(form)

        def made() -> Atom:
            height = 1 + max(self.known[n].height for n in l.atoms_of(core))
            range_ = self.range(node) if not factor and value == 1 else self._form_range(core)
            return Atom(node, range_, height, body=core)

        number = self._number(("sum", _key(core)), made)
        return l.shifted(l.atom(number), factor, value)

    def primitive(self, form: l.Form) -> tuple[l.Mono, Fraction, l.Form]:
        """Return a product, a positive number and the form that are together *form*."""
        mono = self.shared(form)
        rest = l.shifted(form, l.mono_power(mono, -1))
        value = max(abs(each) for each in rest.values())
        return mono, value, l.scaled(rest, 1 / value)

    def shared(self, form: l.Form) -> l.Mono:
        """Return the product that all terms of *form* have in common, never negative."""
        numbers = l.atoms_of(form)
        return l.common(form, (n for n in numbers if self.known[n].range.never_negative))

    def mono_range(self, mono: l.Mono) -> Range:
        """Return where a product may lie."""
        found = point(Fraction(1))
        for number, power in mono:
            found = multiplied(found, self._powered(self.known[number].range, power))
        return found

    def least(self, mono: l.Mono) -> Fraction:
        """Return a number that a product is never below, where all of its atoms are at least 0."""
        found = Fraction(1)
        for number, power in mono:
            range_ = self.known[number].range
            end = range_.low if power > 0 else range_.high
            if end == 1:
                continue
            if not isinstance(end, Fraction) or end <= 0 or power.denominator != 1:
                return ZERO
            found *= end ** int(power)
        return found

    def _form_range(self, form: l.Form) -> Range:
        found = point(ZERO)
        for mono, value in form.items():
            found = added(found, multiplied(point(value), self.mono_range(mono)))
        return found

    def _powered(self, range_: Range, power: l.Power) -> Range:
        if power.denominator != 1:
            return Range(ZERO, inf)
        if power < 0:
            return inverted(whole_power(range_, -int(power)))
        return whole_power(range_, int(power))

    def _inverse(self, node: g.Node) -> l.Form:
        form = self.form(node)
        if not form:
            raise ZeroDivisionError
        if len(form) > 1:
            form = self._opaque(g.bare(node), form)
        ((mono, value),) = form.items()
        return {l.mono_power(mono, -1): 1 / value}

    def _power(self, node: g.Pow) -> l.Form:
        exponent = self.form(node.exponent)
        fixed = exponent.get(l.ONE, ZERO) if len(exponent) <= 1 else None
        if fixed is None or (exponent and l.ONE not in exponent):
            return self._variable_power(node)
        if fixed.denominator == 1 and 0 <= fixed <= MOST_POWER:
            return l.powered(self.form(node.base), int(fixed))
        if fixed.denominator == 1 and fixed < 0:
            inverse = self._inverse(node.base)
            ((mono, value),) = inverse.items()
            return {l.mono_power(mono, -fixed): value ** int(-fixed)}
        return self._rooted(node, self.form(node.base), fixed)

    def _variable_power(self, node: g.Pow) -> l.Form:
        return l.atom(self._atom(node))

    def _rooted(self, node: g.Node, form: l.Form, power: Fraction) -> l.Form:
        """Return a power of one product that is never negative, else an atom."""
        if len(form) == 1:
            ((mono, value),) = form.items()
            plain = all(self.known[n].range.never_negative for n, _ in mono)
            root = _root(value, power)
            if plain and root is not None:
                return {l.mono_power(mono, power): root}
        return l.atom(self._atom(node))

    # ---- atoms

    def _number(self, key: object, made: Callable[[], Atom]) -> int:
        if key not in self._numbers:
            atom = made()
            self.known.append(atom)
            self._numbers[key] = len(self.known) - 1
        return self._numbers[key]

    def _atom(self, node: g.Node) -> int:
        match node:
            case g.Max(sides=sides) | g.Min(sides=sides) if not any(
                isinstance(side, g.Inf) for side in sides
            ):
                forms = tuple(self.form(side) for side in sides)
                key: object = (type(node), frozenset(_key(form) for form in forms))
                return self._number(key, lambda: self._choice(node, forms))
            case g.Fn(function=("ceil" | "floor") as name, argument=argument):
                form = self.form(argument)
                return self._number(
                    (name, _key(form)),
                    lambda: Atom(node, self.range(node), self._height([form]), argument=form),
                )
            case g.Fn(function=name, argument=argument):
                form = self.form(argument)
                made = lambda: Atom(node, self.range(node), self._height([form]))  # noqa: E731
                return self._number((name, _key(form)), made)
            case g.Pow(base=base, exponent=exponent):
                both = (self.form(base), self.form(exponent))
                key = ("power", _key(both[0]), _key(both[1]))
                return self._number(key, lambda: Atom(node, self.range(node), self._height(both)))
            case _:
                return self._number(node, lambda: Atom(node, self.range(node)))

    def _choice(self, node: g.Node, forms: tuple[l.Form, ...]) -> Atom:
        return Atom(node, self.range(node), self._height(forms), sides=forms)

    def _height(self, forms: Iterable[l.Form]) -> int:
        numbers = {n for form in forms for n in l.atoms_of(form)}
        return 1 + max((self.known[n].height for n in numbers), default=0)

    # ---- ranges

    def range(self, node: g.Node) -> Range:
        """Return where *node* may lie, wherever it has a value."""
        if node not in self._ranges:
            found = self._ranges[node] = self._range(node)
            open_ = found.low < 0 < found.high and self._is_telling(node)
            if open_ and self.probe is not None and self.probe(node):
                self._ranges[node] = found.meet(Range(ZERO, inf))
        return self._ranges[node]

    def _is_telling(self, node: g.Node) -> bool:
        """Whether the sign of *node* may be told by more than the ranges of its parts."""
        return isinstance(node, g.Cond) or (isinstance(node, g.Add) and len(node.terms) <= FEW)

    def _range(self, node: g.Node) -> Range:
        match node:
            case g.Num(value=value):
                return point(value)
            case g.Sym(info=info) if info.value is not None:
                return point(info.value)
            case g.Sym():
                return self.domains[node].range if node in self.domains else ANY
            case g.Idx():
                return self.indices[node].range if node in self.indices else ANY
            case g.Inf(sign=sign):
                return Range(inf, inf) if sign > 0 else Range(-inf, -inf)
            case g.Def(body=body) | g.Part(body=body):
                return self.range(body)
            case g.Add(terms=terms):
                return self._folded(terms, added, point(ZERO))
            case g.Mul(factors=factors):
                return self._folded(factors, multiplied, point(Fraction(1)))
            case g.Neg(operand=operand):
                return negated(self.range(operand))
            case g.Div(above=above, below=below):
                return multiplied(self.range(above), inverted(self.range(below)))
            case g.Max(sides=sides):
                return self._greatest([self.range(side) for side in sides])
            case g.Min(sides=sides):
                found = self._greatest([negated(self.range(side)) for side in sides])
                return negated(found)
            case g.Cond(yes=yes, no=no):
                return self.range(yes).hull(self.range(no))
            case g.Pow():
                return self._power_range(node)
            case g.SumOver():
                return self._sum_range(node)
            case g.Fn():
                return self._function_range(node.function, self.range(node.argument))
            case _:
                return ANY

    def _folded(
        self, nodes: tuple[g.Node, ...], join: Callable[[Range, Range], Range], start: Range
    ) -> Range:
        found = start
        for node in nodes:
            found = join(found, self.range(node))
        return found

    def _greatest(self, ranges: list[Range]) -> Range:
        low = max(ranges, key=lambda r: (r.low, r.open_low))
        high = max(ranges, key=lambda r: (r.high, not r.open_high))
        return Range(low.low, high.high, low.open_low, high.open_high)

    def _power_range(self, node: g.Pow) -> Range:
        base, exponent = self.range(node.base), self.range(node.exponent)
        if exponent.low == exponent.high and isinstance(exponent.low, Fraction):
            fixed = exponent.low
            if fixed.denominator == 1 and fixed > 0:
                return whole_power(base, int(fixed))
            if fixed.denominator == 1 and fixed < 0:
                return inverted(whole_power(base, -int(fixed)))
        if not base.never_negative:
            return ANY
        if base.low == base.high == 1:
            return base
        if base.high <= 1 and exponent.never_negative:
            # x^0 is 1, also for an x of 0.
            return Range(ZERO, Fraction(1), base.positive, False)
        if base.low >= 1 and exponent.never_negative:
            return Range(Fraction(1), inf)
        return Range(ZERO, inf, base.positive, False)

    def _sum_range(self, node: g.SumOver) -> Range:
        low, high = self.range(node.low), self.range(node.high)
        self.indices.setdefault(node.index, Domain(Range(low.low, high.high), whole=True))
        body = self.range(node.body)
        count = added(added(high, negated(low)), point(Fraction(1)))
        times = Range(max(count.low, ZERO), max(count.high, ZERO))
        return multiplied(times, body)

    def _function_range(self, name: str, inner: Range) -> Range:
        match name:
            case "ceil":
                low = _up(inner.low)
                if inner.open_low and low == inner.low:
                    low = low + 1
                return Range(low, _up(inner.high))
            case "floor":
                high = _down(inner.high)
                if inner.open_high and high == inner.high:
                    high = high - 1
                return Range(_down(inner.low), high)
            case "abs":
                ends: tuple[End, End] = (_size(inner.low), _size(inner.high))
                near = ZERO if inner.low <= 0 <= inner.high else min(ends)
                return Range(near, max(ends))
            case "sqrt":
                return Range(
                    Fraction(1) if inner.low >= 1 else ZERO,
                    inf,
                    inner.positive and inner.low < 1,
                    False,
                )
            case "exp":
                return Range(
                    Fraction(1) if inner.low >= 0 else ZERO,
                    Fraction(1) if inner.high <= 0 else inf,
                    inner.low < 0,
                    False,
                )
            case "log2":
                low = ZERO if inner.low >= 1 else -inf
                high = ZERO if inner.high <= 1 else inf
                return Range(low, high)
            case _:
                return ANY


def rounded_by(atoms: Atoms, argument: l.Form) -> l.Form:
    """Return how much rounding adds at most: 1, or `1 - 1/n` for a whole number over n."""
    below: set[int] = set()
    for mono, value in argument.items():
        if value.denominator != 1:
            return l.constant(1)
        for number, power in mono:
            if power.denominator != 1 or not atoms.whole(number):
                return l.constant(1)
            if power < 0:
                below.add(number)
                if power < -1 or atoms[number].range.low < 1:
                    return l.constant(1)
    part: l.Mono = tuple(sorted((number, -1) for number in below))
    return l.minus(l.constant(1), {part: Fraction(1)}) if below else {}


def _size(end: End) -> End:
    return end if end >= 0 else -end


def _up(end: Fraction | float) -> Fraction | float:
    return end if isinstance(end, float) else Fraction(-(-end.numerator // end.denominator))


def _down(end: Fraction | float) -> Fraction | float:
    return end if isinstance(end, float) else Fraction(end.numerator // end.denominator)


def _key(form: l.Form) -> Key:
    return frozenset(form.items())


def _root(value: Fraction, power: Fraction) -> Fraction | None:
    """Return a rational power of a positive number where it is rational."""
    if value == 1:
        return Fraction(1)
    if value <= 0 or power.denominator > 4 or abs(power) > MOST_POWER:
        return None
    ends = []
    for part in (value.numerator, value.denominator):
        root = round(part ** (1 / power.denominator))
        exact = next(
            (r for r in (root - 1, root, root + 1) if r >= 0 and r**power.denominator == part), None
        )
        if exact is None:
            return None
        ends.append(exact)
    return Fraction(ends[0], ends[1]) ** power.numerator
