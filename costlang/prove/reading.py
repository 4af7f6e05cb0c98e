"""A law in a place as formulas, once for each way in which its enums and truths can be chosen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import inf

from costlang.answer.requirements import needs_of
from costlang.formula import graph as g
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model import exact
from costlang.model.faults import Fault
from costlang.model.instances import Env, Instance, Member
from costlang.model.lending import path_of
from costlang.model.types import BoolType, EnumType, Type
from costlang.prove.atoms import Atoms, Domain
from costlang.prove.claims import Reading
from costlang.prove.folding import folded
from costlang.prove.lowering import Freeing, Stand
from costlang.prove.places import ROOT, Place, Settings
from costlang.prove.putting import Truth
from costlang.prove.ranges import ZERO, Range
from costlang.text import Span

MOST_WORLDS = 12


class NotHere(Exception):
    """A law says nothing here, or cannot be read; the text says why."""


@dataclass(frozen=True, eq=False)
class Read:
    """A law as formulas under *settings*, with the records that were taken by default."""

    reading: Reading
    settings: Settings
    taken: tuple[str, ...]
    subjects: tuple[c.Core, ...] = ()
    repeats: bool = False


@dataclass(eq=False)
class _World:
    lowering: Freeing
    holder: Instance
    settings: Settings = field(default_factory=dict)


def read_law(place: Place, law: d.LawDecl, stand: Stand, *, loose: bool = False) -> list[Read]:
    """
    Return *law* in *place*, for each choice of what is no number and is left open.

    *loose* leaves numbers free as well that an interface gives until something is set.

    Raises `NotHere` where its variable is set, or where it cannot be read.
    """
    freed = _freed(place, law, stand)
    _alone(place, law, stand)
    first, settings = _settled(place, law, stand, freed, {}, loose=loose)
    options = list(_options(first, settings))
    total = 1
    for _, cores in options:
        total *= len(cores)
    if not options or total > MOST_WORLDS:
        return [_read(first, law)]
    found = []
    for chosen in product(*(cores for _, cores in options)):
        put = {**settings, **{path: core for (path, _), core in zip(options, chosen, strict=True)}}
        world, _ = _settled(place, law, stand, freed, put, loose=loose)
        found.append(_read(world, law))
    return found


def _open(
    place: Place,
    stand: Stand,
    freed: frozenset[g.Path],
    settings: Settings,
    *,
    loose: bool = False,
) -> _World:
    lowering = Freeing(stand, freed, loose=loose)
    holder = place.opened(lowering, settings)
    if holder is None:
        raise NotHere("what is used here cannot be read")
    return _World(lowering, holder, settings)


def _freed(place: Place, law: d.LawDecl, stand: Stand) -> frozenset[g.Path]:
    """Return the paths of variables that are set only because a record was taken by default."""
    world = _open(place, stand, frozenset(), {})
    freed = set()
    for core in law.variables:
        node = _value(world, core)
        if not isinstance(node, g.Sym) or node.info.value is None:
            continue
        if any(node.path[: len(path)] == path for path in world.lowering.by_default):
            freed.add(node.path)
    return frozenset(freed)


def _alone(place: Place, law: d.LawDecl, stand: Stand) -> None:
    """
    Raise `NotHere` where a variable is set to a name on which the subject hangs in other ways, too.

    What reads `new = prompt - cached` and `past = cached` cannot move its past alone.
    """
    world = _open(place, stand, frozenset(), {})
    for core in law.variables:
        own = (*world.holder.path, *path_of(core))
        node = _value(world, core)
        if not isinstance(node, g.Sym) or node.path == own:
            continue
        apart = _open(place, stand, frozenset({own}), {})
        subject = _value(apart, law.subject)
        if isinstance(subject, g.Node) and any(s.path == node.path for s in g.symbols(subject)):
            raise NotHere(f"{' '.join(core.span.text.split())} is not free alone here")


def _settled(
    place: Place,
    law: d.LawDecl,
    stand: Stand,
    freed: frozenset[g.Path],
    settings: Settings,
    *,
    loose: bool,
) -> tuple[_World, Settings]:
    """Return the world in which nothing that is no number is open, the first member taken."""
    for _ in range(MOST_WORLDS):
        world = _open(place, stand, freed, settings, loose=loose)
        missing = _missing(world, law)
        if missing is None:
            return world, settings
        path, kind = missing
        settings = {**settings, path: alternatives(kind, law.span)[0]}
    raise NotHere("too much of it is open")


def _missing(world: _World, law: d.LawDecl) -> tuple[c.Path, Type] | None:
    for core in (law.subject, *law.variables, *((law.where,) if law.where else ())):
        value = _value(world, core)
        if isinstance(value, exact.Unknown):
            for name in sorted(value.names):
                slot = world.lowering.trace.unset.get(name)
                path = tuple(name.split("."))
                if slot is not None and isinstance(slot.type, (BoolType, EnumType)):
                    return _inside(world, path), slot.type
            raise NotHere(f"{', '.join(sorted(value.names))} is open")
    return None


def _inside(world: _World, path: c.Path) -> c.Path:
    root = world.holder.path
    if path[: len(root)] != root:
        raise NotHere(f"{'.'.join(path)} is open")
    return path[len(root) :]


def _options(world: _World, settings: Settings) -> Iterator[tuple[c.Path, list[c.Core]]]:
    """Yield what is no number and stands at its default, or was chosen, with all that it can be."""
    root = world.holder.path
    for path, core in settings.items():
        yield path, _kinds(core)
    for path, read in world.lowering.trace.reads.items():
        if read.kind != "default" or read.param is None or path[: len(root)] != root:
            continue
        if isinstance(read.value, (bool, Member)) and isinstance(
            read.param.type, (BoolType, EnumType)
        ):
            cores = alternatives(read.param.type, read.param.span)
            yield (
                path[len(root) :],
                sorted(cores, key=lambda core: _worth(core) != _plain(read.value)),
            )


def _kinds(core: c.Core) -> list[c.Core]:
    return alternatives(core.type, core.span)


def alternatives(kind: Type, span: Span) -> list[c.Core]:
    """Return all that something that is no number can be."""
    if isinstance(kind, EnumType):
        return [c.Choice(span, kind, kind.enum, name) for name in kind.enum.members]
    return [c.Truth(span, kind, value) for value in (True, False)]


def _worth(core: c.Core) -> object:
    return core.value if isinstance(core, c.Truth) else getattr(core, "name", None)


def _plain(value: object) -> object:
    return value.name if isinstance(value, Member) else value


# ---- one world


def _value(world: _World, core: c.Core) -> object:
    try:
        return world.lowering.value(core, Env(world.holder))
    except Fault as fault:
        raise NotHere(fault.diagnostic.message) from None
    except ArithmeticError as wrong:
        raise NotHere(str(wrong) or "it has no value here") from None


def _read(world: _World, law: d.LawDecl) -> Read:
    build = world.lowering.build
    subject = _value(world, law.subject)
    if not isinstance(subject, (bool, g.Node)):
        raise NotHere("it is no formula here")
    variables = tuple(_variable(world, core) for core in law.variables)
    given = list(_given(world, law))
    nodes = [node for node in (subject, *given, *variables) if isinstance(node, g.Node)]
    symbols = list(dict.fromkeys(s for node in nodes for s in g.symbols(node)))
    free = [s for s in symbols if s.info.value is None]
    given.extend(bound for symbol in free for bound in world.lowering.bounds(symbol))
    domains = {s: domain_of(s, world.lowering) for s in free}
    atoms = Atoms(domains)
    repeats = _repeats(subject)
    subject = folded(build, atoms, subject)
    given = [folded(build, atoms, each) for each in given]
    degree = _degree(world, law)
    given = _needed(subject, variables, [each for each in given if each is not True])
    nodes = [node for node in (subject, *given, *variables) if isinstance(node, g.Node)]
    kept = {s for node in nodes for s in g.symbols(node)}
    domains = {s: domain for s, domain in domains.items() if s in kept}
    for each in given:  # a bound of a domain may bring further names
        for s in g.symbols(each) if isinstance(each, g.Node) else ():
            if s.info.value is None:
                domains.setdefault(s, domain_of(s, world.lowering))
    reading = Reading(build, law.kind, subject, variables, degree, tuple(given), domains)
    stood = {path[len(world.holder.path) :]: core for path, core in world.lowering.stood.items()}
    return Read(reading, {**world.settings, **stood}, _taken(world), (law.subject,), repeats)


def _variable(world: _World, core: c.Core) -> g.Sym:
    node = _value(world, core)
    words = " ".join(core.span.text.split())
    if not isinstance(node, g.Sym):
        raise NotHere(f"{words} is set here")
    if node.info.value is not None:
        raise NotHere(f"{words} is set here")
    return node


def _given(world: _World, law: d.LawDecl) -> Iterator[Truth]:
    """Yield the condition of the law and the requirements of all that it reads."""
    if law.where is not None:
        where = _value(world, law.where)
        if not isinstance(where, (bool, g.Node)):
            raise NotHere("its condition is no formula here")
        yield where
    seen: set[tuple[str, int, g.Path]] = set()
    for need in list(needs_of(world.lowering.trace, None)):
        key = (need.requirement.name, need.requirement.span.start, need.place)
        if key in seen:
            continue
        seen.add(key)
        try:
            found = world.lowering.value(need.requirement.condition, need.env)
        except (Fault, ArithmeticError):
            continue
        if isinstance(found, (bool, g.Node)):
            yield found


def _needed(subject: Truth, variables: tuple[g.Sym, ...], given: list[Truth]) -> list[Truth]:
    """
    Return *given* without what can always be met: by a limit that does nothing else than to limit.

    A requirement about one step of many, which hangs on the index of a sum, is left out as well.
    """
    kept = [each for each in dict.fromkeys(given) if not _is_indexed(each)]
    told = {each: limit for each in kept if (limit := _limit(each)) is not None}
    for limit in dict.fromkeys(told.values()):
        mine = [each for each in kept if told.get(each) is limit]
        others = [
            x for x in (subject, *variables, *kept) if isinstance(x, g.Node) and x not in mine
        ]
        if not any(limit in g.symbols(x) for x in others):
            kept = [each for each in kept if each not in mine]
    return kept


def _limit(each: Truth) -> g.Sym | None:
    """Return the name without an end that something must not exceed, where *each* says this."""
    match each:
        case g.Cmp(operator="<=" | "<", right=g.Sym() as limit, left=other):
            pass
        case g.Cmp(operator=">=" | ">", left=g.Sym() as limit, right=other):
            pass
        case _:
            return None
    endless = limit.info.value is None and limit.info.ceiling is None
    return limit if endless and limit not in g.symbols(other) else None


def _is_indexed(each: Truth) -> bool:
    """Whether a truth holds the index of a sum that stands around it."""
    if isinstance(each, bool):
        return False
    bound = {at.index for at in g.walk(each) if isinstance(at, g.SumOver)}
    return any(isinstance(at, g.Idx) and at not in bound for at in g.walk(each))


def _degree(world: _World, law: d.LawDecl) -> Fraction | None:
    if law.degree is None:
        return None
    found = _value(world, law.degree)
    if not isinstance(found, g.Num):
        raise NotHere("its degree is no number here")
    return found.value


def _repeats(subject: Truth) -> bool:
    """Whether both sides of an identity are the same thing before anything is worked out."""
    if subject is True:
        return True
    if not isinstance(subject, g.Cmp) or subject.operator != "==":
        return False
    return g.bare(subject.left) is g.bare(subject.right)


def _taken(world: _World) -> tuple[str, ...]:
    from costlang.answer.stood import assumed_records

    found = [f"{item.name} = {item.value}" for item in assumed_records(world.lowering.trace)]
    return tuple(dict.fromkeys(found))


def domain_of(symbol: g.Sym, lowering: Freeing) -> Domain:
    """Return where *symbol* may lie, by its declaration."""
    info = symbol.info
    if info.low is not None and info.high is not None:
        return Domain(Range(info.low, info.high), info.kind == "count")
    if info.span is None and info.floor is None:
        return Domain(Range(ZERO, inf), False)
    low = info.floor if info.floor is not None else -inf
    high = info.ceiling if info.ceiling is not None else inf
    return Domain(Range(low, high, info.strict), info.kind == "count", lowering.members(symbol))


__all__ = ["ROOT", "NotHere", "Read", "read_law"]
