"""A report for a person: each answer on a line, then what they stood on, each thing once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from costlang.answer import Answer, Broken, Missing, Report, Stood, Verdict
from costlang.emit.answer_line import answer_text
from costlang.emit.breakdown_text import breakdown_lines
from costlang.emit.canvas import Style, paint
from costlang.emit.display import shown
from costlang.emit.math import equation, where_list
from costlang.emit.solved_text import safe_lines
from costlang.emit.table import table_lines
from costlang.emit.values import short_names, side_text, stood_text
from costlang.units import digits_of


@dataclass(frozen=True)
class Paper:
    """
    How a report is written: with or without colour, and how wide.

    A *sentence* is the answer to one question, which its asker still sees; it is *about* a phase
    or a record that was named with it.
    """

    colour: bool = False
    width: int = 100
    sentence: bool = False
    about: bool = False

    def paint(self, text: str, style: Style) -> str:
        """Return *text* in *style*, plain without colour."""
        return paint(text, style, self.colour)


def report_text(report: Report, paper: Paper) -> str:
    """Return *report* as lines of text."""
    lines: list[str] = []
    for scenario in dict.fromkeys(a.scenario for a in report.answers):
        answers = [a for a in report.answers if a.scenario == scenario]
        lines.extend(_scenario(scenario, answers, paper))
        lines.append("")
    lines.extend(_checks(report.checks, paper))
    if report.laws:
        lines.append(f"laws: {report.laws}, not looked at; `costlang prove` does")
    return "\n".join(lines).rstrip() + "\n" if lines else ""


def _scenario(name: str, answers: list[Answer], paper: Paper) -> Iterator[str]:
    if paper.sentence:
        for item in answers:
            if item.solved is not None:
                yield _line(item, 0, paper)
            elif item.sweep is None:
                yield f"{shown(item.expression)} = {_line(item, 0, paper)}"
            yield from _parts(item, paper)
        yield from _below(answers, paper)
        return
    yield paper.paint(name, Style.TITLE)
    width = max(len(_label(item)) for item in answers)
    wide = (
        max(len(answer_text(item)) for item in answers if len(answer_text(item)) < 40)
        if any(len(answer_text(item)) < 40 for item in answers)
        else 0
    )
    for item in answers:
        yield f"  {_label(item).ljust(width)}  {_line(item, wide, paper)}".rstrip()
        yield from _parts(item, paper)
    yield from _below(answers, paper)


def _parts(item: Answer, paper: Paper) -> Iterator[str]:
    if item.free and item.formula is not None:
        yield f"    {shown(equation(item.formula.node, 'text', item.formula.name))}"
        yield from (f"      {line}" for line in where_list(item.formula.node, "text"))
    if item.solved is not None:
        yield from (f"    {line}" for line in safe_lines(item))
    if item.sweep is not None:
        yield from (f"    {shown(line)}" for line in table_lines(item.sweep))
        if item.missing:
            yield f"    -: needs {', '.join(each.name for each in item.missing)}"
    if item.breakdown is not None:
        whole = replace(item.breakdown.whole, label=shown(item.breakdown.whole.label))
        parts = replace(item.breakdown, whole=whole)
        lines = breakdown_lines(parts, item.unit, paper.colour)
        yield from (f"    {line}" for line in lines)


def _label(item: Answer) -> str:
    several = item.question.split(" at ")[0].split(" show ")[0] != item.expression
    short = several and len(item.expression) < 40
    return shown(f"{item.name} · {item.expression}" if short else item.name)


def _line(item: Answer, wide: int, paper: Paper) -> str:
    if item.sweep is not None:
        return ""
    text = answer_text(item)
    shown = paper.paint(text, _style(item)) + " " * max(0, wide - len(text))
    return f"{shown}  {paper.paint(_remark(item), Style.FAINT)}".rstrip()


def _style(item: Answer) -> Style:
    if item.note is not None or item.free:
        return Style.FAINT
    return Style.VALUE if item.feasible else Style.WARNING


def _remark(item: Answer) -> str:
    words = [
        f"{choice.side} is the {choice.function} in {choice.definition}"
        for choice in item.regime
        if choice.side is not None
    ]
    if not item.feasible:
        words.append("infeasible")
    if item.sides is not None:
        words.insert(0, ", ".join(side_text(side) for side in item.sides) + _quotient(item))
    return shown("; ".join(words))


# ---- what they stood on


def _below(answers: list[Answer], paper: Paper) -> Iterator[str]:
    if paper.sentence:
        yield from _how_to_give(answers, paper)
    yield from _infeasible(answers, paper)
    for title, pick in _GROUPS:
        yield from _group(title, pick, answers, paper)


def _how_to_give(answers: list[Answer], paper: Paper) -> Iterator[str]:
    """Say how what nothing sets can be given to the question."""
    found = list(dict.fromkeys(each for item in answers for each in item.missing))
    if not found:
        return
    names = short_names(tuple(each.name for each in found))
    words = [f"--at '{name}={_blank(each)}'" for name, each in zip(names, found, strict=True)]
    if paper.about:
        words[-1] += ", or inside --of"
    yield from _wrapped(f"  {paper.paint('to give', Style.FAINT)}: ", words, 11, paper, " ")


def _blank(item: Missing) -> str:
    return f"… {item.unit}" if item.unit not in (None, "1") else "…"


def _infeasible(answers: list[Answer], paper: Paper) -> Iterator[str]:
    seen: dict[str, list[str]] = {}
    for item in answers:
        for broken in item.infeasible:
            seen.setdefault(broken_text(broken), []).append(item.name)
    judged = [item for item in answers if item.note is None]
    for text, names in seen.items():
        distinct = list(dict.fromkeys(names))
        everyone = len(names) == len(judged) and len(judged) > 1
        whose = "every answer" if everyone else ", ".join(distinct)
        title = paper.paint("infeasible", Style.WARNING)
        alone = paper.sentence and len(judged) == 1
        yield f"  {title}: {text}" if alone else f"  {title} ({whose}): {text}"


def broken_text(item: Broken) -> str:
    """Return which requirement fails, with both its sides and by how much."""
    if item.left is None or item.right is None:
        values = ", ".join(side_text(side) for side in item.values)
        return f"{item.name} asks for {shown(item.text)}" + (f": {values}" if values else "")
    sides = f"{side_text(item.left)}, {side_text(item.right)}"
    return f"{item.name} asks for {shown(item.text)}: {sides}{_times(item)}"


def _times(item: Broken) -> str:
    assert item.left is not None and item.right is not None
    left, right = item.left.value, item.right.value
    if isinstance(left, Fraction) and isinstance(right, Fraction) and left > 0 and right > 0:
        quotient = max(left / right, right / left)
        return f" ({digits_of(quotient, 3)} times)"
    return ""


def _overridden(item: Answer) -> tuple[Stood, ...]:
    return item.overridden


def _given(item: Answer) -> tuple[Stood, ...]:
    return item.given


def _assumed(item: Answer) -> tuple[Stood, ...]:
    return item.assumed


def _unverified(item: Answer) -> tuple[Stood, ...]:
    return item.unverified


_GROUPS: tuple[tuple[str, Callable[[Answer], tuple[Stood, ...]]], ...] = (
    ("given", _given),
    ("overridden", _overridden),
    ("assumed", _assumed),
    ("unverified", _unverified),
)


def _group(
    title: str,
    pick: Callable[[Answer], tuple[Stood, ...]],
    answers: list[Answer],
    paper: Paper,
) -> Iterator[str]:
    words = list(
        dict.fromkeys(f"{s.name} = {stood_text(s)}" for item in answers for s in pick(item))
    )
    if words:
        yield from _wrapped(f"  {paper.paint(title, Style.FAINT)}: ", words, 4 + len(title), paper)


def _wrapped(
    head: str, words: list[str], indent: int, paper: Paper, between: str = ", "
) -> Iterator[str]:
    line, used = head, indent
    for at, word in enumerate(words):
        text = word + (between if at < len(words) - 1 else "")
        if used + len(text.rstrip()) > paper.width and used > indent:
            yield line.rstrip()
            line, used = " " * indent, indent
        line, used = line + text, used + len(text)
    yield line.rstrip()


# ---- checks


def _checks(checks: tuple[Verdict, ...], paper: Paper) -> Iterator[str]:
    for item in checks:
        if item.holds is not True:
            yield from verdict_lines(item, paper)
    if checks:
        yield _summary(checks, paper)


def verdict_lines(item: Verdict, paper: Paper) -> Iterator[str]:
    """Yield what is to be said of a check that does not hold."""
    word = "undecided" if item.holds is None else "fails"
    style = Style.WARNING if item.holds is None else Style.ERROR
    yield f"{paper.paint(word, style)} {item.owner}.{item.name}: {shown(item.text)}"
    yield f"  {paper.paint('-->', Style.FAINT)} {shown(item.span.place)}"
    if item.sides is not None:
        yield f"  {', '.join(side_text(side) for side in item.sides)}{_quotient(item)}"
    if item.free:
        yield f"  needs {', '.join(item.free)}"
    if item.note is not None:
        yield shown(f"  {item.note.message} ({item.note.span.place})")
    if item.source is not None:
        yield f"  source: {shown(item.source)}"


def _quotient(item: Verdict | Answer) -> str:
    """Return the quotient of both sides; of an answer only where it looks like a slip."""
    if item.sides is None or (isinstance(item, Answer) and item.slip is None):
        return ""
    left, right = item.sides[0].value, item.sides[1].value
    if not (isinstance(left, Fraction) and isinstance(right, Fraction) and left and right):
        return ""
    named = f", which looks like {item.slip}" if item.slip is not None else ""
    return f" (quotient {digits_of(left / right)}{named})"


def _summary(checks: tuple[Verdict, ...], paper: Paper) -> str:
    good = sum(item.holds is True for item in checks)
    bad = sum(item.holds is False for item in checks)
    open_ = len(checks) - good - bad
    words = [f"{good} of {len(checks)} checks hold"]
    if bad:
        words.append(f"{bad} fail" if bad > 1 else "1 fails")
    if open_:
        words.append(f"{open_} undecided")
    style = Style.GOOD if good == len(checks) else Style.ERROR
    return paper.paint(", ".join(words), style)
