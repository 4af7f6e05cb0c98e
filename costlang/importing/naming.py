"""Whether a model may be called so: a name of the language that means nothing else in its spec."""

from __future__ import annotations

import re

from costlang.face import SpecError, loads
from costlang.importing.description import Description
from costlang.importing.writing import RESOURCES
from costlang.text import Diagnostic, Label, Source, Span

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,79}\Z")


def name_fault(description: Description, name: str) -> Diagnostic | None:
    """Return why the spec of *description* cannot call its model *name*, None where it can."""
    place = Label(Span(Source("<--name>", name), 0, len(name)), "another name belongs here")
    imports = {description.interface.name, *(item.name for item in description.imports), *RESOURCES}
    if name in imports:
        title = f"`{name}` is what the spec imports, and cannot be its model as well"
        return Diagnostic("name-conflict", title, place)
    try:
        loads(f"cost 1\nlet {name} = 1\n", "<--name>")
    except SpecError as error:
        first = error.diagnostics[0]
        return Diagnostic(first.code, first.message, place)
    return None
