"""`costlang completion SHELL`: the script by which a shell completes commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

EXAMPLES = """
\b
Examples:
  eval "$(costlang completion bash)"          in ~/.bashrc
  eval "$(costlang completion zsh)"           in ~/.zshrc
  costlang completion fish | source           in config.fish
"""


@click.command(epilog=EXAMPLES)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print what makes SHELL complete the commands of costlang."""
    found = get_completion_class(shell)
    assert found is not None
    root = context.find_root().command
    click.echo(found(root, {}, "costlang", "_COSTLANG_COMPLETE").source())
