"""What an expression is worth about one record, as it was declared: the value, and its source."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache

from costlang.answer.answers import Bounds, Missing, Result, Stood
from costlang.answer.stood import missing, stood
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model import exact
from costlang.model.algebra import Value
from costlang.model.check import Model
from costlang.model.context import Scope
from costlang.model.evaluate import TOO_MUCH, Evaluator
from costlang.model.faults import Fault
from costlang.model.infer import expression
from costlang.model.instances import Env, Instance, Member
from costlang.model.trace import Read
from costlang.model.types import BROKEN, NumberType
from costlang.model.work import TooMuchWork, sentence
from costlang.syntax import parse_expression
from costlang.syntax import tree as t
from costlang.text import Source
from costlang.units import Dimension


@dataclass(frozen=True)
class Worth:
    """
    A value in base units of its dimension; None where there is none.

    *origin* is `default` for what was taken by default and None for what was reckoned, *source*
    that of the one figure that it is; *unverified* are the figures below it that nobody has
    checked, *missing* the names that nothing sets, *way* is the expression that was asked, and
    *why* says why it has no value although nothing is missing.
    """

    value: Result = None
    dimension: Dimension | None = None
    origin: str | None = None
    source: str | None = None
    unverified: tuple[Stood, ...] = ()
    missing: tuple[Missing, ...] = ()
    way: str = ""
    why: str | None = None

    @property
    def is_reckoned(self) -> bool:
        """Whether it was worked out, or lacks something for that; and is no figure by itself."""
        itself = any(item.name.rsplit(".", 1)[-1] == self.way for item in self.missing)
        return self.origin is None and (self.value is not None or bool(self.missing and not itself))


NOTHING = Worth()


@dataclass(frozen=True, eq=False)
class Reader:
    """Reads expressions about the records of one program."""

    model: Model
    parsed: dict[str, t.Expr | None] = field(default_factory=dict)

    def first(self, record: d.RecordDecl, ways: tuple[str, ...]) -> Worth:
        """Return the first of several expressions that means something, and has a value."""
        found = [worth for way in ways if (worth := self.worth(record, way)) is not None]
        return next((each for each in found if each.value is not None), (*found, NOTHING)[0])

    def worth(self, record: d.RecordDecl, text: str) -> Worth | None:
        """Return what *text* is about *record*; None where its words mean nothing there."""
        core = self.meaning(record, text)
        return self.worth_of(record, core) if core is not None else None

    def meaning(self, record: d.RecordDecl, text: str) -> c.Core | None:
        """Return the expression *text* as *record* would understand it, None where it would not."""
        node = _parsed(text)
        if node is None:
            return None
        context = replace(self.model.context, diagnostics=[])
        core = expression(context, node, Scope(record.file, record))
        return None if core.type is BROKEN or context.diagnostics else core

    def worth_of(self, record: d.RecordDecl, core: c.Core) -> Worth:
        """Return what the expression *core* is about *record*."""
        evaluator = Evaluator()
        with sentence():
            try:
                value = evaluator.value(core, Env(evaluator.record(record)))
            except Fault as found:
                return Worth(why=found.diagnostic.message, way=_words(core))
            except TooMuchWork:
                return Worth(why=TOO_MUCH, way=_words(core))
            except ArithmeticError as found:
                return Worth(why=str(found) or "this has no value", way=_words(core))
        trace = evaluator.trace
        read = _itself(list(trace.reads.values()), value)
        names = tuple(sorted(value.names)) if isinstance(value, exact.Unknown) else ()
        return Worth(
            _plain(value),
            core.type.dimension if isinstance(core.type, NumberType) else None,
            read.kind if read is not None else None,
            read.source if read is not None else None,
            stood(trace)["unverified"],
            missing(names, trace),
            _words(core),
            "undecided" if isinstance(value, exact.Undecided) else None,
        )


def _words(core: c.Core) -> str:
    return " ".join(core.span.text.split())


@lru_cache(maxsize=512)
def _parsed(text: str) -> t.Expr | None:
    node, faults = parse_expression(Source("<figure>", text))
    return None if faults else node


def _itself(reads: list[Read], value: Value) -> Read | None:
    """Return what was read last of that which *value* is; None where it was reckoned."""
    return next((read for read in reversed(reads) if _same(read.value, value)), None)


def _same(one: object, other: Value) -> bool:
    if isinstance(one, Instance) and isinstance(other, Instance):
        return one.decl is other.decl
    return one is other


def _plain(value: Value) -> Result:
    match value:
        case bool() | Fraction():
            return value
        case Instance(decl=decl):
            return decl.name
        case Member(name=name):
            return name
        case exact.Interval(low, high, slopes):
            return Bounds(low, high, "outer" if slopes else "certified")
        case exact.Infinity(sign):
            return "inf" if sign > 0 else "-inf"
        case _:
            return None
