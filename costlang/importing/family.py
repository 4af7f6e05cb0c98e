"""What a family of configurations looks like: its names, and its rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from costlang.importing.description import Interface
from costlang.importing.rules import Rule


@dataclass(frozen=True)
class Family:
    """
    A kind of configuration that is understood.

    *model_types* and *architectures* are its names in a configuration, the usual one first. A field
    that no rule reads is refused, unless it is in *harmless* or in the list of all families.
    *left_out* are fields that stand for parts which the model is written without: why is said in
    the spec. *besides* is a part that each model of the family has and the spec has not.
    *kept* are kinds of matrices that keep their type whatever a quantization section says: in
    transformers they are no linear layers. *interface* is what its specs amend, where the figures
    do not tell.
    """

    model_types: tuple[str, ...]
    architectures: tuple[str, ...]
    rules: tuple[Rule, ...]
    harmless: Mapping[str, str] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
    besides: tuple[str, ...] = ()
    kept: frozenset[str] = frozenset()
    interface: Interface | None = None

    @property
    def name(self) -> str:
        """What the family is called in a message."""
        return self.model_types[0]


@dataclass(frozen=True)
class Wrapper:
    """
    A kind of configuration that holds that of a language model under `text_config`.

    *text* is the family of the model where the inner object does not name one; *left_out* says what
    of the whole is not imported.
    """

    model_types: tuple[str, ...]
    architectures: tuple[str, ...]
    text: str
    left_out: Mapping[str, str]
    harmless: Mapping[str, str] = field(default_factory=dict)
