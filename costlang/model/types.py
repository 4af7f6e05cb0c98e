"""What kind of thing an expression is: a number with a dimension, a truth, a record, a phase."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from costlang.units import NONE, Dimension

if TYPE_CHECKING:
    from costlang.model.declared import EnumDecl, OpDecl, PhaseDecl, RecordDecl, Table


@dataclass(frozen=True)
class Type:
    """The kind of a value."""

    @property
    def words(self) -> str:
        """How a message names the kind."""
        return "a value"

    @property
    def thing(self) -> str:
        """How a message names something of the kind, at the beginning of a sentence."""
        return self.words


@dataclass(frozen=True)
class NumberType(Type):
    """
    A number.

    *dimension* is None for `0` and `inf`, which fit every dimension; *kind* is `count`, `ratio`
    or `real`, and decides only domains and display.
    """

    dimension: Dimension | None
    kind: str = "real"

    @property
    def words(self) -> str:
        """How a message names the kind."""
        if self.dimension is None:
            return "a number"
        if self.dimension == NONE:
            return "a bare number" if self.kind == "real" else f"a {self.kind}"
        return str(self.dimension)

    @property
    def thing(self) -> str:
        """How a message names something of the kind, at the beginning of a sentence."""
        plain = self.dimension is None or self.dimension == NONE
        return self.words if plain else f"a number in {self.dimension}"


@dataclass(frozen=True)
class BoolType(Type):
    """A truth."""

    @property
    def words(self) -> str:
        """How a message names the kind."""
        return "a truth"


@dataclass(frozen=True)
class EnumType(Type):
    """A member of a closed set."""

    enum: EnumDecl

    @property
    def words(self) -> str:
        """How a message names the kind."""
        return f"one of `{self.enum.name}`"


@dataclass(frozen=True)
class RecordType(Type):
    """A record that offers at least what *record* declares."""

    record: RecordDecl

    @property
    def words(self) -> str:
        """How a message names the kind."""
        return f"the {self.record.kind} `{self.record.name}`"


@dataclass(frozen=True)
class PhaseType(Type):
    """A phase that was given things; *formals* keep the kind that each was given."""

    phase: PhaseDecl
    formals: tuple[tuple[str, Type], ...]

    @property
    def words(self) -> str:
        """How a message names the kind."""
        return f"the phase `{self.phase.name}`"

    def formal(self, name: str) -> Type | None:
        """Return the kind of the formal *name*, None when there is none."""
        return dict(self.formals).get(name)


@dataclass(frozen=True)
class OpType(Type):
    """A call of an operator: a thing with resources."""

    op: OpDecl

    @property
    def words(self) -> str:
        """How a message names the kind."""
        return f"the operator `{self.op.name}`"


@dataclass(frozen=True)
class TermsType(Type):
    """A group of terms in a record: a `repeat` that gives a segment of the path."""

    owner: RecordDecl | PhaseDecl | OpDecl
    path: tuple[str, ...]

    @property
    def words(self) -> str:
        """How a message names the kind."""
        return f"the terms `{'.'.join(self.path)}`"


@dataclass(frozen=True)
class TableType(Type):
    """A table, which has a value only with a key."""

    table: Table

    @property
    def words(self) -> str:
        """How a message names the kind."""
        return f"the table `{self.table.name}`"


@dataclass(frozen=True)
class Broken(Type):
    """What a mistake leaves behind; whatever follows from it is not reported again."""


BROKEN = Broken()
BOOL = BoolType()
COUNT = NumberType(NONE, "count")
RATIO = NumberType(NONE, "ratio")
PLAIN = NumberType(NONE)
ANY = NumberType(None)


def number(dimension: Dimension) -> NumberType:
    """Return the kind of a real number of *dimension*."""
    return NumberType(dimension)
