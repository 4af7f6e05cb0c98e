"""A file or a phase of the library, opened once, to be asked several things one after another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from costlang import pipeline
from costlang.answer import Report
from costlang.loader import load
from costlang.model import declared as d
from costlang.model.check import Model
from costlang.syntax import parse, parse_question
from costlang.syntax import tree as t
from costlang.text import Diagnostic, Source


@dataclass(frozen=True)
class Posed:
    """
    A scenario that is ready to be asked, under the bindings *at*.

    *question* is how the one that it was opened with is called in it; *about* says in words what it
    is; *param* is a parameter that was added to it.
    """

    model: Model
    scenario: d.ScenarioDecl
    question: str
    sentence: pipeline.Sentence
    about: str = ""
    also: tuple[str, ...] = ()
    param: str = ""

    def ask(self, text: str, *, fine: bool = False) -> Report:
        """Return the answers to *text*, a question or the name of one."""
        at = self.sentence.at
        return pipeline.ask_scenario(self.model, self.scenario, text, at, fine=fine)

    def called(self, use: str) -> str:
        """Return how a reader calls a *use*: by the phase where the scenario is made for it."""
        of = self.sentence.of
        return of.split("(")[0].strip() if self.sentence.entry is None and of else use

    def with_param(self, unit: str) -> Posed:
        """Return the same scenario with one more parameter, above zero, measured in *unit*."""
        name = "x"
        while name in self.scenario.slots:
            name += "_"
        opened = pipeline.opened(self.sentence, _trees(self.also), (_param(name, unit),))
        assert not isinstance(opened, Report), "what was sound is sound with one name more"
        model, scenario = opened
        return replace(self, model=model, scenario=model.scenarios()[scenario], param=name)


def pose(
    question: str,
    entry: pipeline.Entry | None = None,
    of: str | None = None,
    at: tuple[str, ...] = (),
    also: tuple[str, ...] = (),
) -> Posed | tuple[Diagnostic, ...]:
    """
    Return what *question* is about, ready to be asked, or the mistakes that stand in the way.

    *question* is one in words, or the name of one of the file's; *of* is a phase or a scenario.
    Names of the library in *also*, further questions, are known as well.
    """
    named = _named(question, entry, of)
    words, of = (NOTHING, named[0]) if named is not None else (question, of)
    sentence = pipeline.Sentence(words, entry, of, at)
    opened = pipeline.opened(sentence, _trees(also))
    if isinstance(opened, Report):
        return opened.diagnostics
    model, name = opened
    scenario = model.scenarios()[name]
    asked = named[1] if named is not None else scenario.queries()[-1].name
    about = of if entry is None and of is not None else name
    bound = f" at {', '.join(at)}" if at else ""
    return Posed(model, scenario, asked, sentence, f"{about}{bound}", also)


NOTHING = "0"
"""A question that any scenario can answer, for one that is opened to be asked others."""


def _named(question: str, entry: pipeline.Entry | None, of: str | None) -> tuple[str, str] | None:
    """Return the scenario and the name of the question of the file that is called *question*."""
    if entry is None:
        return None
    for scenario, query in _queries(entry):
        if of in (None, scenario) and question in (query, f"{scenario}.{query}"):
            return scenario, query
    return None


def _queries(entry: pipeline.Entry) -> Iterator[tuple[str, str]]:
    files = load(entry).files
    for scenario in files[0].tree.declarations if files else ():
        if isinstance(scenario, t.Scenario):
            for member in scenario.members:
                if isinstance(member, t.Query):
                    yield scenario.name.text, member.name.text


def _trees(questions: tuple[str, ...]) -> tuple[t.Node, ...]:
    found = (parse_question(Source("<question>", text))[0] for text in questions)
    return tuple(node for node in found if node is not None)


def _param(name: str, unit: str) -> t.Param:
    kind = f"[{unit}]" if unit != "1" else "ratio"
    text = f"cost 1\nscenario s {{\n  param {name} : {kind} in 0..\n}}\n"
    scenario = parse(Source("<picture>", text)).tree.declarations[0]
    assert isinstance(scenario, t.Scenario)
    param = scenario.members[0]
    assert isinstance(param, t.Param)
    return param
