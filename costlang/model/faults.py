"""What only the numbers show to be wrong, on its way from the place to the answer."""

from __future__ import annotations

from costlang.text import Diagnostic, Label, Span


class Fault(Exception):
    """Carries one diagnostic; it never leaves the floors that answer."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def fault(
    code: str,
    message: str,
    span: Span,
    label: str = "",
    labels: tuple[Label, ...] = (),
    help: str | None = None,
) -> Fault:
    """Return the fault that says so."""
    return Fault(Diagnostic(code, message, Label(span, label), labels, (), help))


def ours(message: str, span: Span) -> AssertionError:
    """Return the error of a place that no sound file reaches: it is not the author's fault."""
    return AssertionError(f"a fault of costlang's own: {message}, at {span.place}")
