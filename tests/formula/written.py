"""Random models as text: choices in choices, repeats, overrides, sums, phases inside phases."""

from __future__ import annotations

from collections import Counter

from hypothesis import strategies as st

MET: Counter[str] = Counter()
"""How many of each construct the generated specs held."""

NAMES = ("batch", "layers", "width", "E", "beta", "lambda", "S", "N")


@st.composite
def specs(draw: st.DrawFn, depth: int = 3) -> str:
    """Return the text of a spec with one scenario, whose question `it` asks for a number."""
    inner = _expression(draw, depth, ("x", "y", "n"))
    over = _expression(draw, max(1, depth - 1), ("x", "y", "n"))
    body = _expression(draw, depth, ("first", "m.x", "m.y", "m.n", "k"))
    index = draw(st.booleans())
    count = draw(st.sampled_from(["n", "3", "(if y > 2 then 2 else 0)", "(if wide then 1 else 0)"]))
    use = " * i" if index else ""
    head = f"repeat {count} as i" if index else f"repeat {count}"
    MET.update([head.split(maxsplit=1)[0], "override", "phase in phase", "enum", "table"])
    form = draw(st.sampled_from(["low", "high"]))
    text = f"""cost 1
enum grade {{ low, high }}
resource work : count
op unit_op(a: ratio, given n: count) {{ let work = a * n }}
op pair(a: ratio) {{
  term one = unit_op(a)
  term two = unit_op(a + 1, n = 2)
}}
interface thing {{
  param x : ratio in 0.. = 3/2
  param y : ratio in 0..
  param n : count = 2
  param wide : bool = true
  param cap : ratio = inf
  param mark : grade = low
  table factor : grade -> ratio
  let inner = {inner}
  let capped = min(inner, cap)
  term base = unit_op(x)
  {head} {{ term more = pair(y{use}) }}
}}
model base_thing is thing {{
  y            = {draw(_numbers())}
  factor[low]  = {draw(_numbers())}
  factor[high] = {draw(_numbers())}
  mark         = {form}
}}
model other is base_thing {{
  n = {draw(st.integers(1, 5))}
  override let inner = inner + {over}
}}
phase first_phase(m: thing) {{
  param k : ratio in 0.. = 1
  m.x = 5/4
  let first = m.capped + m.factor[m.mark] + m.total(work)
  let value = {body}
}}
phase second_phase(m: thing) {{
  let steps = sum(over j in 0..m.n: first_phase(m, k = j / 2).value)
  let value = steps + max(first_phase(m).value, m.capped) / 2
}}
scenario asked {{
  use one = second_phase({draw(st.sampled_from(["other", "base_thing"]))})
  one.m.y = {draw(_numbers())}
  query it: one.value
}}
"""
    return text.replace("3/2", "1.5").replace("5/4", "1.25")


def _numbers() -> st.SearchStrategy[str]:
    return st.sampled_from(["0", "1", "2", "0.5", "3.25", "7", "1e3", "0.001"])


def _expression(draw: st.DrawFn, depth: int, names: tuple[str, ...]) -> str:
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        return draw(st.one_of(st.sampled_from(names), _numbers()))
    kind = draw(st.sampled_from(list(KINDS)))
    MET[kind] += 1
    parts = [_expression(draw, depth - 1, names) for _ in range(KINDS[kind][0])]
    return "(" + KINDS[kind][1].format(*parts) + ")"


KINDS = {
    "add": (2, "{} + {}"),
    "sub": (2, "{} - {}"),
    "mul": (2, "{} * {}"),
    "div": (2, "{} / (1 + abs({}))"),
    "pow": (1, "{} ^ 2"),
    "max": (3, "max({}, {}, {})"),
    "min": (2, "min({}, {})"),
    "inf": (2, "min({}, inf, {})"),
    "if": (4, "if {} <= {} then {} else {}"),
    "both": (4, "if {0} < {1} and not {2} == {3} then {0} else {3}"),
    "ceil": (1, "ceil({} / 3)"),
    "floor": (1, "floor({})"),
    "neg": (1, "-{}"),
    "sum": (2, "sum(over q in 1..3: q * {} + {})"),
    "empty sum": (1, "sum(over q in 1..0: {})"),
    "square sum": (1, "sum(over q in 0..4: q ^ 2 - {})"),
    "nested sum": (1, "sum(over q in 1..2: max(q * {}, sum(over r in 1..q: r)))"),
}
