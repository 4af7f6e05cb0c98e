"""From a path, a text or standard input to a program: the only place that reads a spec."""

from costlang.loader.loading import load
from costlang.loader.pages import page_of, text_at
from costlang.loader.program import File, Program, ResolvedImport
from costlang.loader.shipped import library, library_index, library_words

__all__ = [
    "File",
    "Program",
    "ResolvedImport",
    "library",
    "library_index",
    "library_words",
    "load",
    "page_of",
    "text_at",
]
