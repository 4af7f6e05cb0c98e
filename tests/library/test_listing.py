"""`costlang list`: whole tables of a small library, and what holds of the shipped one."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from costlang.cli.main import cli
from costlang.library import FIGURES, SHELVES, listing
from tests.library.small import small

__all__ = ["small"]


def costlang(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words), env={"COLUMNS": "100"})


@pytest.mark.usefixtures("small")
def test_models_are_listed_with_their_sizes() -> None:
    assert (
        "           parameters  active  layers  KV a token  weights  in\n"
        "                    G       G             KiB/tok       GB\n"
        "tiny             1.61?   0.41?      2           8     3.22? two\n"
        "tiny_wide       14.43    3.63       2           8    28.86  two\n"
        "\n"
        "2 models; ? is not verified\n"
    ) == costlang("list", "models").output


@pytest.mark.usefixtures("small")
def test_chips_are_listed_with_their_peaks_and_what_is_open_is_a_dash() -> None:
    assert (
        "       16 bit      fp8  memory  bandwidth  link  power   ridge\n"
        "      TFLOP/s  TFLOP/s      GB       GB/s  GB/s      W  FLOP/B\n"
        "fast      100        -       -      1_000?    -      -     100?\n"
        "slow       10       20       -        250     -     75      40\n"
        "\n"
        "2 chips; ? is not verified\n"
    ) == costlang("list", "hardware").output


@pytest.mark.usefixtures("small")
def test_what_has_no_figures_is_listed_with_its_arguments_and_a_sentence() -> None:
    assert (
        "linear(inputs: count, outputs: count)\n"
        "experts(n: count, used: count, size: count)\n"
        "    Of `n` matrices, `used` meet a token\n"
        "attend(heads: count)\n"
        "\n"
        "3 operators\n"
    ) == costlang("list", "ops").output
    assert (
        "pass(model: sparse, hardware: chip)\n"
        "    One pass\n"
        "twice(model: sparse, hardware: chip)\n"
        "\n"
        "2 phases\n"
    ) == costlang("list", "phases").output
    assert "two is format\n\n1 records\n" == costlang("list", "records").output


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["fast", "slow"], []),
        (["slow"], ["note"]),
        (["slow"], ["SLOW", "made-up"]),
        (["fast", "slow"], ["hardware"]),
    ],
)
def test_words_are_looked_for_in_names_paths_and_notes(names: list[str], words: list[str]) -> None:
    assert names == [row.name for row in listing("hardware", words).rows]


@pytest.mark.usefixtures("small")
def test_a_search_without_a_hit_ends_with_one_and_names_what_is_near() -> None:
    result = costlang("list", "hardware", "fats")
    assert (1, "") == (result.exit_code, result.stdout)
    assert "no hardware with `fats`; did you mean `fast`?\n" == result.stderr


@pytest.mark.usefixtures("small")
def test_rows_are_sorted_by_a_figure_the_greatest_first() -> None:
    by_ridge = [row.name for row in listing("hardware", sort="ridge_point").rows]
    by_power = [row.name for row in listing("hardware", sort="power").rows]
    by_name = [row.name for row in listing("hardware", sort="name").rows]
    assert [["fast", "slow"], ["slow", "fast"], ["fast", "slow"]] == [by_ridge, by_power, by_name]


@pytest.mark.usefixtures("small")
def test_an_unknown_figure_to_sort_by_is_told_with_those_there_are() -> None:
    result = costlang("list", "models", "--sort", "size")
    assert 2 == result.exit_code
    assert (
        "`--sort size`: models are sorted by name, params, active_params, layers, "
        "kv_bytes_per_token, weight_bytes, weight_format\n"
    ) in result.output


@pytest.mark.usefixtures("small")
def test_nothing_is_worked_out_for_a_row_that_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def spy(self: object, record: object, ways: object) -> object:
        asked.append(record.name)  # type: ignore[attr-defined]
        return whole(self, record, ways)  # type: ignore[arg-type]

    from costlang.library.worth import Reader

    whole = Reader.first
    monkeypatch.setattr(Reader, "first", spy)
    listing("models", ["wide"])
    assert {"tiny_wide"} == set(asked)


@pytest.mark.usefixtures("small")
def test_a_listing_for_programs_has_each_figure_with_its_unit() -> None:
    found = json.loads(costlang("list", "hardware", "fast", "--json").output)
    (fast,) = found["entries"]
    assert ("hardware", "fast", "hardware.made_up") == (found["kind"], fast["name"], fast["import"])
    assert {
        "value": 100000000000000,
        "unit": "FLOP/s",
        "exact": "100000000000000",
        "text": "100 TFLOP/s",
        "source": "its data sheet",
        "unverified": [],
        "needs": [],
        "why": None,
    } == fast["peak_16_bit"]
    assert ["fast.hbm_bandwidth"] == fast["hbm_bandwidth"]["unverified"]
    assert (None, ["fast.power"]) == (fast["power"]["value"], fast["power"]["needs"])


@pytest.mark.usefixtures("small")
def test_the_first_of_several_ways_that_has_a_value_counts() -> None:
    ways = {row.name: row.worths[0].way for row in listing("hardware").rows}
    assert {"fast": "peak[fp16]", "slow": "peak[bf16]"} == ways


# ---- the shipped library


@pytest.mark.parametrize("kind", SHELVES)
def test_every_shelf_of_the_library_is_listed(kind: str) -> None:
    found = listing(kind)
    assert found.of == len(found.rows) > 0


def test_every_model_has_parameters_weights_and_a_format() -> None:
    keys = [figure.key for figure in FIGURES["model"]]
    for row in listing("models").rows:
        worths = dict(zip(keys, row.worths, strict=True))
        for key in ("params", "weight_bytes", "weight_format", "kv_bytes_per_token"):
            assert worths[key].value is not None, (row.name, key)


def test_every_chip_has_a_memory_and_a_bandwidth() -> None:
    keys = [figure.key for figure in FIGURES["hardware"]]
    for row in listing("hardware").rows:
        worths = dict(zip(keys, row.worths, strict=True))
        for key in ("hbm_capacity", "hbm_bandwidth"):
            assert worths[key].value is not None, (row.name, key)


def test_the_figures_of_known_things_are_the_known_ones() -> None:
    (llama,) = json.loads(costlang("list", "models", "llama_3_1_405b", "--json").output)["entries"]
    assert 405_853_388_800 == llama["params"]["value"]
    assert (516_096, "B/tok") == (
        llama["kv_bytes_per_token"]["value"],
        llama["kv_bytes_per_token"]["unit"],
    )
    (chip,) = json.loads(costlang("list", "hardware", "h100-sxm", "--json").output)["entries"]
    assert (989_400_000_000_000, "FLOP/s") == (
        chip["peak_16_bit"]["value"],
        chip["peak_16_bit"]["unit"],
    )
