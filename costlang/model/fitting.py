"""Whether an expression fits where it stands, and what to say when it does not."""

from __future__ import annotations

import re

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.context import Context
from costlang.model.missing import broken
from costlang.model.scoped import names_of_dimension
from costlang.model.types import (
    ANY,
    BROKEN,
    BoolType,
    NumberType,
    RecordType,
    TableType,
    Type,
)
from costlang.syntax import tree
from costlang.text import Edit, Label, Span
from costlang.units import NONE, Dimension, compare_lines, missing_factor


def origin(found: c.Core) -> str:
    """Return `, from file:line:column` where a named thing was declared, else nothing."""
    slot = found.slot if isinstance(found, (c.Own, c.Get)) else None
    if isinstance(found, c.TopRef):
        return f", from {found.decl.span.place}"
    return f", from {slot.span.place}" if slot is not None else ""


def dimension_words(found: c.Core) -> str:
    """Return what *found* is, and where it was declared."""
    kind = found.type
    words = str(kind.dimension) if isinstance(kind, NumberType) and kind.dimension else kind.words
    return words + origin(found)


TOKENS = Dimension.of("tok")


REQUESTS = Dimension.of("req")


def dimension_of(core: c.Core) -> Dimension:
    """Return the dimension of a number, none for `0` and `inf`."""
    assert isinstance(core.type, NumberType)
    return core.type.dimension if core.type.dimension is not None else NONE


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
        dimension_words(right),
        labels=(Label(left.span, dimension_words(left)),),
        notes=compare_lines(a, b),
        help=_factor_help(context, a, b),
    )
    return BROKEN


def _factor_help(context: Context, a: Dimension, b: Dimension) -> str | None:
    """Say which one factor the right side lacks, or has too many, and which name would bring it."""
    return _factor_words(context, a, b, "the right side")


def _factor_words(context: Context, wanted: Dimension, actual: Dimension, what: str) -> str | None:
    factor = missing_factor(wanted, actual)
    if factor is None:
        return None
    if any(power < 0 < actual.power_of(base) for base, power in factor.exponents):
        return f"{what} has a factor in {factor**-1} too many"
    names = names_of_dimension(context, context.scope, factor)
    known = f"; in scope: {', '.join(names)}" if names else ""
    return f"{what} lacks a factor in {factor}{known}"


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
            "not-a-number",
            f"{kind.words} is not a number",
            core.span,
            "a number belongs here",
            help=f"write `if {core.span.text} then 1 else 0`"
            if isinstance(kind, BoolType) and isinstance(core, (c.Own, c.Get, c.Local))
            else None,
        )
    return broken(core.span)


def _record_help(kind: RecordType) -> str | None:
    numbers = [
        name
        for name in kind.record.names()
        if isinstance(slot := kind.record.find(name), d.Param) and isinstance(slot.type, NumberType)
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
    return broken(core.span)


def bare(context: Context, core: c.Core, what: str) -> c.Core:
    """Return *core* if it is a number without dimension, else say that *what* must be one."""
    core = numeric(context, core)
    if core.type is BROKEN or dimension_of(core) == NONE:
        return core
    dimension = dimension_of(core)
    mend = f"divide by `1 {dimension}`" if dimension in (TOKENS, REQUESTS) else None
    context.report(
        "dimension-mismatch",
        f"{what} has no dimension",
        core.span,
        dimension_words(core),
        help=mend,
    )
    return broken(core.span)


def fit(
    context: Context,
    core: c.Core,
    wanted: Type,
    node: tree.Node,
    declared: Span | None = None,
) -> c.Core:
    """
    Return *core* if it is of kind *wanted*, else say what it is instead.

    *declared* is where the kind was stated, for the message.
    """
    if core.type is BROKEN or wanted is BROKEN:
        return core
    if isinstance(wanted, NumberType):
        core = numeric(context, core)
        if core.type is BROKEN or _fits_number(core, wanted):
            return core
        return _misfit_number(context, core, wanted, declared)
    if isinstance(wanted, RecordType) and isinstance(core.type, RecordType):
        if core.type.record.is_a(wanted.record):
            return core
        if core.type.record.broken_name("*") or wanted.record.broken_name("*"):
            return broken(core.span)
    elif core.type == wanted:
        return core
    context.report(
        "wrong-kind",
        f"{core.type.words} stands where {wanted.words} belongs",
        core.span,
        core.type.words,
        labels=(*_record_label(core.type), *_declared_label(core, wanted, declared)),
    )
    return broken(core.span)


def _declared_label(core: c.Core, wanted: Type, declared: Span | None) -> tuple[Label, ...]:
    """Point at where *wanted* was stated, unless that is beside the fault."""
    if declared is None or (declared.source, declared.line) == (core.span.source, core.span.line):
        return ()
    return (Label(declared, f"{wanted.words}, declared here"),)


def _record_label(kind: Type) -> tuple[Label, ...]:
    return (Label(kind.record.span, "declared here"),) if isinstance(kind, RecordType) else ()


def _fits_number(core: c.Core, wanted: NumberType) -> bool:
    assert isinstance(core.type, NumberType)
    return None in (core.type.dimension, wanted.dimension) or (
        core.type.dimension == wanted.dimension
    )


def _misfit_number(
    context: Context, core: c.Core, wanted: NumberType, declared: Span | None
) -> c.Core:
    expected = wanted.dimension if wanted.dimension is not None else NONE
    actual = dimension_of(core)
    context.report(
        "bare-number" if _is_bare(core, actual) else "dimension-mismatch",
        _misfit_title(core, wanted, actual),
        core.span,
        "no unit" if _is_bare(core, actual) else dimension_words(core),
        labels=_declared_label(core, wanted, declared),
        notes=compare_lines(expected, actual, ("expected", "found"))
        if actual != NONE and expected != NONE
        else (),
        help=_misfit_help(context, core, wanted, actual),
        edit=_billions(core, wanted, actual),
    )
    return broken(core.span)


def _is_bare(core: c.Core, actual: Dimension) -> bool:
    return isinstance(core, c.Literal) and actual == NONE


def _misfit_title(core: c.Core, wanted: NumberType, actual: Dimension) -> str:
    if _is_bare(core, actual):
        return f"this number needs a unit: {wanted.words} belongs here"
    if wanted.dimension == NONE:
        return f"{wanted.words} has no dimension, and this is in {actual}"
    return f"{wanted.words} belongs here, and this is in {actual}"


def _misfit_help(
    context: Context, core: c.Core, wanted: NumberType, actual: Dimension
) -> str | None:
    text = core.span.text.strip()
    if wanted.dimension == NONE and isinstance(core, c.Literal):
        return _bare_help(text, actual)
    if wanted.dimension is not None and wanted.dimension != NONE and actual != NONE:
        return _factor_words(context, wanted.dimension, actual, "this")
    return None


def _billions(core: c.Core, wanted: NumberType, actual: Dimension) -> Edit | None:
    """Mend `70 B` where a count belongs: seventy billion is the only thing it can mean."""
    found = re.fullmatch(r"([\d_.]+) ?B", core.span.text.strip())
    if found is None or actual != Dimension.of("B") or wanted.dimension != NONE:
        return None
    return Edit(core.span, f"{found[1]} G")


def _bare_help(text: str, actual: Dimension) -> str | None:
    """Say how a count is written that was given a unit: seventy billion, a width in tokens."""
    digits = re.match(r"[\d_.]+(?:[eE][+-]?\d+)?", text)
    if digits is None:
        return None
    number, unit = digits[0], text[digits.end() :].strip()
    if actual == Dimension.of("B") and unit == "B":
        return f"`B` is bytes; for billions write `{number} G` or `{number}e9`"
    if actual in (TOKENS, REQUESTS):
        prefix = unit.removesuffix("tok").removesuffix("req")
        return f"a width or a count has no unit: write `{f'{number} {prefix}'.strip()}`"
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
