"""Whether a form is never negative: facts added, definitions opened, choices taken case by case."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from costlang.formula import graph as g
from costlang.prove import laurent as l
from costlang.prove.atoms import Atoms, rounded_by
from costlang.prove.facts import facts_of
from costlang.prove.ranges import ZERO, Range
from costlang.prove.signs import from_the_ends

STEPS = 150
"""So many forms are looked at for one claim."""
ADDED = 60
"""So many sums with facts are tried for one form."""
SHORT = 12
"""So many terms has a fact at most that is added."""
FEW = 6
"""So many terms has a form at most that is counted from the ends of domains on the way."""
FAR = 4
"""So many facts are added one after the other."""


class Spent(ArithmeticError):
    """The steps of a claim are used up."""


@dataclass(frozen=True)
class Step:
    """One rule of a proof, in words, and what it rests on."""

    rule: str
    below: tuple[Step, ...] = ()


@dataclass(eq=False)
class Deciding:
    """Looks for proofs about forms over *atoms*; *facts* are forms that are never negative."""

    atoms: Atoms
    facts: tuple[l.Form, ...] = ()
    pairs: tuple[tuple[g.Node, g.Node], ...] = ()
    left: int = STEPS
    added: int = ADDED
    shut: bool = False
    _paired: list[l.Form] | None = field(default=None)

    def never_negative(
        self, form: l.Form, more: tuple[l.Form, ...] = (), *, strict: bool = False
    ) -> Step | None:
        """Return why *form* is never negative where *more* are not, None where it is not found."""
        try:
            return self._seen(form, more, strict=strict)
        except (l.TooLarge, RecursionError):
            return None

    def _seen(self, form: l.Form, more: tuple[l.Form, ...], *, strict: bool) -> Step | None:
        self.left -= 1
        if self.left < 0:
            raise Spent
        plain = from_the_ends(self.atoms, form, strict=strict)
        if plain is not None:
            return Step(plain)
        found = self._with_facts(form, more, strict=strict)
        if found is not None or self.shut:
            return found or self._chosen(form, more, strict=strict)
        if self._outermost(form) is not None:
            found = self._unopened(form, more, strict=strict)
        return (
            found
            or self._opened(form, more, strict=strict)
            or self._by_cases(form, more, strict=strict)
            or self._below(form, more, strict=strict)
            or self._rounded(form, more, strict=strict)
        )

    def by_facts(self, form: l.Form) -> bool:
        """Whether signs and facts alone show that *form* is never negative."""
        try:
            if from_the_ends(self.atoms, form) is not None:
                return True
            return self._with_facts(form, (), strict=False) is not None
        except l.TooLarge:
            return False

    def is_zero(self, form: l.Form) -> bool:
        """Whether *form* is 0 once its definitions are opened."""
        for _ in range(STEPS):
            number = self._outermost(form) if form else None
            wide = (
                None if number is None else self._put(form, number, self.atoms[number].body or {})
            )
            if wide is None:
                return not form
            form = wide
        return False

    def _unopened(self, form: l.Form, more: tuple[l.Form, ...], *, strict: bool) -> Step | None:
        """Take the choices of *form* apart and leave its definitions shut."""
        self.shut = True
        try:
            return self._chosen(form, more, strict=strict)
        finally:
            self.shut = False

    def _chosen(self, form: l.Form, more: tuple[l.Form, ...], *, strict: bool) -> Step | None:
        return self._by_cases(form, more, strict=strict) or self._below(form, more, strict=strict)

    # ---- facts

    def _with_facts(self, form: l.Form, more: tuple[l.Form, ...], *, strict: bool) -> Step | None:
        pool = [each for each in (*more, *self.facts, *self._own_facts(form)) if len(each) <= SHORT]
        if not pool:
            return None
        self._tries = self.added
        return self._reduced(form, pool, FAR, strict=strict)

    def _own_facts(self, form: l.Form) -> Iterator[l.Form]:
        numbers = l.atoms_of(form)
        for number in sorted(numbers):
            yield from facts_of(self.atoms, number)
        yield from (fact for fact in self._pair_facts() if numbers & l.atoms_of(fact))

    def _pair_facts(self) -> list[l.Form]:
        """Return what is known of pairs of which the second is at least the first."""
        if self._paired is None:
            self._paired = []
            for low, high in self.pairs:
                difference = l.minus(self.atoms.form(high), self.atoms.form(low))
                if 0 < len(difference) <= 4:  # longer ones help nobody
                    self._paired.append(difference)
        return self._paired

    def _reduced(self, form: l.Form, pool: list[l.Form], far: int, *, strict: bool) -> Step | None:
        """Take away multiples of facts, each of which removes the first term that is negative."""
        rests = []
        for rest in self._less(form, pool):
            plain = from_the_ends(self.atoms, rest, strict=strict, moved=len(rest) <= FEW)
            if plain is not None:
                return Step("what is known is added", (Step(plain),))
            rests.append(rest)
        for rest in sorted(rests, key=len) if far > 1 else ():
            found = self._reduced(rest, pool, far - 1, strict=strict)
            if found is not None:
                return found
        return None

    def _less(self, form: l.Form, pool: list[l.Form]) -> Iterator[l.Form]:
        """Yield *form* less multiples of facts that take its first term below 0 away."""
        first = self._first_negative(form)
        if first is None:
            return
        mono, value = first
        here = l.atoms_of(form)
        for fact in pool:
            for other, theirs in fact.items():
                if theirs * value <= 0 or not all(number in here for number, _ in other):
                    continue
                factor = l.mono_times(mono, l.mono_power(other, -1))
                if self.atoms.sign(factor) != 1:
                    continue
                self._tries -= 1
                if self._tries < 0:
                    return
                yield l.minus(form, l.shifted(fact, factor, value / theirs))

    def _first_negative(self, form: l.Form) -> tuple[l.Mono, Fraction] | None:
        return next(
            (
                (mono, value)
                for mono, value in form.items()
                if value * (self.atoms.sign(mono) or 0) < 0
            ),
            None,
        )

    # ---- definitions

    def _opened(self, form: l.Form, more: tuple[l.Form, ...], *, strict: bool) -> Step | None:
        """Put what a definition is worth in its place, the outermost first."""
        number = self._outermost(form)
        if number is None:
            return None
        atom = self.atoms[number]
        wide = self._put(form, number, atom.body or {})
        if wide is None:
            return None
        names = ", ".join(sorted(name for name in (_name(atom.node),) if name))
        found = self._seen(wide, more, strict=strict)
        if found is None:
            return None
        return Step(f"`{names}` is opened", (found,)) if names else found

    def _outermost(self, form: l.Form) -> int | None:
        bodies = [n for n in l.atoms_of(form) if self.atoms[n].body is not None]
        return max(bodies, key=lambda n: (self.atoms[n].height, n), default=None)

    def _put(self, form: l.Form, number: int, instead: l.Form) -> l.Form | None:
        """Return *form* with an atom replaced, times what is positive where it divides."""
        low = l.lowest(form, [number])
        if low and not self.atoms[number].range.never_negative:
            if low[number].denominator != 1:
                return None
            power = -low[number] if low[number] % 2 == 0 else 1 - low[number]
            form = l.shifted(form, ((number, l.plain(power)),))
        else:
            form = l.cleared(form, [number])
        return l.put(form, number, instead)

    # ---- choices

    def _by_cases(self, form: l.Form, more: tuple[l.Form, ...], *, strict: bool) -> Step | None:
        """Take each side of a choice in turn, and know that it is the one."""
        number = self._choice(form, against=True)
        if number is None:
            return None
        return self._each_side(form, number, more, strict=strict)

    def _each_side(
        self, form: l.Form, number: int, more: tuple[l.Form, ...], *, strict: bool
    ) -> Step | None:
        atom = self.atoms[number]
        greatest = isinstance(atom.node, g.Max)
        proofs = []
        for side in atom.sides:
            others = [other for other in atom.sides if other is not side]
            known = tuple(l.minus(side, o) if greatest else l.minus(o, side) for o in others)
            put = self._put(form, number, side)
            proof = None if put is None else self._seen(put, (*known, *more), strict=strict)
            if proof is None:
                return None
            proofs.append(proof)
        return Step(f"each side of {_words(atom.node)} in turn", tuple(proofs))

    def _below(self, form: l.Form, more: tuple[l.Form, ...], *, strict: bool) -> Step | None:
        """Put one side for a choice that is at least as good for the claim as each of its sides."""
        number = self._choice(form, against=False)
        if number is None:
            return None
        atom = self.atoms[number]
        together = self._all_at_once(form, more, strict=strict)
        if together is not None:
            return together
        for side in atom.sides:
            put = self._put(form, number, side)
            proof = None if put is None else self._seen(put, more, strict=strict)
            if proof is not None:
                words = "at least" if isinstance(atom.node, g.Max) else "at most"
                return Step(f"{_words(atom.node)} is {words} each of its sides", (proof,))
        return self._each_side(form, number, more, strict=strict)

    def _all_at_once(self, form: l.Form, more: tuple[l.Form, ...], *, strict: bool) -> Step | None:
        """Put for all such choices the side that stands at the same place in each."""
        numbers = [n for n in sorted(l.atoms_of(form)) if self._is_for(form, n)]
        if len(numbers) < 2:  # one alone is tried side by side
            return None
        for at in range(max(len(self.atoms[n].sides) for n in numbers)):
            put: l.Form | None = form
            for number in numbers:
                sides = self.atoms[number].sides
                put = None if put is None else l.put(put, number, sides[min(at, len(sides) - 1)])
            plain = None if put is None else self._plainly(put, more, strict=strict)
            if plain is not None:
                return Step("each choice is at least its sides", (plain,))
        return None

    def _is_for(self, form: l.Form, number: int) -> bool:
        node = self.atoms[number].node
        if not self.atoms[number].sides:
            return False
        return self._all_for(form, number, greatest=isinstance(node, g.Max))

    def _plainly(self, form: l.Form, more: tuple[l.Form, ...], *, strict: bool) -> Step | None:
        """Return why *form* is never negative once all definitions are opened, without choices."""
        for _ in range(STEPS):
            plain = from_the_ends(self.atoms, form, strict=strict)
            if plain is not None:
                return Step(plain)
            found = self._with_facts(form, more, strict=strict)
            if found is not None:
                return found
            number = self._outermost(form)
            wide = (
                None if number is None else self._put(form, number, self.atoms[number].body or {})
            )
            if wide is None:
                return None
            form = wide
        return None

    def _choice(self, form: l.Form, *, against: bool) -> int | None:
        """Return a choice that stands *against* the claim, or one that is all for it."""
        for number in sorted(l.atoms_of(form), key=lambda n: -self.atoms[n].height):
            atom = self.atoms[number]
            if not atom.sides:
                continue
            if against is not self._all_for(form, number, greatest=isinstance(atom.node, g.Max)):
                return number
        return None

    def _all_for(self, form: l.Form, number: int, *, greatest: bool) -> bool:
        """Whether more of an atom, or less where it is no *greatest*, is never worse."""
        for mono, value in form.items():
            power = l.power_of(mono, number)
            if not power:
                continue
            sign = self.atoms.sign(l.without(mono, number))
            if power != 1 or sign is None:
                return False
            if (sign * value > 0) is not greatest:
                return False
        return True

    # ---- rounding

    def _rounded(self, form: l.Form, more: tuple[l.Form, ...], *, strict: bool) -> Step | None:
        """Put `x + r` for `ceil(x)`, and `x - r` for `floor(x)`, with an `r` from 0 to below 1."""
        number = next(
            (n for n in sorted(l.atoms_of(form)) if self.atoms[n].argument is not None), None
        )
        if number is None:
            return None
        atom = self.atoms[number]
        argument = atom.argument or {}
        up = isinstance(atom.node, g.Fn) and atom.node.function == "ceil"
        most = l.constant(1) if strict else rounded_by(self.atoms, argument)
        rest = self.atoms.fresh(Range(ZERO, Fraction(1), False, strict), "r")
        part = l.times(l.atom(rest), most)
        put = self._put(form, number, l.plus(argument, l.scaled(part, 1 if up else -1)))
        if put is None:
            return None
        found = self._seen(put, more, strict=strict)
        words = (
            "ceil(x) is from x to below x + 1" if up else "floor(x) is from x down to above x - 1"
        )
        return None if found is None else Step(words, (found,))


def _name(node: g.Node) -> str | None:
    return node.name if isinstance(node, g.Def) else None


def _words(node: g.Node) -> str:
    kind = "max" if isinstance(node, g.Max) else "min"
    names = [
        getattr(g.bare(side) if isinstance(side, g.Part) else side, "name", "…")
        for side in node.children
    ]
    return f"`{kind}({', '.join(names)})`"
