"""Texts, places in them, and messages about them."""

from costlang.text.diagnostic import Diagnostic, Edit, Label, Severity, in_source_order
from costlang.text.source import Source, Span

__all__ = ["Diagnostic", "Edit", "Label", "Severity", "Source", "Span", "in_source_order"]
