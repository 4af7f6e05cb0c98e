"""Faults of the catalogue, each planted in one statement of a spec that is sound."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from costlang.syntax import parse
from costlang.syntax import tree as t
from costlang.text import Source

SPECS = sorted((Path(__file__).parents[2] / "specs").rglob("*.cost"))


@dataclass(frozen=True)
class Planted:
    """What stands in place of a statement, and the code that it should be told by."""

    start: int
    end: int
    text: str
    code: str


@dataclass(frozen=True)
class Statement:
    """A statement on one line, and what kind of node it is."""

    node: t.Node
    start: int
    end: int
    text: str


def statements(tree: t.Tree) -> Iterator[Statement]:
    """Yield the statements of *tree* that stand on one line, in order."""
    for declaration in tree.declarations:
        yield from _of(declaration)


def _of(node: t.Node) -> Iterator[Statement]:
    text = node.span.text
    if isinstance(node, (t.Let, t.Setting, t.Param, t.Check, t.Term)) and "\n" not in text:
        yield Statement(node, node.span.start, node.span.end, text)
    for member in (*getattr(node, "members", ()), *getattr(node, "body", ())):
        if isinstance(member, t.Node):
            yield from _of(member)


Plant = Callable[[Statement], tuple[str, str] | None]
"""Returns the faulty text and its code, None where the fault does not fit the statement."""


def _misspelt_keyword(s: Statement) -> tuple[str, str] | None:
    found = re.match(r"(let|param|check|term|override)\b", s.text)
    if found is None:
        return None
    word = found[1]
    return f"{word[:-1]}{word[-1] * 2}{s.text[len(word) :]}", "unknown-statement"


def _unicode_operator(s: Statement) -> tuple[str, str] | None:
    return _once(s, " * ", " × ", "unicode-operator")


def _double_star(s: Statement) -> tuple[str, str] | None:
    return _once(s, " * ", " ** ", "double-star")


def _one_equals(s: Statement) -> tuple[str, str] | None:
    return _once(s, " == ", " = ", "single-equals") if isinstance(s.node, t.Check) else None


def _comma(s: Statement) -> tuple[str, str] | None:
    found = re.search(r"= (\d{1,3}_\d{3})(?=\s|$)", s.text)
    if found is None or not isinstance(s.node, t.Setting):
        return None
    text = f"{s.text[: found.start(1)]}{found[1].replace('_', ',')}{s.text[found.end(1) :]}"
    return text, "comma-in-number"


def _refused_unit(s: Statement) -> tuple[str, str] | None:
    found = _unit(s)
    if found is None:
        return None
    slip = {"GB": "Gb", "TB/s": "TBps", "GB/s": "GBps", "tok": "tokens", "TFLOP/s": "TFLOPS"}
    return f"{s.text[: found.start(1)]}{slip[found[1]]}{s.text[found.end() :]}", "refused-unit"


def _unit(s: Statement) -> re.Match[str] | None:
    return re.search(r'^[^"#]*(?<=\d )(GB|TB/s|GB/s|tok|TFLOP/s)(?=\s|$|,)', s.text)


def _unknown_unit(s: Statement) -> tuple[str, str] | None:
    found = _unit(s)
    if found is None:
        return None
    return f"{s.text[: found.start(1)]}zorks{s.text[found.end() :]}", "unknown-unit"


def _inner_mismatch(s: Statement) -> tuple[str, str] | None:
    return _value(s, lambda value: f"({value}) * (1 s + 1 B)", "dimension-mismatch")


def _hole(s: Statement) -> tuple[str, str] | None:
    return _value(s, lambda value: f"({value}) + ?", "hole")


def _unknown_name(s: Statement) -> tuple[str, str] | None:
    return _value(s, lambda value: f"({value}) * qqzx_unknown", "unknown-name")


def _missing_expression(s: Statement) -> tuple[str, str] | None:
    return _value(s, lambda value: "", "missing-expression")


def _missing_operand(s: Statement) -> tuple[str, str] | None:
    return _value(s, lambda value: f"{value} * / 2", "missing-expression")


def _unclosed(s: Statement) -> tuple[str, str] | None:
    return _value(s, lambda value: f"(({value})", "unclosed-bracket")


def _side_by_side(s: Statement) -> tuple[str, str] | None:
    return _value(s, lambda value: f"({value}) (2)(3) 4", "juxtaposition")


def _semicolon(s: Statement) -> tuple[str, str] | None:
    return f"{s.text};", "stray-character"


def _unclosed_text(s: Statement) -> tuple[str, str] | None:
    if not s.text.endswith('"'):
        return None
    return s.text[:-1], "unterminated-string"


def _twice(s: Statement) -> tuple[str, str] | None:
    plain = isinstance(s.node, (t.Let, t.Param)) and not s.text.startswith("override")
    return (f"{s.text}\n{s.text}", "declared-twice") if plain else None


def _percent(s: Statement) -> tuple[str, str] | None:
    return _value(s, lambda value: "80 % of 3", "percent-of")


def _chained(s: Statement) -> tuple[str, str] | None:
    return _value(s, lambda value: "if 1 < 2 < 3 then 1 else 2", "chained-comparison")


def _once(s: Statement, old: str, new: str, code: str) -> tuple[str, str] | None:
    code_part = s.text.split(' source "')[0].split("#")[0]
    if old not in code_part or '"' in code_part:
        return None
    return s.text.replace(old, new, 1), code


def _value(s: Statement, make: Callable[[str], str], code: str) -> tuple[str, str] | None:
    node = s.node
    if not isinstance(node, t.Let) or node.override:
        return None
    if re.search(r"[=<>]=|\bif\b", node.value.span.text):
        return None
    if re.fullmatch(r"[\w.]+(\([^()]*\))?", node.value.span.text):
        return (
            None  # perhaps a record or a member of an enum, in which arithmetic is a second fault
        )
    start, end = node.value.span.start - s.start, node.value.span.end - s.start
    return f"{s.text[:start]}{make(s.text[start:end])}{s.text[end:]}", code


FAULTS: dict[str, Plant] = {
    name.lstrip("_"): plant
    for name, plant in sorted(globals().items())
    if callable(plant)
    and getattr(plant, "__annotations__", {}).get("s") == "Statement"
    and name not in ("_once", "_value", "_unit")
}
"""The faults by name."""


def structural(tree: t.Tree) -> Iterator[Planted]:
    """Yield faults in the first lines of blocks, in their braces and in imports."""
    for declaration in tree.declarations:
        start, end, text = declaration.span.start, declaration.span.end, declaration.span.text
        word = re.match(r"(model|hardware|interface|record|phase|scenario|op)\b", text)
        if word is None or not text.endswith("\n}"):
            continue
        misspelt = f"{word[0][:-2]}{word[0][-1]}{word[0][-2]}" if len(word[0]) > 2 else "opp"
        yield Planted(start, start + len(word[0]), misspelt, "unknown-statement")
        yield Planted(end - 1, end, "", "unclosed-block")
        yield Planted(end - 1, end, "}\n}", "unopened-bracket")
        untyped = re.match(r"(?:op|phase) \w+\(\w+(: )", text)
        if untyped is not None:
            at = start + untyped.start(1)
            yield Planted(at, at + 2, " ", "unexpected-word")
    for node in tree.imports:
        text = node.span.text
        if "std." in text:
            at = node.span.start + text.index("std.")
            yield Planted(at, at + 4, "stdd.", "missing-import")


def places(file: Path) -> list[Planted]:
    """Return every fault that can be planted in *file*, statement by statement."""
    text = file.read_text(encoding="utf-8")
    parsed = parse(Source(file.name, text))
    assert () == parsed.diagnostics
    return [
        *structural(parsed.tree),
        *_in_statements(parsed.tree),
    ]


def _in_statements(tree: t.Tree) -> list[Planted]:
    return [
        Planted(s.start, s.end, *made)
        for s in statements(tree)
        for plant in FAULTS.values()
        if (made := plant(s)) is not None
    ]


def with_faults(file: Path, faults: list[Planted]) -> str:
    """Return the text of *file* with *faults*, each in a statement of its own."""
    text = file.read_text(encoding="utf-8")
    for fault in sorted(faults, key=lambda f: -f.start):
        text = f"{text[: fault.start]}{fault.text}{text[fault.end :]}"
    return text
