"""`python -m costlang`."""

from costlang.cli import main

main()
