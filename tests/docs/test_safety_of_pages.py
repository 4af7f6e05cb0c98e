"""A page from a stranger: nothing outside its project is read or written, and every run ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from costlang.docs.work import work_on, write

Faults = Callable[..., list[tuple[str, str]]]


@pytest.mark.parametrize("spec", ["../outside/secret.cost", "link.cost", "/etc/hostname"])
def test_a_spec_outside_of_the_project_is_not_read(
    project: Path, faults: Faults, spec: str
) -> None:
    outside = project.parent / "outside"
    outside.mkdir(exist_ok=True)
    (outside / "secret.cost").write_text("cost 1\nscenario s {\n  query q: 1\n}\n")
    (project / "link.cost").symlink_to(outside / "secret.cost")
    found = faults(f"x <!-- cost: q spec={spec} --><!-- /cost -->", top="")
    assert ["outside-project"] == [code for code, _ in found]


def test_a_picture_is_not_written_through_a_link(project: Path, faults: Faults) -> None:
    (project / "way").symlink_to(project.parent)
    text = "<!-- cost: curve view=curve file=way/c.svg -->\n<!-- /cost -->\n"
    assert ["outside-project"] == [code for code, _ in faults(text)]
    assert not (project.parent / "c.svg").exists()


def test_a_question_that_takes_too_much_ends_with_a_message(project: Path, faults: Faults) -> None:
    text = "x <!-- cost= sum(over i in 1..100000: sum(over j in 1..1000: i ^ j * batch)) -->"
    ((code, _),) = faults(f"{text}<!-- /cost -->")
    assert code in ("too-much-work", "too-many-steps", "outside-domain")


def test_a_page_that_is_no_file_is_told(project: Path) -> None:
    outcome = work_on([".", "nowhere.md"])
    assert ["missing-file", "unreadable-file"] == sorted(i.code for i in outcome.diagnostics)


def test_a_page_behind_a_link_stays_behind_it(project: Path) -> None:
    (project / "real.md").write_text("x <!-- cost: step spec=plan.cost --><!-- /cost -->\n")
    (project / "page.md").symlink_to("real.md")
    write(work_on(["page.md"]))
    assert (project / "page.md").is_symlink()
    assert "41.79 ms" in (project / "real.md").read_text()


def test_a_page_keeps_its_mode(project: Path) -> None:
    page = project / "page.md"
    page.write_text("x <!-- cost: step spec=plan.cost --><!-- /cost -->\n")
    page.chmod(0o640)
    write(work_on(["page.md"]))
    assert 0o640 == page.stat().st_mode & 0o777
