"""`costlang show`: whole cards of a small library, of a file, and what holds of the shipped one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from costlang.cli.main import cli
from costlang.library import cards_of
from costlang.loader import library_words
from tests.library.small import CHIPS, MODELS, STD, small

__all__ = ["small"]
ROOT = Path(__file__).parents[2]


def costlang(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words), env={"COLUMNS": "100"})


TINY = """tiny  model, is sparse
  A model of two layers. It is small.
  import models.tiny (tiny)    specs/models/tiny.cost:6

  key figures
    parameters  1_610_000_000?  total(params)
    active      410_000_000?    total(active)
    KV a token  8_192 B/tok     total(slot)
    weights     3.22 GB?        total(weights_held)

  set
    layers  2        its paper
    width   10_000?  unverified: a talk
    blocks  10       = 5 * 2; its paper

  by default
    weights  two

  derived
    room  needs block  = block * blocks

  open
    block  [tok]  A block of the cache.

  checks
    size  total(params) == 1_610_000_000  counted by hand

  parameters by operator
    total(params)  1_610_000_000     100 %  ████████████████████
      embedding       10_000_000   0.621 %  ····················
      layers       1_600_000_000    99.4 %  ████████████████████
        mlp        1_600_000_000    99.4 %  ████████████████████
"""
FAST = """fast  hardware, is chip
  import hardware.made_up (fast)    specs/hardware/made_up.cost:4

  key figures
    ridge  100 FLOP/B?  ridge_point(fp16)

  set
    peak[fp16]     100 TFLOP/s  its data sheet
    hbm_bandwidth  1 TB/s?      unverified: a slide

  open
    power  [W]

  defines
    ridge_point(a: arithmetic)  peak[a] / hbm_bandwidth
"""
TWICE = """twice  phase(model: sparse, hardware: chip), is pass
  import std.all (twice)    specs/std/all.cost:70

  parameters
    times  count = 1  How often.

  sets
    model.layers  2

  defines
    bytes    model.total(weights_held) * times
    latency  2 * latency

  requires
    some  bytes > 0

  laws
    longer  latency increasing in times
"""
EXPERTS = """experts  op(n: count, used: count, size: count)
  Of `n` matrices, `used` meet a token. The rest wait.
  import std.all (experts)    specs/std/all.cost:24

  defines
    params        n * size
    active        used * size
    weights_held  params * weights.width
"""
SPARSE = """sparse  interface
  Layers of experts.
  import std.all (sparse)    specs/std/all.cost:35

  parameters
    layers   count
    width    count
    weights  format = two
    block    [tok]         A block of the cache.
    blocks   count

  defines
    room  block * blocks

  terms
    embedding  linear(1000, width)
    attention  layers × attend(1024)
    mlp        layers × experts(8, 2, width * width)
"""
ACTIVE = """active  resource
  import std.all (active)    specs/std/all.cost:4

  defines
    kind     count
    default  params
"""


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("card", [TINY, FAST, TWICE, EXPERTS, SPARSE, ACTIVE])
def test_a_card_shows_all_that_is_known(card: str) -> None:
    assert card == costlang("show", card.split(maxsplit=1)[0]).output


@pytest.mark.usefixtures("small")
def test_a_name_that_is_not_there_is_told_with_the_near_ones() -> None:
    result = costlang("show", "tine")
    assert 2 == result.exit_code
    assert (
        "error[unknown-name]: the library has nothing called `tine`\n"
        "  --> <command line>:1:1\n"
        "   |\n"
        " 1 | tine\n"
        "   | ^^^^ no such name\n"
        "   |\n"
        "   = help: did you mean `tiny`?\n"
    ) == result.stderr


@pytest.mark.usefixtures("small")
def test_a_card_for_programs_has_sizes_with_their_units() -> None:
    card = json.loads(costlang("show", "tiny", "--json").output)
    sizes = ("params", "active_params", "weight_bytes", "kv_bytes_per_token")
    assert [
        (1_610_000_000, "1"),
        (410_000_000, "1"),
        (3_220_000_000, "B"),
        (8192, "B/tok"),
    ] == [(card[key]["value"], card[key]["unit"]) for key in sizes]
    assert ["tiny.width"] == card["params"]["unverified"]
    assert "its paper" == card["set"]["layers"]["source"]
    assert ["tiny"] == [entry["name"] for entry in card["entries"]]


SCENARIO = """cost 1
scenario plan {
  param n : count = 3
  query double: 2 * n    show G
  check three: n == 3    source "a hand"
}
"""


def test_a_file_of_your_own_is_shown_as_well(tmp_path: Path) -> None:
    path = tmp_path / "plan.cost"
    path.write_text(SCENARIO, encoding="utf-8")
    assert (
        "plan  scenario\n"
        f"  {path}:2\n"
        "\n"
        "  parameters\n"
        "    n  count = 3\n"
        "\n"
        "  asks\n"
        "    double  2 * n show G\n"
        "\n"
        "  checks\n"
        "    three  n == 3  a hand\n"
    ) == costlang("show", str(path)).output


def test_a_count_with_a_choice_stands_in_brackets_before_what_it_repeats(tmp_path: Path) -> None:
    path = tmp_path / "choice.cost"
    path.write_text(
        "cost 1\nimport std.ops (linear)\nop both(gated: bool) {\n  term one = linear(2, 3)\n"
        "  repeat (if gated then 1 else 0) { term two = linear(3, 4) }\n"
        "  repeat 2 { term three = linear(4, 5) }\n}\n",
        encoding="utf-8",
    )
    assert (
        "  terms\n"
        "    one    linear(2, 3)\n"
        "    two    (if gated then 1 else 0) × linear(3, 4)\n"
        "    three  2 × linear(4, 5)\n"
    ) in costlang("show", str(path)).output


def test_the_one_model_of_a_file_stands_at_the_top_for_programs(tmp_path: Path) -> None:
    bodies = [text.partition("\n")[2] for text in (STD, MODELS, CHIPS)]
    kept = [line for line in "".join(bodies).splitlines() if not line.startswith("import")]
    model = "\n".join(["cost 1", *kept]).replace("model tiny_wide", "record tiny_wide")
    path = tmp_path / "all.cost"
    path.write_text(model, encoding="utf-8")
    card = json.loads(costlang("show", str(path), "--json").output)
    assert ("tiny", 1_610_000_000) == (card["name"], card["params"]["value"])
    assert {"fast", "pass", "two"} < {entry["name"] for entry in card["entries"]}


def test_a_file_with_mistakes_is_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "bad.cost"
    path.write_text("cost 1\nhardware h is nothing {\n}\n", encoding="utf-8")
    result = costlang("show", str(path))
    assert (2, "") == (result.exit_code, result.stdout)
    assert "nothing is called `nothing`" in result.stderr
    report = json.loads(costlang("show", str(path), "--json").stdout)
    assert [] == report["entries"]
    assert ["unknown-name"] == [item["code"] for item in report["diagnostics"]]


def test_a_file_that_is_not_there_is_told() -> None:
    result = costlang("show", "nowhere.cost")
    assert 2 == result.exit_code
    assert "error[missing-file]" in result.stderr


OF_A_KIND = """cost 1
interface box { param n : count
  param m : count
  param k : count = 3 }
interface pair is box { n = 2 }
record mine is pair { m = 5    source "seen" }
"""


def test_what_its_kind_sets_stands_apart_from_what_a_thing_sets(tmp_path: Path) -> None:
    path = tmp_path / "boxes.cost"
    path.write_text(OF_A_KIND, encoding="utf-8")
    mine = costlang("show", str(path)).output.partition("mine  record")[2]
    assert (
        ", is pair, box\n"
        f"  {path}:6\n"
        "\n"
        "  set\n"
        "    m  5  seen\n"
        "\n"
        "  set by pair\n"
        "    n  2\n"
        "\n"
        "  by default\n"
        "    k  3\n"
    ) == mine


HEAVY = """cost 1
interface heavy {
  param n : count = 100_000
  param m : count = 100 / (n - 100_000)
  let many = sum(over i in 1..n: sum(over j in 1..n: i * j))
  let none = 1 / (n - 100_000)
}
record one is heavy {
  m = 3
}
record two is heavy {
}
"""


def test_what_has_no_value_says_why_and_a_card_of_a_strange_file_ends(tmp_path: Path) -> None:
    path = tmp_path / "heavy.cost"
    path.write_text(HEAVY, encoding="utf-8")
    lines = costlang("show", str(path)).output.splitlines()
    much = "this takes more work than is done for one file or question"
    assert 2 == sum(line.startswith(f"    many  {much}") for line in lines)
    assert "    m  3" in lines
    card = json.loads(costlang("show", str(path), "--json").output)["entries"][1]
    assert (much, None) == (card["derived"]["many"]["why"], card["derived"]["many"]["value"])


# ---- the shipped library


@pytest.mark.parametrize("name", ["llama_3_70b", "H100_SXM", "decode", "gqa", "fp8", "RTX_3090"])
def test_cards_of_the_library_are_shown_without_a_fault(name: str) -> None:
    for words in (("show", name), ("show", name, "--json")):
        result = costlang(*words)
        assert (0, None) == (result.exit_code, result.exception)
        assert name in result.output


def test_every_name_of_the_library_has_a_card() -> None:
    for name in library_words():
        (card,) = cards_of(name)
        assert name == card.name


def test_the_sizes_of_llama_3_70b_are_the_published_ones() -> None:
    card = json.loads(costlang("show", "llama_3_70b", "--json").output)
    assert 70_553_706_496 == card["params"]["value"]
    assert 141_107_412_992 == card["weight_bytes"]["value"]
    assert (327_680, "B/tok") == (
        card["kv_bytes_per_token"]["value"],
        card["kv_bytes_per_token"]["unit"],
    )


def test_colour_is_for_a_terminal_or_who_asks_for_it() -> None:
    assert "\x1b[" not in costlang("show", "L4").output
    assert "\x1b[" in costlang("show", "L4", "--color", "always").output
    assert "\x1b[" not in costlang("list", "hardware", "L4").output
    assert "\x1b[" in costlang("list", "hardware", "L4", "--color", "always").output


# ---- shells


def completed(*words: str) -> list[str]:
    """Return what bash would be offered for the last of *words*."""
    env = {
        **os.environ,
        "_COSTLANG_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(["costlang", *words]),
        "COMP_CWORD": str(len(words)),
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-m", "costlang"]
    found = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    return [line.partition(",")[2] for line in found.stdout.splitlines()]


def test_a_shell_completes_names_and_kinds() -> None:
    assert ["H100_SXM"] == completed("show", "H100_S")
    assert ["models"] == completed("list", "mo")
    assert "show" in completed("sh")
