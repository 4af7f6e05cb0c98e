"""The kind of every expression, in one pass; a mistake is reported once, where it is."""

from __future__ import annotations

from fractions import Fraction
from functools import singledispatch

from costlang.model import core as c
from costlang.model import names
from costlang.model.context import Context, Scope
from costlang.model.types import (
    ANY,
    BOOL,
    BROKEN,
    BoolType,
    EnumType,
    NumberType,
    PhaseType,
    RecordType,
    TableType,
    TermsType,
    Type,
)
from costlang.syntax import tree
from costlang.text import Label, Span
from costlang.units import NONE, Dimension, UnitFault, compare_lines, missing_factor

TOKENS = Dimension.of("tok")
REQUESTS = Dimension.of("req")


def expression(
    context: Context, node: tree.Expr, scope: Scope, wanted: Type | None = None
) -> c.Core:
    """Return *node* with its kind; *wanted* only says where an enum or a record is expected."""
    return _infer(node, context, scope, wanted)


@singledispatch
def _infer(node: tree.Expr, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    raise AssertionError(f"no rule for {type(node).__name__}")


# ---- literals and names


@_infer.register
def _(node: tree.Number, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    if node.unit is None:
        kind = ANY if node.value == 0 else NumberType(NONE)
        return c.Literal(node.span, kind, node.value)
    unit = scope.file.units.parse(node.unit.text)
    if isinstance(unit, UnitFault):
        context.report(unit.code, unit.message, node.unit.span, "", help=unit.help)
        return names.broken(node.span)
    return c.Literal(node.span, NumberType(unit.dimension), node.value * unit.scale)


@_infer.register
def _(node: tree.Boolean, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    return c.Truth(node.span, BOOL, node.value)


@_infer.register
def _(node: tree.Infinity, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    return c.Infinite(node.span, ANY)


@_infer.register
def _(node: tree.Hole, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    words = f"{wanted.words} belongs here" if wanted is not None else "an expression belongs here"
    fitting = [] if wanted is None else sorted(fitting_names(context, scope, wanted))
    context.report(
        "hole",
        "an expression is still to be written",
        node.span,
        words,
        help=f"in scope with this kind: {', '.join(fitting[:8])}" if fitting else None,
    )
    return names.broken(node.span)


def fitting_names(context: Context, scope: Scope, wanted: Type) -> list[str]:
    """Return the names in *scope* whose kind is *wanted*."""
    if scope.owner is None or not isinstance(wanted, NumberType):
        return []
    kinds = {name: _quiet_type(context, scope, name) for name in scope.owner.names()}
    kinds.update(scope.locals)
    return [
        name
        for name, kind in kinds.items()
        if isinstance(kind, NumberType) and kind.dimension == wanted.dimension
    ]


def _quiet_type(context: Context, scope: Scope, name: str) -> Type | None:
    slot = scope.owner.find(name) if scope.owner is not None else None
    return getattr(slot, "type", None) if slot is not None else None


@_infer.register
def _(node: tree.Name, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    return names.resolve(context, node.text, node.span, scope, wanted)


@_infer.register
def _(node: tree.Attribute, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    choice = _full_choice(context, node, scope)
    if choice is not None:
        return choice
    through = _through_count(context, node, scope)
    if through is not None:
        return through
    base = expression(context, node.base, scope)
    return _asked_field(context, base, node) or names.member(context, base, node.name, node.span)


def _full_choice(context: Context, node: tree.Attribute, scope: Scope) -> c.Core | None:
    from costlang.model.declared import EnumDecl

    if not isinstance(node.base, tree.Name) or node.base.text in scope.locals:
        return None
    enum = scope.file.find(node.base.text)
    if isinstance(enum, EnumDecl) and node.name.text in enum.members:
        return c.Choice(node.span, EnumType(enum), enum, node.name.text)
    return None


def _through_count(context: Context, node: tree.Attribute, scope: Scope) -> c.Core | None:
    """Read `model.layers.attention`: `layers` is a count, and a segment of a path as well."""
    base = node.base
    if not isinstance(base, tree.Attribute):
        return None
    holder = _quiet(context, base.base, scope)
    if holder is None or not isinstance(holder.type, (RecordType, PhaseType)):
        return None
    owner = holder.type.record if isinstance(holder.type, RecordType) else holder.type.phase
    segment = base.name.text
    if segment not in names.labels_below(owner, ()) or owner.find(segment) is None:
        return None
    group = c.Used(base.span, TermsType(owner, (segment,)), holder, (segment,), None)
    return names.find_member(context, group, node.name.text, node.span)


def _quiet(context: Context, node: tree.Expr, scope: Scope) -> c.Core | None:
    if isinstance(node, tree.Name):
        return names.lookup(context, node.text, node.span, scope)
    if isinstance(node, tree.Attribute):
        base = _quiet(context, node.base, scope)
        return (
            names.find_member(context, base, node.name.text, node.span)
            if base is not None
            else None
        )
    return None


def _asked_field(context: Context, base: c.Core, node: tree.Attribute) -> c.Core | None:
    from costlang.model.declared import QuerySlot

    if not isinstance(base, c.Own) or not isinstance(base.slot, QuerySlot):
        return None
    from costlang.model.bodies import answer_field

    return answer_field(context, base.slot, node.name.text, node.span)


@_infer.register
def _(node: tree.Index, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    base = expression(context, node.base, scope)
    if base.type is BROKEN:
        return base
    if not isinstance(base.type, TableType) or not isinstance(base, (c.Own, c.Get)):
        context.report(
            "not-a-table",
            f"{base.type.words} has no rows",
            node.span,
            "only a table is read with a key",
        )
        return names.broken(node.span)
    table = base.type.table
    if table.key is None:
        return names.broken(node.span)
    key_type = EnumType(table.key)
    key = fit(context, expression(context, node.key, scope, key_type), key_type, node.key)
    holder = base.base if isinstance(base, c.Get) else c.Self(node.span, BROKEN)
    return c.Row(node.span, table.type, holder, table, key)


@_infer.register
def _(node: tree.Call, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    from costlang.model.calls import call

    return call(context, node, scope)


# ---- arithmetic


@_infer.register
def _(node: tree.Unary, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    operand = expression(context, node.operand, scope)
    if node.operator == "not":
        return c.Not(node.span, BOOL, truth(context, operand))
    operand = numeric(context, operand)
    if isinstance(operand, c.Literal):
        return c.Literal(node.span, operand.type, -operand.value)
    return c.Negative(node.span, _plain(operand.type), operand)


@_infer.register
def _(node: tree.Binary, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    left = expression(context, node.left, scope)
    right = expression(context, node.right, scope)
    if node.operator in ("and", "or"):
        return c.Both(node.span, BOOL, node.operator, truth(context, left), truth(context, right))
    left, right = numeric(context, left), numeric(context, right)
    if left.type is BROKEN or right.type is BROKEN:
        return names.broken(node.span)
    kind = _arithmetic(context, node, left, right)
    return c.Arithmetic(node.span, kind, node.operator, left, right)


def _arithmetic(context: Context, node: tree.Binary, left: c.Core, right: c.Core) -> Type:
    a, b = _dimension(left), _dimension(right)
    match node.operator:
        case "+":
            return same_dimension(context, node.span, left, right, "added")
        case "-":
            return same_dimension(context, node.span, left, right, "subtracted")
        case "*":
            return NumberType(a * b)
        case "/":
            return NumberType(a / b)
        case _:
            return _power(context, node, left, right)


def _dimension(core: c.Core) -> Dimension:
    assert isinstance(core.type, NumberType)
    return core.type.dimension if core.type.dimension is not None else NONE


def _plain(kind: Type) -> Type:
    return NumberType(kind.dimension) if isinstance(kind, NumberType) else kind


def _power(context: Context, node: tree.Binary, left: c.Core, right: c.Core) -> Type:
    base, exponent = _dimension(left), _dimension(right)
    if exponent != NONE:
        context.report(
            "dimension-mismatch",
            "an exponent has no dimension",
            right.span,
            names.dimension_words(right),
        )
        return BROKEN
    if base == NONE:
        return NumberType(NONE)
    value = right.value if isinstance(right, c.Literal) else None
    if value is not None and value.denominator == 1:
        return NumberType(base ** int(value))
    root = base.root(value.denominator) if value is not None else None
    if value is not None and root is not None:
        return NumberType(root ** int(value.numerator))
    context.report(
        "unknown-exponent",
        "what has a dimension is raised only to a whole number that is written out",
        right.span,
        "this exponent is not a whole literal",
        labels=(Label(left.span, names.dimension_words(left)),),
    )
    return BROKEN


def same_dimension(context: Context, span: Span, left: c.Core, right: c.Core, verb: str) -> Type:
    """Return the dimension that both sides share; say how they differ when they do not."""
    if left.type is BROKEN or right.type is BROKEN:
        return BROKEN
    assert isinstance(left.type, NumberType) and isinstance(right.type, NumberType)
    a, b = left.type.dimension, right.type.dimension
    if a is None or b is None or a == b:
        return NumberType(a if a is not None else b)
    context.report(
        "dimension-mismatch",
        f"these two cannot be {verb}",
        right.span,
        names.dimension_words(right),
        labels=(Label(left.span, names.dimension_words(left)),),
        notes=compare_lines(a, b),
        help=_factor_help(a, b),
    )
    return BROKEN


def _factor_help(a: Dimension, b: Dimension) -> str | None:
    factor = missing_factor(a, b)
    if factor is None:
        return None
    return f"the right side lacks a factor in {factor}"


def numeric(context: Context, core: c.Core) -> c.Core:
    """Return *core* if it is a number, else say what it is instead."""
    kind = core.type
    if isinstance(kind, NumberType) or kind is BROKEN:
        return core
    if isinstance(kind, TableType):
        context.report(
            "table-without-key",
            f"{kind.words} is read with a key",
            core.span,
            "which row?",
            help=f"write `{core.span.text}[…]`",
        )
    elif isinstance(kind, RecordType):
        context.report(
            "record-in-arithmetic",
            f"{kind.words} is not a number",
            core.span,
            "a record, where a number belongs",
            help=_record_help(kind),
        )
    else:
        context.report(
            "not-a-number", f"{kind.words} is not a number", core.span, "a number belongs here"
        )
    return names.broken(core.span)


def _record_help(kind: RecordType) -> str | None:
    from costlang.model.declared import Param

    numbers = [
        name
        for name in kind.record.names()
        if isinstance(slot := kind.record.find(name), Param) and isinstance(slot.type, NumberType)
    ]
    return f"its numbers are: {', '.join(numbers[:8])}" if numbers else None


def truth(context: Context, core: c.Core) -> c.Core:
    """Return *core* if it is true or false, else say what it is instead."""
    if isinstance(core.type, BoolType) or core.type is BROKEN:
        return core
    context.report(
        "not-a-condition",
        f"{core.type.words} is neither true nor false",
        core.span,
        "a condition belongs here",
    )
    return names.broken(core.span)


# ---- comparisons and conditions


@_infer.register
def _(node: tree.Compare, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    left = expression(context, node.left, scope)
    right = expression(context, node.right, scope, left.type)
    left = _again_as(context, node.left, scope, left, right)
    if isinstance(left.type, (EnumType, BoolType)) and type(left.type) is type(right.type):
        return _same_kind(context, node, left, right)
    left, right = numeric(context, left), numeric(context, right)
    kind = same_dimension(context, node.span, left, right, "compared")
    if kind is BROKEN:
        return names.broken(node.span)
    within, relative = _tolerance(context, node, scope, kind)
    return c.Comparison(node.span, BOOL, node.operator, left, right, within, relative)


def _again_as(
    context: Context, node: tree.Expr, scope: Scope, left: c.Core, right: c.Core
) -> c.Core:
    if isinstance(right.type, EnumType) and not isinstance(left.type, EnumType):
        return expression(context, node, scope, right.type)
    return left


def _same_kind(context: Context, node: tree.Compare, left: c.Core, right: c.Core) -> c.Core:
    if left.type != right.type or node.operator not in ("==", "!="):
        context.report(
            "not-comparable",
            f"{left.type.words} and {right.type.words} cannot be compared with `{node.operator}`",
            node.span,
            "",
        )
        return names.broken(node.span)
    return c.Comparison(node.span, BOOL, node.operator, left, right, None, False)


def _tolerance(
    context: Context, node: tree.Compare, scope: Scope, kind: Type
) -> tuple[c.Core | None, bool]:
    if node.within is None:
        return None, False
    within = numeric(context, expression(context, node.within, scope))
    unit = node.within.unit if isinstance(node.within, tree.Number) else None
    if unit is not None and unit.text == "%":
        return within, True
    if isinstance(kind, NumberType) and within.type is not BROKEN:
        assert isinstance(within.type, NumberType)
        if within.type.dimension not in (None, kind.dimension) and kind.dimension is not None:
            context.report(
                "dimension-mismatch",
                "a tolerance has the dimension of what is compared, or is written in %",
                within.span,
                names.dimension_words(within),
                notes=compare_lines(kind.dimension, _dimension(within)),
            )
            return names.broken(within.span), False
    return within, False


@_infer.register
def _(node: tree.If, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    condition = truth(context, expression(context, node.condition, scope))
    yes = expression(context, node.yes, scope, wanted)
    no = expression(context, node.no, scope, wanted if wanted is not None else yes.type)
    kind = common_type(context, node.span, yes, no)
    if condition.type is BROKEN or kind is BROKEN:
        return names.broken(node.span)
    return c.Conditional(node.span, kind, condition, yes, no)


def common_type(context: Context, span: Span, yes: c.Core, no: c.Core) -> Type:
    """Return the kind that two branches share."""
    if yes.type is BROKEN or no.type is BROKEN:
        return BROKEN
    if isinstance(yes.type, NumberType) and isinstance(no.type, NumberType):
        return same_dimension(context, span, yes, no, "the two branches of one `if`")
    if isinstance(yes.type, RecordType) and isinstance(no.type, RecordType):
        shared = next((o for o in yes.type.record.lineage() if no.type.record.is_a(o)), None)
        if shared is not None:
            return RecordType(shared)  # type: ignore[arg-type]
    if yes.type == no.type:
        return yes.type
    context.report(
        "different-kinds",
        "the two branches of this `if` are of different kinds",
        no.span,
        no.type.words,
        labels=(Label(yes.span, yes.type.words),),
    )
    return BROKEN


@_infer.register
def _(node: tree.Sum, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    low = bare(context, expression(context, node.low, scope), "a bound of a sum")
    high = bare(context, expression(context, node.high, scope), "a bound of a sum")
    inside = scope.with_locals({node.index.text: NumberType(NONE, "index")})
    body = numeric(context, expression(context, node.body, inside))
    if BROKEN in (low.type, high.type, body.type):
        return names.broken(node.span)
    return c.SumOver(node.span, _plain(body.type), node.index.text, low, high, body)


def bare(context: Context, core: c.Core, what: str) -> c.Core:
    """Return *core* if it is a number without dimension, else say that *what* must be one."""
    core = numeric(context, core)
    if core.type is BROKEN or _dimension(core) == NONE:
        return core
    dimension = _dimension(core)
    mend = f"divide by `1 {dimension}`" if dimension in (TOKENS, REQUESTS) else None
    context.report(
        "dimension-mismatch",
        f"{what} has no dimension",
        core.span,
        names.dimension_words(core),
        help=mend,
    )
    return names.broken(core.span)


# ---- does it fit where it stands?


def fit(context: Context, core: c.Core, wanted: Type, node: tree.Node) -> c.Core:
    """Return *core* if it is of kind *wanted*, else say what it is instead."""
    if core.type is BROKEN or wanted is BROKEN:
        return core
    if isinstance(wanted, NumberType):
        core = numeric(context, core)
        if core.type is BROKEN or _fits_number(core, wanted):
            return core
        return _misfit_number(context, core, wanted)
    if isinstance(wanted, RecordType) and isinstance(core.type, RecordType):
        if core.type.record.is_a(wanted.record):
            return core
    elif core.type == wanted:
        return core
    context.report(
        "wrong-kind",
        f"{core.type.words} stands where {wanted.words} belongs",
        core.span,
        core.type.words,
        labels=_record_label(core.type),
    )
    return names.broken(core.span)


def _record_label(kind: Type) -> tuple[Label, ...]:
    return (Label(kind.record.span, "declared here"),) if isinstance(kind, RecordType) else ()


def _fits_number(core: c.Core, wanted: NumberType) -> bool:
    assert isinstance(core.type, NumberType)
    return None in (core.type.dimension, wanted.dimension) or (
        core.type.dimension == wanted.dimension
    )


def _misfit_number(context: Context, core: c.Core, wanted: NumberType) -> c.Core:
    expected = wanted.dimension if wanted.dimension is not None else NONE
    actual = _dimension(core)
    context.report(
        "bare-number" if _is_bare(core, actual) else "dimension-mismatch",
        _misfit_title(core, wanted, actual),
        core.span,
        names.dimension_words(core),
        notes=compare_lines(expected, actual, ("expected", "found"))
        if actual != NONE and expected != NONE
        else (),
        help=_misfit_help(core, wanted, actual),
    )
    return names.broken(core.span)


def _is_bare(core: c.Core, actual: Dimension) -> bool:
    return isinstance(core, c.Literal) and actual == NONE


def _misfit_title(core: c.Core, wanted: NumberType, actual: Dimension) -> str:
    if _is_bare(core, actual):
        return f"this number needs a unit of {wanted.words}"
    if wanted.dimension == NONE:
        return f"{wanted.words} has no dimension, and this is in {actual}"
    return f"{wanted.words} belongs here, and this is in {actual}"


def _misfit_help(core: c.Core, wanted: NumberType, actual: Dimension) -> str | None:
    text = core.span.text.strip()
    if wanted.kind == "count" and actual == Dimension.of("B") and text.endswith("B"):
        digits = text.removesuffix("B").strip()
        if digits.replace("_", "").replace(".", "").isdigit():
            return f"`B` is bytes; for billions write `{digits} G` or `{digits}e9`"
    if wanted.dimension is not None and wanted.dimension != NONE and actual != NONE:
        factor = missing_factor(wanted.dimension, actual)
        if factor is not None:
            return f"this lacks a factor in {factor}"
    return None


def counted(core: c.Core, wanted: Type, node: tree.Expr | None) -> c.Core:
    """Return *core* with the unit of *wanted* when it is a bare number that counts tok or req."""
    if not isinstance(wanted, NumberType) or wanted.dimension not in (TOKENS, REQUESTS):
        return core
    if isinstance(core, c.Literal) and core.type in (ANY, NumberType(NONE)):
        return c.Literal(core.span, NumberType(wanted.dimension), core.value)
    return core


def shared_unit(nodes: tuple[tree.Expr, ...]) -> tuple[tree.Expr, ...]:
    """Return *nodes* with the unit of the last given to those before it that have none."""
    last = nodes[-1] if nodes else None
    if not isinstance(last, tree.Number) or last.unit is None:
        return nodes
    unit = last.unit
    return tuple(
        tree.Number(node.span, node.value, unit)
        if isinstance(node, tree.Number) and node.unit is None
        else node
        for node in nodes
    )


def is_literal_zero(core: c.Core) -> bool:
    """Whether *core* is the literal `0`."""
    return isinstance(core, c.Literal) and core.value == Fraction(0)
