"""Where a law is looked at: the declaration that states it, and those that inherit it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from costlang.answer.worlds import open_world
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.check import Model
from costlang.model.evaluate import Evaluator
from costlang.model.faults import Fault
from costlang.model.instances import Entry, Env, Instance, Layer
from costlang.model.types import PhaseType, RecordType

ROOT = "it"
Settings = dict[c.Path, c.Core]


@dataclass(frozen=True, eq=False)
class Place:
    """
    A declaration with the records that it is given; or what a scenario uses under a name.

    *laws* are those to look at here; *again* says that they were stated further up.
    """

    decl: d.Owner
    given: tuple[tuple[str, d.RecordDecl], ...]
    laws: tuple[d.LawDecl, ...]
    scenario: d.ScenarioDecl | None = None
    use: d.UseSlot | None = None

    @property
    def words(self) -> str:
        """How the place is called: `decode(dense, accelerator)`, `plan.one`."""
        if self.scenario is not None and self.use is not None:
            return f"{self.scenario.name}.{self.use.name}"
        if self.scenario is not None:
            return self.scenario.name
        if isinstance(self.decl, d.PhaseDecl):
            return f"{self.decl.name}({', '.join(decl.name for _, decl in self.given)})"
        return self.decl.name

    @property
    def root(self) -> int:
        """How many names lead from the question to this place."""
        return 0 if self.scenario is not None and self.use is None else 1

    def opened(self, evaluator: Evaluator, settings: Settings) -> Instance | None:
        """Return the instance that an evaluator reads here, under *settings*."""
        if self.scenario is not None:
            return self._used(evaluator, self.scenario, settings)
        assert isinstance(self.decl, (d.PhaseDecl, d.RecordDecl))
        span = self.decl.span
        env = Env()
        given: dict[c.Path, Entry] = {
            (name,): Entry(c.RecordRef(span, RecordType(decl), decl), None, env, None, span)
            for name, decl in self.given
        }
        put = {path: Entry(core, None, env, None, core.span) for path, core in settings.items()}
        layers = (Layer("at", put), Layer("argument", given))
        return Instance(self.decl, (ROOT,), tuple(layer for layer in layers if layer.entries))

    def _used(
        self, evaluator: Evaluator, scenario: d.ScenarioDecl, settings: Settings
    ) -> Instance | None:
        inside = (self.use.name,) if self.use is not None else ()
        above = tuple(
            d.Setting((*inside, *path), core.span, core, None, core.type, None)
            for path, core in settings.items()
        )
        world = open_world(scenario, above, evaluator=evaluator)
        if self.use is None or self.use.type is None:
            return world.root
        try:
            found = evaluator.read(world.root, self.use.name, c.Self(self.use.span, self.use.type))
        except Fault:
            return None
        return found if isinstance(found, Instance) else None


def places_of(model: Model) -> Iterator[Place]:
    """Yield the places of the main file at which laws are looked at, in source order."""
    for decl in model.main.own.values():
        if isinstance(decl, (d.PhaseDecl, d.RecordDecl)):
            laws = laws_of(decl)
            if laws:
                yield Place(decl, _given(model, decl), laws)
        elif isinstance(decl, d.ScenarioDecl):
            yield from _in_scenario(decl)


def _in_scenario(scenario: d.ScenarioDecl) -> Iterator[Place]:
    for use in scenario.uses():
        if isinstance(use.type, PhaseType):
            laws = laws_of(use.type.phase)
            if laws:
                yield Place(use.type.phase, (), laws, scenario, use)
    if scenario.laws:
        yield Place(scenario, (), tuple(scenario.laws), scenario)


def laws_of(decl: d.Owner) -> tuple[d.LawDecl, ...]:
    """Return the laws of *decl*, inherited ones first."""
    return tuple(law for owner in reversed(list(decl.lineage())) for law in owner.laws)


def _given(model: Model, decl: d.Owner) -> tuple[tuple[str, d.RecordDecl], ...]:
    if not isinstance(decl, d.PhaseDecl):
        return ()
    found: dict[str, d.RecordDecl] = {}
    for owner in decl.lineage():
        if isinstance(owner, d.PhaseDecl):
            for formal in owner.formals:
                if isinstance(formal.type, RecordType) and not formal.given:
                    found.setdefault(formal.name, standing_for(model, formal.type.record))
    return tuple(found.items())


def standing_for(model: Model, record: d.RecordDecl) -> d.RecordDecl:
    """
    Return what stands for all records of a kind: itself, or the first that amends it and has terms.

    An interface that only says what its heirs are made of has no terms, and costs nothing.
    """
    if record.kind != "interface" or any(owner.terms for owner in record.lineage()):
        return record
    near = [record.file, *(scope for scope in model.files.values() if scope is not record.file)]
    for scope in near:
        for decl in scope.own.values():
            if isinstance(decl, d.RecordDecl) and decl.is_a(record) and _stands(decl):
                return decl
    return record


def _stands(decl: d.RecordDecl) -> bool:
    return decl.kind == "interface" and any(owner.terms for owner in decl.lineage())
