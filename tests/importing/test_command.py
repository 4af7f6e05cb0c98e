"""`costlang import`: what it prints and writes, and how it ends."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from costlang.cli.main import cli
from costlang.pipeline import facts, run
from costlang.text import Source
from tests.cli.test_command_line import examples
from tests.importing.given import FOLDER, config
from tests.importing.weights import folder, shapes

ROOT = Path(__file__).parents[2]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a working folder with a configuration, one that is refused, and one with weights."""
    (tmp_path / "config.json").write_text(json.dumps(config("llama_3_2_1b")))
    (tmp_path / "odd.json").write_text(json.dumps(config("llama_3_2_1b", memory_slots=64)))
    folder(tmp_path / "small", shapes())
    folder(tmp_path / "false", shapes(), tie_word_embeddings=False)
    folder(tmp_path / "Qwen3-4B", {}).joinpath("config.json").write_text(
        json.dumps(config("qwen3_4b"))
    )
    (tmp_path / "Qwen3-4B" / "model.safetensors").unlink()
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def costlang(words: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(cli, shlex.split(words), input=stdin, prog_name="costlang")


def process(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "costlang", "import", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (0, "import config.json"),
        (0, "import Qwen3-4B"),
        (0, "import small"),
        (1, "import false"),
        (1, "import false --json"),
        (0, "import odd.json --ignore memory_slots"),
        (2, "import odd.json"),
        (2, "import odd.json --json"),
        (2, "import none.json"),
        (2, "import https://huggingface.co/Qwen/Qwen3-4B"),
        (2, "import"),
        (2, "import config.json --name 4b"),
        (2, "import config.json --name 'a b'"),
        (2, "import config.json --name dense"),
        (2, "import config.json --name and"),
        (2, "import config.json --force"),
        (2, "import config.json -o nowhere/x.cost"),
        (2, "import config.json -o ."),
        (2, "import config.json -o pipe --force"),
    ],
)
def test_the_exit_status_says_how_it_went(here: Path, status: int, words: str) -> None:
    found = costlang(words)
    assert status == found.exit_code, found.output
    assert found.exception is None or isinstance(found.exception, SystemExit)


def test_the_spec_goes_to_standard_output_and_what_is_said_of_it_beside_it(here: Path) -> None:
    found = process("config.json", "--name", "small_one")
    assert (0, "cost 1\n") == (found.returncode, found.stdout[:7])
    assert "model small_one is dense {\n" in found.stdout
    assert found.stderr.startswith(
        "small_one: 1,235,814,400 parameters, 2,471,628,800 B of weights, "
        "32,768 B of cache for the first token\n"
    )


def test_the_summary_lists_what_was_taken_by_default(here: Path) -> None:
    (here / "config.json").write_text(json.dumps(config("llama_3_2_1b", num_key_value_heads=None)))
    assert (
        "  default: kv_heads = heads, since `num_key_value_heads` is null, so as "
        "`num_attention_heads`\n"
    ) in process("config.json").stderr


def test_what_is_refused_writes_nothing_to_standard_output(here: Path) -> None:
    found = process("odd.json", "-o", "odd.cost")
    assert (2, "") == (found.returncode, found.stdout)
    assert found.stderr.startswith("error[unknown-field]: `memory_slots` is not understood")
    assert not Path("odd.cost").exists()


def test_a_file_is_made_and_never_replaced_unasked(here: Path) -> None:
    assert 0 == costlang("import config.json -o one.cost --name first").exit_code
    before = Path("one.cost").read_text()
    refused = costlang("import config.json -o one.cost --name second")
    assert 2 == refused.exit_code
    assert "`one.cost` is there already; --force replaces it" in refused.output
    assert before == Path("one.cost").read_text()
    assert 0 == costlang("import config.json -o one.cost --name second --force").exit_code
    assert before.replace("first", "second") == Path("one.cost").read_text()


def test_the_name_comes_from_the_folder_or_the_file(here: Path) -> None:
    assert "model qwen3_4b is dense {" in process("Qwen3-4B").stdout
    assert "model model_false is dense {" in process("false").stdout
    assert "model odd is dense {" in process("odd.json", "--ignore", "memory_slots").stdout


def test_a_name_that_the_library_has_is_no_name_for_a_model(here: Path) -> None:
    found = process("config.json", "--name", "dense")
    assert (2, "") == (found.returncode, found.stdout)
    assert NAMED == found.stderr


NAMED = """\
error[name-conflict]: `dense` is what the spec imports, and cannot be its model as well
  --> <--name>:1:1
   |
 1 | dense
   | ^^^^^ another name belongs here
"""


@pytest.mark.parametrize("name", ["model", "cost", "layers", "weights", "weight_bytes", "it", "_"])
def test_any_other_name_will_do(here: Path, name: str) -> None:
    assert 0 == costlang(f"import config.json --name {name} -o x.cost").exit_code
    assert () == facts("x.cost").diagnostics


def test_standard_input_is_read_for_a_dash(here: Path) -> None:
    found = costlang("import - --name piped", stdin=json.dumps(config("qwen3_8b")))
    assert 0 == found.exit_code
    assert 'source "config.json, num_hidden_layers"' in found.output


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_what_is_written_is_sound_laid_out_and_answers(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine.cost"
    assert 0 == costlang(f"import {path} -o {out} --name mine").exit_code
    report = facts(str(out))
    assert ((), ()) == (report.diagnostics, report.checks)
    assert 0 == costlang(f"fmt --check {out}").exit_code
    ask = f'cost 1\nimport "{out.name}" (mine)\nimport hardware.nvidia (H100_SXM)\n' + (
        "import std.phases (decode)\nscenario s {\n"
        "  use one = decode(mine, H100_SXM, batch = 4, context = 1000)\n"
        "  query bytes: one.weights_bytes, one.resident\n}\n"
    )
    (tmp_path / "ask.cost").write_text(ask)
    answers = run(str(tmp_path / "ask.cost")).answers
    assert [] == [item.note for item in answers if item.note is not None]


def test_weights_that_agree_give_a_check_that_holds(here: Path) -> None:
    assert 0 == costlang("import small -o small.cost").exit_code
    assert [True] == [check.holds for check in facts("small.cost").checks]


DIFFERENT = """\
error[size-differs]: the weights have another size than the model: 64,000 numbers fewer \
(150,336 are stored)
  --> false/config.json:1:1
   = the model has 214,336 numbers, 428,672 B
   = BF16: 20 tensors, 150,336 numbers, 300,672 B
     last matrix: 64,000 numbers in the model, 0 stored
     likely: no last matrix is stored: it may be tied to the table of tokens
"""


def test_weights_that_differ_are_told_whole(here: Path) -> None:
    found = process("false")
    assert 1 == found.returncode
    assert found.stderr.endswith(DIFFERENT)
    assert "## The weights differ: 64,000 numbers fewer (150,336 are stored).\n" in found.stdout


def test_the_examples_of_the_help_run(here: Path) -> None:
    shown = examples("import")
    assert 4 == len(shown)
    for line in shown:
        assert 0 == costlang(line.removeprefix("costlang ")).exit_code, line


# ---- for programs

KEYS = [
    *("name", "family", "architecture", "interface", "figures", "ignored", "left_out", "params"),
    *("weight_bytes", "cache_bytes_of_first_token", "weights", "cut_short", "spec"),
]


def test_json_has_the_keys_of_its_contract(here: Path) -> None:
    found = json.loads(costlang("import small --json").stdout)
    assert ["schema", "version", "import", "diagnostics"] == list(found)
    assert KEYS == list(found["import"])
    assert ("small", "llama", 150_336) == tuple(
        found["import"][key] for key in ("name", "family", "params")
    )
    by_name = {figure["parameter"]: figure for figure in found["import"]["figures"]}
    assert {
        "parameter": "d_head",
        "value": 16,
        "unit": None,
        "written": "d_model / heads",
        "origin": "default",
        "fields": ["head_dim"],
        "because": "`head_dim` is absent, so `hidden_size` over `num_attention_heads`",
    } == by_name["d_head"]
    assert found["import"]["weights"]["agrees"] is True
    assert () == facts(Source("x.cost", found["import"]["spec"])).diagnostics


def test_json_says_which_fields_were_passed_over_and_why(here: Path) -> None:
    found = json.loads(costlang("import config.json --json").stdout)["import"]
    ignored = {item["field"]: item["because"] for item in found["ignored"]}
    assert "how positions are encoded, without weights" == ignored["rope_scaling"]
    assert "the number of a special token" == ignored["eos_token_id"]


def test_json_of_what_is_refused_has_the_reasons_alone(here: Path) -> None:
    found = json.loads(costlang("import odd.json --json").stdout)
    assert found["import"] is None
    assert ["unknown-field"] == [item["code"] for item in found["diagnostics"]]


def test_json_may_be_asked_for_beside_a_file(here: Path) -> None:
    found = costlang("import small --json -o small.cost")
    assert json.loads(found.stdout)["import"]["spec"] == Path("small.cost").read_text()


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="there is no full device")
def test_a_full_disk_behind_the_output_is_a_message(here: Path) -> None:
    command = [sys.executable, "-m", "costlang", "import", "config.json"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with open("/dev/full", "w") as full:
        found = subprocess.run(
            command, env=environment, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert 2 == found.returncode
    assert found.stderr == "costlang: the output is cut short: no space left on device\n"
