"""What a check of pages found, as messages with their place and as JSON."""

from __future__ import annotations

import os
from collections.abc import Iterator

from costlang.docs.findings import Finding
from costlang.docs.inputs import Change, is_shipped
from costlang.docs.work import Outcome, Work
from costlang.emit.diagnostics_json import diagnostic_json
from costlang.text import Diagnostic, Label, Span

Json = dict[str, object]

FAILING = ("stale", "empty", "false")
"""The states in which a page says something else than its specs do."""


def messages(outcome: Outcome, states: tuple[str, ...] = FAILING) -> Iterator[Diagnostic]:
    """Yield a message for each embed in one of these *states*, page by page in their order."""
    for _, found in outcome.found(*states):
        yield message(found)


def message(found: Finding) -> Diagnostic:
    """Return what is to be said of an embed that is not as it should be."""
    code, words, label = _words(found)
    notes = (*_texts(found), *map(change_text, found.changes), *_unexplained(found))
    return Diagnostic(code, words, Label(_place(found), label), notes=notes)


def _words(found: Finding) -> tuple[str, str, str]:
    subject = found.slot.embed.subject
    match found.state:
        case "false":
            return "false-sentence", f"this sentence does not hold: `{subject}`", "not so"
        case "empty":
            return "stale-embed", f"`{subject}` was never filled in", "nothing stands here yet"
        case "moved":
            return "stale-embed", f"`{subject}` has moved below what is shown", "shown as before"
        case _:
            return "stale-embed", f"`{subject}` is another one now", "no longer so"


def _place(found: Finding) -> Span:
    inner = found.slot.marked.inner
    inline = found.slot.marked.margin is None and inner.text.strip()
    return inner if inline else found.slot.marked.opening


def _texts(found: Finding) -> Iterator[str]:
    """Yield the old text and the new one, of a block the first lines that differ."""
    if found.state == "moved":
        return
    if found.old == found.new:
        yield f"the picture {found.rendered.files[0][0]} is another one now"
        return
    old, new = _first_difference(found.old, found.new)
    if found.state == "false":
        yield f"says: {old}"
        yield f"is:   {new}"
        return
    if found.old.strip():
        yield f"was: {old}"
    yield f"now: {new}"


def _first_difference(old: str, new: str) -> tuple[str, str]:
    before, after = old.split("\n"), new.split("\n")
    for one, other in zip(before, after, strict=False):
        if one != other:
            return one.strip(), other.strip()
    if len(before) < len(after):
        return "(nothing)", after[len(before)].strip()
    rest = before[len(after) :]
    return (rest[0].strip(), "(nothing)") if rest else (old, new)


def change_text(change: Change) -> str:
    """Return `H100_SXM.hbm_bandwidth: 3.35 TB/s -> 3 TB/s (specs/hardware/nvidia.cost:222:3)`."""
    place = f" ({change.place.place})" if change.place is not None else ""
    if change.before is None:
        return f"{change.name}: read now, {change.now}{place}"
    if change.now is None:
        return f"{change.name}: read no longer, it was {change.before}"
    return f"{change.name}: {change.before} -> {change.now}{place}"


def _unexplained(found: Finding) -> Iterator[str]:
    """Yield what may lie behind a change that no input explains."""
    if found.changes or found.state == "empty":
        return
    if not found.known:
        yield "there is no record of what it was made of"
    elif found.reshaped:
        yield "no input has changed, but the formula has"
    elif found.state != "false":
        yield "no input has changed: the text between the marks was edited, or how it is shown"


# ---- for programs


def report_json(outcome: Outcome, version: str) -> Json:
    """Return what was found as JSON; `docs/embedding.md` is the contract."""
    return {
        "version": version,
        "pages": [_page(work) for work in outcome.works],
        "diagnostics": [diagnostic_json(item) for item in outcome.diagnostics],
    }


def _page(work: Work) -> Json:
    return {
        "page": work.page.source.name,
        "embeds": [_embed(found) for found in work.findings],
    }


def _embed(found: Finding) -> Json:
    place = found.slot.marked.opening
    return {
        "line": place.line,
        "column": place.column,
        "asks": found.slot.embed.subject,
        "state": found.state,
        "old": found.old,
        "new": found.new,
        "value": found.rendered.value,
        "feasible": all(answer.feasible for answer in found.rendered.answers),
        "inputs": [_changed(change) for change in found.changes],
    }


def _changed(change: Change) -> Json:
    place = change.place
    return {
        "name": change.name,
        "before": change.before,
        "now": change.now,
        "file": os.path.normpath(place.source.name) if place is not None else None,
        "line": place.line if place is not None else None,
        "shipped": is_shipped(place) if place is not None else None,
    }
