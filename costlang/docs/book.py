"""The specs of a page, and the answers to what it asks of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from costlang import pipeline
from costlang.answer import Answer
from costlang.docs.words import Embed
from costlang.loader.resolve import project_root
from costlang.model import declared as d
from costlang.model.check import Model
from costlang.text import Diagnostic, Label, Span
from costlang.text.near import did_you_mean, near_names


@dataclass
class Shelf:
    """The specs that were read so far: each once, whatever page asks for it."""

    models: dict[Path, Model] = field(default_factory=dict)

    def model(self, path: Path, name: str) -> Model:
        """Return the spec at *path*, called *name*, with its mistakes."""
        real = Path(os.path.realpath(path))
        if real not in self.models:
            self.models[real] = pipeline.model_of(name)
        return self.models[real]


@dataclass(frozen=True)
class Found:
    """The answer to an embed, in which scenario of which spec, and the words of the question."""

    answer: Answer
    model: Model
    scenario: d.ScenarioDecl
    spec: str
    asked: str

    @property
    def key(self) -> str:
        """What a record of it is called: spec, scenario and question."""
        return f"{self.spec}: {self.scenario.name}: {self.asked}"


@dataclass(frozen=True)
class Named:
    """A spec that a page names: how, and where."""

    text: str
    span: Span | None


@dataclass(frozen=True)
class Book:
    """
    What the embeds of one page may ask: the *specs* that it names, seen from its *folder*.

    *scenario* is the one that is meant where an embed names none, *locale* how numbers are written.
    """

    folder: Path
    specs: tuple[Named, ...] = ()
    scenario: str | None = None
    locale: str | None = None
    shelf: Shelf = field(default_factory=Shelf)

    def ask(self, embed: Embed) -> tuple[Found, ...] | tuple[Diagnostic, ...]:
        """Return the answers that *embed* asks for, or why there are none."""
        models = self._models(embed)
        if isinstance(models, tuple):
            return models
        asking = _Asking(self, embed, models)
        if embed.question is not None:
            return asking.expression()
        return asking.named(embed.names[0])

    def scenarios(self, embed: Embed) -> tuple[Place, ...] | tuple[Diagnostic, ...]:
        """Return the scenarios that *embed* names."""
        models = self._models(embed)
        if isinstance(models, tuple):
            return models
        asking = _Asking(self, embed, models)
        found = [asking.scenario(name) for name in embed.names]
        wrong = tuple(item for item in found if isinstance(item, Diagnostic))
        return wrong or tuple(item for item in found if isinstance(item, Place))

    def _models(self, embed: Embed) -> dict[str, Model] | tuple[Diagnostic, ...]:
        named = self.specs
        if embed.options.spec is not None:
            named = (Named(embed.options.spec, embed.placed("spec")),)
        if not named:
            mend = "write `cost: FILE.cost` between `---` lines at its top, or `spec=FILE.cost`"
            place = Label(embed.place, "asked of no spec")
            return (Diagnostic("no-spec", "this page names no spec", place, help=mend),)
        models: dict[str, Model] = {}
        faults: list[Diagnostic] = []
        for each in named:
            model = self._model(each, each.span or embed.place)
            if isinstance(model, Diagnostic):
                faults.append(model)
            else:
                faults.extend(item for item in model.diagnostics if item.is_error)
                models[_beside(self.folder, each.text)] = model
        return tuple(faults) or models

    def _model(self, named: Named, place: Span) -> Model | Diagnostic:
        path = self.folder / named.text
        name = os.path.normpath(path)
        real = Path(os.path.realpath(path))
        if not real.is_relative_to(project_root(self.folder)):
            label = Label(place, "leads out of the project")
            message = "a page asks only specs of its own project"
            return Diagnostic("outside-project", message, label)
        if not real.is_file():
            beside = sorted(file.name for file in real.parent.glob("*.cost"))
            mend = did_you_mean(near_names(real.name, beside))
            message = f"there is no file `{name}`"
            return Diagnostic("missing-file", message, Label(place, "not found"), help=mend)
        return self.shelf.model(path, name)


@dataclass(frozen=True)
class Place:
    """A scenario, and the spec that it stands in."""

    spec: str
    model: Model
    scenario: d.ScenarioDecl


@dataclass(frozen=True)
class _Asking:
    book: Book
    embed: Embed
    models: dict[str, Model]

    def places(self) -> Iterator[Place]:
        """Yield each scenario of the specs."""
        for spec, model in self.models.items():
            for decl in model.scenarios().values():
                yield Place(spec, model, decl)

    def expression(self) -> tuple[Found, ...] | tuple[Diagnostic, ...]:
        assert self.embed.question is not None
        place = self.meant()
        if isinstance(place, Diagnostic):
            return (place,)
        return self._answers(place, self.embed.question)

    def named(self, name: str) -> tuple[Found, ...] | tuple[Diagnostic, ...]:
        """Return the answers to the question *name*, or to the definition of that name."""
        first, _, rest = name.partition(".")
        places = [place for place in self.places() if place.scenario.name == first]
        if rest and places:
            place = self.one(first, places)
            return (place,) if isinstance(place, Diagnostic) else self._question(place, rest)
        place = self._with_question(name)
        return (place,) if isinstance(place, Diagnostic) else self._question(place, name)

    def _with_question(self, name: str) -> Place | Diagnostic:
        """Return the scenario that has the question *name*, where no scenario is named."""
        if self._chosen() is not None:
            return self.meant()
        holding = [p for p in self.places() if _asks(p.scenario, name.partition(".")[0])]
        return self.one(None, holding) if holding else self._unknown(name)

    def _question(self, place: Place, text: str) -> tuple[Found, ...] | tuple[Diagnostic, ...]:
        slot = place.scenario.slots.get(text)
        if isinstance(slot, d.QuerySlot) or "." in text or "[" in text:
            return self._answers(place, text)
        if text in place.scenario.slots:
            return self._answers(place, text)
        return (self._unknown(f"{place.scenario.name}.{text}"),)

    def _answers(self, place: Place, text: str) -> tuple[Found, ...] | tuple[Diagnostic, ...]:
        report = pipeline.ask_scenario(place.model, place.scenario, text, with_formula=True)
        if not report.usable:
            return tuple(self._moved(item) for item in report.diagnostics if item.is_error)
        found = (Found(a, place.model, place.scenario, place.spec, text) for a in report.answers)
        return tuple(found)

    def _moved(self, item: Diagnostic) -> Diagnostic:
        """Return a message about the words of a question at their place in the page."""
        if item.span.source.name not in ("<question>",):
            return item
        return replace(
            item,
            primary=Label(_at(self.embed.place, item.span), item.primary.text),
            labels=tuple(
                Label(_at(self.embed.place, label.span), label.text)
                for label in item.labels
                if label.span.source is item.span.source
            ),
            edit=None,
        )

    # ---- which scenario

    def _chosen(self) -> str | None:
        return self.embed.options.scenario or self.book.scenario

    def meant(self) -> Place | Diagnostic:
        """Return the scenario that is meant where none is named."""
        name = self._chosen()
        return self.scenario(name) if name is not None else self.one(None, list(self.places()))

    def scenario(self, name: str) -> Place | Diagnostic:
        """Return the scenario *name*."""
        return self.one(name, [p for p in self.places() if p.scenario.name == name])

    def one(self, name: str | None, places: list[Place]) -> Place | Diagnostic:
        """Return the one of *places* that is meant, or that there is none or more than one."""
        if len(places) == 1:
            return places[0]
        at = self.embed.placed("scenario")
        if places:
            each = ", ".join(f"`{p.scenario.name}` of {p.spec}" for p in places)
            which = f"there are {each}: say which with `in=` or `spec=`"
            message = "more than one scenario could be meant here"
            return Diagnostic("which-scenario", message, Label(at, "asked of which?"), help=which)
        known = sorted({p.scenario.name for p in self.places()})
        message = f"no scenario is called `{name}`" if name else "the spec has no scenario"
        mend = did_you_mean(near_names(name or "", known))
        return Diagnostic("unknown-scenario", message, Label(at, "no such scenario"), help=mend)

    def _unknown(self, name: str) -> Diagnostic:
        """Say that no question has this name, or that no scenario has the first part of it."""
        first, _, rest = name.partition(".")
        scenarios = {p.scenario.name: p.scenario for p in self.places()}
        if rest and first not in scenarios:
            found = self.scenario(first)
            assert isinstance(found, Diagnostic)
            return found
        known = [
            text
            for title, decl in scenarios.items()
            for slot in decl.queries()
            for text in (slot.name, f"{title}.{slot.name}")
        ]
        mend = did_you_mean(near_names(name, known))
        message = f"no question is called `{name}`"
        place = Label(self.embed.place, "no question of the spec")
        return Diagnostic("unknown-question", message, place, help=mend)


def _beside(folder: Path, text: str) -> str:
    """Return how a record calls the spec *text*: by its way from the page, on every system."""
    return Path(os.path.relpath(folder / text, folder)).as_posix()


def _asks(scenario: d.ScenarioDecl, name: str) -> bool:
    return name in scenario.slots


def _at(place: Span, span: Span) -> Span:
    """Return *span*, a stretch of a question, where the question stands in a page."""
    start = place.start + span.start
    if span.source.text != place.text:  # the question goes over a line's end
        start = place.source.text.find(span.text, place.start, place.end) if span.text else -1
    if start < 0:
        return place
    return Span(place.source, start, start + max(1, span.end - span.start))
