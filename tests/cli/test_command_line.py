"""The contract of the command line: statuses, streams, keys, colour, help, and whole messages."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from costlang.cli.main import cli

ROOT = Path(__file__).parents[2]
PLAN = """cost 1
import models.llama (llama_2_70b)
import hardware.nvidia (H100_SXM)
import std.phases (decode)

scenario plan {
  use one = decode(llama_2_70b, H100_SXM)
  batch   = 1
  context = 2000
  price   = 2.50 $/h  source "a quote"
  query fit:  resident     show GB
  query cost: token_price  show $/Mtok
  check read: weights_bytes == 137.429 GB within 0.001 %
}
"""
FALSE = PLAN.replace("137.429 GB", "140 GB")
CALM = "cost 1\nscenario s {\n  query six: 2 * 3 tok\n}\n"
DECODE = "decode(llama_2_70b, H100_SXM)"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a working folder with a plan, one whose check fails, and a calm file."""
    for name, text in {"plan": PLAN, "false": FALSE, "calm": CALM, "chips": "cost 1\n"}.items():
        (tmp_path / f"{name}.cost").write_text(text, encoding="utf-8")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "one.cost").write_text("cost 1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


def costlang(*words: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(cli, words, input=stdin, prog_name="costlang")


def process(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "costlang", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=60, check=False, **more
    )


# ---- how it ends


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (0, "run calm.cost"),
        (0, "run plan.cost"),
        (1, "run plan.cost --strict"),
        (0, "run calm.cost --strict"),
        (1, "run false.cost"),
        (1, "run false.cost --json"),
        (1, "check false.cost"),
        (0, "check calm.cost plan.cost"),
        (1, "check calm.cost false.cost"),
        (0, "check specs"),
        (2, "check calm.cost no.cost"),
        (2, "run no.cost"),
        (2, "run no.cost --json"),
        (2, "run calm.cost seven"),
        (2, "run plan.cost --at batch"),
        (2, "run plan.cost --at colour=3"),
        (2, "run"),
        (2, "walk plan.cost"),
        (2, "run plan.cost --format yaml"),
        (0, f"ask 'latency at context = 0' --of '{DECODE}'"),
        (1, f"ask 'latency at context = 0' --of '{DECODE}' --strict"),
        (2, "ask latency"),
        (2, "ask '1 +'"),
        (0, "ask '2 * 3'"),
        (0, "--version"),
        (0, "--help"),
    ],
)
def test_the_exit_status_says_how_it_went(folder: Path, status: int, words: str) -> None:
    found = costlang(*shlex.split(words))
    assert status == found.exit_code, found.output


def test_a_failed_requirement_is_an_answer_and_strict_makes_it_a_failure(folder: Path) -> None:
    calm, strict = costlang("run", "plan.cost"), costlang("run", "plan.cost", "--strict")
    assert (0, 1) == (calm.exit_code, strict.exit_code)
    assert calm.output == strict.output


# ---- what it prints


def test_answers_go_to_standard_output_and_messages_to_standard_error(folder: Path) -> None:
    Path("wrong.cost").write_text("cost 1\nlet page = 16 KB\n")
    found = process("run", "calm.cost")
    assert ("s\n  six  6 tok\n", "", 0) == (found.stdout, found.stderr, found.returncode)
    wrong = process("run", "wrong.cost")
    assert ("", True, 2) == (wrong.stdout, bool(wrong.stderr), wrong.returncode)


SENTENCE = """\
latency = 53.55 ms  t_memory is the max in latency; infeasible
  infeasible: fits asks for resident <= hardware.hbm_capacity: resident = 179.9 \
GB, hardware.hbm_capacity = 80 GB (2.25 times)
  assumed: counting = usual, on = single, tp = 1, d_head = 128, weights = bf16,
           compute_efficiency = 1, kv = bf16, memory_efficiency = 1, step_overhead = 0 s
"""


def test_a_sentence_is_answered_in_one_line_and_says_what_it_took(folder: Path) -> None:
    found = costlang("ask", "latency at batch = 64, context = 2000 show ms", "--of", DECODE)
    assert SENTENCE == found.output


ANSWER = [
    *("name", "scenario", "question", "expression", "value", "unit", "exact", "interval", "text"),
    *("assumed", "overridden", "given", "free", "regime", "infeasible", "sides", "sources"),
]
CHECK = [
    *("name", "of", "fact", "status", "only_by_tolerance", "left", "right", "slip", "free"),
    *("source", "file", "line", "column"),
]
DIAGNOSTIC = ["code", "severity", "file", "line", "column", "end_line", "end_column", "message"]


def parsed(result: Result) -> dict[str, Any]:
    found = json.loads(result.output)
    assert isinstance(found, dict)
    return found


def test_json_has_the_keys_of_its_contract(folder: Path) -> None:
    found = parsed(costlang("run", "plan.cost", "--json"))
    assert ["schema", "version", "answers", "checks", "diagnostics"] == list(found)
    assert (1, 2, 1, []) == (
        found["schema"],
        len(found["answers"]),
        len(found["checks"]),
        found["diagnostics"],
    )
    assert set(ANSWER) <= set(found["answers"][0])
    assert set(CHECK) <= set(found["checks"][0])
    cost = found["answers"][1]
    assert ("cost", "token_price show $/Mtok", "$/Mtok") == (
        cost["name"],
        cost["question"],
        cost["unit"],
    )
    assert {"latency": "t_memory"} == cost["regime"]
    assert ["fits"] == [broken["name"] for broken in cost["infeasible"]]
    assert [80, "GB"] == [cost["infeasible"][0]["right"][key] for key in ("value", "unit")]


def test_format_json_and_its_short_form_are_one(folder: Path) -> None:
    long, short = (
        costlang("run", "plan.cost", "--format", "json"),
        costlang("run", "plan.cost", "--json"),
    )
    assert long.output == short.output


def test_an_exact_value_stands_in_base_units_and_a_range_has_none(folder: Path) -> None:
    (six,) = parsed(costlang("run", "calm.cost", "--json"))["answers"]
    assert (6, "tok", "6", None) == tuple(six[k] for k in ("value", "unit", "exact", "interval"))
    ranged = costlang("ask", "latency at context = 0 .. 2000", "--of", DECODE, "--json")
    (step,) = parsed(ranged)["answers"]
    assert (None, None) == (step["value"], step["exact"])
    assert "exact" == step["interval"]["kind"]
    assert step["interval"]["low"] < step["interval"]["high"]


def test_a_diagnostic_in_json_has_its_place_counted_from_one(folder: Path) -> None:
    Path("wrong.cost").write_text("cost 1\nlet page = 16 KB\n")
    found = parsed(costlang("check", "wrong.cost", "--json"))
    assert ([], []) == (found["answers"], found["checks"])
    (fault,) = found["diagnostics"]
    assert set(DIAGNOSTIC) | {"labels", "help"} <= set(fault)
    assert {
        "code": "refused-unit",
        "severity": "error",
        "file": "wrong.cost",
        "line": 2,
        "column": 15,
        "end_line": 2,
        "end_column": 17,
        "message": "`KB` can be read as 1000 or as 1024",
    } == {key: fault[key] for key in DIAGNOSTIC}


def test_a_dash_is_standard_input_for_every_command(folder: Path) -> None:
    from_file = costlang("run", "plan.cost")
    assert from_file.output == costlang("run", "-", stdin=PLAN).output
    assert 0 == costlang("check", "-", stdin=PLAN).exit_code
    assert "six = 6 tok\n" == costlang("ask", "six", "-", stdin=CALM).output


def test_bindings_win_over_the_file(folder: Path) -> None:
    found = parsed(
        costlang("run", "plan.cost", "--at", "batch=64", "--at", "price=5 $/h", "--json")
    )
    cost = next(item for item in found["answers"] if item["name"] == "cost")
    assert 1.16 == round(cost["value"], 2)


@pytest.mark.parametrize("command", [("run", "plan.cost"), ("ask", "rate", "plan.cost")])
def test_a_name_is_bound_once(folder: Path, command: tuple[str, ...]) -> None:
    found = costlang(*command, "--at", "batch=64", "--at", "batch=65")
    assert 2 == found.exit_code
    assert (
        "error[set-twice]: `batch` is set twice\n"
        "  --> <--at>:1:1\n"
        "   |\n"
        " 1 | batch=65\n"
        "   | ^^^^^^^^ set again here\n"
    ) in found.stderr


def test_only_the_questions_that_are_named_are_answered(folder: Path) -> None:
    found = parsed(costlang("run", "plan.cost", "cost", "--json"))
    assert ["cost"] == [item["name"] for item in found["answers"]]


# ---- colour

ESCAPE = "\x1b["


def on_a_terminal(*words: str, **environment: str) -> str:
    """Return what the command writes where its output is a terminal."""
    ours, theirs = pty.openpty()
    settings: Mapping[str, str] = {
        **{key: value for key, value in os.environ.items() if key != "NO_COLOR"},
        "PYTHONPATH": str(ROOT),
        "TERM": "xterm-256color",
        **environment,
    }
    command = [sys.executable, "-m", "costlang", *words]
    child = subprocess.Popen(command, env=settings, stdout=theirs, stderr=theirs)
    os.close(theirs)
    parts = []
    while True:
        try:
            part = os.read(ours, 65_536)
        except OSError:
            break
        if not part:
            break
        parts.append(part)
    child.wait(timeout=60)
    os.close(ours)
    return b"".join(parts).decode()


def test_colour_stands_on_a_terminal_only(folder: Path) -> None:
    plain = process("run", "plan.cost")
    assert ESCAPE not in plain.stdout + plain.stderr
    drawn = on_a_terminal("run", "plan.cost", COLUMNS="100")
    assert ESCAPE in drawn
    assert ESCAPE not in on_a_terminal("run", "plan.cost", COLUMNS="100", NO_COLOR="1")
    assert ESCAPE not in on_a_terminal("run", "plan.cost", "--color", "never")
    assert ESCAPE in process("run", "plan.cost", "--color", "always").stdout


def test_json_is_never_coloured(folder: Path) -> None:
    assert ESCAPE not in process("run", "plan.cost", "--json", "--color", "always").stdout


# ---- help


def examples(command: str) -> list[str]:
    """Return the commands that the help of *command* shows, each on one line."""
    text = costlang(command, "--help").output.partition("Examples:")[2]
    joined = re.sub(r"\\\n\s*", "", text)
    lines = [line.strip() for line in joined.splitlines() if "costlang" in line]
    return [re.split(r"\s{3,}", line)[0] for line in lines]


@pytest.mark.parametrize(
    ("command", "count"), [("run", 5), ("check", 6), ("ask", 5), ("list", 6), ("show", 5)]
)
def test_the_examples_of_the_help_run(folder: Path, command: str, count: int) -> None:
    shown = examples(command)
    assert count == len(shown)
    for line in shown:
        before, _, after = line.partition(" | ")
        stdin = PLAN if before.startswith("cat ") else None
        words = shlex.split(after if stdin else before)
        found = costlang(*words[1:], stdin=stdin)
        assert ("costlang", 0) == (words[0], found.exit_code), f"{line}\n{found.output}"


def test_the_help_of_all_keeps_its_list_of_commands_apart() -> None:
    lines = costlang("--help").output.splitlines()
    assert "  costlang run FILE       check a file's facts and answer its questions" in lines
    assert "\\b" not in "".join(lines)


# ---- wrong files


def pointing_into(path: str, beginning: str, template: str) -> str:
    """Return a message whose second place is the line of the library that starts so."""
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    number = next(at for at, line in enumerate(lines, 1) if line.startswith(beginning))
    margin = " " * (len(str(number)) - 1)
    first, *others = template.splitlines()
    shifted = [line if "{line}" in line else margin + line for line in others]
    text = "\n".join([first, *(line if line.strip() else "" for line in shifted), ""])
    return text.replace("{number}", str(number)).replace(
        "{line}", f"{number} | {lines[number - 1]}"
    )


WRONG: dict[str, tuple[str | bytes, str]] = {
    "pairs-for-a-width": (
        "cost 1\nlet score(S: [tok], d_head: count) = S * d_head + S * S\n",
        """\
error[dimension-mismatch]: these two cannot be added
  --> wrong.cost:2:51
   |
 2 | let score(S: [tok], d_head: count) = S * d_head + S * S
   |                                      ----------   ^^^^^ tok^2
   |                                      tok
   |
   = left side:  tok
     right side: tok^2
   = help: the right side has a factor in tok too many
""",
    ),
    "bytes-for-a-rate": (
        "cost 1\nimport std.accelerator (accelerator)\n"
        "hardware mine is accelerator {\n  hbm_bandwidth = 80 GB\n}\n",
        pointing_into(
            "specs/std/accelerator.cost",
            "  param hbm_bandwidth as W",
            """\
error[dimension-mismatch]: B/s belongs here, and this is in B
 --> wrong.cost:4:19
  |
4 |   hbm_bandwidth = 80 GB
  |                   ^^^^^ B
 ::: specs/std/accelerator.cost:{number}:9
  |
{line}
  |         ------------- B/s, declared here
  |
  = expected: B · s^-1
    found:    B
  = help: this lacks a factor in 1/s
""",
        ),
    ),
    "KB": (
        "cost 1\nlet page = 16 KB\n",
        """\
error[refused-unit]: `KB` can be read as 1000 or as 1024
  --> wrong.cost:2:15
   |
 2 | let page = 16 KB
   |               ^^
   |
   = help: write `kB` for 1000 or `KiB` for 1024
""",
    ),
    "TFLOPS": (
        "cost 1\nlet peak = 989 TFLOPS\n",
        """\
error[refused-unit]: `TFLOPS` can be read as a count or as a rate
  --> wrong.cost:2:16
   |
 2 | let peak = 989 TFLOPS
   |                ^^^^^^
   |
   = help: write `TFLOP/s` for a rate or `TFLOP` for a count
""",
    ),
    "bytes-for-billions": (
        "cost 1\nimport std.decoder (decoder)\nimport std.ops (linear)\n"
        "model mine is decoder {\n  term all = linear(1, 70 B)\n}\n",
        pointing_into(
            "specs/std/ops.cost",
            "op linear(",
            """\
error[dimension-mismatch]: a count has no dimension, and this is in B
 --> wrong.cost:5:24
  |
5 |   term all = linear(1, 70 B)
  |                        ^^^^ B
 ::: specs/std/ops.cost:{number}:26
  |
{line}
  |                          ------- a count, declared here
  |
  = help: `B` is bytes; for billions write `70 G` or `70e9`
""",
        ),
    ),
    "unknown-name": (
        "cost 1\nscenario s {\n  let context = 2000 tok\n  query q: contxt\n}\n",
        """\
error[unknown-name]: nothing is called `contxt`
  --> wrong.cost:4:12
   |
 4 |   query q: contxt
   |            ^^^^^^ not found in this scope
   |
   = help: did you mean `context`?
""",
    ),
    "circle": (
        "cost 1\nscenario s {\n  let a = b + 1\n  let b = a\n}\n",
        """\
error[circular-definition]: these are defined by each other: `a` → `b` → `a`
  --> wrong.cost:3:7
   |
 3 |   let a = b + 1
   |       ^ defined here
 4 |   let b = a
   |       -   - and this closes the circle
   |       `b` needs the next
""",
    ),
    "missing-import": (
        'cost 1\nimport "./absent.cost" (x)\n',
        """\
error[missing-import]: there is no file `absent.cost`
  --> wrong.cost:2:8
   |
 2 | import "./absent.cost" (x)
   |        ^^^^^^^^^^^^^^^ not found
""",
    ),
    "empty": (
        "",
        """\
error[missing-edition]: a file begins with its edition
  --> wrong.cost:1:1
   = the edition belongs here
   = help: write `cost 1` first
""",
    ),
    "nul": (
        b"cost 1\nlet a = \0 1\n",
        """\
error[nul-byte]: a NUL byte stands in this file
  --> wrong.cost:2:9
   |
 2 | let a = ␀ 1
   |         ^
""",
    ),
    "ten-megabytes": (
        b"#" * 10_000_000,
        """\
error[file-too-large]: `wrong.cost` is too large for a spec
  --> wrong.cost:1:1
   = more than 1 MB, the most that is read
""",
    ),
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("command", ["run", "check"])
def test_a_wrong_file_is_told_with_code_and_place(folder: Path, command: str, name: str) -> None:
    data, message = WRONG[name]
    Path("wrong.cost").write_bytes(data.encode() if isinstance(data, str) else data)
    found = costlang(command, "wrong.cost")
    assert (message, "", 2) == (found.stderr, found.stdout, found.exit_code)


def test_every_mistake_of_a_file_is_told_in_one_run_in_order(folder: Path) -> None:
    text = "cost 1\nlet page = 16 KB\nlet peak = 989 TFLOPS\nlet sum_of = page + nothing\n"
    Path("wrong.cost").write_text(text)
    found = parsed(costlang("check", "wrong.cost", "--json"))["diagnostics"]
    told = [(item["code"], item["line"]) for item in found]
    assert [("refused-unit", 2), ("refused-unit", 3), ("unknown-name", 4)] == told


# ---- what it costs to start


@pytest.mark.parametrize(
    "words", ["check plan.cost", "run plan.cost", f"ask latency --of '{DECODE}' --at context=0"]
)
def test_a_run_loads_no_heavy_library(folder: Path, words: str) -> None:
    script = (
        "import sys\n"
        "from costlang.cli.main import cli\n"
        f"cli({shlex.split(words)!r}, standalone_mode=False)\n"
    )
    watched = (
        "import atexit, sys\n"
        "heavy = ('sympy', 'numpy', 'rich', 'mpmath')\n"
        "atexit.register(lambda: print(*(m for m in heavy if m in sys.modules), file=sys.stderr))\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", watched + script],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (0, "\n") == (found.returncode, found.stderr)
