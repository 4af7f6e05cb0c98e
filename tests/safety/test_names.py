"""Names that mean something in Python, in SymPy or in NumPy are plain names here."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

import costlang
from costlang import pipeline
from costlang.face import Formula
from costlang.text import Source
from tests.safety.asked import report, spec

NAMES = (
    *("__class__", "__import__", "__init__", "__dict__", "__builtins__", "__debug__", "__doc__"),
    *("E", "I", "N", "O", "Q", "S", "pi", "oo", "zoo", "nan", "beta", "gamma", "zeta", "Symbol"),
    *("lambda", "import", "class", "def", "None", "True", "False", "self", "cls", "print", "eval"),
    *("exec", "os", "sys", "open", "np", "numpy", "array", "exp2", "sum_", "Max", "Piecewise"),
    *("constructor", "prototype", "toString", "hasOwnProperty", "undefined", "null"),
)


def formula(text: str) -> Formula:
    return costlang.loads(text).scenario("s").formula("y")


@pytest.mark.parametrize("name", NAMES)
def test_a_parameter_of_any_name_is_that_parameter_in_each_form(name: str) -> None:
    text = spec(f"param {name} : ratio", f"let y = {name} ^ 2 + 3", "query y_: y")
    found = formula(text)
    assert (name,) == tuple(x.split(".")[-1] for x in found.free)
    assert Fraction(28) == found.given(**{name: 5}).at().value
    made = found.compile()
    (inner,) = made.inputs
    assert 28.0 == float(made(**{inner: 5.0}))
    (symbol,) = found.sympy.free_symbols
    assert isinstance(symbol, sympy.Symbol) and name in symbol.name
    assert 28 == found.sympy.subs(symbol, 5)
    assert f"y = {name}^2 + 3" == repr(found)
    assert "" != found.latex() and "" != found.mathml() and "" != found.unicode()


@pytest.mark.parametrize("name", NAMES)
def test_a_definition_a_record_and_a_function_of_any_name_are_plain(name: str) -> None:
    before = f"interface t {{\n  param x : ratio = 2\n  let {name} = x * 3\n}}\nmodel m is t {{}}\n"
    assert [Fraction(6)] == [
        x.value for x in report(spec(f"query q: m.{name}", before=before)).answers
    ]
    record = f"interface t {{\n  param x : ratio = 2\n}}\nmodel {name} is t {{}}\n"
    assert [Fraction(2)] == [
        x.value for x in report(spec(f"query q: {name}.x", before=record)).answers
    ]
    function = f"let {name}(x: ratio) = x + 1\n"
    assert [Fraction(3)] == [
        x.value for x in report(spec(f"query q: 0 + {name}(2)", before=function)).answers
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_member_that_no_record_has_is_none_of_python_s(name: str) -> None:
    before = "interface t {\n  param x : ratio = 2\n}\nmodel m is t {}\n"
    found = pipeline.run(Source("x.cost", spec(f"query q: m.{name}", before=before)))
    assert ["unknown-member"] == [item.code for item in found.diagnostics]


@pytest.mark.parametrize(
    "words",
    [
        "__import__('os').system('true')",
        "0 + eval(1)",
        "exec(1)",
        "open(1)",
        "().__class__.__bases__",
        "m.__class__.__mro__[1]",
        "x.__init__.__globals__",
        "lambda: 1",
        "f'{x}'",
        "${x}",
        "`id`",
        "; import os",
        "{{ 7 * 7 }}",
    ],
)
def test_code_of_other_languages_is_a_mistake_and_runs_nowhere(words: str) -> None:
    before = "interface t {\n  param x : ratio = 2\n}\nmodel m is t {}\n"
    found = pipeline.run(Source("x.cost", spec("use u = m", f"query q: {words}", before=before)))
    assert not found.usable and () == found.answers
    with pytest.raises(costlang.SpecError):
        costlang.loads(spec("use u = m", "query q: 1", before=before)).scenario("s").ask(words)


@pytest.mark.parametrize("name", ["a.b", "a b", "a;b", "a = 1, b", "", "é", "a\n", "1a"])
def test_what_is_no_name_cannot_be_bound_from_python(name: str) -> None:
    found = formula(spec("param p : ratio", "let y = p", "query q: y"))
    with pytest.raises(ValueError, match="is no name"):
        found.given(**{name: 5})


@pytest.mark.parametrize("value", ["1, q = 2", "1\nquery z: 1", "1 } scenario t {", "? ", "1 at x"])
def test_words_bound_from_python_are_one_value_or_a_mistake(value: str) -> None:
    found = formula(spec("param p : ratio", "let y = p", "query q: y"))
    with pytest.raises(costlang.SpecError):
        found.given(p=value)
