"""A quantity is shown in the unit a serving engineer would say it in."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costlang.units import NONE, Dimension, Unit, UnitTable, base_unit, choose_unit, present

TABLE = UnitTable()
DIMENSIONS = (
    "1 B FLOP s J tok req $ B/s FLOP/s J/s tok/s req/s 1/s B/tok FLOP/tok FLOP/B FLOP/tok^2"
    " s/tok J/tok $/tok $/s $/req $/J tok/s/$ B^2 B*tok image"
).split()


def unit(text: str) -> Unit:
    """Return the unit that *text* says; `image` is one that a file added."""
    read = UnitTable({"image": base_unit(Dimension.of("image"))}).parse(text)
    assert isinstance(read, Unit), read
    return read


def shown(number: str | int, written: str, digits: int = 4) -> str:
    """Return how *number* of the unit *written* is shown when no unit is asked for."""
    read = unit(written)
    return present(Fraction(number) * read.scale, read.dimension, digits=digits)


@pytest.mark.parametrize(
    ("text", "number", "written"),
    [
        ("41.79 ms", "14000/335", "ms"),
        ("283.1 ms", "280000/989", "ms"),
        ("23.93 tok/s", "3350/140", "tok/s"),
        ("2_000 tok/s", 2000, "tok/s"),
        ("2.4 Mtok/s", 2_400_000, "tok/s"),
        ("46.42 $/Mtok", "46.42", "$/Mtok"),
        ("4 $/h", 4, "$/h"),
        ("0.12 $/kWh", "0.12", "$/kWh"),
        ("137.4 GB", 137_438_953_472, "B"),
        ("80 GB", 80, "GB"),
        ("85.9 GB", 80, "GiB"),
        ("3.35 TB/s", "3.35", "TB/s"),
        ("989.4 TFLOP/s", "989.4", "TFLOP/s"),
        ("989 TFLOP/s", 989, "TFLOP/s"),
        ("0.6 pJ/FLOP", "0.6", "pJ/FLOP"),
        ("700 W", 700, "W"),
        ("5 µs", 5, "us"),
        ("1 s", "0.99996", "s"),
        ("999.9 ms", "0.99994", "s"),
        ("1 MB", "999999.5", "B"),
        ("7_199 s", 7199, "s"),
        ("2 h", 7200, "s"),
        ("30 day", 30, "day"),
        ("2 year", 2, "year"),
        ("2_000 tok", 2000, "tok"),
        ("999_999 tok", 999_999, "tok"),
        ("1_461 tok", "1460.7", "tok"),
        ("15 Ttok", 15, "Ttok"),
        ("327_680 B/tok", 327_680, "B/tok"),
        ("327.7 kB/tok", "327680.5", "B/tok"),
        ("32_768 FLOP/tok^2", 32_768, "FLOP/tok^2"),
        ("295.2 FLOP/B", "295.224", "FLOP/B"),
        ("2_000 FLOP/B", 2000, "FLOP/B"),
        ("60_000_000 $", 60_000_000, "$"),
        ("68_976_648_192", 68_976_648_192, "1"),
        ("0.339", "0.339", "1"),
        ("1.234e-9", "1.2341e-9", "1"),
        ("0", 0, "1"),
        ("0 s", 0, "s"),
        ("0 $/h", 0, "$/h"),
        ("-41.79 ms", "-14000/335", "ms"),
        ("12.5 image", "12.5", "image"),
    ],
)
def test_a_quantity_reads_as_an_engineer_says_it(
    text: str, number: str | int, written: str
) -> None:
    assert text == shown(number, written)


@pytest.mark.parametrize(
    ("text", "number", "written", "asked"),
    [
        ("64 GiB", 64, "GiB", "GiB"),
        ("14.96 GiB", 2 * 8_030_261_248, "B", "GiB"),
        ("137_438_953_472 B", 128, "GiB", "B"),
        ("0.04179 s", "14000/335", "ms", "s"),
        ("5 us", 5, "us", "us"),
        ("0.339 %", "33500/98900", "%", "%"),
        ("99.66 %", "99.6613", "%", "%"),
        ("1 %", "0.99999", "%", "%"),
        ("-0.339 %", "-0.3387", "%", "%"),
        ("128 Ki", 131_072, "1", "Ki"),
        ("68.98 G", 68_976_648_192, "1", "G"),
        ("0.5", "0.5", "1", "1"),
        ("2.5e-12 year", "2.5e-12", "year", "year"),
    ],
)
def test_a_unit_that_is_asked_for_is_used(
    text: str, number: str | int, written: str, asked: str
) -> None:
    read = unit(written)
    assert text == present(Fraction(number) * read.scale, read.dimension, unit(asked))


def test_more_digits_are_shown_when_they_are_asked_for() -> None:
    assert "41.7910448 ms" == shown("14000/335", "ms", digits=9)
    assert "42 ms" == shown("14000/335", "ms", digits=2)


def test_a_unit_of_another_dimension_raises() -> None:
    with pytest.raises(ValueError, match="ms is a unit of s, and not of B"):
        present(Fraction(1), Dimension.of("B"), unit("ms"))


def test_less_than_one_digit_raises() -> None:
    with pytest.raises(ValueError, match="at least one digit, and 0 were asked for"):
        present(Fraction(1), NONE, digits=0)


@given(st.fractions(min_value=-(10**21), max_value=10**21), st.sampled_from(DIMENSIONS))
def test_what_is_shown_reads_back_as_nearly_the_same(value: Fraction, written: str) -> None:
    dimension = unit(written).dimension
    number, _, text = present(value, dimension).partition(" ")
    read = Fraction(number.replace("_", "")) * unit(text or "1").scale
    assert abs(read - value) <= abs(value) / 2000
    assert dimension == unit(text or "1").dimension


@given(
    st.fractions(min_value=0, max_value=10**18).filter(lambda value: value.denominator > 1),
    st.sampled_from("B FLOP J B/s FLOP/s J/tok".split()),
    st.integers(1, 8),
)
def test_rounding_never_reaches_the_next_prefix(value: Fraction, written: str, digits: int) -> None:
    text = present(value, unit(written).dimension, digits=digits)
    assert Fraction(text.split(" ")[0].replace("_", "")) < 1000


@given(st.fractions(min_value=Fraction(1, 10**15), max_value=10**21), st.sampled_from(DIMENSIONS))
def test_the_chosen_unit_is_never_binary(value: Fraction, written: str) -> None:
    assert "i" not in choose_unit(value, unit(written).dimension).text.replace("image", "")


@given(st.integers(2, 99), st.sampled_from(DIMENSIONS), st.sampled_from(("B", "FLOP", "s", "tok")))
def test_rescaling_a_base_rescales_every_number_by_the_power_of_that_base(
    factor: int, written: str, base: str
) -> None:
    dimension = unit(written).dimension
    own = {"big": Unit("big", Dimension.of(base), Fraction(factor)), "image": unit("image")}
    rescaled = UnitTable(own).parse(dimension.spell({base: "big"}))
    assert isinstance(rescaled, Unit)
    assert dimension == rescaled.dimension
    assert Fraction(factor) ** dimension.power_of(base) == rescaled.scale
