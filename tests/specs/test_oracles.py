"""What the library says of well-known models and chips, to the digits of published accounts."""

from __future__ import annotations

import pytest

from tests.specs.figures import CACHE, CHAPTER, LAYOUTS, PUBLISHED, STRUCTURE, Figure, told


@pytest.mark.parametrize("figure", CHAPTER, ids=str)
def test_the_round_model_costs_what_the_chapter_says(figure: Figure) -> None:
    assert figure.expected == told(figure)


@pytest.mark.parametrize("figure", PUBLISHED, ids=str)
def test_llama_2_70b_costs_what_its_shapes_say(figure: Figure) -> None:
    assert figure.expected == told(figure)


@pytest.mark.parametrize("figure", CACHE, ids=str)
def test_a_cache_holds_what_its_heads_and_windows_say(figure: Figure) -> None:
    assert figure.expected == told(figure)


@pytest.mark.parametrize("figure", STRUCTURE, ids=str)
def test_structure_is_counted_and_not_guessed(figure: Figure) -> None:
    assert figure.expected == told(figure)


@pytest.mark.parametrize("figure", LAYOUTS, ids=str)
def test_more_chips_shorten_a_step_less_than_their_number(figure: Figure) -> None:
    assert figure.expected == told(figure)
