"""`costlang prove`: what it prints, what it writes for programs, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from costlang import loads
from costlang.cli.main import cli

SPEC = """cost 1
interface server {
  param memory : [B]
  param users : count = 1
  let used = users * 2 GB
  let rest = memory - used
  law more: used increasing in users
  law fits: used <= memory
}
"""
TRUE = SPEC.replace("  law fits: used <= memory\n", "")


def ran(text: str, folder: Path, *options: str) -> Result:
    """Return what `costlang prove` does with a file of *text*."""
    file = folder / "server.cost"
    file.write_text(text, encoding="utf-8")
    return CliRunner().invoke(cli, ["prove", str(file), *options])


def test_each_law_has_a_line_and_what_speaks_against_it_stands_below(tmp_path: Path) -> None:
    found = ran(SPEC, tmp_path)
    assert (
        """server
  more  proved     used increasing in users
  fits  refuted    used <= memory
      fails at memory = 1 B
      where used = 2 GB, memory = 1 B

laws: 1 proved, 0 tested, 1 refuted
"""
        == found.stdout
    )
    assert 1 == found.exit_code


def test_a_file_with_mistakes_is_told_its_mistakes_and_nothing_of_laws(tmp_path: Path) -> None:
    found = ran("", tmp_path)
    assert ("", 2) == (found.stdout, found.exit_code)
    assert found.stderr.startswith("error[missing-edition]")


def test_it_ends_well_where_nothing_is_refuted(tmp_path: Path) -> None:
    assert 0 == ran(TRUE, tmp_path).exit_code


def test_a_file_that_cannot_be_used_ends_with_two(tmp_path: Path) -> None:
    assert 2 == ran("cost 1\ninterface x { law y: z }\n", tmp_path).exit_code


def test_why_shows_the_rules(tmp_path: Path) -> None:
    assert "no part of it goes the other way in `users`" in ran(TRUE, tmp_path, "--why").stdout


def test_programs_get_all_of_it(tmp_path: Path) -> None:
    found = json.loads(ran(SPEC, tmp_path, "--json").stdout)
    assert ["proved", "refuted"] == [law["status"] for law in found["laws"]]
    assert "memory = 1 B" == found["laws"][1]["counterexample"]["at"]
    assert {"name", "of", "place", "law", "status", "method", "why", "cases", "seed"} <= set(
        found["laws"][0]
    )


def test_a_counterexample_can_be_put_after_a_question() -> None:
    spec = loads(SPEC + "scenario plan { use one = server }\n")
    (against,) = [each.counterexample for each in spec.prove().outcomes if each.counterexample]
    point = {item.name: item.value for item in against.at}
    (answer,) = spec.scenario("plan").ask("used <= memory at memory = 1 B")
    assert ({"memory": 1}, False) == (point, answer.value)


def test_a_run_counts_laws_and_does_not_look_at_them(tmp_path: Path) -> None:
    file = tmp_path / "server.cost"
    file.write_text(SPEC, encoding="utf-8")
    found = CliRunner().invoke(cli, ["run", str(file)])
    assert "laws: 2, not looked at; `costlang prove` does\n" == found.stdout
    assert 0 == found.exit_code


def test_files_of_the_library_have_names() -> None:
    found = CliRunner().invoke(cli, ["prove", "std.experts"])
    assert "routing()" in found.stdout
    assert 0 == found.exit_code
