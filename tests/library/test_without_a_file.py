"""A question about the library that needs no file: `costlang ask … --of`."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result

from costlang.cli.main import cli
from tests.library.small import small

__all__ = ["small"]
pytestmark = pytest.mark.usefixtures("small")


def ask(question: str, of: str, *more: str) -> Result:
    return CliRunner().invoke(cli, ["ask", question, "--of", of, *more], env={"COLUMNS": "100"})


def test_a_phase_of_the_library_is_asked() -> None:
    assert (
        "latency = 3.22 ms\n"
        "  assumed: weights = two, times = 1\n"
        "  unverified: tiny.width = 10_000, fast.hbm_bandwidth = 1 TB/s\n"
    ) == ask("latency", "pass(tiny, fast)").output


def test_a_record_of_the_library_is_asked() -> None:
    assert (
        "ridge_point(bf16) = 40 FLOP/B\npeak[fp8] = 20 TFLOP/s\n"
        == ask("ridge_point(bf16), peak[fp8]", "slow").output
    )


TABLE = (
    "    hardware  latency [ms]  bytes [GB]\n"
    "    --------  ------------  ----------\n"
    "    fast             28.86       28.86\n"
    "    slow             115.4       28.86\n"
    "  assumed: weights = two, times = 1\n"
    "  unverified: fast.hbm_bandwidth = 1 TB/s\n"
)


@pytest.mark.parametrize("of", ["pass(tiny_wide, fast)", "pass(tiny_wide)"])
def test_chips_stand_side_by_side_and_the_swept_one_may_be_left_out(of: str) -> None:
    assert TABLE == ask("sweep latency, bytes over hardware in {fast, slow}", of).output


def test_the_largest_count_is_the_one_that_keeps_the_conditions() -> None:
    asked = ask("largest times with latency <= 1 s", "pass(tiny_wide, slow)").output
    assert "times = 8" == asked.splitlines()[0]
    assert "    binding: latency <= 1 s" in asked.splitlines()


def test_names_after_at_come_from_the_library_as_well() -> None:
    assert (
        "latency = 12.88 ms\n"
        "  assumed: weights = two, times = 1\n"
        "  unverified: tiny.width = 10_000\n"
    ) == ask("latency", "pass(tiny, fast)", "--at", "hardware=slow").output


def test_what_is_open_is_told_with_how_to_give_it() -> None:
    assert (
        "room = needs block\n"
        "    room = block * blocks\n"
        "  to give: --at 'block=… tok', or inside --of\n"
    ) == ask("room", "pass(tiny_wide, slow)").output
    given = ask("room", "pass(tiny_wide, slow)", "--at", "block=16 tok").output
    inside = ask("room", "pass(tiny_wide, slow, block = 16 tok)").output
    assert ("room = 160 tok\n", given) == (given, inside)


def test_a_table_says_once_what_its_chips_lack() -> None:
    assert (
        "    hardware  power * latency [J]\n"
        "    --------  -------------------\n"
        "    fast                        -\n"
        "    slow                    8.658\n"
        "    -: needs power\n"
        "  to give: --at 'power=… W', or inside --of\n"
        "  assumed: weights = two, times = 1\n"
        "  unverified: fast.hbm_bandwidth = 1 TB/s\n"
    ) == ask("sweep power * latency over hardware in {fast, slow}", "pass(tiny_wide)").output


@pytest.mark.parametrize(
    ("question", "of", "place", "mend"),
    [
        ("latency", "pass(tiny, slwo)", "<--of>:1:12", "did you mean `slow` or `slot`?"),
        ("latency", "pas(tiny, slow)", "<--of>:1:1", "did you mean `pass`?"),
        ("latncy", "pass(tiny, slow)", "<question>:1:1", "did you mean `latency`?"),
        ("latency", "pass(tiny, slow, time = 2)", "<--of>:1:18", "did you mean `times`?"),
    ],
)
def test_a_wrong_name_is_told_where_it_stands_with_the_near_ones(
    question: str, of: str, place: str, mend: str
) -> None:
    result = ask(question, of)
    assert 2 == result.exit_code
    assert f"  --> {place}\n" in result.stderr
    assert f"   = help: {mend}\n" in result.stderr
