"""The record beside the pages: sorted, whole, and of nothing but what is there."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from costlang.docs.lock import NAME, Record, lock_text, read_lock
from costlang.docs.work import work_on, write

Fill = Callable[..., str]
WORDS = st.text(min_size=1, max_size=12)
NAMES = st.text("abcXY_.[]", min_size=1, max_size=9)
RECORDS = st.builds(Record, WORDS, st.sampled_from(["", "ab12"]), st.dictionaries(NAMES, WORDS))


@given(st.dictionaries(WORDS, st.dictionaries(WORDS, RECORDS, min_size=1), max_size=3))
def test_what_is_written_is_read_again(tmp_path_factory: object, records: object) -> None:
    folder = Path(tmp_path_factory.mktemp("lock"))  # type: ignore[attr-defined]
    (folder / NAME).write_bytes(lock_text(records).encode("utf-8", "replace"))  # type: ignore[arg-type]
    assert (records, ()) == read_lock(folder)


def test_a_lock_is_the_same_whatever_the_order_of_the_pages(project: Path, fill: Fill) -> None:
    fill("<!-- cost: step --><!-- /cost --> <!-- cost: busy --><!-- /cost -->")
    (project / "other.md").write_text("<!-- cost: busy spec=plan.cost --><!-- /cost -->")
    write(work_on(["page.md", "other.md"]))
    first = (project / NAME).read_text()
    (project / NAME).unlink()
    write(work_on(["other.md", "page.md"]))
    assert first == (project / NAME).read_text()


def test_a_lock_knows_no_place_on_the_disk(project: Path, fill: Fill) -> None:
    page = project / "docs" / "page.md"
    page.parent.mkdir()
    page.write_text("---\ncost: ../plan.cost\n---\n<!-- cost: step --><!-- /cost -->")
    write(work_on([str(page)]))
    text = (page.parent / NAME).read_text()
    assert '[page."page.md"."../plan.cost: plan: step"]' in text
    assert str(project) not in text


def test_a_lock_forgets_what_is_gone_and_keeps_what_was_not_asked(
    project: Path, fill: Fill
) -> None:
    fill("<!-- cost: step --><!-- /cost --> <!-- cost: busy --><!-- /cost -->")
    (project / "other.md").write_text("<!-- cost: price spec=plan.cost --><!-- /cost -->")
    write(work_on(["other.md"]))
    assert {"page.md": 2, "other.md": 1} == {p: len(r) for p, r in read_lock(project)[0].items()}
    (project / "other.md").unlink()
    fill("<!-- cost: busy --><!-- /cost -->")
    assert {"page.md": 1} == {page: len(each) for page, each in read_lock(project)[0].items()}


def test_two_branches_that_fill_other_figures_merge(project: Path, fill: Fill) -> None:
    def git(*words: str) -> None:
        name = ["-c", "user.name=x", "-c", "user.email=x@y", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *name, *words], cwd=project, check=True, capture_output=True)

    (project / "z.md").write_text("<!-- cost: price spec=plan.cost --><!-- /cost -->")
    (project / "a.md").write_text("<!-- cost: step spec=plan.cost --><!-- /cost -->")
    write(work_on(["a.md", "z.md"]))
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-qm", "both")
    git("checkout", "-qb", "side")
    (project / "a.md").write_text(
        "<!-- cost= latency at batch = 5 | spec=plan.cost --><!-- /cost -->"
    )
    write(work_on(["a.md"]))
    git("commit", "-qam", "one")
    git("checkout", "-q", "main")
    (project / "z.md").write_text("<!-- cost: busy spec=plan.cost --><!-- /cost -->")
    write(work_on(["z.md"]))
    git("commit", "-qam", "other")
    git("merge", "-q", "side")
    merged = (project / NAME).read_text()
    write(work_on(["a.md", "z.md"]))
    assert merged == (project / NAME).read_text()
