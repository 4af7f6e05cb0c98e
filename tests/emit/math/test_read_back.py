"""What is rendered means what the graph means: it is read again and worked out exactly."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from costlang.emit.math import latex, plain
from costlang.emit.math.boxes import Symbol
from costlang.emit.math.compose import Composer, Host
from costlang.emit.math.factor import factored
from costlang.emit.math.layout import Layout
from costlang.emit.math.naming import Names, naming
from costlang.emit.math.plan import plan_for
from costlang.formula import graph as g
from tests.emit.math import read_back
from tests.emit.math.exactly import worth
from tests.emit.math.graphs import MET, Made, graphs

many = settings(
    max_examples=100, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
WRITERS = {"text": plain.write, "latex": latex.write}
READERS = {"text": read_back.plain, "latex": read_back.latex}
HOSTS = {"text": Host(stacked=False, signs=False), "latex": Host(stacked=True, signs=True)}
styles = pytest.mark.parametrize("style", ["text", "latex"])


def outcome(work: Callable[[], Fraction]) -> Fraction | str:
    try:
        value = work()
    except ZeroDivisionError:
        return "it divides by zero"
    except OverflowError:
        return "it is too large"
    return value


def meaning(layout: Layout, made: Made, style: str) -> read_back.Meaning:
    """Return what the names on the page are worth, by the naming of the page."""
    spelled = {WRITERS[style](symbol): node for node, symbol in layout.naming.symbols.items()}

    def worth_of(name: str, scope: read_back.Scope) -> Fraction:
        indices = {spelled[index]: value for index, value in scope.items()}
        both = {**made.values, **by_name(layout.naming.symbols, indices)}
        return worth(spelled[name], both)

    return worth_of


def by_name(
    symbols: dict[g.Node, Symbol], indices: dict[g.Node, Fraction]
) -> dict[g.Node, Fraction]:
    """Return a value for each index: those that stand side by side share a name."""
    values = {symbols[index]: value for index, value in indices.items()}
    return {node: values[s] for node, s in symbols.items() if s in values}


def layout_of(made: Made, style: str, opened: int, names: Names) -> Layout:
    plan = plan_for(made.root, opened)
    return Layout(plan, naming(plan, names), Composer(HOSTS[style]))


@styles
@many
@given(graphs(), st.sampled_from([0, 1, 9]), st.sampled_from(["symbols", "names"]))
def test_what_is_rendered_is_worth_what_the_graph_is(
    style: str, made: Made, opened: int, names: Names
) -> None:
    expected = outcome(lambda: worth(made.root, made.values))
    assume(isinstance(expected, Fraction))
    layout = layout_of(made, style, opened, names)
    text = WRITERS[style](layout.formula(made.root))
    again = READERS[style](text, meaning(layout, made, style))
    event(f"{len(MET)} kinds of nodes were met")
    assert expected == again({}), text


@styles
@many
@given(graphs())
def test_the_names_of_one_answer_are_told_apart(style: str, made: Made) -> None:
    layout = layout_of(made, style, 0, "symbols")
    shown = [s for node, s in layout.naming.symbols.items() if not isinstance(node, g.Idx)]
    assert len(shown) == len({WRITERS[style](symbol) for symbol in shown})


@styles
@many
@given(graphs())
def test_each_line_of_the_where_list_is_worth_what_it_explains(style: str, made: Made) -> None:
    layout = layout_of(made, style, 0, "symbols")
    lines = [met.node for met in layout.plan.explained() if not layout.plan.indices[met.node]]
    for node in lines:
        expected = outcome(lambda node=node: worth(node, made.values))  # type: ignore[misc]
        if isinstance(expected, Fraction):
            text = WRITERS[style](layout.formula(node))
            again = READERS[style](text, meaning(layout, made, style))
            assert expected == again({}), text


@styles
@many
@given(graphs())
def test_numbers_put_in_give_the_value(style: str, made: Made) -> None:
    expected = outcome(lambda: worth(made.root, made.values))
    assume(isinstance(expected, Fraction))
    plan = plan_for(made.root, 9)
    layout = Layout(plan, naming(plan, "symbols"), Composer(HOSTS[style]), made.values)
    text = WRITERS[style](layout.formula(made.root))
    assert expected == READERS[style](text, meaning(layout, made, style))({}), text


@many
@given(graphs())
def test_taking_out_common_factors_changes_no_value(made: Made) -> None:
    for node in g.walk(made.root):
        if isinstance(node, g.Add) and not loose(node):
            expected = outcome(lambda node=node: worth(node, made.values))  # type: ignore[misc]
            if isinstance(expected, Fraction):
                assert expected == worth(factored(node), made.values)


def loose(node: g.Node) -> bool:
    return bool(plan_for(node).indices[node])


def test_every_kind_of_node_is_generated() -> None:
    kinds = "add sub neg mul div pow max min fn cond part def sum common cmp and or not".split()
    found: set[str] = set()

    @settings(max_examples=100, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(graphs())
    def generate(made: Made) -> None:
        found.update(MET)

    generate()
    assert set(kinds) == found
