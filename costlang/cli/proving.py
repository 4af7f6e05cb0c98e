"""`costlang prove`: whether the laws of files hold, what proves them, what speaks against them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import click

from costlang.cli.paths import spec_files
from costlang.cli.progress import shown_progress
from costlang.cli.writing import (
    Output,
    colour_option,
    our_version,
    paper_of,
    write_json,
    write_lines,
)
from costlang.prove.effort import CASES, Effort
from costlang.prove.outcome import Ledger

WELL, FALSE, UNUSABLE = 0, 1, 2

PROVE_EXAMPLES = """
\b
Examples:
  costlang prove plan.cost                    its laws, and those of what it uses
  costlang prove std.phases serving.prefix    files of the library by their names
  costlang prove                              the whole library
  costlang prove plan.cost --why              the rules by which each is proved
  costlang prove plan.cost --cases 1000 --seed 7
  costlang prove plan.cost --json | jq '.laws[] | {name, status}'
"""


@click.command(epilog=PROVE_EXAMPLES)
@click.argument("files", nargs=-1)
@click.option("--why", is_flag=True, help="Show the rules by which a law is proved.")
@click.option(
    "--cases",
    type=click.IntRange(1, 100_000),
    default=CASES,
    help="At how many points a law is tested that no rule proves.",
    show_default=True,
)
@click.option("--seed", type=click.IntRange(0), default=0, help="Where the points begin.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@colour_option
def prove(
    files: tuple[str, ...], why: bool, cases: int, seed: int, as_json: bool, colour: str
) -> None:
    """Say of the laws of FILES whether they are proved, tested, refuted or undecided."""
    effort = Effort(cases, seed)
    output = Output("json" if as_json else "text", colour, our_version())
    ledgers = _json(files, effort, output) if as_json else _text(files, effort, output, why=why)
    sys.exit(_status(ledgers))


def _text(files: tuple[str, ...], effort: Effort, output: Output, *, why: bool) -> list[Ledger]:
    from costlang.emit.laws_text import laws_text, summary
    from costlang.emit.message import render

    ledgers = []
    paper = paper_of(output)
    named = len(files) == 0 or len(list(_sources(files))) > 1
    for name, ledger in _ledgers(files, effort):
        ledgers.append(ledger)
        if ledger.outcomes:
            lines = laws_text(ledger, paper, why=why).splitlines()
            write_lines([name, *lines, ""] if named else lines)
        if not ledger.usable:
            sys.stderr.write(render(ledger.diagnostics, output.coloured(sys.stderr)))
    if named or not any(ledger.outcomes or not ledger.usable for ledger in ledgers):
        whole = Ledger(tuple(each for ledger in ledgers for each in ledger.outcomes))
        write_lines([f"all {summary(whole)}" if named else "no laws"])
    return ledgers


def _json(files: tuple[str, ...], effort: Effort, output: Output) -> list[Ledger]:
    from costlang.emit.laws_json import laws_json

    ledgers = [ledger for _, ledger in _ledgers(files, effort)]
    write_json(laws_json(ledgers, output.version))
    return ledgers


def _ledgers(files: tuple[str, ...], effort: Effort) -> Iterator[tuple[str, Ledger]]:
    from costlang import pipeline

    with shown_progress() as progress:
        told: Callable[[int, int], None] | None = progress
        for name, source in _sources(files):
            yield name, pipeline.prove(source, effort, told)


def _sources(files: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """Yield what is meant, by its name: files, folders, files of the library, or all of these."""
    from pathlib import Path

    from costlang.loader.shipped import import_path, library_files

    shipped = {import_path(file): file for file in library_files()}
    if not files:
        yield from shipped.items()
    for text in files:
        if text in shipped and not Path(text).exists():
            yield text, shipped[text]
        else:
            yield from ((path, path) for path in spec_files((text,)))


def _status(ledgers: list[Ledger]) -> int:
    if not all(ledger.usable for ledger in ledgers):
        return UNUSABLE
    return FALSE if any(ledger.refuted for ledger in ledgers) else WELL


__all__: list[str] = ["prove"]
