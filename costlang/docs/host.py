"""Where a page is shown: how mathematics, money and a table get there unharmed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape

from costlang.emit.math import Style


@dataclass(frozen=True)
class Host:
    """
    A renderer of Markdown.

    *inline* and *block* are what stands before and behind a formula; *style* is how formulas are
    written, `latex`, `mathml` or `unicode`. *dollar* is a dollar that is money in a paragraph with
    mathematics, and *spaced* says that a block needs an empty line before it.
    """

    name: str
    inline: tuple[str, str]
    block: tuple[str, str]
    style: Style = "latex"
    dollar: str = r"\$"
    spaced: bool = False

    def formula(self, text: str) -> str:
        """Return a formula within a line, such that it stands in the cell of a table as well."""
        text = text.replace("|", r"\vert ") if self.style == "latex" else text
        if self.style == "mathml":
            text = text.replace('display="block"', 'display="inline"')
        if self.style == "unicode":
            text = text.replace("`", "'").replace("|", r"\|")
        return f"{self.inline[0]}{text}{self.inline[1]}"

    def display(self, text: str) -> list[str]:
        """Return the lines of a formula that stands by itself."""
        lines = [*_lines(self.block[0]), *text.split("\n"), *_lines(self.block[1])]
        return ["", *lines, ""] if self.spaced else lines

    def code(self, text: str) -> str:
        """Return a name of a spec within a line."""
        return f"<code>{escape(text)}</code>" if self.style == "mathml" else f"`{text}`"

    def money(self, text: str, *, beside_mathematics: bool) -> str:
        """Return *text*, in which a dollar is money and begins no formula."""
        return text.replace("$", self.dollar) if beside_mathematics else text

    def table(self, rows: Iterable[list[str]], right: list[bool]) -> list[str]:
        """Return the lines of a table, its head first; *right* are the columns of numbers."""
        head, *body = ([_cell(text) for text in row] for row in rows)
        widths = [max(3, *(len(row[at]) for row in (head, *body))) for at in range(len(head))]
        rule = [
            "-" * (wide - 1) + ":" if r else "-" * wide
            for wide, r in zip(widths, right, strict=True)
        ]
        lines = [_row(head, widths, right), f"| {' | '.join(rule)} |"]
        lines += [_row(row, widths, right) for row in body]
        return ["", *lines, ""] if self.spaced else lines


def _lines(text: str) -> list[str]:
    return text.split("\n") if text else []


def _cell(text: str) -> str:
    return text.replace("\\|", "|").replace("|", "\\|").replace("\n", " ")


def _row(cells: list[str], widths: list[int], right: list[bool]) -> str:
    padded = (
        cell.rjust(wide) if r else cell.ljust(wide)
        for cell, wide, r in zip(cells, widths, right, strict=True)
    )
    return f"| {' | '.join(padded)} |"


_SPAN = "<span>$</span>"

HOSTS: Mapping[str, Host] = {
    host.name: host
    for host in (
        Host("github", ("$`", "`$"), ("```math", "```"), dollar=_SPAN),
        Host("gitlab", ("$`", "`$"), ("```math", "```"), dollar=r"\$"),
        Host("pandoc", ("$", "$"), ("$$", "$$")),
        Host("jupyter", ("$", "$"), ("$$", "$$")),
        Host("mkdocs", ("\\(", "\\)"), ("\\[", "\\]"), spaced=True),
        Host("kramdown", ("$$", "$$"), ("$$", "$$"), spaced=True),
        Host("myst", ("{math}`", "`"), ("```{math}", "```")),
        Host("html", ("", ""), ("", ""), style="mathml"),
        Host("plain", ("`", "`"), ("```text", "```"), style="unicode"),
    )
}
"""GitHub is what is taken where a page names no host."""


def host_of(name: str | None) -> Host | None:
    """Return the host *name*, GitHub for None; None where there is no such host."""
    return HOSTS.get(name or "github")


def attribute(text: str) -> str:
    """Return *text* for an attribute of HTML."""
    return escape(text, quote=True)
