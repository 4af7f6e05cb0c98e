"""
The pages of the manual: which blocks they have, and what comes of running them.

A page is run from its first block to its last, in a project of its own.

- `cost file=plan.cost` writes a file that is sound and whose checks hold; with the word `wrong`
  behind it, one that is not. A block `cost` without a name is such a file too, and is not kept.
- `console` has lines `$ costlang …`, each with what it prints below it; a line that ends in a
  backslash goes on in the next.
- `python` is run as it stands, and `pycon` has lines `>>> …` with what they print. All of a page
  share their names.
- `json file=config.json` writes a file that is imported; with the word `header`, as the header of a
  file of weights.
- `math` repeats what the `pycon` before it printed last.
- `sh` is for the reader's own machine, and is not run.
- `markdown file=page.md` writes a page, and `markdown shows=page.md` is what then stands in it. A
  fence may have more than three ticks, for a page that has fences of its own.

What stands between `<!-- grammar: NAME -->` and `<!-- /grammar -->`, and in the same way `units`
and `import`, is made from the program itself.
"""

from __future__ import annotations

import doctest
import re
import shlex
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from click.testing import CliRunner

from costlang.cli.main import cli
from costlang.pipeline import facts

BLOCK = re.compile(r"^(?P<fence>`{3,})(?P<info>[^`\n]+)\n(?P<text>.*?)^(?P=fence)$", re.M | re.S)
MADE = re.compile(r"^<!-- (?P<name>(\w+): [^\n]+) -->\n.*?^<!-- /\2 -->$", re.M | re.S)
WIDTH = "100"

Makers = Mapping[str, Callable[[], str]]


@dataclass(frozen=True)
class Block:
    """A fenced block: the words after its fence, and its text."""

    words: tuple[str, ...]
    text: str

    @property
    def language(self) -> str:
        """The first word."""
        return self.words[0]

    @property
    def file(self) -> str | None:
        """The name of the file that the block writes."""
        return self.option("file")

    def option(self, name: str) -> str | None:
        """Return what stands behind `name=` among the words, None where it does not."""
        named = [word.partition("=")[2] for word in self.words if word.startswith(f"{name}=")]
        return named[0] if named else None


def blocks(page: str) -> Iterator[Block]:
    """Yield the blocks of *page* in order."""
    for found in BLOCK.finditer(page):
        yield Block(tuple(found["info"].split()), found["text"])


def filled(page: str, makers: Makers) -> str:
    """
    Return *page* as it should be: with what is made, and with what its blocks really print.

    Raises `ValueError` with every spec that is not what its fence says.
    """
    made = MADE.sub(lambda found: _made(found, makers), page)
    with TemporaryDirectory() as top:
        (Path(top) / "pyproject.toml").touch()
        with chdir(top):
            run = Run()
            text = BLOCK.sub(run.block, made)
    if run.faults:
        raise ValueError("\n".join(run.faults))
    return text


def _made(found: re.Match[str], makers: Makers) -> str:
    """Return what stands between two marks, with them; an embed of `costlang doc` stays."""
    name = found["name"]
    if name.startswith("cost:"):
        return found[0]
    return f"<!-- {name} -->\n{makers[name]()}<!-- /{name.partition(':')[0]} -->"


@dataclass
class Run:
    """
    One page on its way.

    *names* are those that its Python has bound, *printed* is what was printed last, and *faults*
    says which specs are not what their fence says.
    """

    names: dict[str, Any] = field(default_factory=dict)
    printed: str = ""
    faults: list[str] = field(default_factory=list)

    def block(self, found: re.Match[str]) -> str:
        """Run the block that was *found*, and return it with what it gives."""
        block = Block(tuple(found["info"].split()), found["text"])
        return f"{found['fence']}{found['info']}\n{self.text(block)}{found['fence']}"

    def text(self, block: Block) -> str:
        """Return the text that *block* should have."""
        match block.language:
            case "cost":
                self.faults += _keep_spec(block)
            case "json":
                _keep_file(block)
            case "markdown" if (shown := block.option("shows")) is not None:
                return Path(shown).read_text(encoding="utf-8")
            case "markdown":
                _keep_file(block)
            case "console":
                return "\n".join(_answered(command) for command in commands(block.text))
            case "python":
                self.printed = _printed(block.text, "exec", self.names)
            case "pycon":
                return "".join(self.examples(block.text))
            case "math":
                return self.printed
        return block.text

    def examples(self, text: str) -> Iterator[str]:
        """Yield each `>>>` of *text* with what it prints."""
        for example in doctest.DocTestParser().get_examples(text):
            self.printed = _printed(example.source, "single", self.names)
            first, *rest = example.source.splitlines()
            yield "".join([f">>> {first}\n", *(f"... {line}\n" for line in rest), self.printed])


# ---- specs


def _keep_spec(block: Block) -> Iterator[str]:
    """Write the file of *block*, and yield what is wrong with it, or that nothing is."""
    path = Path(block.file or "unnamed.cost")
    path.write_text(block.text, encoding="utf-8")
    found = facts(path)
    wrong = [item.message for item in found.diagnostics]
    wrong += [f"{check.name} fails" for check in found.checks if check.holds is not True]
    if "wrong" not in block.words:
        yield from (f"{path}: {words}" for words in wrong)
    elif not wrong:
        yield f"{path}: nothing is wrong with it"


def _keep_file(block: Block) -> None:
    """Write the file of *block*, with its length before it where it is a header."""
    data = block.text.encode()
    length = len(data).to_bytes(8, "little") if "header" in block.words else b""
    path = Path(block.file or "config.json")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(length + data)


# ---- commands


def commands(text: str) -> Iterator[str]:
    """Yield each command of a console block as it is written, without what it prints."""
    goes_on = False
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("$ ") or goes_on:
            lines.append(line)
            goes_on = line.endswith("\\")
            if not goes_on:
                yield "\n".join(lines)
                lines = []


def _answered(command: str) -> str:
    words = shlex.split(command.removeprefix("$ ").replace("\\\n", " "))
    if words[0] != "costlang":
        raise ValueError(f"a page runs costlang, and not {words[0]}")
    result = CliRunner().invoke(cli, words[1:], env={"COLUMNS": WIDTH})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return f"{command}\n{result.output}"


# ---- Python


def _printed(source: str, mode: str, names: dict[str, Any]) -> str:
    """Run lines of a page, and return what they print; the package itself runs no text."""
    out = StringIO()
    with redirect_stdout(out):
        try:
            exec(compile(source, "<page>", mode), names)  # noqa: S102
        except Exception as error:
            if mode == "exec":
                raise
            last = "".join(traceback.format_exception_only(error))
            print(f"Traceback (most recent call last):\n    ...\n{last}", end="")
    return out.getvalue()
