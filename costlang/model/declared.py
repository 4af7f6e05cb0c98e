"""What a program declares, with names resolved: files, records, phases, operators, scenarios."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from costlang.model.core import Core, Path
from costlang.model.types import BROKEN, Type
from costlang.syntax import tree
from costlang.text import Span
from costlang.units import UnitTable


@dataclass(eq=False, repr=False)
class Decl:
    """Something that a file declares; filled while the program is checked, fixed afterwards."""

    name: str
    span: Span
    file: FileScope
    docs: tuple[str, ...] = ()


@dataclass(eq=False, repr=False)
class FileScope:
    """The names of one file: its own, and those that it imports."""

    key: str
    tree: tree.Tree
    own: dict[str, Decl] = field(default_factory=dict)
    imported: dict[str, Decl] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    units: UnitTable = field(default_factory=UnitTable)

    def find(self, name: str) -> Decl | None:
        """Return what *name* means at the top of this file."""
        return self.own.get(name) or self.imported.get(name)


@dataclass(eq=False, repr=False)
class EnumDecl(Decl):
    """A closed set of names."""

    members: tuple[str, ...] = ()


@dataclass(eq=False, repr=False)
class UnitDecl(Decl):
    """A unit of the author's."""


@dataclass(eq=False, repr=False)
class ResourceDecl(Decl):
    """Something that an operator uses, or a mark by which totals tell operators apart."""

    type: Type = BROKEN
    default: Core | None = None


@dataclass(eq=False, repr=False)
class Formal:
    """An argument of a function, an operator or a phase."""

    name: str
    span: Span
    type: Type
    given: bool
    optional: bool
    default: Core | None = None


@dataclass(eq=False, repr=False)
class Slot:
    """A member of a record, a phase, an operator or a scenario."""

    name: str
    span: Span
    owner: Owner
    alias: str | None = None
    docs: tuple[str, ...] = ()


@dataclass(eq=False, repr=False)
class Param(Slot):
    """A free name; *domain* bounds it, *default* is taken when nothing else sets it."""

    type: Type = BROKEN
    node: tree.Param | None = None
    low: Core | None = None
    high: Core | None = None
    choices: tuple[Core, ...] = ()
    default: Core | None = None
    default_high: Core | None = None
    source: str | None = None


@dataclass(eq=False, repr=False)
class Let(Slot):
    """
    A definition; *formals* is None for a plain one.

    *replaced* is the inherited definition that an `override` puts aside.
    """

    node: tree.Let | None = None
    formals: tuple[Formal, ...] | None = None
    type: Type | None = None
    value: Core | None = None
    replaced: Let | None = None
    source: str | None = None


@dataclass(eq=False, repr=False)
class FunctionDecl(Decl):
    """A definition at the top of a file, with or without arguments."""

    let: Let | None = None
    node: tree.Let | None = None


@dataclass(eq=False, repr=False)
class Table(Slot):
    """A map over an enum; *rows* are those of the declaration itself."""

    node: tree.Table | None = None
    key: EnumDecl | None = None
    type: Type = BROKEN
    rows: dict[str, Setting] = field(default_factory=dict)


@dataclass(eq=False, repr=False)
class FormalSlot(Slot):
    """A formal of a phase, which is a member of it as well."""

    formal: Formal | None = None


@dataclass(eq=False, repr=False)
class UseSlot(Slot):
    """`use name = …` in a scenario; *base* is the use that it amends."""

    node: tree.Use | None = None
    type: Type | None = None
    value: Core | None = None
    base: str | None = None


@dataclass(eq=False, repr=False)
class QuerySlot(Slot):
    """`query name : …` in a scenario."""

    node: tree.Query | None = None
    type: Type | None = None
    question: Question | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Setting:
    """A value given to an inherited name; *high* when it is a range."""

    path: Path
    span: Span
    value: Core
    high: Core | None
    type: Type
    source: str | None


@dataclass(eq=False, repr=False)
class Term:
    """One labelled contribution."""

    label: str
    span: Span
    call: Core | None
    type: Type


@dataclass(eq=False, repr=False)
class Repeat:
    """*count* copies of *body*; *segment* joins the path when the count is a bare name."""

    span: Span
    count: Core
    index: str | None
    segment: str | None
    body: list[Term | Repeat]


@dataclass(frozen=True, eq=False, repr=False)
class Fact:
    """A `check`: what must hold, under which bindings."""

    name: str
    span: Span
    owner: Owner
    fact: Core
    at: tuple[Setting, ...]
    source: str | None


@dataclass(frozen=True, eq=False, repr=False)
class Requirement:
    """A `require`: what must hold for the numbers to be possible."""

    name: str
    span: Span
    owner: Owner
    condition: Core


@dataclass(frozen=True, eq=False, repr=False)
class LawDecl:
    """A `law`, checked for its dimensions."""

    name: str
    span: Span
    owner: Owner
    kind: str
    subject: Core
    variables: tuple[Core, ...]
    degree: Core | None
    where: Core | None


@dataclass(frozen=True, eq=False, repr=False)
class Axis:
    """What a sweep or a search runs over: a path, and its values or its bounds."""

    path: Path
    span: Span
    type: Type
    values: tuple[Core, ...]
    low: Core | None
    high: Core | None


@dataclass(frozen=True, eq=False, repr=False)
class Question:
    """A question with its names resolved; *show* are the units it asks for."""

    kind: str
    node: tree.Question
    subjects: tuple[Core, ...]
    unknowns: tuple[Path, ...]
    unknown_types: tuple[Type, ...]
    axes: tuple[Axis, ...]
    condition: Core | None
    point: Core | None
    at: tuple[Setting, ...]
    show: tuple[tree.UnitText, ...]


@dataclass(eq=False, repr=False)
class Owner(Decl):
    """A declaration with members: those of its parents come first, its own after them."""

    parent: Owner | None = None
    slots: dict[str, Slot] = field(default_factory=dict)
    settings: dict[Path, Setting] = field(default_factory=dict)
    terms: list[Term | Repeat] = field(default_factory=list)
    overrides: dict[str, Term] = field(default_factory=dict)
    checks: list[Fact] = field(default_factory=list)
    requires: list[Requirement] = field(default_factory=list)
    laws: list[LawDecl] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    """Names that faulty statements wanted to declare; `*` any name, `()` its arguments."""
    node: tree.Member | None = None

    def lineage(self) -> Iterator[Owner]:
        """Yield this declaration, then its parents, nearest first."""
        at: Owner | None = self
        while at is not None:
            yield at
            at = at.parent

    def find(self, name: str) -> Slot | None:
        """Return the member *name*, the most derived one where it was overridden."""
        for owner in self.lineage():
            if name in owner.slots:
                return owner.slots[name]
        return None

    def names(self) -> Iterator[str]:
        """Yield the names of all members, nearest first, each once."""
        seen: set[str] = set()
        for owner in self.lineage():
            for name in owner.slots:
                if name not in seen:
                    seen.add(name)
                    yield name

    def is_a(self, other: Owner) -> bool:
        """Whether this is *other* or amends it."""
        return any(owner is other for owner in self.lineage())

    def broken_name(self, name: str) -> bool:
        """Whether a faulty declaration here or above wanted to declare *name*."""
        return any(name in owner.broken for owner in self.lineage())


@dataclass(eq=False, repr=False)
class RecordDecl(Owner):
    """`interface`, `hardware`, `model` or `record`."""

    kind: str = "record"


@dataclass(eq=False, repr=False)
class PhaseDecl(Owner):
    """A parametric cost model."""

    formals: tuple[Formal, ...] = ()


@dataclass(eq=False, repr=False)
class OpDecl(Owner):
    """An operator; composite when it has terms."""

    formals: tuple[Formal, ...] = ()

    @property
    def composite(self) -> bool:
        """Whether its resources are sums over its terms."""
        return bool(self.terms)


@dataclass(eq=False, repr=False)
class ScenarioDecl(Owner):
    """Bindings and questions."""

    show: tuple[tree.UnitText, ...] = ()
    _counted: tuple[int, tuple[UseSlot, ...]] = (0, ())
    """Of how many slots the uses were picked out, and these."""

    def uses(self) -> list[UseSlot]:
        """Return what it uses, in order."""
        if self._counted[0] != len(self.slots):
            found = tuple(slot for slot in self.slots.values() if isinstance(slot, UseSlot))
            self._counted = len(self.slots), found
        return list(self._counted[1])

    def queries(self) -> list[QuerySlot]:
        """Return its questions, in order."""
        return [slot for slot in self.slots.values() if isinstance(slot, QuerySlot)]
