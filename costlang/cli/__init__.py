"""The command line."""

from costlang.cli.main import main

__all__ = ["main"]
