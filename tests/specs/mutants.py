"""Slips that people make in a spec: which there are, and what each makes of its file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from costlang.syntax import parse
from costlang.syntax import tree as t
from costlang.text import Source

FACTOR, HEADS, TERM, GIGA, SPARSE, LENGTH, MOVED = KINDS = (
    "a factor 2 is dropped",
    "heads and kv_heads are swapped",
    "a term is forgotten",
    "GB and GiB are swapped",
    "a peak is the sparse one",
    "a length stands for d_head",
    "held and moved are swapped",
)
SWAPS = {
    HEADS: {"heads": "kv_heads", "kv_heads": "heads"},
    MOVED: {
        "weights_held": "weights_moved",
        "weights_moved": "weights_held",
        "cache_held": "cache_moved",
        "cache_moved": "cache_held",
    },
}
PREFIXES = "kMGTP"
ASKED = (t.Check, t.Law, t.Query, t.Import)
"""What asks something of a spec says nothing of the model: a slip in it is another matter."""


@dataclass(frozen=True)
class Mutant:
    """The text from *start* to *end* of a *file* of the library, replaced by *words*."""

    kind: str
    file: Path
    start: int
    end: int
    words: str

    def of(self, text: str) -> str:
        """Return what the slip makes of the *text* of its file."""
        return text[: self.start] + self.words + text[self.end :]

    def line(self, text: str) -> int:
        """Return the number of the line in which it stands."""
        return text.count("\n", 0, self.start) + 1

    def __str__(self) -> str:
        return f"{self.file}: {self.kind}"


def mutants(file: Path, text: str) -> Iterator[Mutant]:
    """Yield each slip of the kinds above that can be made in a file, in the order of its text."""
    tree = parse(Source(str(file), text)).tree
    for declaration in tree.declarations:
        lengths = _lengths(declaration)
        for node, parent in _walk(declaration, None):
            for kind, start, end, words in _slips(node, parent, lengths, text):
                yield Mutant(kind, file, start, end, words)


def _walk(node: t.Node, parent: t.Node | None) -> Iterator[tuple[t.Node, t.Node | None]]:
    if isinstance(node, ASKED):
        return
    yield node, parent
    for inner in t.children(node):
        yield from _walk(inner, node)


Slip = tuple[str, int, int, str]


def _slips(
    node: t.Node, parent: t.Node | None, lengths: tuple[str, ...], text: str
) -> Iterator[Slip]:
    match node:
        case t.Number():
            yield from _of_number(node, parent, text)
        case t.Name():
            yield from _of_name(node, parent, lengths)
        case t.Binary(operator="+" | "-"):
            yield from _of_sum(node, text)
        case t.Term() | t.Repeat():
            yield TERM, node.span.start, node.span.end, ""
        case t.Index(base=t.Name(text="peak") | t.Attribute(name=t.Word(text="peak"))):
            if not isinstance(parent, (t.Setting, t.Binding)):
                yield SPARSE, node.span.start, node.span.start, "2 * "


def _of_number(node: t.Number, parent: t.Node | None, text: str) -> Iterator[Slip]:
    start, end = node.span.start, node.span.end
    unit = "" if node.unit is None else text[node.unit.span.start : node.unit.span.end]
    plain = text[start:end].removesuffix(unit).strip()
    if isinstance(parent, t.Binary) and parent.operator in "*/" and plain in {"2", "4", "6", "8"}:
        yield FACTOR, start, start + len(plain), str(int(plain) // 2)
    head = unit[:1]
    if head in PREFIXES and unit[1:].startswith("B"):
        yield GIGA, start, end, f"{plain} {head.replace('k', 'K')}i{unit[1:]}"
    if head in "KMGTP" and unit[1:].startswith("iB"):
        yield GIGA, start, end, f"{plain} {head.replace('K', 'k')}{unit[2:]}"
    if isinstance(parent, t.Setting) and text[parent.span.start :].startswith("peak["):
        yield SPARSE, start, start + len(plain), _twice(plain)


def _twice(plain: str) -> str:
    whole = plain.replace("_", "")
    return str(2 * int(whole)) if whole.isdigit() else f"{2 * float(whole):.6g}"


def _of_name(node: t.Name, parent: t.Node | None, lengths: tuple[str, ...]) -> Iterator[Slip]:
    if isinstance(parent, (t.Setting, t.Binding)) and parent.target is node:
        return
    for kind, swap in SWAPS.items():
        if node.text in swap:
            yield kind, node.span.start, node.span.end, swap[node.text]
    if node.text == "d_head":
        for length in lengths[:1]:
            yield LENGTH, node.span.start, node.span.end, length


def _of_sum(node: t.Binary, text: str) -> Iterator[Slip]:
    left, right = node.left.span, node.right.span
    yield TERM, left.end, right.end + _open(text[left.end : right.end]), ""
    if node.operator == "+":
        yield TERM, left.start + _open(text[left.start : right.start]), right.start, ""


def _open(words: str) -> int:
    """Return how many brackets stay open in *words*, negative where they close what is before."""
    return words.count("(") - words.count(")")


def _lengths(declaration: t.Node) -> tuple[str, ...]:
    """Return the names of a declaration that count tokens."""
    found = []
    for node, _ in _walk(declaration, None):
        named = isinstance(node, (t.Formal, t.Param))
        if named and node.type.unit is not None and node.type.unit.text.strip("[]") == "tok":
            found.append(node.name.text)
    return tuple(found)
