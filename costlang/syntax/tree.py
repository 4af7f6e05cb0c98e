"""What an author wrote, each piece with its place, and nothing about what it means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from fractions import Fraction

from costlang.text.source import Source, Span

# ---- pieces


@dataclass(frozen=True)
class Node:
    """Anything with a place."""

    span: Span


@dataclass(frozen=True)
class Word(Node):
    """A name where it is declared or pointed at."""

    text: str


@dataclass(frozen=True)
class UnitText(Node):
    """A unit as it was written, without brackets: `TB/s`."""

    text: str


# ---- expressions


@dataclass(frozen=True)
class Expr(Node):
    """Something that has a value."""


@dataclass(frozen=True)
class Number(Expr):
    """A literal: exact value as written, and its unit if it has one (`80 GB`, `0.85`)."""

    value: Fraction
    unit: UnitText | None


@dataclass(frozen=True)
class Boolean(Expr):
    """`true` or `false`."""

    value: bool


@dataclass(frozen=True)
class Infinity(Expr):
    """`inf`."""


@dataclass(frozen=True)
class Hole(Expr):
    """`?`, an expression that the author asks about."""


@dataclass(frozen=True)
class Name(Expr):
    """A bare name."""

    text: str


@dataclass(frozen=True)
class Attribute(Expr):
    """`base.name`."""

    base: Expr
    name: Word


@dataclass(frozen=True)
class Index(Expr):
    """`base[key]`."""

    base: Expr
    key: Expr


@dataclass(frozen=True)
class Argument(Node):
    """`value`, or `name = value`, in a call."""

    name: Word | None
    value: Expr


@dataclass(frozen=True)
class Call(Expr):
    """`function(arguments)`."""

    function: Expr
    arguments: tuple[Argument, ...]


@dataclass(frozen=True)
class Sum(Expr):
    """`sum(over index in low..high: body)`."""

    index: Word
    low: Expr
    high: Expr
    body: Expr


@dataclass(frozen=True)
class Unary(Expr):
    """`-operand` or `not operand`."""

    operator: str
    operand: Expr


@dataclass(frozen=True)
class Binary(Expr):
    """`left operator right`, for `+ - * / ^ and or`."""

    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Compare(Expr):
    """`left operator right`, for `< <= == != >= >`, with its tolerance if one is given."""

    operator: str
    left: Expr
    right: Expr
    within: Expr | None


@dataclass(frozen=True)
class If(Expr):
    """`if condition then yes else no`."""

    condition: Expr
    yes: Expr
    no: Expr


# ---- types and domains


@dataclass(frozen=True)
class Type(Node):
    """`[B/s]` when *unit* is given, else a path: `count`, `ratio`, `bool`, an enum, a record."""

    unit: UnitText | None
    path: tuple[Word, ...]


@dataclass(frozen=True)
class RangeDomain(Node):
    """`low .. high`, open above when *high* is None."""

    low: Expr
    high: Expr | None


@dataclass(frozen=True)
class SetDomain(Node):
    """`{a, b, c}`."""

    items: tuple[Expr, ...]


Domain = RangeDomain | SetDomain


@dataclass(frozen=True)
class Provenance(Node):
    """`source "…"`."""

    text: str


@dataclass(frozen=True)
class Formal(Node):
    """`x: type = default`, perhaps `given`."""

    given: bool
    name: Word
    type: Type
    default: Expr | None


# ---- members of a declaration


@dataclass(frozen=True)
class Member(Node):
    """A statement inside braces; *docs* are its `##` lines, without the marks."""

    docs: tuple[str, ...]


@dataclass(frozen=True)
class Param(Member):
    """`param name as alias : type in domain = default source "…"`."""

    name: Word
    alias: Word | None
    type: Type
    domain: Domain | None
    default: Expr | None
    high: Expr | None
    source: Provenance | None


@dataclass(frozen=True)
class Let(Member):
    """`let name(formals) as alias = value source "…"`; *override* when it replaces one."""

    override: bool
    name: Word
    formals: tuple[Formal, ...] | None
    alias: Word | None
    value: Expr
    source: Provenance | None


@dataclass(frozen=True)
class Setting(Member):
    """`target = value`, or the range `target = value .. high`."""

    target: Expr
    value: Expr
    high: Expr | None
    source: Provenance | None


@dataclass(frozen=True)
class Row(Node):
    """`key = value source "…"` in a table."""

    key: Word
    value: Expr
    source: Provenance | None


@dataclass(frozen=True)
class Table(Member):
    """`table name as alias : key -> type { rows }`."""

    name: Word
    alias: Word | None
    key: tuple[Word, ...]
    type: Type
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Term(Member):
    """`term name = operator(…)`; *override* when it replaces one."""

    override: bool
    name: Word
    call: Expr


@dataclass(frozen=True)
class Repeat(Member):
    """`repeat count as index { body }`."""

    count: Expr
    index: Word | None
    body: tuple[Member, ...]


@dataclass(frozen=True)
class Binding(Node):
    """`target = value`, `target = low .. high`, or a bare question's name, after `at`."""

    target: Expr
    value: Expr | None
    high: Expr | None


@dataclass(frozen=True)
class Check(Member):
    """`check name : fact at …`."""

    name: Word
    fact: Expr
    at: tuple[Binding, ...]
    source: Provenance | None


@dataclass(frozen=True)
class Require(Member):
    """`require name : condition`."""

    name: Word
    condition: Expr


@dataclass(frozen=True)
class Law(Member):
    """
    `law name : subject …`.

    *kind* is `holds`, `increasing`, `decreasing`, `convex` or `homogeneous`; *variables* what it
    is in, *degree* that of `homogeneous`.
    """

    name: Word
    kind: str
    subject: Expr
    variables: tuple[Expr, ...]
    degree: Expr | None
    where: Expr | None


# ---- scenarios


@dataclass(frozen=True)
class Use(Member):
    """`use name = phase(…)`, or the name of a record or of another use."""

    name: Word
    value: Expr


@dataclass(frozen=True)
class Axis(Node):
    """`name in domain`; the domain may be missing after `over` in a `largest`."""

    name: Expr
    domain: Domain | None


@dataclass(frozen=True)
class Question(Node):
    """
    A sentence that asks: *kind* of `eval solve largest smallest sweep sensitivity breakdown
    limit`; *subjects* the expressions (or equations), *unknowns* what is sought, *axes* what is
    swept, *condition* after `with`, *point* after `->`, then `at` and `show`.
    """

    kind: str
    subjects: tuple[Expr, ...]
    unknowns: tuple[Expr, ...]
    axes: tuple[Axis, ...]
    condition: Expr | None
    point: Expr | None
    at: tuple[Binding, ...]
    show: tuple[UnitText, ...]


@dataclass(frozen=True)
class Query(Member):
    """`query name : question`."""

    name: Word
    question: Question
    source: Provenance | None


@dataclass(frozen=True)
class Show(Member):
    """`show ms, $/Mtok`, for all questions of a scenario."""

    units: tuple[UnitText, ...]


# ---- declarations of a file


@dataclass(frozen=True)
class Resource(Member):
    """`resource name : type = default`."""

    name: Word
    type: Type
    default: Expr | None


@dataclass(frozen=True)
class UnitDecl(Member):
    """`unit name = value`; a new base when *value* is None."""

    name: Word
    value: Expr | None


@dataclass(frozen=True)
class EnumDecl(Member):
    """`enum name { members }`."""

    name: Word
    members: tuple[Word, ...]


@dataclass(frozen=True)
class Record(Member):
    """`kind name is parent { members }`; *kind* of `interface hardware model record`."""

    kind: str
    name: Word
    parent: tuple[Word, ...]
    members: tuple[Member, ...]


@dataclass(frozen=True)
class Phase(Member):
    """`phase name(formals) { members }`, or `phase name is parent { members }`."""

    name: Word
    formals: tuple[Formal, ...] | None
    parent: tuple[Word, ...]
    members: tuple[Member, ...]


@dataclass(frozen=True)
class Op(Member):
    """`op name(formals) { members }`."""

    name: Word
    formals: tuple[Formal, ...]
    members: tuple[Member, ...]


@dataclass(frozen=True)
class Scenario(Member):
    """`scenario name { members }`."""

    name: Word
    members: tuple[Member, ...]


Declaration = Resource | Let | UnitDecl | EnumDecl | Table | Record | Phase | Op | Scenario


@dataclass(frozen=True)
class Import(Node):
    """`import path (names)`, or `import "./file" (names)` when *file* is given."""

    path: tuple[Word, ...]
    file: Word | None
    names: tuple[Word, ...]


@dataclass(frozen=True)
class Tree(Node):
    """One file."""

    source: Source
    edition: int | None
    imports: tuple[Import, ...]
    declarations: tuple[Declaration, ...]


def children(node: Node) -> Iterator[Node]:
    """Yield the nodes directly below *node*, in the order in which they are declared."""
    for field in fields(node):
        value = getattr(node, field.name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            yield from (item for item in value if isinstance(item, Node))
