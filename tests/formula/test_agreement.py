"""The interpreter, the formula, its closed sums, SymPy both ways and NumPy are one number."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings

from costlang.answer.lowered import Formula, formula_of
from costlang.answer.worlds import open_world
from costlang.formula.bridge import from_sympy, to_sympy
from costlang.formula.compiled import compile_node
from costlang.formula.evaluate import evaluate
from costlang.loader import load
from costlang.model import declared as d
from costlang.model.check import check
from costlang.text import Source
from tests.formula.written import KINDS, MET, specs

QUICK = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def read(text: str) -> tuple[Fraction, Formula]:
    """Return the interpreter's number, and the formula."""
    model = check(load(Source("written.cost", text)))
    assert () == tuple(f"{x.span.place} {x.message}" for x in model.diagnostics), text
    scenario = model.scenarios()["asked"]
    slot = scenario.slots["it"]
    assert isinstance(slot, d.QuerySlot) and slot.question is not None
    (core,) = slot.question.subjects
    world = open_world(scenario)
    value = world.value(core, world.root)
    formula = formula_of(scenario, core)
    assert isinstance(value, Fraction) and formula is not None
    return value, formula


@QUICK
@given(specs())
def test_the_formula_is_worth_what_the_interpreter_says(text: str) -> None:
    value, formula = read(text)
    assert value == formula.value()


@QUICK
@given(specs())
def test_closing_its_sums_leaves_a_formula_worth_the_same(text: str) -> None:
    value, formula = read(text)
    assert value == formula.closed().value()


@settings(QUICK, max_examples=15)
@given(specs(depth=1))
def test_sympy_there_and_back_gives_the_same_number(text: str) -> None:
    value, formula = read(text)
    closed = formula.closed()
    there = to_sympy(closed.node)
    named = {symbol.name: symbol for symbol in closed.symbols}
    paths = {".".join(symbol.path): symbol for symbol in closed.symbols}
    back = from_sympy(there, {**paths, **named}, formula.build)
    assert value == evaluate(back)


@QUICK
@given(specs())
def test_compiled_code_gives_the_number_to_twelve_digits(text: str) -> None:
    value, formula = read(text)
    found = float(compile_node(formula.node, formula.build)())
    assert float(value) == pytest.approx(found, rel=1e-9, abs=1e-9)


def test_the_generated_specs_hold_every_construct(capsys: pytest.CaptureFixture[str]) -> None:
    MET.clear()

    @settings(QUICK, max_examples=100, derandomize=True, database=None)
    @given(specs())
    def visit(text: str) -> None:
        assert text.startswith("cost 1")

    visit()
    with capsys.disabled():
        print("\nmet:", ", ".join(f"{name} {count}" for name, count in sorted(MET.items())))
    assert set() == {name for name in KINDS if MET[name] == 0}
