"""Every model says how large it is, what a token takes and what is active; a new one is a file."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from costlang.library.shelves import shelf
from costlang.model import declared as d
from costlang.pipeline import facts, run
from costlang.text import Source

HERE = Path(__file__).parent
TOMORROW = HERE / "tomorrow.cost"

# ---- what each model of the library says of itself


@cache
def models() -> dict[str, d.RecordDecl]:
    """Return the models of the library by name, but for the one that has no shapes."""
    decls = shelf("models").decls
    found = {decl.name: decl for decl in decls if isinstance(decl, d.RecordDecl)}
    del found["round_70b"]
    return found


def checks(model: d.RecordDecl) -> Iterator[d.Fact]:
    for owner in model.lineage():
        yield from owner.checks


def named(model: d.RecordDecl) -> set[str]:
    return {check.name for check in checks(model)}


def sets(model: d.RecordDecl, name: str) -> bool:
    return any((name,) in owner.settings for owner in model.lineage() if owner.kind == "model")


def test_the_library_has_a_hundred_models_of_many_families() -> None:
    assert len(models()) > 100
    assert len({shelf("models").homes[name] for name in models()}) > 23


def test_each_model_is_held_to_a_published_count_of_its_parameters() -> None:
    assert [] == [m.name for m in models().values() if not named(m) & {"size", "printed"}]


def test_most_of_them_are_counted_as_their_implementation_counts_itself() -> None:
    exact = {
        m.name
        for m in models().values()
        for check in checks(m)
        if check.name == "size" and check.source and check.source.endswith("without weights")
    }
    assert 75 < len(exact)


def test_each_model_is_held_to_what_a_token_takes_or_a_sequence() -> None:
    assert [] == [m.name for m in models().values() if not named(m) & {"slot", "state"}]


def test_each_model_with_experts_is_held_to_what_is_active() -> None:
    with_experts = [m for m in models().values() if sets(m, "experts")]
    assert 15 < len(with_experts)
    assert [] == [m.name for m in with_experts if "active" not in named(m)]


def test_each_of_these_figures_names_its_source() -> None:
    assert [] == [
        f"{m.name}.{check.name}"
        for m in models().values()
        for check in checks(m)
        if not check.source
    ]


# ---- a model of which nobody has heard


def test_an_invented_model_is_a_file_and_counts_as_worked_out_by_hand() -> None:
    report = facts(TOMORROW)
    assert () == report.diagnostics
    assert 6 == len(report.checks)
    assert [] == [check.name for check in report.checks if check.holds is not True]


def asked(*questions: str) -> list[object]:
    """Return the answers about the invented model in fp8 on a chip of the library."""
    lines = "\n".join(f"  query q{at}: {question}" for at, question in enumerate(questions))
    text = TOMORROW.read_text(encoding="utf-8").replace(
        "import std.format (format)",
        "import std.format (format, fp8)\nimport std.phases (decode)\n"
        "import hardware.nvidia (H200)",
    )
    text += (
        "scenario serving {\n"
        "  use step = decode(tomorrow, H200, batch = 8, context = 32_767, weights = fp8)\n"
        f"{lines}\n}}\n"
    )
    report = run(Source("tomorrow.cost", text))
    assert () == report.diagnostics
    return [answer.value for answer in report.answers]


def test_it_is_asked_like_any_other() -> None:
    touched = 64 * (1 - Fraction(58, 64) ** 8)
    expert = 3 * 4096 * 1024
    weights = 33_499_966_848 - 100_000 * 4096 - 36 * (64 - touched) * expert
    state = 18 * (64 * 128 * 128 + 3 * 10_240) * 2
    cache = 8 * (12 * 2049 * 2048 + 6 * 32_768 * 512 + 2 * state)
    latency, moved = asked("latency", "bytes / 1 B")
    assert weights + cache == moved
    assert (weights + cache) / Fraction("4.8e12") == latency


@pytest.mark.parametrize("context", [4095, 32_767])
def test_as_many_of_its_sequences_fit_as_there_is_room_for(context: int) -> None:
    state = 18 * (64 * 128 * 128 + 3 * 10_240) * 2
    sequence = 12 * 2048 * 2048 + 6 * (context + 1) * 512 + state
    room = 141_000_000_000 - 33_499_966_848
    most = room // sequence
    assert [True, False] == asked(
        *(
            f"resident <= hardware.hbm_capacity at batch = {batch}, context = {context}"
            for batch in (most, most + 1)
        )
    )
