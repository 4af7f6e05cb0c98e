"""Models from the configurations that are published with them, as specs; no default in silence."""

from costlang.importing.description import Description, Figure, Refusal
from costlang.importing.importing import Imported, import_model, words_of
from costlang.importing.naming import NAME

__all__ = ["NAME", "Description", "Figure", "Imported", "Refusal", "import_model", "words_of"]
