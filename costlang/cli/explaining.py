"""`costlang explain CODE`: the page of a message, in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from costlang.emit.canvas import Style, paint
from costlang.text.catalogue import CODES, GROUPS
from costlang.text.near import did_you_mean, near_names

EXAMPLES = """
\b
Examples:
  costlang explain dimension-mismatch         what it means, with a spec that has it
  costlang explain                            all codes, with a line each
"""


@click.command(epilog=EXAMPLES)
@click.argument("code", required=False)
def explain(code: str | None) -> None:
    """Explain the CODE of a message: what it means, and the fault beside its mend."""
    colour = sys.stdout.isatty()
    if code is None:
        click.echo("\n".join(_all(colour)))
        return
    if code not in CODES:
        near = did_you_mean(near_names(code, CODES))
        click.echo(f"no message has the code `{code}`" + (f"; {near}" if near else ""), err=True)
        sys.exit(2)
    click.echo("\n".join(_page(code, colour)))


def _all(colour: bool) -> Iterator[str]:
    width = max(len(code) for code in CODES)
    for at, (title, codes) in enumerate(GROUPS.items()):
        if at:
            yield ""
        yield paint(title, Style.STRONG, colour)
        yield from (f"  {code.ljust(width)}  {line}" for code, line in sorted(codes.items()))


def _page(code: str, colour: bool) -> Iterator[str]:
    """Yield the page of *code* without its fences, code indented."""
    from costlang.loader import page_of

    inside = False
    for line in (page_of(code) or f"# {code}\n\nThis is said when {CODES[code]}.").splitlines():
        if line.startswith("```"):
            inside = not inside
            if inside and (label := _label(line)):
                yield paint(label, Style.FRAME, colour)
        elif line.startswith("# "):
            yield paint(line[2:], Style.STRONG, colour)
        elif not line.startswith("See also"):
            yield f"    {line}".rstrip() if inside else line


def _label(fence: str) -> str:
    if " fault" in fence:
        return "the fault:"
    if " mended" in fence:
        return "mended:"
    return ""
