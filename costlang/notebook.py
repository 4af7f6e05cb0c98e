"""
Notebooks: `%load_ext costlang`, then `%%cost` for a spec and `%cost` for a question.

An answer shows itself as mathematics, as a table or as a picture; what is wrong with a spec is the
message that the command line gives, and the cell fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_cell_magic, magics_class

from costlang import pipeline
from costlang.answer import Answer, Report
from costlang.docs.host import HOSTS
from costlang.docs.numbers import Wanted
from costlang.docs.tables import table_of
from costlang.emit.answer_line import answer_text
from costlang.emit.message import render
from costlang.emit.picture import NotDrawn, picture
from costlang.emit.report_text import Paper, report_text
from costlang.face import Spec, SpecError, loads
from costlang.model.work import roomy

JUPYTER = HOSTS["jupyter"]
SCENARIO = "in"


@dataclass(frozen=True)
class Answers:
    """What a cell answers: as text, as Markdown, and as HTML where a picture says more."""

    answers: tuple[Answer, ...]
    report: Report

    def __repr__(self) -> str:
        return report_text(self.report, Paper()).rstrip()

    def _repr_markdown_(self) -> str:
        return "\n\n".join("\n".join(_shown(item)) for item in self.answers)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        bundle = {"text/plain": repr(self), "text/markdown": self._repr_markdown_()}
        drawn = "".join(map(_drawn, self.answers))
        if drawn and all(item.sweep is not None or item.breakdown for item in self.answers):
            bundle["text/html"] = drawn
        return bundle


def _drawn(answer: Answer) -> str:
    """Return the picture of *answer*, as HTML; nothing where it makes none."""
    try:
        return f"<figure>{picture(answer)}</figure>"
    except NotDrawn:
        return ""


def _shown(answer: Answer) -> Iterator[str]:
    """Yield an answer in Markdown: a table, or a line with its formula where it has one."""
    rows = table_of(answer, Wanted(), 1, "")
    name = f"**{escape(answer.name)}**" if answer.name != "answer" else ""
    if rows is not None:
        yield from [name, "", *JUPYTER.table(*rows)]
        return
    formula = _formula(answer)
    text = JUPYTER.money(answer_text(answer), beside_mathematics=True)
    label = answer.name if answer.question != answer.expression else answer.expression
    yield formula or f"{JUPYTER.code(label)} = {text}"


def _formula(answer: Answer) -> str:
    from costlang.docs.formulas import Writer

    if answer.formula is None or answer.value is None:
        return ""
    chains = Writer(JUPYTER, Wanted(unit=answer.unit)).steps(answer, 1)
    return JUPYTER.formula("\\displaystyle " + " = ".join(chains[-1])) if chains else ""


def _ask(spec: Spec, scenario: str, question: str) -> tuple[Answer, ...]:
    """Return the answers with their formulas; raises `SpecError` for words that cannot be read."""
    decl = spec.scenario(scenario).decl
    with roomy():
        found = pipeline.ask_scenario(spec.model, decl, question, with_formula=True)
    if not found.usable:
        raise SpecError(found.diagnostics)
    return found.answers


@magics_class
class CostMagics(Magics):  # type: ignore[misc, unused-ignore]
    """The two magics; a spec stays, under its name, for the cells below."""

    spec: Spec | None = None

    @line_cell_magic  # type: ignore[misc, untyped-decorator, unused-ignore]
    def cost(self, line: str, cell: str | None = None) -> Answers | None:
        """
        Read the spec of the cell, `%%cost [NAME]`, or answer a question about it, `%cost QUESTION`.

        Under NAME it is a `costlang.Spec` for Python. A question is asked of the only scenario, or
        of the one that `in NAME:` before it says.
        """
        try:
            return self._read(line.strip(), cell) if cell is not None else self._asked(line)
        except SpecError as wrong:
            raise UsageError("\n" + render(wrong.diagnostics)) from None
        except (KeyError, ValueError) as wrong:
            raise UsageError(str(wrong.args[0]) if wrong.args else "") from None

    def _read(self, name: str, text: str) -> Answers:
        if name and not name.isidentifier():
            raise UsageError(f"`%%cost {name}`: a name for the spec belongs here, or nothing")
        self.spec = loads(text, "<cell>")
        if name:
            self.shell.user_ns[name] = self.spec
        report = self.spec.run()
        failing = [check for check in report.checks if check.holds is False]
        if failing:
            raise UsageError("\n" + report_text(report, Paper()))
        wrong = [a.note for a in report.answers if a.note is not None and a.note.is_error]
        if wrong:
            raise SpecError(tuple(wrong))
        return Answers(self._with_formulas(report), report)

    def _with_formulas(self, report: Report) -> tuple[Answer, ...]:
        """Return the answers with the formulas behind them."""
        assert self.spec is not None
        asked = dict.fromkeys((answer.scenario, answer.name) for answer in report.answers)
        return tuple(a for scenario, name in asked for a in _ask(self.spec, scenario, name))

    def _asked(self, line: str) -> Answers:
        if self.spec is None:
            raise UsageError("there is no spec yet: begin a cell with `%%cost`")
        name, question = self._scenario(line.strip())
        answers = _ask(self.spec, name, question)
        wrong = [a.note for a in answers if a.note is not None and a.note.is_error]
        if wrong:
            raise SpecError(tuple(wrong))
        return Answers(answers, Report(answers))

    def _scenario(self, line: str) -> tuple[str, str]:
        assert self.spec is not None
        names = list(self.spec.scenarios)
        if line.startswith(f"{SCENARIO} ") and ":" in line:
            named, _, question = line.removeprefix(f"{SCENARIO} ").partition(":")
            return named.strip(), question.strip()
        if len(names) != 1:
            known = ", ".join(names) or "none"
            raise UsageError(f"say which scenario: `%cost in NAME: …`; there are: {known}")
        return names[0], line


def load_ipython_extension(shell: Any) -> None:
    """Give *shell* the magics."""
    shell.register_magics(CostMagics)
