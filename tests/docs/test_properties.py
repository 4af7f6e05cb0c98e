"""Laws of filling: it settles at once, touches nothing else, and a check finds nothing after it."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from costlang.docs.book import Book, Named, Shelf
from costlang.docs.page import Page, page_of
from costlang.docs.work import Work, work_on, write

TOP = "---\ncost: plan.cost\n---\n"
WORDS = st.text(st.sampled_from("ab $`*_|<>-#\\!.é→\t\n~"), max_size=25)
QUESTIONS = st.sampled_from(
    [
        ": step",
        ": plan.busy digits=2",
        ": price view=symbolic",
        ": step view=numeric",
        "= latency at batch = 8 | unit=s",
    ]
)
BLOCKS = st.sampled_from([": step view=where", ": curve view=table", ": step view=derivation"])
INLINE = st.builds(lambda q, old: f"<!-- cost{q} -->{old}<!-- /cost -->", QUESTIONS, st.just("x"))
BLOCK = st.builds(lambda q: f"\n<!-- cost{q} -->\nold\n<!-- /cost -->\n", BLOCKS)
PAGES = st.lists(st.one_of(WORDS, INLINE, BLOCK), max_size=7).map("".join)
INSIDE = re.compile(r"(<!--\s*cost[:=].*?-->).*?(<!-- /cost -->)", re.S)
FREELY = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def filled(project: Path, data: bytes) -> tuple[Work | None, bytes]:
    """Fill the page *data*; None where something is wrong with it."""
    path = project / "page.md"
    path.write_bytes(data)
    outcome = work_on(["page.md"])
    if not outcome.usable or not outcome.works:
        return None, path.read_bytes()
    write(outcome)
    return outcome.works[0], path.read_bytes()


def outside(page: Page) -> list[str]:
    """Return the text of *page* between its embeds, the marks included."""
    text, pieces, at = page.source.text, [], 0
    for slot in page.slots:
        pieces.append(text[at : slot.marked.inner.start])
        at = slot.marked.inner.end
    return [*pieces, text[at:]]


@FREELY
@given(text=PAGES, ends=st.sampled_from(["\n", "\r\n"]), bom=st.booleans())
def test_filling_settles_and_touches_nothing_else(
    project: Path, text: str, ends: str, bom: bool
) -> None:
    mark = b"\xef\xbb\xbf" if bom else b""
    before = mark + (TOP + text).replace("\n", ends).encode()
    work, after = filled(project, before)
    if work is None:
        assert before == after
        return
    page, faults = page_of(project / "page.md", "page.md")
    assert page is not None and not any(item.is_error for item in faults)
    assert outside(work.page) == outside(page)
    assert after.startswith(mark + TOP.encode().replace(b"\n", ends.encode()))
    again, once_more = filled(project, after)
    assert again is not None and after == once_more
    assert {"right"} == {found.state for found in again.findings}


@FREELY
@given(text=st.text(st.sampled_from("<!-> cost:=/`~\n\\a|\"$'[]{}("), max_size=60))
def test_any_text_whatever_is_read_without_an_exception(project: Path, text: str) -> None:
    filled(project, (TOP + text).encode())


@FREELY
@given(data=st.binary(max_size=40))
def test_any_bytes_whatever_are_read_without_an_exception(project: Path, data: bytes) -> None:
    filled(project, data)


def test_a_shelf_reads_a_spec_once(project: Path) -> None:
    shelf = Shelf()
    for _ in range(2):
        book = Book(project, (Named("plan.cost", None),), shelf=shelf)
        assert 1 == len(book.specs)
    model = shelf.model(project / "plan.cost", "plan.cost")
    assert model is shelf.model(project / "plan.cost", "./plan.cost")
