"""Scales, ticks, texts and documents, each for itself."""

from __future__ import annotations

from fractions import Fraction
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from costlang.emit.picture import Axis, Chart, Curve, Panel, Point, draw_chart
from costlang.emit.picture.letters import Box, Words, shortened, width_of, wrapped
from costlang.emit.picture.placing import Around, beside, placed
from costlang.emit.picture.scale import Scale, around, magnitude, rounded_ends, ticks

from .conftest import Seen

positive = st.fractions(min_value=Fraction(1, 10**9), max_value=10**12)


@given(positive, positive)
def test_ticks_lie_on_the_axis_and_are_few(one: Fraction, other: Fraction) -> None:
    low, high = sorted((one, one + other))
    for log in (False, True):
        scale = Scale(low, high, 0.0, 100.0, log)
        found = ticks(scale, None, 7)
        assert len(found) <= 8
        assert all(-0.01 <= scale.at(tick.value) <= 100.01 for tick in found)


@given(positive, positive)
def test_ends_lie_around_what_they_are_ends_of(one: Fraction, other: Fraction) -> None:
    low, high = sorted((one, other))
    for first, last in (around([low, high]), rounded_ends(low, high, None, 6)):
        assert first <= low <= high <= last and first < last


def test_a_logarithm_is_had_of_numbers_that_no_float_holds() -> None:
    assert 1000 == round(magnitude(Fraction(10**1000)))
    assert -1000 == round(magnitude(Fraction(1, 10**1000)))


@given(st.text(max_size=60), st.floats(20, 300))
def test_a_shortened_text_has_room(text: str, room: float) -> None:
    assert width_of(shortened(text, room)) <= room


@given(st.text(alphabet="abc, ", max_size=200))
def test_lines_keep_to_their_width(text: str) -> None:
    assert all(width_of(line) <= 120 for line in wrapped(text, 120))


def test_a_label_goes_where_nothing_is() -> None:
    room = Box(0, 0, 300, 300)
    first = placed(beside(100, 100, "one"), Around(room))
    assert first is not None and "start" == first.anchor
    second = placed(beside(100, 100, "two"), Around(room, (first.box,)))
    assert second is not None and not second.box.meets(first.box)
    assert placed(beside(100, 100, "three"), Around(room, (room,))) is None


def test_names_of_an_author_cannot_leave_their_place() -> None:
    name = '<script>alert("1")</script> & \u202e \x1b[31m'
    points = (
        Point(Fraction(1), Fraction(1), Fraction(1)),
        Point(Fraction(2), Fraction(3), Fraction(3)),
    )
    chart = Chart(Axis(name), (Panel(Axis(name), (Curve(name, points),)),))
    text = draw_chart(chart)
    assert ElementTree.fromstring(text).find(".//{*}script") is None
    assert "\u202e" not in text and "\x1b" not in text
    assert [] == Seen(text).overlapping


numbers = st.fractions(min_value=-(10**6), max_value=10**6)


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=12), st.text(max_size=40))
def test_any_curve_makes_a_document_without_overlaps(
    places: list[tuple[Fraction, Fraction]], name: str
) -> None:
    points = tuple(Point(x, y, y) for x, y in sorted(places))
    chart = Chart(Axis("x"), (Panel(Axis("y"), (Curve(name, points),)),))
    seen = Seen(draw_chart(chart))
    assert [] == seen.overlapping
    assert [] == seen.outside


def test_the_box_of_words_is_where_they_stand() -> None:
    left, right = Words(50, 20, "ab").box, Words(50, 20, "ab", "end").box
    assert left.left == right.right == 50
    assert not left.meets(right)
