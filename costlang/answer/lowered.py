"""The formula of an expression of a scenario, with what each of its symbols is worth."""

from __future__ import annotations

from dataclasses import dataclass

from costlang.answer.worlds import open_world
from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation
from costlang.formula.lower import Lowering
from costlang.formula.sums import Closing
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.exact import Real
from costlang.model.types import NumberType
from costlang.text import Span
from costlang.units import NONE, Dimension

Above = tuple[d.Setting, ...]


@dataclass(frozen=True, eq=False)
class Formula:
    """
    An exact formula.

    *node* is the graph, in base units of *dimension*; *build* makes further nodes that share with
    it; *name* is what it is called.
    """

    name: str
    node: g.Node
    dimension: Dimension
    build: g.Builder

    @property
    def symbols(self) -> tuple[g.Sym, ...]:
        """Return its symbols, in the order in which the author's text meets them."""
        return g.symbols(self.node)

    @property
    def free(self) -> tuple[g.Sym, ...]:
        """Return the symbols that have neither a value, a default nor a range."""
        return tuple(s for s in self.symbols if s.info.known is None and s.info.low is None)

    def place(self, node: g.Node) -> Span | None:
        """Return where the author wrote what *node* came from; None for what was derived."""
        return self.build.places.get(node)

    def operator(self, node: g.Node) -> str | None:
        """Return the operator behind *node*, None where there is none."""
        return self.build.operators.get(node)

    def value(self) -> Real:
        """Return the number that it is; what nothing sets stays unknown."""
        return Evaluation().number(self.node)

    def closed(self) -> Formula:
        """Return the formula with its sums closed, where what is summed is a polynomial."""
        node = Closing(self.build).close(self.node)
        return Formula(self.name, node, self.dimension, self.build)


def formula_of(
    scenario: d.ScenarioDecl,
    core: c.Core,
    at: Above = (),
    above: Above = (),
    name: str | None = None,
) -> Formula | None:
    """
    Return the formula of *core* under the bindings *at*, None when it is no number.

    Raises `Fault` where the expression cannot be read.
    """
    lowering = Lowering()
    world = open_world(scenario, above, evaluator=lowering)
    node = world.value(core, world.under(at))
    if not isinstance(node, g.Node) or not isinstance(core.type, NumberType):
        return None
    words = " ".join(core.span.text.split())
    dimension = core.type.dimension if core.type.dimension is not None else NONE
    return Formula(name or words, node, dimension, lowering.build)
