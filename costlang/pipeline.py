"""The stages in order: a file to its report, a sentence to its answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from costlang.answer import Answer, Report, answer, verdicts
from costlang.answer.advising import advice
from costlang.answer.lowered import Formula, formula_of
from costlang.answer.sweep import Progress
from costlang.answer.unread import unread_settings
from costlang.loader import Program, ResolvedImport, library_index, load
from costlang.model import core as c
from costlang.model import declared as d
from costlang.model.check import Model, check
from costlang.model.context import Context
from costlang.model.definitions import scope_of
from costlang.model.faults import Fault
from costlang.model.names import find_member
from costlang.model.questions import open_slot, read_question
from costlang.model.settings import read_setting
from costlang.model.slots import slot_type
from costlang.model.work import roomy, sentence
from costlang.prove.effort import Effort
from costlang.prove.outcome import Ledger, Outcome
from costlang.syntax import parse_binding, parse_expression, parse_question
from costlang.syntax import tree as t
from costlang.text import Diagnostic, Label, Source, Span, in_source_order
from costlang.text.near import did_you_mean, near_names

ASKED = "answer"
Entry = Path | Source | str


def run(
    entry: Entry,
    queries: tuple[str, ...] = (),
    at: tuple[str, ...] = (),
    progress: Progress | None = None,
) -> Report:
    """
    Return the checks and the answers of a file.

    *queries* names the questions to answer, all when it is empty; *at* are bindings such as
    `batch = 4`, which win over those of the file; *progress* is told of each row of a sweep.
    """
    return run_model(model_of(entry), queries, at, progress)


def model_of(entry: Entry) -> Model:
    """Return the model of the file *entry*, its mistakes among the diagnostics."""
    return check(load(entry))


@sentence()
def run_model(
    model: Model,
    queries: tuple[str, ...] = (),
    at: tuple[str, ...] = (),
    progress: Progress | None = None,
) -> Report:
    """Return the checks and the answers of a model."""
    files = tuple(model.files)
    if not model.sound:
        return Report(diagnostics=model.diagnostics, files=files)
    above, faults = _bound(model, at)
    faults += _unknown_queries(model, queries)
    if faults:
        return Report(diagnostics=in_source_order((*model.diagnostics, *faults)), files=files)
    answers = tuple(_answers(model, queries, above, progress))
    checks = tuple(verdicts(model, above))
    warnings = () if queries or at else (*_unread(model), *advice(model))
    found = in_source_order((*model.diagnostics, *warnings))
    return Report(answers, checks, found, files, 0 if queries else _own_laws(model))


def _own_laws(model: Model) -> int:
    """Return how many laws the declarations of the main file state themselves."""
    owners = (decl for decl in model.main.own.values() if isinstance(decl, d.Owner))
    return sum(len(owner.laws) for owner in owners)


def _unread(model: Model) -> tuple[Diagnostic, ...]:
    scenarios = model.scenarios().values()
    return tuple(item for scenario in scenarios for item in unread_settings(scenario))


@sentence()
def facts(entry: Entry) -> Report:
    """Return what is wrong in a file, and whether its checks hold; no question is answered."""
    model = check(load(entry))
    files = tuple(model.files)
    if not model.sound:
        return Report((), (), model.diagnostics, files)
    found = in_source_order((*model.diagnostics, *_unread(model), *advice(model)))
    return Report((), tuple(verdicts(model)), found, files)


def prove(entry: Entry, effort: Effort, told: Progress | None = None) -> Ledger:
    """Return how the laws of a file end; *told* hears of each law that is done, of how many."""
    return prove_model(model_of(entry), effort, told)


def prove_model(model: Model, effort: Effort, told: Progress | None = None) -> Ledger:
    """Return how the laws of a model end, or its mistakes where it has some."""
    from costlang.prove import judged, law_count

    if not model.sound:
        return Ledger(diagnostics=model.diagnostics)
    total = law_count(model)
    found: list[Outcome] = []
    with roomy():
        for done, outcome in enumerate(judged(model, effort), start=1):
            if outcome is not None:
                found.append(outcome)
            if told is not None:
                told(done, total)
    return Ledger(tuple(found), model.diagnostics)


def _answers(
    model: Model,
    queries: tuple[str, ...],
    above: dict[str, tuple[d.Setting, ...]],
    progress: Progress | None,
) -> Iterator[Answer]:
    for name, scenario in model.scenarios().items():
        for slot in scenario.queries():
            if not queries or slot.name in queries or f"{name}.{slot.name}" in queries:
                yield from answer(scenario, slot, above.get(name, ()), progress)


def _unknown_queries(model: Model, queries: tuple[str, ...]) -> list[Diagnostic]:
    known = {
        text
        for name, scenario in model.scenarios().items()
        for slot in scenario.queries()
        for text in (slot.name, f"{name}.{slot.name}")
    }
    faults = []
    for query in queries:
        if query not in known:
            source = Source("<command line>", query)
            place = Label(Span(source, 0, len(query)), "no question of this file")
            mend = did_you_mean(near_names(query, sorted(known)))
            message = f"no question is called `{query}`"
            faults.append(Diagnostic("unknown-question", message, place, help=mend))
    return faults


# ---- bindings from outside


def _bound(
    model: Model, at: tuple[str, ...]
) -> tuple[dict[str, tuple[d.Setting, ...]], list[Diagnostic]]:
    above: dict[str, tuple[d.Setting, ...]] = {}
    faults: list[Diagnostic] = []
    for text in at:
        node, wrong = parse_binding(Source("<--at>", text))
        if node is None or node.value is None:
            faults.extend(wrong or (_no_binding(text),))
            continue
        found, why = _everywhere(model, node)
        if not found:
            faults.extend(why or [_no_scenario(node)])
        twice = [s for name, s in found.items() for e in above.get(name, ()) if e.path == s.path]
        if twice:
            faults.append(_set_twice(node, twice[0]))
        for name, setting in found.items():
            above[name] = (*above.get(name, ()), setting)
    return above, faults


def _set_twice(node: t.Binding, setting: d.Setting) -> Diagnostic:
    message = f"`{node.target.span.text}` is set twice"
    return Diagnostic("set-twice", message, Label(setting.span, "set again here"))


def _no_binding(text: str) -> Diagnostic:
    source = Source("<--at>", text)
    place = Label(Span(source, 0, len(text)), "a name, `=` and a value belong here")
    return Diagnostic("missing-expression", "this binds nothing", place)


def _no_scenario(node: t.Binding) -> Diagnostic:
    return Diagnostic(
        "no-scenario", "this file has no scenario to bind", Label(node.span, "binds nothing")
    )


def _everywhere(model: Model, node: t.Binding) -> tuple[dict[str, d.Setting], list[Diagnostic]]:
    """Return *node* as a setting of each scenario in which its name is known."""
    found: dict[str, d.Setting] = {}
    faults: list[Diagnostic] = []
    for name, scenario in model.scenarios().items():
        context = _context(model)
        setting = read_setting(context, node, scope_of(scenario))
        if setting is not None and not context.diagnostics:
            found[name] = setting
        else:
            faults = faults or context.diagnostics
    return found, faults


# ---- a scenario of a model


@sentence()
def ask_scenario(
    model: Model,
    scenario: d.ScenarioDecl,
    text: str,
    at: tuple[str, ...] = (),
    *,
    with_formula: bool = False,
    fine: bool = False,
) -> Report:
    """
    Return the answers to the question *text*, or to the question of the scenario so called.

    *with_formula* asks for the formula even where there is a number, *fine* for as many rows of a
    sweep as a curve needs.
    """
    slot = scenario.slots.get(text)
    if not isinstance(slot, d.QuerySlot):
        question, faults = _question_in(model, scenario, text)
        if question is None or faults:
            return Report(diagnostics=faults)
        slot = d.QuerySlot(ASKED, question.node.span, scenario, question=question)
    above, wrong = _bound_in(model, scenario, at)
    if wrong:
        return Report(diagnostics=tuple(wrong))
    return Report(answer(scenario, slot, above, with_formula=with_formula, fine=fine))


@sentence()
def formula_in(
    model: Model, scenario: d.ScenarioDecl, text: str, at: tuple[str, ...] = ()
) -> Formula | tuple[Diagnostic, ...]:
    """Return the formula of the expression *text* in *scenario*, or why there is none."""
    question, faults = _question_in(model, scenario, text)
    above, wrong = _bound_in(model, scenario, at)
    if question is None or faults or wrong:
        return (*faults, *wrong)
    core = question.subjects[0]
    try:
        found = formula_of(scenario, core, question.at, above)
    except Fault as fault:
        return (fault.diagnostic,)
    if found is None:
        words = f"`{text}` is {core.type.words}, which has no formula"
        return (Diagnostic("not-a-number", words, Label(core.span, "not a number")),)
    return found


def _question_in(
    model: Model, scenario: d.ScenarioDecl, text: str
) -> tuple[d.Question | None, tuple[Diagnostic, ...]]:
    node, wrong = parse_question(Source("<question>", text))
    if node is None:
        return None, wrong
    context = _context(model)
    question = read_question(context, node, scope_of(scenario))
    return question, in_source_order(tuple(context.diagnostics))


def _context(model: Model) -> Context:
    return Context(model.files, library_index, model.context.resources, open_slot=open_slot)


def _bound_in(
    model: Model, scenario: d.ScenarioDecl, at: tuple[str, ...]
) -> tuple[tuple[d.Setting, ...], list[Diagnostic]]:
    """Return the bindings *at* as settings of one scenario."""
    settings: list[d.Setting] = []
    faults: list[Diagnostic] = []
    for text in at:
        node, wrong = parse_binding(Source("<binding>", text))
        context = _context(model)
        setting = read_setting(context, node, scope_of(scenario)) if node is not None else None
        earlier = next((s for s in settings if setting and s.path == setting.path), None)
        if node is not None and setting is not None and earlier is not None:
            faults.append(_set_twice(node, setting))
        elif setting is not None:
            settings.append(setting)
        faults.extend([*wrong, *context.diagnostics])
    return tuple(settings), faults


# ---- a sentence


@dataclass(frozen=True)
class Sentence:
    """
    A question in words, the file it is about, and the phase it is about.

    *with_formula* asks for the formula even where there is a number.
    """

    question: str
    entry: Entry | None = None
    of: str | None = None
    at: tuple[str, ...] = ()
    with_formula: bool = False


@sentence()
def ask(sentence: Sentence, progress: Progress | None = None) -> Report:
    """Return the answers to one question, of a file's scenario or of a phase of the library."""
    found = opened(sentence)
    if isinstance(found, Report):
        return found
    model, scenario = found
    above, faults = _bound(model, sentence.at)
    if faults:
        return Report(diagnostics=(*model.diagnostics, *faults))
    decl = model.scenarios()[scenario]
    slot = decl.queries()[-1]
    answers = answer(
        decl, slot, above.get(scenario, ()), progress, with_formula=sentence.with_formula
    )
    return Report(answers, (), model.diagnostics, tuple(model.files))


def opened(
    sentence: Sentence, also: tuple[t.Node, ...] = (), params: tuple[t.Param, ...] = ()
) -> tuple[Model, str] | Report:
    """
    Return the model with the question in it, and the name of its scenario; a report of mistakes.

    Names of the library in *also* are there as well, and *params* are parameters of the scenario.
    """
    question, wrong = parse_question(Source("<question>", sentence.question))
    of, unread = _of_expression(sentence.of)
    if question is None or (sentence.of is not None and of is None):
        return Report(diagnostics=(*wrong, *unread))
    if sentence.entry is None:
        program = load(Source("<question>", "cost 1\n"))
        bindings = (parse_binding(Source("<--at>", text))[0] for text in sentence.at)
        nodes: list[t.Node] = [n for n in (question, of, *bindings, *also) if n is not None]
        program = _with_library(program, nodes)
    else:
        program = load(sentence.entry)
    scenario, program = _with_question(program, question, of)
    model = check(_with_params(program, scenario, params) if params else program)
    if not model.sound:
        return Report(diagnostics=model.diagnostics, files=tuple(model.files))
    return model, scenario


def _with_params(program: Program, scenario: str, params: tuple[t.Param, ...]) -> Program:
    declarations = tuple(
        replace(x, members=(*params, *x.members))
        if isinstance(x, t.Scenario) and x.name.text == scenario
        else x
        for x in program.files[0].tree.declarations
    )
    return _replaced(program, declarations)


def _of_expression(text: str | None) -> tuple[t.Expr | None, tuple[Diagnostic, ...]]:
    return parse_expression(Source("<--of>", text)) if text is not None else (None, ())


def _names_of(node: t.Node) -> Iterator[t.Word]:
    for inner in t.children(node):
        if isinstance(inner, t.Name):
            yield t.Word(inner.span, inner.text)
        yield from _names_of(inner)
    if isinstance(node, t.Name):
        yield t.Word(node.span, node.text)


def qualified(model: Model, scenario: d.ScenarioDecl, use: str, text: str) -> str:
    """
    Return the expression *text* with the names of what is in *use* in full: `one.latency`.

    Names that mean something else in the scenario stay as they are, as does what cannot be read.
    """
    tree, faults = parse_expression(Source("<question>", text))
    slot = scenario.slots.get(use)
    if tree is None or faults or not isinstance(slot, d.UseSlot):
        return text
    base = c.Own(slot.span, slot_type(model.context, slot), use, slot)
    for word in sorted(set(_names_of(tree)), key=lambda word: -word.span.start):
        mine = scenario.find(word.text) is None
        if mine and find_member(model.context, base, word.text, slot.span) is not None:
            text = f"{text[: word.span.start]}{use}.{text[word.span.start :]}"
    return text


def _with_library(program: Program, nodes: list[t.Node]) -> Program:
    """Return *program* with an import for each name of the library that *nodes* use."""
    index = library_index()
    words: dict[str, t.Word] = {}
    for node in nodes:
        for word in _names_of(node):
            if word.text in index:
                words.setdefault(word.text, word)
    entry = program.files[0]
    lines = [f"import {index[name]} ({name})" for name in words]
    text = "\n".join(["cost 1", *lines, ""])
    return load(Source(entry.source.name, text))


def _with_question(
    program: Program, question: t.Question, of: t.Expr | None
) -> tuple[str, Program]:
    """Return *program* with the question in the scenario that it is about, and that one's name."""
    entry = program.files[0]
    scenarios = [x for x in entry.tree.declarations if isinstance(x, t.Scenario)]
    query = t.Query(question.span, (), t.Word(question.span, _free_name(scenarios)), question, None)
    named = of.text if isinstance(of, t.Name) else None
    meant = next((s for s in scenarios if s.name.text == named), None)
    if meant is None and (of is not None or not scenarios):
        uses = (t.Use(of.span, (), t.Word(of.span, "it"), of),) if of is not None else ()
        made = t.Scenario(question.span, (), t.Word(question.span, "asked"), (*uses, query))
        return "asked", _replaced(program, (*entry.tree.declarations, made))
    chosen = meant or _chosen(scenarios, question)
    stripped = _Unqualified(chosen.name.text).question(question)
    query = replace(query, question=stripped)
    grown = replace(chosen, members=(*chosen.members, query))
    decls = tuple(grown if x is chosen else x for x in entry.tree.declarations)
    return chosen.name.text, _replaced(program, decls)


def _free_name(scenarios: list[t.Scenario]) -> str:
    """Return a name for the question that no member of a scenario has."""
    taken = {
        member.name.text
        for scenario in scenarios
        for member in scenario.members
        if isinstance(member, (t.Query, t.Param, t.Let, t.Use))
    }
    return next(name for n in range(len(taken) + 1) if (name := ASKED + "_" * n) not in taken)


def _chosen(scenarios: list[t.Scenario], question: t.Question) -> t.Scenario:
    named = {word.text for word in _names_of(question)}
    return next((s for s in scenarios if s.name.text in named), scenarios[0])


def _replaced(program: Program, declarations: tuple[t.Declaration, ...]) -> Program:
    first = program.files[0]
    tree = replace(first.tree, declarations=declarations)
    entry = replace(first, tree=tree)
    return Program((entry, *program.files[1:]), program.diagnostics)


@dataclass(frozen=True)
class _Unqualified:
    """Takes the scenario's name off: `chapter1.tpot` is `tpot` inside."""

    scenario: str

    def question(self, node: t.Question) -> t.Question:
        found = self._node(node)
        assert isinstance(found, t.Question)
        return found

    def _node(self, node: t.Node) -> t.Node:
        if isinstance(node, t.Attribute) and self._is_mine(node.base):
            return t.Name(node.span, node.name.text)
        changed: dict[str, Any] = {
            name: self._value(value)
            for name, value in vars(node).items()
            if isinstance(value, (t.Node, tuple)) and name != "span"
        }
        return replace(node, **changed)

    def _is_mine(self, node: t.Expr) -> bool:
        return isinstance(node, t.Name) and node.text == self.scenario

    def _value(self, value: object) -> object:
        if isinstance(value, t.Node):
            return self._node(value)
        if isinstance(value, tuple):
            return tuple(self._value(item) for item in value)
        return value


__all__ = ["Report", "ResolvedImport", "Sentence", "ask", "facts", "prove", "run"]
