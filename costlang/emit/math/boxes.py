"""Mathematics as it stands on a page, before any host's spelling: one tree for all four."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Box:
    """A piece of mathematics, brackets included wherever they are needed."""


@dataclass(frozen=True)
class Number(Box):
    """A number that is not negative: *digits*, grouped by `_`, times ten to the *power*."""

    digits: str
    power: int = 0


@dataclass(frozen=True)
class Quantity(Box):
    """A number and the unit that it is in, as a spec writes it: `TB/s`."""

    number: Number
    unit: str


@dataclass(frozen=True)
class Infinite(Box):
    """Infinity."""


@dataclass(frozen=True)
class Symbol(Box):
    """
    A name on the page: *base*, what stands below it, and the row of a table or indices.

    An *upright* one is the author's name as it is; others are letters, Greek by spelling.
    """

    base: str
    below: tuple[str, ...] = ()
    row: tuple[Symbol, ...] = ()
    upright: bool = False


@dataclass(frozen=True)
class Sum(Box):
    """Terms with their signs, True for a minus."""

    terms: tuple[tuple[bool, Box], ...]


@dataclass(frozen=True)
class Product(Box):
    """Factors side by side."""

    factors: tuple[Box, ...]


@dataclass(frozen=True)
class Slash(Box):
    """A quotient on one line."""

    above: Box
    below: Box


@dataclass(frozen=True)
class Frac(Box):
    """A quotient with a bar."""

    above: Box
    below: Box


@dataclass(frozen=True)
class Power(Box):
    """A base and what stands above it."""

    base: Box
    exponent: Box


@dataclass(frozen=True)
class Minus(Box):
    """A sign before the whole."""

    inner: Box


@dataclass(frozen=True)
class Paren(Box):
    """Round brackets."""

    inner: Box


@dataclass(frozen=True)
class Call(Box):
    """A function by its name: `max`, `min`, `exp`, `log2`."""

    name: str
    arguments: tuple[Box, ...]


@dataclass(frozen=True)
class Fence(Box):
    """What has brackets of its own: `ceil`, `floor`, `abs`, and the root."""

    kind: str
    inner: Box


@dataclass(frozen=True)
class Cases(Box):
    """Values with the condition of each, and the value that is left."""

    rows: tuple[tuple[Box, Box], ...]
    otherwise: Box


@dataclass(frozen=True)
class SumSign(Box):
    """A sum over an index, with its bounds."""

    index: Symbol
    low: Box
    high: Box
    body: Box


@dataclass(frozen=True)
class Relation(Box):
    """A comparison; *operator* as a spec writes it, `=` for an equation."""

    operator: str
    left: Box
    right: Box


@dataclass(frozen=True)
class Joined(Box):
    """Truths joined by `and` or `or`."""

    word: str
    parts: tuple[Box, ...]


@dataclass(frozen=True)
class Denied(Box):
    """`not` of a truth."""

    inner: Box
