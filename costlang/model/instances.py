"""A record, a phase or a scenario with its settings in layers, the nearest first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from costlang.model import core as c
from costlang.model import declared as d
from costlang.text import Span


@dataclass(frozen=True, eq=False, repr=False)
class Env:
    """
    Where an expression is evaluated.

    *holder* is the instance or operator around it, *locals* its indices and arguments,
    *operator* the one that resources belong to, *definition* the name of the definition.
    """

    holder: Instance | Operator | None = None
    locals: Mapping[str, object] = field(default_factory=dict)
    operator: Operator | None = None
    definition: str | None = None

    def with_locals(self, more: Mapping[str, object]) -> Env:
        """Return the place inside, where *more* are names."""
        return Env(self.holder, {**self.locals, **more}, self.operator, self.definition)


@dataclass(frozen=True, eq=False)
class Entry:
    """One setting: an expression and where it is evaluated; *high* when it is a range."""

    value: c.Core
    high: c.Core | None
    env: Env
    source: str | None
    span: Span


@dataclass(frozen=True, eq=False)
class Layer:
    """Settings of one origin: `at`, `scenario`, `argument`, `phase` or `record`."""

    kind: str
    entries: Mapping[c.Path, Entry]

    def below(self, name: str) -> Layer:
        """Return the settings below the member *name*."""
        inner = {
            path[1:]: e for path, e in self.entries.items() if len(path) > 1 and path[0] == name
        }
        return Layer(self.kind, inner)

    def without(self, paths: set[c.Path]) -> Layer:
        """Return the settings but those of *paths*."""
        return Layer(self.kind, {p: e for p, e in self.entries.items() if p not in paths})


@dataclass(eq=False, repr=False)
class Instance:
    """
    A declaration with settings on top.

    *settings* are those of this instance alone, *base* the instance that it amends; *outer* is
    the phase in which it was made, from which it has what it is not given.
    """

    decl: d.RecordDecl | d.PhaseDecl | d.ScenarioDecl
    path: tuple[str, ...]
    settings: tuple[Layer, ...] = ()
    base: Instance | None = None
    outer: Instance | Operator | None = None
    cache: dict[str, object] = field(default_factory=dict)
    layers: tuple[Layer, ...] = ()

    def __post_init__(self) -> None:
        inherited = self.base.outer_layers() if self.base is not None else ()
        self.layers = (*self.settings, *inherited, *self._stated())

    def outer_layers(self) -> tuple[Layer, ...]:
        """Return the layers above those of the declaration itself."""
        inherited = self.base.outer_layers() if self.base is not None else ()
        return (*self.settings, *inherited)

    def _stated(self) -> tuple[Layer, ...]:
        env = Env(self)
        kind = "phase" if isinstance(self.decl, d.PhaseDecl) else "record"
        if isinstance(self.decl, d.ScenarioDecl):
            kind = "scenario"
        return tuple(
            Layer(kind, {path: entry_of(setting, env) for path, setting in owner.settings.items()})
            for owner in self.decl.lineage()
        )

    def find(self, path: c.Path) -> tuple[int, Layer, Entry] | None:
        """Return the nearest setting of *path*, and how far it is."""
        for distance, layer in enumerate(self.layers):
            entry = layer.entries.get(path)
            if entry is not None:
                return distance, layer, entry
        return None

    def states(self, path: c.Path) -> bool:
        """Whether the declaration itself gives a value to *path*."""
        return any(path in owner.settings for owner in self.decl.lineage()) or self._has_row(path)

    def _has_row(self, path: c.Path) -> bool:
        slot = self.decl.find(path[0])
        return isinstance(slot, d.Table) and len(path) == 2 and path[1][1:-1] in slot.rows

    def origin(self, name: str) -> tuple[str, ...]:
        """Return the path of the instance in which *name* got the value that it has here."""
        at = self
        while at.base is not None and not any((name,) in la.entries for la in at.settings):
            at = at.base
        return (*at.path, name)


def entry_of(setting: d.Setting, env: Env) -> Entry:
    """Return the entry that *setting* makes, evaluated in *env*."""
    return Entry(setting.value, setting.high, env, setting.source, setting.span)


@dataclass(eq=False, repr=False)
class Operator:
    """
    A call of an operator where it stands.

    *site* is where its arguments are evaluated and its givens are looked for.
    """

    decl: d.OpDecl
    call: c.NewOp
    site: Env
    cache: dict[str, object] = field(default_factory=dict)

    @property
    def arguments(self) -> Mapping[str, c.Core]:
        """The arguments by name, givens that were passed among them."""
        return {**dict(self.call.givens), **dict(self.call.arguments)}


@dataclass(frozen=True, eq=False)
class TableValue:
    """A table of an instance, still without a key."""

    holder: Instance
    table: d.Table


@dataclass(frozen=True)
class Member:
    """A member of an enum, as a value."""

    enum: d.EnumDecl
    name: str
