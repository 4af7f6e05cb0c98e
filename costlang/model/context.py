"""What every step of checking shares: the files, the scope of an expression, the messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from costlang.model.declared import FileScope, Formal, Let, Owner, ResourceDecl, Slot
from costlang.model.types import Type
from costlang.text import Diagnostic, Edit, Label, Severity, Span


@dataclass(frozen=True, eq=False)
class Scope:
    """
    Where an expression stands.

    *owner* is the declaration around it, *locals* its indices and arguments, *totalled* whether
    the names of resources come first, *replacing* the definition that an override puts aside.
    """

    file: FileScope
    owner: Owner | None = None
    locals: Mapping[str, Type] = field(default_factory=dict)
    totalled: bool = False
    replacing: Let | None = None

    def with_locals(self, more: Mapping[str, Type]) -> Scope:
        """Return the scope inside, in which *more* are names."""
        return replace(self, locals={**self.locals, **more})

    def inside_total(self) -> Scope:
        """Return the scope inside a total."""
        return replace(self, totalled=True)


@dataclass(eq=False)
class Context:
    """The program while it is checked."""

    files: dict[str, FileScope]
    library: Callable[[], Mapping[str, str]]
    resources: dict[str, list[ResourceDecl]] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    open_slots: list[Slot] = field(default_factory=list)
    scope: Scope | None = None
    open_slot: Callable[[Context, Slot], None] = lambda context, slot: None

    def report(
        self,
        code: str,
        message: str,
        span: Span,
        label: str = "",
        *,
        labels: tuple[Label, ...] = (),
        notes: tuple[str, ...] = (),
        help: str | None = None,
        severity: Severity = Severity.ERROR,
        edit: Edit | None = None,
    ) -> None:
        """Add one message."""
        self.diagnostics.append(
            Diagnostic(code, message, Label(span, label), labels, notes, help, severity, edit)
        )

    def lost(self, name: str) -> bool:
        """Whether a statement that could not be read may have declared *name*."""
        return any(name in file.broken for file in self.files.values())

    def damaged(self) -> bool:
        """Whether some statement of the program could not be read."""
        return any(file.broken for file in self.files.values())

    def resource(self, name: str, file: FileScope) -> ResourceDecl | None:
        """Return the resource that *name* means in *file*."""
        found = file.find(name)
        if isinstance(found, ResourceDecl):
            return found
        known = self.resources.get(name, [])
        return known[0] if known else None


def formal_types(formals: tuple[Formal, ...]) -> dict[str, Type]:
    """Return the kinds of *formals* by name."""
    return {formal.name: formal.type for formal in formals}
