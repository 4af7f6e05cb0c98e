"""What comes back where something is sought: cases, what binds, a limit, elasticities."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from costlang.formula import graph as g
from costlang.model.core import Core
from costlang.model.exact import Bound
from costlang.units import Dimension


@dataclass(frozen=True)
class Number:
    """A number in base units: *low* is *high* where it is rational, else they enclose it."""

    low: Bound
    high: Bound

    @property
    def exact(self) -> Fraction | None:
        """The number itself, None where it is only enclosed."""
        return Fraction(self.low) if self.low == self.high else None


@dataclass(frozen=True)
class Stretch:
    """The numbers from *low* to *high*, None for endless; *low_in* where the end belongs to it."""

    low: Number | None
    high: Number | None
    low_in: bool = True
    high_in: bool = True


@dataclass(frozen=True, eq=False)
class SolvedCase:
    """
    One value of the unknown, and when it is that.

    *value* is None where names are left free, and then *formula* is the answer, or says as much as
    can be said: *formula* is None where there is no closed form. *when* are its conditions,
    *regime* says in words which sides are active, *ranges* where these stay so. *count* says how
    many there are of it: `one`, `all` that keep *within*, `several` (at least one), or `any`
    number, none included. *relation* is how the unknown stands to its formula, `==` but for an
    inequality.
    """

    value: Number | None
    formula: g.Node | None = None
    when: tuple[g.Node, ...] = ()
    regime: tuple[str, ...] = ()
    ranges: tuple[Stretch, ...] = ()
    first_integer: int | None = None
    steps: tuple[tuple[str, g.Node, g.Node], ...] = ()
    count: str = "one"
    within: tuple[g.Node, ...] = ()
    relation: str = "=="


@dataclass(frozen=True)
class Together:
    """The formulas of several unknowns in one solution, and *when* they are that."""

    formulas: tuple[tuple[str, g.Node], ...]
    when: tuple[g.Node, ...] = ()


@dataclass(frozen=True)
class Limit:
    """A condition that limits the answer: its name or words, and how far it is from failing."""

    name: str
    text: str
    slack: Fraction | None = None
    dimension: Dimension | None = None


@dataclass(frozen=True)
class Elastic:
    """How many percent the answer moves when *name* grows by one percent."""

    name: str
    before: Number
    after: Number
    value: Fraction | None
    dimension: Dimension | None
    source: str | None


@dataclass(frozen=True)
class Spot:
    """A place on an open axis, in base units; no *number* where the value is the same all along."""

    number: Number | None
    dimension: Dimension | None = None


@dataclass(frozen=True)
class Chosen:
    """
    A point of a search: what each axis is there, and the *value*.

    *ties* are how many points are as good, itself counted; *failing* are conditions that it does
    not keep; *values* are the same places as others read them.
    """

    where: tuple[tuple[str, str], ...]
    value: Number
    ties: int = 1
    failing: tuple[Limit, ...] = ()
    values: tuple[Core | Spot, ...] = ()


@dataclass(frozen=True)
class Opening:
    """
    For which values of another name there is a solution at all.

    *integers* are the whole numbers among *spans* where the name counts something.
    """

    name: str
    dimension: Dimension | None
    spans: tuple[Stretch, ...]
    integers: tuple[tuple[int | None, int | None], ...] = ()
    decided: bool = True


@dataclass(frozen=True, eq=False)
class Solved:
    """
    The answer to `solve`, `largest`, `smallest`, `limit` or `sensitivity`.

    *outcome* is `none`, `one`, `many`, `everywhere`, `intervals`, `unbounded` or `undecided`.
    *outside* are solutions that the domain leaves out. *binding* are the conditions that fail just
    beyond the answer, *next_value* is where it would be without them and *next_binding* what would
    bind then. *spans* are all solutions as stretches, for an inequality. *thresholds* say for
    which values of another name there is a solution at all. *chosen* is the best point of a
    search over finite sets, *excluded* the nearest better one that fails a condition; *points* have
    a value for each of several unknowns, *names* are the records or members that hold.
    """

    kind: str
    outcome: str
    unknown: str
    dimension: Dimension | None
    build: g.Builder
    symbol: g.Sym | None = None
    cases: tuple[SolvedCase, ...] = ()
    outside: tuple[Number, ...] = ()
    spans: tuple[Stretch, ...] = ()
    integers: tuple[tuple[int | None, int | None], ...] = ()
    binding: tuple[Limit, ...] = ()
    slack: tuple[Limit, ...] = ()
    next_value: Number | None = None
    next_binding: tuple[Limit, ...] = ()
    whole: int | None = None
    attained: bool = True
    failing: tuple[Limit, ...] = ()
    elastic: tuple[Elastic, ...] = ()
    thresholds: tuple[Opening, ...] = ()
    names: tuple[str, ...] = ()
    reason: str = ""
    infinite: int = 0
    points: tuple[tuple[tuple[str, Dimension | None, Number], ...], ...] = ()
    together: tuple[Together, ...] = ()
    chosen: Chosen | None = None
    approached: Number | None = None
    excluded: Chosen | None = None
