"""From a parse tree to the tree of a file: one short case a rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from lark import Token, Tree

from costlang.syntax import tree as t
from costlang.text import Source, Span

Raw = Any
"""A parse tree, a token, or None for a part that was left out."""

_UNIT_START = "0123456789_. \t"


def number_of(text: str) -> Fraction:
    """Return the exact number that *text* writes."""
    return Fraction(text.replace("_", ""))


@dataclass(frozen=True)
class Builder:
    """Builds the tree of *source*."""

    source: Source

    def span(self, raw: Raw) -> Span:
        """Return the place of *raw*."""
        if isinstance(raw, Token):
            return Span(self.source, raw.start_pos or 0, raw.end_pos or 0)
        if raw.meta.empty:
            return Span(self.source, 0, 0)
        return Span(self.source, raw.meta.start_pos, raw.meta.end_pos)

    def word(self, token: Raw) -> t.Word:
        """Return a name where it stands."""
        return t.Word(self.span(token), str(token))

    def maybe_word(self, token: Raw) -> t.Word | None:
        """Return a name, None when it was left out."""
        return self.word(token) if token is not None else None

    def unit(self, token: Token) -> t.UnitText:
        """Return a unit, without its brackets."""
        span = self.span(token)
        text = str(token)
        if text.startswith("["):
            return t.UnitText(Span(self.source, span.start + 1, span.end - 1), text[1:-1])
        return t.UnitText(span, text)

    # ---- expressions

    def expr(self, raw: Raw) -> t.Expr:
        """Return an expression."""
        kind = raw.data
        if kind in _BINARY:
            left, right = (self.expr(child) for child in raw.children)
            return t.Binary(self.span(raw), _BINARY[kind], left, right)
        return _EXPRESSIONS[kind](self, raw)

    def maybe_expr(self, raw: Raw) -> t.Expr | None:
        """Return an expression, None when it was left out."""
        return self.expr(raw) if raw is not None else None

    def number(self, raw: Raw) -> t.Expr:
        """Return a number without a unit."""
        return t.Number(self.span(raw), number_of(str(raw.children[0])), None)

    def quantity(self, raw: Raw) -> t.Expr:
        """Return a number with its unit."""
        token = raw.children[0]
        text, span = str(token), self.span(token)
        size = _digits(text)
        unit = text[size:].lstrip(" ")
        place = Span(self.source, span.end - len(unit), span.end)
        return t.Number(span, number_of(text[:size].strip()), t.UnitText(place, unit))

    def call(self, raw: Raw) -> t.Expr:
        """Return a call, or a sum."""
        function, *arguments = (child for child in raw.children if child is not None)
        over = next((a for a in arguments if a.data == "over_arg"), None)
        if over is not None and len(arguments) == 1 and _is_sum(function):
            return self.sum(raw, over)
        return t.Call(
            self.span(raw), self.expr(function), tuple(self.argument(a) for a in arguments)
        )

    def sum(self, raw: Raw, over: Raw) -> t.Expr:
        """Return `sum(over index in low..high: body)`."""
        index, low, _, high, body = over.children
        return t.Sum(
            self.span(raw), self.word(index), self.expr(low), self.expr(high), self.expr(body)
        )

    def argument(self, raw: Raw) -> t.Argument:
        """Return one argument of a call."""
        if raw.data == "named_arg":
            name, value = raw.children
            return t.Argument(self.span(raw), self.word(name), self.expr(value))
        return t.Argument(self.span(raw), None, self.expr(raw.children[-1]))

    # ---- pieces

    def type(self, raw: Raw) -> t.Type:
        """Return a kind as it was written."""
        inner = raw.children[0]
        if isinstance(inner, Token):
            return t.Type(self.span(raw), self.unit(inner), ())
        return t.Type(self.span(raw), None, self.path(inner))

    def path(self, raw: Raw) -> tuple[t.Word, ...]:
        """Return names with dots between them."""
        return tuple(self.word(token) for token in raw.children)

    def formals(self, raw: Raw) -> tuple[t.Formal, ...]:
        """Return the arguments of a declaration."""
        return tuple(self.formal(child) for child in raw.children if child is not None)

    def formal(self, raw: Raw) -> t.Formal:
        """Return one argument of a declaration."""
        given, name, kind, default = raw.children
        return t.Formal(
            self.span(raw),
            given is not None,
            self.word(name),
            self.type(kind),
            self.maybe_expr(default),
        )

    def domain(self, raw: Raw) -> t.Domain | None:
        """Return a domain, None when it was left out."""
        if raw is None:
            return None
        inner = raw.children[0]
        if inner.data == "choices":
            return t.SetDomain(self.span(inner), tuple(self.expr(e) for e in inner.children))
        low, _, high = inner.children
        return t.RangeDomain(self.span(inner), self.expr(low), self.maybe_expr(high))

    def range(self, raw: Raw) -> tuple[t.Expr, t.Expr | None]:
        """Return a value, and the upper end when it is a range."""
        value, _, high = raw.children
        return self.expr(value), self.maybe_expr(high)

    def source_of(self, raw: Raw) -> t.Provenance | None:
        """Return where a figure is from, None when nothing says so."""
        if raw is None:
            return None
        return t.Provenance(self.span(raw), str(raw.children[0])[1:-1])

    def alias(self, raw: Raw) -> t.Word | None:
        """Return a mathematical symbol, None when there is none."""
        return self.word(raw.children[0]) if raw is not None else None

    def at(self, raw: Raw) -> tuple[t.Binding, ...]:
        """Return the bindings after `at`."""
        return tuple(self.binding(child) for child in raw.children) if raw is not None else ()

    def binding(self, raw: Raw) -> t.Binding:
        """Return one binding."""
        target, value = raw.children
        found, high = self.range(value) if value is not None else (None, None)
        return t.Binding(self.span(raw), self.expr(target), found, high)

    def question(self, raw: Raw) -> t.Question:
        """Return a question."""
        ask, *tails = raw.children
        at = [b for tail in tails if tail.data == "at" for b in self.at(tail)]
        show = [self.unit(unit) for tail in tails if tail.data == "show" for unit in tail.children]
        parts = _ASKS[ask.data](self, ask)
        empty: dict[str, Any] = {
            "unknowns": (),
            "axes": (),
            "condition": None,
            "point": None,
        }
        return t.Question(
            self.span(raw),
            ask.data.removeprefix("ask_"),
            at=tuple(at),
            show=tuple(show),
            **{**empty, **parts},
        )

    def exprs(self, raw: Raw) -> tuple[t.Expr, ...]:
        """Return expressions with commas between them."""
        return tuple(self.expr(child) for child in raw.children)

    def axes(self, raw: Raw) -> tuple[t.Axis, ...]:
        """Return what a question runs over."""
        if raw is None:
            return ()
        return tuple(
            t.Axis(self.span(axis), self.expr(axis.children[0]), self.domain(axis.children[1]))
            for axis in raw.children
        )

    # ---- statements

    def member(self, raw: Raw) -> t.Member:
        """Return a statement with its documentation."""
        *docs, inner = raw.children
        made: t.Member = self.statement(inner, self.docs(docs))
        return made

    def docs(self, raw: list[Raw]) -> tuple[str, ...]:
        """Return the lines of documentation, without the marks."""
        return tuple(
            str(line)[2:].strip() for part in raw if part is not None for line in part.children
        )

    def statement(self, raw: Raw, docs: tuple[str, ...]) -> Any:
        """Return the statement or the declaration *raw*."""
        return _STATEMENTS[raw.data](self, raw, docs)

    def block(self, raw: Raw) -> tuple[t.Member, ...]:
        """Return the statements inside braces."""
        return tuple(self.member(child) for child in raw.children if child is not None)

    def file(self, raw: Raw) -> t.Tree:
        """Return a whole file."""
        edition: int | None = None
        imports: list[t.Import] = []
        declarations: list[Any] = []
        for child in raw.children:
            if child is None:
                continue
            if child.data == "edition":
                edition = int(str(child.children[0]).replace("_", ""))
            elif child.data == "import_":
                imports.append(self.import_(child))
            else:
                declarations.append(self.member(child))
        whole = Span(self.source, 0, len(self.source.text))
        return t.Tree(whole, self.source, edition, tuple(imports), tuple(declarations))

    def import_(self, raw: Raw) -> t.Import:
        """Return an import."""
        place, names = raw.children
        words = tuple(self.word(token) for token in names.children)
        if isinstance(place, Token):
            file = t.Word(self.span(place), str(place)[1:-1])
            return t.Import(self.span(raw), (), file, words)
        return t.Import(self.span(raw), self.path(place), None, words)


def _is_sum(function: Raw) -> bool:
    return function.data == "name" and str(function.children[0]) == "sum"


def _digits(text: str) -> int:
    from costlang.syntax.lexer import NUMBER

    found = NUMBER.match(text)
    return found.end() if found else 0


_BINARY = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "/",
    "pow": "^",
    "or_": "or",
    "and_": "and",
}


def _conditional(b: Builder, raw: Raw) -> t.Expr:
    condition, yes, no = (b.expr(child) for child in raw.children)
    return t.If(b.span(raw), condition, yes, no)


def _compare(b: Builder, raw: Raw) -> t.Expr:
    left, operator, right, within = raw.children
    return t.Compare(b.span(raw), str(operator), b.expr(left), b.expr(right), b.maybe_expr(within))


_EXPRESSIONS: dict[str, Callable[[Builder, Raw], t.Expr]] = {
    "number": Builder.number,
    "quantity": Builder.quantity,
    "call": Builder.call,
    "conditional": _conditional,
    "compare": _compare,
    "not_": lambda b, r: t.Unary(b.span(r), "not", b.expr(r.children[0])),
    "neg": lambda b, r: t.Unary(b.span(r), "-", b.expr(r.children[0])),
    "attribute": lambda b, r: t.Attribute(b.span(r), b.expr(r.children[0]), b.word(r.children[1])),
    "index": lambda b, r: t.Index(b.span(r), b.expr(r.children[0]), b.expr(r.children[1])),
    "true": lambda b, r: t.Boolean(b.span(r), True),
    "false": lambda b, r: t.Boolean(b.span(r), False),
    "inf": lambda b, r: t.Infinity(b.span(r)),
    "hole": lambda b, r: t.Hole(b.span(r)),
    "name": lambda b, r: t.Name(b.span(r), str(r.children[0])),
    "group": lambda b, r: b.expr(r.children[0]),
}


def _search(b: Builder, raw: Raw) -> dict[str, Any]:
    subject, axes, condition = raw.children
    return {
        "subjects": (b.expr(subject),),
        "axes": b.axes(axes),
        "condition": b.maybe_expr(condition),
    }


def _several(b: Builder, raw: Raw) -> dict[str, Any]:
    return {"subjects": b.exprs(raw.children[-1])}


_ASKS: dict[str, Callable[[Builder, Raw], dict[str, Any]]] = {
    "ask_eval": _several,
    "ask_sensitivity": _several,
    "ask_breakdown": _several,
    "ask_solve": lambda b, r: {
        "subjects": (b.expr(r.children[0]),),
        "unknowns": b.exprs(r.children[1]),
    },
    "ask_largest": _search,
    "ask_smallest": _search,
    "ask_sweep": lambda b, r: {
        "subjects": b.exprs(r.children[0]),
        "axes": b.axes(r.children[1]),
    },
    "ask_limit": lambda b, r: {
        "subjects": (b.expr(r.children[0]),),
        "unknowns": (b.expr(r.children[1]),),
        "point": b.expr(r.children[2]),
    },
}


def _param(b: Builder, raw: Raw, docs: tuple[str, ...]) -> t.Param:
    name, alias, kind, domain, default, source = raw.children
    value, high = b.range(default) if default is not None else (None, None)
    return t.Param(
        b.span(raw),
        docs,
        b.word(name),
        b.alias(alias),
        b.type(kind),
        b.domain(domain),
        value,
        high,
        b.source_of(source),
    )


def _let(b: Builder, raw: Raw, docs: tuple[str, ...]) -> t.Let:
    name, formals, alias, value, source = raw.children
    return t.Let(
        b.span(raw),
        docs,
        raw.data == "override_let",
        b.word(name),
        b.formals(formals) if formals is not None else None,
        b.alias(alias),
        b.expr(value),
        b.source_of(source),
    )


def _setting(b: Builder, raw: Raw, docs: tuple[str, ...]) -> t.Setting:
    target, value, source = raw.children
    found, high = b.range(value)
    return t.Setting(b.span(raw), docs, b.expr(target), found, high, b.source_of(source))


def _table(b: Builder, raw: Raw, docs: tuple[str, ...]) -> t.Table:
    name, alias, key, kind, rows = raw.children
    found = rows.children if rows is not None else []
    return t.Table(
        b.span(raw),
        docs,
        b.word(name),
        b.alias(alias),
        b.path(key),
        b.type(kind),
        tuple(_row(b, row) for row in found if row is not None),
    )


def _row(b: Builder, raw: Raw) -> t.Row:
    key, value, source = raw.children
    return t.Row(b.span(raw), b.word(key), b.expr(value), b.source_of(source))


def _term(b: Builder, raw: Raw, docs: tuple[str, ...]) -> t.Term:
    name, call = raw.children
    return t.Term(b.span(raw), docs, raw.data == "override_term", b.word(name), b.expr(call))


def _repeat(b: Builder, raw: Raw, docs: tuple[str, ...]) -> t.Repeat:
    count, index, block = raw.children
    return t.Repeat(b.span(raw), docs, b.expr(count), b.maybe_word(index), b.block(block))


def _check(b: Builder, raw: Raw, docs: tuple[str, ...]) -> t.Check:
    name, fact, at, source = raw.children
    return t.Check(b.span(raw), docs, b.word(name), b.expr(fact), b.at(at), b.source_of(source))


def _require(b: Builder, raw: Raw, docs: tuple[str, ...]) -> t.Require:
    name, condition = raw.children
    return t.Require(b.span(raw), docs, b.word(name), b.expr(condition))


def _law(b: Builder, raw: Raw, docs: tuple[str, ...]) -> t.Law:
    name, body, where = raw.children
    subject, *rest = body.children
    degree = None
    variables: tuple[t.Expr, ...] = ()
    if body.data == "homogeneous":
        degree, targets = b.expr(rest[0]), rest[1]
        variables = b.exprs(targets)
    elif rest:
        variables = (b.expr(rest[0]),)
    return t.Law(
        b.span(raw),
        docs,
        b.word(name),
        str(body.data),
        b.expr(subject),
        variables,
        degree,
        b.maybe_expr(where),
    )


def _use(b: Builder, raw: Raw, docs: tuple[str, ...]) -> t.Use:
    name, value = raw.children
    return t.Use(b.span(raw), docs, b.word(name), b.expr(value))


def _query(b: Builder, raw: Raw, docs: tuple[str, ...]) -> t.Query:
    name, question, source = raw.children
    return t.Query(b.span(raw), docs, b.word(name), b.question(question), b.source_of(source))


def _show(b: Builder, raw: Raw, docs: tuple[str, ...]) -> t.Show:
    return t.Show(b.span(raw), docs, tuple(b.unit(token) for token in raw.children))


def _resource(b: Builder, raw: Raw, docs: tuple[str, ...]) -> t.Resource:
    name, kind, default = raw.children
    return t.Resource(b.span(raw), docs, b.word(name), b.type(kind), b.maybe_expr(default))


def _unit(b: Builder, raw: Raw, docs: tuple[str, ...]) -> t.UnitDecl:
    name, value = raw.children
    return t.UnitDecl(b.span(raw), docs, b.word(name), b.maybe_expr(value))


def _enum(b: Builder, raw: Raw, docs: tuple[str, ...]) -> t.EnumDecl:
    name, members = raw.children
    words = tuple(b.word(token) for token in members.children)
    return t.EnumDecl(b.span(raw), docs, b.word(name), words)


def _record(b: Builder, raw: Raw, docs: tuple[str, ...]) -> t.Record:
    kind, name, parent, block = raw.children
    path = b.path(parent) if parent is not None else ()
    return t.Record(b.span(raw), docs, str(kind), b.word(name), path, b.block(block))


def _phase(b: Builder, raw: Raw, docs: tuple[str, ...]) -> t.Phase:
    name, formals, block = raw.children
    return t.Phase(b.span(raw), docs, b.word(name), b.formals(formals), (), b.block(block))


def _phase_is(b: Builder, raw: Raw, docs: tuple[str, ...]) -> t.Phase:
    name, parent, block = raw.children
    return t.Phase(b.span(raw), docs, b.word(name), None, b.path(parent), b.block(block))


def _op(b: Builder, raw: Raw, docs: tuple[str, ...]) -> t.Op:
    name, formals, block = raw.children
    return t.Op(b.span(raw), docs, b.word(name), b.formals(formals), b.block(block))


def _scenario(b: Builder, raw: Raw, docs: tuple[str, ...]) -> t.Scenario:
    name, block = raw.children
    return t.Scenario(b.span(raw), docs, b.word(name), b.block(block))


_STATEMENTS: dict[str, Callable[[Builder, Raw, tuple[str, ...]], Any]] = {
    "param": _param,
    "let": _let,
    "override_let": _let,
    "setting": _setting,
    "table": _table,
    "term": _term,
    "override_term": _term,
    "repeat": _repeat,
    "check": _check,
    "require": _require,
    "law": _law,
    "use": _use,
    "query": _query,
    "show": _show,
    "resource": _resource,
    "unit_decl": _unit,
    "enum_decl": _enum,
    "record": _record,
    "phase": _phase,
    "phase_is": _phase_is,
    "op": _op,
    "scenario": _scenario,
}


def build(raw: Tree[Token], source: Source) -> t.Tree:
    """Return the tree of a whole file."""
    return Builder(source).file(raw)
