"""What an answer stood on: what was assumed, set, overridden, given, and which side was active."""

from __future__ import annotations

from dataclasses import dataclass, field

from costlang.model.declared import Param, Requirement
from costlang.model.instances import Instance
from costlang.text import Span
from costlang.units import Dimension


@dataclass(frozen=True)
class Read:
    """A parameter that was read: its path from the question, its value, and where that is from."""

    path: tuple[str, ...]
    param: Param | None
    value: object
    kind: str
    source: str | None
    span: Span | None
    dimension: Dimension | None = None


@dataclass(frozen=True)
class Active:
    """The active side of a `max` or `min` in a definition; *side* is None when undecided."""

    definition: str
    side: str | None
    function: str
    span: Span


@dataclass(frozen=True)
class Violation:
    """A bound that a computed number breaks."""

    name: str
    words: str
    span: Span


@dataclass(eq=False)
class Trace:
    """
    Collected while one question is answered.

    *unset* are the parameters that nothing sets, by the names of the unknowns that stand for them;
    *weighed* is what was read for the requirements alone, *constants* are the definitions that were
    read and that are numbers written out, *behind* is what a question was answered with that was
    read as a value.
    """

    reads: dict[tuple[str, ...], Read] = field(default_factory=dict)
    overridden: dict[tuple[str, ...], Read] = field(default_factory=dict)
    given: dict[tuple[str, ...], Read] = field(default_factory=dict)
    active: dict[str, Active] = field(default_factory=dict)
    violations: dict[str, Violation] = field(default_factory=dict)
    instances: dict[int, Instance] = field(default_factory=dict)
    operators: list[tuple[Requirement, object]] = field(default_factory=list)
    ranges: dict[str, str] = field(default_factory=dict)
    undecided: bool = False
    touched: set[Span] = field(default_factory=set)
    unset: dict[str, Param] = field(default_factory=dict)
    weighed: dict[tuple[str, ...], Read] = field(default_factory=dict)
    constants: dict[tuple[str, ...], Read] = field(default_factory=dict)
    behind: dict[tuple[str, ...], Read] = field(default_factory=dict)

    def activate(self, found: Active) -> None:
        """Note the active side of a choice; two different ones become `mixed`."""
        earlier = self.active.get(found.definition)
        if earlier is not None and earlier.side != found.side:
            found = Active(found.definition, "mixed", found.function, found.span)
        self.active[found.definition] = found
