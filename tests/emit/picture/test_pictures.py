"""Pictures of answers: the same bytes, the answer's own numbers, words with room, in two lights."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from costlang import pipeline
from costlang.drawing import Names, Wanted, draw
from costlang.emit.picture.ink import DARK, LIGHT, Ink

from .conftest import Drawing

GUIDE = Path(__file__).resolve().parents[3] / "specs" / "guide"
DECODE = "decode(llama_3_8b, H100_SXM, context = 4096)"
ROUND = "decode(round_70b, H100_SXM, context = 0)"
CHIPS = "sweep latency, token_price over hardware in {H100_SXM, H200, MI300X}"

PICTURES: dict[str, dict[str, object]] = {
    "a curve with a bend": {"question": "sweep latency over batch in 1 .. 1024", "of": ROUND},
    "two quantities": {"question": "sweep latency, rate over batch in 1 .. 1024", "of": ROUND},
    "several curves": {
        "question": "sweep latency over batch in 1 .. 256, context in {1 ktok, 8 ktok, 64 ktok}",
        "of": "decode(llama_3_8b, H100_SXM)",
    },
    "a range": {
        "question": "sweep token_price over batch in {1, 8, 64}",
        "of": DECODE,
        "at": ("price = 2 .. 4 $/h",),
    },
    "marks": {
        "question": "sweep latency over batch in 1 .. 1024",
        "of": ROUND,
        "marks": ("50 ms", "solve t_compute == t_memory for batch"),
    },
    "bars of parts": {"question": "breakdown latency", "of": DECODE},
    "bars of chips": {
        "question": CHIPS,
        "of": "decode(llama_3_8b, context = 4096)",
        "at": ("price = 2.5 $/h",),
    },
    "a roofline": {"question": "roofline", "entry": GUIDE / "01_token_generation.cost"},
    "a roofline with many points": {
        "question": "roofline",
        "of": DECODE,
        "over": "batch in {1, 2, 4, 8, 16, 32, 64, 128, 256}",
    },
    "a question of a file": {"question": "table", "entry": GUIDE / "19_price.cost"},
}

every_picture = pytest.mark.parametrize("wanted", PICTURES.values(), ids=list(PICTURES))


@every_picture
def test_the_same_question_gives_the_same_bytes(drawn: Drawing, wanted: dict[str, object]) -> None:
    again = draw(Wanted(**wanted))  # type: ignore[arg-type]
    assert drawn(**wanted).text == again.svg


@every_picture
def test_no_word_lies_on_another_or_leaves_the_paper(
    drawn: Drawing, wanted: dict[str, object]
) -> None:
    seen = drawn(**wanted)
    assert [] == seen.overlapping
    assert [] == seen.outside


@every_picture
def test_who_cannot_see_it_has_a_title_and_a_description(
    drawn: Drawing, wanted: dict[str, object]
) -> None:
    root = drawn(**wanted).root
    names = [root[0].get("id"), root[1].get("id")]
    assert "img" == root.get("role")
    assert root.get("aria-labelledby", "").split() == names
    assert root[0].text and root[1].text


@every_picture
def test_ids_and_rules_stay_within_the_picture(drawn: Drawing, wanted: dict[str, object]) -> None:
    seen = drawn(**wanted)
    style = seen.root[2].text or ""
    rules = style.replace("@media (prefers-color-scheme:dark){", "").replace("}}", "}")
    selectors = [rule.split("{")[0] for rule in rules.split("}") if rule]
    assert [] == [name for name in selectors if not name.startswith(".cost-picture")]
    assert "http" not in seen.text.replace("http://www.w3.org/2000/svg", "")


# ---- the numbers


def test_a_curve_has_the_rows_of_its_sweep(drawn: Drawing) -> None:
    question = "sweep latency over batch in {1, 16, 64}"
    (answer,) = pipeline.ask(pipeline.Sentence(question, None, DECODE)).answers
    assert answer.sweep is not None
    seen = drawn(question, of=DECODE)
    for line in answer.sweep.lines:
        batch, latency = line.cells
        assert isinstance(batch, Fraction) and isinstance(latency, Fraction)
        digits = f"{float(latency * 1000):.4g}"
        assert f"batch = {batch}: latency = {digits} ms" in seen.description
        assert f"batch = {batch}: latency = {digits} ms" in seen.dots()


def test_heights_are_in_the_ratio_of_the_values(drawn: Drawing) -> None:
    seen = drawn("sweep latency over batch in {1, 1024}", of=ROUND)
    (first, last) = (node for node in seen.root.iter() if node.tag.endswith("circle"))
    zero, top = (
        next(words.y - 4 for words in seen.words if words.text == text) for text in ("0", "150")
    )
    heights = [(zero - float(dot.get("cy", ""))) / (zero - top) * 150 for dot in (first, last)]
    assert pytest.approx([41.79, 144.9], abs=0.05) == heights


def test_a_bend_is_marked_at_its_exact_place(drawn: Drawing) -> None:
    seen = drawn("sweep latency over batch in 1 .. 1024", of=ROUND)
    assert "batch = 295.3: t_compute and t_memory meet" in seen.texts


def test_what_is_asked_can_be_marked_on_the_axis_that_measures_it(drawn: Drawing) -> None:
    seen = drawn(
        "sweep latency over batch in 1 .. 256",
        of="decode(round_70b, H100_SXM, context = 0)",
        marks=("50 ms", "solve latency == 45 ms for batch"),
    )
    assert "50 ms" in seen.texts
    assert "batch = 318: solve latency == 45 ms for batch" in seen.texts


def test_what_is_infeasible_is_hollow_and_said(drawn: Drawing) -> None:
    seen = drawn("sweep latency over batch in {1, 64}", of=ROUND)
    assert 2 == len(seen.dots("hollow")) == len(seen.dots())
    assert "hollow, and pale lines: infeasible (fits)" in seen.texts


def test_parts_are_bars_with_their_value_and_share(drawn: Drawing) -> None:
    (answer,) = pipeline.ask(pipeline.Sentence("breakdown latency", None, DECODE)).answers
    assert answer.breakdown is not None
    texts = drawn("breakdown latency", of=DECODE).texts
    whole = f"{float(answer.breakdown.whole.value * 1000):.4g} ms"
    assert ["latency", whole, "100 %"] == texts[2:5]


def test_a_roofline_has_the_roof_its_ridge_and_the_phases_under_it(drawn: Drawing) -> None:
    seen = drawn("roofline", entry=GUIDE / "01_token_generation.cost")
    for text in ("989 TFLOP/s", "3.35 TB/s", "ridge at 295.2 FLOP/B", "one", "read"):
        assert text in seen.texts
    assert "one: 1 FLOP/B, 3.35 TFLOP/s (infeasible: fits)" in seen.texts
    assert "read: 2_000 FLOP/B, 989 TFLOP/s (infeasible: fits)" in seen.texts


OWN = """\
cost 1
record machine {
  param speed : [req/s] = 100 req/s
  param line : [B/s] = 1 MB/s
  param size : [B/req] = 20 kB/req
  let per_byte = 1 / size
  let served = min(speed, line / size)
  let most(x: [req/B]) = min(speed, x * line)
}
scenario s { use shop = machine }
"""


def test_a_roofline_is_drawn_of_whatever_names_a_spec_has(drawn: Drawing, tmp_path: Path) -> None:
    path = tmp_path / "own.cost"
    path.write_text(OWN, encoding="utf-8")
    seen = drawn("roofline", entry=path, names=Names("per_byte", "served", "most"))
    assert "shop: 5e-5 req/B, 50 req/s" in seen.texts
    assert "100 req/s" in seen.texts and "1 MB/s" in seen.texts


# ---- what makes no picture


@pytest.mark.parametrize(
    ("why", "wanted"),
    [
        ("a picture is made of a `sweep` or of a `breakdown`", Wanted("latency", None, DECODE)),
        (
            "nothing in use here has both `intensity` and `achieved`",
            Wanted("roofline", GUIDE / "19_price.cost", "kept_prefix"),
        ),
        (
            "decode: `intensity` needs decode.context",
            Wanted("roofline", None, "decode(llama_3_8b, H100_SXM)"),
        ),
        (
            "`80 GB` measures B, and no axis of the picture does",
            Wanted("sweep latency over batch in {1, 2}", None, DECODE, marks=("80 GB",)),
        ),
    ],
)
def test_what_cannot_be_drawn_says_why(why: str, wanted: Wanted) -> None:
    found = draw(wanted)
    assert (why, None) == (found.why, found.svg)


# ---- colours


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("ink", [LIGHT, DARK], ids=["light", "dark"])
def test_each_colour_of_words_is_read_on_its_paper(ink: Ink) -> None:
    pale = {c for c in (ink.text, ink.faint, *ink.series) if contrast(c, ink.paper) < 4.5}
    assert set() == pale
