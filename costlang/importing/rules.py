"""
The rules by which fields become figures: each is a line in the table of a family.

A rule takes what a configuration says, or what is documented to hold where it says nothing. There
is no third way: what fits neither is a fault, and the configuration is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from costlang.importing.description import Figure, Origin, Value
from costlang.importing.json_text import Members
from costlang.importing.taking import Taking


class Rule(Protocol):
    """What takes some fields of a configuration and notes the figures that they give."""

    def take(self, taking: Taking) -> None:
        """Read fields from *taking*, and put figures or faults into it."""


# ---- defaults


@dataclass(frozen=True)
class Default:
    """
    What holds where a field is absent or null.

    *written* is an expression over the parameters that it *needs*, which were taken before, if it
    has any; *because* says the rule in the words of a configuration, and *failing* why it gives no
    whole number.
    """

    written: str
    because: str
    work_out: Callable[[Taking], Value | None]
    needs: tuple[str, ...] = ()
    failing: str = ""


def of_class(value: Value) -> Default:
    """Return the default that the configuration class of the family documents."""
    written = str(value).lower() if isinstance(value, bool) else str(value)
    because = f"{written}, the default of its class in transformers"
    return Default("", because, lambda _: value)


NEVER = Default("", "", lambda _: None, (), "null is no size")
"""The default of a field that may be absent and must not be null."""


UNSAID = Default("", "it counts as false", lambda _: False)
"""What a truth is that is null."""


def same_as(parameter: str, field: str) -> Default:
    """Return the default that is another parameter's value."""
    return Default(parameter, f"as `{field}`", lambda t: t.number(parameter), (parameter,))


def times(factor: int, parameter: str, field: str) -> Default:
    """Return the default that is a multiple of another parameter's value."""

    def product(taking: Taking) -> int | None:
        value = taking.number(parameter)
        return None if value is None else factor * value

    return Default(f"{factor} * {parameter}", f"{factor} times `{field}`", product, (parameter,))


def quotient(above: str, below: str, fields: tuple[str, str]) -> Default:
    """Return the default that is a quotient of two parameters, None where it is not whole."""

    def divided(taking: Taking) -> int | None:
        one, other = taking.number(above), taking.number(below)
        return one // other if one and other and one % other == 0 else None

    return Default(
        f"{above} / {below}",
        f"`{fields[0]}` over `{fields[1]}`",
        divided,
        (above, below),
        f"`{fields[0]}` is no multiple of `{fields[1]}`",
    )


# ---- rules


@dataclass(frozen=True)
class Count:
    """
    A whole number from *least*; without a *default*, a configuration must state it.

    Null means what an absent field does where that follows from other figures, and is no size
    where it would be a number of the class, unless *if_null* says otherwise. *more* is added to
    what is stated, for a table with more rows than positions.
    """

    parameter: str
    names: tuple[str, ...]
    default: Default | None = None
    if_null: Default | None = None
    least: int = 1
    more: int = 0

    def take(self, taking: Taking) -> None:
        """Take the number that is stated, or the default."""
        member = taking.member(*self.names)
        if member is None:
            _take_default(taking, self.parameter, self.names, self.default)
        elif member.value.value is None:
            _take_default(taking, self.parameter, self.names, self._of_null())
        elif (value := taking.count(member, self.least)) is not None:
            because = f"and {self.more} more" if self.more else ""
            taking.figures[self.parameter] = Figure(
                self.parameter, value + self.more, Origin.FIELD, (member.name,), because
            )

    def _of_null(self) -> Default | None:
        if self.if_null is not None or self.default is None:
            return self.if_null
        return self.default if self.default.needs else NEVER


@dataclass(frozen=True)
class Flag:
    """A truth; without a *default*, a configuration must state it. Null counts as false."""

    parameter: str
    names: tuple[str, ...]
    default: Default | None = None

    def take(self, taking: Taking) -> None:
        """Take the truth that is stated, or the default."""
        member = taking.member(*self.names)
        if member is None:
            _take_default(taking, self.parameter, self.names, self.default)
        elif member.value.value is None:
            _take_default(taking, self.parameter, self.names, UNSAID)
        elif (value := taking.flag(member)) is not None:
            figure = Figure(self.parameter, value, Origin.FIELD, (member.name,))
            taking.figures[self.parameter] = figure


@dataclass(frozen=True)
class Choice:
    """A truth of a configuration that is one of two values of a *parameter*."""

    parameter: str
    name: str
    default: bool
    values: tuple[Value, Value]
    """When it is false, and when it is true."""

    def take(self, taking: Taking) -> None:
        """Take the value that is meant."""
        member = taking.member(self.name)
        stated = self.default
        if member is not None and member.value.value is not None:
            found = taking.flag(member)
            if found is None:
                return
            word = str(found).lower()
            taking.figures[self.parameter] = Figure(
                self.parameter, self.values[found], Origin.FIELD, (self.name,), f"it is {word}"
            )
            return
        null = Default("", "it counts as false", lambda _: self.values[False])
        chosen = of_class(self.values[stated]) if member is None else null
        _take_default(taking, self.parameter, (self.name,), chosen)


@dataclass(frozen=True)
class Grouped:
    """Query heads that share cache heads evenly: a rule that other figures have to keep."""

    def take(self, taking: Taking) -> None:
        """Refuse a number of cache heads that does not go into that of query heads."""
        heads, kv_heads = taking.number("heads"), taking.number("kv_heads")
        if heads is not None and kv_heads is not None and heads % kv_heads:
            title = f"{heads:,} query heads cannot share {kv_heads:,} cache heads evenly"
            taking.at_odds(title, "kv_heads", "heads")


@dataclass(frozen=True)
class Always:
    """A figure that each model of the family has, whatever its configuration says."""

    parameter: str
    value: Value
    because: str

    def take(self, taking: Taking) -> None:
        """Take the figure."""
        figure = Figure(self.parameter, self.value, Origin.FAMILY, (), self.because)
        taking.figures[self.parameter] = figure


@dataclass(frozen=True)
class Follows:
    """A figure that no field states, since it always follows from others."""

    parameter: str
    rule: Default

    def take(self, taking: Taking) -> None:
        """Take the figure; where it is no whole number, the field that it follows from is wrong."""
        value = self.rule.work_out(taking)
        if value is None:
            _note_no_default(taking, self.parameter, self.rule)
            return
        because = f"Always {self.rule.because}"
        taking.figures[self.parameter] = Figure(
            self.parameter, value, Origin.FAMILY, (), because, self.rule.written
        )


@dataclass(frozen=True)
class Only:
    """A field that is understood at one of its values alone; absent and null are the first."""

    name: str
    values: tuple[Value, ...]
    because: str

    def take(self, taking: Taking) -> None:
        """Refuse any other value."""
        member = taking.member(self.name)
        if member is None or member.value.value is None:
            return
        value = member.value.value
        if not any(type(value) is type(known) and value == known for known in self.values):
            taking.refuse(member, self.because)


@dataclass(frozen=True)
class Matches:
    """A field that is understood only while it is what a *parameter* is."""

    name: str
    parameter: str
    because: str

    def take(self, taking: Taking) -> None:
        """Refuse any other value."""
        member = taking.member(self.name)
        if member is None or member.value.value is None:
            return
        stated, wanted = taking.count(member), taking.number(self.parameter)
        if stated is not None and wanted is not None and stated != wanted:
            taking.refuse(member, self.because)


@dataclass(frozen=True)
class Empty:
    """A list or an object that is understood only while nothing stands in it."""

    name: str
    because: str

    def take(self, taking: Taking) -> None:
        """Refuse what holds something."""
        member = taking.member(self.name)
        if member is None or member.value.value in (None, ()):
            return
        if not (isinstance(member.value.value, Members) and not member.value.value.items):
            taking.refuse(member, self.because)


def _take_default(
    taking: Taking, parameter: str, names: tuple[str, ...], default: Default | None
) -> None:
    if default is None:
        taking.missing(*names)
        return
    value = default.work_out(taking)
    if value is None:
        _note_no_default(taking, names[0], default)
        return
    stated = next((n for n in names if taking.members.find(n) is not None), None)
    silent = f"`{stated}` is null" if stated else f"`{names[0]}` is absent"
    figure = Figure(
        parameter,
        value,
        Origin.DEFAULT,
        names,
        f"{silent}, so {default.because}",
        default.written,
    )
    taking.figures[parameter] = figure


def _note_no_default(taking: Taking, name: str, default: Default) -> None:
    """Say why *default* gives no value, unless what it follows from is faulty itself."""
    if all(taking.number(needed) is not None for needed in default.needs):
        taking.lacking(f"`{name}` cannot be worked out: {default.failing}")
