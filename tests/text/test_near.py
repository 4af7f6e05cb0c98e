"""A name that is not there is answered with those that look like it."""

from __future__ import annotations

from costlang.text.near import did_you_mean, near_names


def test_a_slip_of_the_finger_is_near() -> None:
    assert ["width"] == near_names("widht", ["batch", "width", "layers"])


def test_another_case_is_nearer_than_another_spelling() -> None:
    assert ["Batch"] == near_names("batch", ["Batch", "batches"])


def test_a_name_without_its_last_word_is_near() -> None:
    assert ["H200"] == near_names("H200_SXM", ["B200", "H100_SXM", "H200"])[:1]


def test_names_of_one_number_are_near_where_nothing_else_is() -> None:
    chips = ["A10", "A100_40GB", "A100_80GB", "H100_SXM"]
    assert ["A100_40GB", "A100_80GB"] == near_names("A100_SXM4_large", chips)


def test_what_looks_different_is_not_offered() -> None:
    assert [] == near_names("latency", ["batch", "peak"])


def test_near_names_become_a_question() -> None:
    assert "did you mean `a` or `b`?" == did_you_mean(["a", "b"])
    assert did_you_mean([]) is None
