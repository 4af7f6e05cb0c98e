"""What the solver found, in the words and numbers of an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from costlang import solve as s
from costlang.answer.parts import label_of
from costlang.answer.seeking.solved import Elastic, Number, Solved, SolvedCase, Stretch
from costlang.answer.seeking.sought import is_counted
from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation
from costlang.model import exact
from costlang.solve.ground.places import Place, narrowed
from costlang.solve.ground.solution import Case, Side

BITS = 80
"""How narrowly a number is enclosed that is not rational."""


def number(place: Place) -> Number:
    """Return a place as a number, enclosed where it is not rational."""
    near = place if place.exact is not None else narrowed(place, BITS)
    return Number(near.low, near.high)


def real(value: exact.Real) -> Number:
    """Return a real value as a number."""
    return Number(*exact.ends(value))


def stretches(spans: Sequence[s.Span]) -> tuple[Stretch, ...]:
    """Return sets of numbers as stretches."""
    return tuple(
        Stretch(
            number(span.low) if span.low is not None else None,
            number(span.high) if span.high is not None else None,
            span.low_in,
            span.high_in,
        )
        for span in spans
    )


def whole_numbers(solution: s.Solution) -> tuple[tuple[int | None, int | None], ...]:
    """Return the whole numbers among the solutions of what is counted."""
    found = (span.whole() for span in solution.spans)
    return solution.integers or tuple(ends for ends in found if ends is not None)


def case_of(case: Case, build: g.Builder, *, counted: bool) -> SolvedCase:
    """Return one solution, with its whole number where it is *counted*."""
    return SolvedCase(
        number(case.value),
        case.formula,
        case.conditions,
        tuple(side_words(case.regime, build)),
        stretches(case.ranges),
        case.first_integer if counted else None,
        tuple((why.words, why.left, why.right) for why in case.why),
    )


def plain_case(node: g.Node) -> SolvedCase:
    """Return a formula as a case, with its number where it has one."""
    value = Evaluation().number(node)
    known = isinstance(value, (Fraction, exact.Interval))
    return SolvedCase(real(value) if known else None, node)


def side_words(regime: Sequence[Side], build: g.Builder) -> Iterator[str]:
    """Yield which side of each choice is active, in words."""
    for side in regime:
        if isinstance(side.choice, (g.Max, g.Min)):
            word = "max" if isinstance(side.choice, g.Max) else "min"
            yield f"{_side_words(side.active, build)} is the {word}"


def _side_words(node: g.Node, build: g.Builder) -> str:
    """Return a name, or what the author wrote; else a name that stands in it."""
    place = build.places.get(node)
    if isinstance(node, (g.Def, g.Sym)) or place is None:
        return label_of(node)
    return " ".join(place.text.split())


def whole_of(other: g.Sym, told: s.Threshold) -> tuple[tuple[int | None, int | None], ...]:
    """Return the whole numbers of a threshold, where its name counts something."""
    if not is_counted(other.info.kind, other.info.dimension):
        return ()
    whole = (span.whole() for span in told.spans)
    return tuple(found for found in whole if found is not None)


def elastic(told: Sequence[s.Elasticity]) -> tuple[Elastic, ...]:
    """Return elasticities with what each name is worth, the largest first."""
    names = apart(tuple(item.symbol for item in told))
    return tuple(sorted((_elastic(item, names[item.symbol]) for item in told), key=weight))


def _elastic(item: s.Elasticity, name: str) -> Elastic:
    info = item.symbol.info
    return Elastic(
        name, real(item.before), real(item.after), info.known, info.dimension, info.source
    )


def apart(symbols: Sequence[g.Sym]) -> dict[g.Sym, str]:
    """Return the name of each symbol, with as much of its path as tells it from its namesakes."""
    found = {symbol: symbol.name for symbol in symbols}
    for length in range(1, max((len(symbol.path) for symbol in symbols), default=0)):
        counts = Counter(found.values())
        alike = [symbol for symbol, name in found.items() if counts[name] > 1]
        found.update({symbol: _long(symbol, length) for symbol in alike})
    return found


def _long(symbol: g.Sym, length: int) -> str:
    owner = [word for word in symbol.path if word and not symbol.name.startswith(word)]
    return ".".join((*owner[-length:], symbol.name))


def weight(item: Elastic) -> tuple[bool, Fraction]:
    """Return what sorts elasticities: the largest first, zeros last."""
    size = max(abs(Fraction(item.before.low)), abs(Fraction(item.after.low)))
    return (size == 0, -size)


def single(found: Solved) -> Fraction | exact.Interval | None:
    """Return the one number that an answer is, None where there is none or more than one."""
    if found.outcome != "one" or found.infinite:
        return None
    if found.chosen is not None:
        return certain(found.chosen.value)
    if found.whole is not None:
        return Fraction(found.whole)
    if not found.attained:
        return None
    values = [case.value for case in found.cases if case.value is not None]
    if len(values) != 1:
        return None
    return certain(values[0])


def certain(value: Number) -> Fraction | exact.Interval:
    """Return the number itself, an interval where it is only enclosed."""
    return value.exact if value.exact is not None else exact.Interval(value.low, value.high)
