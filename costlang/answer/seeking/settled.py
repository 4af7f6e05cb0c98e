"""A formula made plain for one question: what is decided in it is decided, defaults are put in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from costlang.answer.answers import Stood
from costlang.answer.stood import assumed_records, reads_of
from costlang.formula import graph as g
from costlang.formula.evaluate import Evaluation
from costlang.formula.sums import rebuild
from costlang.model import exact
from costlang.model.sources import is_unverified
from costlang.model.trace import Trace

Values = dict[g.Sym, Fraction]


def settled(build: g.Builder, node: g.Node, values: Values) -> g.Node:
    """
    Return *node* with each choice decided that *values* alone decide, and with defaults put in.

    A name that nothing sets has its default there, so that a formula shows what somebody chose;
    the answer lists it as assumed.
    """
    defaults = {symbol: value for symbol, value in values.items() if symbol.info.value is None}
    return _with_defaults(build, node, values, defaults)


def decided(build: g.Builder, node: g.Node, values: Values) -> g.Node:
    """Return *node* with each choice decided that *values* decide; its names stay names."""
    return _with_defaults(build, node, values, {})


def _with_defaults(build: g.Builder, node: g.Node, values: Values, defaults: Values) -> g.Node:
    memo: dict[g.Node, g.Node] = {}
    for at, side in _reached(node, values):
        memo[at] = memo[side] if side is not None else _settled(build, at, memo, defaults)
        if at in build.places:
            build.places.setdefault(memo[at], build.places[at])
    return memo[node]


def _reached(node: g.Node, values: Values) -> Iterator[tuple[g.Node, g.Node | None]]:
    """
    Yield each node that counts once what *values* decide is decided, those below first.

    A decided choice comes with the side that is taken; the other side is not reached, since what
    stands there may have no value: a division by nothing, say.
    """
    known = Evaluation(dict(values))
    seen: set[int] = set()
    stack: list[tuple[g.Node, g.Node | None, bool]] = [(node, None, False)]
    while stack:
        at, side, done = stack.pop()
        if done:
            yield at, side
        elif id(at) not in seen:
            seen.add(id(at))
            side = _side(at, values, known)
            stack.append((at, side, True))
            below = at.children if side is None else (side,)
            stack.extend((child, None, False) for child in reversed(below))


def _side(node: g.Node, values: Values, known: Evaluation) -> g.Node | None:
    """Return the side of a choice that *values* decide, None of anything else."""
    if not isinstance(node, g.Cond) or not _is_known(node.condition, values):
        return None
    truth = _truth(node.condition, known)
    return None if truth is None else (node.yes if truth else node.no)


def _settled(
    build: g.Builder, node: g.Node, memo: dict[g.Node, g.Node], defaults: Values
) -> g.Node:
    if isinstance(node, g.Sym):
        return build.num(defaults[node], node.info.dimension) if node in defaults else node
    try:
        fresh = rebuild(build, node, lambda child: memo[child])
    except ZeroDivisionError:  # on a side that is not known to be taken
        return node
    return _simpler(build, fresh)


def _is_known(condition: g.Node, values: Values) -> bool:
    return all(symbol in values for symbol in g.symbols(condition))


def _truth(condition: g.Node, known: Evaluation) -> bool | None:
    try:
        truth = known.truth(condition)
    except (exact.OutOfDomain, KeyError):
        return None
    return truth if isinstance(truth, bool) else None


def _simpler(build: g.Builder, node: g.Node) -> g.Node:
    """Return what is whole without its rounding, `ceil(heads)`, and 1 for `heads / heads`."""
    if isinstance(node, g.Fn) and node.function in ("ceil", "floor"):
        inner = node.argument
        if isinstance(inner, g.Sym) and inner.info.kind == "count":
            return inner
        if isinstance(inner, g.Num) and inner.value.denominator == 1:
            return inner
    if isinstance(node, g.Div) and node.above is node.below and _is_positive(node.above):
        return build.num(1)
    return node


def _is_positive(node: g.Node) -> bool:
    """Whether something is a name that is above zero."""
    if not isinstance(node, g.Sym) or node.info.floor is None:
        return False
    return node.info.floor > 0 or (node.info.floor == 0 and node.info.strict)


def stood_on(
    nodes: list[g.Node], unknown: g.Sym | None, trace: Trace | None = None
) -> dict[str, tuple[Stood, ...]]:
    """
    Return the names on which *nodes* stand, as assumed (by default), as used, and as unverified.

    *trace* has the records that gave them their shape, which stand in no formula.
    """
    taken = assumed_records(trace) if trace is not None else ()
    assumed: dict[str, Stood] = {item.name: item for item in taken}
    used: dict[str, Stood] = {}
    for symbol in (s for node in nodes for s in g.symbols(node) if s is not unknown):
        info = symbol.info
        if info.known is None:
            continue
        kind = "default" if info.value is None else "scenario"
        item = Stood(
            info.name, symbol.path, info.known, info.dimension, info.source, kind, info.span
        )
        (assumed if info.value is None else used).setdefault(info.name, item)
    unverified = (
        replace(item, name=".".join(item.path))
        for item in (*assumed.values(), *used.values())
        if is_unverified(item.source)
    )
    return {
        "assumed": tuple(assumed.values()),
        "used": tuple(used.values()),
        "unverified": tuple(unverified),
        "reads": reads_of(trace, _known(nodes, unknown)) if trace is not None else (),
    }


def _known(nodes: list[g.Node], unknown: g.Sym | None) -> dict[tuple[str, ...], Fraction]:
    met = (s for node in nodes for s in g.symbols(node) if s is not unknown)
    return {s.path: s.info.known for s in met if s.info.known is not None}


def with_numbers(build: g.Builder, node: g.Node, values: Values) -> g.Node:
    """Return *node* with the number of each name in *values*, and no name for a part of it."""
    memo: dict[g.Node, g.Node] = {}
    for at, side in _reached(node, values):
        memo[at] = memo[side] if side is not None else _numbered(build, at, memo, values)
    return memo[node]


def _numbered(build: g.Builder, node: g.Node, memo: dict[g.Node, g.Node], values: Values) -> g.Node:
    if isinstance(node, g.Sym):
        return build.num(values[node], node.info.dimension) if node in values else node
    if isinstance(node, (g.Def, g.Part)):
        return memo[node.body]
    try:
        fresh = rebuild(build, node, lambda child: memo[child])
    except ZeroDivisionError:  # on a side that is not known to be taken
        return node
    return _folded(build, fresh) if isinstance(fresh, g.Fn) else fresh


def _folded(build: g.Builder, node: g.Fn) -> g.Node:
    """Return the number of a rounding whose argument is one."""
    inner = node.argument
    if node.function in ("ceil", "floor", "abs") and isinstance(inner, g.Num):
        apply = {"ceil": exact.ceil, "floor": exact.floor, "abs": exact.absolute}[node.function]
        value = apply(inner.value)
        if isinstance(value, Fraction):
            return build.num(value, inner.dimension)
    return node
