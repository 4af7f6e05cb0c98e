"""`costlang doc`: the figures of pages filled in from their specs, or checked against them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from costlang.cli.progress import shown_progress
from costlang.cli.writing import Output, colour_option, our_version, write_json
from costlang.docs.host import HOSTS
from costlang.emit.display import shown
from costlang.emit.message import render

if TYPE_CHECKING:
    from costlang.docs.findings import Finding
    from costlang.docs.work import Outcome

WELL, DIFFERENT, UNUSABLE = 0, 1, 2
MANY = 20
"""Pages from which on a bar is drawn."""

DOC_EXAMPLES = """
\b
A page names its spec between two lines of dashes at its top, and has marks where a figure goes:

\b
  ---
  cost: plan.cost
  ---
  A user sees <!-- cost: plan.rate --><!-- /cost -->.

\b
What may stand in the first mark:
  cost: plan.rate                     a question of a scenario, or any name in it
  cost= latency at batch = 32         any question in words; options go behind a bar:
  cost= latency at batch = 32 | digits=1 unit=ms
  cost: plan.rate digits=2 unit=tok/s as="tokens a second" bare sign=always locale=pt_BR
  cost: plan.rate about               the sentence is yours, and is held against the value;
                                      so do within=5%, over and under
  cost: plan.rate view=where          a formula: symbolic, where, numeric, derivation
  cost: plan.curve view=table         a table of a sweep or a breakdown; compare scenarios
  cost: plan.curve view=curve         a picture: curve, bars, roofline

\b
Examples:
  costlang doc docs/                          fill in every page below docs
  costlang doc README.md docs/plan.md
  costlang doc --check docs/                  say what is out of date, and why
  costlang doc --check --exact docs/          also what moved below its rounding
  costlang doc --to latex plan.cost -o costs.tex
                                              macros for a paper: \\costvalue{plan.rate}
  costlang doc --check --json docs/ | jq '.pages[].embeds[] | select(.state != "right")'
"""


@click.command(epilog=DOC_EXAMPLES)
@click.argument("paths", nargs=-1, required=True)
@click.option("--check", "checking", is_flag=True, help="Write nothing; exit 1 if a page is wrong.")
@click.option("--exact", is_flag=True, help="With --check: fail on changes below the rounding too.")
@click.option(
    "--host",
    type=click.Choice(list(HOSTS)),
    default="github",
    help="How formulas are written in pages that do not say it; github where nothing is said.",
)
@click.option(
    "--to", "to", type=click.Choice(["latex"]), help="Write the answers of specs as macros instead."
)
@click.option("-o", "output_file", metavar="FILE.tex", help="Where --to writes; else it is shown.")
@click.option("--json", "as_json", is_flag=True, help="Write what was found as JSON.")
@colour_option
def doc(
    paths: tuple[str, ...],
    checking: bool,
    exact: bool,
    host: str,
    to: str | None,
    output_file: str | None,
    as_json: bool,
    colour: str,
) -> None:
    """
    Fill in the figures and formulas of the pages in PATHS, or check them.

    What stands between the marks of an embed is computed from the specs that the page names, and
    nothing else of a page is touched. A file costlang.lock beside the pages remembers what each
    figure was made of, so that a check can say which input changed.

    Exit status: 0 when all is well, 1 when a page says something that is not so, 2 when an embed
    or a spec cannot be used; then nothing is written.
    """
    from costlang.docs.page import page_files
    from costlang.docs.report import FAILING, report_json

    if output_file is not None and to is None:
        raise click.UsageError("-o belongs to --to: a page is filled in place")
    if to is not None:
        if checking or as_json:
            raise click.UsageError("--to writes a file of macros, and checks no page")
        _write_macros(paths, output_file, colour)
        return
    if exact and not checking:
        raise click.UsageError("--exact belongs to --check")
    output = Output("json" if as_json else "text", colour, our_version())
    outcome = _outcome(list(dict.fromkeys(page_files(paths))), host)
    changed = [] if checking or not outcome.usable else _written(outcome)
    failing = (*FAILING, "moved") if exact else FAILING if checking else ("false",)
    wrong = [found for _, found in outcome.found(*failing)]
    if as_json:
        write_json(report_json(outcome, output.version))
    else:
        _print(outcome, changed, wrong, output, checking=checking, failing=failing)
    sys.exit(UNUSABLE if not outcome.usable else DIFFERENT if wrong else WELL)


def _write_macros(paths: tuple[str, ...], output: str | None, colour: str) -> None:
    from costlang.docs.latex import macros
    from costlang.files import write_text
    from costlang.model.work import roomy

    if not all(path.endswith(".cost") for path in paths):
        raise click.UsageError("--to latex takes specs: files in `.cost`")
    if output is not None and not output.endswith(".tex"):
        raise click.UsageError(f"macros are LaTeX: name them `{shown(output)}.tex`")
    with roomy():
        found = macros(paths)
    if isinstance(found, tuple):
        coloured = Output("text", colour, our_version()).coloured(sys.stderr)
        click.echo(render(found, coloured), err=True, nl=False, color=coloured)
        sys.exit(UNUSABLE)
    if output is None:
        click.echo(found, nl=False)
        return
    try:
        write_text(output, found)
    except OSError as error:
        _refuse(f"`{shown(output)}` cannot be written: {(error.strerror or str(error)).lower()}")


def _outcome(paths: list[str], host: str) -> Outcome:
    from costlang.docs.numbers import NeedsBabel
    from costlang.docs.work import work_on

    with shown_progress("pages", MANY) as progress:
        try:
            return work_on(paths, host, progress)
        except NeedsBabel as needed:
            _refuse(f"numbers of {needed} are written with Babel: pip install 'costlang[docs]'")


def _written(outcome: Outcome) -> list[Path]:
    from costlang.docs.work import write

    try:
        return list(write(outcome))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        _refuse(f"`{error.filename}` cannot be written: {reason}")


def _refuse(words: str) -> NoReturn:
    click.echo(f"costlang: {shown(words)}", err=True)
    sys.exit(UNUSABLE)


def _print(
    outcome: Outcome,
    changed: list[Path],
    wrong: list[Finding],
    output: Output,
    *,
    checking: bool,
    failing: tuple[str, ...],
) -> None:
    from costlang.docs.report import messages

    for path in changed:
        click.echo(f"written: {shown(str(path))}")
    embeds = sum(len(work.findings) for work in outcome.works)
    pages = len(outcome.works)
    if outcome.usable:
        words = f"{_counted(embeds, 'embed')} in {_counted(pages, 'page')}"
        click.echo(f"{words}, {len(wrong)} wrong" if wrong or checking else words)
    sys.stdout.flush()
    colour = output.coloured(sys.stderr)
    told = (*outcome.diagnostics, *messages(outcome, failing))
    click.echo(render(told, colour), err=True, nl=False, color=colour)


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
