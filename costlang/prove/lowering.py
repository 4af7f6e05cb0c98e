"""A declaration with all its parameters left free, as a law speaks of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from costlang.formula import graph as g
from costlang.formula.lower import Lowering
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.domains import literal
from costlang.model.instances import Env, Instance
from costlang.model.types import NumberType, RecordType

Value = Any
Stand = Callable[[d.RecordDecl], d.RecordDecl]
"""Returns what stands for all records of a kind."""


class Freeing(Lowering):
    """
    The lowering in which a number that is only a default, or that must be *freed*, stays a name.

    Records that stand only by default are copies of their own, so that a number of one of them can
    be varied alone.
    """

    def __init__(
        self, stand: Stand, freed: frozenset[g.Path] = frozenset(), *, loose: bool = False
    ) -> None:
        super().__init__()
        self.stand = stand
        self.loose = loose
        self.freed = freed
        self.slots: dict[g.Path, tuple[d.Param, Instance]] = {}
        self.by_default: set[g.Path] = set()
        self.stood: dict[g.Path, c.Core] = {}

    def assumed(self, holder: Instance, slot: d.Param, value: Value) -> Value:
        """Return the symbol of a parameter that has only its default, as if it had none."""
        if not isinstance(slot.type, NumberType) or not isinstance(value, g.Node):
            return value
        free = super().unset(holder, slot)
        self.slots[holder.origin(slot.name)] = (slot, holder)
        if isinstance(free, g.Sym) and isinstance(value, g.Num):
            return self.build.sym(free.path, replace(free.info, default=value.value))
        return free

    def _only_until_set(self, holder: Instance, slot: d.Param) -> bool:
        """Whether an interface gives a number to *slot*, which its heirs may set."""
        found = holder.find((slot.name,))
        by_interface = getattr(holder.decl, "kind", "") == "interface"
        return by_interface and found is not None and found[1].kind == "record"

    def unset(self, holder: Instance, slot: d.Param) -> Value:
        """Return the symbol of a parameter without a value."""
        self.slots[holder.origin(slot.name)] = (slot, holder)
        return super().unset(holder, slot)

    def symbol(self, holder: Instance, slot: d.Param, value: Value, entry: Any) -> Value:
        """Return what a parameter is that is set; one that must be free is a name all the same."""
        if holder.origin(slot.name) in self.freed or (*holder.path, slot.name) in self.freed:
            return self.unset(holder, slot)
        if self.loose and self._only_until_set(holder, slot) and isinstance(value, g.Num):
            free = self.unset(holder, slot)
            if isinstance(free, g.Sym):
                return self.build.sym(free.path, replace(free.info, default=value.value))
        return super().symbol(holder, slot, value, entry)

    def _unfound(
        self, holder: Instance, slot: d.FormalSlot | d.Param, default: c.Core | None
    ) -> Value:
        base = super()._unfound(holder, slot, default)
        if not isinstance(base, Instance) or not isinstance(slot, d.Param):
            return base
        path = holder.origin(slot.name)
        if default is None:
            return self._standing(base, slot)
        self.by_default.add(path)
        if base.path == (base.decl.name,) and not base.settings:
            return Instance(base.decl, path, outer=base.outer)
        return base

    def _standing(self, base: Instance, slot: d.Param) -> Instance:
        """Return what stands for all records of a kind that nothing sets."""
        if not isinstance(base.decl, d.RecordDecl):
            return base
        decl = self.stand(base.decl)
        if decl is not base.decl:
            self.stood[base.path] = c.RecordRef(slot.span, RecordType(decl), decl)
        return Instance(decl, base.path)

    def _inside(self, holder: Instance, name: str, base: Instance, distance: int) -> Instance:
        """Return a record that was given; one of the top of a file is a copy of its own here."""
        made = super()._inside(holder, name, base, distance)
        at_top = base.base is None and not base.settings and base.path == (base.decl.name,)
        if made is base or not at_top:
            return made
        return Instance(made.decl, made.path, made.settings, None, made.outer)

    def _use(self, world: Instance, slot: d.UseSlot) -> Value:
        """Return what a scenario uses; a phase that is made there is called as the use is."""
        made = super()._use(world, slot)
        base = made.base if isinstance(made, Instance) else None
        if base is None or base.base is not None or not isinstance(slot.value, c.NewPhase):
            return made
        settings = (*made.settings, *base.settings)
        return Instance(made.decl, made.path, settings, None, made.outer)

    def bounds(self, symbol: g.Sym) -> Iterator[g.Node | bool]:
        """Yield what the domain of *symbol* asks beyond literal bounds."""
        if symbol.path not in self.slots:
            return
        slot, holder = self.slots[symbol.path]
        for core, operator in ((slot.low, ">="), (slot.high, "<=")):
            if core is None or literal(core) is not None or isinstance(core, c.Infinite):
                continue
            bound = self.value(core, Env(holder))
            if isinstance(bound, g.Node):
                yield self.build.cmp(operator, symbol, bound)

    def members(self, symbol: g.Sym) -> tuple[Fraction, ...]:
        """Return the numbers of which *symbol* is one, none where it has a range."""
        if symbol.path not in self.slots:
            return ()
        found = [literal(choice) for choice in self.slots[symbol.path][0].choices]
        return tuple(value for value in found if value is not None)
