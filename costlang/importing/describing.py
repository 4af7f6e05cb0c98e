"""From the text of a configuration to the description of a model, or to every reason against it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from costlang.importing.description import (
    ON_REQUEST,
    Description,
    Figure,
    Ignored,
    Refusal,
)
from costlang.importing.families import FAMILIES, WRAPPERS, by_architecture
from costlang.importing.families.shapes import fitting
from costlang.importing.family import Family, Wrapper
from costlang.importing.formats import take_formats
from costlang.importing.harmless import HARMLESS
from costlang.importing.json_text import Json, Member, Members, alike, parse_json
from costlang.importing.rules import Empty, Only, Rule
from costlang.importing.taking import Taking, kind_of
from costlang.text import Diagnostic, Label, Source, Span, in_source_order
from costlang.text.near import did_you_mean, near_names

GENERAL: tuple[Rule, ...] = (
    Only("is_encoder_decoder", (False,), "a model with an encoder beside the decoder"),
    Only("add_cross_attention", (False,), "attention to another model"),
    Only("tie_encoder_decoder", (False,), "a model with an encoder beside the decoder"),
    Only("torchscript", (False,), "a model whose last matrix is a copy of the first"),
    Empty("pruned_heads", "layers of which heads were taken away"),
    Empty("cross_attention_hidden_size", "attention to another model"),
)
"""What holds for every family: fields of which only the usual value is understood."""


NAMING = ("model_type", "architectures")
"""Fields that say which family it is."""

SHARED = ("dtype", "torch_dtype", "quantization_config", "tie_word_embeddings")
"""Fields that may stand around the object with the shapes, and speak of it all the same."""


@dataclass(frozen=True)
class _Chosen:
    """The object with the shapes, its family, and what stands around it."""

    family: Family
    architecture: str
    members: Members
    outer: Members | None = None
    wrapper: Wrapper | None = None


def describe(source: Source, ignore: tuple[str, ...] = ()) -> Description | Refusal:
    """
    Return what the configuration *source* says of a model.

    *ignore* names fields that are not understood and which the caller vouches for. Every reason
    against importing is found at once, in the order of the text.
    """
    found = parse_json(source)
    if isinstance(found, Diagnostic):
        return Refusal((found,))
    chosen = _choose(found)
    if isinstance(chosen, Diagnostic):
        return Refusal((chosen,))
    return _described(chosen, found, ignore)


def _described(chosen: _Chosen, whole: Json, ignore: tuple[str, ...]) -> Description | Refusal:
    family = chosen.family
    place = Span(whole.span.source, whole.span.start, whole.span.start + 1)
    taking = Taking(_with_shared(chosen), place, f"a `{family.name}` configuration")
    taking.faults.extend(_contradictions(chosen))
    for rule in (*GENERAL, *family.rules):
        rule.take(taking)
    imports = take_formats(taking, family.kept)
    ignored, left_out = _rest(taking, chosen, ignore)
    if taking.faults:
        return Refusal(in_source_order(tuple(taking.faults)))
    figures: tuple[Figure, ...] = tuple(taking.figures.values())
    interface = family.interface or fitting(taking)
    return Description(
        family.name, chosen.architecture, interface, figures, ignored, left_out, imports
    )


def _with_shared(chosen: _Chosen) -> Members:
    """Return the object with the shapes, and what stands around it and speaks of it."""
    around = chosen.outer.items if chosen.outer is not None else ()
    names = {member.name for member in chosen.members.items if member.value.value is not None}
    lent = (m for m in around if m.name in SHARED and m.name not in names)
    own = (m for m in chosen.members.items if m.name in names or not _in(chosen.outer, m.name))
    return Members((*own, *lent))


def _in(members: Members | None, name: str) -> bool:
    return members is not None and name in SHARED and members.find(name) is not None


def _contradictions(chosen: _Chosen) -> Iterator[Diagnostic]:
    """Yield what the inner object says otherwise than the one around it."""
    for name in SHARED if chosen.outer is not None else ():
        inner = chosen.members.find(name)
        outer = chosen.outer.find(name) if chosen.outer is not None else None
        if inner is None or outer is None or None in (inner.value.value, outer.value.value):
            continue
        if not alike(inner.value, outer.value):
            title = f"`{name}` stands in the inner object and around it, and differs"
            first = Label(outer.span.to(outer.value.span), "one value")
            second = Label(inner.span.to(inner.value.span), "and another")
            yield Diagnostic("wrong-field", title, second, (first,))


# ---- the fields that no rule has read


@dataclass(frozen=True)
class _Lists:
    """What is known of the fields of an object that no rule reads."""

    home: str
    harmless: Mapping[str, str]
    left_out: Mapping[str, str]
    ignore: tuple[str, ...]

    def sorted_out(self, members: Iterable[Member], taking: Taking) -> Iterator[Ignored | str]:
        """Yield what is passed over, and in a sentence what is left out; refuse the rest."""
        for member in members:
            if because := self._because(member):
                yield Ignored(member.name, because)
            elif because := self.left_out.get(member.name):
                yield from [because] if _says_something(member) else []
            else:
                taking.faults.append(self._unknown(member, taking.read))

    def _because(self, member: Member) -> str | None:
        """Return why *member* does not matter, None where it may."""
        known = self.harmless.get(member.name) or HARMLESS.get(member.name)
        if known or member.name in self.left_out:
            return known
        if member.value.value is None:
            return "null says nothing"
        return ON_REQUEST if member.name in self.ignore else None

    def _unknown(self, member: Member, read: Iterable[str]) -> Diagnostic:
        title = f"`{member.name}` is not understood, and could change what the model costs"
        known = {*HARMLESS, *self.harmless, *self.left_out, *read}
        near = did_you_mean(near_names(member.name, known))
        help = near or f"if it surely does not matter, pass `--ignore {member.name}`"
        return Diagnostic(
            "unknown-field", title, Label(member.span, f"no field of {self.home}"), help=help
        )


def _rest(
    taking: Taking, chosen: _Chosen, ignore: tuple[str, ...]
) -> tuple[tuple[Ignored, ...], tuple[str, ...]]:
    """Return what is passed over and what is left out, among the fields that no rule has read."""
    family, wrapper = chosen.family, chosen.wrapper
    inside = _Lists(taking.home, family.harmless, family.left_out, ignore)
    read = {*taking.read, *NAMING}
    found = [*inside.sorted_out((m for m in chosen.members.items if m.name not in read), taking)]
    if wrapper is not None and chosen.outer is not None:
        home = f"a `{wrapper.model_types[0]}` configuration"
        around = _Lists(home, wrapper.harmless, wrapper.left_out, ignore)
        read = {*SHARED, *NAMING, "text_config"}
        found += around.sorted_out((m for m in chosen.outer.items if m.name not in read), taking)
    ignored = tuple(item for item in found if isinstance(item, Ignored))
    left_out = (*family.besides, *(item for item in found if isinstance(item, str)))
    return ignored, tuple(dict.fromkeys(left_out))


def _says_something(member: Member) -> bool:
    return member.value.value not in (None, 0, False, ())


# ---- which family it is


def _choose(found: Json) -> _Chosen | Diagnostic:
    if not isinstance(found.value, Members):
        label = Label(_head(found.span), f"{kind_of(found)}; an object in `{{ }}` belongs here")
        return Diagnostic("not-a-config", "this is no configuration of a model", label)
    named = _named(found.value, found.span)
    if isinstance(named, Diagnostic):
        return named
    family, architecture = named
    if isinstance(family, Family):
        return _Chosen(family, architecture, found.value)
    inner = found.value.find("text_config")
    if inner is None or not isinstance(inner.value.value, Members):
        title = f"a `{family.model_types[0]}` configuration has its model under `text_config`"
        place = found.span if inner is None else inner.value.span
        return Diagnostic("missing-field", title, Label(_head(place), "no such object"))
    return _inside(family, architecture, found.value, inner.value.value, inner.span)


def _inside(
    wrapper: Wrapper, architecture: str, outer: Members, inner: Members, place: Span
) -> _Chosen | Diagnostic:
    """Return the family of the object under `text_config`."""
    if inner.find("model_type") is None and inner.find("architectures") is None:
        return _Chosen(FAMILIES[wrapper.text], architecture, inner, outer, wrapper)
    named = _named(inner, place)
    if isinstance(named, Diagnostic):
        return named
    family, _ = named
    if isinstance(family, Wrapper):
        title = "a configuration stands in one that stands in another"
        return Diagnostic("not-a-config", title, Label(place, "the inner one"))
    return _Chosen(family, architecture, inner, outer, wrapper)


def _named(members: Members, place: Span) -> tuple[Family | Wrapper, str] | Diagnostic:
    """Return the family that *members* name, and the architecture; or why there is none."""
    kind, classes = members.find("model_type"), members.find("architectures")
    names = tuple(_texts(classes))
    if kind is not None and isinstance(kind.value.value, str):
        found = FAMILIES.get(kind.value.value) or WRAPPERS.get(kind.value.value)
        if found is None:
            return _unknown_family(kind, kind.value.value)
        strange = [name for name in names if name not in found.architectures]
        if strange and classes is not None:
            return _strange(classes, strange[0], found)
        return found, (names or found.architectures)[0]
    if names and classes is not None:
        found = by_architecture(names[0])
        return (found, names[0]) if found is not None else _unknown_family(classes, names[0])
    title = "neither `model_type` nor `architectures` says what this is"
    label = Label(_head(place), "a configuration of which family?")
    help = "a `config.json` from Hugging Face has `model_type`"
    return Diagnostic("not-a-config", title, label, help=help)


def _texts(member: Member | None) -> Iterator[str]:
    if member is not None and isinstance(member.value.value, tuple):
        yield from (x.value for x in member.value.value if isinstance(x.value, str))


def _unknown_family(member: Member, name: str) -> Diagnostic:
    known = {*FAMILIES, *WRAPPERS} if member.name == "model_type" else set(_all_architectures())
    title = f"models of the family `{name}` are not imported yet"
    help = did_you_mean(near_names(name, known)) or "docs/importing.md lists the families"
    label = Label(member.value.span, "not known, and not guessed")
    return Diagnostic("unknown-architecture", title, label, help=help)


def _all_architectures() -> Iterator[str]:
    yield from (name for family in FAMILIES.values() for name in family.architectures)
    yield from (name for wrapper in WRAPPERS.values() for name in wrapper.architectures)


def _strange(classes: Member, name: str, family: Family | Wrapper) -> Diagnostic:
    title = f"`{name}` is no architecture that is imported for `{family.model_types[0]}`"
    known = ", ".join(family.architectures)
    label = Label(classes.value.span, "another head, or another model")
    return Diagnostic("unknown-architecture", title, label, help=f"it has: {known}")


def _head(span: Span) -> Span:
    """Return the first sign of *span*, so that a message does not show a whole file."""
    return Span(span.source, span.start, min(span.start + 1, span.end))
