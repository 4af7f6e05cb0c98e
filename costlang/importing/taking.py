"""Fields read one after the other: what each says, which were read, and what is wrong with any."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from costlang.importing.description import Figure, Value
from costlang.importing.json_text import Json, Member, Members, alike
from costlang.text import Diagnostic, Label, Span
from costlang.text.near import did_you_mean, near_names

LARGEST = 10**12
"""No size of a model comes near it; a larger number is a slip."""


def stated_count(taking: Taking, name: str, usual: int, least: int = 1) -> int | None:
    """Return the number in the field *name*, *usual* where it is absent, None where it is wrong."""
    member = taking.member(name)
    return usual if member is None else taking.count(member, least)


@dataclass
class Taking:
    """
    The fields of one object while they are read.

    *home* is what the object is called in a message: a `qwen3` configuration. A fault is kept, and
    the reading goes on with None for the value.
    """

    members: Members
    place: Span
    home: str
    figures: dict[str, Figure] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)
    faults: list[Diagnostic] = field(default_factory=list)

    # ---- what stands there

    def member(self, *names: str) -> Member | None:
        """
        Return the first member with one of *names* that is not null, and note all as read.

        A null under one of them comes back only where no other says anything. Two that differ are
        a fault.
        """
        found = [item for name in names if (item := self.members.find(name)) is not None]
        self.read.update(names)
        said = [item for item in found if item.value.value is not None]
        for other in said[1:]:
            if not alike(other.value, said[0].value):
                self._differ(said[0], other)
        return next(iter([*said, *found]), None)

    def says(self, *names: str) -> bool:
        """Whether one of *names* has a value other than null."""
        found = self.member(*names)
        return found is not None and found.value.value is not None

    def value(self, parameter: str) -> Value | None:
        """Return what was taken for *parameter*, None where it is not known."""
        figure = self.figures.get(parameter)
        return figure.value if figure is not None else None

    def number(self, parameter: str) -> int | None:
        """Return the whole number that was taken for *parameter*, None where there is none."""
        value = self.value(parameter)
        return value if type(value) is int else None

    # ---- of a kind

    def count(self, member: Member, least: int = 1) -> int | None:
        """Return the whole number that *member* states; anything else is a fault."""
        value = member.value.value
        if type(value) is int and least <= value <= LARGEST:
            return value
        self.faults.append(_no_count(member, least))
        return None

    def flag(self, member: Member) -> bool | None:
        """Return the truth that *member* states; anything else is a fault."""
        value = member.value.value
        if isinstance(value, bool):
            return value
        self.faults.append(wrong(member, "is `true` or `false`", f"{kind_of(member.value)}"))
        return None

    def texts(self, member: Member) -> tuple[str, ...] | None:
        """Return the texts that *member* lists; anything else is a fault."""
        value = member.value.value
        if isinstance(value, tuple):
            found = tuple(item.value for item in value if isinstance(item.value, str))
            if len(found) == len(value):
                return found
        self.faults.append(wrong(member, "is a list of texts", kind_of(member.value)))
        return None

    def counts(self, member: Member, least: int = 0) -> tuple[int, ...] | None:
        """Return the whole numbers that *member* lists; anything else is a fault."""
        value = member.value.value
        if isinstance(value, tuple):
            found = tuple(x.value for x in value if type(x.value) is int and x.value >= least)
            if len(found) == len(value):
                return found
        self.faults.append(wrong(member, "is a list of whole numbers", kind_of(member.value)))
        return None

    # ---- what is wrong

    def missing(self, *names: str) -> None:
        """Note that none of *names* is there, and that nothing else says it."""
        found = next((m for name in names if (m := self.members.find(name)) is not None), None)
        where, label = self.place, "has no such field"
        if found is not None:
            where, label = found.value.span, "null says nothing"
        near = near_names(names[0], [item.name for item in self.members.items])
        unread = [name for name in near if name not in self.read]
        title = f"`{names[0]}` is missing, and has no default"
        self.faults.append(
            Diagnostic("missing-field", title, Label(where, label), help=did_you_mean(unread))
        )

    def lacking(self, title: str) -> None:
        """Note that what the object says is not enough, as *title* tells."""
        label = Label(self.place, "not enough is said here")
        self.faults.append(Diagnostic("missing-field", title, label))

    def at_odds(self, title: str, *parameters: str) -> None:
        """Note that figures cannot be together; the first that a field states is what is wrong."""
        found = [figure for name in parameters if (figure := self.figures.get(name)) is not None]
        fields = [self.members.find(figure.fields[0]) for figure in found if figure.fields]
        stated = [item for item in fields if item is not None and item.value.value is not None]
        labels = [Label(item.span.to(item.value.span), "stated here") for item in stated]
        first, *rest = labels or [Label(self.place, "by what is taken for it")]
        self.faults.append(Diagnostic("wrong-field", title, first, tuple(rest)))

    def refuse(self, member: Member, because: str, help: str | None = None) -> None:
        """Note that the library has no words for what *member* says."""
        title = f"`{member.name}` is not imported: {because}"
        label = Label(member.span.to(member.value.span), "stated here")
        self.faults.append(Diagnostic("unsupported-field", title, label, help=help))

    def _differ(self, one: Member, other: Member) -> None:
        title = f"`{one.name}` and `{other.name}` mean the same, and differ"
        first = Label(one.span.to(one.value.span), "one value")
        second = Label(other.span.to(other.value.span), "and another")
        self.faults.append(Diagnostic("wrong-field", title, second, (first,)))


def wrong(member: Member, wanted: str, found: str) -> Diagnostic:
    """Return the message that *member* should be what is *wanted*, and is what was *found*."""
    title = f"`{member.name}` {wanted}"
    return Diagnostic("wrong-field", title, Label(member.value.span, found))


def _no_count(member: Member, least: int) -> Diagnostic:
    value = member.value.value
    wanted = f"is a whole number from {least}"
    if isinstance(value, str) and value.strip().isdecimal():
        return wrong(member, wanted, "a text, although of digits")
    if type(value) is int:
        return wrong(member, wanted, "too small" if value < least else "no model is so large")
    return wrong(member, wanted, kind_of(member.value))


def kind_of(value: Json) -> str:
    """Return what kind of JSON *value* is, as a label says it."""
    match value.value:
        case None:
            return "null"
        case bool():
            return "a truth"
        case str():
            return "a text"
        case tuple():
            return "a list"
        case Members():
            return "an object"
        case Fraction():
            return "a number with a point or an exponent"
        case _:
            return "a number"
