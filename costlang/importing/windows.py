"""Which layers see only a window: the switches, patterns and lists by which families say it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from costlang.importing.description import Figure, Origin
from costlang.importing.rules import Default
from costlang.importing.taking import Taking, stated_count, wrong

FULL, CHUNKED = "full_attention", "chunked_attention"
SEE = "see a window"


@dataclass(frozen=True)
class Some:
    """So many layers see a window, *because* of what, and the *fields* that say it, if any do."""

    layers: int
    because: str
    fields: tuple[str, ...] = ()


Pattern = Callable[[Taking, int], Some | None]
"""From the number of all layers to those that see a window; None after a fault."""


def every_layer(taking: Taking, layers: int) -> Some:
    """Return all layers."""
    return Some(layers, "each layer sees a window")


def all_but_each(field: str, usual: int) -> Pattern:
    """Return the pattern in which one layer in so many sees everything: the last of each group."""

    def pattern(taking: Taking, layers: int) -> Some | None:
        group = stated_count(taking, field, usual)
        if group is None:
            return None
        copy = taking.member(f"_{field}")
        if copy is not None and copy.value.value != group and not taking.says("layer_types"):
            taking.refuse(copy, f"a note, and `layer_types` does not say so; {group} is in force")
        because = f"one layer in {group} sees everything"
        return Some(layers - layers // group, because, _stated(taking, field))

    return pattern


def one_in(group: int) -> Pattern:
    """Return the pattern in which the last of each *group* of layers sees everything."""
    because = f"one layer in {group} sees everything"
    return lambda _, layers: Some(layers - layers // group, because)


def after(field: str, usual: int) -> Pattern:
    """Return the pattern in which the first layers see everything: as many as *field* says."""

    def pattern(taking: Taking, layers: int) -> Some | None:
        first = stated_count(taking, field, usual, least=0)
        if first is None:
            return None
        because = f"the first {first} layers see everything"
        return Some(max(0, layers - first), because, _stated(taking, field))

    return pattern


def _stated(taking: Taking, field: str) -> tuple[str, ...]:
    return (field,) if taking.says(field) else ()


@dataclass(frozen=True)
class Windows:
    """
    How far layers see, and how many of them see less than everything.

    *window* has the names of the field with the tokens of a window, *default* what holds where it
    is absent. Where each layer sees a window, where there is a *switch* and where it *may_be_null*,
    null means that every layer sees everything, and so does a switch that is absent or off.
    `layer_types` says it layer by layer, and wins over the *pattern*; the kinds that stand for a
    window there are *cut*.
    """

    window: tuple[str, ...]
    pattern: Pattern
    default: Default | None = None
    switch: str | None = None
    cut: str = "sliding_attention"
    may_be_null: bool = False

    def take(self, taking: Taking) -> None:
        """Take the window and the numbers of layers with it and without."""
        before = len(taking.faults)
        layers = taking.number("layers")
        switched_on = self._switched_on(taking)
        window = self._window(taking)
        if layers is None:
            return
        usual, stated = self.pattern(taking, layers), listed(taking, layers, self.cut, SEE)
        some = stated or usual
        if len(taking.faults) > before or some is None:
            return
        if window is not None and switched_on:
            self._ensure_all(taking, layers, stated)
            _note(taking, window, layers, some, self.cut == CHUNKED)
        elif some.layers and (stated or not self._may_be_off):
            where = "`layer_types` has" if stated else "the family has"
            taking.lacking(f"{where} layers with a window, and `{self.window[0]}` says none")

    @property
    def _may_be_off(self) -> bool:
        return self.may_be_null or self.pattern is every_layer or self.switch is not None

    def _ensure_all(self, taking: Taking, layers: int, stated: Some | None) -> None:
        """Refuse a list without a window in some layer of a family that has one in each."""
        member = taking.member("layer_types")
        if self.pattern is every_layer and stated and stated.layers < layers and member:
            taking.refuse(member, "transformers gives each layer of this family the window")

    def _switched_on(self, taking: Taking) -> bool:
        member = taking.member(self.switch) if self.switch is not None else None
        if self.switch is None or member is None or member.value.value is None:
            return self.switch is None
        return taking.flag(member) is True

    def _window(self, taking: Taking) -> Figure | None:
        member = taking.member(*self.window)
        if member is None and self.default is not None:
            value = self.default.work_out(taking)
            because = f"`{self.window[0]}` is absent, so {self.default.because}"
            assert isinstance(value, int)
            return Figure("window", value, Origin.DEFAULT, self.window, because, unit="tok")
        if member is None or member.value.value is None:
            return None
        count = taking.count(member)
        if count is None:
            return None
        return Figure("window", count, Origin.FIELD, (member.name,), unit="tok")


def listed(taking: Taking, layers: int, cut: str, words: str) -> Some | None:
    """
    Return what `layer_types` says of the layers of the kind *cut*, which do as *words* say.

    None where there is no such list, or after a fault.
    """
    member = taking.member("layer_types")
    if member is None or member.value.value is None:
        return None
    kinds = taking.texts(member)
    if kinds is None:
        return None
    strange = next((kind for kind in kinds if kind not in (FULL, cut)), None)
    if strange is not None:
        taking.refuse(member, f"it has a layer of the kind `{strange}`")
    elif len(kinds) != layers:
        fault = wrong(member, f"has a kind for each of {layers:,} layers", f"{len(kinds):,}")
        taking.faults.append(fault)
    some = sum(kind == cut for kind in kinds)
    return Some(some, f"{some} of {layers} {words}", ("layer_types",))


def _note(taking: Taking, window: Figure, layers: int, some: Some, chunked: bool) -> None:
    if some.layers == 0:
        return
    origin = Origin.FIELD if some.fields else Origin.FAMILY
    every = "layers" if some.layers == layers else ""
    taking.figures["window_layers"] = Figure(
        "window_layers", some.layers, origin, some.fields, some.because, every
    )
    taking.figures["window"] = window
    if chunked:
        taking.figures["chunked"] = Figure(
            "chunked", True, Origin.FAMILY, (), "a token sees its own chunk, and none before it"
        )
