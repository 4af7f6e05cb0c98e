"""Reading a member: the nearest setting counts, and what was taken is written down."""

from __future__ import annotations

from fractions import Fraction

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model import exact
from costlang.model.algebra import ExactAlgebra, Value
from costlang.model.domains import outside
from costlang.model.faults import fault, ours
from costlang.model.instances import Entry, Env, Instance, Layer, Member, Operator, TableValue
from costlang.model.trace import Read, Trace, Violation
from costlang.model.types import NumberType, RecordType, Type
from costlang.units import Dimension

DERIVED = ("phase", "record")


class Lookup:
    """The part of the evaluator that finds values of names."""

    algebra: ExactAlgebra
    trace: Trace

    def value(self, core: c.Core, env: Env) -> Value:
        """Return what *core* is in *env*."""
        raise NotImplementedError

    def record(self, decl: d.RecordDecl) -> Instance:
        """Return *decl* as it was declared."""
        raise NotImplementedError

    def ask(self, world: Instance, slot: d.QuerySlot, field: str | None = None) -> Value:
        """Return the value of a question."""
        raise NotImplementedError

    def read(self, holder: Instance | Operator, name: str, core: c.Core) -> Value:
        """Return the member *name* of *holder*, worked out once for each holder."""
        if name not in holder.cache:
            if isinstance(holder, Operator):
                holder.cache[name] = self._read_operator(holder, name, core)
            else:
                holder.cache[name] = self._read_instance(holder, name, core)
        return holder.cache[name]

    # ---- instances

    def _read_instance(self, holder: Instance, name: str, core: c.Core) -> Value:
        slot = holder.decl.find(name)
        self.trace.instances.setdefault(id(holder), holder)
        match slot:
            case d.Let():
                return self._let(holder, slot)
            case d.Param():
                return self._param(holder, slot, slot.type)
            case d.FormalSlot(formal=formal) if formal is not None:
                return self._formal(holder, slot, formal)
            case d.Table():
                return TableValue(holder, slot)
            case d.UseSlot():
                return self._use(holder, slot)
            case d.QuerySlot():
                return self.ask(holder, slot)
            case _:
                raise fault(
                    "unknown-member", f"`{holder.decl.name}` has no member `{name}`", core.span
                )

    def _let(self, holder: Instance, slot: d.Let) -> Value:
        found = holder.find((slot.name,))
        if found is not None:
            value = self.entry_value(found[2], None, (*holder.path, slot.name))
            kind = slot.type.dimension if isinstance(slot.type, NumberType) else None
            self._note(self.trace.given, holder, slot.name, None, value, found[1], found[2], kind)
            return self.put(holder, slot, value, found[2])
        if slot.value is None or slot.formals is not None:
            raise ours(f"`{slot.name}` stands in a file with mistakes", slot.span)
        value = self.value(slot.value, Env(holder, definition=self.definition_name(holder, slot)))
        if c.is_written_out(slot.value):
            kind = slot.type.dimension if isinstance(slot.type, NumberType) else None
            path = holder.origin(slot.name)
            read = Read(path, None, value, "constant", None, slot.span, kind)
            self.trace.constants.setdefault(path, read)
        return self.named(holder, slot, value)

    def put(self, holder: Instance, slot: d.Let, value: Value, entry: Entry) -> Value:
        """Return the value that was given for a definition; a floor above makes it a symbol."""
        return value

    def named(self, holder: Instance, slot: d.Let, value: Value) -> Value:
        """Return the value of a definition; a floor above keeps its name."""
        return value

    def definition_name(self, holder: Instance, slot: d.Slot) -> str:
        """Return how an answer calls a definition: `latency`, or `prefill.latency` inside."""
        return ".".join((*holder.path[1:], slot.name))

    def _param(self, holder: Instance, slot: d.Param, kind: Type) -> Value:
        if isinstance(kind, RecordType):
            return self._record_member(holder, slot, slot.default)
        found = holder.find((slot.name,))
        if found is not None:
            _, layer, entry = found
            value = self.entry_value(entry, slot, (*holder.path, slot.name))
            self._note(self.trace.reads, holder, slot.name, slot, value, layer, entry)
            self._note_overridden(holder, slot, found)
        elif slot.default is not None:
            return self._default(holder, slot)
        else:
            return self.unset(holder, slot)
        self._check_domain(holder, slot, value)
        return self.symbol(holder, slot, value, entry)

    def _default(self, holder: Instance, slot: d.Param) -> Value:
        assert slot.default is not None
        entry = Entry(slot.default, slot.default_high, Env(holder), slot.source, slot.span)
        value = self.entry_value(entry, slot, (*holder.path, slot.name))
        read = Read(holder.origin(slot.name), slot, value, "default", slot.source, slot.span)
        self.trace.reads.setdefault(read.path, read)
        self._check_domain(holder, slot, value)
        return self.assumed(holder, slot, value)

    def symbol(self, holder: Instance, slot: d.Param, value: Value, entry: Entry) -> Value:
        """Return the value of a parameter that is set; a floor above makes it a symbol."""
        return value

    def assumed(self, holder: Instance, slot: d.Param, value: Value) -> Value:
        """Return the value of a parameter that has only its default."""
        return value

    def unset(self, holder: Instance, slot: d.Param) -> Value:
        """Return what stands for a parameter without a value."""
        name = ".".join(holder.origin(slot.name))
        self.trace.unset[name] = slot
        return exact.Unknown(frozenset({name}))

    def entry_value(self, entry: Entry, slot: d.Param | None, path: tuple[str, ...] = ()) -> Value:
        """Return the value of a setting; a range becomes an interval."""
        self.trace.touched.add(entry.span)
        value = self.value(entry.value, entry.env)
        if entry.high is None:
            return value
        high = self.value(entry.high, entry.env)
        return self.spread(value, high, ".".join(path))

    def spread(self, low: Value, high: Value, name: str) -> Value:
        """Return the open range from *low* to *high*, one of its ends when that is asked."""
        missing = exact.unknown(low, high)
        if missing is not None:
            return missing
        chosen = self.trace.ranges.get(name)
        if chosen is not None:
            return low if chosen == "low" else high
        one = (Fraction(1), Fraction(1))
        return exact.Interval(exact.ends(low)[0], exact.ends(high)[1], {name: one})

    def _note(
        self,
        where: dict[tuple[str, ...], Read],
        holder: Instance,
        name: str,
        slot: d.Param | None,
        value: Value,
        layer: Layer,
        entry: Entry,
        kind: Dimension | None = None,
    ) -> None:
        path = holder.origin(name)
        where.setdefault(path, Read(path, slot, value, layer.kind, entry.source, entry.span, kind))

    def _note_overridden(
        self, holder: Instance, slot: d.Param, found: tuple[int, Layer, Entry]
    ) -> None:
        distance, layer, _ = found
        if layer.kind in DERIVED:
            return
        for lower in holder.layers[distance + 1 :]:
            earlier = lower.entries.get((slot.name,))
            if lower.kind == "phase" and earlier is not None:
                value = self.entry_value(earlier, slot)
                self._note(self.trace.overridden, holder, slot.name, slot, value, lower, earlier)
                return

    # ---- domains

    def _check_domain(self, holder: Instance, slot: d.Param, value: Value) -> None:
        if not isinstance(value, Fraction) or not isinstance(slot.type, NumberType):
            return
        words = outside(slot, value) or self._computed_bound(holder, slot, value)
        if words is not None:
            self.trace.violations.setdefault(slot.name, Violation(slot.name, words, slot.span))

    def _computed_bound(self, holder: Instance, slot: d.Param, value: Fraction) -> str | None:
        for core, operator, words in ((slot.low, "<", "at least"), (slot.high, ">", "at most")):
            if core is None or isinstance(core, (c.Literal, c.Infinite)):
                continue
            bound = self.value(core, Env(holder))
            if exact.compare(operator, value, bound) is True:
                return f"{words} {core.span.text}"
        return None

    # ---- records inside

    def _formal(self, holder: Instance, slot: d.FormalSlot, formal: d.Formal) -> Value:
        if isinstance(formal.type, RecordType):
            return self._record_member(holder, slot, formal.default)
        found = holder.find((slot.name,))
        if found is not None:
            return self.entry_value(found[2], None, (*holder.path, slot.name))
        if formal.default is not None:
            return self.value(formal.default, Env(holder))
        return exact.Unknown(frozenset({".".join((*holder.path, slot.name))}))

    def _record_member(
        self, holder: Instance, slot: d.FormalSlot | d.Param, default: c.Core | None
    ) -> Value:
        found = holder.find((slot.name,))
        if found is not None:
            distance, layer, entry = found
            self.trace.touched.add(entry.span)
            base = self.value(entry.value, entry.env)
            if isinstance(slot, d.Param) and isinstance(base, Instance):
                self._note(self.trace.reads, holder, slot.name, slot, base, layer, entry)
        else:
            distance = len(holder.layers)
            base = self._unfound(holder, slot, default)
        if not isinstance(base, Instance):
            return base
        return self._inside(holder, slot.name, base, distance)

    def _unfound(
        self, holder: Instance, slot: d.FormalSlot | d.Param, default: c.Core | None
    ) -> Value:
        if isinstance(slot, d.FormalSlot) and slot.formal is not None and slot.formal.given:
            around = self._around(holder, slot.name)
            if around is not None:
                return around
        if default is not None:
            base = self.value(default, Env(holder))
            if isinstance(slot, d.Param) and isinstance(base, Instance):
                path = holder.origin(slot.name)
                read = Read(path, slot, base, "default", slot.source, slot.span)
                self.trace.reads.setdefault(path, read)
            return base
        kind = slot.formal.type if isinstance(slot, d.FormalSlot) and slot.formal else slot.type  # type: ignore[union-attr]
        assert isinstance(kind, RecordType)
        return Instance(kind.record, (*holder.path, slot.name))

    def _around(self, holder: Instance, name: str) -> Instance | None:
        at = holder.outer
        while isinstance(at, Instance):
            if isinstance(at.decl, d.PhaseDecl) and at.decl.find(name) is not None:
                found = self.read(at, name, c.Self(at.decl.span, RecordType(at.decl)))  # type: ignore[arg-type]
                return found if isinstance(found, Instance) else None
            at = at.outer
        return None

    def _inside(self, holder: Instance, name: str, base: Instance, distance: int) -> Instance:
        """Return *base* with what the layers of *holder* set below *name*."""
        replaced = self._replaced_states(holder, name, distance)
        layers = []
        for at, layer in enumerate(holder.layers):
            inner = layer.below(name)
            if at > distance and replaced is not None and inner.kind in ("scenario", "argument"):
                inner = inner.without({p for p in inner.entries if replaced.states(p)})
            elif at > distance and inner.kind == "record":
                continue
            if inner.entries:
                layers.append(inner)
        path = (*holder.path, name)
        if not layers and base.path and base.path[0] != base.decl.name:
            return base
        return Instance(base.decl, path, tuple(layers), base, base.outer)

    def _replaced_states(self, holder: Instance, name: str, distance: int) -> Instance | None:
        for layer in holder.layers[distance + 1 :]:
            entry = layer.entries.get((name,))
            if entry is not None:
                found = self.value(entry.value, entry.env)
                return found if isinstance(found, Instance) else None
        return None

    def _use(self, world: Instance, slot: d.UseSlot) -> Value:
        if slot.value is None:
            raise ours(f"`{slot.name}` stands in a file with mistakes", slot.span)
        base = self.value(slot.value, Env(world))
        if not isinstance(base, Instance):
            return base
        layers = tuple(inner for layer in world.layers if (inner := layer.below(slot.name)).entries)
        return Instance(base.decl, (slot.name,), layers, base, base.outer)

    # ---- tables

    def row(self, holder: Instance, core: c.Row, key: Value) -> Value:
        """Return the row *key* of a table of *holder*."""
        if isinstance(key, exact.Unknown):
            return key
        if isinstance(key, exact.Undecided):
            raise fault("outside-domain", "which row this reads is not decided here", core.span)
        assert isinstance(key, Member)
        label = f"{core.table.name}[{key.name}]"
        if label not in holder.cache:
            holder.cache[label] = self._row(holder, core, key)
        return holder.cache[label]

    def _row(self, holder: Instance, core: c.Row, key: Member) -> Value:
        table = holder.decl.find(core.table.name)
        assert isinstance(table, d.Table)
        path = (table.name, f"[{key.name}]")
        found = holder.find(path)
        if found is None and key.name in table.rows:
            setting = table.rows[key.name]
            layer = Layer("record", {})
            entry = Entry(setting.value, setting.high, Env(holder), setting.source, setting.span)
            found = (0, layer, entry)
        label = "".join(path)
        if found is None:
            return self.missing_row(holder, core, label)
        _, layer, entry = found
        value = self.entry_value(entry, None, (*holder.path, label))
        kind = table.type
        read = Read(
            self._row_origin(holder, path),
            None,
            value,
            layer.kind,
            entry.source,
            entry.span,
            kind.dimension if isinstance(kind, NumberType) else None,
        )
        self.trace.reads.setdefault(read.path, read)
        return self.row_symbol(holder, table, key, value, entry)

    def _row_origin(self, holder: Instance, path: c.Path) -> tuple[str, ...]:
        at = holder
        while at.base is not None and not any(path in la.entries for la in at.settings):
            at = at.base
        return (*at.path, "".join(path))

    def row_symbol(
        self, holder: Instance, table: d.Table, key: Member, value: Value, entry: Entry
    ) -> Value:
        """Return the value of a row that is set; a floor above makes it a symbol."""
        return value

    def missing_row(self, holder: Instance, core: c.Row, label: str) -> Value:
        """Return what stands for a row without a value, or say that there is none."""
        if holder.decl.parent is None and getattr(holder.decl, "kind", "") == "interface":
            return exact.Unknown(frozenset({".".join((*holder.path, label))}))
        rows = sorted(
            {p[1][1:-1] for la in holder.layers for p in la.entries if p[0] == core.table.name}
            | set(core.table.rows)
        )
        words = f"it has: {', '.join(rows)}" if rows else "it has no rows at all"
        raise fault(
            "missing-row",
            f"`{holder.decl.name}` has no row `{label}`",
            core.span,
            "read here",
            help=words,
        )

    # ---- operators

    def _read_operator(self, holder: Operator, name: str, core: c.Core) -> Value:
        slot = holder.decl.find(name)
        inside = Env(holder, operator=holder, definition=None)
        match slot:
            case d.FormalSlot(formal=formal) if formal is not None:
                return self._argument(holder, formal, core, inside)
            case d.Let(value=value) if value is not None:
                return self.named_in_operator(holder, slot, self.value(value, inside))
            case _:
                raise ours(f"`{name}` stands in a file with mistakes", core.span)

    def named_in_operator(self, holder: Operator, slot: d.Let, value: Value) -> Value:
        """Return the value of a definition of an operator."""
        return value

    def _argument(self, holder: Operator, formal: d.Formal, core: c.Core, inside: Env) -> Value:
        passed = holder.arguments.get(formal.name)
        if passed is not None:
            return self.value(passed, holder.site)
        if formal.given:
            found = self._given(holder.site, formal.name, core)
            if found is not None:
                return found[0]
        if formal.default is not None:
            return self.value(formal.default, inside)
        raise fault(
            "missing-given",
            f"the operator `{holder.decl.name}` is given `{formal.name}`, "
            "and nothing around has it",
            holder.call.span,
        )

    def _given(self, site: Env, name: str, core: c.Core) -> tuple[Value] | None:
        while True:
            if name in site.locals:
                return (site.locals[name],)
            holder = site.holder
            if isinstance(holder, Operator):
                passed = dict(holder.call.givens).get(name)
                if passed is not None:
                    return (self.value(passed, holder.site),)
                if holder.decl.find(name) is not None:
                    return (self.read(holder, name, core),)
                site = holder.site
                continue
            if isinstance(holder, Instance) and holder.decl.find(name) is not None:
                return (self.read(holder, name, core),)
            return None
