"""The bodies of declarations: definitions, settings, terms, facts and questions, checked."""

from __future__ import annotations

from fractions import Fraction

from costlang.model import core as c
from costlang.model import declared as d
from costlang.model import names
from costlang.model.context import Context, Scope, formal_types
from costlang.model.infer import (
    bare,
    counted,
    expression,
    fit,
    numeric,
    shared_unit,
    truth,
)
from costlang.model.slots import fill_defaults, make_formals, slot_type, written_type
from costlang.model.targets import target
from costlang.model.types import (
    BROKEN,
    BoolType,
    EnumType,
    NumberType,
    OpType,
    PhaseType,
    RecordType,
    Type,
)
from costlang.syntax import tree
from costlang.text import Label
from costlang.units import NONE, UnitFault


def scope_of(owner: d.Owner) -> Scope:
    """Return the scope of an expression that stands directly in *owner*."""
    return Scope(owner.file, owner)


# ---- definitions


def open_let(context: Context, slot: d.Let) -> None:
    """Find the kind of the definition *slot*, and its checked body."""
    node = slot.node
    assert node is not None
    owner = slot.owner if slot.owner.node is not None else None
    scope = Scope(slot.owner.file, owner, replacing=slot if slot.replaced else None)
    if node.formals is not None:
        slot.formals = make_formals(context, node.formals, slot.owner.file)
        outer = Scope(scope.file, owner)
        fill_defaults(context, node.formals, slot.formals, outer)
        scope = scope.with_locals(formal_types(slot.formals))
    wanted = slot_type(context, slot.replaced) if slot.replaced else None
    value = expression(context, node.value, scope, wanted)
    if wanted is not None and slot.replaced is not None:
        value = _replacing(context, slot, value, wanted)
    value = _finite(context, value)
    slot.value = value
    slot.type = value.type


def _replacing(context: Context, slot: d.Let, value: c.Core, wanted: Type) -> c.Core:
    assert slot.node is not None and slot.replaced is not None
    if isinstance(wanted, NumberType) and isinstance(value.type, NumberType):
        if wanted.dimension is not None and value.type.dimension not in (None, wanted.dimension):
            context.report(
                "dimension-mismatch",
                "an override keeps the dimension of what it replaces",
                value.span,
                names.dimension_words(value),
                labels=(Label(slot.replaced.span, f"{wanted.words}, declared here"),),
            )
            return names.broken(value.span)
        return value
    return fit(context, value, wanted, slot.node.value)


def _finite(context: Context, value: c.Core) -> c.Core:
    if isinstance(value, c.Infinite):
        context.report(
            "infinite",
            "`inf` is a bound, an argument of `min` or `max`, or the value of a parameter",
            value.span,
            "not the value of a definition",
        )
        return names.broken(value.span)
    return value


# ---- parameters and tables


def declare_kinds(context: Context, owner: d.Owner) -> None:
    """Find the written kinds of the parameters, tables and formals of *owner*."""
    _formals(context, owner)
    for slot in list(owner.slots.values()):
        if isinstance(slot, d.Param) and slot.node is not None:
            slot.type = written_type(context, slot.node.type, owner.file)
        elif isinstance(slot, d.Table) and slot.node is not None:
            _table_kind(context, slot)


def _formals(context: Context, owner: d.Owner) -> None:
    node = owner.node
    if not isinstance(node, (tree.Phase, tree.Op)) or node.formals is None:
        return
    assert isinstance(owner, (d.PhaseDecl, d.OpDecl))
    owner.formals = make_formals(context, node.formals, owner.file)
    for formal in owner.formals:
        earlier = owner.slots.get(formal.name)
        if earlier is not None:
            context.report(
                "declared-twice",
                f"`{formal.name}` is already an argument here",
                earlier.span,
                "declared again here",
                labels=(Label(formal.span, "first declared here"),),
            )
        owner.slots[formal.name] = d.FormalSlot(formal.name, formal.span, owner, formal=formal)


def _table_kind(context: Context, table: d.Table) -> None:
    node = table.node
    assert node is not None
    word = node.key[-1]
    enum = table.owner.file.find(word.text)
    table.type = written_type(context, node.type, table.owner.file)
    if isinstance(enum, d.EnumDecl):
        table.key = enum
    elif enum is None and word.text not in table.owner.file.broken:
        names.unknown_name(context, word.text, word.span, table.owner.file, None)
    elif enum is not None:
        context.report(
            "not-an-enum",
            f"a table is a map over an enum, and `{word.text}` is none",
            word.span,
            "",
            labels=(Label(enum.span, "declared here"),),
        )


def check_values(context: Context, owner: d.Owner) -> None:
    """Check the domains, defaults and rows of *owner*."""
    node = owner.node
    scope = scope_of(owner)
    if isinstance(node, (tree.Phase, tree.Op)) and node.formals is not None:
        assert isinstance(owner, (d.PhaseDecl, d.OpDecl))
        fill_defaults(context, node.formals, owner.formals, scope)
    for slot in list(owner.slots.values()):
        if isinstance(slot, d.Param):
            _param(context, slot, scope)
        elif isinstance(slot, d.Table):
            _rows(context, slot, scope)


def check_members(context: Context, owner: d.Owner) -> None:
    """Check the definitions and statements of *owner*."""
    node = owner.node
    scope = scope_of(owner)
    for slot in list(owner.slots.values()):
        slot_type(context, slot)
    members: tuple[tree.Member, ...] = getattr(node, "members", ())
    for member in members:
        _member(context, owner, member, scope)


def _param(context: Context, slot: d.Param, scope: Scope) -> None:
    node = slot.node
    assert node is not None
    if slot.type is BROKEN:
        return
    _domain(context, slot, node.domain, scope)
    if node.default is None:
        return
    nodes = shared_unit((node.default, node.high) if node.high is not None else (node.default,))
    values = [_value(context, item, slot.type, scope) for item in nodes]
    slot.default = values[0]
    slot.default_high = values[1] if len(values) > 1 else None
    _inside(context, slot, values)


def _domain(context: Context, slot: d.Param, node: tree.Domain | None, scope: Scope) -> None:
    if isinstance(node, tree.RangeDomain):
        ends = shared_unit((node.low, node.high) if node.high is not None else (node.low,))
        values = [_value(context, item, slot.type, scope) for item in ends]
        slot.low = values[0]
        slot.high = values[1] if len(values) > 1 else None
    elif isinstance(node, tree.SetDomain):
        items = shared_unit(node.items)
        slot.choices = tuple(_value(context, item, slot.type, scope) for item in items)


def _value(context: Context, node: tree.Expr, wanted: Type, scope: Scope) -> c.Core:
    value = counted(expression(context, node, scope, wanted), wanted, node)
    return fit(context, value, wanted, node)


def _inside(context: Context, slot: d.Param, values: list[c.Core]) -> None:
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


def _rows(context: Context, table: d.Table, scope: Scope) -> None:
    assert table.node is not None
    for row in table.node.rows:
        key = row.key.text
        if table.key is None or table.type is BROKEN:
            return
        if key not in table.key.members:
            near = names.near_names(key, table.key.members)
            context.report(
                "unknown-member",
                f"`{table.key.name}` has no member `{key}`",
                row.key.span,
                "no such row",
                help=names.did_you_mean(near),
            )
            continue
        if key in table.rows:
            _set_twice(context, f"{table.name}[{key}]", row.key, table.rows[key])
            continue
        value = _value(context, row.value, table.type, scope)
        source = row.source.text if row.source else None
        path = (table.name, f"[{key}]")
        table.rows[key] = d.Setting(path, row.span, value, None, table.type, source)


def _set_twice(context: Context, name: str, node: tree.Node, earlier: d.Setting) -> None:
    context.report(
        "set-twice",
        f"`{name}` is set twice in one block",
        node.span,
        "set again here",
        labels=(Label(earlier.span, "first set here"),),
    )


# ---- statements


def _member(context: Context, owner: d.Owner, node: tree.Member, scope: Scope) -> None:
    match node:
        case tree.Setting():
            setting = read_setting(context, node, scope)
            if setting is None:
                return
            if setting.path in owner.settings:
                _set_twice(
                    context, node.target.span.text, node.target, owner.settings[setting.path]
                )
                return
            owner.settings[setting.path] = setting
        case tree.Check():
            _check(context, owner, node, scope)
        case tree.Require():
            condition = truth(context, expression(context, node.condition, scope))
            owner.requires.append(d.Requirement(node.name.text, node.name.span, owner, condition))
        case tree.Law():
            _law(context, owner, node, scope)
        case tree.Show() if isinstance(owner, d.ScenarioDecl):
            owner.show = (*owner.show, *known_units(context, owner.file, node.units))


def read_setting(
    context: Context, node: tree.Setting | tree.Binding, scope: Scope
) -> d.Setting | None:
    """Return the setting that *node* makes, None after a message."""
    found = target(context, node.target, scope)
    if found is None or node.value is None:
        return None
    path, wanted = found
    nodes = shared_unit((node.value, node.high) if node.high is not None else (node.value,))
    values = [_value(context, item, wanted, scope) for item in nodes]
    if any(value.type is BROKEN for value in values):
        return None
    source = node.source.text if isinstance(node, tree.Setting) and node.source else None
    high = values[1] if len(values) > 1 else None
    if high is not None and _upside_down(context, node, values):
        return None
    slot = _slot_at(context, node.target, scope)
    if isinstance(slot, d.Param):
        _inside(context, slot, values)
    return d.Setting(path, node.span, values[0], high, wanted, source)


def _upside_down(context: Context, node: tree.Node, values: list[c.Core]) -> bool:
    low, high = literal(values[0]), literal(values[1])
    if low is None or high is None or low <= high:
        return False
    context.report(
        "upside-down-range", "this range ends below its beginning", node.span, "no value lies in it"
    )
    return True


def _slot_at(context: Context, node: tree.Expr, scope: Scope) -> d.Slot | None:
    from costlang.model.targets import _walk

    found = _walk(context, node, scope)
    return found.slot if isinstance(found, (c.Own, c.Get)) else None


def _check(context: Context, owner: d.Owner, node: tree.Check, scope: Scope) -> None:
    fact = truth(context, expression(context, node.fact, scope))
    at, _ = bindings(context, node.at, scope)
    source = node.source.text if node.source else None
    if fact.type is not BROKEN:
        owner.checks.append(d.Fact(node.name.text, node.name.span, owner, fact, at, source))


def _law(context: Context, owner: d.Owner, node: tree.Law, scope: Scope) -> None:
    subject = expression(context, node.subject, scope)
    subject = truth(context, subject) if node.kind == "holds" else numeric(context, subject)
    variables = tuple(numeric(context, expression(context, v, scope)) for v in node.variables)
    degree = (
        bare(context, expression(context, node.degree, scope), "a degree") if node.degree else None
    )
    where = truth(context, expression(context, node.where, scope)) if node.where else None
    name, span = node.name.text, node.name.span
    owner.laws.append(d.LawDecl(name, span, owner, node.kind, subject, variables, degree, where))


# ---- terms


def read_terms(context: Context, owner: d.Owner) -> None:
    """Check the terms that stand in *owner*."""
    members: tuple[tree.Member, ...] = getattr(owner.node, "members", ())
    owner.terms = _terms(context, owner, members, scope_of(owner), top=True)
    if isinstance(owner, d.OpDecl) and owner.terms:
        _never_both(context, owner)


def _never_both(context: Context, op: d.OpDecl) -> None:
    stated = next(
        (s for s in op.slots.values() if isinstance(s, d.Let) and s.name in context.resources), None
    )
    if stated is not None:
        context.report(
            "both-simple-and-composite",
            f"`{op.name}` states `{stated.name}` and has terms as well",
            stated.span,
            "an operator is simple or made of terms, never both",
            labels=(Label(op.terms[0].span, "a term"),),
        )


def _terms(
    context: Context,
    owner: d.Owner,
    members: tuple[tree.Member, ...],
    scope: Scope,
    *,
    top: bool,
) -> list[d.Term | d.Repeat]:
    found: list[d.Term | d.Repeat] = []
    labels: dict[str, d.Term] = {}
    for node in members:
        if isinstance(node, tree.Term):
            term = _term(context, node, scope)
            if node.override:
                _override_term(context, owner, node, term)
            elif node.name.text in labels:
                context.report(
                    "declared-twice",
                    f"two terms here are called `{node.name.text}`",
                    node.name.span,
                    "again here",
                    labels=(Label(labels[node.name.text].span, "first here"),),
                )
            else:
                labels[node.name.text] = term
                found.append(term)
        elif isinstance(node, tree.Repeat):
            found.append(_repeat(context, owner, node, scope))
    return found


def _term(context: Context, node: tree.Term, scope: Scope) -> d.Term:
    call = expression(context, node.call, scope)
    if call.type is not BROKEN and not isinstance(call.type, OpType):
        context.report(
            "not-an-operator",
            "a term is a call of an operator",
            node.call.span,
            call.type.words,
        )
        call = names.broken(call.span)
    return d.Term(node.name.text, node.name.span, call, call.type)


def _override_term(context: Context, owner: d.Owner, node: tree.Term, term: d.Term) -> None:
    inherited = names.all_terms(owner.parent) if owner.parent is not None else []
    if term.label in _all_labels(inherited):
        owner.overrides[term.label] = term
        return
    context.report(
        "nothing-to-override",
        f"no inherited term is called `{term.label}`",
        node.name.span,
        "nothing here is replaced",
    )


def _all_labels(nodes: list[d.Term | d.Repeat]) -> set[str]:
    labels: set[str] = set()
    for node in nodes:
        if isinstance(node, d.Term):
            labels.add(node.label)
        else:
            labels |= _all_labels(node.body)
    return labels


def _repeat(context: Context, owner: d.Owner, node: tree.Repeat, scope: Scope) -> d.Repeat:
    count = bare(context, expression(context, node.count, scope), "the number of copies")
    inside = scope
    if node.index is not None:
        inside = scope.with_locals({node.index.text: NumberType(NONE, "index")})
    body = _terms(context, owner, node.body, inside, top=False)
    segment = node.count.text if isinstance(node.count, tree.Name) else None
    index = node.index.text if node.index else None
    return d.Repeat(node.span, count, index, segment, body)


# ---- scenarios


def open_use(context: Context, slot: d.UseSlot) -> None:
    """Find what `use name = …` binds."""
    node = slot.node
    assert node is not None
    scope = scope_of(slot.owner)
    value = _used_value(context, slot, node, scope)
    slot.value = value
    slot.type = value.type
    if value.type is not BROKEN and not isinstance(value.type, (PhaseType, RecordType)):
        context.report(
            "not-usable",
            f"{value.type.words} cannot be used so",
            node.value.span,
            "a phase with what it is given, a record, or another use",
        )
        slot.type = BROKEN


def _used_value(context: Context, slot: d.UseSlot, node: tree.Use, scope: Scope) -> c.Core:
    if isinstance(node.value, tree.Name):
        own = slot.owner.find(node.value.text)
        if isinstance(own, d.UseSlot):
            slot.base = own.name
            kind = slot_type(context, own, node.value.span)
            return c.Own(node.value.span, kind, own.name, own)
    return expression(context, node.value, scope)


def open_query(context: Context, slot: d.QuerySlot) -> None:
    """Find the kind of the answer to a question, and check the question."""
    node = slot.node
    assert node is not None
    slot.question = read_question(context, node.question, scope_of(slot.owner))
    slot.type = answer_type(slot.question)


def answer_type(question: d.Question) -> Type:
    """Return the kind of the value by which others can use the answer."""
    if question.kind in ("solve", "largest", "smallest") and question.unknown_types:
        if question.kind != "solve" and question.axes:
            return question.subjects[0].type
        return question.unknown_types[0] if len(question.unknown_types) == 1 else BROKEN
    if question.kind in ("eval", "limit") and len(question.subjects) == 1:
        return question.subjects[0].type
    if question.kind in ("largest", "smallest") and question.subjects:
        return question.subjects[0].type
    return BROKEN


def answer_field(context: Context, slot: d.QuerySlot, name: str, span: object) -> c.Core | None:
    """Return `fit.alpha`: one of several unknowns of a question."""
    from costlang.text import Span

    assert isinstance(span, Span)
    slot_type(context, slot)
    question = slot.question
    if question is None:
        return None
    for path, kind in zip(question.unknowns, question.unknown_types, strict=True):
        if path and path[-1] == name:
            return c.Asked(span, kind, slot.name, name)
    return None


def read_question(context: Context, node: tree.Question, scope: Scope) -> d.Question:
    """Return *node* with its names resolved."""
    subjects = tuple(_subject(context, node, item, scope) for item in node.subjects)
    unknown = [target(context, item, scope) for item in node.unknowns]
    found = [item for item in unknown if item is not None]
    at, asked = bindings(context, node.at, scope)
    axes = tuple(a for item in node.axes if (a := _axis(context, item, scope)) is not None)
    condition = (
        truth(context, expression(context, node.condition, scope)) if node.condition else None
    )
    point = expression(context, node.point, scope) if node.point is not None else None
    return d.Question(
        node.kind,
        node,
        subjects,
        tuple(path for path, _ in found),
        tuple(kind for _, kind in found),
        axes,
        condition,
        point,
        at,
        asked,
        known_units(context, scope.file, node.show),
    )


def _subject(context: Context, node: tree.Question, item: tree.Expr, scope: Scope) -> c.Core:
    value = expression(context, item, scope)
    if node.kind == "solve":
        return truth(context, value)
    if node.kind == "eval" and isinstance(value.type, (BoolType, EnumType)):
        return value
    return numeric(context, value)


def bindings(
    context: Context, nodes: tuple[tree.Binding, ...], scope: Scope
) -> tuple[tuple[d.Setting, ...], tuple[str, ...]]:
    """Return the settings after `at`, and the questions whose optimum is taken over."""
    settings: list[d.Setting] = []
    asked: list[str] = []
    for node in nodes:
        if node.value is None:
            name = _asked_name(context, node, scope)
            if name is not None:
                asked.append(name)
            continue
        setting = read_setting(context, node, scope)
        if setting is None:
            continue
        if any(setting.path == other.path for other in settings):
            earlier = next(other for other in settings if other.path == setting.path)
            _set_twice(context, node.target.span.text, node.target, earlier)
            continue
        settings.append(setting)
    return tuple(settings), tuple(asked)


def _asked_name(context: Context, node: tree.Binding, scope: Scope) -> str | None:
    name = node.target.text if isinstance(node.target, tree.Name) else node.target.span.text
    slot = scope.owner.find(name) if scope.owner is not None else None
    if isinstance(slot, d.QuerySlot):
        return name
    context.report(
        "not-a-question",
        f"`at {name}` needs a value, or the name of a question",
        node.span,
        "neither",
        help=f"write `{name} = …`",
    )
    return None


def _axis(context: Context, node: tree.Axis, scope: Scope) -> d.Axis | None:
    found = target(context, node.name, scope)
    if found is None:
        return None
    path, wanted = found
    if isinstance(node.domain, tree.SetDomain):
        items = shared_unit(node.domain.items)
        values = tuple(_value(context, item, wanted, scope) for item in items)
        return d.Axis(path, node.span, wanted, values, None, None)
    if isinstance(node.domain, tree.RangeDomain):
        low, high = node.domain.low, node.domain.high
        ends = shared_unit((low, high) if high is not None else (low,))
        cores = [_value(context, item, wanted, scope) for item in ends]
        return d.Axis(path, node.span, wanted, (), cores[0], cores[1] if len(cores) > 1 else None)
    return d.Axis(path, node.span, wanted, (), None, None)


def known_units(
    context: Context, file: d.FileScope, nodes: tuple[tree.UnitText, ...]
) -> tuple[tree.UnitText, ...]:
    """Return those of *nodes* that are units; the others are reported."""
    good = []
    for node in nodes:
        unit = file.units.parse(node.text)
        if isinstance(unit, UnitFault):
            context.report(unit.code, unit.message, node.span, "after `show`", help=unit.help)
        else:
            good.append(node)
    return tuple(good)
