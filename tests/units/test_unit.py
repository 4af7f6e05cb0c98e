"""A unit is read exactly, or refused with what was probably meant."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costlang.units import NONE, Dimension, Unit, UnitFault, UnitTable, base_unit
from costlang.units.spelling import slip
from costlang.units.table import NUMBERS, SYMBOLS, prefixes_of, readings

TABLE = UnitTable()
WORDS = st.sampled_from(sorted(set(readings()) - {"1"}))


def unit(text: str, table: UnitTable = TABLE) -> Unit:
    """Return the unit that *text* says, which has to be one."""
    read = table.parse(text)
    assert isinstance(read, Unit), read
    return read


def fault(text: str, table: UnitTable = TABLE) -> UnitFault:
    """Return why *text* is no unit."""
    read = table.parse(text)
    assert isinstance(read, UnitFault), read
    return read


# ---- what is read


@pytest.mark.parametrize(
    ("dimension", "scale", "text"),
    [
        ("B/s", 10**12, "TB/s"),
        ("B", 2**30, "GiB"),
        ("B", Fraction(1, 8), "bit"),
        ("B", 2**17, "Mibit"),
        ("FLOP/tok^2", 1, "FLOP/tok^2"),
        ("FLOP", 2 * 10**12, "TMAC"),
        ("$/tok", Fraction(1, 10**6), "$/Mtok"),
        ("$/s", Fraction(1, 3600), "$/h"),
        ("$", 1000, "k$"),
        ("tok/s/$", 1, "tok/s/$"),
        ("J", 3_600_000, "kWh"),
        ("J/s", 1000, "kW"),
        ("J/FLOP", Fraction(1, 10**12), "pJ/FLOP"),
        ("s", Fraction(1, 10**6), "us"),
        ("s", Fraction(1, 10**6), "µs"),
        ("s", Fraction(1, 10**6), "\N{GREEK SMALL LETTER MU}s"),
        ("s", 60, "min"),
        ("s", 86_400, "day"),
        ("s", 31_536_000, "year"),
        ("s", 2_628_000, "month"),
        ("tok", 1024, "Kitok"),
        ("req/s", 1000, "kreq/s"),
        ("1/s", 1, "1/s"),
        ("1", Fraction(1, 100), "%"),
        ("1", 1, "1"),
        ("1", 10**9, "G"),
        ("1", 2**17, "Mibit/B"),
        ("B*tok", 10**3, "kB*tok"),
        ("1/s^2", 1, "s^-2"),
    ],
)
def test_a_unit_is_a_dimension_and_an_exact_scale(
    dimension: str, scale: Fraction | int, text: str
) -> None:
    read = unit(text)
    assert (dimension, scale, text) == (str(read.dimension), read.scale, read.text)


def test_prefixes_make_no_word_twice() -> None:
    made = [p + s.name for s in SYMBOLS for p in ("", *prefixes_of(s))]
    assert len(made) == len(set(made))
    assert not set(made) & set(NUMBERS)


def test_prefixes_alone_are_numbers_and_stand_for_no_unit_beside_others() -> None:
    assert {NONE} == {unit(name).dimension for name in NUMBERS}
    assert "put spaces around `/` to divide by a name" == fault("GB/k").help
    assert "`M` is a number only where it stands alone" == fault("M/s").help


def test_the_names_are_listed_without_prefixes() -> None:
    own = Unit("page", Dimension.of("tok"), Fraction(16))
    assert (
        "B bit FLOP MAC s min h day month year J W Wh tok req $ % 1 k M G T P Ki Mi Gi Ti page"
    ) == " ".join(UnitTable({"page": own}).names())


@given(WORDS, WORDS, st.sampled_from("*/"), st.integers(-3, 3))
def test_units_multiply_as_they_are_written(first: str, second: str, sign: str, power: int) -> None:
    a, b, read = unit(first), unit(second), unit(f"{first}{sign}{second}^{power}")
    effect = -power if sign == "/" else power
    assert a.dimension * b.dimension**effect == read.dimension
    assert a.scale * b.scale**effect == read.scale


# ---- units of a file


def test_a_file_adds_units_that_take_decimal_prefixes() -> None:
    image = Dimension.of("image")
    own = {
        "page": Unit("page", Dimension.of("tok"), Fraction(16)),
        "image": base_unit(image),
    }
    table = UnitTable(own)
    assert Unit("page/s", unit("tok/s").dimension, Fraction(16)) == unit("page/s", table)
    assert Unit("Mimage", image, Fraction(10**6)) == unit("Mimage", table)
    assert UnitFault("unknown-unit", "unknown unit `page`") == fault("page")


def test_a_unit_of_a_file_changes_no_other_unit_of_the_edition() -> None:
    table = UnitTable({"in": Unit("in", Dimension.of("s"), Fraction(7))})
    assert unit("min") == unit("min", table)


def test_a_name_of_a_file_may_be_a_spelling_that_is_refused() -> None:
    table = UnitTable({"token": Unit("token", Dimension.of("tok"), Fraction(1))})
    assert Dimension.of("tok") == unit("token", table).dimension


def test_a_table_does_not_change_with_what_it_was_made_of() -> None:
    own: dict[str, Unit] = {}
    table = UnitTable(own)
    own["page"] = Unit("page", Dimension.of("tok"), Fraction(16))
    assert UnitFault("unknown-unit", "unknown unit `page`") == fault("page", table)


def test_a_scale_that_is_not_above_zero_raises() -> None:
    with pytest.raises(ValueError, match="above zero, and that of nothing is not"):
        Unit("nothing", NONE, Fraction(0))


# ---- what is refused

BITS = "can be read as bits or as bytes"
RATE = "can be read as a count or as a rate"
OTHER = "is not how this unit is written"


@pytest.mark.parametrize(
    ("text", "reason", "mend"),
    [
        ("KB", "can be read as 1000 or as 1024", "`kB` for 1000 or `KiB` for 1024"),
        ("K", "can be read as 1000 or as 1024", "`k` for 1000 or `Ki` for 1024"),
        ("KB/s", "can be read as 1000 or as 1024", "`kB/s` for 1000 or `KiB/s` for 1024"),
        ("KFLOP", "has a prefix that is written small", "`kFLOP`"),
        ("Kb", BITS, "`kbit` for bits or `kB` for bytes"),
        ("Gb", BITS, "`Gbit` for bits or `GB` for bytes"),
        ("gb", BITS, "`Gbit` for bits or `GB` for bytes"),
        ("mb", BITS, "`Mbit` for bits or `MB` for bytes"),
        ("Gib", BITS, "`Gibit` for bits or `GiB` for bytes"),
        ("b", BITS, "`bit` for bits or `B` for bytes"),
        ("Gbps", "hides a division", "`Gbit/s` for bits or `GB/s` for bytes"),
        ("Tbps", "hides a division", "`Tbit/s` for bits or `TB/s` for bytes"),
        ("GBps", "hides a division", "`GB/s`"),
        ("FLOPS", RATE, "`FLOP/s` for a rate or `FLOP` for a count"),
        ("TFLOPS", RATE, "`TFLOP/s` for a rate or `TFLOP` for a count"),
        ("GFLOPs", RATE, "`GFLOP/s` for a rate or `GFLOP` for a count"),
        ("TFLOPS/s", RATE, "`TFLOP/s`"),
        ("Tflop", OTHER, "`TFLOP`"),
        ("TFLOPs/sec", RATE, "`TFLOP/s`"),
        ("GMACs", RATE, "`GMAC/s` for a rate or `GMAC` for a count"),
        (
            "TOPS",
            "counts operations, which are written as FLOP",
            "`TFLOP/s` for a rate or `TFLOP` for a count",
        ),
        ("TOP/s", "counts operations, which are written as FLOP", "`TFLOP/s`"),
        ("tokens", OTHER, "`tok`"),
        ("Mtokens", OTHER, "`Mtok`"),
        ("Ktokens", OTHER, "`ktok`"),
        ("toks", OTHER, "`tok`"),
        ("sec", OTHER, "`s`"),
        ("msec", OTHER, "`ms`"),
        ("hr", OTHER, "`h`"),
        ("$/hr", OTHER, "`$/h`"),
        ("Gbyte", OTHER, "`GB`"),
        ("tps", OTHER, "`tok/s`"),
        ("billion", OTHER, "`G`"),
        ("USD", OTHER, "`$`"),
        ("kwh", OTHER, "`kWh`"),
        (
            "GiFLOP",
            "has a binary prefix, which only `B`, `bit`, `tok` and `req` take",
            "`GFLOP`",
        ),
    ],
)
def test_a_refused_spelling_says_what_was_probably_meant(text: str, reason: str, mend: str) -> None:
    word = re.split("[/$]+", text.removeprefix("$/"))[0] or text
    found = fault(text)
    assert UnitFault("refused-unit", f"`{word}` {reason}", f"write {mend}") == replace(
        found, edit=None
    )
    sure = re.fullmatch(r"`([^`]*)`", mend)
    assert (sure[1] if sure else None) == found.edit


@pytest.mark.parametrize(
    ("text", "message", "mend"),
    [
        ("", "a unit is missing", None),
        ("Ki tok", "a unit has no spaces inside", "write `Kitok`"),
        ("$2.50/h", "the unit stands after its number", "write `2.50 $/h`"),
        ("tok²", "a power is written with `^`", "write `tok^2`"),
        ("tok**2", "a power is written with `^`", "write `tok^2`"),
        ("B·s", "a product of units is written with `*`", "write `B*s`"),
        ("B/(tok*s)", "a unit has no brackets inside", "write `B/tok/s`"),
        (
            "GB/2",
            "a unit has no numbers inside",
            "put spaces around `/` to divide by a number",
        ),
        (
            "GB//s",
            "`GB//s` is not how a unit is written",
            "a unit is like `TB/s` or `FLOP/tok^2`",
        ),
        ("B^65", "the power of a unit is at most 64", None),
        ("EB^64*EB^64*EB^64", "`EB^64*EB^64*EB^64` is too large or too small for a unit", None),
        ("B" * 121, "a unit has at most 120 characters", None),
    ],
)
def test_what_has_not_the_form_of_a_unit_says_how_it_is_written(
    text: str, message: str, mend: str | None
) -> None:
    assert UnitFault("refused-unit", message, mend) == fault(text)


@pytest.mark.parametrize(
    ("text", "word", "mend"),
    [
        ("GB/t", "t", "put spaces around `/` to divide by a name"),
        ("GB/n_h", "n_h", "put spaces around `/` to divide by a name"),
        ("GB*batch", "batch", "put spaces around `*` to multiply by a name"),
        ("GB/toc", "toc", "did you mean `tok`? else put spaces around `/` to divide by a name"),
        ("GB/K", "K", "put spaces around `/` to divide by a name"),
        ("gib", "gib", "did you mean `GiB`?"),
        ("flp", "flp", "did you mean `FLOP`?"),
        ("kw", "kw", "did you mean `kW`?"),
        ("zorkmid", "zorkmid", None),
        ("m", "m", None),
    ],
)
def test_an_unknown_unit_is_named_with_what_is_near(text: str, word: str, mend: str | None) -> None:
    assert UnitFault("unknown-unit", f"unknown unit `{word}`", mend) == fault(text)


@given(
    st.sampled_from(("", "K", "k", "M", "G", "T", "Gi", "Ki", "m")),
    st.sampled_from(
        "b bps Bps FLOPS FLOPs flops OPS OP MACs tokens requests sec bytes bits B tok".split()
    ),
    st.sampled_from(("", "/s", "/sec", "/tok", "*B", "^2")),
)
def test_every_mend_is_itself_a_unit(prefix: str, stem: str, rest: str) -> None:
    read = TABLE.parse(prefix + stem + rest)
    if isinstance(read, UnitFault) and slip(prefix + stem) is not None:
        meant = re.findall("`([^`]*)`", read.help or "")
        assert meant
        assert all(isinstance(TABLE.parse(text), Unit) for text in meant)


@given(st.text(max_size=150))
def test_any_text_is_a_unit_or_a_fault(text: str) -> None:
    assert isinstance(TABLE.parse(text), Unit | UnitFault)


def test_units_made_of_units_stay_within_bounds() -> None:
    largest, plain = unit("EB^64"), Unit("u^64", Dimension((("image", 6400),)), Fraction(1))
    for made in (largest, plain):
        assert UnitFault("refused-unit", "`u^64` is too large or too small for a unit") == fault(
            "u^64", UnitTable({"u": made})
        )
