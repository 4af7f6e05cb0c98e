"""A claim handed to z3, where that is installed: proved, or a point that speaks against it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any

from costlang.formula import graph as g
from costlang.prove.atoms import Domain
from costlang.prove.claims import Claim
from costlang.prove.points import Point
from costlang.prove.putting import Truth

MILLISECONDS = 2_000
MOST_NODES = 400
"""A claim of more nodes is not handed over: it would only take its time."""
NOT_THERE = "z3 was not tried: `pip install costlang[prove]`"


@dataclass(frozen=True)
class Said:
    """What z3 says: whether the claim is *proved*, or a *point* that may speak against it."""

    proved: bool = False
    point: Point | None = None


@cache
def is_there() -> bool:
    """Whether z3 is installed."""
    try:
        import z3  # noqa: F401
    except ImportError:
        return False
    return True


def asked(claim: Claim, milliseconds: int = MILLISECONDS) -> Said:
    """
    Return what z3 says of *claim* within its two seconds, or so many *milliseconds*.

    What it has no words for is a number of which it knows nothing, and so is what is divided by 0,
    so that a proof holds all the same; a point is looked at exactly before anyone believes it.
    """
    nodes = [x for x in (claim.goal, *claim.given) if isinstance(x, g.Node)]
    if not isinstance(claim.goal, g.Node) or sum(1 for n in nodes for _ in g.walk(n)) > MOST_NODES:
        return Said()
    import z3

    writing = _Writing(z3, claim)
    solver = z3.SolverFor("QF_NIRA") if writing.has_wholes else z3.Solver()
    solver.set("timeout", max(milliseconds, 100))
    try:
        for each in claim.given:
            solver.add(writing.truth(each))
        solver.add(z3.Not(writing.truth(claim.goal)))
        solver.add(*writing.known)
        found = solver.check()
    except z3.Z3Exception:
        return Said()
    if found == z3.unsat:
        return Said(proved=True)
    return Said(point=_point(claim, writing, solver.model())) if found == z3.sat else Said()


def _point(claim: Claim, writing: _Writing, model: Any) -> Point | None:
    """Return the numbers of a model, None where one of them is no rational."""
    point: Point = {}
    for symbol in claim.domains:
        value = model.eval(writing.symbols[symbol], model_completion=True)
        if not hasattr(value, "as_fraction"):
            if not hasattr(value, "as_long"):
                return None
            point[symbol] = Fraction(value.as_long())
        else:
            point[symbol] = Fraction(value.as_fraction())
    return point


@dataclass(eq=False)
class _Writing:
    """Formulas in the words of z3."""

    z3: Any
    claim: Claim
    known: list[Any] = field(default_factory=list)
    symbols: dict[g.Sym, Any] = field(default_factory=dict)
    _memo: dict[g.Node, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for at, (symbol, domain) in enumerate(self.claim.domains.items()):
            self.symbols[symbol] = self._variable(f"x{at}", domain)

    @property
    def has_wholes(self) -> bool:
        """Whether something of the claim is a whole number."""
        return any(domain.whole for domain in self.claim.domains.values())

    def _variable(self, name: str, domain: Domain) -> Any:
        made = self.z3.Int(name) if domain.whole else self.z3.Real(name)
        low, high = domain.range.low, domain.range.high
        if isinstance(low, Fraction):
            self.known.append(
                made > self.number(low) if domain.range.open_low else made >= self.number(low)
            )
        if isinstance(high, Fraction):
            self.known.append(
                made < self.number(high) if domain.range.open_high else made <= self.number(high)
            )
        if domain.members:
            self.known.append(self.z3.Or(*(made == self.number(m) for m in domain.members)))
        return made

    def number(self, value: Fraction) -> Any:
        """Return a rational."""
        return self.z3.Q(value.numerator, value.denominator)

    def truth(self, node: Truth) -> Any:
        """Return a truth."""
        return self.z3.BoolVal(node) if isinstance(node, bool) else self.of(node)

    def of(self, node: g.Node) -> Any:
        """Return *node* in the words of z3."""
        if node not in self._memo:
            self._memo[node] = self._of(node)
        return self._memo[node]

    def _of(self, node: g.Node) -> Any:
        z3 = self.z3
        match node:
            case g.Num(value=value):
                return self.number(value)
            case g.Sym(info=info) if info.value is not None:
                return self.number(info.value)
            case g.Sym() if node in self.symbols:
                return (
                    self.symbols[node]
                    if not self.claim.domains[node].whole
                    else z3.ToReal(self.symbols[node])
                )
            case g.Def(body=body) | g.Part(body=body):
                return self.of(body)
            case g.Add(terms=terms):
                return z3.Sum(*(self.of(term) for term in terms))
            case g.Mul(factors=factors):
                return z3.Product(*(self.of(factor) for factor in factors))
            case g.Neg(operand=operand):
                return -self.of(operand)
            case g.Div(above=above, below=below):
                return self.of(above) / self.of(below)
            case g.Max(sides=sides) | g.Min(sides=sides):
                return self._choice(node, [self.of(side) for side in sides])
            case g.Cond(condition=condition, yes=yes, no=no):
                return z3.If(self.of(condition), self.of(yes), self.of(no))
            case g.Fn(function=function, argument=argument):
                return self._function(node, function, argument)
            case g.Pow(base=base, exponent=g.Num(value=value)) if value in (2, 3):
                return z3.Product(*([self.of(base)] * int(value)))
            case g.Cmp():
                return _COMPARED[node.operator](self.of(node.left), self.of(node.right))
            case g.All(parts=parts):
                return z3.And(*(self.of(part) for part in parts))
            case g.Any(parts=parts):
                return z3.Or(*(self.of(part) for part in parts))
            case g.Not(part=part):
                return z3.Not(self.of(part))
            case _:
                return self._open(node)

    def _choice(self, node: g.Node, sides: list[Any]) -> Any:
        found = sides[0]
        for side in sides[1:]:
            greater = side > found if isinstance(node, g.Max) else side < found
            found = self.z3.If(greater, side, found)
        return found

    def _function(self, node: g.Node, function: str, argument: g.Node) -> Any:
        inner = self.of(argument)
        match function:
            case "abs":
                return self.z3.If(inner >= 0, inner, -inner)
            case "floor":
                return self.z3.ToReal(self.z3.ToInt(inner))
            case "ceil":
                return -self.z3.ToReal(self.z3.ToInt(-inner))
            case "sqrt":
                root = self._open(node)
                worth = self.z3.And(root >= 0, root * root == inner)
                self.known.append(self.z3.Implies(inner >= 0, worth))
                return root
            case _:
                return self._open(node)

    def _open(self, node: g.Node) -> Any:
        """Return a number of which nothing is known."""
        return self.z3.Real(f"open{len(self._memo)}_{id(node)}")


_COMPARED: dict[str, Callable[[Any, Any], Any]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
