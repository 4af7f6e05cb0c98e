"""A name that is not there is answered with those that look like it."""

from __future__ import annotations

from costlang.text.near import did_you_mean, near_names


def test_a_slip_of_the_finger_is_near() -> None:
    assert ["width"] == near_names("widht", ["batch", "width", "layers"])


def test_another_case_is_nearer_than_another_spelling() -> None:
    assert ["Batch"] == near_names("batch", ["Batch", "batches"])


def test_what_looks_different_is_not_offered() -> None:
    assert [] == near_names("latency", ["batch", "peak"])


def test_near_names_become_a_question() -> None:
    assert "did you mean `a` or `b`?" == did_you_mean(["a", "b"])
    assert did_you_mean([]) is None
