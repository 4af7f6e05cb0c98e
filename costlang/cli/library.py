"""`costlang list` and `costlang show`: what the library holds, and all of one thing in it."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from costlang.cli.writing import (
    Output,
    colour_option,
    our_version,
    paper_of,
    write_json,
    write_lines,
)
from costlang.emit.message import render
from costlang.loader import library_words
from costlang.text import Diagnostic, Label, Source, Span
from costlang.text.near import did_you_mean

KINDS = ("models", "hardware", "phases", "ops", "records")
WELL, NOTHING, UNUSABLE = 0, 1, 2

LIST_EXAMPLES = """
\b
Examples:
  costlang list models                        parameters, cache a token, bytes of weights
  costlang list models llama 70b              those that have both words
  costlang list hardware                      peaks, memory, links, power, ridge
  costlang list hardware nvidia --sort hbm_bandwidth
  costlang list phases                        what can be asked with --of
  costlang list models --json | jq '.entries[] | {name, params}'
"""

SHOW_EXAMPLES = """
\b
Examples:
  costlang show H100_SXM                      every figure with its source, and what is open
  costlang show llama_3_70b                   shapes, sizes, and where the parameters are
  costlang show decode                        its parameters, definitions and requirements
  costlang show plan.cost                     what a file of your own declares
  costlang show llama_3_70b --json | jq .kv_bytes_per_token
"""


@click.command("list", epilog=LIST_EXAMPLES)
@click.argument("kind", type=click.Choice(KINDS))
@click.argument("words", nargs=-1, metavar="[WORD]…")
@click.option("--sort", metavar="FIGURE", help="By a figure, the greatest first, or by name.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@colour_option
def list_library(
    kind: str, words: tuple[str, ...], sort: str | None, as_json: bool, colour: str
) -> None:
    """
    List what the library holds of KIND, with key figures.

    Each WORD is looked for in names, paths and notes. Ends with 1 when nothing has them all.
    """
    from costlang.library import listing
    from costlang.model.work import roomy

    _check_sort(kind, sort)
    with roomy():
        found = listing(kind, words, sort)
    output = Output("json" if as_json else "text", colour, our_version())
    if as_json:
        from costlang.emit.library_json import listing_json

        write_json(listing_json(found, output.version))
    elif found.rows:
        from costlang.emit.library_text import listing_lines

        write_lines(listing_lines(found, paper_of(output)))
    if not found.rows:
        _write_none(kind, words)
        sys.exit(NOTHING)


def _check_sort(kind: str, sort: str | None) -> None:
    from costlang.library import FIGURES, SHELVES

    keys = ["name", *(figure.key for figure in FIGURES.get(SHELVES[kind], ()))]
    if sort is not None and sort not in keys:
        raise click.UsageError(f"`--sort {sort}`: {kind} are sorted by {', '.join(keys)}")


def _write_none(kind: str, words: tuple[str, ...]) -> None:
    from costlang.library import near

    alike = [name for word in words for name in near(word)]
    mend = did_you_mean(dict.fromkeys(alike))
    text = f"no {kind} with {' and '.join(f'`{word}`' for word in words)}"
    click.echo(f"{text}; {mend}" if mend else text, err=True)


def library_names(
    context: click.Context, parameter: click.Parameter, start: str
) -> list[CompletionItem]:
    """Complete the names of the library that begin with *start*; files where none does."""
    words = library_words()
    found = [CompletionItem(name, help=words[name][0]) for name in words if name.startswith(start)]
    return found or [CompletionItem(start, type="file")]


@click.command(epilog=SHOW_EXAMPLES)
@click.argument("thing", metavar="NAME|FILE", shell_complete=library_names)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@colour_option
def show(thing: str, as_json: bool, colour: str) -> None:
    """Show all that is known of NAME in the library, or of what FILE declares."""
    from costlang.library import cards_of, cards_of_file
    from costlang.model.work import roomy

    output = Output("json" if as_json else "text", colour, our_version())
    faults: tuple[Diagnostic, ...] = ()
    with roomy():
        if is_file(thing):
            cards, faults = cards_of_file(thing)
        else:
            cards = cards_of(thing)
            faults = () if cards else (_unknown(thing),)
    if as_json:
        from costlang.emit.library_json import cards_json

        write_json(cards_json(cards, faults, output.version))
    else:
        from costlang.emit.library_text import card_lines

        lines = [line for card in cards for line in (*card_lines(card, paper_of(output)), "")]
        write_lines(lines[:-1])
        sys.stderr.write(render(faults, output.coloured(sys.stderr)) if faults else "")
    if any(item.is_error for item in faults):
        sys.exit(UNUSABLE)


def is_file(thing: str) -> bool:
    """Whether *thing* names a file, and not something of the library."""
    return thing == "-" or thing.endswith(".cost") or "/" in thing or Path(thing).is_file()


def _unknown(name: str) -> Diagnostic:
    from costlang.library import near

    place = Label(Span(Source("<command line>", name), 0, len(name)), "no such name")
    mend = did_you_mean(near(name)) or "`costlang list models` and `… hardware` have the names"
    return Diagnostic("unknown-name", f"the library has nothing called `{name}`", place, help=mend)
