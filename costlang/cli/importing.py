"""`costlang import CONFIG`: a spec from a published configuration, and what was taken for it."""

from __future__ import annotations

import json
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, NoReturn

import click

from costlang.cli.writing import Output, colour_option, harmless
from costlang.emit.display import shown
from costlang.emit.message import render
from costlang.files import write_new_text, write_text

if TYPE_CHECKING:
    from costlang.importing import Imported, Refusal

WELL, DIFFERENT, UNUSABLE = 0, 1, 2

IMPORT_EXAMPLES = """
\b
Examples:
  costlang import config.json                   the spec, to standard output
  costlang import config.json -o mine.cost      into a new file
  costlang import Qwen3-4B --name qwen_3_4b     a folder: its weights are compared
  costlang import config.json --json            every field, default and reason
"""


@click.command("import", epilog=IMPORT_EXAMPLES)
@click.argument("config")
@click.option("-o", "--output", metavar="FILE", help="Write the spec there, whole or not at all.")
@click.option("--force", is_flag=True, help="Replace the file of -o if there is one.")
@click.option("--name", metavar="NAME", help="What the spec calls the model.")
@click.option(
    "--ignore", multiple=True, metavar="FIELD", help="A field that is unknown and does not matter."
)
@click.option("--json", "as_json", is_flag=True, help="What was read and taken, for programs.")
@colour_option
def import_(
    config: str,
    output: str | None,
    force: bool,
    name: str | None,
    ignore: tuple[str, ...],
    as_json: bool,
    colour: str,
) -> None:
    """
    Write the spec of the model whose `config.json` is CONFIG, or a folder that holds it.

    Each figure cites its field, and each default stands in a comment with its reason. What is not
    understood is refused. In a folder, the headers of the `*.safetensors` files check the size.

    Exit status: 0 when all is well, 1 when the weights have another size than the model, 2 when the
    configuration is refused.
    """
    from costlang.importing import Refusal, import_model
    from costlang.importing.report_json import import_json

    _ensure_usable(name, output, force)
    found = import_model(config, name, ignore)
    if not isinstance(found, Refusal):
        _write(found, output, force=force)
    if as_json:
        text = json.dumps(import_json(found, _version()), indent=2, ensure_ascii=False)
        click.echo(harmless(text))
        sys.exit(_status(found))
    if not isinstance(found, Refusal):
        _print_summary(found, output)
    coloured = Output("text", colour, _version()).coloured(sys.stderr)
    click.echo(render(found.diagnostics, coloured), err=True, nl=False, color=coloured)
    sys.exit(_status(found))


def _ensure_usable(name: str | None, output: str | None, force: bool) -> None:
    from costlang.importing import NAME

    if name is not None and NAME.match(name) is None:
        raise click.BadParameter(
            f"`{shown(name)}` is no name of the language: letters, digits and `_`, no digit first",
            param_hint="--name",
        )
    if force and output is None:
        raise click.UsageError("--force is about the file of -o, which is not given")


def _print_summary(found: Imported, output: str | None) -> None:
    """Write the spec to standard output, unless it goes to a file; and what is said of it aside."""
    from costlang.importing import words_of

    if output is None:
        click.echo(found.spec, nl=False)
    sys.stdout.flush()
    for line in words_of(found):
        click.echo(shown(line), err=True)


def _write(found: Imported, output: str | None, *, force: bool) -> None:
    if output is None:
        return
    try:
        (write_text if force else write_new_text)(output, found.spec)
    except FileExistsError:
        _stop(f"`{output}` is there already; --force replaces it")
    except OSError as error:
        _stop(f"`{output}` cannot be written: {(error.strerror or str(error)).lower()}")


def _stop(why: str) -> NoReturn:
    click.echo(f"costlang: {shown(why)}", err=True)
    sys.exit(UNUSABLE)


def _status(found: Imported | Refusal) -> int:
    if any(item.code != "size-differs" for item in found.diagnostics):
        return UNUSABLE
    return DIFFERENT if any(item.is_error for item in found.diagnostics) else WELL


def _version() -> str:
    try:
        return version("costlang")
    except PackageNotFoundError:
        return "0+unknown"
