"""Specs as Python objects: formulas that know how to answer and to present themselves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from costlang import pipeline
from costlang.answer import Answer, Bounds, Report
from costlang.answer.lowered import Formula as Lowered
from costlang.answer.parts import Breakdown, breakdown
from costlang.answer.sweep import Sweep
from costlang.emit.message import render
from costlang.emit.table import csv_text, json_lines, records, table_lines, to_xarray
from costlang.emit.values import DIGITS, value_text
from costlang.model import declared as d
from costlang.model.check import Model
from costlang.model.work import TooMuchWork, roomy, sentence
from costlang.prove.effort import CASES, Effort
from costlang.prove.outcome import Ledger
from costlang.text import Diagnostic, Label, Source, Span
from costlang.units import NONE, Dimension, Unit, UnitFault, UnitTable, choose_unit

if TYPE_CHECKING:
    from costlang.formula.compiled import Compiled
    from costlang.solution import Solution

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_STEP = re.compile(r"(?<=[A-Za-z0-9])__(?=[A-Za-z0-9])")
"""Two underscores between two words, and not those of `__class__`."""
Bindable = int | float | Fraction | str | bool
"""A number for a counted thing or a count, or words of the language: `"2000 tok"`, `"fp8"`."""


class SpecError(Exception):
    """A spec, or a question about it, that cannot be used: carries every diagnostic."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.diagnostics = diagnostics
        super().__init__("\n" + render(diagnostics).rstrip())


_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")


def _bounded(work: Callable[_Given, _Made]) -> Callable[_Given, _Made]:
    """Let *work* nest as deep as on the command line, within the budget of one sentence."""

    @wraps(work)
    def inside(*args: _Given.args, **names: _Given.kwargs) -> _Made:
        try:
            with roomy(), sentence():
                return work(*args, **names)
        except TooMuchWork:
            words = "too-much-work", "this takes more work than is done for one question"
        except RecursionError:
            words = "nesting-too-deep", "this nests deeper than is worked out"
        place = Label(Span(Source("<python>", work.__name__), 0, len(work.__name__)), "asked here")
        raise SpecError((Diagnostic(*words, place),))

    return inside


def load(path: str | Path) -> Spec:
    """
    Return the spec in the file *path*.

    Raises `SpecError` with all mistakes of the file and of what it imports.
    """
    return _spec(Path(path))


def loads(text: str, name: str = "<text>") -> Spec:
    """Return the spec that *text* writes; *name* is how messages call it."""
    return _spec(Source(name, text))


@_bounded
def _spec(entry: Path | Source) -> Spec:
    model = pipeline.model_of(entry)
    if not model.sound:
        raise SpecError(model.diagnostics)
    return Spec(model)


@dataclass(frozen=True)
class Spec:
    """A checked file."""

    model: Model

    @property
    def scenarios(self) -> Mapping[str, Scenario]:
        """The scenarios of the file by name, in order."""
        found = self.model.scenarios().items()
        return {name: Scenario(self.model, decl) for name, decl in found}

    def scenario(self, name: str) -> Scenario:
        """Return the scenario *name*; raises `KeyError` that lists the ones there are."""
        known = self.scenarios
        if name not in known:
            raise KeyError(f"no scenario {name!r}; there are: {', '.join(known) or 'none'}")
        return known[name]

    @_bounded
    def run(self) -> Report:
        """Return the checks and the answers of the file."""
        return pipeline.run_model(self.model)

    def prove(self, cases: int = CASES, seed: int = 0) -> Ledger:
        """
        Return how the laws of the file end, each with its proof, its cases or its counterexample.

        *cases* points from a *seed* are looked at where no rule proves a law.
        """
        return pipeline.prove_model(self.model, Effort(cases, seed))

    def __repr__(self) -> str:
        return f"<spec {self.model.entry}: {', '.join(self.scenarios) or 'no scenario'}>"


@dataclass(frozen=True)
class Scenario:
    """A scenario: what it uses by key, its questions by name, and any other question in words."""

    model: Model
    decl: d.ScenarioDecl

    def __getitem__(self, name: str) -> Use:
        """Return what the scenario uses under *name*."""
        if not any(use.name == name for use in self.decl.uses()):
            names = ", ".join(use.name for use in self.decl.uses()) or "nothing"
            raise KeyError(f"no use {name!r}; this scenario uses: {names}")
        return Use(self, name)

    def formula(self, text: str) -> Formula:
        """Return the formula of the expression *text*, in the words of the language."""
        return Formula(self, text)

    @_bounded
    def ask(self, question: str, /, **at: Bindable) -> tuple[Answer, ...]:
        """
        Return the answers to *question*, or to the question of the scenario with that name.

        Raises `SpecError` for words that cannot be read.
        """
        return self._asked(question, "", at)

    def _asked(self, question: str, use: str, at: Mapping[str, Bindable]) -> tuple[Answer, ...]:
        found = pipeline.ask_scenario(self.model, self.decl, question, _bindings(use, at))
        if not found.usable:
            raise SpecError(found.diagnostics)
        return found.answers

    def sweep(self, question: str, /, **at: Bindable) -> Table:
        """
        Return the table of a `sweep`: `scenario.sweep("sweep latency over batch in {1, 8}")`.

        Raises `SpecError` for words that cannot be read, `ValueError` for another question.
        """
        (answer,) = self.ask(question, **at)
        if answer.note is not None:
            raise ValueError(answer.note.message)
        if answer.sweep is None:
            raise ValueError(f"{question!r} is no sweep")
        return Table(answer.sweep)

    def solve(self, equation: str, /, for_: str, **at: Bindable) -> Solution:
        """
        Return the values of *for_* for which *equation* holds: an equation or an inequality.

        Raises `SpecError` for words that cannot be read, `ValueError` for what is not answered.
        """
        return self._solution(f"solve {equation} for {for_}", at)

    def largest(self, name: str, /, with_: str | None = None, **at: Bindable) -> Solution:
        """Return the largest value of *name* that keeps *with_* and all requirements."""
        return self._solution(f"largest {name}{f' with {with_}' if with_ else ''}", at)

    def smallest(self, name: str, /, with_: str | None = None, **at: Bindable) -> Solution:
        """Return the smallest value of *name* that keeps the conditions *with_*."""
        return self._solution(f"smallest {name}{f' with {with_}' if with_ else ''}", at)

    @_bounded
    def _solution(self, question: str, at: Mapping[str, Bindable], use: str = "") -> Solution:
        from costlang.solution import Solution

        (answer,) = self._asked(question, use, at)
        if answer.note is not None or answer.solved is None:
            why = answer.note.message if answer.note is not None else "nothing is sought in it"
            raise ValueError(f"{question!r} is not answered: {why}")
        return Solution(answer)

    def __repr__(self) -> str:
        uses = ", ".join(use.name for use in self.decl.uses())
        return f"<scenario {self.decl.name}: uses {uses or 'nothing'}>"


@dataclass(frozen=True)
class Use:
    """A phase or a record in use; its definitions and parameters are attributes, as formulas."""

    scenario: Scenario
    name: str

    def __getattr__(self, name: str) -> Formula:
        """Return the formula of the definition or parameter *name*."""
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: str) -> Formula:
        """Return the formula of a name, of a path (`model.batch`) or of a row (`peak[bf16]`)."""
        return Formula(self.scenario, f"{self.name}.{name}", self.name)

    def solve(self, equation: str, /, for_: str, **at: Bindable) -> Solution:
        """
        Return the values of *for_* for which *equation* holds, names being those of this use.

        `decode.solve("t_compute == t_memory", for_="batch")`
        """
        return self._sought(f"solve {self._full(equation)} for {self._full(for_)}", at)

    def largest(self, name: str, /, with_: str | None = None, **at: Bindable) -> Solution:
        """Return the largest value of *name* that keeps the conditions and all requirements."""
        return self._sought(f"largest {self._full(name)}{self._with(with_)}", at)

    def smallest(self, name: str, /, with_: str | None = None, **at: Bindable) -> Solution:
        """Return the smallest value of *name* that keeps the conditions."""
        return self._sought(f"smallest {self._full(name)}{self._with(with_)}", at)

    def _with(self, condition: str | None) -> str:
        return f" with {self._full(condition)}" if condition is not None else ""

    def _sought(self, question: str, at: Mapping[str, Bindable]) -> Solution:
        return self.scenario._solution(question, at, self.name)

    def _full(self, text: str) -> str:
        return pipeline.qualified(self.scenario.model, self.scenario.decl, self.name, text)

    def __repr__(self) -> str:
        return f"<use {self.name} of {self.scenario.decl.name}>"


@dataclass(frozen=True)
class Formula:
    """
    A formula: `repr` shows it, a notebook renders it.

    Numbers of `.sympy` and `.compile()` are in base units: B, FLOP, s, J, tok, req, $.
    """

    scenario: Scenario
    text: str
    use: str = ""
    bound: tuple[str, ...] = ()
    _cache: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @_bounded
    def __post_init__(self) -> None:
        found = pipeline.formula_in(self.scenario.model, self.scenario.decl, self.text, self.bound)
        if isinstance(found, tuple):
            raise SpecError(found)
        self._cache["lowered"] = found

    @property
    def lowered(self) -> Lowered:
        """The graph, with what makes further nodes of it."""
        found: Lowered = self._cache["lowered"]
        return found

    @property
    def dimension(self) -> Dimension:
        """The dimension of its value."""
        return self.lowered.dimension

    @property
    def free(self) -> tuple[str, ...]:
        """The names that nothing sets, and that have no default."""
        return tuple(symbol.name for symbol in self.lowered.free)

    # ---- numbers

    @_bounded
    def at(self, /, **names: Bindable) -> Quantity:
        """
        Return the value under bindings: `at(batch=32, context="2000 tok")`.

        A path is written with two underscores: `at(hardware__price="4 $/h")`. Raises `SpecError`
        for a name that is not there, and `ValueError` when something is still free.
        """
        bound = (*self.bound, *_bindings(self.use, names))
        found = pipeline.ask_scenario(self.scenario.model, self.scenario.decl, self.text, bound)
        if not found.usable:
            raise SpecError(found.diagnostics)
        (answer,) = found.answers
        if answer.note is not None:
            raise ValueError(f"{self.text} has no value here: {answer.note.message}")
        if answer.free:
            raise ValueError(f"{self.text} needs {', '.join(answer.free)}")
        return Quantity(answer)

    def given(self, /, **names: Bindable) -> Formula:
        """Return the formula under bindings, still a formula."""
        return replace(self, bound=(*self.bound, *_bindings(self.use, names)), _cache={})

    @_bounded
    def breakdown(self) -> Breakdown:
        """Return the parts of the value; raises `NoParts` when it is not one number."""
        return breakdown(self.lowered)

    @_bounded
    def compile(self) -> Compiled:
        """Return a function over NumPy arrays, by the names of the symbols, in base units."""
        from costlang.formula.compiled import compile_node

        return compile_node(self.lowered.node)

    # ---- forms

    @property
    @_bounded
    def sympy(self) -> Any:
        """
        The formula as a SymPy expression of equal value.

        Raises `ValueError` for one that SymPy cannot hold: a comparison with what divides by zero.
        """
        from costlang.formula.bridge import to_sympy

        try:
            return to_sympy(self.lowered.node)
        except TypeError as error:
            raise ValueError(f"SymPy cannot hold {self.text}: {error}") from error

    def latex(self) -> str:
        """Return the equation in LaTeX, in the author's symbols."""
        return self._equation("latex")

    def mathml(self) -> str:
        """Return the equation in MathML."""
        return self._equation("mathml")

    def unicode(self) -> str:
        """Return the equation in Unicode text."""
        return self._equation("unicode")

    @_bounded
    def _equation(self, style: Any) -> str:
        from costlang.emit.math import equation

        return equation(self.lowered.node, style, self.lowered.name)

    @_bounded
    def where(self) -> list[str]:
        """Return what the names of the formula stand for, one level deep."""
        from costlang.emit.math import where_list

        return where_list(self.lowered.node, "text")

    def __repr__(self) -> str:
        return self._equation("text")

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"


@dataclass(frozen=True)
class Quantity:
    """
    A value with its unit, and the answer that it comes from.

    `float(q)` is the number in that unit; `.assumed` lists the defaults that were taken.
    """

    answer: Answer
    unit: Unit | None = None

    def to(self, unit: str) -> Quantity:
        """Return the same quantity in *unit*; raises `ValueError` for one of another dimension."""
        found = UnitTable().parse(unit)
        if isinstance(found, UnitFault):
            raise ValueError(f"{found.message}: {unit!r}")
        if found.dimension != self.dimension:
            raise ValueError(
                f"{unit!r} measures {found.dimension}, and this is in {self.dimension}"
            )
        return replace(self, unit=found)

    @property
    def dimension(self) -> Dimension:
        """What it measures."""
        return self.answer.dimension or NONE

    @property
    def value(self) -> Any:
        """The exact value in base units: a `Fraction`, or `Bounds`, a truth or a name."""
        return self.answer.value

    @property
    def assumed(self) -> dict[str, str]:
        """The defaults that were taken."""
        from costlang.emit.values import stood_text

        return {item.name: stood_text(item) for item in self.answer.assumed}

    @property
    def unverified(self) -> dict[str, str]:
        """The figures that it was built on and that nobody has checked."""
        from costlang.emit.values import stood_text

        return {item.name: stood_text(item) for item in self.answer.unverified}

    @property
    def infeasible(self) -> tuple[str, ...]:
        """The requirements that fail."""
        return tuple(item.name for item in self.answer.infeasible)

    def __float__(self) -> float:
        """Return the number in the unit of this quantity."""
        value = self.answer.value
        if isinstance(value, Bounds):
            if value.kind != "certified":
                raise ValueError(f"{self} is a range, not one number")
            value = (Fraction(value.low) + Fraction(value.high)) / 2
        if not isinstance(value, Fraction):
            raise ValueError(f"{self} is not a number")
        unit = self.unit or choose_unit(value, self.dimension)
        return float(value / unit.scale)

    def __str__(self) -> str:
        return value_text(self.answer.value, self.answer.dimension, self.unit, DIGITS)

    def __repr__(self) -> str:
        taken = ", ".join(f"{name} = {value}" for name, value in self.assumed.items())
        return f"{self}  (assumed: {taken})" if taken else str(self)

    def _repr_markdown_(self) -> str:
        text = repr(self).replace("_", "\\_").replace("*", "\\*")
        return text.replace("$", "\\$")


@dataclass(frozen=True)
class Table:
    """The rows of a sweep: `repr` shows them; bends and sampling are in `.sweep`."""

    sweep: Sweep

    def rows(self) -> list[dict[str, Any]]:
        """Return each row as plain data, numbers in the unit that the title of a column names."""
        return list(records(self.sweep))

    def csv(self) -> str:
        """Return the table as CSV."""
        return csv_text(self.sweep)

    def json_lines(self) -> str:
        """Return one JSON object a row."""
        return json_lines(self.sweep)

    def to_xarray(self) -> Any:
        """Return an `xarray.Dataset`, units as attributes; raises `ImportError` without xarray."""
        return to_xarray(self.sweep)

    def __repr__(self) -> str:
        return "\n".join(table_lines(self.sweep))

    def _repr_markdown_(self) -> str:
        from costlang.docs.host import HOSTS
        from costlang.docs.numbers import Wanted
        from costlang.docs.tables import sweep_rows

        return "\n".join(HOSTS["jupyter"].table(*sweep_rows(self.sweep, Wanted(), "")))

    def picture(self) -> str:
        """Return the table as SVG; raises `ValueError` for one of which there is no picture."""
        from costlang.emit.picture import draw_table

        return draw_table(self.sweep)


def _bindings(use: str, names: Mapping[str, Bindable]) -> tuple[str, ...]:
    return tuple(_binding(use, name, value) for name, value in names.items())


def _binding(use: str, name: str, value: Bindable) -> str:
    path = _STEP.split(name)
    if not all(_NAME.match(part) for part in path):
        raise ValueError(f"{name!r} is no name")
    prefix = [use] if use else []
    return f"{'.'.join([*prefix, *path])} = {_written(value)}"


def _written(value: Bindable) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Fraction):
        return f"{value.numerator} / {value.denominator}"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return value
    raise TypeError(f"cannot bind {value!r}: a number, or words of the language")


def checks(spec: Spec) -> Iterator[tuple[str, bool | None]]:
    """Yield each check of *spec* by its name, and whether it holds."""
    for verdict in spec.run().checks:
        yield f"{verdict.owner}.{verdict.name}", verdict.holds
