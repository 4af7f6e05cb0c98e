r"""
LaTeX: every answer of a spec as a macro's argument, in a file that a paper reads.

`\costvalue{plan.rate}` is the value, `\costnumber` and `\costunit` are its two parts,
`\costformula` and `\costnumeric` the formula without and with numbers, `\costtable` a table. A name
that is not there is an error of the run, and not a gap in the paper.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from costlang.docs.book import Book, Found, Named
from costlang.docs.host import Host
from costlang.docs.numbers import Wanted
from costlang.docs.render import Rendered, render
from costlang.docs.tables import table_of
from costlang.docs.words import Embed, embed_of
from costlang.text import Diagnostic

HOST = Host("latex", ("", ""), ("", ""))

HEAD = r"""% Made by `costlang doc --to latex`: do not edit, make it anew.
\NeedsTeXFormat{LaTeX2e}
\RequirePackage{amsmath}
\makeatletter
\newcommand*\cost@get[2]{\@ifundefined{cost@#1@#2}%
  {\PackageError{costlang}{There is no #1 of `\detokenize{#2}'}%
    {Look for the name in the spec, and make the file of macros anew.}}%
  {\@nameuse{cost@#1@#2}}}
\DeclareRobustCommand*\costvalue[1]{\cost@get{value}{#1}}
\DeclareRobustCommand*\costnumber[1]{\cost@get{number}{#1}}
\DeclareRobustCommand*\costunit[1]{\cost@get{unit}{#1}}
\DeclareRobustCommand*\costformula[1]{\ensuremath{\cost@get{formula}{#1}}}
\DeclareRobustCommand*\costnumeric[1]{\ensuremath{\cost@get{numeric}{#1}}}
\DeclareRobustCommand*\costtable[1]{\cost@get{table}{#1}}
"""
TAIL = "\\makeatother\n"

_SIGNS = {
    **{char: f"\\{char}" for char in "#$%&_{}"},
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "µ": r"\ensuremath{\mu}",
    "\N{GREEK SMALL LETTER MU}": r"\ensuremath{\mu}",
    "×": r"\ensuremath{\times}",
    "·": r"\ensuremath{\cdot}",
    "−": r"\ensuremath{-}",
    "–": "--",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
    "|": r"\ensuremath{|}",
    '"': "''",
    "\N{NO-BREAK SPACE}": "~",
    "\N{NARROW NO-BREAK SPACE}": r"\,",
}


_POWER = re.compile(r"\^(-?\d+)")


def text_of(words: str) -> str:
    """Return *words* as LaTeX shows them in a line of text."""
    pieces = _POWER.split(words)
    texts = ("".join(_SIGNS.get(char, char) for char in piece) for piece in pieces)
    return "".join(
        f"\\textsuperscript{{{text.replace('-', '--')}}}" if at % 2 else text
        for at, text in enumerate(texts)
    )


def macros(paths: tuple[str, ...]) -> str | tuple[Diagnostic, ...]:
    """Return the file of macros for the answers of the specs at *paths*, or what is wrong."""
    lines: list[str] = []
    for path in paths:
        folder, name = Path(path).parent, Path(path).name
        book = Book(folder, (Named(name, None),))
        found = _of_spec(book)
        if isinstance(found, tuple):
            return found
        lines.extend(found)
    return "\n".join([HEAD + "\n".join(_short(lines)), TAIL])


def _of_spec(book: Book) -> list[str] | tuple[Diagnostic, ...]:
    first = embed_of("x")
    assert isinstance(first, Embed)
    found = book.ask(first)
    wrong = tuple(item for item in found if isinstance(item, Diagnostic))
    models = tuple(book.shelf.models.values())
    if not models or not all(model.sound for model in models):
        return wrong
    lines: list[str] = []
    for model in models:
        for name, scenario in model.scenarios().items():
            for slot in scenario.queries():
                lines.extend(_of_question(book, f"{name}.{slot.name}"))
    return lines


def _of_question(book: Book, name: str) -> Iterator[str]:
    """Yield the macros of one question; of several answers, each by its number behind the name."""
    embed = embed_of(name)
    assert isinstance(embed, Embed)
    answers = [item for item in book.ask(embed) if isinstance(item, Found)]
    for at, found in enumerate(answers, 1):
        several = len(answers) > 1
        called = f"{name}.{at}" if several else name
        words = f"{name} item={at}" if several else name
        yield from _of_answer(book, called, words, found)


def _of_answer(book: Book, called: str, words: str, found: Found) -> Iterator[str]:
    rows = table_of(found.answer, Wanted(), 3, None)
    if rows is not None:
        yield _defined("table", called, _tabular(*rows))
        return
    value = _rendered(book, words)
    number = _rendered(book, f"{words} bare")
    if value is not None:
        yield _defined("value", called, text_of(value).replace(" ", r"\,"))
    if value is not None and number is not None:
        yield _defined("number", called, text_of(number))
        yield _defined("unit", called, text_of(value.removeprefix(number).strip()))
    for view, macro in (("symbolic", "formula"), ("numeric", "numeric")):
        formula = _rendered(book, f"{words} view={view}")
        if formula is not None:
            yield _defined(macro, called, formula)


def _rendered(book: Book, words: str) -> str | None:
    """Return what *words* come to; None where there is no such view of the answer."""
    embed = embed_of(words)
    assert isinstance(embed, Embed), words
    found = render(embed, book, HOST)
    return found.text if isinstance(found, Rendered) else None


def _defined(kind: str, name: str, text: str) -> str:
    return f"\\@namedef{{cost@{kind}@{name}}}{{{text}}}"


def _tabular(rows: list[list[str]], right: list[bool]) -> str:
    head, *body = ([text_of(cell) for cell in row] for row in rows)
    columns = "".join("r" if each else "l" for each in right)
    lines = [" & ".join(head) + r" \\ \hline"]
    lines += [" & ".join(row) + r" \\" for row in body]
    return f"\\begin{{tabular}}{{{columns}}}%\n" + "\n".join(lines) + "%\n\\end{tabular}"


def _short(lines: list[str]) -> Iterator[str]:
    """Yield *lines*, and for a question that only one scenario asks the name without it."""
    short: dict[str, list[str]] = {}
    for line in lines:
        head, _, rest = line.removeprefix("\\@namedef{").partition("}")
        kind, _, name = head.removeprefix("cost@").partition("@")
        short.setdefault(f"{kind}@{name.partition('.')[2]}", []).append(rest)
        yield line
    for name, texts in short.items():
        if len(texts) == 1:
            yield f"\\@namedef{{cost@{name}}}{texts[0]}"
