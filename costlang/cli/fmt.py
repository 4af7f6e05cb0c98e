"""`costlang fmt`: specs laid out in the one way, in place; what it would do; or why it cannot."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import unified_diff
from pathlib import Path

import click

from costlang.cli.paths import spec_files
from costlang.cli.writing import Output, colour_option
from costlang.emit.canvas import Style, paint
from costlang.emit.display import shown
from costlang.emit.message import render
from costlang.files import write_text
from costlang.layout import Layout, LayoutFault, lay_out
from costlang.loader.reading import Unreadable, read, read_stdin
from costlang.text import Diagnostic, Label, Source, Span

WELL, DIFFERENT, UNUSABLE = 0, 1, 2

FMT_EXAMPLES = """
\b
Examples:
  costlang fmt plan.cost                      lay out one file, in place
  costlang fmt specs/ chips.cost              folders are searched for *.cost
  costlang fmt --check specs/                 only say what would change
  costlang fmt --diff plan.cost               show it, and write nothing
  costlang fmt - < plan.cost                  from standard input to standard output
"""


@dataclass(frozen=True)
class Outcome:
    """
    What came of the file at *path*: how it is laid out, or a *fault* that is not the spec's.

    *marked* is whether it begins with a mark of byte order, which is to go as well.
    """

    path: str
    layout: Layout
    marked: bool = False
    fault: str | None = None

    @property
    def changed(self) -> bool:
        """Whether the file is to be written otherwise."""
        return not self.failed and (self.marked or self.layout.changed)

    @property
    def failed(self) -> bool:
        """Whether the file cannot be laid out, or not be written."""
        return self.layout.text is None or self.fault is not None


@click.command(epilog=FMT_EXAMPLES)
@click.argument("paths", nargs=-1, required=True)
@click.option(
    "--check", "checking", is_flag=True, help="Write nothing; exit 1 if a file would change."
)
@click.option("--diff", "differing", is_flag=True, help="Write nothing; show what would change.")
@colour_option
def fmt(paths: tuple[str, ...], checking: bool, differing: bool, colour: str) -> None:
    """
    Lay out the specs in PATHS, in the one way there is (`-` reads standard input).

    Spaces, empty lines and indentation change, and nothing else: neither what a spec says nor a
    comment nor where its author broke a statement. A file with mistakes is left as it is.

    Exit status: 0 when all is well, 1 when --check finds a file that would change, 2 when a file
    cannot be laid out.
    """
    output = Output("text", colour, "")
    if "-" in paths and len(paths) > 1:
        raise click.UsageError("`-` stands alone: standard input goes to standard output")
    dry = checking or differing
    outcomes = [_outcome(path) for path in dict.fromkeys(spec_files(paths))]
    if not dry:
        outcomes = [_written(outcome) for outcome in outcomes]
    if differing:
        _print_differences(outcomes, output.coloured(sys.stdout))
    if dry or "-" not in paths:
        _print_summary(outcomes, dry=dry, aside=differing)
    _print_faults(outcomes, output.coloured(sys.stderr))
    sys.exit(_status(outcomes, checking=checking))


def _status(outcomes: list[Outcome], *, checking: bool) -> int:
    if any(outcome.failed for outcome in outcomes):
        return UNUSABLE
    return DIFFERENT if checking and any(outcome.changed for outcome in outcomes) else WELL


# ---- each file


def _outcome(path: str) -> Outcome:
    name = "<stdin>" if path == "-" else path
    text = read_stdin() if path == "-" else read(Path(path), path)
    if isinstance(text, Unreadable):
        return Outcome(name, _unread(name, text))
    source = Source(name, text)
    try:
        return Outcome(name, lay_out(source), _has_mark(path, text))
    except LayoutFault as fault:
        return Outcome(name, Layout(source, None), fault=str(fault))


def _unread(name: str, why: Unreadable) -> Layout:
    source = Source(name, why.text)
    place = Span(source, 0, 0) if why.at is None else Span(source, why.at, why.at + 1)
    found = Diagnostic(why.code, why.message, Label(place, why.label), help=why.help)
    return Layout(source, None, (found,))


def _has_mark(path: str, text: str) -> bool:
    """Whether a mark of byte order begins the file; it is no part of the text that was read."""
    file = Path(path)
    return path != "-" and file.is_file() and file.stat().st_size == len(text.encode()) + 3


def _written(outcome: Outcome) -> Outcome:
    """Write what is laid out: a file over itself, standard input to standard output."""
    text = outcome.layout.text
    if text is not None and outcome.path == "<stdin>":
        sys.stdout.buffer.write(text.encode())
    elif text is not None and outcome.changed:
        try:
            write_text(outcome.path, text)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            return replace(outcome, fault=f"`{outcome.path}` cannot be written: {reason}")
    return outcome


# ---- what is said of them


def _print_summary(outcomes: list[Outcome], *, dry: bool, aside: bool) -> None:
    """Say which files changed, beside standard output when a difference is written there."""
    did = "would change" if dry else "changed"
    changed = [outcome for outcome in outcomes if outcome.changed]
    if not aside:
        for outcome in changed:
            click.echo(f"{did}: {shown(outcome.path)}")
    failed = sum(outcome.failed for outcome in outcomes)
    rest = f", {failed} cannot be laid out" if failed else ""
    click.echo(f"{len(changed)} of {len(outcomes)} files {did}{rest}", err=aside)


def _print_faults(outcomes: list[Outcome], colour: bool) -> None:
    sys.stdout.flush()
    found = [item for outcome in outcomes for item in outcome.layout.diagnostics]
    click.echo(render(found, colour), err=True, nl=False, color=colour)
    for outcome in outcomes:
        if outcome.fault is not None:
            click.echo(f"costlang: {shown(outcome.fault)}", err=True)


def _print_differences(outcomes: list[Outcome], colour: bool) -> None:
    for outcome in outcomes:
        text = outcome.layout.text
        if text is not None and outcome.changed:
            lines = _differences(outcome.path, outcome.layout.source.text, text)
            click.echo("".join(_painted(lines, colour)), nl=False, color=colour)


def _differences(path: str, before: str, after: str) -> Iterator[str]:
    """Yield the lines of a difference, each with its end, as `patch` reads them."""
    for line in unified_diff(_lines(before), _lines(after), path, path):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1].removesuffix("\n")
    return lines if lines[-1] else lines[:-1]


_STYLES = {"+": Style.GOOD, "-": Style.ERROR, "@": Style.NOTE}


def _painted(lines: Iterable[str], colour: bool) -> Iterator[str]:
    """Yield *lines*, for a terminal painted and with no sign that acts on it."""
    for line in lines:
        if not colour:
            yield line
            continue
        style = Style.STRONG if line[:4] in ("--- ", "+++ ") else _STYLES.get(line[0], Style.PLAIN)
        yield paint(shown(line.removesuffix("\n")), style, colour) + "\n"
