"""The kind of sums, products, powers, comparisons and choices."""

from __future__ import annotations

from costlang.model import core as c
from costlang.model.context import Context, Scope
from costlang.model.fitting import (
    bare,
    dimension_of,
    dimension_words,
    numeric,
    same_dimension,
    truth,
)
from costlang.model.holes import around_hole, is_open
from costlang.model.infer import expression, infer_kind
from costlang.model.missing import broken
from costlang.model.types import (
    BOOL,
    BROKEN,
    BoolType,
    EnumType,
    NumberType,
    RecordType,
    Type,
)
from costlang.syntax import tree
from costlang.text import Label, Span
from costlang.units import NONE, compare_lines


@infer_kind.register
def _(node: tree.Unary, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    operand = expression(context, node.operand, scope)
    if node.operator == "not":
        return c.Not(node.span, BOOL, truth(context, operand))
    operand = numeric(context, operand)
    if isinstance(operand, c.Literal):
        return c.Literal(node.span, operand.type, -operand.value)
    return c.Negative(node.span, plain_number(operand.type), operand)


@infer_kind.register
def _(node: tree.Binary, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    if is_open(node):
        return around_hole(node, context, scope, wanted)
    left = expression(context, node.left, scope)
    right = expression(context, node.right, scope)
    if node.operator in ("and", "or"):
        return c.Both(node.span, BOOL, node.operator, truth(context, left), truth(context, right))
    left, right = numeric(context, left), numeric(context, right)
    if left.type is BROKEN or right.type is BROKEN:
        return broken(node.span)
    kind = _arithmetic(context, node, left, right)
    return c.Arithmetic(node.span, kind, node.operator, left, right)


def _arithmetic(context: Context, node: tree.Binary, left: c.Core, right: c.Core) -> Type:
    a, b = dimension_of(left), dimension_of(right)
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


def plain_number(kind: Type) -> Type:
    """Return the kind of a number of the same dimension, without its domain."""
    return NumberType(kind.dimension) if isinstance(kind, NumberType) else kind


def _power(context: Context, node: tree.Binary, left: c.Core, right: c.Core) -> Type:
    base, exponent = dimension_of(left), dimension_of(right)
    if exponent != NONE:
        context.report(
            "dimension-mismatch",
            "an exponent has no dimension",
            right.span,
            dimension_words(right),
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
        "what has a dimension is raised only to a number that is written out",
        right.span,
        "this exponent is no such number",
        labels=(Label(left.span, dimension_words(left)),),
    )
    return BROKEN


@infer_kind.register
def _(node: tree.Compare, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    if is_open(node):
        return around_hole(node, context, scope, None)
    left = expression(context, node.left, scope)
    right = expression(context, node.right, scope, left.type)
    left = _again_as(context, node.left, scope, left, right)
    if BROKEN in (left.type, right.type):
        return broken(node.span)
    if isinstance(left.type, (EnumType, BoolType)) and type(left.type) is type(right.type):
        return _same_kind(context, node, left, right)
    left, right = numeric(context, left), numeric(context, right)
    kind = same_dimension(context, node.span, left, right, "compared")
    if kind is BROKEN:
        return broken(node.span)
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
            right.span,
            right.type.words,
            labels=(Label(left.span, left.type.words),),
        )
        return broken(node.span)
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
                dimension_words(within),
                notes=compare_lines(kind.dimension, dimension_of(within)),
            )
            return broken(within.span), False
    return within, False


@infer_kind.register
def _(node: tree.If, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    condition = truth(context, expression(context, node.condition, scope))
    yes = expression(context, node.yes, scope, wanted)
    no = expression(context, node.no, scope, wanted if wanted is not None else yes.type)
    kind = common_type(context, node.span, yes, no)
    if condition.type is BROKEN or kind is BROKEN:
        return broken(node.span)
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


@infer_kind.register
def _(node: tree.Sum, context: Context, scope: Scope, wanted: Type | None) -> c.Core:
    low = bare(context, expression(context, node.low, scope), "a bound of a sum")
    high = bare(context, expression(context, node.high, scope), "a bound of a sum")
    inside = scope.with_locals({node.index.text: NumberType(NONE, "index")})
    body = numeric(context, expression(context, node.body, inside))
    if BROKEN in (low.type, high.type, body.type):
        return broken(node.span)
    return c.SumOver(node.span, plain_number(body.type), node.index.text, low, high, body)
