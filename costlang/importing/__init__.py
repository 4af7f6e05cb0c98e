"""Models from the configurations that are published with them, as specs; no default in silence."""

from costlang.importing.description import Description, Figure, Refusal
from costlang.importing.importing import NAME, Imported, import_model, words_of

__all__ = ["NAME", "Description", "Figure", "Imported", "Refusal", "import_model", "words_of"]
