"""Pictures of answers, and what stands in them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from xml.etree import ElementTree

import pytest

from costlang.drawing import Wanted, draw
from costlang.emit.picture.letters import SIZE, Box, Words

SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Seen:
    """A picture as its document says it."""

    text: str

    @property
    def root(self) -> ElementTree.Element:
        return ElementTree.fromstring(self.text)

    @property
    def words(self) -> list[Words]:
        """The texts with their places, read back from the document."""
        found = []
        for node in self.root.iter(f"{SVG}text"):
            size = float(node.get("font-size", SIZE))
            anchor, style = node.get("text-anchor", "start"), node.get("class", "")
            x, y = float(node.get("x", "")), float(node.get("y", ""))
            found.append(Words(x, y, node.text or "", anchor, style, size))
        return found

    @property
    def texts(self) -> list[str]:
        return [words.text for words in self.words]

    @property
    def description(self) -> str:
        return self.root.findtext(f"{SVG}desc") or ""

    @property
    def paper(self) -> Box:
        return Box(0, 0, float(self.root.get("width", "")), float(self.root.get("height", "")))

    @property
    def overlapping(self) -> list[tuple[str, str]]:
        """The pairs of texts of which one lies on the other."""
        words = self.words
        return [
            (a.text, b.text)
            for at, a in enumerate(words)
            for b in words[at + 1 :]
            if a.box.meets(b.box)
        ]

    @property
    def outside(self) -> list[str]:
        """The texts that reach beyond the paper."""
        return [words.text for words in self.words if not words.box.inside(self.paper)]

    def dots(self, kind: str = "") -> list[str]:
        """What is said of each sign and each bar whose style has the word *kind*."""
        shapes = ("circle", "polygon", "rect")
        return [
            title
            for node in self.root.iter()
            if node.tag.removeprefix(SVG) in shapes
            and re.search(rf"\b{kind}", node.get("class", ""))
            and (title := node.findtext(f"{SVG}title"))
        ]


Drawing = Callable[..., Seen]


@pytest.fixture(scope="session")
def drawn() -> Drawing:
    """Return what draws a question, as `costlang draw` does."""

    kept: dict[str, Seen] = {}

    def of(question: str, **wanted: object) -> Seen:
        key = repr((question, sorted(wanted.items())))
        if key not in kept:
            kept[key] = anew(question, **wanted)
        return kept[key]

    def anew(question: str, **wanted: object) -> Seen:
        found = draw(Wanted(question, **wanted))  # type: ignore[arg-type]
        assert found.svg is not None, (found.why, [d.message for d in found.diagnostics])
        return Seen(found.svg)

    return of
