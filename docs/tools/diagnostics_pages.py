"""
The pages of the messages, one a code: what is made in them, and how.

`python -m docs.tools.diagnostics_pages`, from the root, fills every block `text message` anew and
writes the index; it says which page does not show what its name promises.

The specs of a page are its blocks `cost fault` and `cost mended`; a block `cost both` belongs to
the two. More words may follow:

- `file=chips.cost` names the file, which is `plan.cost` where nothing else is said;
- `times=40` repeats what stands in `⟨ ⟩`, a whole line where it fills one, and writes the number
  of the repetition for `{n}`, and of the one before for `{n-1}`; a file with `{n}` in its name is
  as many files;
- `latin-1` writes the file in that encoding, and `nul` writes a NUL byte for each `␀`.

A block `console fault` is the command that is run; where there is none, `plan.cost` is run.
A block in `json` is a configuration, `config.json` where nothing else is said; `header` writes it
as the header of a file of weights. One in `markdown` is a page, `page.md`, and one in `toml` the
record beside it.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from costlang import pipeline
from costlang.answer import Report
from costlang.cli.main import cli
from costlang.docs.page import page_files
from costlang.docs.report import messages as pages_messages
from costlang.docs.work import work_on
from costlang.emit.message import render
from costlang.importing import import_model
from costlang.text import Diagnostic, catalogue

FOLDER = Path(__file__).resolve().parent.parent / "diagnostics"
BLOCK = re.compile(r"^```(?P<info>[^`\n]+)\n(?P<text>.*?)^```$", re.M | re.S)
MESSAGE = re.compile(r"^```text message\n.*?^```$", re.M | re.S)
REPEATED = re.compile(r"⟨(.*?)⟩")
ENTRY = "plan.cost"
FILES = ("cost", "json", "markdown", "toml")
NAMES = {"json": "config.json", "markdown": "page.md", "toml": "costlang.lock"}

GROUPS = {
    "Files and imports": catalogue.READING,
    "How a file is written": catalogue.WRITING,
    "Units": catalogue.UNITS,
    "Names and declarations": catalogue.NAMES,
    "Calls, terms and totals": catalogue.CALLS,
    "Dimensions and kinds": catalogue.DIMENSIONS,
    "What only the numbers show": catalogue.VALUES,
    "Questions": catalogue.QUESTIONS,
    "Importing": catalogue.IMPORTING,
    "Pages": catalogue.PAGES,
}


# ---- what a page says


@dataclass(frozen=True)
class Block:
    """A fenced block: the words after its fence, and its text."""

    words: tuple[str, ...]
    text: str

    def option(self, name: str, default: str) -> str:
        """Return what follows `name=` in the words of the block."""
        found = [word.partition("=")[2] for word in self.words if word.startswith(f"{name}=")]
        return found[0] if found else default

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield the name and the bytes of each file that the block stands for."""
        name = self.option("file", NAMES.get(self.words[0], ENTRY))
        times = int(self.option("times", "1"))
        for n in range(1, times + 1 if "{n}" in name else 2):
            text = self.text.replace("{n}", str(n)) if "{n}" in name else repeated(self.text, times)
            text = text.replace("␀", "\0") if "nul" in self.words else text
            encoding = "latin-1" if "latin-1" in self.words else "utf-8"
            data = text.encode(encoding)
            length = len(data).to_bytes(8, "little") if "header" in self.words else b""
            yield name.replace("{n}", str(n)), length + data


def repeated(text: str, times: int) -> str:
    """Return *text* with all that stands in `⟨ ⟩` written so many times."""

    def written(found: re.Match[str]) -> str:
        line = text[: found.start()][-1:] == "\n" and text[found.end() :][:1] == "\n"
        between = "\n" if line else ""
        return between.join(
            found[1].replace("{n}", str(n)).replace("{n-1}", str(n - 1))
            for n in range(1, times + 1)
        )

    return REPEATED.sub(written, text)


def blocks(page: str, language: str, state: str) -> tuple[Block, ...]:
    """Return the blocks of *page* in *language* that belong to its *state*, fault or mended."""
    found = (Block(tuple(m["info"].split()), m["text"]) for m in BLOCK.finditer(page))
    return tuple(b for b in found if b.words[0] == language and {state, "both"} & {*b.words})


# ---- what comes of it


@lru_cache(maxsize=512)
def report_of(page: str, state: str) -> Report:
    """Run the spec of *page* in its *state*, in a project of its own; once for each text."""
    commands = blocks(page, "console", state)
    line = commands[0].text.splitlines()[0] if commands else f"$ costlang run {ENTRY}"
    with TemporaryDirectory() as top:
        project = Path(top) / "project"
        project.mkdir()
        (project / "pyproject.toml").touch()
        for block in (found for word in FILES for found in blocks(page, word, state)):
            for name, data in block.files():
                (project / name).parent.mkdir(parents=True, exist_ok=True)
                (project / name).write_bytes(data)
        with chdir(project):
            return command_report(shlex.split(line.removeprefix("$ costlang ")))


def command_report(words: list[str]) -> Report:
    """Return the report of `costlang WORDS`, which is `run`, `ask`, `import` or `doc`."""
    command = cli.commands[words[0]]
    given = command.make_context(words[0], words[1:]).params
    if words[0] == "doc":
        outcome = work_on(list(page_files(given["paths"])), given["host"])
        told = pages_messages(outcome) if given["checking"] else ()
        return Report(diagnostics=(*outcome.diagnostics, *told))
    if words[0] == "import":
        found = import_model(given["config"], given["name"], given["ignore"])
        return Report(diagnostics=found.diagnostics)
    at: tuple[str, ...] = given["at"]
    if words[0] == "run":
        return pipeline.run(given["file"], given["queries"], at)
    if words[0] == "ask":
        return pipeline.ask(pipeline.Sentence(given["question"], given["file"], given["of"], at))
    raise click.UsageError(f"a page runs, asks, imports or fills, and does not {words[0]}")


def messages(report: Report) -> tuple[Diagnostic, ...]:
    """Return all that *report* says is wrong, be it of the file, of an answer or of a check."""
    answers = (item.note for item in report.answers)
    checks = (item.note for item in report.checks)
    return (*report.diagnostics, *(note for note in (*answers, *checks) if note is not None))


def filled(page: str) -> str:
    """Return *page* with the message of its fault."""
    text = render(messages(report_of(page, "fault")))
    return MESSAGE.sub(lambda _: f"```text message\n{text}```", page)


def slips(code: str, page: str) -> Iterator[str]:
    """Yield what *page* does not keep of the promise to show *code* once, and then mended."""
    found = [item.code for item in messages(report_of(page, "fault"))]
    if found != [code]:
        yield f"the fault gives {', '.join(found) or 'nothing'}"
    mended = report_of(page, "mended")
    if left := [item.code for item in messages(mended)]:
        yield f"mended, it still gives {', '.join(left)}"
    yield from (f"mended, `{check.name}` fails" for check in mended.checks if not check.holds)
    if not page.startswith(f"# {code}\n"):
        yield "another heading"


def index() -> str:
    """Return the page of all codes, by groups."""
    lines = [
        "# What a message means",
        "",
        "Each message of costlang has a code in brackets after its weight, "
        "`error[unknown-unit]`, and each code has a page.",
        "A page shows a small spec with this one fault, the message, and the spec mended.",
    ]
    for title, group in GROUPS.items():
        lines += ["", f"## {title}", ""]
        lines += [f"- [{code}]({code}.md): {meaning}" for code, meaning in group.items()]
    return "\n".join(lines) + "\n"


def main(codes: list[str]) -> int:
    """Fill the pages of *codes*, of all where none is named; return 1 where one breaks off."""
    status = 0
    for code in codes or catalogue.CODES:
        path = FOLDER / f"{code}.md"
        if not path.exists():
            print(f"{code}: there is no page")
            status = 1
            continue
        page = filled(path.read_text(encoding="utf-8"))
        path.write_text(page, encoding="utf-8")
        for slip in slips(code, page):
            print(f"{code}: {slip}")
            status = 1
    (FOLDER / "index.md").write_text(index(), encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
