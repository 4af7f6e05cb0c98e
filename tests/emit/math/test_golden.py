"""Whole formulas as they stand on the page, in each of the four forms."""

from __future__ import annotations

from fractions import Fraction

import pytest

from costlang.answer.lowered import Formula, formula_of
from costlang.emit.math import equation, numeric, render, where_list
from costlang.formula import graph as g
from costlang.loader import library, load
from costlang.model import declared as d
from costlang.model.check import check
from costlang.syntax import parse
from costlang.text import Source
from costlang.units import NONE, Dimension

BYTES, TOKENS, SECONDS = map(Dimension.of, ("B", "tok", "s"))
FLOP = Dimension.of("FLOP")

build = g.Builder()


def symbol(name: str, alias: str | None = None, path: g.Path = ("m",)) -> g.Node:
    return build.sym((*path, name), g.SymbolInfo(name, alias, NONE, "real"))


def definition(name: str, body: g.Node, alias: str | None = None, *path: str) -> g.Node:
    return build.definition((*(path or ("m",)), name), name, alias, NONE, body)


def num(value: Fraction | int | str, dimension: Dimension = NONE) -> g.Node:
    return build.num(Fraction(value), dimension)


a, b, c, x = map(symbol, "abcx")
i = build.idx("i")
quotient = build.div(a, b)


def forms(node: g.Node) -> tuple[str, str, str]:
    return render(node, "text"), render(node, "unicode"), render(node, "latex")


# ---- the lessons


@pytest.fixture(scope="module")
def lesson() -> dict[str, Formula]:
    """Return the formulas of chapter 1, by scenario and question."""
    found: dict[str, Formula] = {}
    model = check(load(library() / "guide" / "01_token_generation.cost"))
    for scenario in model.scenarios().values():
        for name, slot in scenario.slots.items():
            if isinstance(slot, d.QuerySlot) and slot.question is not None:
                formula = formula_of(scenario, slot.question.subjects[0], name=name)
                if formula is not None:
                    found[f"{scenario.name}.{name}"] = formula
    return found


def test_the_latency_of_the_chapter_in_text(lesson: dict[str, Formula]) -> None:
    node = lesson["chapter1.step"].node
    expected = "latency = step_overhead + max(t_compute, t_memory) + t_link"
    assert expected == equation(node, "text")
    expected_lines = ["t_compute = flops / compute_rate", "t_memory = bytes / memory_rate"]
    assert expected_lines == where_list(node, "text")[:2]


def test_the_latency_of_the_chapter_in_the_authors_symbols(lesson: dict[str, Formula]) -> None:
    node = lesson["chapter1.step"].node
    assert "t = t₀ + max(t_c, t_m) + t_l" == equation(node, "unicode")
    assert r"t = t_{0} + \max\left(t_{c}, t_{m}\right) + t_{l}" == equation(node, "latex")


HOPS = r"2 \cdot \left(\mathrm{tp} - 1\right)"
SENT = HOPS + r" \cdot \mathrm{here} \cdot d \cdot b"
A_CHIP = r"\mathrm{tp} \cdot 1\,\mathrm{tok}"
OUTSIDE = (
    r"\left(\begin{cases}0 & \text{if } \mathrm{tp} \le 1 \\ "
    r"\frac{\left(\mathrm{tp} - N_{\mathrm{node}}\right)}"
    r"{\left(\mathrm{tp} - 1\right) \cdot N_{\mathrm{node}}}"
    r" & \text{otherwise}\end{cases}\right)"
)


def test_the_latency_of_llama_2_70b_with_its_where_list(lesson: dict[str, Formula]) -> None:
    node = lesson["llama.step"].node
    assert r"t = t_{0} + \max\left(t_{c}, t_{m}\right) + t_{l}" == equation(node, "latex")
    assert [
        r"t_{c} = \frac{\mathrm{flops}}{\mathrm{compute\_rate}}",
        r"t_{m} = \frac{\mathrm{bytes}}{\mathrm{memory\_rate}}",
        r"t_{l} = \begin{cases}2 \cdot L \cdot \left(\begin{cases}"
        rf"\frac{{{SENT}}}{{{A_CHIP} \cdot W_{{l}}}} + {HOPS} \cdot \alpha"
        r" & \text{if } \mathrm{tp} \le N_{\mathrm{node}} \\ "
        rf"\frac{{{SENT} \cdot \left(1 - {OUTSIDE}\right)}}{{{A_CHIP} \cdot W_{{l}}}}"
        rf" + \frac{{{SENT} \cdot {OUTSIDE}}}{{{A_CHIP} \cdot W_{{n}}}}"
        rf" + {HOPS} \cdot \alpha_{{n}} & \text{{otherwise}}\end{{cases}}\right)"
        r" & \text{if } \mathrm{chips} > 1 \\ 0\,\mathrm{s} & \text{otherwise}\end{cases}",
    ] == where_list(node, "latex")


def test_the_bytes_of_llama_2_70b_say_of_which_operator_each_name_is(
    lesson: dict[str, Formula],
) -> None:
    node = lesson["llama.streamed"].node
    expected = (
        "weights_bytes = layers * (q.weights_held + k_v.weights_held + out.weights_held"
        " + gate_up.weights_held + down.weights_held + norms.weights_held)"
        " + norm.weights_held + ceil(vocab / tp) / vocab * matrix * width"
    )
    assert expected == equation(node, "text")
    expected = "k_v.weights_held = ceil(kv_heads / tp) / kv_heads * k_v.params * width"
    assert expected == where_list(node, "text")[1]


def test_a_sum_of_latencies_and_names_where_two_symbols_would_be_t(
    lesson: dict[str, Formula],
) -> None:
    node = lesson["chapter1.answer"].node
    assert "time = t_first + t_N + t_f" == equation(node, "unicode")
    expected = [
        r"t_{\mathrm{first}} = \mathrm{prefill.latency}",
        r"t_{N} = \sum_{i=0}^{\frac{N}{1\,\mathrm{tok}} - 1} \mathrm{decode.latency}",
    ]
    assert expected == where_list(node, "latex")


def test_every_formula_of_the_lesson_is_an_expression_of_the_language(
    lesson: dict[str, Formula],
) -> None:
    for formula in lesson.values():
        text = render(formula.node, "text", opened=9)
        assert () == parse(Source("it.cost", f"cost 1\nlet it = {text}\n")).diagnostics, text


def test_what_is_no_definition_is_called_as_it_is_asked_for(lesson: dict[str, Formula]) -> None:
    drop = lesson["chapter1.drop"].node
    expected = "read.intensity / one.intensity"
    assert f"drop = {expected}" == equation(drop, "text", "drop")
    assert expected == equation(drop, "text", "read.intensity / one.intensity")


# ---- numbers


def test_numbers_are_put_in_with_their_units() -> None:
    size = build.sym(("m", "bytes"), g.SymbolInfo("bytes", None, BYTES, "real"))
    rate = build.sym(("m", "W"), g.SymbolInfo("W", None, BYTES / SECONDS, "real"))
    time = build.definition(("m", "t"), "t", None, SECONDS, build.div(size, rate))
    values = {size: Fraction(140 * 10**9), rate: Fraction(3_350_000_000_000)}
    assert "140 GB / (3.35 TB/s)" == numeric(time, values, "text")
    assert r"\frac{140\,\mathrm{GB}}{3.35\,\mathrm{TB/s}}" == numeric(time, values, "latex")
    twice = build.mul(num(2), time)
    assert "2 * 41.79 ms" == numeric(twice, {time: Fraction(140, 3350)}, "text")
    assert "2 * t" == numeric(twice, values, "text")


@pytest.mark.parametrize(
    ("expected", "value", "dimension"),
    [
        ("989 TFLOP/s", Fraction(989 * 10**12), FLOP / SECONDS),
        ("989.4 TFLOP/s", Fraction("989.4e12"), FLOP / SECONDS),
        ("68.976648192 GB", Fraction(68_976_648_192), BYTES),
        ("70_000_000_000", Fraction(70 * 10**9), NONE),
        ("2 FLOP/tok", Fraction(2), FLOP / TOKENS),
        ("4 FLOP/tok^2", Fraction(4), FLOP / TOKENS**2),
        ("0.85", Fraction("0.85"), NONE),
        ("1 / 3", Fraction(1, 3), NONE),
        ("1 s / 3", Fraction(1, 3), SECONDS),
        ("12.5 µs", Fraction("12.5e-6"), SECONDS),
        ("4 $/h", Fraction(4, 3600), Dimension.of("$") / SECONDS),
        ("5 / 1 s", Fraction(5), NONE / SECONDS),
        ("-3 tok", Fraction(-3), TOKENS),
        ("1e45", Fraction(10**45), NONE),
        ("0 s", Fraction(0), SECONDS),
        ("123_456_789_012_345 B", Fraction(123_456_789_012_345), BYTES),
    ],
)
def test_a_literal_is_exact_and_in_the_unit_in_which_it_reads_best(
    expected: str, value: Fraction, dimension: Dimension
) -> None:
    assert expected == render(num(value, dimension), "text")


# ---- brackets


@pytest.mark.parametrize(
    ("text", "unicode", "latex", "node"),
    [
        ("a - (b - c)", "a − (b − c)", r"a - \left(b - c\right)", build.sub(a, build.sub(b, c))),
        ("a - b + c", "a − b + c", "a - b + c", build.add(build.sub(a, b), c)),
        ("a / (b * c)", "a / (b · c)", r"\frac{a}{b \cdot c}", build.div(a, build.mul(b, c))),
        ("a / (b / c)", "a / (b / c)", r"\frac{a}{\frac{b}{c}}", build.div(a, build.div(b, c))),
        ("a / b / c", "a / b / c", r"\frac{a}{b \cdot c}", build.div(build.div(a, b), c)),
        ("-x^2", "−x²", "-x^{2}", build.neg(build.pow(x, num(2)))),
        ("(-x)^2", "(−x)²", r"\left(-x\right)^{2}", build.pow(build.neg(x), num(2))),
        ("(a + b)^2", "(a + b)²", r"\left(a + b\right)^{2}", build.pow(build.add(a, b), num(2))),
        ("2^-x", "2^−x", "2^{-x}", build.pow(num(2), build.neg(x))),
        ("x^-1", "x⁻¹", "x^{-1}", build.pow(x, num(-1))),
        ("(-3)^x", "(−3)^x", r"\left(-3\right)^{x}", build.pow(num(-3), x)),
        ("a^(b^c)", "a^(b^c)", "a^{b^{c}}", build.pow(a, build.pow(b, c))),
        ("(a^b)^c", "(a^b)^c", r"\left(a^{b}\right)^{c}", build.pow(build.pow(a, b), c)),
        ("(a / b)^2", "(a / b)²", r"\left(\frac{a}{b}\right)^{2}", build.pow(quotient, num(2))),
        ("a - 3 * b", "a − 3 · b", r"a - 3 \cdot b", build.add(a, build.mul(num(-3), b))),
        ("-3 * a", "−3 · a", r"-3 \cdot a", build.mul(a, num(-3))),
        ("-(a + b)", "−(a + b)", r"-\left(a + b\right)", build.neg(build.add(a, b))),
        (
            "(a / b + 1) / (c + x / a)",
            "(a / b + 1) / (c + x / a)",
            r"\frac{\frac{a}{b} + 1}{c + \frac{x}{a}}",
            build.div(build.add(build.div(a, b), num(1)), build.add(c, build.div(x, a))),
        ),
    ],
)  # fmt: skip
def test_brackets_stand_where_something_else_would_be_read(
    text: str, unicode: str, latex: str, node: g.Node
) -> None:
    assert (text, unicode, latex) == forms(node)


def test_functions_have_the_signs_of_mathematics() -> None:
    rounded = build.fn("ceil", build.div(a, b))
    expected = ("ceil(a / b)", "⌈a / b⌉", r"\left\lceil \frac{a}{b} \right\rceil")
    assert expected == forms(rounded)
    expected = ("floor(a)", "⌊a⌋", r"\left\lfloor a \right\rfloor")
    assert expected == forms(build.fn("floor", a))
    assert ("abs(a)", "|a|", r"\left| a \right|") == forms(build.fn("abs", a))
    assert ("sqrt(a)", "√(a)", r"\sqrt{a}") == forms(build.fn("sqrt", a))
    expected = ("log2(a)^2", "(log₂(a))²", r"\left(\log_{2}\left(a\right)\right)^{2}")
    assert expected == forms(build.pow(build.fn("log2", a), num(2)))
    assert ("min(a, b)", "min(a, b)", r"\min\left(a, b\right)") == forms(build.min(a, b))


def test_a_sum_shows_its_index_and_bounds() -> None:
    total = build.sum(i, num(1), build.sub(a, num(1)), build.add(b, i))
    assert (
        "sum(over i in 1..a - 1: b + i)",
        "Σ[i = 1 .. a − 1] (b + i)",
        r"\sum_{i=1}^{a - 1} \left(b + i\right)",
    ) == forms(total)
    assert (
        "sum(over i in 1..a - 1: b + i) + c",
        "(Σ[i = 1 .. a − 1] (b + i)) + c",
        r"\left(\sum_{i=1}^{a - 1} \left(b + i\right)\right) + c",
    ) == forms(build.add(total, c))


def test_indices_inside_one_another_have_different_names() -> None:
    j = build.idx("i")
    inner = build.sum(j, num(1), i, build.mul(i, j))
    expected = "sum(over i in 1..3: sum(over i_1 in 1..i: i * i_1))"
    assert expected == render(build.sum(i, num(1), num(3), inner), "text")
    beside = build.add(build.sum(i, num(1), a, i), build.sum(j, num(1), b, j))
    expected = "sum(over i in 1..a: i) + sum(over i in 1..b: i)"
    assert expected == render(beside, "text")


def test_a_definition_inside_a_sum_says_on_which_index_it_hangs() -> None:
    step = definition("step", build.add(a, i), "t")
    total = build.sum(i, num(1), b, step)
    assert "sum(over i in 1..b: step[i])" == render(total, "text")
    assert ["step[i] = a + i"] == where_list(total, "text")
    assert [r"t_{i} = a + i"] == where_list(total, "latex")


def test_a_choice_is_a_brace_with_a_row_for_each_condition() -> None:
    first, second = build.cmp("<=", a, num(1)), build.cmp("!=", a, c)
    node = build.cond(first, b, build.cond(second, c, num(0)))
    assert (
        "if a <= 1 then b else if a != c then c else 0",
        "{b if a ≤ 1, c if a ≠ c, 0 otherwise}",
        r"\begin{cases}b & \text{if } a \le 1 \\ c & \text{if } a \ne c"
        r" \\ 0 & \text{otherwise}\end{cases}",
    ) == forms(node)
    assert "2 * (if a <= 1 then b else c)" == render(
        build.mul(num(2), build.cond(first, b, c)), "text"
    )


def test_truths_are_joined_by_words() -> None:
    one, two = build.cmp("<", a, b), build.cmp(">=", b, c)
    both = build.every(one, build.some(two, build.no(one)))
    expected = "if a < b and (b >= c or not (a < b)) then a else b"
    assert expected == render(build.cond(both, a, b), "text")


# ---- what is common


def test_common_factors_are_taken_out() -> None:
    terms = [build.mul(num(n), a, rest) for n, rest in ((4, b), (6, c), (2, x))]
    node = build.add(*(build.part("part", term) for term in terms))
    assert "2 * a * (2 * b + 3 * c + x)" == render(node, "text")


def test_what_would_not_be_shorter_stays_as_the_author_wrote_it() -> None:
    assert "2 * a + 3 * b" == render(build.add(build.mul(num(2), a), build.mul(num(3), b)), "text")
    assert "a * b + c" == render(build.add(build.mul(a, b), c), "text")


# ---- names


def test_a_symbol_is_greek_by_its_spelling_and_has_parts_below() -> None:
    shown = [
        ("η_c", r"\eta_{c}", "eta_c"),
        ("M_hbm", r"M_{\mathrm{hbm}}", "M_hbm"),
        ("t₀", "t_{0}", "t_0"),
        ("b_kv,max", r"b_{\mathrm{kv},\mathrm{max}}", "b_kv_max"),
        ("F[bf16]", r"F_{\mathrm{bf16}}", "F[bf16]"),
        ("mfu", r"\mathrm{mfu}", "mfu"),
        ("Δ", r"\Delta", "Delta"),
        ("Alpha", r"\mathrm{Alpha}", "Alpha"),
    ]
    for unicode, latex, alias in shown:
        node = build.neg(symbol("some_name", alias, (alias,)))
        assert ("-some_name", f"−{unicode}", f"-{latex}") == forms(node)


def test_a_name_without_a_symbol_is_upright_and_escaped() -> None:
    node = symbol("hbm_bandwidth")
    assert r"\mathrm{hbm\_bandwidth}" == render(node, "latex")
    expected = '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">'
    assert f"{expected}<mtext>hbm_bandwidth</mtext></math>" == render(node, "mathml")
    node = symbol("a<b&$%#{}~^\\")
    escaped = r"\mathrm{a<b\&\$\%\#\{\}{\sim}{\wedge}{\backslash}}"
    assert escaped == render(node, "latex")
    assert f"{expected}<mtext>a&lt;b&amp;$%#{{}}~^\\</mtext></math>" == render(node, "mathml")


def test_names_are_shown_where_two_symbols_would_read_alike() -> None:
    past, prompt = symbol("past", "S"), symbol("prompt", "S")
    assert "past + prompt + η" == render(build.add(past, prompt, symbol("e", "eta")), "unicode")


def test_owners_are_shown_where_two_names_would_read_alike() -> None:
    old, new = symbol("batch", "B", ("s", "old")), symbol("batch", "B", ("s", "new"))
    assert "old.batch / new.batch" == render(build.div(old, new), "text")
    expected = r"\frac{\mathrm{old.batch}}{\mathrm{new.batch}}"
    assert expected == render(build.div(old, new), "latex")


def test_labels_tell_the_definitions_of_one_operator_apart() -> None:
    one = build.part("q", definition("params", build.mul(a, b), None, "linear"))
    two = build.part("up", definition("params", build.mul(a, c), None, "linear"))
    assert "q.params + up.params" == render(build.add(one, two), "text")


def test_definitions_are_opened_when_asked() -> None:
    inner = definition("inner", build.add(a, b))
    outer = definition("outer", build.mul(num(2), inner))
    assert "2 * inner" == render(outer, "text")
    assert "2 * (a + b)" == render(outer, "text", opened=1)
    top = build.div(outer, inner)
    assert "outer / (a + b)" == render(top, "text", opened=frozenset({inner}))


# ---- MathML


def test_mathml_has_fractions_signs_and_units() -> None:
    node = build.div(build.sub(a, num(2, TOKENS)), symbol("reached", "eta_c"))
    assert (
        '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><mfrac>'
        "<mrow><mi>a</mi><mo>−</mo><mrow><mn>2</mn>"
        '<mspace width="0.17em"/><mi mathvariant="normal">tok</mi></mrow></mrow>'
        "<msub><mi>η</mi><mi>c</mi></msub></mfrac></math>"
    ) == render(node, "mathml")


# ---- strangers


def test_a_formula_that_doubles_at_every_step_fits_on_a_page() -> None:
    node = a
    for _ in range(60):
        node = build.add(build.mul(node, node), b)
    lines = [equation(node, "latex", "it"), *where_list(node, "latex")]
    assert 100_000 > sum(map(len, lines))


def test_a_formula_as_deep_as_a_well_is_rendered() -> None:
    node = a
    for _ in range(3000):
        node = build.div(b, build.add(node, c))
    assert 0 < len(render(node, "mathml"))
