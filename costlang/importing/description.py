"""What a configuration says of a model in the words of the library, each figure with its origin."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from costlang.text import Diagnostic

Value = int | bool | str
"""A whole number, a truth, or a word of the language such as `per_head`."""


class Origin(Enum):
    """Where a figure is from."""

    FIELD = "field"
    """The configuration states it."""
    DEFAULT = "default"
    """The configuration leaves it out, and it has a documented default."""
    FAMILY = "family"
    """Every model of the family has it so; no field says otherwise."""


@dataclass(frozen=True)
class Figure:
    """
    The value of a *parameter* of the library, and why it is so.

    *fields* are the names in the configuration that it was read from, or that were missing;
    *because* says in a sentence why it is so where no field simply states it. *written* is the
    value as an expression, where it follows from other parameters: `d_model / heads`. A window is
    in the *unit* `tok`.
    """

    parameter: str
    value: Value
    origin: Origin
    fields: tuple[str, ...] = ()
    because: str = ""
    written: str = ""
    unit: str = ""

    @property
    def is_default(self) -> bool:
        """Whether it was taken because the configuration says nothing."""
        return self.origin is Origin.DEFAULT


@dataclass(frozen=True)
class Ignored:
    """A field that changes no cost, and why."""

    field: str
    because: str


LAYERS = ("layers",)
"""Parameters that count layers of one kind each."""

VISION = "the part that looks at images"
NEXT_LAYERS = "the layers that predict the token after the next"
"""Parts that a configuration speaks of and a spec leaves out."""

ON_REQUEST = "passed over on request"


@dataclass(frozen=True)
class Interface:
    """A declaration of the library that a model amends: the path of its file, and its name."""

    path: str
    name: str


@dataclass(frozen=True)
class Description:
    """
    A model as it is to be written: what it amends, and the figures that it sets, in order.

    *left_out* says which parts of the configuration the model does not have, a vision tower say.
    *imports* are names besides the interface, each with its path.
    """

    family: str
    architecture: str
    interface: Interface
    figures: tuple[Figure, ...]
    ignored: tuple[Ignored, ...] = ()
    left_out: tuple[str, ...] = ()
    imports: tuple[Interface, ...] = ()

    @property
    def defaults(self) -> tuple[Figure, ...]:
        """The figures that the configuration left out."""
        return tuple(figure for figure in self.figures if figure.is_default)

    @property
    def layers(self) -> int:
        """How many layers the model has, of whatever kind."""
        counts = [self.value(name) for name in LAYERS]
        return sum(count for count in counts if isinstance(count, int))

    def value(self, parameter: str) -> Value | None:
        """Return the value of *parameter*, None where it is not set."""
        found = (figure.value for figure in self.figures if figure.parameter == parameter)
        return next(found, None)


@dataclass(frozen=True)
class Refusal:
    """Why a configuration is not imported: every reason that was found, in order."""

    diagnostics: tuple[Diagnostic, ...]
