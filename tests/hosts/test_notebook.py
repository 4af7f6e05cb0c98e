"""Notebooks: cells are run by a real kernel, and what they show is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat.v4 import new_code_cell, new_notebook


def run(site: Path, *cells: str) -> list[dict[str, Any]]:
    """Run cells after one that loads the spec, and return what each of them shows."""
    spec = (site / "plan.cost").read_text(encoding="utf-8")
    first = [new_code_cell("%load_ext costlang"), new_code_cell(f"%%cost plan\n{spec}")]
    notebook: Any = new_notebook(cells=[*first, *(new_code_cell(cell) for cell in cells)])
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(site)}}).execute()
    nbformat.validate(notebook)
    return [cell.outputs[0]["data"] if cell.outputs else {} for cell in notebook.cells[1:]]


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    from .conftest import HERE

    assert tmp_path_factory
    return run(
        HERE / "site",
        "%cost latency at batch = 64",
        'plan.scenario("plan")["step"].latency',
        'plan.scenario("plan").sweep("curve")',
        'plan.scenario("plan")["step"].token_price.at(batch=8)',
        "%cost curve",
    )


def test_a_cell_answers_all_its_questions_with_their_formulas(shown: list[dict[str, Any]]) -> None:
    text = shown[0]["text/markdown"]
    assert r"$\displaystyle r = \frac{B \cdot n}{t} = " in text
    assert r"\mathrm{\$/Mtok}$" in text
    assert "even" in shown[0]["text/plain"]


def test_a_question_is_asked_in_a_line(shown: list[dict[str, Any]]) -> None:
    assert r"= 14.74\,\mathrm{ms}$" in shown[1]["text/markdown"]
    assert "14.74 ms" in shown[1]["text/plain"]


def test_python_has_the_spec_and_its_objects_show_themselves(shown: list[dict[str, Any]]) -> None:
    assert (
        r"$\displaystyle t = t_{0} + \max\left(t_{c}, t_{m}\right) + t_{l}$"
        == (shown[2]["text/latex"])
    )
    assert "|     8 |        5.763 |" in shown[3]["text/markdown"]
    assert shown[4]["text/markdown"].startswith(r"0.5003 \$/Mtok")


def test_a_sweep_is_a_picture_as_well(shown: list[dict[str, Any]]) -> None:
    assert shown[5]["text/html"].startswith("<figure><svg")
    assert "| batch | latency [ms] |" in shown[5]["text/markdown"]


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("%cost latncy", "did you mean `latency`?"),
        ("%cost in plam: latency", "no scenario 'plam'"),
        ("%%cost\ncost 1\nscenario s { query a: b }", "nothing is called `b`"),
        ("%%cost\ncost 1\nscenario s { check wrong: 1 == 2 }", "wrong"),
    ],
)
def test_a_cell_with_a_mistake_fails_with_its_message(site: Path, cell: str, message: str) -> None:
    with pytest.raises(CellExecutionError) as wrong:
        run(site, cell)
    assert message in str(wrong.value)
    assert "Traceback" not in str(wrong.value)
