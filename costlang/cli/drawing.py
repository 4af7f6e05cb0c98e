"""`costlang draw QUESTION`: a sweep, a breakdown or a roofline as a picture."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NoReturn

import click

from costlang.cli.writing import Output, our_version, unbroken
from costlang.emit.display import shown
from costlang.emit.message import render
from costlang.files import write_text

if TYPE_CHECKING:
    from costlang.drawing import Drawn

UNUSABLE = 2

DRAW_EXAMPLES = """
\b
Examples:
  costlang draw curve plan.cost -o curve.svg  a question of the file: a sweep as curves,
                                              its bends marked, or a breakdown as bars
  costlang draw 'sweep latency over batch in 1 .. 512' \\
      --of 'decode(llama_3_8b, H100_SXM, context = 4096)' --mark '20 ms' -o latency.svg
  costlang draw roofline plan.cost -o roofline.svg
                                              the phases of a scenario under their roof
  costlang draw roofline --of 'decode(llama_3_8b, H100_SXM, context = 4096)' \\
      --over 'batch in {1, 8, 64, 256}' > roofline.svg
  costlang draw 'sweep token_price over hardware in {H100_SXM, H200, MI300X}' \\
      --of 'decode(llama_3_8b, context = 4096)' --at 'price = 2.5 $/h' -o chips.svg

\b
A roofline draws `achieved` over `intensity`, under `roof`, of each phase in use that has
them, as those of std.phases do; --x, --y and --roof name others, of a phase of your own.
"""


@click.command("draw", epilog=DRAW_EXAMPLES)
@click.argument("question", metavar="QUESTION|roofline")
@click.argument("file", required=False)
@click.option("--of", metavar="PHASE(…)", help="What it is about, or which scenario of FILE.")
@click.option("--at", multiple=True, metavar="NAME=VALUE", help="Bind a name; wins over the file.")
@click.option("--over", default="", metavar="AXIS", help="Points of a roofline along an axis.")
@click.option("--mark", "marks", multiple=True, metavar="QUESTION", help="A number to mark.")
@click.option("--x", "x_name", metavar="NAME", help="What a roofline has across.")
@click.option("--y", "y_name", metavar="NAME", help="What it has upwards.")
@click.option("--roof", metavar="NAME", help="The function of the first that bounds the second.")
@click.option("--x-axis", type=click.Choice(["linear", "log"]), help="Else by the numbers.")
@click.option("--y-axis", type=click.Choice(["linear", "log"]), help="Else by the numbers.")
@click.option("--title", default="", help="What stands above, and is read out.")
@click.option("-o", "--output", metavar="FILE.svg", help="Write it there, whole or not at all.")
def draw(
    question: str,
    file: str | None,
    of: str | None,
    at: tuple[str, ...],
    over: str,
    marks: tuple[str, ...],
    x_name: str | None,
    y_name: str | None,
    roof: str | None,
    x_axis: str | None,
    y_axis: str | None,
    title: str,
    output: str | None,
) -> None:
    """
    Draw the answer to QUESTION as SVG.

    The same spec gives the same bytes. Light and dark follow the reader, each number is in the
    text for who cannot see the picture, and what is infeasible is hollow or pale.
    """
    from costlang.drawing import ROOFLINE, Names, Wanted
    from costlang.drawing import draw as drawn_of
    from costlang.emit.picture import Style
    from costlang.model.work import roomy

    if output is not None and not output.lower().endswith(".svg"):
        raise click.UsageError(f"a picture is SVG: name it `{shown(output)}.svg`")
    if question != ROOFLINE and (over or x_name or y_name or roof):
        raise click.UsageError("--over, --x, --y and --roof are of `costlang draw roofline`")
    if question == ROOFLINE and (marks or x_axis or y_axis):
        raise click.UsageError("--mark, --x-axis and --y-axis are of curves, and not of a roofline")
    usual = Names()
    names = Names(x_name or usual.x, y_name or usual.y, roof or usual.roof)
    style = Style(title, "", _is_log(x_axis), _is_log(y_axis))
    with roomy():
        found = drawn_of(Wanted(question, file, of, at, over, marks, names, style))
    _finish(found, output)


def _is_log(axis: str | None) -> bool | None:
    return None if axis is None else axis == "log"


def _finish(found: Drawn, output: str | None) -> None:
    coloured = Output("text", "auto", our_version()).coloured(sys.stderr)
    sys.stderr.write(render(found.diagnostics, coloured) if found.diagnostics else "")
    if found.svg is None:
        if found.why:
            _stop(f"nothing is drawn: {found.why}")
        sys.exit(UNUSABLE)
    for words in found.left_out:
        click.echo(f"left out: {shown(words)}", err=True)
    svg = found.svg
    if output is None:
        unbroken(lambda: _put(svg))
        return
    try:
        write_text(output, svg)
    except OSError as error:
        _stop(f"`{output}` cannot be written: {(error.strerror or str(error)).lower()}")


def _put(text: str) -> None:
    sys.stdout.write(text)


def _stop(why: str) -> NoReturn:
    click.echo(f"costlang: {shown(why)}", err=True)
    sys.exit(UNUSABLE)
