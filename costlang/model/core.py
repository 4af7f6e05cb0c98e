"""Checked expressions: every name means one thing, every number is in base units."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from costlang.model.types import Type
from costlang.text import Span

if TYPE_CHECKING:
    from costlang.model.declared import (
        EnumDecl,
        FunctionDecl,
        Let,
        OpDecl,
        PhaseDecl,
        RecordDecl,
        ResourceDecl,
        Slot,
        Table,
    )

Path = tuple[str, ...]
"""Names from a declaration inwards; a row of a table is `("peak", "[bf16]")`."""


@dataclass(frozen=True, eq=False, repr=False)
class Core:
    """An expression whose kind is known."""

    span: Span
    type: Type


@dataclass(frozen=True, eq=False, repr=False)
class Literal(Core):
    """An exact number, in base units."""

    value: Fraction


@dataclass(frozen=True, eq=False, repr=False)
class Infinite(Core):
    """`inf`."""


@dataclass(frozen=True, eq=False, repr=False)
class Truth(Core):
    """`true` or `false`."""

    value: bool


@dataclass(frozen=True, eq=False, repr=False)
class Choice(Core):
    """A member of an enum."""

    enum: EnumDecl
    name: str


@dataclass(frozen=True, eq=False, repr=False)
class Local(Core):
    """An index, or an argument of the function around."""

    name: str


@dataclass(frozen=True, eq=False, repr=False)
class Self(Core):
    """The declaration in which the expression stands."""


@dataclass(frozen=True, eq=False, repr=False)
class Own(Core):
    """A member of the declaration in which the expression stands."""

    name: str
    slot: Slot


@dataclass(frozen=True, eq=False, repr=False)
class Replaced(Core):
    """Inside an override: the definition that it replaces."""

    let: Let


@dataclass(frozen=True, eq=False, repr=False)
class Get(Core):
    """A member of what *base* is."""

    base: Core
    name: str
    slot: Slot


@dataclass(frozen=True, eq=False, repr=False)
class Row(Core):
    """A row of a table; *base* is what holds the table."""

    base: Core
    table: Table
    key: Core


@dataclass(frozen=True, eq=False, repr=False)
class RecordRef(Core):
    """A record as it was declared."""

    record: RecordDecl


@dataclass(frozen=True, eq=False, repr=False)
class TopRef(Core):
    """A definition at the top of a file."""

    decl: FunctionDecl


@dataclass(frozen=True, eq=False, repr=False)
class Apply(Core):
    """A function with its arguments; *base* is what it is a member of, None at the top."""

    base: Core | None
    let: Let
    arguments: tuple[tuple[str, Core], ...]


@dataclass(frozen=True, eq=False, repr=False)
class NewPhase(Core):
    """A phase with what it is given, and settings below it."""

    phase: PhaseDecl
    given: tuple[tuple[str, Core], ...]
    settings: tuple[tuple[Path, Core], ...]


@dataclass(frozen=True, eq=False, repr=False)
class NewOp(Core):
    """A call of an operator; *givens* are passed by name, also to the operators inside."""

    op: OpDecl
    arguments: tuple[tuple[str, Core], ...]
    givens: tuple[tuple[str, Core], ...]


@dataclass(frozen=True, eq=False, repr=False)
class Used(Core):
    """What an operator, or the terms below *path*, use of a resource; None while still a path."""

    base: Core
    path: Path
    resource: ResourceDecl | None


@dataclass(frozen=True, eq=False, repr=False)
class Resource(Core):
    """Inside a total or an operator: that operator's use of a resource."""

    resource: ResourceDecl


@dataclass(frozen=True, eq=False, repr=False)
class Total(Core):
    """The sum of *body* over the operators of *base*."""

    base: Core
    body: Core


@dataclass(frozen=True, eq=False, repr=False)
class Negative(Core):
    """`-operand`."""

    operand: Core


@dataclass(frozen=True, eq=False, repr=False)
class Not(Core):
    """`not operand`."""

    operand: Core


@dataclass(frozen=True, eq=False, repr=False)
class Arithmetic(Core):
    """`+ - * / ^`."""

    operator: str
    left: Core
    right: Core


@dataclass(frozen=True, eq=False, repr=False)
class Both(Core):
    """`and` or `or`."""

    operator: str
    left: Core
    right: Core


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Core):
    """`< <= == != >= >`; *within* is a tolerance, relative when it was written in `%`."""

    operator: str
    left: Core
    right: Core
    within: Core | None
    relative: bool


@dataclass(frozen=True, eq=False, repr=False)
class Conditional(Core):
    """`if … then … else …`."""

    condition: Core
    yes: Core
    no: Core


@dataclass(frozen=True, eq=False, repr=False)
class Builtin(Core):
    """`max min ceil floor abs sqrt log2 exp`."""

    function: str
    arguments: tuple[Core, ...]


@dataclass(frozen=True, eq=False, repr=False)
class SumOver(Core):
    """`sum(over index in low..high: body)`."""

    index: str
    low: Core
    high: Core
    body: Core


@dataclass(frozen=True, eq=False, repr=False)
class Asked(Core):
    """The answer to a question of the scenario; *field* when it had several unknowns."""

    query: str
    field: str | None


def is_written_out(core: Core | None) -> bool:
    """Whether *core* is a number without any name in it: `140 GB`, or `70 G * 2 B`."""
    match core:
        case Literal():
            return True
        case Negative(operand=operand):
            return is_written_out(operand)
        case Arithmetic(left=left, right=right):
            return is_written_out(left) and is_written_out(right)
        case _:
            return False
