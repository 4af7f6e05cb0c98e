"""From the checked model to formulas: the interpreter's reading, with symbols for numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model import exact
from costlang.model.domains import literal
from costlang.model.evaluate import Evaluator
from costlang.model.faults import fault
from costlang.model.instances import Entry, Env, Instance, Member, Operator
from costlang.model.terms import Leaf, Node
from costlang.model.types import NumberType, Type
from costlang.units import NONE, Dimension

Value = Any
MOST_NODES = 50_000


@dataclass(frozen=True)
class Spread:
    """An open range that a setting gives."""

    low: Value
    high: Value


class GraphAlgebra:
    """Arithmetic that builds nodes."""

    def __init__(self, builder: g.Builder) -> None:
        self.build = builder

    def number(self, value: Fraction) -> Value:
        """Return a literal without dimension."""
        return self.build.num(value)

    def infinity(self) -> Value:
        """Return infinity."""
        return self.build.inf()

    def binary(self, operator: str, left: Value, right: Value) -> Value:
        """Return `left operator right`."""
        missing = exact.unknown(left, right)
        if missing is not None:
            return missing
        if isinstance(left, g.Inf) or isinstance(right, g.Inf):
            raise exact.InfiniteValue
        make: dict[str, Callable[[g.Node, g.Node], g.Node]] = {
            "+": self.build.add,
            "-": self.build.sub,
            "*": self.build.mul,
            "/": self.build.div,
            "^": self.build.pow,
        }
        try:
            return make[operator](left, right)
        except ZeroDivisionError:
            raise exact.OutOfDomain("it divides by zero") from None

    def negative(self, operand: Value) -> Value:
        """Return `-operand`."""
        return operand if isinstance(operand, exact.Unknown) else self.build.neg(operand)

    def function(self, name: str, arguments: list[Value]) -> Value:
        """Return a built-in of *arguments*."""
        missing = exact.unknown(*arguments)
        if missing is not None:
            return missing
        if name == "max":
            return self.build.max(*arguments)
        if name == "min":
            return self.build.min(*arguments)
        return self._folded(name, arguments[0]) or self.build.fn(name, arguments[0])

    def _folded(self, name: str, argument: Value) -> Value | None:
        if not isinstance(argument, g.Num) or name in ("log2", "exp"):
            return None
        apply = {
            "ceil": exact.ceil,
            "floor": exact.floor,
            "abs": exact.absolute,
            "sqrt": exact.sqrt,
        }[name]
        value = apply(argument.value)
        dimension = argument.dimension
        if name == "sqrt":
            dimension = dimension.root(2) or NONE
        return self.build.num(value, dimension) if isinstance(value, Fraction) else None

    def compare(self, operator: str, left: Value, right: Value) -> Value:
        """Return a comparison."""
        missing = exact.unknown(left, right)
        return missing if missing is not None else self.build.cmp(operator, left, right)


class Lowering(Evaluator):
    """
    The evaluator whose numbers are nodes.

    Numbers that something sets become symbols that know their value; records, enums and truths
    stay what they are, defaults included, since they decide the shape of a formula.
    """

    def __init__(self, builder: g.Builder | None = None) -> None:
        self.build = builder if builder is not None else g.Builder()
        super().__init__(GraphAlgebra(self.build))  # type: ignore[arg-type]

    def value(self, core: c.Core, env: Env) -> Value:
        """Return what *core* is, within the budget of nodes."""
        found = super().value(core, env)
        if self.build.size > MOST_NODES:
            raise fault("too-much-work", "this formula has too many parts", core.span)
        if isinstance(found, g.Node):
            self._remember(found, core, env)
        return found

    def _remember(self, node: g.Node, core: c.Core, env: Env) -> None:
        """Note from where a node came, and of which operator it says something."""
        self.build.places.setdefault(node, core.span)
        operator = env.holder if isinstance(env.holder, Operator) else env.operator
        if operator is not None:
            self.build.operators.setdefault(node, operator.decl.name)

    def certain(self, value: exact.Real, dimension: Dimension | None) -> Value:
        """Return the literal of a number that was found elsewhere; only a rational one has one."""
        if isinstance(value, Fraction):
            return self.build.num(value, dimension or NONE)
        return exact.Unknown(frozenset({"a number that is not rational"}))

    def _literal(self, core: c.Literal, env: Env) -> Value:
        return self.build.num(core.value, _dimension(core.type))

    # ---- names

    def symbol(self, holder: Instance, slot: d.Param, value: Value, entry: Entry) -> Value:
        """Return the symbol of a parameter that is set by a number, or what an expression is."""
        path = holder.origin(slot.name)
        info = info_of(slot)
        if isinstance(value, Spread):
            low, high = _number(value.low), _number(value.high)
            if low is not None and high is not None:
                return self.build.sym(path, _with(info, low=low, high=high, source=entry.source))
        if isinstance(value, g.Num):
            stated = _states(holder, slot)
            known = _with(info, value=value.value, source=entry.source, stated=stated)
            return self.build.sym(path, known)
        if isinstance(value, g.Node) and not isinstance(value, (g.Sym, g.Idx, g.Inf, g.Def)):
            return self.build.definition(
                path, slot.name, slot.alias, _dimension(slot.type), value, slot.span
            )
        return value

    def assumed(self, holder: Instance, slot: d.Param, value: Value) -> Value:
        """Return the symbol of a parameter that has only its default."""
        if not isinstance(slot.type, NumberType) or not isinstance(value, g.Node):
            return value
        if isinstance(value, g.Inf):
            return value
        path, info = holder.origin(slot.name), info_of(slot)
        known = value.value if isinstance(value, g.Num) else None
        if known is None:
            return self.symbol(holder, slot, value, _entry(slot, holder))
        return self.build.sym(path, _with(info, default=known, source=slot.source))

    def unset(self, holder: Instance, slot: d.Param) -> Value:
        """Return the symbol of a parameter without a value."""
        if not isinstance(slot.type, NumberType):
            return super().unset(holder, slot)
        return self.build.sym(holder.origin(slot.name), info_of(slot))

    def spread(self, low: Value, high: Value, name: str) -> Value:
        """Return the open range from *low* to *high*."""
        return Spread(low, high)

    def row_symbol(
        self, holder: Instance, table: d.Table, key: Member, value: Value, entry: Entry
    ) -> Value:
        """Return the symbol of a row."""
        if not isinstance(table.type, NumberType) or not isinstance(value, (g.Num, Spread)):
            return value
        info = g.SymbolInfo(
            f"{table.name}[{key.name}]",
            f"{table.alias}[{key.name}]" if table.alias else None,
            _dimension(table.type),
            "real",
            floor=Fraction(0),
            strict=True,
            span=entry.span,
        )
        path = self._row_origin(holder, (table.name, f"[{key.name}]"))
        if isinstance(value, Spread):
            low, high = _number(value.low), _number(value.high)
            return self.build.sym(path, _with(info, low=low, high=high, source=entry.source))
        return self.build.sym(path, _with(info, value=value.value, source=entry.source))

    def missing_row(self, holder: Instance, core: c.Row, label: str) -> Value:
        """Return the symbol of a row without a value, of an interface."""
        if getattr(holder.decl, "kind", "") != "interface":
            return super().missing_row(holder, core, label)
        table = core.table
        alias = label.replace(table.name, table.alias, 1) if table.alias else None
        info = g.SymbolInfo(
            label, alias, _dimension(table.type), "real", floor=Fraction(0), strict=True
        )
        key = label.removeprefix(table.name)
        return self.build.sym(self._row_origin(holder, (table.name, key)), info)

    def row(self, holder: Instance, core: c.Row, key: Value) -> Value:
        """Return a row; one whose key nothing sets is a symbol of its own."""
        if isinstance(key, exact.Unknown) and isinstance(core.type, NumberType):
            return self.missing_row_of(holder, core, sorted(key.names)[0])
        return super().row(holder, core, key)

    def missing_row_of(self, holder: Instance, core: c.Row, key: str) -> Value:
        """Return the symbol `peak[weights.computes]`."""
        label = f"{core.table.name}[{key}]"
        alias = f"{core.table.alias}[{key}]" if core.table.alias else None
        dimension = _dimension(core.table.type)
        info = g.SymbolInfo(label, alias, dimension, "real", floor=Fraction(0), strict=True)
        return self.build.sym(self._row_origin(holder, (core.table.name, f"[{key}]")), info)

    def named(self, holder: Instance, slot: d.Let, value: Value) -> Value:
        """Return the definition of a record, a phase or a scenario, under its name."""
        return self._definition((*holder.path, slot.name), slot, value)

    def named_in_operator(self, holder: Operator, slot: d.Let, value: Value) -> Value:
        """Return the definition of an operator, under its name."""
        return self._definition((holder.decl.name, slot.name), slot, value)

    def _definition(self, path: g.Path, slot: d.Let, value: Value) -> Value:
        if not isinstance(value, g.Node) or not isinstance(slot.type, NumberType):
            return value
        if isinstance(value, (g.Num, g.Inf)):
            return value
        dimension = _dimension(slot.type)
        return self.build.definition(path, slot.name, slot.alias, dimension, value, slot.span)

    def put(self, holder: Instance, slot: d.Let, value: Value, entry: Entry) -> Value:
        """Return the symbol of a definition whose value was given."""
        if not isinstance(slot.type, NumberType):
            return value
        dimension = _dimension(slot.type)
        info = g.SymbolInfo(slot.name, slot.alias, dimension, "real", span=slot.span)
        path = (*holder.path, slot.name)
        if isinstance(value, g.Num):
            return self.build.sym(path, _with(info, value=value.value, source=entry.source))
        if isinstance(value, Spread):
            low, high = _number(value.low), _number(value.high)
            return self.build.sym(path, _with(info, low=low, high=high, source=entry.source))
        return value

    def use(self, operator: Operator, resource: d.ResourceDecl, core: c.Core) -> Value:
        """Return what *operator* uses of *resource*; the label of its term is name enough."""
        found = super().use(operator, resource, core)
        return found.body if isinstance(found, g.Def) else found

    # ---- truth

    def _not(self, core: c.Not, env: Env) -> Value:
        operand = self.value(core.operand, env)
        return operand if isinstance(operand, exact.Unknown) else self.build.no(operand)

    def _both(self, core: c.Both, env: Env) -> Value:
        left = self.value(core.left, env)
        if isinstance(left, bool) and left is (core.operator == "or"):
            return left
        right = self.value(core.right, env)
        missing = exact.unknown(left, right)
        if missing is not None:
            return missing
        join = self.build.some if core.operator == "or" else self.build.every
        return join(left, right)

    def either(self, core: c.Conditional, env: Env, condition: Value) -> Value:
        """Return a choice that is left open, or its side where stated numbers alone decide it."""
        settled = _settled(condition)
        if settled is not None:
            return self.value(core.yes if settled else core.no, env)
        yes, no = self.value(core.yes, env), self.value(core.no, env)
        if isinstance(condition, exact.Unknown):
            return exact.unknown(condition, yes, no)
        if isinstance(yes, g.Node) and isinstance(no, g.Node):
            if isinstance(core.type, NumberType):
                return self.build.cond(condition, yes, no)
            return self._truth_of(condition, yes, no)
        if isinstance(yes, (bool, g.Node)) and isinstance(no, (bool, g.Node)):
            return self._truth_of(condition, yes, no)
        return yes if yes == no else exact.Unknown(frozenset({"a choice that is open"}))

    def _truth_of(self, condition: g.Node, yes: Value, no: Value) -> Value:
        build = self.build
        return build.some(build.every(condition, yes), build.every(build.no(condition), no))

    def note_choice(self, core: c.Builtin, env: Env, arguments: list[Value]) -> None:
        """Nothing is active before there are numbers."""

    # ---- sums and repeats

    def _sum(self, core: c.SumOver, env: Env) -> Value:
        low, high = self.value(core.low, env), self.value(core.high, env)
        index = self.build.idx(core.index)
        body = self.value(core.body, env.with_locals({core.index: index}))
        missing = exact.unknown(low, high, body)
        return missing if missing is not None else self.build.sum(index, low, high, body)

    def term_value(self, node: d.Term, site: Env, leaf: Leaf, path: c.Path) -> Value:
        """Return what a term contributes, under its label."""
        found = super().term_value(node, site, leaf, path)
        return self.build.part(node.label, found) if isinstance(found, g.Node) else found

    def repeat_value(self, node: d.Repeat, site: Env, leaf: Leaf, path: c.Path) -> Value:
        """Return what the copies of a repeat contribute."""
        count = self.value(node.count, site)
        if _no_copies(count):
            return self.zero()
        inner = (*path, node.segment) if node.segment is not None else path
        if node.index is None:
            body = self.sum_nodes(node.body, site, leaf, inner)
            missing = exact.unknown(count, body)
            return missing if missing is not None else self._copies(node, count, body)
        index = self.build.idx(node.index)
        body = self.sum_nodes(node.body, site.with_locals({node.index: index}), leaf, inner)
        missing = exact.unknown(count, body)
        if missing is not None:
            return missing
        first = self.build.num(1)
        return self._repeated(
            node, count, body, lambda one: self.build.sum(index, first, count, one)
        )

    def _copies(self, node: d.Repeat, count: Value, body: Value) -> Value:
        times = count
        if not _at_least_one(count):
            times = self.build.max(self.build.num(0), count)
        return self._repeated(node, count, body, lambda one: self.build.mul(times, one))

    def _repeated(
        self, node: d.Repeat, count: Value, body: Value, copies: Callable[[g.Node], g.Node]
    ) -> g.Node:
        """Return the *copies* of *body*: under the name of a count, term by term under a number."""
        assert isinstance(body, g.Node)
        if node.segment is not None:
            return self.build.part(node.segment, copies(body))
        if not isinstance(count, g.Num):
            return copies(body)
        terms = body.terms if isinstance(body, g.Add) else (body,)
        return self.build.add(*(self._labelled(term, copies) for term in terms))

    def _labelled(self, term: g.Node, copies: Callable[[g.Node], g.Node]) -> g.Node:
        if isinstance(term, g.Part):
            return self.build.part(term.label, copies(term.body))
        return copies(term)

    def _inside_repeat(self, node: d.Repeat, site: Env, path: c.Path, leaf: Leaf) -> Value:
        rest = path[1:] if node.segment is not None else path
        if not rest:
            return self.repeat_value(node, site, leaf, ())
        count = self.value(node.count, site)
        if node.index is None:
            body = self._at_path(node.body, site, rest, leaf)
            missing = exact.unknown(count, body)
            return missing if missing is not None else self.build.mul(count, body)
        index = self.build.idx(node.index)
        body = self._at_path(node.body, site.with_locals({node.index: index}), rest, leaf)
        missing = exact.unknown(count, body)
        return (
            missing
            if missing is not None
            else self.build.sum(index, self.build.num(1), count, body)
        )

    def sum_nodes(self, nodes: list[Node], site: Env, leaf: Leaf, path: c.Path) -> Value:
        """Return the sum over *nodes*, made at once."""
        parts = [
            self.term_value(node, site, leaf, path)
            if isinstance(node, d.Term)
            else self.repeat_value(node, site, leaf, path)
            for node in nodes
        ]
        missing = exact.unknown(*parts)
        if missing is not None:
            return missing
        return self.build.add(*parts) if parts else self.zero()


def _at_least_one(count: Value) -> bool:
    if isinstance(count, g.Num):
        return count.value >= 0
    return isinstance(count, g.Sym) and (count.info.floor or 0) >= 0 and count.info.kind == "count"


def _dimension(kind: Type) -> Dimension:
    if isinstance(kind, NumberType) and kind.dimension is not None:
        return kind.dimension
    return NONE


def _number(node: Value) -> Fraction | None:
    return node.value if isinstance(node, g.Num) else None


def _states(holder: Instance, slot: d.Param) -> bool:
    """Whether a record or a phase sets *slot*, and nobody who asks."""
    found = holder.find((slot.name,))
    return found is not None and found[1].kind in ("record", "phase")


def _settled(condition: Value) -> bool | None:
    """
    Return what *condition* is where it hangs on nothing but what records and phases state.

    That decides the shape of a formula, as a truth does. What a question sets or seeks stays open:
    the answer may speak of its other values.
    """
    found = _stated(condition, Evaluation().truth)
    return found if isinstance(found, bool) else None


def _no_copies(count: Value) -> bool:
    """Whether *count* is stated, and says that there is nothing to repeat."""
    found = _stated(count, Evaluation().number)
    return isinstance(found, Fraction) and found <= 0


def _stated(node: Value, work_out: Callable[[g.Node], object]) -> object:
    """Return what *work_out* makes of *node*, None where something in it is not stated."""
    if not isinstance(node, g.Node):
        return None
    for part in g.walk(node):
        if isinstance(part, (g.Idx, g.SumOver)):
            return None
        if isinstance(part, g.Sym) and not part.info.stated:
            return None
    try:
        return work_out(node)
    except ArithmeticError:
        return None


def info_of(slot: d.Param) -> g.SymbolInfo:
    """Return what a symbol that stands for *slot* tells: its names, dimension and domain."""
    kind = slot.type.kind if isinstance(slot.type, NumberType) else "real"
    low = literal(slot.low) if slot.low is not None else None
    high = literal(slot.high) if slot.high is not None else None
    strict = False
    if slot.choices:
        known = [v for v in map(literal, slot.choices) if v is not None]
        low, high = (min(known), max(known)) if known else (None, None)
    elif slot.low is None and kind == "count":
        low = Fraction(1)
    elif slot.low is None and kind == "real":
        low, strict = Fraction(0), True
    return g.SymbolInfo(
        slot.name,
        slot.alias,
        _dimension(slot.type),
        kind,
        floor=low,
        ceiling=high,
        strict=strict,
        span=slot.span,
    )


def _with(info: g.SymbolInfo, **changes: Any) -> g.SymbolInfo:
    from dataclasses import replace

    return replace(info, **changes)


def _entry(slot: d.Param, holder: Instance) -> Entry:
    assert slot.default is not None
    return Entry(slot.default, slot.default_high, Env(holder), slot.source, slot.span)
