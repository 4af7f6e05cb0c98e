"""A claim proved by rules: directions, forms, and the conditions of its choices case by case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf

from costlang.formula import graph as g
from costlang.prove import laurent as l
from costlang.prove.atoms import Atoms, Domain
from costlang.prove.claims import Claim, Reading
from costlang.prove.deciding import ADDED, STEPS, Deciding, Spent, Step
from costlang.prove.directions import Directions
from costlang.prove.multiples import by_multiples
from costlang.prove.putting import Truth, put
from costlang.prove.ranges import Range
from costlang.prove.scaling import Scaling

DEEPEST = 8
"""So many conditions are taken apart one inside the other."""
CASES = 200
TURNS = 4
AT_FIRST = 12
"""So many forms are looked at before the conditions of a claim are taken apart."""
PROBED_CASES, PROBED_DEEP, PROBED_STEPS = 16, 3, 12
FEW = 12
"""So many sums with facts are tried there."""
PROBED = 6
"""So many terms a form has at most whose sign is looked at for a range."""
TURNED = {"<": ">=", "<=": ">", "==": "!=", "!=": "==", ">=": "<", ">": "<="}
MIRRORED = {"<": ">", "<=": ">=", "==": "==", "!=": "!=", ">=": "<=", ">": "<"}

Signs = dict[tuple[g.Node, tuple[Truth, ...]], bool]
"""Of which formulas it was looked at, under what is given, whether they are never negative."""


@dataclass(eq=False)
class Proving:
    """The search for a proof of one claim, within a budget of cases."""

    build: g.Builder
    pairs: tuple[tuple[g.Node, g.Node], ...] = ()
    left: int = CASES
    signs: Signs = field(default_factory=dict)
    most: int = STEPS

    def proof(self, claim: Claim, deep: int = DEEPEST) -> Step | None:
        """Return why *claim* holds, None where no reason is found."""
        self.left -= 1
        if self.left < 0:
            return None
        claim = _told(claim)
        if any(each is False for each in claim.given) or _empty(claim.domains):
            return Step("this case does not occur")
        match claim.goal:
            case bool():
                return Step("it is plain") if claim.goal else None
            case g.All(parts=parts):
                return self._each(claim, parts, deep)
            case g.Any(parts=parts):
                return self._some(claim, parts, deep)
            case g.Not(part=part):
                return self.proof(replace(claim, goal=_denied(self.build, part)), deep)
            case g.Cmp():
                return self._compared(claim, claim.goal, deep)
            case _:
                return None

    def _each(self, claim: Claim, parts: tuple[g.Node, ...], deep: int) -> Step | None:
        proofs = []
        for part in parts:
            found = self.proof(replace(claim, goal=part), deep)
            if found is None:
                return None
            proofs.append(found)
        return Step("each part holds", tuple(proofs))

    def _some(self, claim: Claim, parts: tuple[g.Node, ...], deep: int) -> Step | None:
        """Prove one part where the others do not hold."""
        for part in parts:
            others = tuple(_denied(self.build, other) for other in parts if other is not part)
            found = self.proof(replace(claim, goal=part, given=(*claim.given, *others)), deep)
            if found is not None:
                return Step("one part holds where the others do not", (found,))
        return None

    # ---- comparisons

    def _compared(self, claim: Claim, goal: g.Cmp, deep: int) -> Step | None:
        if isinstance(goal.left, g.Inf) or isinstance(goal.right, g.Inf):
            return None
        atoms = atoms_of(claim, self.signs)
        if _apart(goal, atoms):
            return Step("by where both sides can lie")
        name = by_multiples(self.build, atoms, goal, claim.given)
        if name is not None:
            return Step(f"no part of it grows faster than `{name}`")
        open_ = next(_conditions(goal), None) is not None and deep > 0
        try:
            found = self._by_forms(
                claim, atoms, goal, min(AT_FIRST, self.most) if open_ else self.most
            )
        except (l.TooLarge, Spent, ZeroDivisionError, RecursionError):
            found = None
        return found or self._split(claim, goal, deep)

    def _by_forms(self, claim: Claim, atoms: Atoms, goal: g.Cmp, steps: int) -> Step | None:
        deciding = Deciding(
            atoms,
            _known_forms(atoms, claim.given),
            self.pairs,
            steps,
            ADDED if steps > AT_FIRST else FEW,
        )
        left, right = atoms.form(goal.left), atoms.form(goal.right)
        gap = l.minus(left, right)
        back = l.scaled(gap, -1)
        match goal.operator:
            case ">=" | ">":
                return deciding.never_negative(gap, strict=goal.operator == ">")
            case "<=" | "<":
                return deciding.never_negative(back, strict=goal.operator == "<")
            case "==":
                return self._equal(deciding, gap)
            case _:
                return deciding.never_negative(gap, strict=True) or deciding.never_negative(
                    back, strict=True
                )

    def _equal(self, deciding: Deciding, gap: l.Form) -> Step | None:
        if deciding.is_zero(gap):
            return Step("both sides are the same sum of products")
        above = deciding.never_negative(gap)
        below = deciding.never_negative(l.scaled(gap, -1)) if above is not None else None
        if above is None or below is None:
            return None
        return Step("neither side is less than the other", (above, below))

    # ---- conditions

    def _split(self, claim: Claim, goal: g.Cmp, deep: int) -> Step | None:
        """Take the first condition of the claim as true, then as false."""
        condition = next(_conditions(goal), None)
        if condition is None or deep == 0:
            return None
        proofs = []
        for value in (True, False):
            found = self.proof(_assumed(claim, condition, value=value), deep - 1)
            if found is None:
                return None
            proofs.append(found)
        return Step(f"`{_text(condition)}` holds or not", tuple(proofs))


def atoms_of(claim: Claim, signs: Signs | None = None) -> Atoms:
    """Return the atoms of *claim*, which look at their signs with what is given."""
    atoms = Atoms(claim.domains)
    seen = signs if signs is not None else {}

    def probed(node: g.Node) -> bool:
        key = (node, claim.given)
        if key not in seen:
            seen[key] = False
            seen[key] = _is_never_negative(claim, atoms, node, seen)
        return seen[key]

    atoms.probe = probed
    return atoms


def _is_never_negative(claim: Claim, atoms: Atoms, node: g.Node, signs: Signs) -> bool:
    try:
        if isinstance(node, g.Add) and len(atoms.form(node)) > PROBED:
            return False
        goal = claim.build.cmp(">=", node, claim.build.num(0))
        proving = Proving(claim.build, left=PROBED_CASES, signs=signs, most=PROBED_STEPS)
        return proving.proof(replace(claim, goal=goal), PROBED_DEEP) is not None
    except (l.TooLarge, Spent, ZeroDivisionError, RecursionError):
        return False


def _apart(goal: g.Cmp, atoms: Atoms) -> bool:
    """Whether the ranges of both sides tell that *goal* holds."""
    low, high = atoms.range(goal.left), atoms.range(goal.right)
    if goal.operator in (">", ">="):
        low, high = high, low
    if goal.operator in ("==", "!=") or not isinstance(low.high, Fraction):
        return False
    if goal.operator in ("<", ">") and low.high == high.low:
        return low.open_high or high.open_low
    return low.high <= high.low


def _known_forms(atoms: Atoms, given: tuple[Truth, ...]) -> tuple[l.Form, ...]:
    return tuple(form for each in given for form in _known_form(atoms, each))


def _known_form(atoms: Atoms, truth: Truth) -> Iterator[l.Form]:
    """Yield what is never negative because *truth* holds."""
    match truth:
        case g.All(parts=parts):
            for part in parts:
                yield from _known_form(atoms, part)
        case g.Not(part=g.Cmp(operator=operator, left=left, right=right)):
            yield from _compared_form(atoms, TURNED[operator], left, right)
        case g.Cmp(operator=operator, left=left, right=right):
            yield from _compared_form(atoms, operator, left, right)
        case _:
            return


def _compared_form(atoms: Atoms, operator: str, left: g.Node, right: g.Node) -> Iterator[l.Form]:
    if isinstance(left, g.Inf) or isinstance(right, g.Inf) or operator == "!=":
        return
    try:
        gap = l.minus(atoms.form(left), atoms.form(right))
    except (l.TooLarge, ZeroDivisionError):
        return
    if operator in (">", ">=", "=="):
        yield gap
    if operator in ("<", "<=", "=="):
        yield l.scaled(gap, -1)


# ---- what is told by conditions


def _told(claim: Claim) -> Claim:
    """Return *claim* with what its conditions tell of single names put to use."""
    domains = dict(claim.domains)
    instead: dict[g.Node, g.Node] = {}
    for each in _flat(claim.given):
        match each:
            case g.Cmp(operator=operator, left=g.Sym() as symbol, right=g.Num(value=value)):
                _narrow(domains, symbol, operator, value)
            case g.Cmp(operator=operator, left=g.Num(value=value), right=g.Sym() as symbol):
                _narrow(domains, symbol, MIRRORED[operator], value)
            case g.Cmp(operator="==", left=g.Sym() as symbol, right=g.Sym() as other):
                if symbol in domains and symbol not in instead and other not in instead:
                    instead[symbol] = other
    for symbol, domain in domains.items():
        if domain.range.low == domain.range.high and isinstance(domain.range.low, Fraction):
            instead[symbol] = claim.build.num(domain.range.low, symbol.info.dimension)
    instead = {symbol: at for symbol, at in instead.items() if at not in instead}
    claim = replace(claim, domains=domains)
    if not instead or not any(_holds(claim, symbol) for symbol in instead):
        return claim
    return _put_everywhere(claim, instead)


def _put_everywhere(claim: Claim, instead: Mapping[g.Node, g.Node]) -> Claim:
    try:
        goal = put(claim.build, claim.goal, instead)
    except ZeroDivisionError:
        return replace(claim, goal=True)  # it has no value here
    given = []
    for each in claim.given:
        try:
            given.append(put(claim.build, each, instead))
        except ZeroDivisionError:
            continue
    return replace(claim, goal=goal, given=tuple(given))


def _holds(claim: Claim, symbol: g.Node) -> bool:
    nodes = [each for each in (claim.goal, *claim.given) if isinstance(each, g.Node)]
    return any(at is symbol for node in nodes for at in g.walk(node))


def _flat(given: tuple[Truth, ...]) -> Iterator[g.Node]:
    for each in given:
        match each:
            case g.All(parts=parts):
                yield from _flat(parts)
            case g.Not(part=g.Cmp(operator=operator, left=left, right=right)):
                yield g.Cmp(TURNED[operator], left, right)
            case g.Node():
                yield each


def _narrow(domains: dict[g.Sym, Domain], symbol: g.Sym, operator: str, value: Fraction) -> None:
    """Narrow the domain of *symbol* by a comparison with a number."""
    if symbol not in domains:
        return
    domain = domains[symbol]
    range_ = domain.range
    match operator:
        case ">=" | ">":
            range_ = range_.meet(Range(value, inf, operator == ">"))
        case "<=" | "<":
            range_ = range_.meet(Range(-inf, value, False, operator == "<"))
        case "==":
            range_ = range_.meet(Range(value, value))
        case "!=" if value == range_.low:
            range_ = range_.meet(Range(value, inf, True))
        case "!=" if value == range_.high:
            range_ = range_.meet(Range(-inf, value, False, True))
    domains[symbol] = replace(domain, range=_wholes(range_) if domain.whole else range_)


def _wholes(range_: Range) -> Range:
    """Return the whole numbers of a range, from the first to the last."""
    low, high = range_.low, range_.high
    if isinstance(low, Fraction):
        up = Fraction(-(-low.numerator // low.denominator))
        low = up + 1 if range_.open_low and up == low else up
    if isinstance(high, Fraction):
        down = Fraction(high.numerator // high.denominator)
        high = down - 1 if range_.open_high and down == high else down
    return Range(low, high)


def _empty(domains: Mapping[g.Sym, Domain]) -> bool:
    return any(
        d.range.low > d.range.high
        or (d.range.low == d.range.high and (d.range.open_low or d.range.open_high))
        for d in domains.values()
    )


def _denied(build: g.Builder, part: g.Node) -> Truth:
    match part:
        case g.Cmp(operator=operator, left=left, right=right):
            return build.cmp(TURNED[operator], left, right)
        case g.All(parts=parts):
            return build.some(*(_denied(build, each) for each in parts))
        case g.Any(parts=parts):
            return build.every(*(_denied(build, each) for each in parts))
        case g.Not(part=inner):
            return inner
        case _:
            return build.no(part)


def _conditions(goal: g.Node) -> Iterator[g.Cmp]:
    """Yield the comparisons on which choices of *goal* hang, those of no index of a sum."""
    indexed: dict[g.Node, bool] = {}
    for at in g.walk(goal):
        indexed[at] = isinstance(at, g.Idx) or any(indexed[child] for child in at.children)
    for at in g.walk(goal):
        if isinstance(at, g.Cond) and not indexed[at.condition]:
            yield from (x for x in g.walk(at.condition) if isinstance(x, g.Cmp) and not _inner(x))


def _inner(node: g.Cmp) -> bool:
    """Whether a comparison holds choices itself, which are taken first."""
    return any(isinstance(at, g.Cond) for at in g.walk(node))


def _assumed(claim: Claim, condition: g.Cmp, *, value: bool) -> Claim:
    fact = condition if value else _denied(claim.build, condition)
    known: dict[g.Node, bool] = {condition: value}
    try:
        goal = put(claim.build, claim.goal, {}, known)
    except ZeroDivisionError:
        goal = True  # it has no value here
    given = tuple(put(claim.build, each, {}, known) for each in claim.given)
    return replace(claim, goal=goal, given=(*(x for x in given if x is not True), fact))


def _text(condition: g.Cmp) -> str:
    def word(node: g.Node) -> str:
        node = node.body if isinstance(node, g.Part) else node
        if isinstance(node, g.Num):
            return str(node.value)
        return str(getattr(node, "name", "…"))

    return f"{word(condition.left)} {condition.operator} {word(condition.right)}"


def by_direction(reading: Reading, claim: Claim) -> Step | None:
    """Return that the subject goes the way of the law by the rules of sums, products, choices."""
    if reading.kind not in ("increasing", "decreasing") or not isinstance(reading.subject, g.Node):
        return None
    there = replace(claim, goal=reading.subject, given=reading.given, domains=reading.domains)
    return _by_direction(reading, there, TURNS)


def _by_scaling(reading: Reading, told: Claim, directions: Directions) -> bool:
    """Whether the subject is never negative and grows by powers that all have the right sign."""
    domain = told.domains.get(directions.symbol)
    if domain is None or not domain.range.positive or not isinstance(told.goal, g.Node):
        return False
    if not directions.atoms.range(told.goal).never_negative:
        return False
    powers = Scaling(directions).powers(told.goal)
    return powers.low >= 0 if reading.kind == "increasing" else powers.high <= 0


def _by_direction(reading: Reading, there: Claim, deep: int) -> Step | None:
    told = _told(there)
    if any(each is False for each in told.given) or _empty(told.domains):
        return Step("this case does not occur")
    (x,) = reading.variables
    if not isinstance(told.goal, g.Node):
        return None
    directions = Directions(atoms_of(told), x)
    way = directions.way(told.goal)
    if not (way.falls if reading.kind == "increasing" else way.rises):
        return Step(f"no part of it goes the other way in `{x.name}`")
    if _by_scaling(reading, told, directions):
        return Step(f"the powers of `{x.name}` by which its parts grow tell")
    steady = (c for c in _conditions(told.goal) if directions.way(c).steady)
    condition = next(steady, None)
    if condition is None or deep == 0:
        return None
    proofs = []
    for value in (True, False):
        found = _by_direction(reading, _assumed(told, condition, value=value), deep - 1)
        if found is None:
            return None
        proofs.append(found)
    return Step(f"`{_text(condition)}` holds or not", tuple(proofs))
