"""The plain reading of a model: every name looked up, every expression worked out, exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model import exact
from costlang.model.algebra import ExactAlgebra, Value
from costlang.model.faults import Fault, fault, ours
from costlang.model.instances import (
    Entry,
    Env,
    Instance,
    Layer,
    Member,
    Operator,
    TableValue,
    entry_of,
)
from costlang.model.lookup import Lookup
from costlang.model.terms import Leaf, Terms
from costlang.model.trace import Active, Trace
from costlang.model.types import EnumType, NumberType
from costlang.model.work import TooMuchWork, current
from costlang.units import Dimension, digits_of

SUM_LIMIT = 200_000
_WORLD, _HOLDER, _MEMBER, _TERM, _OPERATOR = 40, 10, 8, 14, 50
"""What an evaluator, a holder, a member, a term of a sum and an operator of a total cost."""

LONG = 100_000
"""The steps beyond which a sum is taken by its formula, where that gives it."""

TOO_MUCH = "this takes more work than is done for one file or question"


@dataclass(frozen=True)
class Summed:
    """A sum that was taken by other means: what it is, and the terms in which something changes."""

    total: Value
    telling: tuple[int, ...]


class Evaluator(Lookup, Terms):
    """
    Works out expressions over an algebra.

    With the exact algebra it is the reference interpreter; the floor above gives it another
    algebra and has formulas. *questions* answers a question of a scenario by its name, and
    *long_sums* takes a sum of much work by other means, or gives None.
    """

    def __init__(self, algebra: ExactAlgebra | None = None) -> None:
        self.algebra = algebra if algebra is not None else ExactAlgebra()
        self.trace = Trace()
        self.work = current()
        self.work.note(_WORLD)
        self.records: dict[d.RecordDecl, Instance] = {}
        self.long_sums: Callable[[c.SumOver, Env], Summed | None] = lambda core, env: None
        self.questions: Callable[[Instance, d.QuerySlot, str | None], Value] | None = None
        self.found: dict[tuple[int, str], tuple[Instance, object]] = {}
        self._rules: dict[type[c.Core], Callable[..., Value]] = {
            c.Literal: self._literal,
            c.Infinite: lambda core, env: self.algebra.infinity(),
            c.Truth: lambda core, env: core.value,
            c.Choice: lambda core, env: Member(core.enum, core.name),
            c.Local: self._local,
            c.Self: lambda core, env: env.holder,
            c.Own: self._own,
            c.Replaced: self._replaced,
            c.Get: self._get,
            c.Row: self._table_row,
            c.RecordRef: lambda core, env: self.record(core.record),
            c.TopRef: lambda core, env: self._top(core),
            c.Apply: self._apply,
            c.NewPhase: self._new_phase,
            c.NewOp: lambda core, env: Operator(core.op, core, env),
            c.Used: self._used,
            c.Resource: self._resource,
            c.Total: self._total,
            c.Negative: lambda core, env: self.algebra.negative(self.value(core.operand, env)),
            c.Not: self._not,
            c.Arithmetic: self._arithmetic,
            c.Both: self._both,
            c.Comparison: self._comparison,
            c.Conditional: self._conditional,
            c.Builtin: self._builtin,
            c.SumOver: self._sum,
            c.Asked: self._asked,
        }

    def value(self, core: c.Core, env: Env) -> Value:
        """Return what *core* is in *env*; raises `Fault` for what only the numbers show."""
        rule = self._rules.get(type(core))
        if rule is None:
            raise ours("this stands in a file with mistakes", core.span)
        try:
            self.work.spend(1)
            return rule(core, env)
        except TooMuchWork:
            raise fault("too-much-work", TOO_MUCH, core.span) from None
        except exact.OutOfDomain as error:
            raise fault("outside-domain", f"this has no value here: {error}", core.span) from None
        except exact.InfiniteValue:
            raise fault("infinite", "this would be infinite", core.span) from None
        except RecursionError:
            raise fault("nesting-too-deep", "this nests too deep", core.span) from None

    def certain(self, value: exact.Real, dimension: Dimension | None) -> Value:
        """Return a number that was found elsewhere, as one of this evaluator's values."""
        return value

    # ---- names

    def _literal(self, core: c.Literal, env: Env) -> Value:
        return self.algebra.number(core.value)

    def _local(self, core: c.Local, env: Env) -> Value:
        return env.locals[core.name]

    def _own(self, core: c.Own, env: Env) -> Value:
        assert env.holder is not None
        return self.read(env.holder, core.name, core)

    def _get(self, core: c.Get, env: Env) -> Value:
        base = self.value(core.base, env)
        if isinstance(base, exact.Unknown):
            return base
        if isinstance(base, exact.Undecided):
            raise fault("outside-domain", "which record this reads is not decided here", core.span)
        return self.read(base, core.name, core)

    def _replaced(self, core: c.Replaced, env: Env) -> Value:
        assert core.let.value is not None
        return self.value(core.let.value, env)

    def _table_row(self, core: c.Row, env: Env) -> Value:
        holder = self.value(core.base, env)
        key = self.value(core.key, env)
        if isinstance(holder, exact.Unknown):
            return holder
        return self.row(holder, core, key)

    def _top(self, core: c.TopRef) -> Value:
        let = core.decl.let
        assert let is not None and let.value is not None
        return self.value(let.value, Env(definition=let.name))

    def _apply(self, core: c.Apply, env: Env) -> Value:
        holder = self.value(core.base, env) if core.base is not None else None
        if isinstance(holder, exact.Unknown):
            return holder
        let = core.let
        if holder is not None:
            found = holder.decl.find(let.name)
            let = found if isinstance(found, d.Let) else let
        bound = {name: self.value(argument, env) for name, argument in core.arguments}
        inside = Env(holder, bound, env.operator, env.definition)
        for formal in let.formals or ():
            if formal.name not in bound and formal.default is not None:
                bound[formal.name] = self.value(formal.default, inside)
        assert let.value is not None
        return self.value(let.value, inside)

    def record(self, decl: d.RecordDecl) -> Instance:
        """Return *decl* as it was declared."""
        if decl not in self.records:
            self.records[decl] = self._weighed(Instance(decl, (decl.name,)))
        return self.records[decl]

    def _new_phase(self, core: c.NewPhase, env: Env) -> Value:
        entries: dict[c.Path, Entry] = {
            (name,): Entry(v, None, env, None, v.span) for name, v in core.given
        }
        entries.update({path: Entry(v, None, env, None, v.span) for path, v in core.settings})
        holder = env.holder
        outer_path = holder.path if isinstance(holder, Instance) else ()
        path = (*outer_path, core.phase.name)
        made = Instance(core.phase, path, (Layer("argument", entries),), outer=holder)
        return self._weighed(made)

    def scenario(self, decl: d.ScenarioDecl, ats: tuple[Layer, ...] = ()) -> Instance:
        """Return the scenario *decl* under the bindings *ats*, the nearest first."""
        return self._weighed(Instance(decl, (), ats))

    def under(self, world: Instance, settings: tuple[d.Setting, ...], env: Env) -> Instance:
        """Return *world* with *settings* below its own bindings, read in *env*."""
        if not settings:
            return world
        layer = Layer("at", {s.path: entry_of(s, env) for s in settings})
        layers = (*world.settings, layer)
        return self._weighed(Instance(world.decl, world.path, layers, world.base, world.outer))

    def _asked(self, core: c.Asked, env: Env) -> Value:
        assert isinstance(env.holder, Instance)
        slot = env.holder.decl.find(core.query)
        assert isinstance(slot, d.QuerySlot)
        return self.ask(env.holder, slot, core.field)

    def ask(self, world: Instance, slot: d.QuerySlot, field: str | None = None) -> Value:
        """Return the value of the question *slot*, asked under the bindings of *world*."""
        if self.questions is None:
            raise fault("not-a-value", f"`{slot.name}` has no value here", slot.span)
        return self.questions(world, slot, field)

    # ---- what the reading of names costs

    def _read_instance(self, holder: Instance, name: str, core: c.Core) -> Value:
        self.work.note(_MEMBER)
        return super()._read_instance(holder, name, core)

    def leaf_value(self, operator: Operator, leaf: Leaf) -> Value:
        """Return *leaf* of one simple operator."""
        self.work.note(_OPERATOR)
        return super().leaf_value(operator, leaf)

    def _inside(self, holder: Instance, name: str, base: Instance, distance: int) -> Instance:
        return self._weighed(super()._inside(holder, name, base, distance))

    def _weighed(self, made: Instance) -> Instance:
        """Return a holder that was made, when the making of its layers is paid for."""
        self.work.note(_HOLDER + 3 * sum(len(layer.entries) for layer in made.layers))
        return made

    # ---- arithmetic

    def _arithmetic(self, core: c.Arithmetic, env: Env) -> Value:
        left, right = self.value(core.left, env), self.value(core.right, env)
        return self.algebra.binary(core.operator, left, right)

    def _builtin(self, core: c.Builtin, env: Env) -> Value:
        arguments = [self.value(argument, env) for argument in core.arguments]
        result = self.algebra.function(core.function, arguments)
        if core.function in ("max", "min") and len(arguments) > 1:
            self.note_choice(core, env, arguments)
        return result

    def note_choice(self, core: c.Builtin, env: Env, arguments: list[Value]) -> None:
        """Record which side of a choice is active, where it stands in a definition."""
        if env.definition is None or isinstance(env.holder, Operator) or env.operator is not None:
            return
        if exact.unknown(*arguments) is not None:
            return
        self.work.note(len(arguments) + (core.span.end - core.span.start) // 20)
        side = _active_side(core, arguments)
        self.trace.activate(Active(env.definition, side, core.function, core.span))

    # ---- truth

    def _not(self, core: c.Not, env: Env) -> Value:
        operand = self.value(core.operand, env)
        return not operand if isinstance(operand, bool) else operand

    def _both(self, core: c.Both, env: Env) -> Value:
        decisive = core.operator == "or"
        left = self.value(core.left, env)
        if left is decisive:
            return decisive
        right = self.value(core.right, env)
        if right is decisive:
            return decisive
        return right if isinstance(left, bool) else left

    def _comparison(self, core: c.Comparison, env: Env) -> Value:
        left, right = self.value(core.left, env), self.value(core.right, env)
        if not isinstance(core.left.type, NumberType):
            return self._same(core, left, right)
        self._seen(left, right)
        if core.within is None:
            return self.algebra.compare(core.operator, left, right)
        within = self.value(core.within, env)
        return self.within(core, left, right, within)

    def _seen(self, *sides: Value) -> None:
        """Pay for the writing of both sides of a comparison, which may be shown."""
        for side in sides:
            if isinstance(side, Fraction):
                self.work.note(exact.length(side) // 4)

    def _same(self, core: c.Comparison, left: Value, right: Value) -> Value:
        missing = exact.unknown(left, right)
        if missing is not None:
            return missing
        if isinstance(left, exact.Undecided) or isinstance(right, exact.Undecided):
            return exact.Undecided()
        return (left == right) is (core.operator == "==")

    def within(self, core: c.Comparison, left: Value, right: Value, within: Value) -> Value:
        """Return whether a comparison holds with its tolerance."""
        algebra = self.algebra
        if core.relative:
            within = algebra.binary("*", within, algebra.function("abs", [right]))
        gap = algebra.binary("-", left, right)
        if core.operator == "==":
            return algebra.compare("<=", algebra.function("abs", [gap]), within)
        if core.operator == "!=":
            return algebra.compare(">", algebra.function("abs", [gap]), within)
        slack = within if core.operator in ("<", "<=") else algebra.negative(within)
        return algebra.compare(core.operator, gap, slack)

    def _conditional(self, core: c.Conditional, env: Env) -> Value:
        condition = self.value(core.condition, env)
        if condition is True:
            return self.value(core.yes, env)
        if condition is False:
            return self.value(core.no, env)
        return self.either(core, env, condition)

    def either(self, core: c.Conditional, env: Env, condition: Value) -> Value:
        """Return what is known of a choice whose condition is not decided."""
        yes, no = self.value(core.yes, env), self.value(core.no, env)
        missing = exact.unknown(condition, yes, no)
        if missing is not None:
            return missing
        if isinstance(core.type, NumberType):
            return exact.hull(yes, no)
        self.trace.undecided = True
        return yes if yes == no else exact.Undecided()

    # ---- sums

    def _sum(self, core: c.SumOver, env: Env) -> Value:
        low, high = self.value(core.low, env), self.value(core.high, env)
        missing = exact.unknown(low, high)
        if missing is not None:
            body = self.value(core.body, env.with_locals({core.index: missing}))
            return exact.unknown(missing, body)
        first, last = self.whole(core.low, low), self.whole(core.high, high)
        return self.add_up(core, first, last, env)

    def add_up(self, core: c.SumOver, first: int, last: int, env: Env) -> Value:
        """Return the sum of the body from *first* to *last*."""
        if last - first >= SUM_LIMIT:
            terms = digits_of(Fraction(last - first + 1))
            raise fault("too-many-steps", f"this sum has {terms} terms", core.span)
        total: Value = self.algebra.number(Fraction(0))
        for at in range(first, last + 1):
            left = self.work.left
            total = self.algebra.binary("+", total, self._term_of_sum(core, at, env))
            if at == first and (left - self.work.left) * (last - first) > LONG:
                found = self.long_sums(core, env)
                if found is not None:
                    for telling in (*found.telling, last):
                        self._term_of_sum(core, telling, env)
                    return found.total
        return total

    def _term_of_sum(self, core: c.SumOver, at: int, env: Env) -> Value:
        self.work.spend(_TERM + 2 * len(env.locals))
        return self.value(
            core.body, env.with_locals({core.index: self.algebra.number(Fraction(at))})
        )

    def whole(self, core: c.Core, value: Value) -> int:
        """Return *value* as a whole number; a broken one is a fault that names the place."""
        if isinstance(value, Fraction) and value.denominator == 1:
            return int(value)
        if isinstance(value, Fraction):
            words = f"this counts copies, and is {digits_of(value, 6)}"
        else:
            words = "this counts copies, and is no single number"
        raise fault("not-whole", words, core.span)


def _active_side(core: c.Builtin, arguments: list[Value]) -> str | None:
    """Return the words of the first side that is certainly the one, None where none is."""
    greatest = core.function == "max"
    reach = [exact.ends(argument)[0 if greatest else 1] for argument in arguments]
    edge = max(reach) if greatest else min(reach)
    order = ">=" if greatest else "<="
    for candidate, argument, end in zip(core.arguments, arguments, reach, strict=True):
        if end == edge and all(exact.compare(order, argument, x) is True for x in arguments):
            return " ".join(candidate.span.text.split())
    return None


def faults_of(work: Callable[[], Value]) -> Iterator[Fault]:
    """Yield the fault that *work* ends in, if it does."""
    try:
        work()
    except Fault as found:
        yield found


def is_enum(kind: object) -> bool:
    """Whether *kind* is that of an enum."""
    return isinstance(kind, EnumType)


__all__ = ["Evaluator", "TableValue"]
