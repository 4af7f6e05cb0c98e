"""The domain of a parameter: its literal bounds, and whether a number lies inside."""

from __future__ import annotations

from fractions import Fraction

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.context import Context, Scope
from costlang.model.fitting import counted, fit
from costlang.model.infer import expression
from costlang.model.types import NumberType, Type
from costlang.syntax import tree
from costlang.text import Label, Span


def checked_value(
    context: Context, node: tree.Expr, wanted: Type, scope: Scope, declared: Span | None = None
) -> c.Core:
    """Return the expression *node*, which has to fit *wanted*."""
    value = counted(expression(context, node, scope, wanted), wanted, node)
    return fit(context, value, wanted, node, declared)


def report_outside(context: Context, slot: d.Param, values: list[c.Core]) -> None:
    """Report a literal outside the domain of *slot*."""
    for value in values:
        number = literal(value)
        words = outside(slot, number) if number is not None else None
        if words is not None:
            context.report(
                "outside-domain",
                f"`{slot.name}` is {words}",
                value.span,
                "outside its domain",
                labels=(Label(slot.span, "declared here"),),
            )


def literal(core: c.Core) -> Fraction | None:
    """Return the number that *core* writes out, None when it is not one."""
    return core.value if isinstance(core, c.Literal) else None


def outside(slot: d.Param, value: Fraction) -> str | None:
    """Return what the literal domain of *slot* asks for, None when *value* is inside."""
    if slot.choices:
        allowed = [literal(choice) for choice in slot.choices]
        if None not in allowed and value not in allowed:
            return "one of " + ", ".join(choice.span.text for choice in slot.choices)
        return None
    kind = slot.type
    if not isinstance(kind, NumberType):
        return None
    if kind.kind == "count" and value.denominator != 1:
        return "a whole number"
    low = literal(slot.low) if slot.low is not None else None
    if slot.low is None and kind.kind == "count" and value < 1:
        return "at least 1"
    if slot.low is None and kind.kind == "real" and value <= 0:
        return "above 0"
    if low is not None and value < low and slot.low is not None:
        return f"at least {slot.low.span.text}"
    high = literal(slot.high) if slot.high is not None else None
    if high is not None and value > high and slot.high is not None:
        return f"at most {slot.high.span.text}"
    return None
