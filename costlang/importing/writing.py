"""A description as a spec that a person reads: its figures with their source, its defaults."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap

from costlang.importing.description import ON_REQUEST, Description, Figure, Interface, Origin, Value
from costlang.layout import lay_out
from costlang.text import Source

WIDTH = 96


@dataclass(frozen=True)
class Wording:
    """
    What a spec is called, and what it says besides the figures.

    *cited* is how its figures call the configuration, *stored* the number of parameters that the
    headers of the weights agree on, which becomes a check, and *remarks* are sentences of its note.
    """

    name: str
    cited: str
    stored: int | None = None
    remarks: tuple[str, ...] = ()


def written(description: Description, wording: Wording) -> str:
    """Return the spec of the model, laid out as `costlang fmt` lays it out."""
    counted = ("params",) if wording.stored is not None else ()
    return _laid_out([*_head(description, counted), "", *_model(description, wording)])


def measured(description: Description, wording: Wording, questions: Mapping[str, str]) -> str:
    """Return the same with a scenario `asked_of_NAME` that asks *questions*, as `KEY_of_NAME`."""
    asked = [f"  query {key}_of_{wording.name}: {words}" for key, words in questions.items()]
    used = f"  use used_{wording.name} = {wording.name}"
    scenario = [f"scenario asked_of_{wording.name} {{", used, *asked, "}"]
    model = [*_model(description, wording), ""]
    return "\n".join([*_head(description, RESOURCES), "", *model, *scenario, ""])


RESOURCES = ("params", "weights_held", "cache_held")
"""What a total can be about, in `std.ops`."""


def _laid_out(lines: list[str]) -> str:
    laid = lay_out(Source("imported.cost", "\n".join([*lines, ""])))
    assert laid.text is not None, laid.diagnostics
    return laid.text


def _model(description: Description, wording: Wording) -> Iterator[str]:
    yield from _note(description, wording)
    yield f"model {wording.name} is {description.interface.name} {{"
    for figure in description.figures:
        yield from _figure(figure, wording.cited, description.architecture)
    if wording.stored is not None:
        source = f"the headers of the safetensors files beside {wording.cited}"
        yield f'  check size: total(params) == {number(wording.stored)}    source "{source}"'
    yield "}"


def number(value: Value) -> str:
    """Return *value* as the language writes it: digits in groups of three from ten thousand on."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"{value:_}" if abs(value) >= 10_000 else str(value)
    return value


def _head(description: Description, resources: tuple[str, ...]) -> Iterator[str]:
    yield "cost 1"
    wanted = [description.interface, *description.imports]
    wanted += [Interface("std.ops", name) for name in resources]
    for path in dict.fromkeys(item.path for item in wanted):
        names = dict.fromkeys(item.name for item in wanted if item.path == path)
        yield f"import {path} ({', '.join(names)})"


def _note(description: Description, wording: Wording) -> Iterator[str]:
    family, architecture = description.family, description.architecture
    yield from _wrapped("## ", f"Imported from {wording.cited}: `{family}`, {architecture}.")
    for part in description.left_out:
        yield from _wrapped("## ", f"Left out: {part}.")
    defaults = [figure.parameter for figure in description.defaults]
    if defaults:
        yield from _wrapped("## ", f"Taken by default, as told below: {', '.join(defaults)}.")
    for item in description.ignored:
        if item.because == ON_REQUEST:
            yield from _wrapped("## ", f"Passed over on request: `{item.field}`.")
    for remark in wording.remarks:
        yield from _wrapped("## ", remark)


def _figure(figure: Figure, cited: str, architecture: str) -> Iterator[str]:
    value = figure.written or number(figure.value)
    if figure.unit and not figure.written:
        value += f" {figure.unit}"
    setting = f"  {figure.parameter} = {value}"
    if figure.origin is Origin.FIELD:
        fields = " and ".join(figure.fields)
        more = f": {_text(figure.because)}" if figure.because else ""
        yield f'{setting}    source "{cited}, {fields}{more}"'
        return
    words = _text(figure.because)
    if figure.is_default or figure.written:
        head = "Default: " if figure.is_default else ""
        yield from _wrapped(
            "  # ", f"{head}{words[0].upper() if not head else words[0]}{words[1:]}."
        )
        yield setting if figure.written else f'{setting}    source "default, see above"'
    else:
        yield f'{setting}    source "transformers, {architecture}: {words}"'


def _text(words: str) -> str:
    """Return *words* as they can stand in quotes."""
    return re.sub(r'["\\\n]', "'", words)


def _wrapped(mark: str, words: str) -> Iterator[str]:
    plain = "".join(char if char.isprintable() else "\ufffd" for char in words)
    yield from (mark + line for line in wrap(plain, WIDTH - len(mark), break_on_hyphens=False))
