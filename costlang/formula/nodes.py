"""What a formula is made of: numbers, names, arithmetic, choices, sums, definitions, parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property

from costlang.text import Span
from costlang.units import NONE, Dimension

Path = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Node:
    """
    A number that is not worked out.

    Equal nodes are made once (see `Builder`), so that identity is equality, and a walk with a
    memo is linear in the number of nodes. What a node is asked for again and again is kept with it.
    """

    @cached_property
    def children(self) -> tuple[Node, ...]:
        """The nodes directly below, in the author's order."""
        found: list[Node] = []
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Node):
                found.append(value)
            elif isinstance(value, tuple):
                found.extend(item for item in value if isinstance(item, Node))
        return tuple(found)

    @cached_property
    def free_indices(self) -> frozenset[Idx]:
        """The indices of sums around the node on which it hangs."""
        found = frozenset[Idx]().union(*(child.free_indices for child in self.children))
        if isinstance(self, Idx):
            return frozenset({self})
        return found - {self.index} if isinstance(self, SumOver) else found

    @cached_property
    def symbols(self) -> tuple[Sym, ...]:
        """The symbols below, in the order in which the author's text meets them."""
        return tuple(at for at in walk(self) if isinstance(at, Sym))


@dataclass(frozen=True, eq=False)
class Num(Node):
    """An exact literal in base units of *dimension*."""

    value: Fraction
    dimension: Dimension = NONE


@dataclass(frozen=True, eq=False)
class Inf(Node):
    """Infinity, or its negative."""

    sign: int = 1


@dataclass(frozen=True)
class SymbolInfo:
    """
    What is known of a name, beside the graph: it never decides whether two symbols are one.

    *value* is what something set, *stated* whether a record or a phase did, *default* what is taken
    when nothing does, *low* and *high* an open range. *floor* and *ceiling* are the literal bounds
    of its domain (None: none); *strict* whether the floor itself is excluded.
    """

    name: str
    alias: str | None
    dimension: Dimension
    kind: str
    value: Fraction | None = None
    default: Fraction | None = None
    low: Fraction | None = None
    high: Fraction | None = None
    floor: Fraction | None = None
    ceiling: Fraction | None = None
    strict: bool = False
    source: str | None = None
    span: Span | None = None
    stated: bool = False

    @property
    def known(self) -> Fraction | None:
        """The value, or the default when nothing is set."""
        return self.value if self.value is not None else self.default


@dataclass(frozen=True, eq=False)
class Sym(Node):
    """A parameter or a row of a table, by its path from the question."""

    path: Path
    info: SymbolInfo

    @property
    def name(self) -> str:
        """The author's name, without its path."""
        return self.info.name


@dataclass(frozen=True, eq=False)
class Idx(Node):
    """The index of a sum; *serial* tells it from others of the same name."""

    name: str
    serial: int


@dataclass(frozen=True, eq=False)
class Add(Node):
    """The sum of *terms*."""

    terms: tuple[Node, ...]


@dataclass(frozen=True, eq=False)
class Mul(Node):
    """The product of *factors*."""

    factors: tuple[Node, ...]


@dataclass(frozen=True, eq=False)
class Neg(Node):
    """`-operand`."""

    operand: Node


@dataclass(frozen=True, eq=False)
class Div(Node):
    """`above / below`."""

    above: Node
    below: Node


@dataclass(frozen=True, eq=False)
class Pow(Node):
    """`base ^ exponent`."""

    base: Node
    exponent: Node


@dataclass(frozen=True, eq=False)
class Max(Node):
    """The greatest of *sides*; *names* are the author's words for them."""

    sides: tuple[Node, ...]


@dataclass(frozen=True, eq=False)
class Min(Node):
    """The least of *sides*."""

    sides: tuple[Node, ...]


@dataclass(frozen=True, eq=False)
class Fn(Node):
    """`ceil floor abs sqrt log2 exp` of *argument*."""

    function: str
    argument: Node


@dataclass(frozen=True, eq=False)
class Cmp(Node):
    """A comparison of two numbers: a truth."""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, eq=False)
class All(Node):
    """`and` of *parts*: a truth."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, eq=False)
class Any(Node):
    """`or` of *parts*: a truth."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, eq=False)
class Not(Node):
    """`not part`: a truth."""

    part: Node


@dataclass(frozen=True, eq=False)
class Cond(Node):
    """`if condition then yes else no`."""

    condition: Node
    yes: Node
    no: Node


@dataclass(frozen=True, eq=False)
class SumOver(Node):
    """The sum of *body* for *index* from *low* to *high*; 0 when there is none."""

    index: Idx
    low: Node
    high: Node
    body: Node


@dataclass(frozen=True, eq=False)
class Def(Node):
    """A named definition: worth what *body* is, and never inlined away."""

    path: Path
    name: str
    alias: str | None
    dimension: Dimension
    body: Node
    span: Span | None = None


@dataclass(frozen=True, eq=False)
class Part(Node):
    """What one term, or the copies of a repeat, contribute to a total: worth what *body* is."""

    label: str
    body: Node


Replace = Callable[[Node], Node]
"""What to put in place of a node."""


def walk(node: Node) -> Iterator[Node]:
    """Yield every node from *node* down, each once, those below before those above."""
    seen: set[int] = set()
    stack: list[tuple[Node, bool]] = [(node, False)]
    while stack:
        at, done = stack.pop()
        if done:
            yield at
        elif id(at) not in seen:
            seen.add(id(at))
            stack.append((at, True))
            stack.extend((child, False) for child in reversed(at.children))


def symbols(node: Node) -> tuple[Sym, ...]:
    """Return the symbols below *node*, in the order in which the author's text meets them."""
    return node.symbols


def bare(node: Node) -> Node:
    """Return *node* without the names and labels around it."""
    while isinstance(node, (Def, Part)):
        node = node.body
    return node


def is_zero(node: Node) -> bool:
    """Whether *node* is the literal 0."""
    return isinstance(node, Num) and node.value == 0
