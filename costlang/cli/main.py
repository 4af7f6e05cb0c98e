"""`costlang run`, `check` and `ask`: what they read, what they print, how they end."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from typing import Any, NoReturn

import click

from costlang.answer import Report
from costlang.cli.completion import completion
from costlang.cli.doc import doc
from costlang.cli.drawing import draw
from costlang.cli.explaining import explain
from costlang.cli.fmt import fmt
from costlang.cli.importing import import_
from costlang.cli.library import list_library, show
from costlang.cli.progress import shown_progress
from costlang.cli.proving import prove
from costlang.cli.writing import Output, colour_option, our_version, write_report

WELL, FALSE, UNUSABLE = 0, 1, 2
DEEP = 5000
"""Frames for a sum of a thousand terms, which the tree holds one inside the other."""
DEPTH = 3
"""How deep an explanation goes where nothing else is asked for."""

RUN_EXAMPLES = """
\b
Examples:
  costlang run plan.cost                      every check and every question
  costlang run plan.cost fit cost             two of its questions
  costlang run plan.cost --at batch=64 --at "context=2000 tok"
  costlang run plan.cost --json | jq .answers
  cat plan.cost | costlang run -
"""

CHECK_EXAMPLES = """
\b
Examples:
  costlang check plan.cost                    mistakes, and whether its facts hold
  costlang check specs/ chips.cost            folders are searched for *.cost
  costlang check --json plan.cost
  costlang check --diff plan.cost             what could surely be mended, shown
  costlang check --fix plan.cost              and mended in place
  costlang check --format github specs/       annotations for a workflow
"""

ASK_EXAMPLES = """
\b
Examples:
  costlang ask 'latency at batch = 64, context = 2000 show ms' \\
      --of 'decode(llama_2_70b, H100_SXM)'
  costlang ask 'largest batch' \\
      --of 'decode(llama_3_70b, H100_SXM, context = 4096, weights = fp8)'
  costlang ask 'sweep latency, token_price over hardware in {H100_SXM, H200, MI300X}' \\
      --of 'decode(llama_3_8b, context = 4096)' --at 'price=2.5 $/h'
  costlang ask 'rate, token_price at batch = 32' plan.cost
  costlang ask 'total(params)' --of llama_2_70b
"""


WHY_EXAMPLES = """
\b
Examples:
  costlang why 'latency at batch = 64, context = 2000' \\
      --of 'decode(llama_2_70b, H100_SXM)'
  costlang why rate plan.cost --depth 5
  costlang why 'solve t_compute == t_memory for batch' \
      --of 'decode(round_70b, H100_SXM)'
"""


def shared(command: Any) -> Any:
    """Add the options that every command has."""
    options = (
        click.option(
            "--format",
            "style",
            type=click.Choice(["text", "json", "csv", "jsonl", "github"]),
            default="text",
            help="How the report is written; csv and jsonl are for the tables of a sweep.",
        ),
        click.option("--json", "as_json", is_flag=True, help="Short for --format json."),
        click.option(
            "--strict", is_flag=True, help="Exit with 1 when a requirement fails as well."
        ),
        colour_option,
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(our_version(), prog_name="costlang")
def cli() -> None:
    """
    Exact costs of LLM inference from a spec of the model, the hardware and the phase.

    \b
    costlang run FILE       check a file's facts and answer its questions
    costlang check PATH…    find mistakes; no question is answered
    costlang ask QUESTION   one question, of a file or of the shipped library
    costlang why EXPRESSION the formula behind a number, and what it hangs on
    costlang draw QUESTION  a sweep, a breakdown or a roofline as a picture
    costlang prove FILE…    whether laws hold: proved, tested, or refuted by an example
    costlang list KIND      what the library holds, with key figures
    costlang show NAME      all that is known of one thing in it
    costlang import CONFIG  a spec from a published config.json
    costlang fmt PATH…      lay files out in the one style
    costlang doc PATH…      figures of pages, filled in from specs or checked
    costlang explain CODE   what a message means, with the fault beside its mend

    Exit status: 0 when all is well, 1 when a check or a law fails, 2 when the input cannot be used.
    """  # noqa: D301 - click reads the backspace


@cli.command(epilog=RUN_EXAMPLES)
@click.argument("file")
@click.argument("queries", nargs=-1)
@click.option("--at", multiple=True, metavar="NAME=VALUE", help="Bind a name; wins over the file.")
@shared
def run(file: str, queries: tuple[str, ...], at: tuple[str, ...], **options: Any) -> None:
    """Check the facts of FILE and answer its questions (`-` reads standard input)."""
    from costlang import pipeline

    with shown_progress() as progress:
        report = pipeline.run(file, queries, at, progress)
    _finish(report, options)


@cli.command(epilog=CHECK_EXAMPLES)
@click.argument("paths", nargs=-1, required=True)
@click.option("--fix", "mends", flag_value="fix", help="Mend in place what is sure.")
@click.option("--diff", "mends", flag_value="diff", help="Show what --fix would change.")
@shared
def check(paths: tuple[str, ...], mends: str | None, **options: Any) -> None:
    """Find every mistake in PATHS, and whether their facts hold (`-` reads standard input)."""
    from costlang import pipeline
    from costlang.cli.paths import spec_files

    files = list(spec_files(paths))
    if mends is not None:
        from costlang.cli.mending import mend_files

        mend_files(files, Output("text", options["colour"], our_version()), write=mends == "fix")
    _finish(_joined([pipeline.facts(path) for path in files]), options)


@cli.command(epilog=ASK_EXAMPLES)
@click.argument("question")
@click.argument("file", required=False)
@click.option(
    "--of",
    metavar="PHASE(…)",
    help="What the question is about, with no file at all; `costlang list` has the names.",
)
@click.option(
    "--at", multiple=True, metavar="NAME=VALUE", help="Bind a name; wins over the question."
)
@click.option("--why", "steps", is_flag=True, help="Show the way to it, as `costlang why` does.")
@shared
def ask(
    question: str,
    file: str | None,
    of: str | None,
    at: tuple[str, ...],
    steps: bool,
    **options: Any,
) -> None:
    """Answer one QUESTION, in the words of the language."""
    from costlang import pipeline

    sentence = pipeline.Sentence(question, file, of, at, with_formula=steps)
    with shown_progress() as progress:
        report = pipeline.ask(sentence, progress)
    if steps:
        _finish(report, options, depth=DEPTH)
    else:
        _finish(report, options, sentence=True, about=of is not None)


@cli.command(epilog=WHY_EXAMPLES)
@click.argument("expression")
@click.argument("file", required=False)
@click.option("--of", metavar="PHASE(…)", help="What it is about, with no file at all.")
@click.option("--at", multiple=True, metavar="NAME=VALUE", help="Bind a name.")
@click.option("--depth", type=click.IntRange(1, 20), default=DEPTH, help="How deep the tree goes.")
@shared
def why(
    expression: str,
    file: str | None,
    of: str | None,
    at: tuple[str, ...],
    depth: int,
    **options: Any,
) -> None:
    """Say why EXPRESSION is what it is: formula, numbers, active sides, what was taken."""
    from costlang import pipeline

    report = pipeline.ask(pipeline.Sentence(expression, file, of, at, with_formula=True))
    _finish(report, options, depth=depth)


for command in (draw, prove, list_library, show, import_, fmt, doc, explain, completion):
    cli.add_command(command)


def _joined(reports: list[Report]) -> Report:
    diagnostics = [item for report in reports for item in report.diagnostics]
    return Report(
        tuple(a for report in reports for a in report.answers),
        tuple(c for report in reports for c in report.checks),
        tuple(dict.fromkeys(diagnostics)),
        tuple(f for report in reports for f in report.files),
    )


def _finish(
    report: Report,
    options: dict[str, Any],
    *,
    sentence: bool = False,
    depth: int = 0,
    about: bool = False,
) -> None:
    style = "json" if options["as_json"] else options["style"]
    output = Output(style, options["colour"], our_version(), sentence, depth, about)
    write_report(report, output)
    sys.exit(_status(report, strict=options["strict"]))


def _status(report: Report, *, strict: bool) -> int:
    if not report.usable:
        return UNUSABLE
    if any(a.note is not None and a.note.is_error for a in report.answers):
        return UNUSABLE
    failing = strict and any(not answer.feasible for answer in report.answers)
    return FALSE if failing or not report.true else WELL


def main() -> None:
    """Run the command line."""
    sys.setrecursionlimit(max(DEEP, sys.getrecursionlimit()))
    try:
        cli(prog_name="costlang")
    except OSError as error:
        if error.errno not in FULL:
            raise
        _stop_writing(error)


FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Why nothing more can be written to where the output goes."""


def _stop_writing(error: OSError) -> NoReturn:
    """Say that the output is cut short, where that can be said, and end."""
    with suppress(OSError):
        click.echo(f"costlang: the output is cut short: {(error.strerror or '').lower()}", err=True)
    # What lies in the buffers has nowhere to go, and must not fail once more at the very end.
    os._exit(UNUSABLE)
